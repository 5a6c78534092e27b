#include "evidence/recorder.h"

#include <algorithm>
#include <new>

namespace spoor {
namespace {

constexpr unsigned kWordBits = 64;

// Sets bits; there are as many as needed.
class Told {
 public:
  void add(StateNumber number) {
    if (number / kWordBits >= words.size()) [[unlikely]]
      words.resize(std::max<std::size_t>(2 * words.size(), number / kWordBits + 1));
    words[number / kWordBits] |= std::uint64_t{1} << number % kWordBits;
  }
  std::vector<std::uint64_t> words;
};

}  // namespace

class Recorder::Worker : public WorkerObserver {
 public:
  bool wants_states() const override { return false; }
  bool wants_executed() const override { return true; }
  void on_executed_set(std::span<const std::uint32_t> set) override {
    executed.emplace_back(set.begin(), set.end());
  }
  // A search that could be finished without a recording does not end for lack of memory.
  void on_expanded(const ExpandedEvent& event) override {
    if (is_full) return;
    try {
      add(event);
    } catch (const std::bad_alloc&) {
      is_full = true;
      steps = Chunks(true);
    }
  }

  Chunks steps{true};
  std::vector<std::vector<std::uint32_t>> executed;
  Told told;
  bool is_full = false;

 private:
  void add(const ExpandedEvent& event) {
    // A state that was new to an expansion which was then given up is not new to the one in full.
    for (const Insertion& arrival : event.arrivals) {
      if (arrival.is_new || event.is_again_in_full) told.add(arrival.index);
    }
    std::uint8_t flags = event.is_complete ? RecordedState::kExpanded : 0;
    if (event.was_reduced) flags |= RecordedState::kReduced;
    if (!event.findings.empty()) flags |= RecordedState::kSpecial;
    if (event.is_again_in_full) [[unlikely]]
      return add_twice(event, flags);
    writer_.add(event.source, {event.arrivals.size(), flags, event.executed, event.inner_steps},
                [&](std::uint64_t i) { return event.arrivals[i].index; });
  }
  void add_twice(const ExpandedEvent& event, std::uint8_t flags) {
    state_.targets.clear();
    for (const Insertion& arrival : event.arrivals) state_.targets.push_back(arrival.index);
    state_.executed = event.executed;
    state_.inner_steps = event.inner_steps;
    bool is_known = false;
    if (event.first_attempt != nullptr) {
      is_known = find_steps(event.steps, event.first_attempt->steps, state_.tried);
      state_.tried_executed = event.first_attempt->executed;
      state_.tried_inner_steps = event.first_attempt->inner_steps;
    }
    state_.flags = flags | (is_known ? RecordedState::kTwice : RecordedState::kSpecial);
    writer_.add(event.source, state_);
  }

  EntryWriter writer_{steps};
  RecordedState state_;
};

std::unique_ptr<WorkerObserver> Recorder::make_worker_observer() { return std::make_unique<Worker>(); }

void Recorder::merge(WorkerObserver& worker) {
  auto& part = static_cast<Worker&>(worker);
  is_too_much_ |= part.is_full;
  if (is_too_much_) return;
  try {
    add_part(part);
  } catch (const std::bad_alloc&) {
    is_too_much_ = true;
  }
}

void Recorder::add_part(Worker& part) {
  is_told_of_.resize(std::max(is_told_of_.size(), part.told.words.size()));
  for (std::size_t i = 0; i < part.told.words.size(); ++i) is_told_of_[i] |= part.told.words[i];
  const auto sets_before = static_cast<Chunks::Header>(recording_.executed.size());
  for (std::size_t i = 0; i < part.steps.size(); ++i) part.steps.set_header(i, sets_before);
  for (std::vector<std::uint32_t>& set : part.executed) recording_.executed.push_back(std::move(set));
  recording_.steps.append(std::move(part.steps));
}

void Recorder::add_states(KeptStates& states) {
  StateNumber bound = 1;  // there is always the initial state, whose number is 0
  is_told_of_.resize(std::max<std::size_t>(1, is_told_of_.size()));
  is_told_of_[0] |= 1;
  for (std::size_t i = 0; i < is_told_of_.size(); ++i) {
    if (is_told_of_[i] != 0)
      bound = static_cast<StateNumber>((i + 1) * kWordBits -
                                       static_cast<unsigned>(__builtin_clzll(is_told_of_[i])));
  }
  for (StateNumber number = 0; number < bound; ++number) {
    if ((is_told_of_[number / kWordBits] >> number % kWordBits & 1) == 0) {
      recording_.states.add_gap();
    } else if (bytes_of_) {
      recording_.states.add(bytes_of_(states.get(number)));
    } else {
      const KeptState kept = states.as_kept(number);
      if (kept.shape != nullptr) {
        recording_.states.add_code(*kept.shape, kept.bytes.data());
      } else {
        recording_.states.add(kept.bytes);
      }
    }
  }
}

void Recorder::on_end(KeptStates& states) {
  if (is_too_much_) return;
  try {
    add_states(states);
  } catch (const std::bad_alloc&) {
    recording_ = {};
    return;
  }
  std::vector<std::uint8_t> executed(system_.statements().size());
  for (const std::vector<std::uint32_t>& set : recording_.executed) {
    for (const std::uint32_t statement : set) executed[statement] = 1;
  }
  recording_.elements = elements_after(system_, executed);
  recording_.state_count = recording_.states.size();
  is_complete_ = true;
}

bool Recorder::take(Recording& recording) {
  if (!is_complete_) return false;
  recording = std::move(recording_);
  return true;
}

}  // namespace spoor
