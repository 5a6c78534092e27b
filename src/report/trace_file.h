// Trace files: JSON that records a run of a model so that it can be shown and replayed, also after
// edits in other parts of the model. docs/json.md describes the format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "check/model_options.h"
#include "check/shown.h"
#include "model/system.h"
#include "report/trail.h"

namespace spoor {

struct RecordedAction {
  int process = -1;
  std::string key;  // a stable name that does not change with edits in other parts of the model
};

struct RecordedStep {
  StepId step;
  std::vector<RecordedAction> actions;
};

struct RecordedTrace {
  std::vector<RecordedStep> steps;
  std::optional<std::size_t> loop;  // of a lasso: the action at which the cycle begins, from 0
  ModelOptions options;             // of the run that made the trace
  std::string model_sha256;
};

// True when the text looks like JSON.
bool is_trace_file(std::string_view text);

// Reads a trace file, or the first violation of a report of `spoor check --json`. Returns nothing,
// with the reason in `error`, when it is neither.
std::optional<RecordedTrace> parse_trace_file(std::string_view text, std::string& error);

// Finds the recorded steps in the system: by their ordinal where that step has the recorded actions,
// otherwise by processes and keys alone.
FollowResult follow_record(const TransitionSystem& system, const RecordedTrace& record);

struct TraceFileHeader {
  std::string model;
  std::string model_sha256;
  ModelOptions options;  // of the run that made the trace
};
std::string write_trace_file(const TraceFileHeader& header, const ShownTrace& trace,
                             const SourceSet& sources);

}  // namespace spoor
