#include "evidence/edit_walks.h"

#include <algorithm>
#include <random>
#include <unordered_set>
#include <vector>

#include "base/hash.h"

namespace spoor {
namespace {

// Fewer states of the sample than this say little.
constexpr double kLeastExpected = 100;
// From which walks begin.
constexpr std::size_t kMostStarts = 4096;

class Walker {
 public:
  Walker(const TransitionSystem& system, const StateSample& sample, StateTranslator* back,
         const EditWalkOptions& options)
      : system_(system), sample_(sample), back_(back), options_(options), initial_(system.initial_state()) {
    out_.asked.may_reduce = options.reduces;
  }

  EditWalks run() {
    while (walks_.steps < options_.steps && !walks_.has_error) walk();
    walks_.different = seen_.size();
    return walks_;
  }

 private:
  void walk() {
    state_ = is_from_initial_ || starts_.empty() ? initial_ : starts_[random_() % starts_.size()];
    is_from_initial_ = !is_from_initial_;
    do {
      ++walks_.steps;
      out_.clear();
      system_.expand(state_, out_);
      const auto is_counted = [&](const Finding& finding) { return options_.counted.contains(finding.kind); };
      walks_.has_error = std::ranges::any_of(out_.findings, is_counted);
    } while (!walks_.has_error && !out_.was_cut && walks_.steps < options_.steps && step_to_unmet());
  }

  // To a successor that no walk was at before. False: there is none.
  bool step_to_unmet() {
    std::size_t unmet = 0;
    for (const Successor& successor : out_.successors) {
      const StateBytes bytes = out_.state(successor);
      const std::uint64_t hash = hash_bytes(bytes);
      if (seen_.insert(hash).second && was_recorded(bytes)) ++walks_.known;
      if (met_.contains(hash) || random_() % ++unmet != 0) continue;
      next_.assign(bytes.begin(), bytes.end());
    }
    if (unmet == 0) return false;
    state_.swap(next_);
    met_.insert(hash_bytes(state_));
    if (starts_.size() < kMostStarts) {
      starts_.push_back(state_);
    } else if (const std::uint64_t place = random_() % met_.size(); place < kMostStarts) {
      starts_[place] = state_;
    }
    return true;
  }

  bool was_recorded(StateBytes state) {
    if (back_ == nullptr) return false;
    if (back_->is_identity()) return sample_.has(state);
    return back_->translate(state, translated_) && sample_.has(translated_);
  }

  const TransitionSystem& system_;
  const StateSample& sample_;
  StateTranslator* const back_;
  const EditWalkOptions& options_;
  const std::vector<std::byte> initial_;
  std::vector<std::byte> state_, next_, translated_;
  std::vector<std::vector<std::byte>> starts_;    // some of the states that were met, each as probable as any
  bool is_from_initial_ = true;                   // the next walk
  std::unordered_set<std::uint64_t> met_, seen_;  // hashes: of states at which a walk was; of all successors
  Expansion out_;
  std::mt19937_64 random_;  // always the same
  EditWalks walks_;
};

}  // namespace

double EditWalks::share_of_new(const StateSample& sample) const {
  const double expected = sample.expected(different);
  if (expected < kLeastExpected) return 0;
  return std::max(0.0, 1 - static_cast<double>(known) / expected);
}

EditWalks walk_edited(const TransitionSystem& system, const StateSample& sample, StateTranslator* back,
                      const EditWalkOptions& options) {
  return Walker(system, sample, back, options).run();
}

}  // namespace spoor
