#include "ltl/tableau.h"

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
    // Where letters are split first, the atoms must be on top; otherwise each variable is next to those
    // that it first occurs with, which keeps conjunctions of many parts small.
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

  // "f holds at the next position"; for a conjunction, "each part holds".
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
    if (op >= Op::kUntil) return demand_of_pair(op, f);
    switch (op) {
      case Op::kFalse: return Bdds::kFalse;
      case Op::kTrue: return Bdds::kTrue;
      case Op::kAtom: return atom(formulas_.atom_index(f));
      case Op::kNot: return bdds_.negation(demand(formulas_.left(f)));
      case Op::kNext: return next(formulas_.left(f));
      default: break;
    }
    Bdd sum = op == Op::kAnd ? Bdds::kTrue : Bdds::kFalse;
    const std::vector<Formula> parts(formulas_.operands(f).begin(), formulas_.operands(f).end());
    for (const Formula part : parts) {
      const Bdd one = demand(part);
      sum = op == Op::kAnd ? bdds_.both(sum, one) : bdds_.either(sum, one);
    }
    return sum;
  }

  // The order in which variables are made is part of the result, so it is explicit.
  Bdd demand_of_pair(Op op, Formula f) {
    if (formulas_.is_globally(f)) {
      const Bdd later = next(f);
      return bdds_.both(repeated(formulas_.right(f)), later);
    }
    const bool is_until = op == Op::kUntil || op == Op::kWeakUntil;
    const bool is_promised = op == Op::kUntil || op == Op::kStrongRelease;
    const Formula goal = is_until ? formulas_.right(f) : formulas_.left(f);
    const Bdd promised = is_promised ? promise(goal) : Bdds::kTrue;
    const Bdd later = bdds_.both(next(f), promised);
    const Bdd a = demand(formulas_.left(f));
    const Bdd b = demand(formulas_.right(f));
    if (is_until) return bdds_.either(b, bdds_.both(a, later));
    return bdds_.both(b, bdds_.either(a, later));
  }

  // The demand of f on a position where f is also demanded of the next position.
  Bdd repeated(Formula f) {
    switch (formulas_.op(f)) {
      case Op::kAnd: {
        Bdd all = Bdds::kTrue;
        const std::vector<Formula> parts(formulas_.operands(f).begin(), formulas_.operands(f).end());
        for (const Formula part : parts) all = bdds_.both(all, repeated(part));
        return all;
      }
      case Op::kUntil: {
        const Bdd promised = promise(formulas_.right(f));
        const Bdd waits = bdds_.both(demand(formulas_.left(f)), promised);
        return bdds_.either(demand(formulas_.right(f)), waits);
      }
      default: return demand(f);
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
    Pieces pieces;
    split(demands_[s], Bdds::kTrue, pieces);
    for (const auto& [rest, letters] : pieces.list) add_arcs(s, rest, letters);
  }

  // The remaining formulas and the letters that lead to each, in the order of discovery.
  struct Pieces {
    std::vector<std::pair<Bdd, Bdd>> list;
    std::unordered_map<Bdd, std::size_t> index;
  };

  void split(Bdd demanded, Bdd letters, Pieces& pieces) {
    if (demanded == Bdds::kFalse) return;
    if (demanded == Bdds::kTrue || variables_[bdds_.top(demanded)].kind != Kind::kAtom) {
      const auto [found, is_new] = pieces.index.emplace(demanded, pieces.list.size());
      if (is_new) pieces.list.emplace_back(demanded, Bdds::kFalse);
      Bdd& all = pieces.list[found->second].second;
      all = labels_.either(all, letters);
      if (pieces.list.size() > limits_.arcs) throw TooLarge();
      return;
    }
    if (++split_steps_ > 10 * limits_.arcs) throw TooLarge();
    const std::uint32_t top = variables_[bdds_.top(demanded)].value;
    const Bdd without = labels_.both(letters, labels_.variable(top, false));
    split(bdds_.low(demanded), without, pieces);
    split(bdds_.high(demanded), labels_.both(letters, labels_.variable(top)), pieces);
  }

  void add_arcs(std::size_t s, Bdd demanded, Bdd letters) {
    for (const Literals& cube : bdds_.irredundant_cubes(demanded)) {
      Bdd label = letters;
      std::uint64_t promised = 0;
      std::vector<Formula> rest;
      for (const auto& [variable, positive] : cube) {
        const Variable& meaning = variables_[variable];
        // Functions are monotone in all variables but atoms, so those occur only positively.
        switch (meaning.kind) {
          case Kind::kAtom: label = labels_.both(label, labels_.variable(meaning.value, positive)); break;
          case Kind::kNext: rest.push_back(meaning.value); break;
          case Kind::kPromise: promised |= 1ull << meaning.value; break;
        }
      }
      const std::uint32_t target = state_of(formulas_.all_of(std::move(rest)));
      result_.states[s].push_back({target, label, promised});
      if (result_.states[s].size() > limits_.arcs) throw TooLarge();
    }
  }

  Formulas& formulas_;
  Bdds bdds_;     // of the demands of states
  Bdds& labels_;  // of the labels of arcs
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
