// SPIN's .trail files: written from traces, and followed in a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/shown.h"
#include "model/system.h"

namespace spoor {

struct TrailLine {
  std::uint32_t process = 0;
  std::uint32_t transition = 0;
  std::uint32_t text_line = 0;  // in the file, from 1
};

struct Trail {
  std::vector<TrailLine> lines;  // of the processes, without those of a never claim
  bool is_merged = false;        // the verifier merged statements and wrote only the first of each group
  bool has_claim = false;
  // The index in `lines` where a cycle begins, for traces of liveness errors.
  std::optional<std::size_t> cycle_start;
};

// The result of reading or following a trace file: the steps, or an error.
struct FollowResult {
  std::vector<StepId> steps;
  std::optional<std::size_t> loop = std::nullopt;  // of a lasso: the action at which the cycle begins, from 0
  std::string error = {};                          // empty on success
  std::uint32_t line = 0;                          // of the file, where the error is; 0: unknown
};

// True when the text looks like a trail: its first line is three numbers, or the text is empty (as
// SPIN writes it for an error in the initial state).
bool is_trail(std::string_view text);

// Returns nothing when a line does not belong to a trail; `error` and `line` say which and why.
std::optional<Trail> parse_trail(std::string_view text, std::string& error, std::uint32_t& line);

// Finds steps of the system that execute the transitions of the trail. A cycle may be followed twice: SPIN
// clears variables that are not read again, and then the first round is a part of the way to the cycle.
FollowResult follow_trail(const TransitionSystem& system, const Trail& trail);

// False when an action of the trace belongs to no process: a trail cannot express that.
bool has_trail(const ShownTrace& trace);

// REQUIRES: has_trail.
std::string write_trail(const ShownTrace& trace);

}  // namespace spoor
