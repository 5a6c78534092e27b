#include "ltl/formula.h"

#include <algorithm>
#include <utility>

namespace spoor::ltl {
namespace {

std::uint64_t hash_node(Op op, const std::vector<Formula>& operands, std::uint32_t atom) {
  std::uint64_t hash = 0x9e3779b97f4a7c15ull * (static_cast<std::uint64_t>(op) + 1) + atom;
  for (const Formula operand : operands) {
    hash = (hash ^ operand) * 0xff51afd7ed558ccdull;
    hash ^= hash >> 32;
  }
  return hash;
}

std::uint32_t saturating_sum(std::uint32_t a, std::uint32_t b) {
  return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

}  // namespace

Formulas::Formulas() {
  intern(Op::kFalse, {});
  intern(Op::kTrue, {});
}

Formula Formulas::intern(Op op, std::vector<Formula> operands, std::uint32_t atom) {
  const std::uint64_t hash = hash_node(op, operands, atom);
  const auto [begin, end] = index_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    const Node& node = nodes_[at->second];
    if (node.op == op && node.atom == atom && node.operands == operands) return at->second;
  }
  Node node{op, atom, std::move(operands)};
  node.is_boolean = op < Op::kNext;
  node.has_next = op == Op::kNext;
  for (const Formula operand : node.operands) {
    const Node& part = nodes_[operand];
    node.is_boolean = node.is_boolean && part.is_boolean;
    node.has_next = node.has_next || part.has_next;
    node.depth = std::max(node.depth, part.depth + 1);
    node.size = saturating_sum(node.size, part.size);
  }
  const auto number = static_cast<Formula>(nodes_.size());
  nodes_.push_back(std::move(node));
  index_.emplace(hash, number);
  return number;
}

std::optional<Formula> Formulas::atom(std::string_view text) {
  const auto found = atom_index_.find(std::string(text));
  if (found != atom_index_.end()) return found->second;
  if (atoms_.size() == kMaxAtoms) return std::nullopt;
  const Formula made = intern(Op::kAtom, {}, static_cast<std::uint32_t>(atoms_.size()));
  atoms_.emplace_back(text);
  atom_index_.emplace(text, made);
  return made;
}

Formula Formulas::negation(Formula f) {
  if (f <= 1) return truth(f == 0);
  return op(f) == Op::kNot ? left(f) : intern(Op::kNot, {f});
}

// The operands of a conjunction or a disjunction: flat, sorted, unique; `neutral` is dropped, `absorbing`
// replaces all.
Formula Formulas::gather(Op op, std::vector<Formula> operands) {
  const Formula neutral = truth(op == Op::kAnd);
  const Formula absorbing = truth(op == Op::kOr);
  std::vector<Formula> flat;
  for (const Formula operand : operands) {
    if (this->op(operand) == op) {
      flat.insert(flat.end(), nodes_[operand].operands.begin(), nodes_[operand].operands.end());
    } else if (operand != neutral) {
      flat.push_back(operand);
    }
  }
  std::sort(flat.begin(), flat.end());
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  for (const Formula operand : flat) {
    const bool is_absurd =
        this->op(operand) == Op::kNot && std::binary_search(flat.begin(), flat.end(), left(operand));
    if (operand == absorbing || is_absurd) return absorbing;
  }
  if (flat.empty()) return neutral;
  return flat.size() == 1 ? flat.front() : intern(op, std::move(flat));
}

Formula Formulas::all_of(std::vector<Formula> operands) { return gather(Op::kAnd, std::move(operands)); }

Formula Formulas::any_of(std::vector<Formula> operands) { return gather(Op::kOr, std::move(operands)); }

Formula Formulas::next(Formula f) { return f <= 1 ? f : intern(Op::kNext, {f}); }

Formula Formulas::until(Formula f, Formula g) {
  if (g <= 1 || f == 0 || f == g) return g;
  return intern(Op::kUntil, {f, g});
}

Formula Formulas::release(Formula f, Formula g) {
  if (g <= 1 || f == 1 || f == g) return g;
  return intern(Op::kRelease, {f, g});
}

Formula Formulas::weak_until(Formula f, Formula g) {
  if (f == 1 || g == 1) return 1;
  if (g == 0) return globally(f);
  if (f == 0 || f == g) return g;
  return intern(Op::kWeakUntil, {f, g});
}

Formula Formulas::strong_release(Formula f, Formula g) {
  if (f == 0 || g == 0) return 0;
  if (g == 1) return finally(f);
  if (f == 1 || f == g) return g;
  return intern(Op::kStrongRelease, {f, g});
}

Formula Formulas::make(Op op, std::vector<Formula> operands) {
  switch (op) {
    case Op::kNot: return negation(operands[0]);
    case Op::kAnd: return all_of(std::move(operands));
    case Op::kOr: return any_of(std::move(operands));
    case Op::kNext: return next(operands[0]);
    case Op::kUntil: return until(operands[0], operands[1]);
    case Op::kRelease: return release(operands[0], operands[1]);
    case Op::kWeakUntil: return weak_until(operands[0], operands[1]);
    case Op::kStrongRelease: return strong_release(operands[0], operands[1]);
    case Op::kFalse:
    case Op::kTrue:
    case Op::kAtom: break;
  }
  return truth(op == Op::kTrue);
}

}  // namespace spoor::ltl
