#include "evidence/full_script_recorder.h"

#include <algorithm>
#include <array>

namespace spoor {
namespace {

constexpr StateNumber kInitial = 0;
constexpr std::uint32_t kNoLabel = UINT32_MAX;  // of a system that has none

// An entry: its steps, eight times, and these; then for each step twice its index in the table, plus 1 if its
// target was new; then the number of its target, less that of the state (zigzag).
constexpr std::uint64_t kInFull = 1, kEntryUnit = 2;

struct Entry {
  const std::uint8_t* at = nullptr;
  std::uint64_t steps = 0;
  bool in_full = false;

  explicit Entry(const std::uint8_t* begin) : at(begin) {
    const std::uint64_t head = number_at(at);
    steps = head / kEntryUnit;
    in_full = (head & kInFull) != 0;
  }
};

struct EntryStep {
  std::uint32_t step = 0;
  bool is_new = false;
  StateNumber target = 0;

  EntryStep(const std::uint8_t*& at, StateNumber source) {
    const std::uint64_t code = number_at(at);
    step = static_cast<std::uint32_t>(code >> 1);
    is_new = (code & 1) != 0;
    target = static_cast<StateNumber>(std::int64_t{source} + signed_number_at(at));
  }
};

}  // namespace

class FullScriptRecorder::Worker : public WorkerObserver {
 public:
  explicit Worker(FullScriptRecorder& recorder) : recorder_(recorder) {}

  bool wants_states() const override { return false; }
  bool wants_labels() const override { return true; }
  void on_expanded(const ExpandedEvent& event) override {
    attempt(why_not, [&] { add(event); });
  }

  std::string why_not;

 private:
  struct Known {
    StepId name;
    std::uint32_t label = 0, index = 0;
    bool is_there = false;
  };
  struct HashOfStep {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint32_t>& step) const {
      return static_cast<std::size_t>((step.first ^ std::uint64_t{step.second} << 32) * 0x9e3779b97f4a7c15 >>
                                      20);
    }
  };

  // In the table. Searches name few different steps, so that those last seen are found at once.
  std::uint32_t index_of(StepId name, std::uint32_t label) {
    const std::pair<std::uint64_t, std::uint32_t> key(name.number(), label);
    const std::size_t hash = HashOfStep()(key);
    Known& recent = recent_[hash % recent_.size()];
    if (recent.is_there && recent.name == name && recent.label == label) [[likely]]
      return recent.index;
    const auto [found, is_new] = indexes_.emplace(key, static_cast<std::uint32_t>(recorder_.steps_.size()));
    if (is_new) recorder_.steps_.emplace_back(name, label);
    recent = {name, label, found->second, true};
    return found->second;
  }

  void add(const ExpandedEvent& event) {
    const std::size_t count = event.arrivals.size();
    const auto is_new = [](const Insertion& arrival) { return arrival.is_new; };
    const auto fresh = static_cast<std::size_t>(std::ranges::count_if(event.arrivals, is_new));
    std::uint8_t* to = recorder_.entries_.begin_entry((1 + 2 * count) * kMostNumberBytes);
    const Chunks::Place place = recorder_.entries_.place_of(to);
    // Of a trustful script, those to new states.
    const std::size_t kept = recorder_.is_trustful_ ? fresh : count;
    to = put_at(to, kept * kEntryUnit | (event.is_again_in_full ? kInFull : 0));
    for (std::size_t i = 0; i < count; ++i) {
      const Insertion& arrival = event.arrivals[i];
      if (!arrival.is_new) {
        if (recorder_.is_trustful_) continue;
        recorder_.uses_.add(arrival.index);
      }
      const std::uint64_t step =
          index_of(event.steps[i], i < event.labels.size() ? event.labels[i] : kNoLabel);
      to = put_at(to, step << 1 | (arrival.is_new ? 1 : 0));
      to = put_signed_at(to, std::int64_t{arrival.index} - std::int64_t{event.source});
    }
    recorder_.tree_steps_ += fresh;
    recorder_.entries_.end_entry(to);
    recorder_.all_steps_ += count;
    ++recorder_.states_;
    auto& notes = recorder_.notes_;
    if (event.source >= notes.size())
      notes.resize(std::max<std::size_t>(std::size_t{event.source} + 1, notes.size() + notes.size() / 2));
    notes[event.source] = {place, 0, kept};
  }

  FullScriptRecorder& recorder_;
  std::unordered_map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t, HashOfStep> indexes_;
  std::array<Known, 1024> recent_ = {};
};

FullScriptRecorder::~FullScriptRecorder() = default;

std::unique_ptr<WorkerObserver> FullScriptRecorder::make_worker_observer() {
  entries_ = Chunks();
  notes_.clear();
  uses_ = {};
  steps_.clear();
  states_ = tree_steps_ = all_steps_ = 0;
  return std::make_unique<Worker>(*this);
}

void FullScriptRecorder::merge(WorkerObserver& worker) { lacking_ = static_cast<Worker&>(worker).why_not; }

void FullScriptRecorder::on_end(KeptStates& states) {
  // Behind a depth limit states were not expanded.
  if (!states.is_complete() || states_ != tree_steps_ + 1) return;
  why_not_ = lacking_;
  if (why_not_.empty() && (states_ >= kMostScriptStates || steps_.size() > kMostNamedSteps))
    why_not_ = "the model has more states or steps than a script can name";
  if (!why_not_.empty()) return;
  add_up_sizes();
  initial_state_ = as_text(states.get(kInitial));
}

void FullScriptRecorder::add_up_sizes() {
  for (auto state = static_cast<StateNumber>(states_); state-- > 0;) {
    Entry entry(entries_.at(notes_[state].entry));
    for (; entry.steps > 0; --entry.steps) {
      const EntryStep step(entry.at, state);
      if (step.is_new) notes_[state].size += notes_[step.target].size;
    }
  }
}

void FullScriptRecorder::write_steps(FramedWriter& file) const {
  constexpr std::size_t kRecordBytes = std::size_t{1} << 16;
  const std::vector<Element>& statements = system_.statements();
  std::string record;
  for (const auto& [name, label] : steps_) {
    put_step(record, {name, label < statements.size() ? statements[label].key : std::string()});
    if (record.size() < kRecordBytes) continue;
    file.add(kStepNamesRecord, record);
    record.clear();
  }
  if (!record.empty()) file.add(kStepNamesRecord, record);
}

void FullScriptRecorder::write_parts(FramedWriter& file) {
  using Kind = ScriptInstruction::Kind;
  struct Frame {
    StateNumber state = 0;
    const std::uint8_t* at = nullptr;
    std::uint64_t left = 0;
  };
  const auto entry_of = [&](StateNumber state) { return Entry(entries_.at(notes_[state].entry)); };
  std::vector<Frame> path;
  const auto enter = [&](StateNumber state) {
    const Entry entry = entry_of(state);
    path.push_back({state, entry.at, entry.steps});
  };
  ScriptPartWriter part(is_trustful_);
  const auto add = [&](const ScriptInstruction& instruction) {
    if (part.add(instruction, per_part_)) file.add(kScriptPartRecord, part.take());
  };
  std::uint32_t next = 1;
  enter(kInitial);
  while (!path.empty()) {
    Frame& frame = path.back();
    if (frame.left == 0) {
      add({});
      path.pop_back();
      continue;
    }
    --frame.left;
    const EntryStep step(frame.at, frame.state);
    StateNote& note = notes_[step.target];
    if (step.is_new) {
      note.number = next++;
      add({Kind::kNew,
           step.step,
           0,
           {is_trustful_ ? 0 : uses_[step.target], note.size, entry_of(step.target).in_full}});
      enter(step.target);
    } else {
      add({Kind::kKnown, step.step, note.number, {}});
    }
  }
  if (!part.is_empty()) file.add(kScriptPartRecord, part.take());
}

void FullScriptRecorder::save(CertificateClaim claim) {
  claim.states = states_;
  claim.steps = is_trustful_ ? tree_steps_ : all_steps_;
  claim.regions = 0;
  claim.initial_state = initial_state_;
  const StateNote& initial = notes_[kInitial];
  FramedWriter file(path_, kCertificateFormat, {{"model", claim.model}});
  file.add(kScriptClaimRecord, encoded_script_claim({std::move(claim),
                                                     is_trustful_,
                                                     {is_trustful_ ? 0 : uses_[kInitial], initial.size,
                                                      Entry(entries_.at(initial.entry)).in_full}}));
  write_steps(file);
  write_parts(file);
  file.finish();
}

}  // namespace spoor
