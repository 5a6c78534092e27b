#include "cli/load.h"

#include <utility>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/files.h"
#include "cli/exit_codes.h"
#include "exec/interpreter.h"
#include "exec/native.h"
#include "graph/aut.h"
#include "graph/graph_system.h"
#include "promela/compile.h"
#include "promela/lint.h"
#include "promela/parse.h"
#include "promela/reduce.h"
#include "report/report.h"
#include "report/trail.h"

namespace spoor::cli {
namespace {

std::vector<Diagnostic> warnings_of(const Diagnostics& diagnostics) {
  std::vector<Diagnostic> warnings;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity == Severity::kWarning) warnings.push_back(diagnostic);
  }
  return warnings;
}

std::optional<LoadedModel> load_graph(const std::string& path, InputError& error) {
  std::string reason;
  std::optional<std::string> text = read_file(path, reason);
  if (!text) {
    error.message = fmt::format("cannot read '{}': {}", path, reason);
    return std::nullopt;
  }
  SourceSet sources;
  sources.add(path, std::move(*text));
  Diagnostics diagnostics;
  std::optional<Graph> graph = read_aut(sources, 0, diagnostics);
  if (!graph || diagnostics.has_errors()) {
    error.diagnostics = std::move(diagnostics);
    error.sources = std::move(sources);
    return std::nullopt;
  }
  LoadedModel model;
  model.sha256 = sha256(sources);
  model.warnings = warnings_of(diagnostics);
  model.system = std::make_unique<GraphSystem>(std::move(*graph), std::move(sources));
  model.reference = model.system.get();
  return model;
}

void reduce(promela::Program& program, const ModelOptions& options) {
  const Reductions wanted = parse_reductions(options.reduce).value_or(Reductions());
  if (wanted.merge) promela::merge_statements(program);
  if (wanted.dead) promela::clear_dead_variables(program);
  if (wanted.order) promela::find_ample_locations(program);
  program.uses_stubborn_sets = wanted.stubborn;
}

std::optional<LoadedModel> load_promela(const std::string& path, const ModelOptions& options,
                                        InputError& error) {
  promela::ParseResult parsed = promela::parse_file(path, {options.defines});
  Diagnostics& diagnostics = parsed.diagnostics;
  std::shared_ptr<const promela::Program> program;
  if (!diagnostics.has_errors()) {
    promela::lint(parsed.model, diagnostics);
    promela::Program compiled = promela::compile(parsed.model, parsed.sources, diagnostics);
    if (!diagnostics.has_errors()) reduce(compiled, options);
    program = std::make_shared<promela::Program>(std::move(compiled));
    if (!diagnostics.has_errors()) exec::Interpreter::can_run(*program, diagnostics);
  }
  if (diagnostics.has_errors()) {
    error.diagnostics = std::move(diagnostics);
    error.sources = std::move(parsed.sources);
    return std::nullopt;
  }
  LoadedModel model;
  model.sha256 = sha256(parsed.sources);
  model.warnings = warnings_of(diagnostics);
  model.system =
      std::make_unique<exec::Interpreter>(std::move(program), machine_options(options));
  model.reference = model.system.get();
  return model;
}

}  // namespace

std::optional<LoadedModel> load_model(const std::string& path, const ModelOptions& options,
                                      InputError& error) {
  return path.ends_with(".aut") ? load_graph(path, error) : load_promela(path, options, error);
}

exec::Options machine_options(const ModelOptions& options) {
  exec::Options machine;
  machine.strict = options.strict;
  machine.lose_messages = options.lose_messages;
  machine.deadlocks_only = options.deadlocks_only;
  return machine;
}

bool choose_tier(LoadedModel& model, const ModelOptions& options, const std::string& exec,
                 InputError& error) {
  if (exec == "interp" || dynamic_cast<exec::Interpreter*>(model.system.get()) == nullptr) {
    return true;
  }
  std::unique_ptr<const exec::Interpreter> interpreter(
      static_cast<exec::Interpreter*>(model.system.release()));
  const exec::Tier tier = exec == "auto"     ? exec::Tier::kAuto
                          : exec == "native" ? exec::Tier::kNative
                                             : exec::Tier::kBoth;
  auto system = std::make_unique<exec::NativeSystem>(std::move(interpreter),
                                                     machine_options(options), tier);
  const std::string failure = system->failure();
  model.system = std::move(system);
  if (exec == "auto" || failure.empty()) return true;
  error.message = fmt::format("there is no native code for this model: {}", failure);
  return false;
}

std::optional<promela::Program> load_program(const std::string& path, const ModelOptions& options,
                                             InputError& error) {
  promela::ParseResult parsed = promela::parse_file(path, {options.defines});
  promela::Program program;
  if (!parsed.diagnostics.has_errors()) {
    program = promela::compile(parsed.model, parsed.sources, parsed.diagnostics);
  }
  if (parsed.diagnostics.has_errors()) {
    error.diagnostics = std::move(parsed.diagnostics);
    error.sources = std::move(parsed.sources);
    return std::nullopt;
  }
  reduce(program, options);
  return program;
}

std::optional<TraceFile> load_trace_file(const std::string& path, InputError& error) {
  TraceFile file;
  file.path = path;
  std::string reason;
  std::optional<std::string> text = read_file(path, reason);
  if (!text) {
    error.message = fmt::format("cannot read '{}': {}", path, reason);
    return std::nullopt;
  }
  file.text = std::move(*text);
  if (is_trail(file.text)) return file;
  if (!is_trace_file(file.text)) {
    error.message = fmt::format(
        "'{}' is neither a trace of ours (JSON) nor a trail of SPIN (lines of three numbers)",
        path);
    return std::nullopt;
  }
  file.record = parse_trace_file(file.text, reason);
  if (!file.record) {
    error.message = fmt::format("cannot use '{}': {}", path, reason);
    return std::nullopt;
  }
  return file;
}

ModelOptions options_for(const TraceFile& file, const ModelOptions& given) {
  ModelOptions options = given;
  if (!file.record) return options;
  if (options.defines.empty()) options.defines = file.record->options.defines;
  options.reduce = file.record->options.reduce;
  options.strict = options.strict || file.record->options.strict;
  options.lose_messages = options.lose_messages || file.record->options.lose_messages;
  return options;
}

std::optional<std::vector<std::uint32_t>> follow(const TraceFile& file, const LoadedModel& model,
                                                 InputError& error) {
  FollowResult result;
  if (file.record) {
    result = follow_record(*model.system, *file.record);
    if (!result.error.empty() && file.record->model_sha256 != model.sha256) {
      result.error += " (the model is not the one that the trace was made from)";
    }
  } else {
    const std::optional<Trail> trail = parse_trail(file.text, result.error, result.line);
    if (trail) result = follow_trail(*model.system, *trail);
  }
  if (result.error.empty()) return std::move(result.attempts);
  const std::string line = result.line == 0 ? "" : fmt::format(":{}", result.line);
  error.message = fmt::format("{}{}: {}", file.path, line, result.error);
  return std::nullopt;
}

int report_input_error(const InputError& error, bool colour, bool json) {
  const std::size_t count = error.diagnostics.error_count();
  std::string message = error.message;
  if (message.empty()) message = fmt::format("{} error{}", count, count == 1 ? "" : "s");
  if (json) fmt::print("{}", json_error(message, error.diagnostics.all(), error.sources));
  std::size_t shown = 0;
  for (const Diagnostic& diagnostic : error.diagnostics.all()) {
    fmt::print(stderr, "{}", render(diagnostic, error.sources, colour));
    if (diagnostic.severity == Severity::kError) ++shown;
  }
  if (count > shown) fmt::print(stderr, "and {} more errors\n", count - shown);
  if (!error.message.empty()) fmt::print(stderr, "spoor: {}\n", error.message);
  return kWrongInput;
}

void print_warnings(const LoadedModel& model, bool colour) {
  for (const Diagnostic& warning : model.warnings) {
    fmt::print(stderr, "{}", render(warning, model.system->sources(), colour));
  }
}

}  // namespace spoor::cli
