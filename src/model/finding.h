// Something wrong at a state or on a step, and what a system cannot deal with.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "model/step_id.h"

namespace spoor {

// The kinds of violation that the machine interface names; see docs/json.md. They are the same for all
// languages, and a language need not have all of them: those of observed communication are Promela's so far
// (`trace`, `xs` and `xr`). They are kinds of their own, not assertions with another message, because the
// names are stable and a program that reads them may want to tell them apart.
enum class FindingKind : std::uint8_t {
  kAssertion,
  kDeadlock,
  kAcceptanceCycle,
  kNonProgress,
  kRuntimeError,
  kTraceAssertion,    // what was sent and received is not what the model says it must be
  kChannelAssertion,  // a process uses a channel that is another's alone
  kClaim,             // a claim is violated by what has happened already
};
const char* to_string(FindingKind kind);

// Something wrong that was found while a state was expanded.
struct Finding {
  FindingKind kind = FindingKind::kRuntimeError;
  // What distinguishes this finding from others of its kind (e.g. the statement and the message);
  // equal identities at different states are the same defect to a user who wants each one once.
  std::uint32_t identity = 0;
  // The step on which it happened, whether it has a successor or not; kStateItself when it belongs to the
  // state and no step was taken.
  static constexpr StepId kStateItself = StepId::none();
  StepId step = kStateItself;
};

// The model has something that the way in which it is checked cannot deal with; found out on the way.
class NotSupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace spoor
