#include "evidence/script_recorder.h"

#include <bit>
#include <numeric>
#include <span>
#include <utility>

#include "evidence/region_cut.h"

namespace spoor {
namespace {

constexpr char kLeftRecord = 'l';

// A state as it was left.
struct LeftState {
  StateNumber number = 0;
  std::uint64_t steps = 0;
  bool in_full = false;      // although it could have been reduced
  bool was_reduced = false;  // steps were left out
  std::string_view flags;    // bits beyond the last transition are zero

  bool is_new(std::uint64_t step) const {
    return (static_cast<unsigned char>(flags[step >> 3]) >> (step & 7) & 1) != 0;
  }
  std::size_t children() const {
    std::size_t count = 0;
    for (const char byte : flags)
      count += static_cast<std::size_t>(std::popcount(static_cast<unsigned char>(byte)));
    return count;
  }
};

// Calls `take` for all states that were written down, in the order in which they were left.
template <class Take>
void for_each_left(const FramedWriter& file, const Take& take) {
  FramedReader left(file, kCertificateFormat);
  LeftState state;
  std::int64_t number = 0;
  for (FileRecord record; left.read(record);) {
    RecordReader reader(record.content);
    while (!reader.is_at_end()) {
      const std::uint64_t head = reader.number();
      number += reader.signed_number();
      state.number = static_cast<StateNumber>(number);
      state.steps = head >> 2;
      state.in_full = (head & 1) != 0;
      state.was_reduced = (head & 2) != 0;
      state.flags = reader.rest().substr(0, flag_bytes(state.steps));
      reader.skip(flag_bytes(state.steps));
      take(state);
    }
  }
}

// Which states become roots of regions.
class RootChoice {
 public:
  RootChoice(std::uint64_t least_steps, std::uint64_t steps) : choice_(least_steps, steps) {}

  // In the order of leaving.
  void add(const LeftState& state) {
    const std::size_t children = state.children();
    if (children > sizes_.size()) throw_damaged();
    const std::size_t first = sizes_.size() - children;
    const std::span<const std::uint64_t> sizes = std::span(sizes_).subspan(first);
    std::uint64_t steps = std::accumulate(sizes.begin(), sizes.end(), state.steps);
    if (choice_.is_large(steps)) {
      for (const std::size_t child : choice_.choose(state.was_reduced, sizes, steps))
        is_root_[ordinals_[first + child]] = true;
    }
    sizes_.resize(first);
    ordinals_.resize(first);
    sizes_.push_back(steps);
    ordinals_.push_back(is_root_.size());
    is_root_.push_back(false);
  }
  // Is it the root of a region, the state that was left as number `ordinal`?
  bool is_root(std::size_t ordinal) const { return is_root_[ordinal]; }

 private:
  RegionCut choice_;
  std::vector<bool> is_root_;
  // The pieces of states whose parent is yet to be left: transitions, and the ordinal of the root.
  std::vector<std::uint64_t> sizes_;
  std::vector<std::size_t> ordinals_;
};

}  // namespace

class ScriptRecorder::Worker : public WorkerObserver {
 public:
  explicit Worker(ScriptRecorder& recorder) : recorder_(recorder) {}

  bool wants_states() const override { return false; }
  void on_expanded(const ExpandedEvent& event) override {
    attempt(why_not, [&] { add(event); });
  }
  void end() {
    attempt(why_not, [&] { chunks_.give_rest(); });
  }

  std::string why_not;
  std::uint64_t states = 0, steps = 0;

 private:
  // The entry: four times the number of transitions, plus 1 if it was expanded in full although it could have
  // been reduced, plus 2 if it was reduced; its number, less that of the state before; the flags.
  void add(const ExpandedEvent& event) {
    const std::size_t count = event.arrivals.size();
    std::uint8_t* to = chunks_.begin_entry(2 * kMostNumberBytes + flag_bytes(count));
    to = put_at(to, count << 2 | (event.was_reduced ? 2 : 0) | (event.is_again_in_full ? 1 : 0));
    to = put_signed_at(to, std::int64_t{event.source} - last_);
    last_ = event.source;
    std::uint8_t flags = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const Insertion& arrival = event.arrivals[i];
      if (arrival.is_new) {
        flags |= static_cast<std::uint8_t>(1u << (i & 7));
      } else {
        recorder_.references_.add(arrival.index);
      }
      if ((i & 7) != 7 && i + 1 != count) continue;
      *to++ = flags;
      flags = 0;
    }
    chunks_.end_entry(to);
    ++states;
    steps += count;
  }

  ScriptRecorder& recorder_;
  std::int64_t last_ = 0;
  Chunks chunks_{[this](std::string_view chunk) { recorder_.left_->add(kLeftRecord, chunk); }};
};

// Cuts the states into regions, and writes these.
class ScriptRecorder::Regions {
 public:
  Regions(ScriptRecorder& recorder, KeptStates& states, const RootChoice& roots)
      : recorder_(recorder), states_(states), roots_(roots) {}

  void add(const LeftState& state) {
    const std::size_t flags_begin = flags_.size();
    const OpenState open = {state.number, state.in_full, flags_begin, state.flags.size()};
    flags_ += state.flags;
    Piece joined = {open_.size(), state.steps, state.number, false};
    const auto first = pieces_.end() - static_cast<std::ptrdiff_t>(state.children());
    auto child = first;
    for (std::uint64_t i = 0; i < state.steps; ++i) {
      if (!state.is_new(i)) continue;
      if (child == first) joined.begin = child->begin;
      // The root of another region: the transition is a reference.
      if (child->is_cut) flags_[flags_begin + (i >> 3)] ^= static_cast<char>(1u << (i & 7));
      joined.steps += child->is_cut ? 0 : child->steps;
      ++child;
    }
    pieces_.erase(first, pieces_.end());
    open_.push_back(open);
    if (roots_.is_root(ordinal_++)) cut(joined);
    pieces_.push_back(joined);
  }

  void finish() {
    if (pieces_.size() != 1 || pieces_.front().root != kInitial) throw_damaged();
    cut(pieces_.front());
    recorder_.regions_->finish();
  }

 private:
  static constexpr StateNumber kInitial = 0;

  struct OpenState {
    StateNumber number = 0;
    bool in_full = false;
    std::size_t flags = 0, flag_bytes = 0;  // where they are
  };
  struct Piece {
    std::size_t begin = 0;  // of its states among the open ones
    std::uint64_t steps = 0;
    StateNumber root = 0;
    bool is_cut = false;  // it has become a region
  };

  // The piece of the last open states becomes a region.
  void cut(Piece& piece) {
    RegionWriter& regions = *recorder_.regions_;
    regions.begin_region(states_.get(piece.root), piece.steps);
    for (std::size_t i = open_.size(); i-- > piece.begin;) {
      const OpenState& state = open_[i];
      regions.add_state(std::string_view(flags_).substr(state.flags, state.flag_bytes),
                        recorder_.references_[state.number] + (state.number == piece.root ? 1 : 0),
                        state.in_full);
    }
    regions.end_region();
    flags_.resize(open_[piece.begin].flags);
    open_.resize(piece.begin);
    piece.is_cut = true;
  }

  ScriptRecorder& recorder_;
  KeptStates& states_;
  const RootChoice& roots_;
  std::size_t ordinal_ = 0;
  std::vector<OpenState> open_;  // in the order in which they were left
  std::string flags_;            // theirs
  std::vector<Piece> pieces_;
};

ScriptRecorder::~ScriptRecorder() = default;

std::unique_ptr<WorkerObserver> ScriptRecorder::make_worker_observer() {
  left_ = unnamed_certificate_file(path_, FileFormat::kStored);
  return std::make_unique<Worker>(*this);
}

void ScriptRecorder::merge(WorkerObserver& worker) {
  auto& part = static_cast<Worker&>(worker);
  part.end();
  states_ = part.states;
  steps_ = part.steps;
  lacking_ = part.why_not;
  if (lacking_.empty()) left_->finish();
}

void ScriptRecorder::on_end(KeptStates& states) {
  if (!states.is_complete()) return;
  why_not_ = lacking_;
  attempt(why_not_, [&] {
    RootChoice roots(least_steps_, steps_);
    for_each_left(*left_, [&](const LeftState& state) { roots.add(state); });
    regions_ = std::make_unique<RegionWriter>(path_);
    Regions regions(*this, states, roots);
    for_each_left(*left_, [&](const LeftState& state) { regions.add(state); });
    regions.finish();
    initial_state_ = as_text(states.get(0));
  });
}

void ScriptRecorder::save(CertificateClaim claim) {
  claim.states = states_;
  claim.steps = steps_;
  claim.initial_state = initial_state_;
  regions_->save(path_, std::move(claim));
}

}  // namespace spoor
