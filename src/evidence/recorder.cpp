#include "evidence/recorder.h"

#include <algorithm>
#include <array>
#include <new>

#include "evidence/step_code.h"

namespace spoor {
namespace {

constexpr const char* kNoMemory = "not recorded: there is not enough memory, or there are too many steps";

std::string cannot_write(const FramedFileError& error) {
  return std::string("not recorded: the recording ") + error.what();
}

}  // namespace

class Recorder::Worker : public WorkerObserver {
 public:
  explicit Worker(Recorder& recorder) : recorder_(recorder) {
    if (recorder_.with_steps_) attempt([&] { file = recorder_.unnamed_file(kRecordingFormat.level); });
  }

  bool wants_states() const override { return false; }
  bool wants_steps() const override { return recorder_.with_steps_; }
  bool wants_executed() const override { return recorder_.with_steps_; }
  void on_executed_set(std::span<const std::uint32_t> set) override {
    sets_.push_back(recorder_.number_of_set(set));
  }
  void on_expanded(const ExpandedEvent& event) override {
    if (why_not.empty()) attempt([&] { add(event); });
  }
  void end() {
    if (why_not.empty() && file != nullptr) attempt([&] { steps_.give_rest(), file->finish(); });
  }

  std::unique_ptr<FramedWriter> file;
  std::string why_not;  // nothing more is recorded; empty: it is

 private:
  // A search that could be finished without a recording does not end for lack of memory, or of a disk.
  template <class Action>
  void attempt(const Action& action) {
    try {
      action();
    } catch (const std::bad_alloc&) {
      why_not = kNoMemory;
    } catch (const FramedFileError& error) {
      why_not = cannot_write(error);
    }
  }

  void add(const ExpandedEvent& event) {
    std::uint8_t flags = event.is_complete ? RecordedState::kExpanded : 0;
    if (event.was_reduced) flags |= RecordedState::kReduced;
    if (!event.findings.empty()) flags |= RecordedState::kSpecial;
    if (event.is_again_in_full) [[unlikely]]
      return add_twice(event, flags);
    encoder_.add(event.source, {event.arrivals.size(), flags, sets_[event.executed], event.inner_steps},
                 [&](std::uint64_t i) { return event.arrivals[i].index; });
  }
  void add_twice(const ExpandedEvent& event, std::uint8_t flags) {
    state_.targets.clear();
    for (const Insertion& arrival : event.arrivals) state_.targets.push_back(arrival.index);
    state_.executed = sets_[event.executed];
    state_.inner_steps = event.inner_steps;
    bool is_known = false;
    if (event.first_attempt != nullptr) {
      is_known = find_steps(event.steps, event.first_attempt->steps, state_.tried);
      state_.tried_executed = sets_[event.first_attempt->executed];
      state_.tried_inner_steps = event.first_attempt->inner_steps;
    }
    state_.flags = flags | (is_known ? RecordedState::kTwice : RecordedState::kSpecial);
    encoder_.add(event.source, state_);
  }

  Recorder& recorder_;
  std::vector<std::uint32_t> sets_;  // by number of the worker: number in the recording
  Chunks steps_{[this](std::string_view chunk) { file->add(kStepsRecord, chunk); }};
  StepEncoder encoder_{steps_};
  RecordedState state_;
};

Recorder::~Recorder() = default;

std::unique_ptr<FramedWriter> Recorder::unnamed_file(int level) const {
  FileFormat format = kRecordingFormat;
  format.level = level;
  return std::make_unique<FramedWriter>(FramedWriter::Unnamed{folder_}, format);
}

std::uint32_t Recorder::number_of_set(std::span<const std::uint32_t> set) {
  const std::lock_guard lock(sets_lock_);
  const auto [known, is_new] =
      set_numbers_.try_emplace({set.begin(), set.end()}, static_cast<std::uint32_t>(executed_.size()));
  if (is_new) executed_.emplace_back(set.begin(), set.end());
  return known->second;
}

std::unique_ptr<WorkerObserver> Recorder::make_worker_observer() { return std::make_unique<Worker>(*this); }

void Recorder::merge(WorkerObserver& worker) {
  auto& part = static_cast<Worker&>(worker);
  part.end();
  if (!part.why_not.empty()) {
    lacking_ = part.why_not;
    return;
  }
  if (part.file != nullptr) steps_files_.push_back(std::move(part.file));
}

void Recorder::add_range(KeptStates& states, IndexRange range) {
  constexpr std::size_t kMost = 64;
  std::array<KeptState, kMost> room;
  for (StateNumber number = range.begin; number < range.end;) {
    if (sample_.next() == states_.size()) sample_.add(system_, states.get(number));
    if (bytes_of_) {
      states_.add(bytes_of_(states.get(number++)));
      continue;
    }
    const std::size_t most =
        std::min<std::size_t>({kMost, range.end - number, sample_.next() - states_.size()});
    const std::size_t count = states.as_kept(number, std::span(room).first(most));
    states_.add_kept(std::span(room).first(count));
    number += static_cast<StateNumber>(count);
  }
}

void Recorder::add_states(KeptStates& states) {
  sample_ = StateSample(states.bound());
  is_complete_ = states.is_complete();
  const std::span<const IndexRange> by_level = states.by_level();
  is_ordered_ =
      !by_level.empty() && (!with_steps_ || std::ranges::is_sorted(by_level, {}, &IndexRange::begin));
  if (is_ordered_ && !with_steps_) {
    for (const IndexRange& range : by_level) add_range(states, range);
    return;
  }
  std::vector<IndexRange> gaps(states.gaps().begin(), states.gaps().end());
  std::ranges::sort(gaps, {}, &IndexRange::begin);
  StateNumber bound = states.bound();
  for (auto gap = gaps.rbegin(); gap != gaps.rend() && gap->end == bound; ++gap) bound = gap->begin;
  StateNumber number = 0;
  for (const IndexRange& gap : gaps) {
    if (gap.begin >= bound) break;
    add_range(states, {number, gap.begin});
    for (number = gap.begin; number < gap.end; ++number) states_.add_gap();
  }
  add_range(states, {number, bound});
}

void Recorder::on_end(KeptStates& states) {
  why_not_ = lacking_;
  if (!why_not_.empty() || !(with_steps_ || states.is_complete())) return;
  try {
    states_file_ = unnamed_file(with_steps_ ? kRecordingFormat.level : FileFormat::kStored);
    states_ = PackedStates([this](std::string_view chunk) { states_file_->add(kStatesRecord, chunk); });
    add_states(states);
    states_.give_rest();
    states_file_->finish();
  } catch (const std::bad_alloc&) {
    why_not_ = kNoMemory;
  } catch (const FramedFileError& error) {
    why_not_ = cannot_write(error);
  }
}

void Recorder::save(RecordingHead head, const std::string& path) {
  if (with_steps_) {
    std::vector<std::uint8_t> executed(system_.statements().size());
    for (const std::vector<std::uint32_t>& set : executed_) {
      for (const std::uint32_t statement : set) executed[statement] = 1;
    }
    head.elements = elements_after(system_, executed);
  }
  head.has_steps = with_steps_;
  head.sample = sample_;
  head.is_ordered = is_ordered_;
  head.is_closed = is_complete_ && head.answer && !head.answer->is_violated;
  head.state_count = states_.size();
  FramedReader states(*states_file_, kRecordingFormat);
  std::vector<std::unique_ptr<FramedReader>> steps;
  RecordingParts parts = {executed_, states_.shapes_text(), {{&states}}, {}};
  for (const std::unique_ptr<FramedWriter>& file : steps_files_) {
    steps.push_back(std::make_unique<FramedReader>(*file, kRecordingFormat));
    parts.steps.files.push_back(steps.back().get());
  }
  spoor::save(head, parts, path);
}

}  // namespace spoor
