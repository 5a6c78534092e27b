// Shorter traces by elimination: a process goes round a loop, or goes on, where the error does not need it.
//
// A random walk to a deadlock has philosophers who eat and eat again before they hold one fork for good. For
// each process, some of its steps are dropped: those between two visits of one location, the longest loop
// first; all from some point on; all. The rest is replayed from there: each step is found again by its
// process and its label (step_labels.h), and what is not possible any more is left out. If an error is found
// on the way or at the end, and the trace is shorter, it is kept, and everything is tried again with it.
//
// Nothing is assumed about independence: a replay shows what happens. The error may be another one than
// before.
//
// Cost: a replay per attempt. A step is executed alone (TransitionSystem::step), by the name that it had,
// where its process is at the same location and the step has the same effect on it; only otherwise the state
// is expanded to look for the label. The states of the trace are kept, so a replay begins at the first step
// that is dropped.
//
// Tested by: tests/unit/test_shorten.cpp
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "hunt/shorten.h"
#include "hunt/step_labels.h"

namespace spoor {
namespace {

using Bytes = std::vector<std::byte>;

// A trace with all that is known of its steps.
struct LabelledTrace {
  std::vector<LabelledStep> steps;
  std::vector<Bytes> states;  // before each step, and at the end where the last step leads somewhere
  Finding finding;

  Violation violation() const {
    Violation result{finding, {}};
    for (const LabelledStep& step : steps) result.steps.push_back(step.step);
    return result;
  }
};

class Elimination {
 public:
  explicit Elimination(Hunter& hunter)
      : hunter_(hunter), guidance_(*hunter.guidance()), labels_(*hunter.guidance()) {}

  std::optional<Violation> run(const Violation& known) {
    if (!follow(known)) return std::nullopt;
    const std::size_t before = trace_.steps.size();
    while (try_all_processes()) {
    }
    if (trace_.steps.size() >= before) return std::nullopt;
    return trace_.violation();
  }

 private:
  // Labels the known trace. False: the hunt is over.
  bool follow(const Violation& known) {
    trace_.finding = known.finding;
    Bytes state = hunter_.system().initial_state();
    std::vector<LabelledStep> rows;
    for (const StepId step : known.steps) {
      if (!hunter_.expand(state, expansion_, *this)) return false;
      labels_.label(state, expansion_, rows);
      trace_.states.push_back(state);
      const auto row = std::ranges::find(rows, step, &LabelledStep::step);
      if (row == rows.end()) {  // it fails without a successor, and is the last
        trace_.steps.push_back({step, guidance_.process_of(state, step), {}});
        return true;
      }
      trace_.steps.push_back(*row);
      const StateBytes target =
          expansion_.state(expansion_.successors[static_cast<std::size_t>(row - rows.begin())]);
      state.assign(target.begin(), target.end());
    }
    trace_.states.push_back(state);
    return true;
  }

  // The steps [begin, end) of the trace that this process takes are left out.
  struct Drop {
    std::uint32_t process = 0;
    std::size_t begin = 0, end = 0;
    std::size_t count = 0;
  };

  bool try_all_processes() {
    std::uint32_t processes = 0;
    for (const LabelledStep& step : trace_.steps) processes = std::max(processes, step.process + 1);
    for (std::uint32_t process = 0; process < processes; ++process) {
      for (const Drop& drop : drops_of(process)) {
        if (hunter_.is_over()) return false;
        if (replay_without(drop)) return true;
      }
    }
    return false;
  }

  // What may be left out of a process, the most first.
  std::vector<Drop> drops_of(std::uint32_t process) const {
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      if (trace_.steps[i].process == process) at.push_back(i);
    }
    std::vector<Drop> drops;
    for (std::size_t first = 0; first < at.size(); ++first) {
      drops.push_back({process, at[first], trace_.steps.size(), at.size() - first});
      const std::uint32_t location = trace_.steps[at[first]].label.before;
      for (std::size_t last = at.size(); last-- > first;) {  // the longest loop from here
        if (trace_.steps[at[last]].label.after != location) continue;
        if (last + 1 < at.size()) drops.push_back({process, at[first], at[last] + 1, last + 1 - first});
        break;
      }
    }
    std::ranges::stable_sort(drops, std::ranges::greater(), &Drop::count);
    return drops;
  }

  // True: without these steps there is an error sooner, and the trace is now the one to that.
  bool replay_without(const Drop& drop) {
    LabelledTrace shorter;
    Bytes state = trace_.states[drop.begin];
    const std::size_t most = trace_.steps.size() - 1;
    const auto length = [&] { return drop.begin + shorter.steps.size(); };
    for (std::size_t i = drop.begin; i < trace_.steps.size() && length() < most; ++i) {
      const LabelledStep& wanted = trace_.steps[i];
      if (wanted.process == drop.process && i < drop.end) continue;
      if (!find_step(state, wanted)) {
        if (hunter_.is_over()) return false;
        continue;
      }
      shorter.steps.push_back(found_);
      shorter.states.push_back(state);
      if (const Finding* const finding = hunter_.finding_of(expansion_);
          finding != nullptr && finding->step == found_.step)
        return keep(drop.begin, shorter, *finding);
      if (expansion_.successors.empty()) return false;
      const StateBytes target = expansion_.state(expansion_.successors[0]);
      state.assign(target.begin(), target.end());
    }
    if (!hunter_.expand(state, expansion_, *this)) return false;
    const Finding* const finding = hunter_.finding_of(expansion_);
    if (finding == nullptr) return false;
    if (finding->step == Finding::kStateItself) {
      shorter.states.push_back(state);
      return length() <= most && keep(drop.begin, shorter, *finding);
    }
    shorter.states.push_back(state);
    shorter.steps.push_back({finding->step, guidance_.process_of(state, finding->step), {}});
    return length() <= most && keep(drop.begin, shorter, *finding);
  }

  bool keep(std::size_t prefix, LabelledTrace& rest, const Finding& finding) {
    trace_.steps.resize(prefix);
    trace_.states.resize(prefix);
    std::ranges::move(rest.steps, std::back_inserter(trace_.steps));
    std::ranges::move(rest.states, std::back_inserter(trace_.states));
    trace_.finding = finding;
    return true;
  }

  // Executes this step of the process at another state. `found_` is then the step, and `expansion_` has its
  // successor alone. False: it is not possible there.
  bool find_step(StateBytes state, const LabelledStep& wanted) {
    guidance_.places(state, places_);
    if (wanted.process >= places_.size() || places_[wanted.process].type != wanted.label.type ||
        places_[wanted.process].location != wanted.label.before)
      return false;
    found_ = wanted;
    if (try_name(state, wanted)) return true;
    if (!hunter_.expand(state, expansion_, *this)) return false;
    labels_.label(state, expansion_, rows_);
    const auto has_label = [&](const LabelledStep& row) {
      return row.process == wanted.process && row.label == wanted.label;
    };
    const auto leads_there = [&](const LabelledStep& row) {
      return row.process == wanted.process && row.label.after == wanted.label.after;
    };
    auto row = std::ranges::find_if(rows_, has_label);
    if (row == rows_.end()) row = std::ranges::find_if(rows_, leads_there);
    if (row == rows_.end()) return false;
    found_ = *row;
    return keep_only(found_.step, expansion_);
  }

  // Is it the step with the name that it had?
  bool try_name(StateBytes state, const LabelledStep& wanted) {
    // A step that exists only where nothing else can be done: only an expansion shows whether that is so.
    if (wanted.step.is_retry()) return false;
    const StepId first = StepId::first_of(guidance_.group_of(state, wanted.process));
    const StepId name(first.number() + wanted.step.ordinal());
    if (!hunter_.step(state, name, expansion_) || expansion_.successors.empty()) return false;
    guidance_.places(expansion_.state(expansion_.successors[0]), places_);
    const std::uint32_t after =
        wanted.process < places_.size() ? places_[wanted.process].location : StepLabel::kGone;
    found_.step = name;
    return after == wanted.label.after;
  }

 public:
  std::uint64_t memory_bytes() const {
    return trace_.states.empty() ? 0 : 2 * trace_.states.size() * trace_.states.front().size();
  }

 private:
  Hunter& hunter_;
  const Guidance& guidance_;
  StepLabels labels_;
  LabelledTrace trace_;
  Expansion expansion_;
  LabelledStep found_;
  std::vector<LabelledStep> rows_;
  std::vector<ProcessPlace> places_;
};

}  // namespace

std::optional<Violation> eliminate_steps(Hunter& hunter, const Violation& known) {
  return Elimination(hunter).run(known);
}

}  // namespace spoor
