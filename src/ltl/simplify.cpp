#include "ltl/simplify.h"

#include <algorithm>
#include <utility>

namespace spoor::ltl {
namespace {

class Pusher {
 public:
  explicit Pusher(Formulas& formulas) : formulas_(formulas) {}

  Formula push(Formula f, bool negate) {
    const std::uint64_t key = (std::uint64_t{f} << 1) | (negate ? 1 : 0);
    const auto known = done_.find(key);
    if (known != done_.end()) return known->second;
    const Formula result = push_anew(f, negate);
    done_.emplace(key, result);
    return result;
  }

 private:
  static Op dual(Op op) {
    switch (op) {
      case Op::kAnd: return Op::kOr;
      case Op::kOr: return Op::kAnd;
      case Op::kUntil: return Op::kRelease;
      case Op::kRelease: return Op::kUntil;
      case Op::kWeakUntil: return Op::kStrongRelease;
      case Op::kStrongRelease: return Op::kWeakUntil;
      default: return op;
    }
  }

  Formula push_anew(Formula f, bool negate) {
    const Op op = formulas_.op(f);
    if (op <= Op::kAtom) return negate ? formulas_.negation(f) : f;
    if (op == Op::kNot) return push(formulas_.left(f), !negate);
    std::vector<Formula> parts(formulas_.operands(f).begin(), formulas_.operands(f).end());
    for (Formula& part : parts) part = push(part, negate);
    return formulas_.make(negate ? dual(op) : op, std::move(parts));
  }

  Formulas& formulas_;
  std::unordered_map<std::uint64_t, Formula> done_;
};

}  // namespace

Formula negation_normal_form(Formulas& formulas, Formula f, bool negate) {
  return Pusher(formulas).push(f, negate);
}

Formula Simplifier::simplify(Formula f) {
  Formula current = negation_normal_form(formulas_, f);
  // Every rule makes the formula smaller in some order; the bound protects against a mistake in the rules.
  for (int round = 0; round < 20; ++round) {
    const Formula next = rewrite(current);
    if (next == current) break;
    current = next;
  }
  return current;
}

Formula Simplifier::rewrite(Formula f) {
  const Op op = formulas_.op(f);
  if (op <= Op::kNot) return f;
  const auto known = done_.find(f);
  if (known != done_.end()) return known->second;
  std::vector<Formula> parts(formulas_.operands(f).begin(), formulas_.operands(f).end());
  for (Formula& part : parts) part = rewrite(part);
  Formula result = formulas_.make(op, parts);
  if (formulas_.op(result) == op) {
    const bool has_two = op >= Op::kUntil;
    const Formula a = formulas_.left(result);
    const Formula b = has_two ? formulas_.right(result) : a;
    switch (op) {
      case Op::kAnd: result = rewrite_and(result); break;
      case Op::kOr: result = rewrite_or(result); break;
      case Op::kNext: result = rewrite_next(a); break;
      case Op::kUntil: result = rewrite_until(a, b); break;
      case Op::kRelease: result = rewrite_release(a, b); break;
      case Op::kWeakUntil: result = rewrite_weak_until(a, b); break;
      case Op::kStrongRelease: result = rewrite_strong_release(a, b); break;
      default: break;
    }
  }
  done_[f] = result;
  return result;
}

Formula Simplifier::rewrite_next(Formula g) {
  if (is_eventual(g) && is_universal(g)) return g;
  return formulas_.next(g);
}

Formula Simplifier::rewrite_finally(Formula g) {
  auto& on = formulas_;
  if (is_eventual(g)) return g;
  switch (on.op(g)) {
    case Op::kUntil: return on.finally(on.right(g));                               // <>(a U b) = <>b
    case Op::kStrongRelease: return on.finally(on.both(on.left(g), on.right(g)));  // <>(a && b)
    case Op::kNext: return on.next(on.finally(on.left(g)));
    case Op::kWeakUntil: {  // [] a, or eventually b
      const Formula comes = on.finally(on.right(g));
      return on.either(on.finally(on.globally(on.left(g))), comes);
    }
    case Op::kRelease:  // [] b, or eventually a && b
      if (!on.is_globally(g)) {
        const Formula comes = on.finally(on.both(on.left(g), on.right(g)));
        return on.either(on.finally(on.globally(on.right(g))), comes);
      }
      // <>[](a || u) = <>[]a || <>[]u for a universal u
      if (on.op(on.right(g)) == Op::kOr) {
        std::vector<Formula> inside, outside;
        for (const Formula part : on.operands(on.right(g))) {
          (is_universal(part) ? outside : inside).push_back(part);
        }
        if (outside.empty()) break;
        for (Formula& part : outside) part = on.finally(on.globally(part));
        outside.push_back(on.finally(on.globally(on.any_of(std::move(inside)))));
        return on.any_of(std::move(outside));
      }
      break;
    case Op::kAnd: {  // <>(a && s) = <>a && s for a suspended s
      std::vector<Formula> inside, outside;
      for (const Formula part : on.operands(g)) {
        (is_eventual(part) && is_universal(part) ? outside : inside).push_back(part);
      }
      if (outside.empty()) break;
      outside.push_back(on.finally(on.all_of(std::move(inside))));
      return on.all_of(std::move(outside));
    }
    case Op::kOr: {  // <>(a || u) = <>a || <>u, which leaves <>u suspended
      std::vector<Formula> inside, outside;
      for (const Formula part : on.operands(g)) {
        const bool goes_out = is_universal(part) || is_eventual(part);
        (goes_out ? outside : inside).push_back(goes_out ? on.finally(part) : part);
      }
      if (outside.empty()) break;
      outside.push_back(on.finally(on.any_of(std::move(inside))));
      return on.any_of(std::move(outside));
    }
    default: break;
  }
  return on.finally(g);
}

Formula Simplifier::rewrite_globally(Formula g) {
  auto& on = formulas_;
  if (is_universal(g)) return g;
  switch (on.op(g)) {
    case Op::kRelease: return on.globally(on.right(g));                           // [](a V b) = []b
    case Op::kWeakUntil: return on.globally(on.either(on.left(g), on.right(g)));  // [](a || b)
    case Op::kNext: return on.next(on.globally(on.left(g)));
    case Op::kStrongRelease: {  // [] b, and a && b infinitely often
      const Formula always = on.globally(on.right(g));
      return on.both(on.globally(on.finally(on.left(g))), always);
    }
    case Op::kUntil:  // b infinitely often, and a || b always
      if (!on.is_finally(g)) {
        const Formula always = on.globally(on.either(on.left(g), on.right(g)));
        return on.both(on.globally(on.finally(on.right(g))), always);
      }
      // []<>(a && e) = []<>a && []<>e for an eventual e: if e holds later, it holds now
      if (on.op(on.right(g)) == Op::kAnd) {
        std::vector<Formula> inside, outside;
        for (const Formula part : on.operands(on.right(g))) {
          (is_eventual(part) ? outside : inside).push_back(part);
        }
        if (outside.empty()) break;
        for (Formula& part : outside) part = on.globally(on.finally(part));
        outside.push_back(on.globally(on.finally(on.all_of(std::move(inside)))));
        return on.all_of(std::move(outside));
      }
      break;
    case Op::kOr: {  // [](a || s) = []a || s for a suspended s
      std::vector<Formula> inside, outside;
      for (const Formula part : on.operands(g)) {
        (is_eventual(part) && is_universal(part) ? outside : inside).push_back(part);
      }
      if (outside.empty()) break;
      outside.push_back(on.globally(on.any_of(std::move(inside))));
      return on.any_of(std::move(outside));
    }
    case Op::kAnd: {  // [](a && e) = []a && []e, which leaves []e suspended
      std::vector<Formula> inside, outside;
      for (const Formula part : on.operands(g)) {
        const bool goes_out = is_universal(part) || is_eventual(part);
        (goes_out ? outside : inside).push_back(goes_out ? on.globally(part) : part);
      }
      if (outside.empty()) break;
      outside.push_back(on.globally(on.all_of(std::move(inside))));
      return on.all_of(std::move(outside));
    }
    default: break;
  }
  return on.globally(g);
}

Formula Simplifier::rewrite_until(Formula f, Formula g) {
  auto& on = formulas_;
  if (f == on.truth(true)) return rewrite_finally(g);
  if (is_eventual(g) || implies(f, g)) return g;
  if (covers(f, g)) return rewrite_finally(g);
  if (on.op(f) == Op::kNext && on.op(g) == Op::kNext) {
    return on.next(on.until(on.left(f), on.left(g)));
  }
  if (on.op(g) == Op::kUntil) {
    if (implies(f, on.left(g))) return g;                         // a U (b U c) = b U c
    if (implies(on.left(g), f)) return on.until(f, on.right(g));  // a U (b U c) = a U c
  }
  if (on.op(g) == Op::kOr) {  // a U (b || s) with s eventual = (a U b) || s
    std::vector<Formula> inside, outside;
    for (const Formula part : on.operands(g)) {
      (is_eventual(part) ? outside : inside).push_back(part);
    }
    if (!outside.empty()) {
      outside.push_back(on.until(f, on.any_of(std::move(inside))));
      return on.any_of(std::move(outside));
    }
  }
  if (on.op(f) == Op::kOr) {  // (a || b) U g with a -> g = b U g
    std::vector<Formula> kept;
    for (const Formula part : on.operands(f)) {
      if (!implies(part, g)) kept.push_back(part);
    }
    if (kept.size() < on.operands(f).size()) return on.until(on.any_of(std::move(kept)), g);
  }
  return on.until(f, g);
}

Formula Simplifier::rewrite_release(Formula f, Formula g) {
  auto& on = formulas_;
  if (f == on.truth(false)) return rewrite_globally(g);
  if (is_universal(g) || implies(g, f)) return g;
  if (excludes(f, g)) return rewrite_globally(g);
  if (on.op(f) == Op::kNext && on.op(g) == Op::kNext) {
    return on.next(on.release(on.left(f), on.left(g)));
  }
  if (on.op(g) == Op::kRelease) {
    if (implies(on.left(g), f)) return g;                           // a V (b V c) = b V c
    if (implies(f, on.left(g))) return on.release(f, on.right(g));  // a V (b V c) = a V c
  }
  if (on.op(g) == Op::kAnd) {  // a V (b && u) with u universal = (a V b) && u
    std::vector<Formula> inside, outside;
    for (const Formula part : on.operands(g)) {
      (is_universal(part) ? outside : inside).push_back(part);
    }
    if (!outside.empty()) {
      outside.push_back(on.release(f, on.all_of(std::move(inside))));
      return on.all_of(std::move(outside));
    }
  }
  if (on.op(f) == Op::kAnd) {  // (a && b) V g with g -> a = b V g
    std::vector<Formula> kept;
    for (const Formula part : on.operands(f)) {
      if (!implies(g, part)) kept.push_back(part);
    }
    if (kept.size() < on.operands(f).size()) return on.release(on.all_of(std::move(kept)), g);
  }
  return on.release(f, g);
}

Formula Simplifier::rewrite_weak_until(Formula f, Formula g) {
  auto& on = formulas_;
  if (implies(f, g)) return g;
  if (covers(f, g)) return on.truth(true);
  if (is_eventual(g)) return on.either(on.globally(f), g);
  if (is_universal(f)) return on.either(f, g);
  return on.weak_until(f, g);
}

Formula Simplifier::rewrite_strong_release(Formula f, Formula g) {
  auto& on = formulas_;
  if (implies(g, f)) return g;
  if (excludes(f, g)) return on.truth(false);
  if (is_universal(g)) return on.both(on.finally(f), g);
  if (is_eventual(f)) return on.both(f, g);
  return on.strong_release(f, g);
}

}  // namespace spoor::ltl
