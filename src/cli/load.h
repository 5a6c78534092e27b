// From a file name to a system that can be searched.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "exec/machine.h"
#include "exec/native.h"
#include "model/system.h"
#include "promela/program.h"
#include "report/report.h"
#include "report/shown.h"
#include "report/trace_file.h"

namespace spoor::cli {

// What could not be used, and why: a sentence, or diagnostics, or both.
struct InputError {
  std::string message;
  Diagnostics diagnostics;
  SourceSet sources;
};

struct LoadedModel {
  std::shared_ptr<const TransitionSystem> system;
  // The judge: traces are replayed and explained on it. Lives in `system` or `judge`, or is one of
  // them.
  const TransitionSystem* reference = nullptr;
  std::shared_ptr<const TransitionSystem> judge;
  // Where native code may come in; lives in `system`. Null: it may not.
  const exec::NativeSystem* native = nullptr;
  // C code may keep things to itself: it is run by one thread, and not by two processes.
  bool has_embedded_code = false;
  std::vector<Diagnostic> warnings;
  std::string sha256;
};

// Reads a graph when the name ends in .aut, a Promela model otherwise. Returns nothing, with the
// reasons in `error`, when it cannot be used. `exec`, for Promela: the tier, as --exec names it.
std::optional<LoadedModel> load_model(const std::string& path, const ModelOptions& options,
                                      const std::string& exec, InputError& error);

// Who has executed the model so far.
Execution execution_of(const LoadedModel& model);

// Reads a Promela model as far as its control-flow graphs; embedded C is no obstacle.
std::optional<promela::Program> load_program(const std::string& path, const ModelOptions& options,
                                             InputError& error);

// The C that the native tier compiles; before it, and a form feed, the model's own, if it has any.
std::optional<std::string> load_c_text(const std::string& path, const ModelOptions& options,
                                       InputError& error);

exec::Options machine_options(const ModelOptions& options);

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
std::optional<std::vector<std::uint32_t>> follow(const TraceFile& file, const LoadedModel& model,
                                                 InputError& error);

// Shows the error on stderr, and as JSON on stdout when wanted; returns the exit code.
int report_input_error(const InputError& error, bool colour, bool json);

// Warnings go to stderr.
void print_warnings(const LoadedModel& model, bool colour);

}  // namespace spoor::cli
