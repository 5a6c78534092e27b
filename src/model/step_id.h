// The name of a step at its source state.
//
// A name must be the same in every expansion of a state: in a search that leaves steps out
// (asked.may_reduce), one that does not, and the replay that proves a trace. The ordinal of a step among
// all steps of its state would not do: an expansion that leaves out the steps of a process cannot know how
// many those are. So a name has parts, each of which is known where the step is generated:
//
// clang-format off
//   bits   part
//   0-26   ordinal   of the step within its group, failed attempts included
//   27     retry     the step exists only because nothing else can be done (for Promela: timeout)
//   28-43  group     which part of the expansion it belongs to (for Promela: one per process, in the order in
//                    which the processes are tried)
//   44-63  choice    what a layer adds (for a claim: the edge that the claim takes)
// clang-format on
//
// Names ascend in the order in which `expand` gives the steps of a system without layers. A system with one
// group and no retry calls its steps 0, 1, 2, ...
//
// A step on which the system does nothing, because nothing can move and an infinite run is asked for, has the
// name `stutter()`, and under a claim that name with a choice.
#pragma once

#include <compare>
#include <cstdint>

namespace spoor {

class StepId {
 public:
  static constexpr std::uint64_t kMostOrdinals = std::uint64_t{1} << 27;
  static constexpr std::uint64_t kMostGroups = std::uint64_t{1} << 16;
  static constexpr std::uint64_t kMostChoices = (std::uint64_t{1} << 20) - 1;

  constexpr StepId() = default;
  // From a number that `number()` has given, or the ordinal of a step of group 0.
  constexpr explicit StepId(std::uint64_t number) : number_(number) {}

  // The first step of a group; the others follow by `next()`.
  static constexpr StepId first_of(std::uint64_t group, bool is_retry = false) {
    return StepId(group << kGroupAt | (is_retry ? kRetry : 0));
  }
  static constexpr StepId stutter() { return StepId(kBelow); }
  // No step at all.
  static constexpr StepId none() { return StepId(UINT64_MAX); }

  constexpr std::uint64_t number() const { return number_; }
  constexpr std::uint64_t group() const { return (number_ & kBelow) >> kGroupAt; }
  constexpr bool is_retry() const { return (number_ & kRetry) != 0; }
  constexpr std::uint64_t ordinal() const { return number_ & (kRetry - 1); }
  constexpr StepId next() const { return StepId(number_ + 1); }

  constexpr StepId with_choice(std::uint64_t choice) const {
    return StepId(choice << kChoiceAt | below().number_);
  }
  constexpr std::uint64_t choice() const { return number_ >> kChoiceAt; }
  // The same step without the choice.
  constexpr StepId below() const { return StepId(number_ & kBelow); }

  friend constexpr auto operator<=>(StepId, StepId) = default;

 private:
  static constexpr unsigned kGroupAt = 28;
  static constexpr unsigned kChoiceAt = 44;
  static constexpr std::uint64_t kRetry = std::uint64_t{1} << 27;
  static constexpr std::uint64_t kBelow = (std::uint64_t{1} << kChoiceAt) - 1;

  std::uint64_t number_ = 0;
};

}  // namespace spoor
