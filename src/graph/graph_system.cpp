#include "graph/graph_system.h"

#include <cstring>
#include <utility>

namespace spoor {

std::uint32_t graph_state(StateBytes state) {
  std::uint32_t index;
  std::memcpy(&index, state.data(), sizeof index);
  return index;
}

std::vector<std::byte> graph_state_bytes(std::uint32_t index) {
  std::vector<std::byte> bytes(sizeof index);
  std::memcpy(bytes.data(), &index, sizeof index);
  return bytes;
}

GraphSystem::GraphSystem(Graph graph, SourceSet sources)
    : graph_(std::move(graph)), sources_(std::move(sources)) {
  for (const std::string& label : graph_.labels()) statements_.push_back({label, {}, label});
  // Edges are not in the order of the file: the first place of a label is its smallest position.
  for (const Edge& edge : graph_.edges()) {
    Position& first = statements_[edge.label].position;
    const bool is_earlier = edge.position.line < first.line ||
                            (edge.position.line == first.line && edge.position.column < first.column);
    if (!first.is_known() || is_earlier) first = edge.position;
  }
}

std::vector<std::byte> GraphSystem::initial_state() const { return graph_state_bytes(graph_.initial()); }

void GraphSystem::expand(StateBytes state, Expansion& out) const {
  const auto edges = graph_.edges_of(graph_state(state));
  if (edges.empty()) {
    out.findings.push_back({FindingKind::kDeadlock, 0, Finding::kStateItself});
    return;
  }
  const Columns columns = out.asked.columns;
  std::uint8_t* const executed = out.executed_flags(statements_.size());
  if (columns.movers) out.enabled = kMover;
  std::uint32_t ordinal = 0;
  for (const Edge& edge : edges) {
    const auto offset = static_cast<std::uint32_t>(out.arena.size());
    constexpr auto kLength = static_cast<std::uint32_t>(sizeof edge.target);
    out.arena.append(std::as_bytes(std::span(&edge.target, 1)));
    out.successors.push_back({StepId(ordinal++), offset, kLength});
    if (columns.movers) out.movers.push_back(kMover);
    if (columns.labels) out.labels.push_back(edge.label);
    if (executed != nullptr) executed[edge.label] = 1;
  }
}

std::string GraphSystem::show(const Edge& edge) const {
  return std::to_string(graph_.number(edge.source)) + " -" + graph_.label(edge) + "-> " +
         std::to_string(graph_.number(edge.target));
}

bool GraphSystem::is_well_formed(StateBytes state) const {
  return state.size() == sizeof(std::uint32_t) && graph_state(state) < graph_.state_count();
}

Explanation GraphSystem::explain(StateBytes state, StepId step) const {
  const std::uint32_t source = graph_state(state);
  const Edge& edge = graph_.edges_of(source)[step.ordinal()];
  Action action;
  action.position = edge.position;
  action.statement = graph_.label(edge);
  action.key = show(edge);
  action.location = graph_.number(source);
  action.transition = graph_.first_edge(source) + static_cast<std::uint32_t>(step.ordinal());
  action.changes = {"state = " + std::to_string(graph_.number(edge.target))};
  return {{std::move(action)}, graph_state_bytes(edge.target), {}};
}

std::vector<std::string> GraphSystem::describe(StateBytes state) const {
  return {"state = " + std::to_string(graph_.number(graph_state(state)))};
}

std::string GraphSystem::message(const Finding&) const { return "no transition leaves this state"; }

Position GraphSystem::place(const Finding&) const { return {}; }

const std::vector<Element>& GraphSystem::elements() const {
  std::call_once(elements_made_, [this] {
    for (std::uint32_t state = 0; state < graph_.state_count(); ++state) {
      Element element;
      element.key = "state " + std::to_string(graph_.number(state));
      for (const Edge& edge : graph_.edges_of(state)) {
        if (element.text.empty()) element.position = edge.position;
        element.text += (element.text.empty() ? "" : "; ") + show(edge);
        element.names.push_back(edge.target);
      }
      // The labels are descriptions only. The number of edges is visible in `names`.
      elements_.push_back(std::move(element));
      numbers_.push_back(state);
    }
    Element beginning;
    beginning.key = beginning.text = "initial state";
    beginning.names = {graph_.initial()};
    elements_.push_back(std::move(beginning));
  });
  return elements_;
}

void GraphSystem::element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const {
  elements();
  out.push_back(graph_state(state));
}

std::span<const std::uint32_t> GraphSystem::element_set(std::uint32_t set) const {
  elements();
  return {&numbers_[set], 1};
}

std::uint32_t GraphSystem::element_set_count() const { return graph_.state_count(); }

}  // namespace spoor
