// The rules for conjunctions and disjunctions; see simplify.h. Operands are compared in pairs, and a
// pair that is equivalent to one formula is joined: (a U b) && (c U b) is (a && c) U b.
#include <algorithm>
#include <utility>

#include "ltl/simplify.h"

namespace spoor::ltl {
namespace {

// All pairs are compared: beyond this many operands that takes long and gains little.
constexpr std::size_t kMaxCompared = 40;

}  // namespace

// Drops operands that others imply, and disjuncts (conjuncts) inside them that others exclude.
Formula Simplifier::without_superfluous(Formula f) {
  const Op op = formulas_.op(f);
  const bool is_and = op == Op::kAnd;
  std::vector<Formula> parts(formulas_.operands(f).begin(), formulas_.operands(f).end());
  if (parts.size() > kMaxCompared) return f;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = 0; j < parts.size(); ++j) {
      if (i == j) continue;
      // Of two operands that imply each other the earlier one stays.
      const bool drops = is_and ? implies(parts[j], parts[i]) : implies(parts[i], parts[j]);
      if (drops) {
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
        return formulas_.make(op, std::move(parts));
      }
      if (is_and ? excludes(parts[j], parts[i]) : covers(parts[j], parts[i])) {
        return formulas_.truth(!is_and);
      }
      if (formulas_.op(parts[i]) != (is_and ? Op::kOr : Op::kAnd)) continue;
      std::vector<Formula> kept;
      for (const Formula inner : formulas_.operands(parts[i])) {
        if (!(is_and ? excludes(parts[j], inner) : covers(parts[j], inner))) kept.push_back(inner);
      }
      if (kept.size() == formulas_.operands(parts[i]).size()) continue;
      parts[i] = formulas_.make(is_and ? Op::kOr : Op::kAnd, std::move(kept));
      return formulas_.make(op, std::move(parts));
    }
  }
  return f;
}

// One formula for f op g, or f itself when no rule matches.
Formula Simplifier::joined_pair(Op op, Formula f, Formula g) {
  auto& on = formulas_;
  const bool is_and = op == Op::kAnd;
  const auto combine = [&](Formula a, Formula b) { return is_and ? on.both(a, b) : on.either(a, b); };
  const Op of = on.op(f);
  const Op og = on.op(g);
  const auto is_suspended = [this](Formula h) { return is_eventual(h) && is_universal(h); };

  if (of == Op::kNext && og == Op::kNext) return on.next(combine(on.left(f), on.left(g)));
  if (is_and && on.is_globally(f) && on.is_globally(g) && !is_suspended(f) && !is_suspended(g)) {
    return on.globally(on.both(on.right(f), on.right(g)));
  }
  if (!is_and && on.is_finally(f) && on.is_finally(g) && !is_suspended(f) && !is_suspended(g)) {
    return on.finally(on.either(on.right(f), on.right(g)));
  }
  // <>[]a && <>[]b = <>[](a && b); []<>a || []<>b = []<>(a || b)
  if (is_and && on.is_finally(f) && on.is_finally(g) && on.is_globally(on.right(f)) &&
      on.is_globally(on.right(g))) {
    return on.finally(on.globally(on.both(on.right(on.right(f)), on.right(on.right(g)))));
  }
  if (!is_and && on.is_globally(f) && on.is_globally(g) && on.is_finally(on.right(f)) &&
      on.is_finally(on.right(g))) {
    return on.globally(on.finally(on.either(on.right(on.right(f)), on.right(on.right(g)))));
  }
  const bool both_simple = of == og && of >= Op::kUntil && !on.is_finally(f) && !on.is_finally(g) &&
                           !on.is_globally(f) && !on.is_globally(g);
  if (both_simple) {
    // Which side may be joined under && (the other must be equal), and which under ||.
    const bool is_until = of == Op::kUntil || of == Op::kWeakUntil;
    if (is_until == is_and && on.right(f) == on.right(g)) {
      return on.make(of, {combine(on.left(f), on.left(g)), on.right(f)});
    }
    if (is_until != is_and && on.left(f) == on.left(g)) {
      return on.make(of, {on.left(f), combine(on.right(f), on.right(g))});
    }
  }
  // (a W b) && <>b = a U b;  (a U b) || []a = a W b;  and their duals.
  if (is_and && of == Op::kWeakUntil && on.is_finally(g) && on.right(f) == on.right(g)) {
    return on.until(on.left(f), on.right(f));
  }
  if (!is_and && of == Op::kUntil && on.is_globally(g) && on.left(f) == on.right(g)) {
    return on.weak_until(on.left(f), on.right(f));
  }
  if (!is_and && of == Op::kStrongRelease && on.is_globally(g) && on.right(f) == on.right(g)) {
    return on.release(on.left(f), on.right(f));
  }
  if (is_and && of == Op::kRelease && on.is_finally(g) && on.left(f) == on.right(g) && !on.is_globally(f)) {
    return on.strong_release(on.left(f), on.right(f));
  }
  // a && X []a = []a;  a || X <>a = <>a;  the tableau finds a && X (b V a) and similar cases.
  if (og == Op::kNext) {
    const Formula inner = on.left(g);
    if (is_and && on.is_globally(inner) && on.right(inner) == f) return inner;
    if (!is_and && on.is_finally(inner) && on.right(inner) == f) return inner;
  }
  return f;
}

Formula Simplifier::rewrite_and(Formula f) {
  const Formula thinned = without_superfluous(f);
  const Op op = formulas_.op(f);
  if (thinned != f) return thinned;
  std::vector<Formula> parts(formulas_.operands(f).begin(), formulas_.operands(f).end());
  if (parts.size() > kMaxCompared) return f;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t j = 0; j < parts.size(); ++j) {
      if (i == j) continue;
      const Formula joined = joined_pair(op, parts[i], parts[j]);
      if (joined == parts[i]) continue;
      parts[i] = joined;
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(j));
      return formulas_.make(op, std::move(parts));
    }
  }
  return f;
}

Formula Simplifier::rewrite_or(Formula f) {
  return rewrite_and(f);  // the rules above distinguish the two operators
}

}  // namespace spoor::ltl
