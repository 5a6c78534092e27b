// What can go wrong while a statement runs, and what we call it.
//
// A problem is fatal when nothing sensible can follow (a division by zero has no result); the step
// then has no successor. After the others the step goes on, as it does in SPIN: a failed assertion
// counts as a passed statement, a message that is too short is filled with zeros, whether it was sent so or
// the receive names more fields than the channel has.
#pragma once

#include <cstdint>
#include <string>

#include "model/system.h"
#include "promela/program.h"

namespace spoor::exec {

enum class Problem : std::uint8_t {
  kAssertion,
  kIndex,
  kDivision,
  kNoChannel,
  kDeadChannel,
  kTooFewFields,
  kTooManyFields,
  kReceiveTooFew,
  kReceiveTooMany,
  kPollRendezvous,
  kTooManyProcesses,
  kTooManyChannels,
  kDStepBlocked,
  kDStepRendezvous,
  kDStepEndless,
  kAtomicEndless,
  kPriorityRange,
  kEnabledSelf,
  kDeterminism,
  kTraceMismatch,
  kTraceCompleted,
  kTraceAmbiguous,
  kExclusiveReceive,
  kExclusiveSend,
  kUnsignedRange,
  kDStepChoice,
  kPrecondition,
  kEmbeddedAddress,
  kEmbeddedArithmetic,
  kEmbeddedAbort,
  kDeadlock,
  kCount
};

bool is_fatal(Problem problem);
FindingKind kind_of(Problem problem);
std::string describe(Problem problem, const std::string& statement);

// Findings name a problem and a statement (for deadlocks: a statement that a process is stuck at).
inline std::uint32_t make_identity(Problem problem, promela::StatementId statement) {
  return statement * static_cast<std::uint32_t>(Problem::kCount) + static_cast<std::uint32_t>(problem);
}
// What takes the place of the statement in a problem with the initial values.
inline promela::StatementId initial_values(const promela::Program& program) {
  return static_cast<promela::StatementId>(program.statements.size());
}
// The same for a question of the claim, by its number.
inline promela::StatementId question_of(const promela::Program& program, std::size_t atom) {
  return initial_values(program) + 1 + static_cast<promela::StatementId>(atom);
}
inline Problem problem_of(std::uint32_t identity) {
  return static_cast<Problem>(identity % static_cast<std::uint32_t>(Problem::kCount));
}
inline promela::StatementId statement_of(std::uint32_t identity) {
  return identity / static_cast<std::uint32_t>(Problem::kCount);
}

}  // namespace spoor::exec
