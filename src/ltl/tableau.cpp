#include "ltl/tableau.h"

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spoor::ltl {
namespace {

class Tableau {
 public:
  Tableau(Formulas& formulas, Bdds& bdds, Arcs arcs, const TableauLimits& limits)
      : formulas_(formulas), labels_(bdds), arcs_(arcs), limits_(limits) {
    bdds_.grant(limits.operations, limits.nodes);
    // Where letters are split first, the atoms must be on top; otherwise each variable stands
    // beside those that it was first met with, which keeps conjunctions of many parts small.
    for (std::uint32_t i = 0; arcs == Arcs::kSplit && i < formulas.atoms().size(); ++i) atom(i);
  }

  Tgba build(Formula f) {
    state_of(f);
    std::size_t arc_count = 0;
    for (std::size_t s = 0; s < demands_.size(); ++s) {
      expand(s);
      arc_count += result_.states[s].size();
      if (arc_count > limits_.arcs) throw TooLarge();
    }
    result_.sets = static_cast<std::uint32_t>(promises_.size());
    for (auto& arcs : result_.states) {
      for (Arc& arc : arcs) arc.marks = ~arc.marks & result_.all_marks();
    }
    normalize(result_, labels_);
    return std::move(result_);
  }

 private:
  enum class Kind { kAtom, kNext, kPromise };
  struct Variable {
    Kind kind;
    std::uint32_t value;  // the atom, the formula that holds next, the acceptance set
  };

  std::uint32_t new_variable(Variable variable) {
    variables_.push_back(variable);
    return static_cast<std::uint32_t>(variables_.size()) - 1;
  }

  Bdd atom(std::uint32_t index) {
    const auto [found, is_new] = atoms_.emplace(index, 0);
    if (is_new) found->second = new_variable({Kind::kAtom, index});
    return bdds_.variable(found->second);
  }

  // "f holds from the next position on": of a conjunction, that each part does.
  Bdd next(Formula f) {
    if (f <= 1) return f == 1 ? Bdds::kTrue : Bdds::kFalse;
    if (formulas_.op(f) == Op::kAnd) {
      Bdd all = Bdds::kTrue;
      const std::vector<Formula> parts(formulas_.operands(f).begin(), formulas_.operands(f).end());
      for (const Formula part : parts) all = bdds_.both(all, next(part));
      return all;
    }
    const auto [found, is_new] = next_.emplace(f, 0);
    if (is_new) found->second = new_variable({Kind::kNext, f});
    return bdds_.variable(found->second);
  }

  Bdd promise(Formula f) {
    const auto [found, is_new] = promises_.emplace(f, 0);
    if (is_new) {
      if (promises_.size() > 64) throw TooLarge();
      const auto set = static_cast<std::uint32_t>(promises_.size() - 1);
      found->second = new_variable({Kind::kPromise, set});
    }
    return bdds_.variable(found->second);
  }

  Bdd demand(Formula f) {
    const auto known = done_.find(f);
    if (known != done_.end()) return known->second;
    const Bdd made = demand_anew(f);
    done_.emplace(f, made);
    return made;
  }

  Bdd demand_anew(Formula f) {
    const Op op = formulas_.op(f);
    const auto a = [&] { return demand(formulas_.left(f)); };
    const auto b = [&] { return demand(formulas_.right(f)); };
    switch (op) {
      case Op::kFalse:
        return Bdds::kFalse;
      case Op::kTrue:
        return Bdds::kTrue;
      case Op::kAtom:
        return atom(formulas_.atom_index(f));
      case Op::kNot:
        return bdds_.negation(a());
      case Op::kAnd:
      case Op::kOr: {
        Bdd sum = op == Op::kAnd ? Bdds::kTrue : Bdds::kFalse;
        const std::vector<Formula> parts(formulas_.operands(f).begin(),
                                         formulas_.operands(f).end());
        for (const Formula part : parts) {
          sum = op == Op::kAnd ? bdds_.both(sum, demand(part)) : bdds_.either(sum, demand(part));
        }
        return sum;
      }
      case Op::kNext:
        return next(formulas_.left(f));
      case Op::kUntil:
        return bdds_.either(b(), bdds_.both(a(), put_off(f, formulas_.right(f))));
      case Op::kStrongRelease:
        return bdds_.both(b(), bdds_.either(a(), put_off(f, formulas_.left(f))));
      case Op::kWeakUntil:
        return bdds_.either(b(), bdds_.both(a(), next(f)));
      case Op::kRelease:
        if (formulas_.is_globally(f)) return bdds_.both(repeated(formulas_.right(f)), next(f));
        return bdds_.both(b(), bdds_.either(a(), next(f)));
    }
    return Bdds::kFalse;
  }

  Bdd put_off(Formula f, Formula goal) { return bdds_.both(next(f), promise(goal)); }

  // What f demands of a position when it will be demanded of the next one anyway.
  Bdd repeated(Formula f) {
    switch (formulas_.op(f)) {
      case Op::kAnd: {
        Bdd all = Bdds::kTrue;
        const std::vector<Formula> parts(formulas_.operands(f).begin(),
                                         formulas_.operands(f).end());
        for (const Formula part : parts) all = bdds_.both(all, repeated(part));
        return all;
      }
      case Op::kUntil:
        return bdds_.either(demand(formulas_.right(f)),
                            bdds_.both(demand(formulas_.left(f)), promise(formulas_.right(f))));
      default:
        return demand(f);
    }
  }

  std::uint32_t state_of(Formula f) {
    const auto known = state_by_formula_.find(f);
    if (known != state_by_formula_.end()) return known->second;
    const Bdd wanted = demand(f);
    const auto [found, is_new] =
        state_by_demand_.emplace(wanted, static_cast<std::uint32_t>(demands_.size()));
    if (is_new) {
      if (demands_.size() >= limits_.states) throw TooLarge();
      demands_.push_back(wanted);
      result_.states.emplace_back();
    }
    state_by_formula_.emplace(f, found->second);
    return found->second;
  }

  void expand(std::size_t s) {
    if (arcs_ == Arcs::kCubes) {
      add_arcs(s, demands_[s], Bdds::kTrue);
      return;
    }
    std::map<Bdd, Bdd> letters_of;  // what remains -> the letters after which it does
    split(demands_[s], Bdds::kTrue, letters_of);
    for (const auto& [rest, letters] : letters_of) add_arcs(s, rest, letters);
  }

  void split(Bdd demanded, Bdd letters, std::map<Bdd, Bdd>& letters_of) {
    if (demanded == Bdds::kFalse) return;
    if (demanded == Bdds::kTrue || variables_[bdds_.top(demanded)].kind != Kind::kAtom) {
      const auto [found, is_new] = letters_of.emplace(demanded, letters);
      if (!is_new) found->second = labels_.either(found->second, letters);
      if (letters_of.size() > limits_.arcs) throw TooLarge();
      return;
    }
    if (++split_steps_ > 10 * limits_.arcs) throw TooLarge();
    const std::uint32_t top = variables_[bdds_.top(demanded)].value;
    const Bdd without = labels_.both(letters, labels_.variable(top, false));
    split(bdds_.low(demanded), without, letters_of);
    split(bdds_.high(demanded), labels_.both(letters, labels_.variable(top)), letters_of);
  }

  void add_arcs(std::size_t s, Bdd demanded, Bdd letters) {
    for (const Literals& cube : bdds_.irredundant_cubes(demanded)) {
      Bdd label = letters;
      std::uint64_t promised = 0;
      std::vector<Formula> rest;
      for (const auto& [variable, positive] : cube) {
        const Variable& meaning = variables_[variable];
        // Functions are monotone in what is no atom, so those only occur positively.
        switch (meaning.kind) {
          case Kind::kAtom:
            label = labels_.both(label, labels_.variable(meaning.value, positive));
            break;
          case Kind::kNext:
            rest.push_back(meaning.value);
            break;
          case Kind::kPromise:
            promised |= 1ull << meaning.value;
            break;
        }
      }
      const std::uint32_t target = state_of(formulas_.all_of(std::move(rest)));
      result_.states[s].push_back({target, label, promised});
      if (result_.states[s].size() > limits_.arcs) throw TooLarge();
    }
  }

  Formulas& formulas_;
  Bdds bdds_;     // of what states demand
  Bdds& labels_;  // of what arcs are labelled with
  Arcs arcs_;
  TableauLimits limits_;
  Tgba result_;
  std::size_t split_steps_ = 0;
  std::vector<Variable> variables_;
  std::vector<Bdd> demands_;  // by state
  std::unordered_map<std::uint32_t, std::uint32_t> atoms_;
  std::unordered_map<Formula, std::uint32_t> next_, promises_, state_by_formula_;
  std::unordered_map<Bdd, std::uint32_t> state_by_demand_;
  std::unordered_map<Formula, Bdd> done_;
};

}  // namespace

Tgba tableau(Formulas& formulas, Formula f, Bdds& bdds, Arcs arcs, const TableauLimits& limits) {
  return Tableau(formulas, bdds, arcs, limits).build(f);
}

}  // namespace spoor::ltl
