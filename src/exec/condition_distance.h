// How much is missing until an expression is true, or false: the formula-based distance of Edelkamp, Lafuente
// and Leue (Directed explicit-state model checking in the validation of communication protocols, STTT 2004),
// as HSF-SPIN has it.
//
// The distance is a sum over the structure of the expression:
//
//   f && g       both are missing: the sum; to be false: the smaller one. f || g the other way round
//   !f           that of f with the other truth value
//   a < b        0 where it holds; otherwise the difference that is in the way. Values of an mtype have no
//                order, so two that should be equal are at the distance 1
//   full(c)      the free slots of the channel; empty(c): its messages
//   P@label      the statements between the location of the process and the label, in its control graph
//   other        0 or 1
//
// Example: `x == 3 && P@critical`, where x is 1 and P is two statements before the label, has the distance 4.
//
// What cannot be evaluated (an index out of range) counts as 1. A distance promises nothing: one step can
// change x by 100, and P may have to wait.
//
// Cost: the evaluation of the expression; control graphs are searched once per wanted location.
// Thread safety: none; each thread has its own. Tested by: tests/unit/test_guidance.cpp
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "exec/state_evaluator.h"
#include "promela/program.h"

namespace spoor::exec {

class ConditionDistance {
 public:
  // `machine` must outlive this.
  explicit ConditionDistance(const Machine& machine) : program_(machine.program()), evaluator_(machine) {}

  // The state that the next calls are about.
  void load(std::span<const std::byte> state) { evaluator_.load(state); }
  const StateView& view() const { return evaluator_.view(); }

  // Until the expression, evaluated in the process, has this truth value. At most Heuristic::kFar.
  std::uint32_t until(promela::ExprId expr, bool wanted, int pid);
  // Statements between two locations of a process type, at least; Heuristic::kFar where there is no way.
  std::uint32_t statements_between(std::uint32_t type, std::uint32_t from, std::uint32_t to);

 private:
  std::uint32_t until_compared(promela::Op op, const promela::ExprCode& code, int pid);
  std::uint32_t until_at(const promela::ExprCode& code, bool wanted, int pid);
  std::uint32_t until_channel(const promela::ExprCode& code, bool wanted, int pid);
  bool has_no_order(promela::ExprId expr) const;

  const promela::Program& program_;
  StateEvaluator evaluator_;
  // By type and location: the distance from every location of the type.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> ways_;
};

}  // namespace spoor::exec
