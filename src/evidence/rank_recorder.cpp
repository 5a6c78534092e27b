#include "evidence/rank_recorder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

namespace spoor {
class RankRecorder::Worker : public WorkerObserver {
 public:
  explicit Worker(MemoryShare& memory) : memory_(memory) {}

  bool wants_states() const override { return false; }
  void on_expanded(const ExpandedEvent& event) override {
    attempt(why_not, [&] {
      steps_.clear();
      for (std::size_t i = 0; i < event.arrivals.size(); ++i) {
        references.add(event.arrivals[i].index);
        steps_.push_back({event.arrivals[i].index, i < event.marks.size() ? event.marks[i] : 0});
      }
      graph.add(event.source, steps_);
      if (++since_count_ == kCountEvery) count_memory();
    });
    if (!why_not.empty() && graph.bound() != 0) {  // it is in vain
      graph = {};
      references = {};
    }
  }

  std::string why_not;
  RunGraph graph;
  ReferenceCounts references;

 private:
  static constexpr unsigned kCountEvery = 256;

  void count_memory() {
    since_count_ = 0;
    const std::uint64_t bytes = graph.memory_bytes() + references.memory_bytes();
    memory_.change(std::exchange(counted_, bytes), bytes);
  }

  MemoryShare& memory_;
  std::uint64_t counted_ = 0;
  unsigned since_count_ = 0;
  std::vector<RunStep> steps_;
};

// An eighth of the memory, but not so little that every few members are a file.
std::size_t RankRecorder::bounded_run(std::size_t run_bytes, std::uint64_t memory_bytes) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 20;
  if (memory_bytes == 0) return run_bytes;
  return static_cast<std::size_t>(std::min<std::uint64_t>(run_bytes, std::max(kLeast, memory_bytes / 8)));
}

RankRecorder::RankRecorder(const std::string& path, const OmegaSystem& system, std::size_t run_bytes,
                           std::uint64_t memory_bytes)
    : CertificateRecorder(path),
      rule_(system),
      run_bytes_(bounded_run(run_bytes, memory_bytes)),
      memory_(memory_bytes),
      initial_state_(as_text(std::span<const std::byte>(system.initial_state()))),
      members_(path, run_bytes_, true) {}

RankRecorder::~RankRecorder() = default;

std::unique_ptr<WorkerObserver> RankRecorder::make_worker_observer() {
  return std::make_unique<Worker>(memory_);
}

void RankRecorder::merge(WorkerObserver& worker) {
  auto& part = static_cast<Worker&>(worker);
  lacking_ = lacking_.empty() ? part.why_not : lacking_;
  attempt(lacking_, [&] {
    references_.add(part.references);
    if (graph_.bound() == 0) {
      graph_ = std::move(part.graph);
    } else {
      memory_.change(0, part.graph.memory_bytes());  // there are two of it for a while
      graph_.add(part.graph);
    }
  });
}

void RankRecorder::write_members(KeptStates& states, const std::vector<Rank>& ranks) {
  std::string member;
  std::vector<StepRank> others;
  for_each_number(states, [&](StateNumber number) {
    member = as_text(states.get(number));
    const Rank own = ranks[number];
    const bool is_initial = member == initial_state_;
    if (is_initial) initial_rank_ = own;
    append_rank(member, own);
    others.clear();
    std::uint32_t at = 0;
    for (RunGraph::Steps steps(graph_, number); !steps.is_at_end(); ++at) {
      const Rank rank = ranks[steps.next().target];
      if (rank != own) others.push_back({at, rank});
    }
    members_.add(member, references_[number] + (is_initial ? 1 : 0), encoded_step_ranks(own, others));
    ++states_;
  });
  members_.finish();
}

void RankRecorder::on_end(KeptStates& states) {
  if (!states.is_complete()) return;
  why_not_ = lacking_;
  attempt(why_not_, [&] {
    const std::optional<std::vector<Rank>> ranks = ranks_of(graph_, rule_, memory_);
    if (!ranks) throw std::logic_error("a search has found no bad cycle, and there are no ranks");
    memory_.require(ranks->size() * sizeof(Rank) + 2 * run_bytes_);
    write_members(states, *ranks);
  });
}

void RankRecorder::save(CertificateClaim claim) {
  claim.states = states_;
  claim.steps = graph_.steps();
  claim.initial_state = initial_state_;
  FramedWriter file(path_, kCertificateFormat, {{"model", claim.model}});
  write_closed_set(file, claim, members_.take_entries(), members_.chunks(), initial_rank_);
}

}  // namespace spoor
