#include "cli/load.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/files.h"
#include "cli/exit_codes.h"
#include "exec/embedded.h"
#include "exec/emit.h"
#include "exec/interpreter.h"
#include "exec/unmatched.h"
#include "graph/aut.h"
#include "graph/graph_system.h"
#include "promela/compile.h"
#include "promela/lint.h"
#include "promela/parse.h"
#include "promela/reduce.h"
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

// The reductions that the claim allows, and why these are not all.
//
// Merged statements and partial-order reduction keep what the claim sees up to repetition; cleared
// variables keep all of it. So a claim that minds repetitions needs every step; and fairness minds who
// could have moved in between. For infinite runs the reduction finds its sets state by state (stubborn
// sets), which pays: there are more states to save.
Reductions allowed_by(const promela::ClaimCode& claim, const ModelOptions& options, std::string& why) {
  using Kind = promela::ClaimCode::Kind;
  Reductions wanted = parse_reductions(options.reduce).value_or(Reductions());
  if (claim.kind == Kind::kNone) return wanted;
  if (options.reduce == "default") wanted.stubborn = true;
  const bool has_automaton = claim.kind == Kind::kFormula || claim.kind == Kind::kNever;
  const bool is_invariant = !has_automaton || claim.automaton.is_stutter_invariant.value_or(false);
  if (is_invariant && !options.is_fair && !claim.has_inner_labels) return wanted;
  Reductions allowed;
  allowed.dead = wanted.dead;
  if (allowed == wanted) return allowed;
  why = claim.has_inner_labels       ? "accept labels inside atomic sequences belong to steps, not to states"
        : is_invariant               ? "fairness depends on who can move in every state"
        : claim.kind != Kind::kNever ? "the formula tells how often a state is repeated (X)"
        : claim.automaton.is_stutter_invariant.has_value()
            ? "the never claim tells how often a state is repeated"
            : "the never claim may tell how often a state is repeated: it is too large to find out";
  return allowed;
}

void reduce(promela::Program& program, const Reductions& wanted) {
  if (wanted.merge) promela::merge_statements(program);
  if (wanted.dead) promela::clear_dead_variables(program);
  if (wanted.order) promela::find_ample_locations(program);
  program.uses_stubborn_sets = wanted.stubborn;
}

// Compiles the C of a model that has some, if the user allows that.
// Otherwise null, with a diagnostic and perhaps more words in `message`.
std::shared_ptr<const exec::EmbeddedCode> embedded_code(promela::Program& program, const std::string& path,
                                                        const ModelOptions& options, Diagnostics& diagnostics,
                                                        std::string& message) {
  const Range where = {program.embedded_code, 1};
  if (!options.allow_c) {
    diagnostics.error("P430", where, "this model contains C code, which would run with your rights",
                      "if you trust it, say so with --allow-c");
    return nullptr;
  }
  std::error_code ignored;
  const std::string folder = std::filesystem::absolute(path, ignored).parent_path().string();
  auto code = exec::EmbeddedCode::build(program, folder, message);
  if (code == nullptr) {
    diagnostics.error("P431", where, "the C code of this model cannot be compiled");
  }
  return code;
}

// Lets native code carry the search where the model allows it. False, with the reason in `error`,
// when native code was demanded and there can be none.
bool use_native_code(std::unique_ptr<const exec::Interpreter> interpreter, const exec::Options& machine,
                     const std::string& exec, LoadedModel& model, InputError& error) {
  const exec::Tier tier = exec == "auto"     ? exec::Tier::kAuto
                          : exec == "native" ? exec::Tier::kNative
                                             : exec::Tier::kBoth;
  auto system = std::make_shared<exec::NativeSystem>(std::move(interpreter), machine, tier);
  const std::string failure = system->failure();
  model.native = system.get();
  model.system = std::move(system);
  if (exec == "auto" || failure.empty()) return true;
  error.message = fmt::format("there is no native code for this model: {}", failure);
  return false;
}

// The search and the judge each see states without the bytes that do not count.
void hide_unmatched_data(const promela::Program& program, LoadedModel& model) {
  const std::uint32_t count = program.foreign.unmatched_bytes;
  const std::uint32_t offset = program.globals_size - count;
  const auto data = exec::make_unmatched_data();
  const std::shared_ptr<const TransitionSystem> judge(model.system, model.reference);
  model.judge = std::make_shared<exec::UnmatchedLayer>(judge, offset, count, data);
  model.reference = model.judge.get();
  model.system = std::make_shared<exec::UnmatchedLayer>(model.system, offset, count, data);
}

struct ReadProgram {
  promela::Program program;
  std::shared_ptr<const exec::EmbeddedCode> embedded;  // null: there is none
  std::vector<Diagnostic> warnings;
  Reductions reductions;
  std::string why_fewer_reductions;
};

enum class Purpose : std::uint8_t { kLook, kRun };

// Nothing, with the reasons in `error`, when the model cannot be used.
std::optional<ReadProgram> compile_model(const ModelText& text, const ModelOptions& options, Purpose purpose,
                                         const promela::ClaimChoice& claim, InputError& error) {
  const promela::ParseResult& parsed = text.parsed;
  Diagnostics diagnostics = parsed.diagnostics;
  ReadProgram result;
  result.program = promela::compile(parsed.model, parsed.sources, diagnostics, claim);
  if (!diagnostics.has_errors()) {
    result.reductions = allowed_by(result.program.claim, options, result.why_fewer_reductions);
    reduce(result.program, result.reductions);
    if (purpose == Purpose::kRun && result.program.has_embedded_code) {
      result.embedded = embedded_code(result.program, text.path, options, diagnostics, error.message);
    }
  }
  if (diagnostics.has_errors()) {
    error.diagnostics = std::move(diagnostics);
    error.sources = parsed.sources;
    return std::nullopt;
  }
  result.warnings = warnings_of(diagnostics);
  return result;
}

std::optional<ModelText> read_text(const std::string& path, const ModelOptions& options, Purpose purpose,
                                   const std::string& formula, InputError& error) {
  ModelText text;
  text.path = path;
  text.parsed = promela::parse_file(path, {options.defines, {kGivenFormula, formula}});
  Diagnostics& diagnostics = text.parsed.diagnostics;
  if (diagnostics.has_errors()) {
    error.diagnostics = std::move(diagnostics);
    error.sources = std::move(text.parsed.sources);
    return std::nullopt;
  }
  if (purpose == Purpose::kRun) promela::lint(text.parsed.model, diagnostics);
  text.sha256 = sha256(text.parsed.sources, text.parsed.formula_file);
  return text;
}

std::optional<ReadProgram> read_program(const std::string& path, const ModelOptions& options, Purpose purpose,
                                        InputError& error) {
  const std::optional<ModelText> text = read_text(path, options, purpose, "", error);
  if (!text) return std::nullopt;
  return compile_model(*text, options, purpose, {}, error);
}

}  // namespace

bool is_graph(const std::string& path) { return path.ends_with(".aut"); }

std::optional<ModelText> read_model(const std::string& path, const ModelOptions& options,
                                    const std::string& formula, InputError& error) {
  return read_text(path, options, Purpose::kRun, formula, error);
}

std::optional<LoadedModel> load_model(const ModelText& text, const ModelOptions& options,
                                      const std::string& exec, const promela::ClaimChoice& claim,
                                      InputError& error) {
  std::optional<ReadProgram> read = compile_model(text, options, Purpose::kRun, claim, error);
  if (!read) return std::nullopt;
  LoadedModel model;
  model.sha256 = text.sha256;
  model.warnings = std::move(read->warnings);
  model.has_embedded_code = read->program.has_embedded_code;
  model.claim = read->program.claim;
  model.reductions = read->reductions;
  model.why_fewer_reductions = std::move(read->why_fewer_reductions);
  const auto program = std::make_shared<const promela::Program>(std::move(read->program));
  exec::Options machine = machine_options(options);
  machine.reports_movers |= program->claim.has_inner_labels;
  auto interpreter = std::make_unique<exec::Interpreter>(program, machine, std::move(read->embedded));
  const TransitionSystem* const judge = interpreter.get();
  if (exec == "interp") {
    model.system = std::move(interpreter);
  } else if (!use_native_code(std::move(interpreter), machine, exec, model, error)) {
    return std::nullopt;
  }
  model.reference = judge;
  if (program->foreign.unmatched_bytes > 0) hide_unmatched_data(*program, model);
  model.propositions = dynamic_cast<const Propositions*>(model.system.get());
  model.reference_propositions = dynamic_cast<const Propositions*>(model.reference);
  return model;
}

bool can_be_checked(const ModelText& text, const ModelOptions& options, const promela::ClaimChoice& claim,
                    InputError& error) {
  return compile_model(text, options, Purpose::kLook, claim, error).has_value();
}

std::optional<LoadedModel> load_model(const std::string& path, const ModelOptions& options,
                                      const std::string& exec, InputError& error) {
  if (is_graph(path)) return load_graph(path, error);
  const std::optional<ModelText> text = read_model(path, options, "", error);
  if (!text) return std::nullopt;
  return load_model(*text, options, exec, {}, error);
}

Execution execution_of(const LoadedModel& model) {
  Execution execution;
  const bool is_graph = dynamic_cast<const GraphSystem*>(model.system.get()) != nullptr;
  if (!is_graph) execution.tier = Execution::Tier::kInterpreter;
  if (model.native == nullptr) return execution;
  if (model.native->is_native()) {
    execution.tier = model.native->compares() ? Execution::Tier::kBoth : Execution::Tier::kNative;
  }
  execution.no_native_code = model.native->failure();
  return execution;
}

exec::Options machine_options(const ModelOptions& options) {
  exec::Options machine;
  machine.strict = options.strict;
  machine.lose_messages = options.lose_messages;
  machine.deadlocks_only = options.deadlocks_only;
  machine.reports_movers = options.is_fair;
  return machine;
}

std::optional<promela::Program> load_program(const std::string& path, const ModelOptions& options,
                                             InputError& error) {
  std::optional<ReadProgram> read = read_program(path, options, Purpose::kLook, error);
  if (!read) return std::nullopt;
  return std::move(read->program);
}

std::optional<std::string> load_c_text(const std::string& path, const ModelOptions& options,
                                       InputError& error) {
  const std::optional<ReadProgram> read = read_program(path, options, Purpose::kRun, error);
  if (!read) return std::nullopt;
  if (const std::optional<std::string> reason = exec::why_not_native(read->program)) {
    error.message = fmt::format("this model is interpreted, there is no C for it: {}", *reason);
    return std::nullopt;
  }
  const std::string embedded = read->embedded != nullptr ? exec::emit_embedded(read->program) + '\f' : "";
  return embedded + exec::emit_c(read->program, machine_options(options));
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
        "'{}' is neither a trace of ours (JSON) nor a trail of SPIN (lines of three numbers)", path);
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

std::optional<FollowedTrace> follow(const TraceFile& file, const LoadedModel& model, InputError& error) {
  FollowResult result;
  std::optional<std::size_t> loop;
  if (file.record) {
    loop = file.record->loop;
    result = follow_record(*model.system, *file.record);
    if (!result.error.empty() && file.record->model_sha256 != model.sha256) {
      result.error += " (the model is not the one that the trace was made from)";
    }
  } else {
    const std::optional<Trail> trail = parse_trail(file.text, result.error, result.line);
    if (trail) result = follow_trail(*model.system, *trail);
    if (trail && !trail->is_merged) loop = trail->cycle_start;  // a line is an action
  }
  if (result.error.empty()) return FollowedTrace{std::move(result.steps), loop};
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
