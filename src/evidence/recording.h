// A recording: the graph that a search of a model has seen, kept so that a later check of an edited model can
// use it (recorded_system.h).
//
// It has the states, in the order of their numbers, and of each state that was expanded: where its steps
// lead, which statements they execute, and whether anything went wrong. What the states mean is said by the
// text of the model that was searched, which is part of the recording: whoever reads it compiles that text
// again. So nothing has to be known beforehand about what a later edit may change.
//
// What is not in it: names of steps (the same expansion gives them again), and findings (a state with a
// finding is looked at again in any case, and there are few).
//
// A search that was cut short leaves a recording, too: some of its states are not expanded.
//
// Invariants, also of what is read from a file:
//   1. Each target of a step is the number of a state; each number of a set of statements is that of a set.
//   2. `steps` has an entry for every state, and nothing else.
// Whether the bytes of a state are a state of the model is for the user of the recording to ask
// (TransitionSystem::is_well_formed).
//
// The file is a framed file (base/framed_file.h, docs/formats.md), written completely or not at all.
//
// Cost: 2 to 4 bytes per step and the bytes of the states in memory; on disk, with zstd, a fraction of it.
// Tested by: tests/unit/test_recording.cpp, tests/fuzz/recording.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/framed_file.h"
#include "base/packed_numbers.h"

namespace spoor {

inline constexpr FileFormat kRecordingFormat = {"spoor-r1", 1, "recording"};

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
  std::uint32_t states = 0;  // in the recording
};

struct Recording : RecordingHead {
  std::string bytes;                                 // of the states: for each its length and its bytes
  std::string steps;                                 // for each state an entry: a RecordedState
  std::vector<std::vector<std::uint32_t>> executed;  // sets of statements, ascending
};

// What is known about a state.
struct RecordedState {
  static constexpr std::uint64_t kReduced = 1;   // steps were left out
  static constexpr std::uint64_t kExpanded = 2;  // all its steps are known; else nothing is
  static constexpr std::uint64_t kSpecial =
      4;  // something went wrong: a later search cannot use what is stored
  static constexpr std::uint64_t kTwice = 8;  // steps were left out first and then not (the proviso)
  static constexpr std::uint64_t kFlags = 16;

  std::uint64_t flags = 0;
  std::uint32_t executed = 0;  // which set of statements
  std::uint64_t inner_steps = 0;
  std::vector<std::uint32_t> targets;  // of its steps, in order
  // With kTwice, of the first attempt: which of the steps, ascending, and the same of them.
  std::vector<std::uint32_t> tried;
  std::uint32_t tried_executed = 0;
  std::uint64_t tried_inner_steps = 0;

  bool is(std::uint64_t flag) const { return (flags & flag) != 0; }
};
// The entry of the state with this number.
void put(std::string& to, std::uint32_t number, const RecordedState& state);
// Replaces what is in `state`. Throws FramedFileError (kDamaged), also for targets from `bound` on.
void read(RecordReader& reader, std::uint32_t number, std::uint64_t bound, RecordedState& state);

// Throw FramedFileError.
void save(const Recording& recording, const std::string& path);
Recording load_recording(const std::string& path);
// The head alone, which is all that is read of the file.
RecordingHead load_recording_head(const std::string& path);
// The checks of load_recording on what stands in memory. Throws FramedFileError (kDamaged).
void require_consistent(const Recording& recording);

}  // namespace spoor
