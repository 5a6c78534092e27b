#include "ltl/invariant.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "ltl/bdd.h"

namespace spoor::ltl {
namespace {

constexpr std::size_t kMostOperations = 1'000'000, kMostNodes = 1'000'000;
constexpr std::size_t kMostCases = 10'000;

// Truth assignments of two consecutive states: the atoms of the first, and behind them those of the second.
class PairOfStates {
 public:
  explicit PairOfStates(const Formulas& formulas) : formulas_(formulas) {
    bdds_.grant(kMostOperations, kMostNodes);
  }

  // Those in which the formula is true. Nothing: it speaks of more states.
  std::optional<Bdd> set_of(Formula f, bool is_next = false) {
    switch (formulas_.op(f)) {
      case Op::kFalse: return Bdds::kFalse;
      case Op::kTrue: return Bdds::kTrue;
      case Op::kAtom: return bdds_.variable(formulas_.atom_index(f) + (is_next ? kMaxAtoms : 0));
      case Op::kNot: {
        const std::optional<Bdd> operand = set_of(formulas_.left(f), is_next);
        return operand ? std::optional(bdds_.negation(*operand)) : std::nullopt;
      }
      case Op::kAnd: return of_all(f, is_next, Bdds::kTrue, [&](Bdd a, Bdd b) { return bdds_.both(a, b); });
      case Op::kOr: return of_all(f, is_next, Bdds::kFalse, [&](Bdd a, Bdd b) { return bdds_.either(a, b); });
      case Op::kNext: return is_next ? std::nullopt : set_of(formulas_.left(f), true);
      case Op::kUntil:
      case Op::kRelease:
      case Op::kWeakUntil:
      case Op::kStrongRelease: break;
    }
    return std::nullopt;
  }

  std::vector<Literals> cases_without(Bdd set) { return bdds_.irredundant_cubes(bdds_.negation(set)); }

 private:
  template <class Join>
  std::optional<Bdd> of_all(Formula f, bool is_next, Bdd none, Join join) {
    Bdd set = none;
    for (const Formula operand : formulas_.operands(f)) {
      const std::optional<Bdd> part = set_of(operand, is_next);
      if (!part) return std::nullopt;
      set = join(set, *part);
    }
    return set;
  }

  const Formulas& formulas_;
  Bdds bdds_;
};

void add_literal(std::uint32_t atom, bool is_positive, Cube& cube) {
  cube.mask |= std::uint64_t{1} << atom;
  if (is_positive) cube.value |= std::uint64_t{1} << atom;
}

}  // namespace

bool Invariant::looks_ahead() const {
  return std::ranges::any_of(violations, [](const Case& each) { return each.next.mask != 0; });
}

std::optional<Invariant> invariant_of(const Formulas& formulas, Formula formula) {
  if (formula == formulas.truth(true)) return Invariant();
  if (formula == formulas.truth(false)) return Invariant{{Invariant::Case()}};
  if (!formulas.is_globally(formula)) return std::nullopt;
  try {
    PairOfStates states(formulas);
    const std::optional<Bdd> set = states.set_of(formulas.right(formula));
    if (!set) return std::nullopt;
    Invariant invariant;
    for (const Literals& literals : states.cases_without(*set)) {
      Invariant::Case& violation = invariant.violations.emplace_back();
      for (const auto& [variable, is_positive] : literals) {
        const bool is_next = variable >= kMaxAtoms;
        add_literal(variable % kMaxAtoms, is_positive, is_next ? violation.next : violation.now);
      }
      if (invariant.violations.size() > kMostCases) return std::nullopt;
    }
    return invariant;
  } catch (const TooLarge&) {
    return std::nullopt;
  }
}

}  // namespace spoor::ltl
