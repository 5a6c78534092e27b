// Beam search: level by level, and of each level only the best states.
//
// The successors of the states of a level are the candidates for the next; of these the best `width` are
// kept: those whose combination of locations was met least often (novelty.h), then those with the smallest
// estimate, then any. A state that was kept before is not kept again. So a beam goes forward and never back:
// in as many expansions as width times depth it is at the end of its runs. A beam of width 1 is a walk that
// looks for new combinations.
//
// Without a width, beams of width 1, 4, 16, ... are tried one after the other. A beam that never had to leave
// out a candidate has seen all states: it was a breadth-first search.
//
// Memory: the states that were kept, and the candidates of one level.
// Tested by: tests/unit/test_hunt.cpp
#include <algorithm>
#include <random>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "hunt/best_first.h"
#include "hunt/hunter.h"
#include "hunt/novelty.h"
#include "hunt/state_tree.h"

namespace spoor {
namespace {

class Beam {
 public:
  Beam(Hunter& hunter, const MethodOptions& options, std::uint64_t width)
      : hunter_(hunter),
        options_(options),
        width_(width),
        needs_steps_(options.heuristic != nullptr && options.heuristic->needs_steps()),
        random_(options.seed),
        novelty_(hunter.guidance()) {}

  MethodResult run() {
    level_.push_back(tree_.add(hunter_.system().initial_state(), kNoState, StepId::none()).index);
    for (std::uint32_t depth = 0; !level_.empty() && expand_level(depth) && !result_.found; ++depth)
      keep_best();
    result_.states = tree_.size();
    result_.depth = tree_.greatest_depth();
    result_.has_seen_all_within = level_.empty() && !result_.found && !has_left_out_;
    result_.has_seen_all = result_.has_seen_all_within && !is_cut_;
    return std::move(result_);
  }

  std::uint64_t memory_bytes() const {
    return tree_.memory_bytes() + novelty_.memory_bytes() + arena_.capacity() +
           candidates_.capacity() * (sizeof(Candidate) + kBytesPerEntry) +
           level_.capacity() * sizeof(StateIndex);
  }

 private:
  static constexpr std::uint64_t kBytesPerEntry = 40;  // of by_hash_

  struct Candidate {
    std::uint64_t key = 0;
    std::uint32_t lot = 0;
    StateIndex parent = 0;
    StepId step;
    std::uint64_t offset = 0;  // of its bytes
    std::uint32_t length = 0;
  };

  // False: the method is over.
  bool expand_level(std::uint32_t depth) {
    arena_.clear();
    candidates_.clear();
    by_hash_.clear();
    for (const StateIndex state : level_) {
      if (!hunter_.expand(tree_.bytes(state), expansion_, *this)) return false;
      hunter_.note_taken();
      if (note_error(state, depth, expansion_)) return true;
      if (depth == options_.most_steps) {
        is_cut_ |= !expansion_.successors.empty();
        continue;
      }
      std::uint32_t estimate = 0;
      if (needs_steps_) estimate = options_.heuristic->estimate(tree_.bytes(state), expansion_);
      for (const Successor& successor : expansion_.successors) {
        if (!add_candidate(state, depth, successor, estimate)) return false;
        if (result_.found) return true;
      }
    }
    return true;
  }

  // False: the method is over.
  bool add_candidate(StateIndex parent, std::uint32_t depth, const Successor& successor,
                     std::uint32_t estimate) {
    const StateBytes bytes = expansion_.state(successor);
    const std::uint64_t hash = hash_bytes(bytes);
    if (tree_.contains(bytes) || is_candidate(hash, bytes)) return true;
    if (options_.heuristic != nullptr && !needs_steps_) {
      estimate = options_.heuristic->estimate(bytes, ahead_);
    } else if (needs_steps_ && options_.is_eager) {
      if (!hunter_.expand(bytes, ahead_, *this)) return false;
      if (const Finding* const finding = hunter_.finding_of(ahead_);
          finding != nullptr && length_of(*finding, depth + 1) <= options_.most_steps) {
        result_.found = tree_.violation(tree_.add(bytes, parent, successor.step).index, *finding);
        return true;
      }
      estimate = options_.heuristic->estimate(bytes, ahead_);
    }
    const std::uint64_t key = join_key(novelty_.meet(bytes), estimate, 0);
    by_hash_.emplace(hash, static_cast<std::uint32_t>(candidates_.size()));
    candidates_.push_back({key, static_cast<std::uint32_t>(random_()), parent, successor.step, arena_.size(),
                           successor.length});
    arena_.insert(arena_.end(), bytes.begin(), bytes.end());
    return true;
  }

  StateBytes bytes_of(const Candidate& candidate) const {
    return {arena_.data() + candidate.offset, candidate.length};
  }

  bool is_candidate(std::uint64_t hash, StateBytes bytes) const {
    const auto [first, last] = by_hash_.equal_range(hash);
    return std::any_of(first, last, [&](const auto& entry) {
      return std::ranges::equal(bytes_of(candidates_[entry.second]), bytes);
    });
  }

  bool note_error(StateIndex state, std::uint32_t depth, const Expansion& expansion) {
    const Finding* const finding = hunter_.finding_of(expansion);
    if (finding == nullptr || length_of(*finding, depth) > options_.most_steps) return false;
    result_.found = tree_.violation(state, *finding);
    return true;
  }

  void keep_best() {
    const std::size_t kept = std::min<std::size_t>(width_, candidates_.size());
    has_left_out_ |= kept < candidates_.size();
    const auto is_better = [](const Candidate& a, const Candidate& b) {
      return a.key != b.key ? a.key < b.key : a.lot != b.lot ? a.lot < b.lot : a.offset < b.offset;
    };
    std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(kept),
                      candidates_.end(), is_better);
    level_.clear();
    for (std::size_t i = 0; i < kept; ++i) {
      const Candidate& candidate = candidates_[i];
      level_.push_back(tree_.add(bytes_of(candidate), candidate.parent, candidate.step).index);
    }
  }

  Hunter& hunter_;
  const MethodOptions& options_;
  const std::uint64_t width_;
  const bool needs_steps_;
  MethodResult result_;
  std::mt19937_64 random_;
  Novelty novelty_;
  StateTree tree_;
  std::vector<StateIndex> level_;
  std::vector<Candidate> candidates_;
  std::vector<std::byte> arena_;                                   // the bytes of the candidates
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;  // the candidates
  Expansion expansion_, ahead_;
  bool has_left_out_ = false;  // a candidate
  bool is_cut_ = false;        // states were left out because of their depth
};

}  // namespace

MethodResult hunt_beam(Hunter& hunter, const MethodOptions& options) {
  if (options.width != 0) return Beam(hunter, options, options.width).run();
  for (std::uint64_t width = 1;; width *= 4) {
    MethodResult result = Beam(hunter, options, width).run();
    if (result.found || result.has_seen_all_within || hunter.is_over()) return result;
  }
}

}  // namespace spoor
