// What a system knows about its states that leads a search to errors sooner.
//
// A search of all states needs none of this. A hunt (src/hunt) expands a few of many states, and must choose
// which: those that look new, and those that look near an error. The first needs the places of the processes
// (`places`), the second an estimate (Heuristic). Both are read from the compiled model: a model writer does
// nothing for it.
//
// Two kinds of estimates. An estimate from the bytes of a state (the distance of a condition) is known as
// soon as the state is. An estimate from the steps of a state (how many processes can move) is known when the
// state has been expanded; a search uses the value of the state before, or spends an expansion.
//
// The bytes of a state are the same in both tiers, so estimates are, too.
//
// Thread safety: a Guidance may be used from several threads, a Heuristic belongs to one.
// Tested by: tests/unit/test_guidance.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/expansion.h"

namespace spoor {

// Estimates how far a state is from an error: 0 looks like one. The values promise nothing: they may be too
// large.
class Heuristic {
 public:
  // No error is in sight; larger than every other estimate.
  static constexpr std::uint32_t kFar = std::uint32_t{1} << 20;

  virtual ~Heuristic() = default;
  // Is the estimate made from the steps of a state?
  virtual bool needs_steps() const { return false; }
  // `steps`: the expansion of the state, the last in it; not read unless needs_steps().
  virtual std::uint32_t estimate(StateBytes state, const Expansion& steps) = 0;
};

// Where a process is. The numbers are the system's own.
struct ProcessPlace {
  std::uint32_t type = 0;
  std::uint32_t location = 0;
  friend auto operator<=>(const ProcessPlace&, const ProcessPlace&) = default;
};

// A condition on the atoms of the claim: those in `mask` are to have the values in `value`.
struct WantedAtoms {
  std::uint64_t mask = 0, value = 0;
};

// Where a claim about infinite runs is, as far as cycles are concerned. A cycle of the product with the claim
// stays within one strongly connected component of the claim.
struct ClaimComponent {
  enum class Cycles : std::uint8_t {
    kNone,  // no cycle within it is bad
    kSome,  // nothing is known
    kAll,   // every cycle within it is bad
  };
  std::uint32_t number = 0;
  Cycles cycles = Cycles::kSome;
};

class Guidance {
 public:
  virtual ~Guidance() = default;

  // Replaces the content of `out` by the place of every process of the state, by their numbers.
  virtual void places(StateBytes state, std::vector<ProcessPlace>& out) const = 0;
  // The number of the process that begins this step.
  virtual std::uint32_t process_of(StateBytes state, StepId step) const = 0;
  // The first step of a process, in the names of steps at this state: names of the same process at states
  // with other numbers of processes differ in it only.
  virtual std::uint64_t group_of(StateBytes state, std::uint32_t process) const = 0;

  // The steps that some process needs to a failing assertion, at least. Null: the model has no assertion.
  virtual std::unique_ptr<Heuristic> distance_to_assertions() const = 0;
  // What is missing until the atoms of the claim are as one of these conditions says. Null: the model was
  // loaded without such a claim.
  virtual std::unique_ptr<Heuristic> distance_to_atoms(std::span<const WantedAtoms> wanted) const = 0;
  // What is missing until the claim can accept. Null: there is no claim with states.
  virtual std::unique_ptr<Heuristic> distance_to_acceptance() const { return nullptr; }
  // The component of the claim in this state; the same for all states where there is no claim.
  virtual ClaimComponent claim_component(StateBytes) const { return {}; }
};

}  // namespace spoor
