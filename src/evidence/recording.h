// A recording: the graph that a search of a model has seen, kept so that a later check of an edited model can
// use it (recorded_system.h).
//
// It has the states by number (packed_states.h), and where that was wanted of each state that was expanded an
// entry: where its steps lead, which statements they execute, and whether anything went wrong. What the
// states mean is said by the text of the model that was searched, which is part of the recording: whoever
// reads it compiles that text again. So nothing has to be known beforehand about what a later edit may
// change.
//
// A file has entries in few bytes (step_code.h), in chunks, as the workers of the search have written them,
// in no particular order; in memory each can be read by itself (recorded_steps.h). Of two entries for one
// state the later counts: the next version adds its own behind those of this one.
//
// What is not in it: names of steps (the same expansion gives them again), and findings (a state with a
// finding is looked at again in any case, and there are few).
//
// A search that was cut short leaves a recording, too: some of its states are not expanded.
//
// The head says which elements the states can have, all together. An edit that changes none of these changes
// nothing that the search has seen, and is answered without reading more than the head.
//
// Invariant of what was read from a file: each target of a step is below the bound of the states; each number
// of a set of statements is that of a set.
// Whether the bytes of a state are a state of the model is for the user of the recording to ask
// (TransitionSystem::is_well_formed).
//
// The file is a framed file (base/framed_file.h, docs/formats.md), written completely or not at all.
//
// Cost: 8 to 11 bytes per state in a file; in memory about twice as many.
// Tested by: tests/unit/test_recording.cpp, tests/fuzz/recording.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/framed_file.h"
#include "base/packed_numbers.h"
#include "evidence/chunks.h"
#include "evidence/packed_states.h"
#include "evidence/reachable_sets.h"
#include "evidence/recorded_steps.h"
#include "evidence/state_ranks.h"
#include "evidence/state_sample.h"
#include "model/system.h"
#include "search/observer.h"

namespace spoor {

// Much of it is as short as it gets before it is compressed.
inline constexpr FileFormat kRecordingFormat = {"spoor-r1", 7, "recording", true, -2};

// The answer of a search that no limit has ended, and its figures, which depend on its order.
struct RecordedAnswer {
  bool is_violated = false;  // of a graph that is recorded: never, because it would not be complete
  std::uint64_t order = 0;   // as a number
  // States and executed statements are at most these, and the other figures are not known
  // (closure_check.h).
  bool is_bound = false;
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
  std::uint32_t state_count = 0;  // in the recording
  bool has_steps = false;         // without, it has all states of a search that holds, or none
  // All states have their successors among them, and none has an error: a search that holds has seen them, or
  // a closure check. A walk may keep states that it has not expanded.
  bool is_closed = false;
  // Every state of which steps were left out has one that leads to a state of higher rank (state_ranks.h).
  bool is_ordered = false;
  std::vector<std::uint32_t> elements;  // that an expanded state can have, ascending
  StateSample sample;
};

// Sets of statements, each ascending.
using StatementSets = std::vector<std::vector<std::uint32_t>>;

struct Recording : RecordingHead {
  PackedStates states;
  StateRanks ranks;  // where it is ordered, and has states that are not ranked by their numbers
  RecordedSteps steps;
  StatementSets executed;
  std::optional<ReachableSets> reachable;  // where they are wanted (--regression prune)
};

// Which of the steps these are, ascending; names ascend in both. False: one is not among them.
bool find_steps(const StepNames& all, const StepNames& some, std::vector<std::uint32_t>& ordinals);

// The elements, ascending, of the states that steps with these executed statements lead to (flags).
std::vector<std::uint32_t> elements_after(const TransitionSystem& system,
                                          std::span<const std::uint8_t> executed);

// Where chunks of a new file come from.
struct ChunkSource {
  std::vector<FramedReader*> files;  // whose next records of the kind are copied as they are
  const Chunks* chunks = nullptr;    // and then these, from `first` on; null: no more
  std::size_t first = 0;
};
inline constexpr char kStatesRecord = 's', kStepsRecord = 'e';

// What a file has behind its head. States before steps: that is the order in which they are copied.
struct RecordingParts {
  const StatementSets& executed;
  std::string shapes;  // of the states
  ChunkSource states, steps;
  const ReachableSets* reachable = nullptr;  // null: there are none
  const StateRanks* ranks = nullptr;         // the same
};
// Throw FramedFileError.
void save(const RecordingHead& head, const RecordingParts& parts, const std::string& path);
// To the first chunk of states, from which a new file may copy.
void go_to_states(FramedReader& file);
// From there to the first record behind them.
void skip_states(FramedReader& file);

// Adds what a chunk of steps says to a recording that has states and sets of statements. Throws
// FramedFileError (kDamaged) where it contradicts them.
void read_steps(std::string_view chunk, Recording& recording);
// What is left out of a recording, where only the rest is needed.
struct UnusedParts {
  bool steps = false, reachable = false;
};
// From the beginning of the file.
Recording load_recording(FramedReader& file, UnusedParts unused = {});
// The same in two parts: head and states, with the steps left for the second call.
Recording load_states(FramedReader& file);
void load_steps(FramedReader& file, Recording& recording);
// The head alone, which is all that is read of the file.
RecordingHead load_recording_head(FramedReader& file);

}  // namespace spoor
