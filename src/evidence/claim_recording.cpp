#include "evidence/claim_recording.h"

#include <cstring>
#include <utility>

#include "evidence/step_code.h"

namespace spoor {
namespace {

constexpr std::uint32_t kNoStatements = 0, kAllStatements = 1;  // numbers of sets

StatementSets sets_of(std::span<const std::uint8_t> executed) {
  StatementSets sets(2);
  for (std::uint32_t i = 0; i < executed.size(); ++i) {
    if (executed[i] != 0) sets[kAllStatements].push_back(i);
  }
  return sets;
}

}  // namespace

std::vector<std::uint8_t> executed_so_far(const KnownGraph& graph, std::span<const std::uint8_t> executed,
                                          std::size_t statements) {
  std::vector<std::uint8_t> flags(executed.begin(), executed.end());
  flags.resize(statements);
  if (graph.executed().size() > kAllStatements) {
    for (const std::uint32_t statement : graph.executed()[kAllStatements]) flags[statement] = 1;
  }
  return flags;
}

void save_plan(const ReductionPlan& plan, const ClaimGraph* graph, std::span<const std::uint8_t> executed,
               RecordingHead head, const std::string& path) {
  PackedStates states;
  Chunks steps;
  StepEncoder encoder(steps);
  RecordedState entry;
  plan.for_each_state([&](const ReductionPlan::PlannedState& state) {
    StateIndex number = kNoState;
    if (graph != nullptr) std::memcpy(&number, state.bytes.data(), sizeof number);
    states.add(graph != nullptr ? graph->bytes_of(number) : state.bytes);
    entry.flags = RecordedState::kExpanded;
    if (!state.is_full) entry.flags |= RecordedState::kReduced;
    if (state.has_findings) entry.flags |= RecordedState::kSpecial;
    entry.executed = kNoStatements;
    entry.targets = state.targets;
    encoder.add(state.number, entry);
  });
  head.state_count = states.size();
  head.has_steps = true;
  save(head, {sets_of(executed), states.shapes_text(), {{}, &states.codes()}, {{}, &steps}}, path);
}

void save_graph(ClaimGraphParts parts, RecordingHead head, const std::string& path) {
  if (const auto own = parts.known.make_workspace(); parts.known.leaves_out_states(*own))
    return save(head, {{}, {}, {}, {}}, path);
  PackedStates& states = parts.states;
  const StateIndex bound = parts.known.bound();
  const auto end = static_cast<StateIndex>(bound + parts.known.new_states());
  const std::size_t old_chunks = states.codes().size();
  Chunks steps;
  StepEncoder encoder(steps);
  RecordedState entry;
  for (StateIndex number = 0; number < end; ++number) {
    if (parts.known.is_usable(number)) continue;
    if (!parts.graph.read_remembered(number, entry)) entry = {};
    if (entry.is_of_use() || number < bound) encoder.add(number, entry);
  }
  {
    const LookingUp looking_up(parts.known);
    const auto own = parts.known.make_workspace();
    // What follows makes numbers and bytes of recorded states unusable.
    for (StateIndex number = bound; number < end; ++number) states.add(parts.known.bytes_of(number, *own));
  }
  head.state_count = states.size();
  head.has_steps = true;
  ChunkSource of_states{{}, &states.codes(), old_chunks}, of_steps{{}, &steps};
  if (parts.before != nullptr) {
    go_to_states(*parts.before);
    of_states.files = of_steps.files = {parts.before};
  }
  save(head, {sets_of(parts.executed), states.shapes_text(), of_states, of_steps}, path);
}

}  // namespace spoor
