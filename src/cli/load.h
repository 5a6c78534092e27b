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
#include "model/propositions.h"
#include "model/system.h"
#include "promela/compile.h"
#include "promela/parse.h"
#include "promela/program.h"
#include "report/report.h"
#include "check/shown.h"
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
  // What the claim asks, answered by `system` and by the judge. Null for graphs.
  const Propositions* propositions = nullptr;
  const Propositions* reference_propositions = nullptr;
  promela::ClaimCode claim;
  Reductions reductions;             // those that the claim allows, of those wanted
  std::string why_fewer_reductions;  // why they are not all; or empty
  // C code may keep things to itself: it is run by one thread, and not by two processes.
  bool has_embedded_code = false;
  std::vector<Diagnostic> warnings;
  std::string sha256;
};

// A Promela model that was read, and can be made ready for any of its claims.
struct ModelText {
  std::string path;
  promela::ParseResult parsed;  // without errors
  std::string sha256;           // of the files, without a formula of the command line
};
bool is_graph(const std::string& path);  // the name ends in .aut
// `formula`: one of the command line, called kGivenFormula in the model; or empty. Returns nothing, with
// the reasons in `error`, when the model cannot be used.
inline constexpr char kGivenFormula[] = "given";
std::optional<ModelText> read_model(const std::string& path, const ModelOptions& options,
                                    const std::string& formula, InputError& error);
// `exec`: the tier, as --exec names it. Nothing, as above, when there is something wrong with the claim.
std::optional<LoadedModel> load_model(const ModelText& text, const ModelOptions& options,
                                      const std::string& exec, const promela::ClaimChoice& claim,
                                      InputError& error);

// Is there nothing wrong with the claim? Otherwise the reasons are in `error`.
bool can_be_checked(const ModelText& text, const ModelOptions& options, const promela::ClaimChoice& claim,
                    InputError& error);

// Reads a graph or a Promela model, for safety.
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
struct FollowedTrace {
  std::vector<StepId> steps;
  std::optional<std::size_t> loop;  // the action at which a cycle begins, if the file says so
};
std::optional<FollowedTrace> follow(const TraceFile& file, const LoadedModel& model, InputError& error);

// Shows the error on stderr, and as JSON on stdout when wanted; returns the exit code.
int report_input_error(const InputError& error, bool colour, bool json);

// Warnings go to stderr.
void print_warnings(const LoadedModel& model, bool colour);

}  // namespace spoor::cli
