#include "evidence/recorder.h"

#include <algorithm>
#include <map>

#include "base/packed_numbers.h"

namespace spoor {

class Recorder::Worker : public WorkerObserver {
 public:
  bool wants_states() const override { return false; }
  bool wants_executed() const override { return true; }
  void on_executed_set(std::span<const std::uint32_t> set) override {
    part.executed.emplace_back(set.begin(), set.end());
  }
  void on_expanded(const ExpandedEvent& event) override {
    const StateNumber source = event.source;
    part.bound = std::max(part.bound, source + 1);
    state_.flags = event.is_complete ? RecordedState::kExpanded : 0;
    if (event.was_reduced) state_.flags |= RecordedState::kReduced;
    if (!event.findings.empty()) state_.flags |= RecordedState::kSpecial;
    state_.executed = event.executed;
    state_.inner_steps = event.inner_steps;
    state_.targets.clear();
    for (const Insertion& arrival : event.arrivals) {
      part.bound = std::max(part.bound, arrival.index + 1);
      state_.targets.push_back(arrival.index);
    }
    if (event.is_again_in_full) note_first_attempt(event);
    put(part.steps, source);
    put(part.steps, source, state_);
  }

  Part part;

 private:
  void note_first_attempt(const ExpandedEvent& event) {
    state_.tried.clear();
    if (event.first_attempt) {
      // Names ascend in both.
      const StepNames& tried = event.first_attempt->steps;
      std::size_t at = 0;
      for (std::uint32_t i = 0; i < event.steps.size() && at < tried.size(); ++i) {
        if (event.steps[i] != tried[at]) continue;
        state_.tried.push_back(i);
        ++at;
      }
      state_.tried_executed = event.first_attempt->executed;
      state_.tried_inner_steps = event.first_attempt->inner_steps;
    }
    const bool is_known = event.first_attempt && state_.tried.size() == event.first_attempt->steps.size();
    state_.flags |= is_known ? RecordedState::kTwice : RecordedState::kSpecial;
  }

  RecordedState state_;
};

std::unique_ptr<WorkerObserver> Recorder::make_worker_observer() { return std::make_unique<Worker>(); }

void Recorder::merge(WorkerObserver& worker) {
  parts_.push_back(std::move(static_cast<Worker&>(worker).part));
}

void Recorder::on_end(KeptStates& states) {
  constexpr std::size_t kNowhere = SIZE_MAX;
  StateNumber bound = 1;  // there is always the initial state, whose number is 0
  for (const Part& part : parts_) bound = std::max(bound, part.bound);
  struct Place {
    std::size_t at = kNowhere;  // of the entry in the part
    std::uint32_t part = 0;
    bool exists = false;
  };
  std::vector<Place> places(bound);
  places[0].exists = true;
  RecordedState state;
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    const std::string& steps = parts_[i].steps;
    for (RecordReader reader(steps); !reader.is_at_end();) {
      const auto source = static_cast<StateNumber>(reader.number());
      places[source] = {steps.size() - reader.rest().size(), i, true};
      read(reader, source, bound, state);
      for (const StateNumber target : state.targets) places[target].exists = true;
    }
  }

  std::vector<StateNumber> dense(bound);
  for (StateNumber number = 0; number < bound; ++number) {
    dense[number] = recording_.states;
    if (places[number].exists) ++recording_.states;
  }
  std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_of_sets;
  std::vector<std::vector<std::uint32_t>> set_of(parts_.size());  // by part and its own number
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    for (const std::vector<std::uint32_t>& set : parts_[i].executed) {
      const auto [at, is_new] =
          numbers_of_sets.emplace(set, static_cast<std::uint32_t>(recording_.executed.size()));
      if (is_new) recording_.executed.push_back(set);
      set_of[i].push_back(at->second);
    }
  }

  for (StateNumber number = 0; number < bound; ++number) {
    const Place& place = places[number];
    if (!place.exists) continue;
    StateBytes bytes = states.get(number);
    if (bytes_of_) bytes = bytes_of_(bytes);
    put_bytes(recording_.bytes, as_text(bytes));
    state.flags = 0;
    if (place.at != kNowhere) {
      RecordReader reader(std::string_view(parts_[place.part].steps).substr(place.at));
      read(reader, number, bound, state);
    }
    if (state.is(RecordedState::kExpanded)) {
      state.executed = set_of[place.part][state.executed];
      if (state.is(RecordedState::kTwice)) state.tried_executed = set_of[place.part][state.tried_executed];
      for (StateNumber& target : state.targets) target = dense[target];
    } else {
      state = {};
    }
    put(recording_.steps, dense[number], state);
  }
  parts_.clear();
  is_complete_ = true;
}

bool Recorder::take(Recording& recording) {
  if (!is_complete_) return false;
  recording.states = recording_.states;
  recording.bytes = std::move(recording_.bytes);
  recording.steps = std::move(recording_.steps);
  recording.executed = std::move(recording_.executed);
  return true;
}

}  // namespace spoor
