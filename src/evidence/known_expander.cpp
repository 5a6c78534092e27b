#include "evidence/known_expander.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace spoor {

KnownExpander::KnownExpander(const KnownGraph& graph, const TransitionSystem& after, Budget& budget,
                             bool records, FindingKinds counted)
    : graph_(graph),
      after_(after),
      budget_(budget),
      records_(records),
      counted_(counted),
      own_(graph.make_workspace()),
      executed_sets_(after.statements().size()) {}

void KnownExpander::prepare(Batch& batch) {
  batch.out.asked.columns.executed = true;
  batch.out.asked.budget = &budget_;
}

std::uint32_t KnownExpander::take_executed(Expansion& out) {
  if (!records_) return 0;  // the flags add up
  return static_cast<std::uint32_t>(graph_.executed().size()) +
         executed_sets_.take(out.executed, [](auto) {});
}

bool KnownExpander::expand(StateBytes state, bool may_reduce, Batch& batch) {
  Expansion& out = batch.out;
  out.begin_next();
  out.asked.may_reduce = may_reduce;
  after_.expand(state, out);
  executed_steps_ += out.last_successors().size();
  const auto counts = [&](const Finding& finding) { return counted_.contains(finding.kind); };
  if (out.was_cut || std::ranges::any_of(out.last_findings(), counts)) return false;
  batch.states.push_back({out.first_successor, out.successors.size(), out.inner_steps, take_executed(out),
                          out.is_reduced, out.is_reduced_for_deadlocks});
  return true;
}

void KnownExpander::add_executed(std::span<const Batch* const> batches,
                                 std::vector<std::uint8_t>& flags) const {
  for (std::uint32_t set = 0; set < executed_sets_.size(); ++set) {
    for (const std::uint32_t statement : executed_sets_[set]) flags[statement] = 1;
  }
  for (const Batch* const batch : batches) {
    const std::vector<std::uint8_t>& executed = batch->out.executed;
    for (std::size_t i = 0; i < executed.size(); ++i) flags[i] |= executed[i];
  }
}

PackedStates KnownExpander::translated_states(FramedWriter& file) {
  PackedStates states([&](std::string_view chunk) { file.add(kStatesRecord, chunk); });
  for (StateIndex number = 0; number < graph_.bound(); ++number) {
    const StateBytes bytes = graph_.new_bytes_of(number, *own_);
    if (bytes.empty()) {
      states.add_gap();
    } else {
      states.add(bytes);
    }
  }
  return states;
}

StateSample KnownExpander::sample() {
  const std::uint64_t count = graph_.bound() + graph_.new_states();
  StateSample sample(count);
  const LookingUp looking_up(graph_);
  while (sample.next() < count) {
    const std::uint64_t i = sample.next();
    sample.add(after_, i < graph_.bound() ? graph_.new_bytes_of(static_cast<StateIndex>(i), *own_)
                                          : graph_.new_state(i - graph_.bound(), *own_));
  }
  return sample;
}

void KnownExpander::save(RecordingHead head, PackedStates&& states, FramedReader& before,
                         const std::string& path, const StateRanks* ranks) {
  const std::size_t old_chunks = states.codes().size();
  StatementSets executed_sets = graph_.executed();
  for (std::uint32_t set = 0; set < executed_sets_.size(); ++set)
    executed_sets.emplace_back(executed_sets_[set].begin(), executed_sets_[set].end());
  const auto add_new = [&](PackedStates& to) {
    for (std::uint64_t i = 0; i < graph_.new_states(); ++i) to.add(graph_.new_state(i, *own_));
  };
  const ChunkSource steps = {head.has_steps ? std::vector{&before} : std::vector<FramedReader*>{},
                             head.has_steps ? &new_steps_ : nullptr};
  const auto write = [&](const PackedStates& all, const ChunkSource& chunks) {
    head.state_count = all.size();
    spoor::save(head, {executed_sets, all.shapes_text(), chunks, steps, nullptr, ranks}, path);
  };
  head.sample = sample();
  go_to_states(before);
  if (graph_.is_identity() && !graph_.leaves_out_states(*own_)) {
    {
      const LookingUp looking_up(graph_);
      add_new(states);  // which makes numbers and bytes of recorded states unusable
    }
    return write(states, {{&before}, &states.codes(), old_chunks});
  }
  FramedWriter file(FramedWriter::Unnamed{std::filesystem::path(path).parent_path().string()},
                    kRecordingFormat);
  const LookingUp looking_up(graph_);
  PackedStates translated = translated_states(file);
  add_new(translated);
  translated.give_rest();
  file.finish();
  FramedReader reader(file, kRecordingFormat);
  skip_states(before);
  write(translated, {{&reader}});
}

}  // namespace spoor
