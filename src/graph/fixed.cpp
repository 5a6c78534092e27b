#include "graph/fixed.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "model/layer.h"

namespace spoor {
namespace {

constexpr std::size_t kIndexBytes = sizeof(std::uint32_t);
constexpr std::uint32_t kMaxFiller = 36;

// Every edge has its own label, so that a test can distinguish the executed edges.
Graph make_graph(const FixedGraphOptions& options) {
  std::vector<Edge> edges;
  std::vector<std::string> labels;
  for (const auto& [source, target] : options.edges) {
    edges.push_back({source, target, static_cast<std::uint32_t>(labels.size()), {}});
    labels.push_back("e" + std::to_string(labels.size()));
  }
  return {options.initial, std::move(edges), std::move(labels)};
}

}  // namespace

FixedGraph::FixedGraph(FixedGraphOptions options)
    : options_(std::move(options)), base_(make_graph(options_)) {}

std::vector<std::byte> FixedGraph::encode(StateBytes base_state) const {
  std::vector<std::byte> bytes(base_state.begin(), base_state.end());
  if (options_.is_ragged) {
    const std::uint32_t filler = graph_state(base_state) * 7 % (kMaxFiller + 1);
    bytes.resize(kIndexBytes + filler, std::byte{0xee});
  }
  return bytes;
}

std::vector<std::byte> FixedGraph::initial_state() const { return encode(base_.initial_state()); }

void FixedGraph::expand(StateBytes state, Expansion& out) const {
  const std::uint32_t number = graph().number(graph_state(state));
  Expansion plain;
  ask_below(out, {}, plain);
  base_.expand(state.first(kIndexBytes), plain);
  answer_above(plain, out);

  if (options_.has_deadlocks) {
    out.findings.insert(out.findings.end(), plain.findings.begin(), plain.findings.end());
  }
  for (const PlantedFinding& planted : options_.planted) {
    if (planted.state == number && planted.finding.step == Finding::kStateItself) {
      out.findings.push_back(planted.finding);
    }
  }
  for (std::size_t i = 0; i < plain.successors.size(); ++i) {
    const Successor& edge = plain.successors[i];
    bool is_blocked = false;
    for (const PlantedFinding& planted : options_.planted) {
      if (planted.state != number || planted.finding.step != edge.step) continue;
      out.findings.push_back(planted.finding);
      is_blocked |= planted.blocks;
    }
    if (is_blocked) continue;
    const std::vector<std::byte> target = encode(plain.state(edge));
    const auto offset = static_cast<std::uint32_t>(out.arena.size());
    out.arena.append(target);
    out.successors.push_back({edge.step, offset, static_cast<std::uint32_t>(target.size())});
    copy_columns(plain, i, out);
  }
}

bool FixedGraph::is_well_formed(StateBytes state) const {
  return state.size() >= kIndexBytes && base_.is_well_formed(state.first(kIndexBytes)) &&
         std::ranges::equal(state, encode(state.first(kIndexBytes)));
}

Explanation FixedGraph::explain(StateBytes state, StepId step) const {
  Explanation explanation = base_.explain(state.first(kIndexBytes), step);
  explanation.target = encode(explanation.target);
  const std::uint32_t number = graph().number(graph_state(state));
  for (const PlantedFinding& planted : options_.planted) {
    if (planted.state != number || planted.finding.step != step) continue;
    explanation.findings.push_back(planted.finding);
    if (planted.blocks) explanation.target.clear();
  }
  return explanation;
}

std::vector<std::string> FixedGraph::describe(StateBytes state) const {
  return base_.describe(state.first(kIndexBytes));
}

std::string FixedGraph::message(const Finding& finding) const {
  return std::string(to_string(finding.kind)) + " " + std::to_string(finding.identity);
}

void FixedGraph::element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const {
  base_.element_sets_of(state.first(kIndexBytes), out);
}

}  // namespace spoor
