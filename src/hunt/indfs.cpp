// Improved nested depth-first search: components of the claim say where a second search is needed.
//
// Nested depth-first search (search/nested_dfs.h has the history) finds a bad cycle with two searches: the
// outer one visits all states; when it leaves a state that has bad steps, an inner one starts there and looks
// for a way back to the path of the outer one. Edelkamp, Leue and Lluch-Lafuente (HSF-SPIN; STTT 2004)
// noticed that the claim knows more. A cycle of the product stays within one strongly connected component of
// the claim, because a way out of a component does not come back. By the cycles that a component has it is
// one of
//
//   N   none is accepting    no bad cycle there: no inner search starts
//   F   all are accepting    every cycle is bad: the outer search has an error as soon as it meets its own
//                            path, and no inner search starts
//   P   some are             inner searches, which need not leave the component
//
// Why that is right:
//   F. A cycle of the product in F lies in a component of the product all of whose states are in F. A
//      depth-first search that visits all states of a component that has a cycle meets its own path there:
//      else the order in which states are left would sort it topologically. What it closes is a cycle in F.
//   P. Let G be the product restricted to one component of the claim. All bad cycles through a state of G
//      lie in G, so what nested depth-first search needs of the graph is in G: if an inner search from s
//      misses a cycle, because an earlier one, from r, has visited a state x on it, then r reaches s within
//      G. When r was left before s, with a way from r to s, r lies on a cycle itself: a depth-first search
//      leaves a state that is on no cycle after all that it reaches. That cycle is in G, too, and it is
//      bad, because r starts it with a bad step that leads to x and on to s or to the path. So the search
//      from r missed it as well; take the first search that ever missed one.
//
// Without a claim (labels) or where the claim cannot tell (fairness), all states are in one component P. The
// published algorithm marks states; marks here are on steps, and of several marks a cycle must have all: then
// a state is searched with the number of those that were met in their order since all were met last, and a
// step that completes them is bad (search/one_mark.h). Where every step of a cycle must be bad
// (CycleRule::kEveryStep) the inner search follows bad steps only and looks for its own path (nested_dfs.h
// says why that is complete). As there, the outer search also closes a bad cycle in P, where its path has a
// bad step behind the place.
//
// With a bound on the length, or where states were left out, it says nothing about what it has not seen: a
// state that was first met far from the beginning is not searched again. Of a system without infinite runs it
// is a depth-first search.
//
// Cost: two expansions per state at most. Memory: the states, 5 bytes for each, and the paths. Lassos are as
// long as the paths happen to be.
// Tested by: tests/unit/test_hunt_runs.cpp, tests/suites/test_hunt_runs.py
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "hunt/hunter.h"
#include "store/exact.h"

namespace spoor {
namespace {

class NestedHunt {
 public:
  NestedHunt(Hunter& hunter, const MethodOptions& options)
      : hunter_(hunter), options_(options), runs_(hunter.runs()) {
    store_.enter();
    if (runs_ == nullptr) return;
    every_ = runs_->rule() == CycleRule::kEveryStep;
    all_ = runs_->all_marks();
    for (Marks rest = every_ ? 0 : all_; rest != 0; rest &= rest - 1) in_order_.push_back(rest & -rest);
  }
  ~NestedHunt() { store_.leave(); }
  NestedHunt(const NestedHunt&) = delete;
  NestedHunt& operator=(const NestedHunt&) = delete;

  MethodResult run() {
    std::vector<std::byte> initial = hunter_.system().initial_state();
    if (counts_marks()) initial.push_back(std::byte{0});
    bool goes_on = enter({number_of(initial), {}, false});
    while (goes_on && !outer_.empty() && !result_.found) {
      if (outer_.back().first_pending == pending_.size()) {
        goes_on = leave();
        continue;
      }
      const Step step = take_pending();
      if ((flags_[step.target] & kEntered) == 0) {
        goes_on = enter(step);
      } else if (runs_ != nullptr && (flags_[step.target] & kOnPath) != 0 && closes_bad_cycle(step)) {
        found_cycle(place_[step.target], {step.step});
      }
    }
    result_.states = flags_.size();
    if (goes_on && !result_.found && !is_cut_) result_.has_seen_all = result_.has_seen_all_within = true;
    return std::move(result_);
  }

  std::uint64_t memory_bytes() const {
    return store_.memory_bytes() + flags_.capacity() + place_.capacity() * sizeof(place_[0]) +
           pending_.capacity() * sizeof(Step) + (outer_.capacity() + inner_.capacity()) * sizeof(Frame);
  }

 private:
  using Cycles = ClaimComponent::Cycles;
  enum : std::uint8_t { kEntered = 1, kOnPath = 2, kInner = 4, kOnInnerPath = 8 };

  struct Step {
    StateIndex target = 0;
    StepId step;
    bool is_bad = false;
  };
  struct Frame {
    StateIndex state = 0;
    StepId step;  // that led to it
    std::size_t first_pending = 0;
    ClaimComponent component;
    bool has_bad_steps = false;
    std::size_t bad_place =
        0;  // of the outer path: the last one, up to here, that a bad step has entered; 0: none
  };

  bool counts_marks() const { return in_order_.size() > 1; }

  StateIndex number_of(StateBytes state) {
    const Insertion inserted = store_.insert(writer_, ExactStore::key(state), state);
    if (inserted.is_new) {
      flags_.push_back(0);
      place_.push_back(0);
    }
    return inserted.index;
  }
  StateBytes without_count(StateBytes state) const {
    return counts_marks() ? state.first(state.size() - 1) : state;
  }

  Step take_pending() {
    const Step step = pending_.back();
    pending_.pop_back();
    return step;
  }

  // Expands a state of the store; `count_` is then how many marks were met. False: the call is over.
  bool expand(StateIndex state) {
    const StateBytes bytes = store_.get(state, buffer_);
    bytes_.assign(bytes.begin(), bytes.end());
    count_ = counts_marks() ? std::to_integer<std::size_t>(bytes_.back()) : 0;
    return hunter_.expand(without_count(bytes_), expansion_, *this);
  }
  // The step to this successor of the expanded state.
  Step step_to(std::size_t i) {
    const Successor& successor = expansion_.successors[i];
    const StateBytes target = expansion_.state(successor);
    if (runs_ == nullptr) return {number_of(target), successor.step, false};
    const Marks marks = expansion_.marks[i];
    if (!counts_marks()) return {number_of(target), successor.step, (marks & all_) == all_};
    std::size_t met = count_;
    while (met < in_order_.size() && (marks & in_order_[met]) != 0) ++met;
    const bool is_complete = met == in_order_.size();
    target_.assign(target.begin(), target.end());
    target_.push_back(static_cast<std::byte>(is_complete ? 0 : met));
    return {number_of(target_), successor.step, is_complete};
  }
  ClaimComponent component_of(StateBytes state) const {
    const Guidance* const guidance = hunter_.guidance();
    return guidance != nullptr ? guidance->claim_component(state) : ClaimComponent();
  }

  // The outer search goes to a new state. False: the call is over.
  bool enter(const Step& step) {
    flags_[step.target] |= kEntered | kOnPath;
    place_[step.target] = static_cast<std::uint32_t>(outer_.size());
    Frame frame{step.target, step.step, pending_.size(), {}, false, 0};
    if (!outer_.empty()) frame.bad_place = step.is_bad ? outer_.size() : outer_.back().bad_place;
    outer_.push_back(frame);
    result_.depth = std::max<std::uint64_t>(result_.depth, outer_.size() - 1);
    if (!expand(step.target)) return false;
    hunter_.note_taken();
    Frame& own = outer_.back();
    own.component = component_of(without_count(bytes_));
    const auto depth = static_cast<std::uint32_t>(outer_.size() - 1);
    if (const Finding* const finding = hunter_.finding_of(expansion_)) {
      std::vector<StepId> steps = path();
      if (finding->step != Finding::kStateItself) steps.push_back(finding->step);
      if (steps.size() <= options_.most_steps) {
        result_.found = Violation{*finding, std::move(steps)};
        return true;
      }
    }
    if (depth >= options_.most_steps) {
      is_cut_ |= !expansion_.successors.empty();
      return true;
    }
    for (std::size_t i = expansion_.successors.size(); i-- > 0;) {
      pending_.push_back(step_to(i));
      own.has_bad_steps |= pending_.back().is_bad;
    }
    return true;
  }

  bool leave() {
    const Frame& frame = outer_.back();
    const bool needs_inner = frame.has_bad_steps && frame.component.cycles == Cycles::kSome;
    if (runs_ != nullptr && needs_inner) {
      const bool goes_on = search_inner(frame);
      if (!goes_on || result_.found) return goes_on;
    }
    flags_[frame.state] &= static_cast<std::uint8_t>(~kOnPath);
    outer_.pop_back();
    return true;
  }

  // The step leads to a state of the outer path.
  bool closes_bad_cycle(const Step& step) const {
    const Frame& from = outer_.back();
    const std::size_t place = place_[step.target];
    if (outer_[place].component.number != from.component.number) return false;
    if (from.component.cycles == Cycles::kAll) return true;
    if (from.component.cycles == Cycles::kNone || every_) return false;
    return step.is_bad || from.bad_place > place;
  }

  // From the state that the outer search leaves. False: the call is over.
  bool search_inner(const Frame& start) {
    const std::uint32_t part = start.component.number;
    const std::size_t first = pending_.size();
    if (every_ && (flags_[start.state] & kInner) != 0) return true;
    if (every_) flags_[start.state] |= kInner | kOnInnerPath;
    inner_.assign(1, {start.state, {}, first, {}, false, 0});
    if (!push_inner(start.state, part, true)) return false;
    bool goes_on = true;
    while (goes_on && !inner_.empty() && !result_.found) {
      if (inner_.back().first_pending == pending_.size()) {
        flags_[inner_.back().state] &= static_cast<std::uint8_t>(~kOnInnerPath);
        inner_.pop_back();
        continue;
      }
      const Step step = take_pending();
      const std::uint8_t flags = flags_[step.target];
      if ((flags & (every_ ? kOnInnerPath : kOnPath)) != 0) {
        close_inner(step);
      } else if ((flags & kInner) == 0) {
        flags_[step.target] |= every_ ? kInner | kOnInnerPath : kInner;
        inner_.push_back({step.target, step.step, pending_.size(), {}, false, 0});
        goes_on = push_inner(step.target, part, every_);
      }
    }
    return goes_on;
  }

  bool push_inner(StateIndex state, std::uint32_t part, bool only_bad_steps) {
    if (!expand(state)) return false;
    for (std::size_t i = expansion_.successors.size(); i-- > 0;) {
      const StateBytes target = expansion_.state(expansion_.successors[i]);
      if (component_of(target).number != part) continue;
      const Step step = step_to(i);
      if (step.is_bad || !only_bad_steps) pending_.push_back(step);
    }
    return true;
  }

  // The step of the inner search leads to a state of the path that it looks for.
  void close_inner(const Step& step) {
    std::vector<StepId> steps;
    std::size_t place = place_[step.target];
    for (std::size_t i = 1; i < inner_.size(); ++i) steps.push_back(inner_[i].step);
    steps.push_back(step.step);
    if (every_) {
      place = outer_.size() - 1;
      for (std::size_t i = 0; i < inner_.size() && inner_[i].state != step.target; ++i) ++place;
    }
    found_cycle(place, steps);
  }

  // The outer path and these steps: a lasso whose cycle begins after so many of them.
  void found_cycle(std::size_t loop, const std::vector<StepId>& rest) {
    std::vector<StepId> steps = path();
    steps.insert(steps.end(), rest.begin(), rest.end());
    if (steps.size() <= options_.most_steps) {
      result_.found = Violation{runs_->cycle(), std::move(steps), loop};
    } else {
      is_cut_ = true;
    }
  }

  std::vector<StepId> path() const {
    std::vector<StepId> steps;
    for (std::size_t i = 1; i < outer_.size(); ++i) steps.push_back(outer_[i].step);
    return steps;
  }

  Hunter& hunter_;
  const MethodOptions& options_;
  const OmegaSystem* const runs_;  // null: no cycles
  bool every_ = false;             // CycleRule::kEveryStep
  Marks all_ = 0;
  std::vector<Marks> in_order_;  // each by itself
  MethodResult result_;
  ExactStore store_{1};
  ExactStore::Writer writer_;
  ExactStore::DecodeBuffer buffer_;
  std::vector<std::uint8_t> flags_;   // by state
  std::vector<std::uint32_t> place_;  // by state: where it is on the outer path
  std::vector<Frame> outer_, inner_;
  std::vector<Step> pending_;  // of all frames
  std::vector<std::byte> bytes_, target_;
  std::size_t count_ = 0;
  Expansion expansion_;
  bool is_cut_ = false;  // something was left out
};

}  // namespace

MethodResult hunt_indfs(Hunter& hunter, const MethodOptions& options) {
  hunter.watch_no_cycles();
  return NestedHunt(hunter, options).run();
}

}  // namespace spoor
