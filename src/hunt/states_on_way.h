// The states of a path, so that it is seen where the path closes a cycle, and whether that is a bad one.
//
// States are known by a hash of 64 bits: two that have the same one close a cycle that is none. So a lasso
// that comes of it is replayed before it counts (expanded_graph.h).
//
// Cost: 40 bytes per state. Tested by: tests/unit/test_hunt_runs.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "model/omega.h"

namespace spoor {

class StatesOnWay {
 public:
  // `runs`: null where cycles do not matter.
  explicit StatesOnWay(const OmegaSystem* runs) : runs_(runs) {}

  void clear() {
    places_.clear();
    hashes_.clear();
    marks_.clear();
  }
  // The next state of the path. Where it was before, as a number of steps; nothing: it is new.
  std::optional<std::size_t> enter(StateBytes state) {
    const std::uint64_t hash = hash_bytes(state);
    const auto [known, is_new] = places_.emplace(hash, places_.size());
    if (!is_new) return known->second;
    hashes_.push_back(hash);
    return std::nullopt;
  }
  // The step that is taken from the state that was entered last: the successor with this number.
  void note_step(const Expansion& expansion, std::size_t successor) {
    if (runs_ != nullptr) note_marks(expansion.marks[successor]);
  }
  void note_marks(Marks marks) { marks_.push_back(marks); }
  // The path ends at the state that is there after so many steps: what came behind it is taken back.
  void cut_behind(std::size_t place) {
    for (; hashes_.size() > place + 1; hashes_.pop_back()) places_.erase(hashes_.back());
    marks_.resize(place);
  }
  // Is the cycle bad that begins after so many steps and ends here?
  bool is_bad_from(std::size_t place) const {
    if (runs_ == nullptr) return false;
    const Marks all = runs_->all_marks();
    const bool every = runs_->rule() == CycleRule::kEveryStep;
    Marks met = every ? all : 0;
    for (std::size_t i = place; i < marks_.size(); ++i) met = every ? met & marks_[i] : met | marks_[i];
    return (met & all) == all;
  }

  std::uint64_t memory_bytes() const {
    constexpr std::uint64_t kBytesPerEntry = 40;
    return places_.size() * kBytesPerEntry + (hashes_.capacity() + marks_.capacity()) * sizeof(Marks);
  }

 private:
  const OmegaSystem* const runs_;
  std::unordered_map<std::uint64_t, std::size_t> places_;  // by hash
  std::vector<std::uint64_t> hashes_;                      // of the states, in their order
  std::vector<Marks> marks_;
};

}  // namespace spoor
