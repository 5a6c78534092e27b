// A recording: the graph that a search of a model has seen, kept so that a later check of an edited model can
// use it (recorded_system.h).
//
// It has the states by number (packed_states.h), and of each state that was expanded an entry: where its
// steps lead, which statements they execute, and whether anything went wrong. What the states mean is said by
// the text of the model that was searched, which is part of the recording: whoever reads it compiles that
// text again. So nothing has to be known beforehand about what a later edit may change.
//
// Entries stand in chunks (chunks.h), as the workers of the search have written them, in no particular order.
// Of two entries for one state the later counts: the next version adds its own behind those of this one.
//
//     the number of the state, less that of the entry before in the chunk
//     eight times the number of steps, and three bits: kReduced, kHasInner, kHasFlags
//     with kHasFlags: the other flags
//     which set of statements is executed, less the header of the chunk
//     with kHasInner: the number of inner steps
//     for each step its target, less the number of the state
//     with kTwice: the same of the first attempt: set, inner steps; how many steps, which of them
//
// What is not in it: names of steps (the same expansion gives them again), and findings (a state with a
// finding is looked at again in any case, and there are few).
//
// A search that was cut short leaves a recording, too: some of its states are not expanded.
//
// The head says which elements the states can have, all together. An edit that changes none of these changes
// nothing that the search has seen, and is answered without reading more than the head.
//
// Invariants, once StepIndex has been made of what was read from a file:
//   1. Each target of a step is below the bound of the states; each number of a set of statements is that of
//      a set.
//   2. Every entry can be read without looking where it ends.
// Whether the bytes of a state are a state of the model is for the user of the recording to ask
// (TransitionSystem::is_well_formed).
//
// The file is a framed file (base/framed_file.h, docs/formats.md), written completely or not at all.
//
// Cost: 1 to 3 bytes per step, 3 per state, and the codes of the states, in memory; on disk, with zstd, a
// part of it.
// Tested by: tests/unit/test_recording.cpp, tests/fuzz/recording.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/framed_file.h"
#include "base/packed_numbers.h"
#include "evidence/chunks.h"
#include "evidence/packed_states.h"
#include "model/system.h"
#include "search/observer.h"

namespace spoor {

inline constexpr FileFormat kRecordingFormat = {"spoor-r1", 2, "recording", true};

// The figures of a search that was complete and found nothing; they depend on its order.
struct RecordedAnswer {
  std::uint64_t order = 0;  // as a number
  std::uint64_t states = 0, transitions = 0, matched = 0, inner_steps = 0, depth = 0;
  std::vector<std::uint32_t> executed;  // statements, ascending
  friend bool operator==(const RecordedAnswer&, const RecordedAnswer&) = default;
};

// What a recording is about, and what its search has answered.
struct RecordingHead {
  std::string text;          // of the model, with all that it includes
  std::string model_sha256;  // of the files that the user has
  std::string options;       // that matter to states and steps, as text: equal for the same kind of search
  std::optional<RecordedAnswer> answer;
  std::uint32_t state_count = 0;        // in the recording
  std::vector<std::uint32_t> elements;  // that an expanded state can have, ascending
};

struct Recording : RecordingHead {
  PackedStates states;
  Chunks steps{true};                                // entries; the header is added to the sets' numbers
  std::vector<std::vector<std::uint32_t>> executed;  // sets of statements, ascending
};

// What is known about a state.
struct RecordedState {
  static constexpr std::uint8_t kExpanded = 1;  // all its steps are known; else nothing is
  static constexpr std::uint8_t kReduced = 2;   // steps were left out
  static constexpr std::uint8_t kSpecial = 4;   // something went wrong: what is stored is of no use
  static constexpr std::uint8_t kTwice = 8;     // steps were left out first and then not (the proviso)

  std::uint8_t flags = 0;
  std::uint32_t executed = 0;  // which set of statements
  std::uint64_t inner_steps = 0;
  std::vector<std::uint32_t> targets;  // of its steps, in order
  // With kTwice, of the first attempt: which of the steps, ascending, and the same of them.
  std::vector<std::uint32_t> tried;
  std::uint32_t tried_executed = 0;
  std::uint64_t tried_inner_steps = 0;

  bool is(std::uint8_t flag) const { return (flags & flag) != 0; }
};

// What an entry begins with; the targets follow.
struct EntryHead {
  static constexpr std::uint64_t kReduced = 1, kHasInner = 2, kHasFlags = 4, kBits = 8;
  static constexpr std::uint64_t kMostBytes = 5 * kMostNumberBytes;  // with the number of the state

  std::uint64_t steps = 0;
  std::uint8_t flags = 0;      // of RecordedState
  std::uint32_t executed = 0;  // without the header of the chunk
  std::uint64_t inner_steps = 0;

  std::uint8_t* put(std::uint8_t* to) const {
    const bool has_flags = (flags & ~RecordedState::kReduced) != RecordedState::kExpanded;
    const std::uint64_t bits = ((flags & RecordedState::kReduced) != 0 ? kReduced : 0) |
                               (inner_steps != 0 ? kHasInner : 0) | (has_flags ? kHasFlags : 0);
    to = put_at(to, steps * kBits + bits);
    if (has_flags) *to++ = flags;
    to = put_at(to, executed);
    return inner_steps != 0 ? put_at(to, inner_steps) : to;
  }
  // Moves `at` to the first target. REQUIRES: there is a head.
  static EntryHead read(const std::uint8_t*& at) {
    const std::uint64_t first = number_at(at);
    EntryHead head;
    head.steps = first / kBits;
    head.flags = RecordedState::kExpanded | ((first & kReduced) != 0 ? RecordedState::kReduced : 0);
    if ((first & kHasFlags) != 0) head.flags = *at++;
    head.executed = static_cast<std::uint32_t>(number_at(at));
    head.inner_steps = (first & kHasInner) != 0 ? number_at(at) : 0;
    return head;
  }
};

// Appends entries to chunks.
class EntryWriter {
 public:
  explicit EntryWriter(Chunks& chunks) : chunks_(chunks) {}

  // `target_of(i)`: where the i-th step leads.
  template <class TargetOf>
  [[gnu::always_inline]] void add(std::uint32_t number, const EntryHead& head, const TargetOf& target_of) {
    end(put_targets(begin(number, head, 0), number, head.steps, target_of));
  }
  // Of any kind.
  void add(std::uint32_t number, const RecordedState& state);

 private:
  static constexpr std::size_t kMostTargetBytes = 5;

  // `more`: bytes behind the targets.
  std::uint8_t* begin(std::uint32_t number, const EntryHead& head, std::size_t more) {
    std::uint8_t* const to =
        chunks_.begin_entry(EntryHead::kMostBytes + head.steps * kMostTargetBytes + more);
    if (chunks_.size() != chunk_) {
      chunk_ = chunks_.size();
      before_ = 0;
    }
    const std::int64_t distance = std::int64_t{number} - std::int64_t{before_};
    before_ = number;
    return head.put(put_signed_at(to, distance));
  }
  template <class TargetOf>
  std::uint8_t* put_targets(std::uint8_t* to, std::uint32_t number, std::uint64_t steps,
                            const TargetOf& target_of) {
    for (std::uint64_t i = 0; i < steps; ++i)
      to = put_signed_at(to, std::int64_t{target_of(i)} - std::int64_t{number});
    return to;
  }
  void end(const std::uint8_t* end) { chunks_.end_entry(end); }

  Chunks& chunks_;
  std::size_t chunk_ = 0;  // how many there were at the last entry
  std::uint32_t before_ = 0;
};

// Where the entry of each state is.
class StepIndex {
 public:
  static constexpr Chunks::Place kNowhere = UINT32_MAX;

  StepIndex() = default;
  // `is_known`: by set of statements; entries with another are left out, and so are those that are special.
  // Throws FramedFileError (kDamaged) where the recording contradicts itself.
  StepIndex(const Recording& recording, const std::vector<bool>& is_known);

  // Behind the number of the state; or kNowhere, where it has no entry of use.
  Chunks::Place operator[](std::uint32_t number) const { return places_[number]; }
  void forget(std::uint32_t number) { places_[number] = kNowhere; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(places_.size()); }
  std::uint64_t memory_bytes() const { return places_.capacity() * sizeof(Chunks::Place); }

 private:
  std::vector<Chunks::Place> places_;
};

// Which of the steps these are, ascending; names ascend in both. False: one is not among them.
bool find_steps(const StepNames& all, const StepNames& some, std::vector<std::uint32_t>& ordinals);

// The entry of this state at this place. Replaces what is in `state`.
void read(const Chunks& steps, Chunks::Place place, std::uint32_t number, RecordedState& state);

// The elements, ascending, of the states that steps with these executed statements lead to (flags).
std::vector<std::uint32_t> elements_after(const TransitionSystem& system,
                                          std::span<const std::uint8_t> executed);

// Throw FramedFileError. `before`: the file of a recording whose chunks of states and steps are the first of
// this one's; they are copied as they are. Null: there is none.
void save(const Recording& recording, const std::string& path, FramedReader* before = nullptr);
// From the beginning of the file.
Recording load_recording(FramedReader& file);
// The head alone, which is all that is read of the file.
RecordingHead load_recording_head(FramedReader& file);

}  // namespace spoor
