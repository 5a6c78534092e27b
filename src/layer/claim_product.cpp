#include "layer/claim_product.h"

#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "ltl/tgba.h"

namespace spoor {

using ltl::Edge;

// What expand needs again and again: the system's own answer, and its workspace in it.
struct ClaimProduct::Workspace {
  Expansion inner;
  std::shared_ptr<void> asking;   // the propositions' own
  std::vector<Finding> failures;  // of their evaluation
};

namespace {

Marks own_marks(const ltl::Automaton& claim, const ltl::State& state, const Edge& edge) {
  if (!claim.is_state_based) return edge.marks;
  return state.accepting ? claim.all_marks() : 0;
}

bool loops_on_everything(const ltl::Automaton& claim, std::uint32_t number) {
  const ltl::State& state = claim.states[number];
  for (const Edge& edge : state.edges) {
    const bool has_all_marks = own_marks(claim, state, edge) == claim.all_marks();
    if (edge.target == number && edge.label.mask == 0 && has_all_marks) return true;
  }
  return false;
}

}  // namespace

ClaimProduct::ClaimProduct(const TransitionSystem& system, const Propositions& propositions,
                           const ltl::Automaton& claim, ClaimOptions options)
    : LayerOver(system),
      propositions_(propositions),
      claim_(claim),
      options_(std::move(options)),
      fairness_(options_.is_fair ? std::optional(Fairness(system, claim.sets)) : std::nullopt) {
  if (claim.is_empty() || claim.states.size() > kMostClaimStates) {
    throw std::invalid_argument("a claim without states, or with too many");
  }
  if (options_.counts_passed_labels && system.most_movers() == 0)
    throw NotSupported("accept labels inside steps need a system that says what a step passes");
  claim_bytes_ = claim.states.size() <= 256 ? 1 : 2;
  has_cycles_ = claim.strength != ltl::Strength::kTerminal || options_.counts_passed_labels;
  const bool is_weak = claim.strength != ltl::Strength::kStrong;
  // Fairness is a matter of the cycle as a whole; then one marked step shows that it is accepting.
  if (is_weak && !options_.is_fair && !options_.counts_passed_labels) rule_ = CycleRule::kEveryStep;

  ltl::Bdds bdds;
  const ltl::Tgba graph = ltl::to_tgba(claim, bdds);
  const ltl::Components parts = ltl::components_of(graph);
  for (std::uint32_t i = 0; i < claim.states.size(); ++i) {
    // All cycles of an accepting component of a weak automaton are accepting, wherever its marks are.
    const bool is_accepting = parts.is_accepting[parts.of[i]];
    std::vector<Marks>& marks = marks_.emplace_back();
    for (const Edge& edge : claim.states[i].edges) {
      const bool stays = parts.of[edge.target] == parts.of[i];
      marks.push_back(!is_weak                ? own_marks(claim, claim.states[i], edge)
                      : is_accepting && stays ? claim.all_marks()
                                              : Marks{0});
    }
    is_final_.push_back((!has_cycles_ && is_accepting) || loops_on_everything(claim, i));
  }
  if (system.guidance() != nullptr)
    guidance_.emplace(*system.guidance(), states_for_guidance(graph, parts), claim_bytes_);
}

std::vector<RunGuidance::ClaimState> ClaimProduct::states_for_guidance(const ltl::Tgba& claim,
                                                                       const ltl::Components& parts) const {
  using Cycles = ClaimComponent::Cycles;
  const std::size_t count = claim_.states.size();
  // A component is one of accepting cycles only where no cycle avoids one of the marks. With fairness a cycle
  // has to do more; a label that a step passes can make any cycle accepting.
  std::vector<bool> has_others(parts.count(), options_.is_fair);
  for (std::uint32_t set = 0; set < claim.sets && claim_.strength == ltl::Strength::kStrong; ++set) {
    const ltl::Components avoiding = ltl::cycles_avoiding(claim, parts, set);
    for (std::size_t i = 0; i < count; ++i) {
      if (avoiding.is_cyclic[avoiding.of[i]]) has_others[parts.of[i]] = true;
    }
  }
  std::vector<RunGuidance::ClaimState> states(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t part = parts.of[i];
    const Cycles without = options_.counts_passed_labels ? Cycles::kSome : Cycles::kNone;
    states[i].component = {part, !parts.is_accepting[part] ? without
                                 : has_others[part]        ? Cycles::kSome
                                                           : Cycles::kAll};
  }
  const auto accepts = [&](std::uint32_t from, std::size_t edge) {
    const std::uint32_t target = claim_.states[from].edges[edge].target;
    if (is_final_[target]) return true;
    return parts.is_accepting[parts.of[from]] && parts.of[target] == parts.of[from] &&
           (marks_[from][edge] != 0 || claim_.all_marks() == 0);
  };
  for (std::uint32_t distance = 0;; ++distance) {
    bool has_new = false;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (states[i].distance != Heuristic::kFar) continue;
      for (std::size_t k = 0; k < claim_.states[i].edges.size(); ++k) {
        const Edge& edge = claim_.states[i].edges[k];
        const bool leads_nearer =
            distance == 0 ? accepts(i, k) : states[edge.target].distance == distance - 1;
        if (leads_nearer) states[i].nearer.push_back({edge.label.mask, edge.label.value});
      }
      if (states[i].nearer.empty()) continue;
      states[i].distance = distance;
      has_new = true;
    }
    if (!has_new && distance != 0) return states;
  }
}

std::uint32_t ClaimProduct::claim_state(StateBytes state) const {
  std::uint32_t number = 0;
  std::memcpy(&number, state.data() + state.size() - claim_bytes_, claim_bytes_);
  return number;
}

void ClaimProduct::append_claim_state(std::uint32_t state, Buffer<std::byte>& arena) const {
  std::byte bytes[sizeof state];
  std::memcpy(bytes, &state, sizeof state);
  arena.append({bytes, claim_bytes_});
}

std::vector<std::byte> ClaimProduct::initial_state() const {
  Buffer<std::byte> state;
  state.append(below().initial_state());
  append_claim_state(claim_.initial, state);
  return {state.begin(), state.end()};
}

ClaimProduct::Workspace& ClaimProduct::workspace_of(Expansion& out) {
  if (!out.scratch.workspace) out.scratch.workspace = std::make_shared<Workspace>();
  return *static_cast<Workspace*>(out.scratch.workspace.get());
}

void ClaimProduct::expand(StateBytes state, Expansion& out) const {
  auto& [inner, asking, failures] = workspace_of(out);
  const ltl::State& from = claim_.states[claim_state(state)];
  const std::vector<Edge>& edges = from.edges;
  const std::vector<Marks>& marks = marks_[claim_state(state)];
  const StateBytes system_part = system_state(state);
  failures.clear();
  const AtomValues values = propositions_.atom_values(system_part, asking, failures);
  bool is_expanded = false;
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    if (values.failed != 0 && (edges[i].label.mask & values.failed) != 0) {
      const ltl::Cube rest = {edges[i].label.mask & ~values.failed, edges[i].label.value & ~values.failed};
      if (rest.matches(values.truth)) {
        out.findings.insert(out.findings.end(), failures.begin(), failures.end());
        failures.clear();
      }
      continue;
    }
    if (!edges[i].label.matches(values.truth) || is_repeated(edges, marks, i, values.truth)) continue;
    if (is_final_[edges[i].target]) {
      out.findings.push_back({FindingKind::kClaim, options_.identity, Finding::kStateItself});
      continue;
    }
    if (!is_expanded) {
      is_expanded = true;
      expand_system(system_part, i, inner, out);
      if (out.was_cut) return;
    }
    if (inner.successors.empty() && options_.ends_stutter) {
      add(system_part, StepId::stutter().with_choice(i), edges[i].target, marks[i] | stutter_marks(), out);
      add_stutter_columns(out);
    }
    for (std::size_t k = 0; k < inner.successors.size(); ++k) {
      const Successor& successor = inner.successors[k];
      if (out.arena.size() > UINT32_MAX - inner.arena.size()) {
        out.was_cut = true;  // more than can be numbered
        return;
      }
      add(inner.state(successor), successor.step.with_choice(i), edges[i].target,
          marks[i] | marks_of_step(inner, k), out);
      copy_columns(inner, k, out);
    }
  }
}

// Fairness asks which processes else could have moved, which only an expansion in full can say.
bool ClaimProduct::step(StateBytes state, StepId step, Expansion& out) const {
  if (options_.is_fair) return TransitionSystem::step(state, step, out);
  const std::uint32_t from = claim_state(state);
  const std::uint64_t edge = step.choice();
  if (edge >= claim_.states[from].edges.size()) return false;
  const std::uint32_t target = claim_.states[from].edges[edge].target;
  const ltl::Cube& label = claim_.states[from].edges[edge].label;
  Workspace& own = workspace_of(out);
  own.failures.clear();
  const AtomValues values = propositions_.atom_values(system_state(state), own.asking, own.failures);
  if (is_final_[target] || (label.mask & values.failed) != 0 || !label.matches(values.truth)) return false;
  if (step.below() == StepId::stutter()) {
    add(system_state(state), step, target, marks_[from][edge] | stutter_marks(), out);
    add_stutter_columns(out);
    return true;
  }
  Expansion& inner = own.inner;
  ask_below(out, needed_columns(), inner);
  const bool is_there = below().step(system_state(state), step.below(), inner);
  answer_above(inner, out);
  if (!is_there) return false;
  add_findings(inner, static_cast<std::uint32_t>(edge), out);
  for (std::size_t k = 0; k < inner.successors.size(); ++k) {
    add(inner.state(inner.successors[k]), step, target, marks_[from][edge] | marks_of_step(inner, k), out);
    copy_columns(inner, k, out);
  }
  return true;
}

// Labels of edges to the same place may overlap.
bool ClaimProduct::is_repeated(const std::vector<Edge>& edges, const std::vector<Marks>& marks,
                               std::uint32_t edge, std::uint64_t values) const {
  for (std::uint32_t i = 0; i < edge; ++i) {
    if (edges[i].target == edges[edge].target && marks[i] == marks[edge] && edges[i].label.matches(values))
      return true;
  }
  return false;
}

// `edge`: the one of all edges that names the steps on which something goes wrong.
void ClaimProduct::expand_system(StateBytes state, std::uint32_t edge, Expansion& inner,
                                 Expansion& out) const {
  ask_below(out, needed_columns(), inner);
  below().expand(state, inner);
  answer_above(inner, out);
  out.scratch.workspace_bytes = inner.scratch.workspace_bytes + inner.arena.capacity();
  if (!inner.findings.empty()) add_findings(inner, edge, out);
}

void ClaimProduct::add_findings(const Expansion& inner, std::uint32_t edge, Expansion& out) {
  for (Finding finding : inner.findings) {
    if (finding.kind == FindingKind::kDeadlock) continue;
    if (finding.step != Finding::kStateItself) finding.step = finding.step.with_choice(edge);
    out.findings.push_back(finding);
  }
}

void ClaimProduct::add(StateBytes system_part, StepId step, std::uint32_t claim_state, Marks marks,
                       Expansion& out) const {
  add_successor(system_part, step, out).length += claim_bytes_;
  append_claim_state(claim_state, out.arena);
  out.marks.push_back(marks);
}

Explanation ClaimProduct::explain(StateBytes state, StepId step) const {
  const std::vector<Edge>& edges = claim_.states[claim_state(state)].edges;
  Explanation explanation = step.below() == StepId::stutter()
                                ? stands_still(system_state(state))
                                : below().explain(system_state(state), step.below());
  for (Finding& finding : explanation.findings) finding.step = step;
  if (explanation.target.empty()) return explanation;
  const std::uint32_t target = edges[step.choice()].target;
  std::byte number[sizeof target];
  std::memcpy(number, &target, sizeof number);
  explanation.target.insert(explanation.target.end(), number, number + claim_bytes_);
  return explanation;
}

ClaimView ClaimProduct::look(StateBytes state) const {
  ClaimView view = look_at_atoms(propositions_, claim_.atoms, system_state(state));
  view.state = claim_state(state);
  return view;
}

std::optional<StepId> ClaimProduct::step_below(StateBytes, StepId step) const {
  return step.below() == StepId::stutter() ? std::nullopt : std::optional(step.below());
}

std::vector<std::string> ClaimProduct::describe(StateBytes state) const {
  std::vector<std::string> lines = below().describe(system_state(state));
  lines.push_back("claim = " + std::to_string(claim_state(state)));
  return lines;
}

std::string ClaimProduct::message(const Finding& finding) const {
  const char* const how = options_.is_fair ? " is violated by an infinite run that is weakly fair"
                                           : " is violated by an infinite run";
  if (finding.kind == FindingKind::kClaim)
    return options_.name + " is violated, whatever happens from here on";
  if (finding.kind == options_.cycle) return options_.name + how;
  return below().message(finding);
}

Position ClaimProduct::place(const Finding& finding) const {
  const bool is_own = finding.kind == FindingKind::kClaim || finding.kind == options_.cycle;
  return is_own ? Position{} : below().place(finding);
}

}  // namespace spoor
