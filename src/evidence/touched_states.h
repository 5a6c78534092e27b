// Which recorded states does an edit touch? Asked of all of them, so it is asked of their codes.
//
// A state is touched if one of its sets of elements has a changed one (TransitionSystem::element_sets_of).
// For that it would have to be decoded. But the states of one shape (store/shape.h) mostly have the same
// processes in the same places, and then the few bits that say where each process is are all that matters
// (TransitionSystem::set_places): they are taken from the code, and a table per process says yes or no.
// States that are kept otherwise are decoded. (13 million states: 12 ns per state instead of 40.)
//
// Thread safety: none. Tested by: tests/unit/test_touched_states.cpp
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "model/system.h"
#include "store/shape.h"
#include "store/visited_set.h"

namespace spoor {

class TouchedStates {
 public:
  // `is_dangerous`: by set of elements. Both must live as long as the object.
  TouchedStates(const TransitionSystem& system, const std::vector<bool>& is_dangerous)
      : system_(system), is_dangerous_(is_dangerous) {}

  // REQUIRES: the code, if it is one, is in words of 8 bytes.
  bool has(const KeptState& state) {
    if (state.shape == nullptr) return has(state.bytes);
    if (state.shape != last_shape_) [[unlikely]]
      use(*state.shape);
    if (last_ == nullptr) [[unlikely]]
      return has(decoded(state));
    const auto* const words = reinterpret_cast<const std::uint64_t*>(state.bytes.data());
    bool is_touched = false;
    for (const Place& place : last_->places) {
      const std::uint64_t index = (words[place.word] >> place.shift & place.bits) |
                                  (words[place.upper_word] >> place.upper_shift & place.upper_bits)
                                      << place.lower_count;
      is_touched |= last_->tables[place.table + index] != 0;
    }
    return is_touched;
  }
  bool has(StateBytes state);

 private:
  // The bits that say where a process is: those of one byte, and of the byte behind it.
  struct Place {
    std::uint32_t word = 0, shift = 0, upper_word = 0, upper_shift = 0;
    std::uint64_t bits = 0, upper_bits = 0;
    std::uint32_t lower_count = 0;
    std::uint32_t table = 0;  // where its flags begin
  };
  struct Plan {
    std::vector<Place> places;
    std::vector<std::uint8_t> tables;  // flags, by the bits
  };

  void use(const Shape& shape);
  bool make_plan(const Shape& shape, Plan& plan) const;
  bool is_dangerous_at(std::span<const std::uint32_t> sets, std::uint32_t number) const;
  StateBytes decoded(const KeptState& state);

  const TransitionSystem& system_;
  const std::vector<bool>& is_dangerous_;
  std::map<const Shape*, Plan> plans_;  // none: states of the shape have to be decoded
  const Shape* last_shape_ = nullptr;
  const Plan* last_ = nullptr;
  std::vector<std::byte> room_;
  std::vector<std::uint32_t> sets_;
};

}  // namespace spoor
