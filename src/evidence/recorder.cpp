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
    std::uint64_t flags = event.is_complete ? StateFlags::kExpanded : 0;
    if (event.was_reduced) flags |= StateFlags::kReduced;
    if (event.is_again_in_full || !event.findings.empty()) flags |= StateFlags::kSpecial;
    put(part.steps, source);
    put(part.steps, event.arrivals.size() * StateFlags::kFlags + flags);
    put(part.steps, event.executed);
    put(part.steps, event.inner_steps);
    for (const Insertion& arrival : event.arrivals) {
      part.bound = std::max(part.bound, arrival.index + 1);
      put_signed(part.steps, std::int64_t{arrival.index} - std::int64_t{source});
    }
  }

  Part part;
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
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    const std::string& steps = parts_[i].steps;
    for (RecordReader reader(steps); !reader.is_at_end();) {
      const auto source = static_cast<StateNumber>(reader.number());
      places[source] = {steps.size() - reader.rest().size(), i, true};
      const std::uint64_t count = reader.number() / StateFlags::kFlags;
      reader.number();
      reader.number();
      for (std::uint64_t left = count; left > 0; --left)
        places[static_cast<StateNumber>(source + reader.signed_number())].exists = true;
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
    if (place.at == kNowhere) {
      put(recording_.steps, 0);
      continue;
    }
    RecordReader reader(std::string_view(parts_[place.part].steps).substr(place.at));
    const std::uint64_t head = reader.number();
    const bool is_expanded = (head & StateFlags::kExpanded) != 0;
    put(recording_.steps, is_expanded ? head : 0);
    if (!is_expanded) continue;
    put(recording_.steps, set_of[place.part][reader.number()]);
    put(recording_.steps, reader.number());
    for (std::uint64_t left = head / StateFlags::kFlags; left > 0; --left) {
      const auto target = static_cast<StateNumber>(number + reader.signed_number());
      put_signed(recording_.steps, std::int64_t{dense[target]} - std::int64_t{dense[number]});
    }
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
