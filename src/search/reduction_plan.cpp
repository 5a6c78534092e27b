#include "search/reduction_plan.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "model/atom_value_table.h"
#include "model/layer.h"
#include "search/core.h"
#include "search/path.h"
#include "search/worker.h"
#include "store/chunked_vector.h"
#include "store/exact.h"

namespace spoor {
namespace {

using Store = ExactStore;

// The reduced model.
class PlannedGraph {
 public:
  struct Step {
    StateIndex target = kNoState;
    StepId step;
  };
  struct State {
    std::uint64_t first : 56 = 0;  // of its steps
    std::uint64_t is_full : 1 = 0;
    std::uint64_t is_on_path : 1 = 0;  // while the plan is made
    std::uint64_t has_findings : 1 = 0;
    std::uint32_t steps = 0;
    std::uint32_t values = 0;
  };

  const State& operator[](StateIndex state) const { return states_[state]; }
  State& operator[](StateIndex state) { return states_[state]; }
  void add(StateIndex state) {
    if (states_.size() <= state) states_.resize(state + std::size_t{1} + state / 2);
  }

  const Step& step(const State& state, std::uint32_t number) const { return steps_[state.first + number]; }
  void set_step(StateIndex source, std::uint32_t number, Step step) {
    steps_[states_[source].first + number] = step;
  }
  // The state has this many steps, to be set one by one.
  void begin_steps(StateIndex source, std::uint32_t count) {
    states_[source].first = steps_.size();
    states_[source].steps = count;
    for (std::uint32_t i = 0; i < count; ++i) steps_.push_back({});
  }

  const AtomValues& atom_values(StateIndex state) const { return atom_values_[states_[state].values]; }
  void set_atom_values(StateIndex state, const AtomValues& values) {
    states_[state].values = atom_values_.number_of(values);
  }

  const std::vector<Finding>& findings(StateIndex state) const { return findings_.at(state); }
  void set_findings(StateIndex state, std::span<const Finding> findings) {
    states_[state].has_findings = !findings.empty();
    if (!findings.empty()) findings_[state].assign(findings.begin(), findings.end());
  }

  std::uint64_t memory_bytes() const {
    constexpr std::uint64_t kNode = 64;
    return states_.capacity() * sizeof(State) + steps_.memory_bytes() +
           (atom_values_.size() + findings_.size()) * kNode;
  }

 private:
  std::vector<State> states_;
  ChunkedVector<Step> steps_;
  AtomValueTable atom_values_;
  std::unordered_map<StateIndex, std::vector<Finding>> findings_;
};

class PlanMaker {
 public:
  PlanMaker(SearchCore<Store>& core, const Propositions& propositions, PlannedGraph& graph)
      : core_(core), propositions_(propositions), worker_(core), path_(core, worker_), graph_(graph) {}

  void begin() {
    worker_.begin();
    const std::vector<std::byte> initial = core_.system().initial_state();
    enter(worker_.start(initial), {});
  }
  bool is_done() const { return path_.empty() || core_.is_over(); }
  void advance(std::uint64_t most_states) {
    while (!is_done() && states_ < most_states) {
      auto& top = path_.top();
      if (top.pending > 0) {
        const auto arrival = path_.follow();
        const StateIndex target = arrival.found.index;
        graph_.set_step(top.state, graph_[top.state].steps - top.pending - 1, {target, arrival.step});
        if (arrival.found.is_new) {
          enter(target, arrival.step);
        } else {
          top.note.closes_cycle |= graph_[target].is_on_path && !graph_[target].is_full;
        }
      } else if (top.note.closes_cycle && !graph_[top.state].is_full) {
        worker_.take_back(graph_[top.state].steps);
        path_.expand_again_in_full();
        note_expansion(true);
      } else {
        graph_[top.state].is_on_path = false;
        path_.leave();
      }
    }
  }
  void rest() { worker_.rest(); }

 private:
  struct Note {
    bool closes_cycle = false;  // of states none of which is full
  };

  void enter(StateIndex state, StepId step) {
    graph_.add(state);
    ++states_;
    if (!path_.enter(state, {}, step, false)) return;
    graph_[state].is_on_path = true;
    failures_.clear();
    graph_.set_atom_values(state, propositions_.atom_values(path_.expanded(), asking_, failures_));
    note_expansion(!worker_.expansion().is_reduced && !worker_.expansion().is_reduced_for_deadlocks);
    path_.poll(graph_.memory_bytes());
  }

  void note_expansion(bool is_in_full) {
    const auto& top = path_.top();
    graph_.begin_steps(top.state, top.pending);
    graph_.set_findings(top.state, worker_.expansion().last_findings());
    graph_[top.state].is_full = is_in_full;
  }

  SearchCore<Store>& core_;
  const Propositions& propositions_;
  SearchWorker<Store> worker_;
  SearchPath<Store, Note, false> path_;
  PlannedGraph& graph_;
  std::uint64_t states_ = 0;
  std::shared_ptr<void> asking_;   // the propositions' own
  std::vector<Finding> failures_;  // of their evaluation; asked for again where they matter
};

// The graph as a system.
class PlannedSystem : public LayerOver<TransitionSystem>, public Propositions {
 public:
  PlannedSystem(const TransitionSystem& model, const Propositions& propositions, const Store& store,
                const PlannedGraph& graph)
      : LayerOver(model), propositions_(propositions), store_(store), graph_(graph) {}

  std::vector<std::byte> initial_state() const override {
    const StateIndex number = find(below().initial_state());
    const auto* const bytes = reinterpret_cast<const std::byte*>(&number);
    return {bytes, bytes + sizeof number};
  }

  void expand(StateBytes state, Expansion& out) const override {
    const StateIndex number = number_of(state);
    if (!out.asked.may_reduce) return expand_in_full(number, out);
    const PlannedGraph::State& from = graph_[number];
    out.is_reduced_for_deadlocks = !from.is_full;  // that the condition for this is met has been seen to
    for (std::uint32_t i = 0; i < from.steps; ++i) {
      const PlannedGraph::Step& step = graph_.step(from, i);
      add(step.step, step.target, out);
    }
    if (from.has_findings) {
      const std::vector<Finding>& findings = graph_.findings(number);
      out.findings.insert(out.findings.end(), findings.begin(), findings.end());
    }
    if (out.asked.columns.has_any_of_steps()) add_columns(number, out);
  }

  AtomValues atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                         std::vector<Finding>& findings) const override {
    const AtomValues& values = graph_.atom_values(number_of(state));
    if (values.failed != 0) propositions_.atom_values(bytes_of(state), workspace, findings);
    return values;
  }

  Explanation explain(StateBytes state, StepId step) const override {
    Explanation explanation = below().explain(bytes_of(state), step);
    if (explanation.target.empty()) return explanation;
    const StateIndex number = find(explanation.target);
    explanation.target.resize(sizeof number);
    std::memcpy(explanation.target.data(), &number, sizeof number);
    return explanation;
  }

  std::vector<std::byte> bytes_of(StateBytes state) const {
    Store::DecodeBuffer room;
    const StateBytes bytes = store_.get(number_of(state), room);
    return {bytes.begin(), bytes.end()};
  }

  const Propositions* propositions() const override { return this; }

 private:
  StateBytes state_below(StateBytes state, std::vector<std::byte>& room) const override {
    room = bytes_of(state);
    return room;
  }
  static StateIndex number_of(StateBytes state) {
    StateIndex number = kNoState;
    std::memcpy(&number, state.data(), sizeof number);
    return number;
  }
  // kNoState where the plan does not know it.
  StateIndex find(StateBytes bytes) const { return store_.find(Store::key(bytes), bytes); }

  static void add(StepId step, StateIndex target, Expansion& out) {
    out.successors.push_back({step, static_cast<std::uint32_t>(out.arena.size()), sizeof target});
    out.arena.append({reinterpret_cast<const std::byte*>(&target), sizeof target});
  }

  void expand_in_full(StateIndex number, Expansion& out) const {
    Expansion inner;
    expand_below(number, out, inner);
    out.findings.insert(out.findings.end(), inner.findings.begin(), inner.findings.end());
    for (std::size_t i = 0; i < inner.successors.size(); ++i) {
      const StateIndex target = find(inner.state(inner.successors[i]));
      if (target == kNoState) continue;
      add(inner.successors[i].step, target, out);
      copy_columns(inner, i, out);
    }
  }

  // The columns of the planned steps. The plan does not have them: the model is asked again.
  void add_columns(StateIndex number, Expansion& out) const {
    Expansion inner;
    expand_below(number, out, inner);
    for (const Successor& successor : out.last_successors()) {
      const auto* const same = std::ranges::find(inner.successors, successor.step, &Successor::step);
      copy_columns(inner, static_cast<std::size_t>(same - inner.successors.begin()), out);
    }
  }

  // In full. Which statements are executed was found out when the plan was made (ReductionPlan::executed).
  void expand_below(StateIndex number, const Expansion& out, Expansion& inner) const {
    Store::DecodeBuffer room;
    inner.asked.columns = out.asked.columns;
    inner.asked.columns.executed = false;
    below().expand(store_.get(number, room), inner);
  }

  const Propositions& propositions_;
  const Store& store_;
  const PlannedGraph& graph_;
};

SearchOptions for_plan(const SearchOptions& wanted) {
  SearchOptions options;
  options.order = Order::kDepthFirst;
  options.store = StoreKind::kExact;
  options.limits = wanted.limits;
  options.limits.depth = 0;
  options.reduce = true;
  options.counted = FindingKinds::none();
  options.progress = wanted.progress;
  options.progress_interval_s = wanted.progress_interval_s;
  return options;
}

}  // namespace

struct ReductionPlan::Content {
  Content(const TransitionSystem& model, const Propositions& propositions, const SearchOptions& wanted)
      : options(for_plan(wanted)), core(model, options), system(model, propositions, core.store(), graph) {}

  const SearchOptions options;
  PlannedGraph graph;
  SearchCore<Store> core;
  PlannedSystem system;
  std::optional<PlanMaker> maker;  // while there is something left to do
  SearchResult result;
};

ReductionPlan::ReductionPlan() = default;
ReductionPlan::~ReductionPlan() = default;

void ReductionPlan::begin(const TransitionSystem& model, const Propositions& propositions,
                          const SearchOptions& options) {
  content_ = std::make_unique<Content>(model, propositions, options);
  content_->maker.emplace(content_->core, propositions, content_->graph);
  content_->maker->begin();
}

std::optional<LimitHit> ReductionPlan::advance(std::uint64_t most_states) {
  std::optional<PlanMaker>& maker = content_->maker;
  try {
    maker->advance(most_states);
  } catch (const std::bad_alloc& error) {
    content_->core.end(limit_of(error));
  }
  if (!maker->is_done()) return std::nullopt;
  maker->rest();
  maker.reset();
  content_->result = content_->core.finish();
  return content_->result.limit;
}

bool ReductionPlan::is_complete() const { return !content_->maker && !content_->result.limit; }
const TransitionSystem& ReductionPlan::system() const { return content_->system; }
const Propositions& ReductionPlan::propositions() const { return content_->system; }
std::vector<std::byte> ReductionPlan::state_of(StateBytes number) const {
  return content_->system.bytes_of(number);
}
void ReductionPlan::for_each_state(const std::function<void(const PlannedState&)>& visit) const {
  PlannedState state;
  Store::DecodeBuffer room;
  for (StateIndex number = 0; number < states(); ++number) {
    const PlannedGraph::State& from = content_->graph[number];
    state.number = number;
    state.bytes = content_->core.store().get(number, room);
    state.is_full = from.is_full;
    state.has_findings = from.has_findings;
    state.targets.clear();
    for (std::uint32_t i = 0; i < from.steps; ++i)
      state.targets.push_back(content_->graph.step(from, i).target);
    visit(state);
  }
}
const std::vector<std::uint8_t>& ReductionPlan::executed() const { return content_->result.executed; }
std::uint64_t ReductionPlan::inner_steps() const { return content_->result.statistics.inner_steps; }
std::uint64_t ReductionPlan::states() const { return content_->result.statistics.states; }
std::uint64_t ReductionPlan::memory_bytes() const {
  return content_->core.store().memory_bytes() + content_->graph.memory_bytes();
}

}  // namespace spoor
