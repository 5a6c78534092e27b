#include "layer/reduction_check.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace spoor {
namespace {

// What a step is called at every state: which process did what.
struct Part {
  int process = -1;
  std::uint32_t transition = 0;
  std::string key;
  friend bool operator==(const Part&, const Part&) = default;
};
using Name = std::vector<Part>;
using Defects = std::vector<std::pair<FindingKind, std::uint32_t>>;

struct Step {
  Name name;
  StepId step;
  std::vector<std::byte> target;  // empty: it failed without a successor
  Defects defects;
};

// A state with all its steps.
struct Point {
  std::vector<std::byte> state;
  std::vector<Step> steps;
  Defects defects;  // of the state itself; deadlocks do not count, they are no property of a process
};

// A small generator whose sequence is the same everywhere (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t limit) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<std::size_t>((z ^ (z >> 31U)) % limit);
  }

 private:
  std::uint64_t state_;
};

bool is_subset(const Defects& some, const Defects& of) {
  return std::all_of(some.begin(), some.end(),
                     [&](const auto& d) { return std::find(of.begin(), of.end(), d) != of.end(); });
}

// Of the state and of its steps: what is wrong with an offer that no process accepts belongs to the
// state, and to the step once a process accepts it.
Defects all_defects(const Point& point) {
  Defects all = point.defects;
  for (const Step& step : point.steps) all.insert(all.end(), step.defects.begin(), step.defects.end());
  return all;
}

std::vector<std::byte> copy_of(StateBytes bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

// The check of one state.
class ReductionCheck::Trial {
 public:
  Trial(const ReductionCheck& layer, StateBytes state) : layer_(layer), system_(layer.below()) {
    start_.state = copy_of(state);
  }

  std::optional<ReductionFault> run(const Expansion& reduced) {
    start_ = point(start_.state);
    if (!find_given(reduced)) return std::move(fault_);
    std::vector<const Step*> left_out;
    if (!sort_out(start_, left_out)) return std::move(fault_);
    std::size_t pairs = 0;
    for (const Step* other : left_out) {
      for (const Name& name : given_) {
        if (++pairs > kMostPairs) break;
        if (!commutes(start_, name, *other)) return std::move(fault_);
      }
    }
    for (std::uint64_t walk = 0; walk < kWalks; ++walk) {
      if (!walks_alone(hash_bytes(start_.state) + walk)) return std::move(fault_);
    }
    return std::nullopt;
  }

 private:
  Point point(StateBytes state) {
    Point result;
    result.state = copy_of(state);
    expansion_.clear();
    system_.expand(result.state, expansion_);
    for (const Successor& successor : expansion_.successors) {
      result.steps.push_back(
          {name_of(result.state, successor.step), successor.step, copy_of(expansion_.state(successor)), {}});
    }
    for (const Finding& finding : expansion_.findings) {
      const std::pair defect(finding.kind, finding.identity);
      if (finding.step == Finding::kStateItself) {
        if (finding.kind != FindingKind::kDeadlock) result.defects.push_back(defect);
        continue;
      }
      auto step = std::find_if(result.steps.begin(), result.steps.end(),
                               [&](const Step& s) { return s.step == finding.step; });
      if (step == result.steps.end()) {
        result.steps.push_back({name_of(result.state, finding.step), finding.step, {}, {}});
        step = result.steps.end() - 1;
      }
      step->defects.push_back(defect);
    }
    return result;
  }

  Name name_of(StateBytes state, StepId step) const {
    Name name;
    for (const Action& action : system_.explain(state, step).actions) {
      name.push_back({action.process, action.transition, action.key});
    }
    return name;
  }

  // Whose steps were given. Two steps may lead to the same state (loops that change nothing); such a
  // step does not say which process took it.
  bool find_given(const Expansion& reduced) {
    for (const Successor& successor : reduced.last_successors()) {
      const StateBytes bytes = reduced.state(successor);
      const auto leads_there = [&](const Step& s) { return std::ranges::equal(s.target, bytes); };
      const auto step = std::find_if(start_.steps.begin(), start_.steps.end(), leads_there);
      if (step == start_.steps.end())
        return fail("a step of the reduced set is none of the state", start_, nullptr, nullptr);
      if (std::any_of(step + 1, start_.steps.end(), leads_there)) {
        is_unclear_ = true;
        continue;
      }
      for (const Part& part : step->name) {
        if (!moves(part.process)) processes_.push_back(part.process);
      }
    }
    return has_all_given(reduced);
  }

  // The steps given are all the steps of these processes, in the order of the whole.
  bool has_all_given(const Expansion& reduced) {
    const std::span<const Successor> successors = reduced.last_successors();
    std::size_t count = 0;
    for (const Step& step : start_.steps) {
      if (!is_ours(step)) continue;
      const bool is_next =
          count < successors.size() && std::ranges::equal(reduced.state(successors[count]), step.target);
      if (!is_next && is_unclear_) return false;
      if (!is_next) return fail("a step of a process of the reduced set is missing", start_, &step, nullptr);
      if (!step.defects.empty())
        return fail("something goes wrong on a step of the reduced set", start_, &step, nullptr);
      if (!is_given(step.name)) given_.push_back(step.name);
      ++count;
    }
    if (count == successors.size() && count > 0) return true;
    return is_unclear_ ? false
                       : fail("the reduced set is not that of some processes", start_, nullptr, nullptr);
  }

  bool is_ours(const Step& step) const {
    return std::any_of(step.name.begin(), step.name.end(), [&](const Part& p) { return moves(p.process); });
  }
  bool is_given(const Name& name) const {
    return std::find(given_.begin(), given_.end(), name) != given_.end();
  }
  bool moves(int process) const {
    return std::find(processes_.begin(), processes_.end(), process) != processes_.end();
  }

  // A step belongs to the reduced set or to processes that were left out; and all of the set is there.
  bool sort_out(const Point& at, std::vector<const Step*>& left_out) {
    for (const Step& step : at.steps) {
      if (!is_ours(step)) {
        left_out.push_back(&step);
      } else if (!is_given(step.name)) {
        return fail("a process of the reduced set can do something that is not in the set", at, &step,
                    nullptr);
      }
    }
    for (const Name& name : given_) {
      if (find(at, name) == nullptr)
        return fail("a step of the reduced set is no longer possible", at, find(start_, name), last_);
    }
    return true;
  }

  static const Step* find(const Point& at, const Name& name) {
    const auto found =
        std::find_if(at.steps.begin(), at.steps.end(), [&](const Step& s) { return s.name == name; });
    return found == at.steps.end() ? nullptr : &*found;
  }

  // Both orders of every step called `name` and of `other`.
  bool commutes(const Point& at, const Name& name, const Step& other) {
    ++layer_.checked_pairs_;
    const Point behind_other = other.target.empty() ? Point() : point(other.target);
    for (const Step& step : at.steps) {
      if (step.name != name || step.target.empty()) continue;
      const Point behind_step = point(step.target);
      if (!is_subset(at.defects, all_defects(behind_step)))
        return fail("what is wrong with the state is not wrong after the step", at, &step, &other);
      const auto is_twin = [&](const Step& s) {
        return s.name == other.name && s.target.empty() == other.target.empty() && s.defects == other.defects;
      };
      if (std::none_of(behind_step.steps.begin(), behind_step.steps.end(), is_twin)) {
        return fail(
            "the step that was left out is not possible, or not the same, after the step of the reduced set",
            at, &step, &other);
      }
      if (other.target.empty()) continue;
      bool is_possible = false, is_same = false;
      for (const Step& second : behind_other.steps) {
        if (second.name != name || second.target.empty()) continue;
        is_possible = true;
        is_same |= std::any_of(behind_step.steps.begin(), behind_step.steps.end(),
                               [&](const Step& s) { return is_twin(s) && s.target == second.target; });
      }
      if (!is_possible)
        return fail("the step of the reduced set is not possible after the one that was left out", at, &step,
                    &other);
      if (!is_same)
        return fail("the two orders of the steps do not end in the same state", at, &step, &other);
    }
    return true;
  }

  // The left-out processes go on without the others.
  bool walks_alone(std::uint64_t seed) {
    Random random(seed);
    Point at = start_;
    Step taken;
    for (int i = 0; i < kWalkSteps; ++i) {
      last_ = i == 0 ? nullptr : &taken;
      std::vector<const Step*> choices;
      if (!sort_out(at, choices)) return false;
      if (choices.empty()) break;
      const Step& chosen = *choices[random.below(choices.size())];
      if (i > 0) {  // at the start all pairs were tried
        for (const Name& name : given_) {
          if (!commutes(at, name, chosen)) return false;
        }
      }
      if (chosen.target.empty()) break;
      taken = chosen;
      at = point(taken.target);
    }
    last_ = nullptr;
    return true;
  }

  std::string text_of(const Point& at, const Step* step, Position* position) const {
    if (step == nullptr) return {};
    const bool is_here =
        std::any_of(at.steps.begin(), at.steps.end(), [&](const Step& s) { return &s == step; });
    const Point& source = is_here ? at : start_;
    const auto again = std::find_if(source.steps.begin(), source.steps.end(),
                                    [&](const Step& s) { return s.name == step->name; });
    std::string text;
    if (again == source.steps.end()) {
      for (const Part& part : step->name) text += (text.empty() ? "" : "; ") + part.key;
      return text;
    }
    for (const Action& action : system_.explain(source.state, again->step).actions) {
      if (!text.empty()) text += "; ";
      if (!action.process_name.empty())
        text += action.process_name + "[" + std::to_string(action.process) + "] ";
      text += action.statement;
      if (position != nullptr && !position->is_known()) *position = action.position;
    }
    return text;
  }

  bool fail(const char* reason, const Point& at, const Step* step, const Step* other) {
    ReductionFault fault;
    fault.reason = reason;
    fault.state = system_.describe(at.state);
    fault.step = text_of(at, step, &fault.position);
    fault.other = text_of(at, other, nullptr);
    fault_ = std::move(fault);
    return false;
  }

  const ReductionCheck& layer_;
  const TransitionSystem& system_;
  Expansion expansion_;
  Point start_;
  std::vector<Name> given_;
  std::vector<int> processes_;
  bool is_unclear_ = false;
  const Step* last_ = nullptr;  // of the walk
  std::optional<ReductionFault> fault_;
};

void ReductionCheck::expand(StateBytes state, Expansion& out) const {
  below().expand(state, out);
  if (!out.asked.may_reduce || !(out.is_reduced || out.is_reduced_for_deadlocks) || out.was_cut) return;
  if (is_broken_) {
    out.was_cut = true;
    return;
  }
  if (reduced_states_++ >= kFirst && hash_bytes(state) % kOneIn != 0) return;
  ++checked_states_;
  std::optional<ReductionFault> fault = Trial(*this, state).run(out);
  if (!fault) return;
  const std::lock_guard lock(mutex_);
  if (!fault_) fault_ = std::move(fault);
  is_broken_ = true;
  out.was_cut = true;
}

}  // namespace spoor
