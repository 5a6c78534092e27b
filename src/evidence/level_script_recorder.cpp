#include "evidence/level_script_recorder.h"

#include <bit>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "evidence/region_cut.h"

namespace spoor {
namespace {

// An entry: four times the number of transitions, plus 1 if it was expanded in full although it could have
// been reduced, plus 2 if it was reduced; then the flags, in which bits beyond the last transition are zero.
constexpr std::uint64_t kAgainInFull = 1, kWasReduced = 2, kStepUnit = 4;

struct LevelEntry {
  std::uint64_t steps = 0;
  bool in_full = false;
  bool was_reduced = false;
  std::string_view flags;

  explicit LevelEntry(const std::uint8_t* at) {
    const std::uint64_t head = number_at(at);
    steps = head / kStepUnit;
    in_full = (head & kAgainInFull) != 0;
    was_reduced = (head & kWasReduced) != 0;
    flags = {reinterpret_cast<const char*>(at), flag_bytes(steps)};
  }
  const std::uint8_t* end() const {
    return reinterpret_cast<const std::uint8_t*>(flags.data()) + flags.size();
  }
  StateNumber children() const {
    StateNumber count = 0;
    for (const char byte : flags)
      count += static_cast<StateNumber>(std::popcount(static_cast<unsigned char>(byte)));
    return count;
  }
};

}  // namespace

class LevelScriptRecorder::Worker : public WorkerObserver {
 public:
  explicit Worker(LevelScriptRecorder& recorder) : recorder_(recorder) {}

  bool wants_states() const override { return false; }
  void on_expanded(const ExpandedEvent& event) override {
    attempt(why_not, [&] { add(event); });
  }

  std::string why_not;
  bool is_in_order = true;
  StateNumber found = 1;  // states, and the number of the next one

 private:
  void add(const ExpandedEvent& event) {
    // A search that ends early leaves states out.
    is_in_order &= event.source == recorder_.states_;
    const std::size_t count = event.arrivals.size();
    std::uint8_t* to = recorder_.entries_.begin_entry(kMostNumberBytes + flag_bytes(count));
    to = put_at(to, count * kStepUnit | (event.was_reduced ? kWasReduced : 0) |
                        (event.is_again_in_full ? kAgainInFull : 0));
    std::uint8_t flags = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Insertion& arrival = event.arrivals[i];
      if (arrival.is_new) {
        is_in_order &= arrival.index == found++;
        flags |= static_cast<std::uint8_t>(1u << (i & 7));
      } else {
        recorder_.references_.add(arrival.index);
      }
      if ((i & 7) != 7 && i + 1 != count) continue;
      *to++ = flags;
      flags = 0;
    }
    recorder_.entries_.end_entry(to);
    ++recorder_.states_;
    recorder_.steps_ += count;
  }

  LevelScriptRecorder& recorder_;
};

// Cuts the tree into regions, and writes these.
class LevelScriptRecorder::Tree {
 public:
  Tree(LevelScriptRecorder& recorder, KeptStates& states)
      : recorder_(recorder), states_(states), choice_(recorder.least_steps_, recorder.steps_) {
    const std::size_t count = recorder.states_;
    places_.reserve(count);
    first_children_.reserve(count + 1);
    StateNumber next = 1;
    const Chunks& entries = recorder.entries_;
    for (std::size_t chunk = 0; chunk < entries.size(); ++chunk) {
      const std::string_view bytes = entries.chunk(chunk);
      const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.data());
      for (const std::uint8_t* at = begin; at != begin + bytes.size();) {
        const LevelEntry entry(at);
        places_.push_back(Chunks::place(chunk, static_cast<std::size_t>(at - begin)));
        first_children_.push_back(next);
        next += entry.children();
        at = entry.end();
      }
    }
    first_children_.push_back(next);
    is_cut_.resize(count);
  }

  void write() {
    for (auto state = static_cast<StateNumber>(places_.size()); state-- > 0;) add(state);
    cut(0, pieces_.back());
    recorder_.regions_->finish();
  }

 private:
  LevelEntry entry(StateNumber state) const { return LevelEntry(recorder_.entries_.at(places_[state])); }

  // The piece of the state is that of its children that are not cut off, and itself.
  void add(StateNumber state) {
    const LevelEntry own = entry(state);
    const auto begin = pieces_.begin() + taken_;  // of its children, the last one first
    const auto end = begin + static_cast<std::ptrdiff_t>(first_children_[state + 1] - first_children_[state]);
    std::uint64_t steps = std::accumulate(begin, end, own.steps);
    if (choice_.is_large(steps)) {
      children_.assign(begin, end);
      for (const std::size_t child : choice_.choose(own.was_reduced, children_, steps))
        cut(first_children_[state + 1] - 1 - static_cast<StateNumber>(child), children_[child]);
    }
    taken_ = end - pieces_.begin();
    if (static_cast<std::size_t>(taken_) > pieces_.size() / 2) {
      pieces_.erase(pieces_.begin(), end);
      taken_ = 0;
    }
    pieces_.push_back(steps);
  }

  // The piece becomes a region.
  void cut(StateNumber root, std::uint64_t steps) {
    RegionWriter& regions = *recorder_.regions_;
    regions.begin_region(states_.get(root), steps);
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const StateNumber state = stack_.back();
      stack_.pop_back();
      const LevelEntry own = entry(state);
      char* const flags =
          regions.add_state(own.flags, recorder_.references_[state] + (state == root ? 1 : 0), own.in_full);
      StateNumber child = first_children_[state];
      for (std::size_t i = 0; i < own.flags.size(); ++i) {
        for (unsigned rest = static_cast<unsigned char>(own.flags[i]); rest != 0; rest &= rest - 1, ++child) {
          if (is_cut_[child]) {
            flags[i] = static_cast<char>(flags[i] ^ static_cast<char>(rest & -rest));
          } else {
            stack_.push_back(child);
          }
        }
      }
    }
    regions.end_region();
    is_cut_[root] = true;
  }

  LevelScriptRecorder& recorder_;
  KeptStates& states_;
  std::vector<Chunks::Place> places_;        // of entries, by state
  std::vector<StateNumber> first_children_;  // the number of the first; one more, for the end
  std::vector<bool> is_cut_;
  // A queue, from taken_ on: the transitions of pieces whose parent is yet to come, the last state first.
  std::vector<std::uint64_t> pieces_;
  std::ptrdiff_t taken_ = 0;
  RegionCut choice_;
  std::vector<std::uint64_t> children_;  // the same, of one state
  std::vector<StateNumber> stack_;
};

LevelScriptRecorder::~LevelScriptRecorder() = default;

std::unique_ptr<WorkerObserver> LevelScriptRecorder::make_worker_observer() {
  entries_ = Chunks();
  references_ = {};
  states_ = steps_ = 0;
  return std::make_unique<Worker>(*this);
}

void LevelScriptRecorder::merge(WorkerObserver& worker) {
  const auto& part = static_cast<const Worker&>(worker);
  lacking_ = part.why_not;
  is_in_order_ = part.is_in_order;
  found_ = part.found;
}

void LevelScriptRecorder::on_end(KeptStates& states) {
  // Behind a depth limit states were not expanded.
  if (!states.is_complete() || states_ != found_) return;
  why_not_ = lacking_;
  if (why_not_.empty() && !is_in_order_)
    throw std::logic_error("the states of a complete breadth-first search are told out of order");
  attempt(why_not_, [&] {
    regions_ = std::make_unique<RegionWriter>(path_);
    Tree(*this, states).write();
    initial_state_ = as_text(states.get(0));
    entries_ = Chunks();
  });
}

void LevelScriptRecorder::save(CertificateClaim claim) {
  claim.states = states_;
  claim.steps = steps_;
  claim.initial_state = initial_state_;
  regions_->save(path_, std::move(claim));
}

}  // namespace spoor
