// From a trace file, of spoor or of SPIN, to the steps of a model.
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

// A parsed trace file. It is read before the model, because it contains the options to read the model with.
struct TraceFile {
  std::string path;
  std::string text;
  std::optional<RecordedTrace> record;  // nothing: the file is a trail of SPIN
};
std::optional<TraceFile> load_trace_file(const std::string& path, InputError& error);

// Does the file say that the run has no end?
bool has_cycle(const TraceFile& file);

// The options of the trace, except those that the user gave.
ModelOptions options_for(const TraceFile& file, const ModelOptions& given);

// The steps of the trace in the model.
struct FollowedTrace {
  std::vector<StepId> steps;
  std::optional<std::size_t> loop;  // the action at which a cycle begins, if the file says so
};
// `may_be_empty`: also where the initial state shows no error; it may violate a claim.
std::optional<FollowedTrace> follow(const TraceFile& file, const LoadedModel& model, InputError& error,
                                    bool may_be_empty = false);

}  // namespace spoor
