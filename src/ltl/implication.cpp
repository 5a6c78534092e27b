// Syntactic properties of formulas: which are eventual, which are universal, and which imply which.
// See simplify.h.
#include <algorithm>

#include "ltl/simplify.h"

namespace spoor::ltl {
namespace {

// Formulas are seldom nested more deeply; beyond this depth the answer is "no".
constexpr int kMaxImplicationDepth = 24;

}  // namespace

bool Simplifier::is_eventual(Formula f) {
  const auto all = [this](std::span<const Formula> parts) {
    return std::all_of(parts.begin(), parts.end(), [this](Formula g) { return is_eventual(g); });
  };
  switch (formulas_.op(f)) {
    case Op::kFalse:
    case Op::kTrue: return true;
    case Op::kAtom:
    case Op::kNot: return false;
    case Op::kUntil: return formulas_.is_finally(f) || is_eventual(formulas_.right(f));
    case Op::kAnd:
    case Op::kOr:
    case Op::kNext:
    case Op::kRelease:
    case Op::kWeakUntil:
    case Op::kStrongRelease: return all(formulas_.operands(f));
  }
  return false;
}

bool Simplifier::is_universal(Formula f) {
  const auto all = [this](std::span<const Formula> parts) {
    return std::all_of(parts.begin(), parts.end(), [this](Formula g) { return is_universal(g); });
  };
  switch (formulas_.op(f)) {
    case Op::kFalse:
    case Op::kTrue: return true;
    case Op::kAtom:
    case Op::kNot: return false;
    case Op::kRelease: return formulas_.is_globally(f) || is_universal(formulas_.right(f));
    case Op::kAnd:
    case Op::kOr:
    case Op::kNext:
    case Op::kUntil:
    case Op::kWeakUntil:
    case Op::kStrongRelease: return all(formulas_.operands(f));
  }
  return false;
}

// f && g is false.
bool Simplifier::excludes(Formula f, Formula g) {
  return implies(f, negation_normal_form(formulas_, g, true));
}

// f || g is true.
bool Simplifier::covers(Formula f, Formula g) { return implies(negation_normal_form(formulas_, f, true), g); }

bool Simplifier::implies(Formula f, Formula g, int depth) {
  if (f == g || f == formulas_.truth(false) || g == formulas_.truth(true)) return true;
  if (g == formulas_.truth(false) || f == formulas_.truth(true)) return false;
  if (depth > kMaxImplicationDepth) return false;
  const std::uint64_t key = (std::uint64_t{f} << 32) | g;
  const auto known = implied_.find(key);
  if (known != implied_.end()) return known->second;
  implied_[key] = false;  // during the computation; also the answer at the depth limit
  const bool answer = implies_by_shape(f, g, depth + 1);
  implied_[key] = answer;
  return answer;
}

bool Simplifier::implies_by_shape(Formula f, Formula g, int depth) {
  const auto& on = formulas_;
  const auto left_implies = [&](Formula part) { return implies(part, g, depth); };
  const auto implies_right = [&](Formula part) { return implies(f, part, depth); };
  const auto any = [](std::span<const Formula> parts, const auto& test) {
    return std::any_of(parts.begin(), parts.end(), test);
  };
  const auto every = [](std::span<const Formula> parts, const auto& test) {
    return std::all_of(parts.begin(), parts.end(), test);
  };
  const Op of = on.op(f);
  const Op og = on.op(g);
  if (of == Op::kOr) return every(on.operands(f), left_implies);
  if (og == Op::kAnd) return every(on.operands(g), implies_right);
  if (of == Op::kAnd && any(on.operands(f), left_implies)) return true;
  if (og == Op::kOr && any(on.operands(g), implies_right)) return true;
  if (of == Op::kNext && og == Op::kNext) return implies(on.left(f), on.left(g), depth);
  // X f implies g when f does and g is inherited backward; dually for X g.
  if (of == Op::kNext && is_eventual(g) && implies(on.left(f), g, depth)) return true;
  if (og == Op::kNext && is_universal(f) && implies(f, on.left(g), depth)) return true;

  const bool has_sides_f = of >= Op::kUntil;
  const bool has_sides_g = og >= Op::kUntil;
  if (has_sides_f && has_sides_g) {
    const bool same_kind = of == og || (of == Op::kUntil && og == Op::kWeakUntil) ||
                           (of == Op::kStrongRelease && og == Op::kRelease);
    if (same_kind && implies(on.left(f), on.left(g), depth) && implies(on.right(f), on.right(g), depth)) {
      return true;
    }
  }
  // What follows from the parts of f.
  if (of == Op::kUntil || of == Op::kWeakUntil) {
    if (implies(on.left(f), g, depth) && implies(on.right(f), g, depth)) return true;
    if (of == Op::kUntil && is_eventual(g) && implies(on.right(f), g, depth)) return true;
  }
  if (of == Op::kRelease || of == Op::kStrongRelease) {
    if (implies(on.right(f), g, depth)) return true;
    if (of == Op::kStrongRelease && is_eventual(g) && implies(on.left(f), g, depth)) return true;
  }
  // What suffices for g.
  if (og == Op::kUntil || og == Op::kWeakUntil) {
    if (implies(f, on.right(g), depth)) return true;
    if (og == Op::kWeakUntil && is_universal(f) && implies(f, on.left(g), depth)) return true;
  }
  if (og == Op::kRelease || og == Op::kStrongRelease) {
    if (implies(f, on.left(g), depth) && implies(f, on.right(g), depth)) return true;
    if (og == Op::kRelease && is_universal(f) && implies(f, on.right(g), depth)) return true;
  }
  return false;
}

}  // namespace spoor::ltl
