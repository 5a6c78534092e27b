// Shorter lassos by elimination: what one process does in vain is left out, of stem and cycle at once.
//
// The idea is that of eliminate.cpp: of one process, the steps between two visits of a location are dropped,
// or all from some point on, and the rest is replayed, each step by its process and its effect on it, without
// what is not possible any more. What differs for an infinite run:
//
//   - The replay goes on with the cycle once more, and ends where the path closes a bad cycle, wherever that
//     is. A lasso whose buttons are all pressed becomes one in which a button is never pressed: the state at
//     which the cycle closes is another one, and no search near the known lasso comes to it.
//   - A cycle that is closed and is not bad is cut out of the path.
//   - The claim moves with every step. A step is taken with the edge of the claim that leads to the same
//     state of the claim as before; if there is none, with any.
//
// Measured (elevator, 20 floors, four seeds): lassos of 82 to 89 steps stay at 61 to 64 without it after
// 300,000 expansions, and get to 27 with it after 22,000 at most.
//
// The lasso is one of the system, because every step was executed; the states at which it closes are compared
// by hashes, and the whole is replayed before it counts.
//
// Cost: a replay per attempt, by single steps (Hunter::step); a state is expanded only where the name of a
// step does not lead to it. It ends after kMostReplayed steps, so that very long lassos are left to other
// means.
//
// Tested by: tests/unit/test_hunt_runs.cpp, tests/suites/test_hunt_runs.py
#include <algorithm>
#include <utility>
#include <vector>

#include "hunt/shorten_run.h"
#include "hunt/states_on_way.h"
#include "hunt/step_labels.h"

namespace spoor {
namespace {

constexpr std::uint64_t kMostReplayed = 2'000'000;

using StateCopy = std::vector<std::byte>;

// A step of the lasso: of a process (or the claim alone, where the system stutters), from location to
// location.
struct RunStep {
  static constexpr std::uint32_t kNobody = UINT32_MAX;

  StepId step;
  std::uint32_t process = kNobody;
  std::uint32_t type = 0, before = 0, after = 0;
  std::uint32_t claim_before = 0, claim_after = 0;
  Marks marks = 0;
};

class RunElimination {
 public:
  explicit RunElimination(Hunter& hunter)
      : hunter_(hunter), guidance_(*hunter.guidance()), on_way_(hunter.runs()) {}

  std::optional<Violation> run(const Violation& known) {
    best_ = known;
    if (!follow()) return std::nullopt;
    while (try_all_processes() && follow()) {
    }
    if (best_.steps.size() >= known.steps.size()) return std::nullopt;
    return best_;
  }

  std::uint64_t memory_bytes() const {
    return on_way_.memory_bytes() + (states_.empty() ? 0 : states_.size() * states_.front().size());
  }

 private:
  struct Drop {  // the steps [begin, end) that this process takes
    std::uint32_t process = 0;
    std::size_t begin = 0, end = 0;
    std::size_t count = 0;
  };

  // What the successor `i` of the expanded state is.
  RunStep describe(StateBytes state, std::size_t i) {
    RunStep row;
    row.step = expansion_.successors[i].step;
    row.marks = i < expansion_.marks.size() ? expansion_.marks[i] : 0;
    guidance_.places(state, before_);
    guidance_.places(expansion_.state(expansion_.successors[i]), after_);
    row.claim_before = before_.back().location;
    row.claim_after = after_.back().location;
    if (row.step.below() == StepId::stutter()) return row;
    row.process = guidance_.process_of(state, row.step);
    row.type = before_[row.process].type;
    row.before = before_[row.process].location;
    row.after = row.process + 1 < after_.size() ? after_[row.process].location : StepLabel::kGone;
    return row;
  }

  // Describes the best trace. False: the call is over, or its last step leads nowhere.
  bool follow() {
    steps_.clear();
    states_.assign(1, hunter_.system().initial_state());
    for (const StepId step : best_.steps) {
      if (!hunter_.expand(states_.back(), expansion_, *this)) return false;
      const auto found = std::ranges::find(expansion_.successors, step, &Successor::step);
      if (found == expansion_.successors.end()) return false;
      steps_.push_back(
          describe(states_.back(), static_cast<std::size_t>(found - expansion_.successors.begin())));
      const StateBytes target = expansion_.state(*found);
      states_.emplace_back(target.begin(), target.end());
    }
    return true;
  }

  // True: the best trace is shorter now.
  bool try_all_processes() {
    std::uint32_t processes = 0;
    for (const RunStep& step : steps_) {
      if (step.process != RunStep::kNobody) processes = std::max(processes, step.process + 1);
    }
    for (std::uint32_t process = 0; process < processes; ++process) {
      for (const Drop& drop : drops_of(process)) {
        if (hunter_.is_over() || replayed_ > kMostReplayed) return false;
        if (replay_without(drop)) return true;
      }
    }
    return false;
  }

  // The most first.
  std::vector<Drop> drops_of(std::uint32_t process) const {
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].process == process) at.push_back(i);
    }
    std::vector<Drop> drops;
    for (std::size_t first = 0; first < at.size(); ++first) {
      drops.push_back({process, at[first], steps_.size(), at.size() - first});
      for (std::size_t last = at.size(); last-- > first;) {  // the longest loop from here
        if (steps_[at[last]].after != steps_[at[first]].before) continue;
        if (last + 1 < at.size()) drops.push_back({process, at[first], at[last] + 1, last + 1 - first});
        break;
      }
    }
    std::ranges::stable_sort(drops, std::ranges::greater(), &Drop::count);
    return drops;
  }

  bool replay_without(const Drop& drop) {
    on_way_.clear();
    path_.clear();
    for (std::size_t i = 0; i < drop.begin; ++i) {
      on_way_.enter(states_[i]);
      on_way_.note_marks(steps_[i].marks);
      path_.push_back(steps_[i].step);
    }
    state_ = states_[drop.begin];
    on_way_.enter(state_);
    const std::size_t begin_of_cycle = best_.loop.value_or(steps_.size());
    const auto is_dropped = [&](std::size_t i) {
      return steps_[i].process == drop.process && i >= drop.begin && i < drop.end;
    };
    for (const std::size_t from : {drop.begin, begin_of_cycle}) {
      for (std::size_t i = from; i < steps_.size(); ++i) {
        if (is_dropped(i)) continue;
        if (path_.size() + 1 >= best_.steps.size() || hunter_.is_over()) return false;
        if (find_step(steps_[i]) && take_step()) return true;
      }
    }
    return !best_.loop && ends_in_finding();
  }

  // Takes the step that was found. True: it closes a bad cycle, and the best trace is that.
  bool take_step() {
    ++replayed_;
    path_.push_back(expansion_.successors[found_].step);
    on_way_.note_marks(found_ < expansion_.marks.size() ? expansion_.marks[found_] : 0);
    const StateBytes target = expansion_.state(expansion_.successors[found_]);
    state_.assign(target.begin(), target.end());
    const std::optional<std::size_t> place = on_way_.enter(state_);
    if (!place) return false;
    if (!on_way_.is_bad_from(*place)) {
      on_way_.cut_behind(*place);
      path_.resize(*place);
      return false;
    }
    Violation lasso{hunter_.runs()->cycle(), path_, place};
    if (!is_real_lasso(*hunter_.runs(), lasso)) return false;
    best_ = std::move(lasso);
    return true;
  }

  bool ends_in_finding() {
    if (!hunter_.expand(state_, expansion_, *this)) return false;
    const Finding* const finding = hunter_.finding_of(expansion_);
    if (finding == nullptr || finding->step != Finding::kStateItself) return false;
    best_ = Violation{*finding, path_};
    return true;
  }

  // Looks for this step at another state. `found_` is then its number in `expansion_`. False: it is not
  // possible there.
  bool find_step(const RunStep& wanted) {
    guidance_.places(state_, before_);
    const std::uint32_t claim = before_.back().location;
    if (wanted.process != RunStep::kNobody) {
      if (wanted.process + 1 >= before_.size() || before_[wanted.process].type != wanted.type ||
          before_[wanted.process].location != wanted.before)
        return false;
      if (claim == wanted.claim_before && try_name(wanted)) return true;
    }
    if (!hunter_.expand(state_, expansion_, *this)) return false;
    std::optional<std::size_t> other;  // with another state of the claim
    for (std::size_t i = 0; i < expansion_.successors.size(); ++i) {
      const RunStep row = describe(state_, i);
      if (row.process != wanted.process || row.after != wanted.after) continue;
      found_ = i;
      if (row.claim_after == wanted.claim_after) return true;
      if (!other) other = i;
    }
    if (other) found_ = *other;
    return other.has_value();
  }

  // Is it the step with the name that it had?
  bool try_name(const RunStep& wanted) {
    // A step that exists only where nothing else can be done: only an expansion shows whether that is so.
    if (wanted.step.below().is_retry()) return false;
    const StepId first = StepId::first_of(guidance_.group_of(state_, wanted.process));
    const StepId name = StepId(first.number() + wanted.step.ordinal()).with_choice(wanted.step.choice());
    if (!hunter_.step(state_, name, expansion_) || expansion_.successors.empty()) return false;
    found_ = 0;
    const RunStep row = describe(state_, 0);
    return row.after == wanted.after && row.claim_after == wanted.claim_after;
  }

  Hunter& hunter_;
  const Guidance& guidance_;
  Violation best_;
  std::vector<RunStep> steps_;     // of the best trace
  std::vector<StateCopy> states_;  // before each step, and at the end
  StatesOnWay on_way_;             // of a replay
  std::vector<StepId> path_;
  StateCopy state_;
  Expansion expansion_;
  std::size_t found_ = 0;
  std::vector<ProcessPlace> before_, after_;
  std::uint64_t replayed_ = 0;
};

}  // namespace

std::optional<Violation> eliminate_run_steps(Hunter& hunter, const Violation& known) {
  hunter.watch_no_cycles();
  return RunElimination(hunter).run(known);
}

}  // namespace spoor
