// From a file with a trace, ours or SPIN's, to the steps of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/loaded_model.h"
#include "check/model_options.h"
#include "report/trace_file.h"

namespace spoor {

// A trace file on the way to its steps: reading comes first, because it says how to read the model.
struct TraceFile {
  std::string path;
  std::string text;
  std::optional<RecordedTrace> record;  // ours; otherwise a trail of SPIN
};
std::optional<TraceFile> load_trace_file(const std::string& path, InputError& error);

// The options that the trace was made with, unless the user gave others.
ModelOptions options_for(const TraceFile& file, const ModelOptions& given);

// The steps of the trace in the model.
struct FollowedTrace {
  std::vector<StepId> steps;
  std::optional<std::size_t> loop;  // the action at which a cycle begins, if the file says so
};
std::optional<FollowedTrace> follow(const TraceFile& file, const LoadedModel& model, InputError& error);

}  // namespace spoor
