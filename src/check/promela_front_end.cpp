#include "check/promela_front_end.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/digest.h"
#include "check/sound_reductions.h"
#include "exec/embedded.h"
#include "exec/emit.h"
#include "exec/interpreter.h"
#include "exec/machine.h"
#include "exec/native.h"
#include "exec/unmatched.h"
#include "promela/compile.h"
#include "promela/compile_claim.h"
#include "promela/lint.h"
#include "promela/local_names.h"
#include "promela/parse.h"
#include "promela/reduce.h"

namespace spoor {
namespace {

// A parsed text, which can be loaded for any of its claims.
struct PromelaText {
  std::string path;
  promela::ParseResult parsed;  // without errors
  std::string sha256;           // of the model's files, without a formula of the command line
  // Where this is the version before another one, that one, whose names it gets. Null: it is not.
  std::shared_ptr<const promela::Program> compared_with;
};

using CodeKind = promela::ClaimCode::Kind;

CodeKind kind_of(ClaimKind kind) {
  switch (kind) {
    case ClaimKind::kNone: break;
    case ClaimKind::kFormula: return CodeKind::kFormula;
    case ClaimKind::kNever: return CodeKind::kNever;
    case ClaimKind::kAccept: return CodeKind::kAccept;
    case ClaimKind::kProgress: return CodeKind::kProgress;
  }
  return CodeKind::kNone;
}

ClaimKind kind_of(CodeKind kind) {
  switch (kind) {
    case CodeKind::kNone: break;
    case CodeKind::kFormula: return ClaimKind::kFormula;
    case CodeKind::kNever: return ClaimKind::kNever;
    case CodeKind::kAccept: return ClaimKind::kAccept;
    case CodeKind::kProgress: return ClaimKind::kProgress;
  }
  return ClaimKind::kNone;
}

promela::ClaimChoice choice_of(const ClaimChoice& claim, bool is_fair) {
  return {kind_of(claim.kind), claim.index, claim.without_conclusion, is_fair};
}

Claim claim_of(const promela::ClaimCode& code) {
  Claim claim;
  claim.kind = kind_of(code.kind);
  claim.name = code.name;
  claim.position = code.range.begin;
  claim.automaton = code.automaton;
  claim.has_inner_labels = code.has_inner_labels;
  claim.invariant = code.invariant;
  for (const auto& premise : code.premises) claim.premises.push_back({premise.text, premise.position});
  return claim;
}

exec::Options machine_options(const ModelOptions& options) {
  exec::Options machine;
  machine.strict = options.strict;
  machine.lose_messages = options.lose_messages;
  machine.deadlocks_only = options.deadlocks_only;
  machine.native_columns.movers = options.is_fair;
  machine.native_columns.labels = options.has_labels;
  return machine;
}

void reduce(promela::Program& program, const Reductions& wanted) {
  if (wanted.merge) promela::merge_statements(program);
  if (wanted.dead) promela::clear_dead_variables(program);
  if (wanted.order) promela::find_ample_locations(program);
  program.uses_stubborn_sets = wanted.stubborn;
}

// Compiles the embedded C of a model, if the user allows it. Otherwise null, with a diagnostic and possibly
// more text in `message`.
std::shared_ptr<const exec::EmbeddedCode> embedded_code(promela::Program& program, const std::string& path,
                                                        const ModelOptions& options, Diagnostics& diagnostics,
                                                        std::string& message) {
  const Range where = {program.embedded_code, 1};
  if (!options.allow_c) {
    diagnostics.error("P430", where, "this model contains C code, which would run with your rights",
                      "if you trust this code, allow it with --allow-c");
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

Execution execution_of(const exec::NativeSystem& native) {
  Execution execution;
  execution.tier = !native.is_native() ? Execution::Tier::kInterpreter
                   : native.compares() ? Execution::Tier::kBoth
                                       : Execution::Tier::kNative;
  execution.no_native_code = native.failure();
  return execution;
}

// Uses native code for the search where the model allows it. False, with the reason in `error`, when native
// code is required and not possible.
bool use_native_code(std::unique_ptr<const exec::Interpreter> interpreter, const exec::Options& machine,
                     ExecutionChoice choice, LoadedModel& model, InputError& error) {
  const exec::Tier tier = choice == ExecutionChoice::kAuto     ? exec::Tier::kAuto
                          : choice == ExecutionChoice::kNative ? exec::Tier::kNative
                                                               : exec::Tier::kBoth;
  auto system = std::make_shared<exec::NativeSystem>(std::move(interpreter), machine, tier);
  const std::string failure = system->failure();
  model.execution = [native = system.get()] { return execution_of(*native); };
  model.system = std::move(system);
  if (choice == ExecutionChoice::kAuto || failure.empty()) return true;
  error.message = fmt::format("native code is not possible for this model: {}", failure);
  return false;
}

// Hides unmatched data from the search and from the reference system, each in its own layer.
void hide_unmatched_data(const promela::Program& program, LoadedModel& model) {
  const std::uint32_t count = program.foreign.unmatched_bytes;
  const std::uint32_t offset = program.globals_size - count;
  const auto data = exec::make_unmatched_data();
  const std::shared_ptr<const TransitionSystem> reference(model.system, model.reference);
  model.reference_owner = std::make_shared<exec::UnmatchedLayer>(reference, offset, count, data);
  model.reference = model.reference_owner.get();
  model.system = std::make_shared<exec::UnmatchedLayer>(model.system, offset, count, data);
}

struct ReadProgram {
  promela::Program program;
  std::shared_ptr<const exec::EmbeddedCode> embedded;  // null: no embedded C
  std::vector<Diagnostic> warnings;
  Claim claim;
  SoundReductions sound;
};

enum class Purpose : std::uint8_t { kInspect, kRun };

// Nothing, with the reasons in `error`, when the model cannot be used.
std::optional<ReadProgram> compile_model(const PromelaText& text, const ModelOptions& options,
                                         Purpose purpose, const ClaimChoice& claim, InputError& error) {
  const promela::ParseResult& parsed = text.parsed;
  Diagnostics diagnostics = parsed.diagnostics;
  ReadProgram result;
  result.program =
      promela::compile(parsed.model, parsed.sources, diagnostics, choice_of(claim, options.is_fair));
  if (!diagnostics.has_errors()) {
    result.claim = claim_of(result.program.claim);
    result.claim.is_invariant = claim.is_invariant;
    result.sound = sound_reductions(result.claim, options);
    reduce(result.program, result.sound.reductions);
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

std::optional<PromelaText> read_text(const std::string& path, const ModelOptions& options, Purpose purpose,
                                     const std::string& formula, InputError& error) {
  PromelaText text;
  text.path = path;
  text.parsed = promela::parse_file(path, {options.defines, {PromelaFrontEnd::kGivenFormula, formula}});
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
  const std::optional<PromelaText> text = read_text(path, options, purpose, "", error);
  if (!text) return std::nullopt;
  return compile_model(*text, options, purpose, {}, error);
}

std::optional<LoadedModel> load_text(const PromelaText& text, const ModelOptions& options,
                                     ExecutionChoice choice, const ClaimChoice& claim, InputError& error) {
  std::optional<ReadProgram> read = compile_model(text, options, Purpose::kRun, claim, error);
  if (!read) return std::nullopt;
  if (text.compared_with != nullptr) promela::name_locals_like(read->program, *text.compared_with);
  LoadedModel model;
  model.sha256 = text.sha256;
  model.warnings = std::move(read->warnings);
  model.has_embedded_code = read->program.has_embedded_code;
  model.claim = std::move(read->claim);
  model.reductions = read->sound.reductions;
  model.why_fewer_reductions = std::move(read->sound.why_fewer);
  const auto program = std::make_shared<const promela::Program>(std::move(read->program));
  exec::Options machine = machine_options(options);
  machine.native_columns.movers |= program->claim.has_inner_labels;
  auto interpreter = std::make_unique<exec::Interpreter>(program, machine, std::move(read->embedded));
  model.reference = interpreter.get();
  // Embedded C may read any variable, so none are cleared then; and its code runs in one interpreter only.
  if (model.reductions.dead && !model.has_embedded_code) {
    exec::Options with_values = machine;
    with_values.keeps_values = true;
    model.reference_owner = std::make_shared<exec::Interpreter>(program, with_values);
    model.reference = model.reference_owner.get();
  }
  if (choice == ExecutionChoice::kInterpreter) {
    model.system = std::move(interpreter);
    model.execution = [] { return Execution{Execution::Tier::kInterpreter, ""}; };
  } else if (!use_native_code(std::move(interpreter), machine, choice, model, error)) {
    return std::nullopt;
  }
  model.has_unmatched_data = program->foreign.unmatched_bytes > 0;
  if (model.has_unmatched_data) hide_unmatched_data(*program, model);
  model.propositions = model.system->propositions();
  model.reference_propositions = model.reference->propositions();
  return model;
}

class PromelaModel : public SourceModel {
 public:
  explicit PromelaModel(PromelaText text) : text_(std::move(text)) {}

  const std::string& sha256() const override { return text_.sha256; }

  std::vector<StatedClaim> claims() const override {
    std::vector<StatedClaim> claims;
    const promela::Model& model = text_.parsed.model;
    for (std::uint32_t i = 0; i < model.formulas.size(); ++i) {
      const promela::LtlFormula& formula = model.formulas[i];
      const bool is_given = formula.name == PromelaFrontEnd::kGivenFormula;
      claims.push_back({ClaimKind::kFormula, formula.name, formula.range, i, 0, is_given});
    }
    for (std::uint32_t i = 0; i < model.proctypes.size(); ++i) {
      const promela::Proctype& body = model.proctypes[i];
      if (body.kind != promela::BodyKind::kNever) continue;
      claims.push_back({ClaimKind::kNever, body.name, body.range, i});
    }
    for (const auto& [kind, prefix] :
         {std::pair{ClaimKind::kAccept, "accept"}, {ClaimKind::kProgress, "progress"}}) {
      const std::vector<Range> labels = promela::labels_of_processes(model, prefix);
      if (!labels.empty()) claims.push_back({kind, "", labels.front(), 0, labels.size()});
    }
    return claims;
  }

  std::string why_never(ClaimKind) const override { return {}; }

  void warn(const Diagnostic& warning) override {
    text_.parsed.diagnostics.warning(warning.code, warning.range, warning.message, warning.hint);
  }

  std::optional<LoadedModel> load(const ModelOptions& options, ExecutionChoice execution,
                                  const ClaimChoice& claim, InputError& error) const override {
    return load_text(text_, options, execution, claim, error);
  }

  Checkability can_be_checked(const ModelOptions& options, const ClaimChoice& claim,
                              InputError& error) const override {
    if (const auto read = compile_model(text_, options, Purpose::kInspect, claim, error)) {
      const std::size_t known = warnings_of(text_.parsed.diagnostics).size();
      for (std::size_t i = known; i < read->warnings.size(); ++i) {
        const Diagnostic& warning = read->warnings[i];
        error.diagnostics.warning(warning.code, warning.range, warning.message, warning.hint);
      }
      return Checkability::kPossible;
    }
    const auto is_too_much = [](const Diagnostic& diagnostic) {
      return diagnostic.severity != Severity::kError || promela::is_limit_of_claims(diagnostic.code);
    };
    return std::ranges::all_of(error.diagnostics.all(), is_too_much) ? Checkability::kTooMuch
                                                                     : Checkability::kMistake;
  }

  std::optional<std::string> standalone_text() const override {
    if (text_.parsed.formula_file) return std::nullopt;  // the formula is part of the text
    return text_.parsed.text;
  }

  std::unique_ptr<SourceModel> other_version(const std::string& text, const ModelOptions& options,
                                             InputError& error) const override {
    PromelaText other;
    other.path = text_.path;
    other.parsed = promela::parse_text(text_.path, text, {options.defines, {}});
    Diagnostics known;  // this version has been loaded
    other.compared_with = std::make_shared<const promela::Program>(
        promela::compile(text_.parsed.model, text_.parsed.sources, known));
    if (other.parsed.diagnostics.has_errors()) {
      error.diagnostics = std::move(other.parsed.diagnostics);
      error.sources = std::move(other.parsed.sources);
      return nullptr;
    }
    return std::make_unique<PromelaModel>(std::move(other));
  }

 private:
  PromelaText text_;
};

}  // namespace

std::unique_ptr<SourceModel> PromelaFrontEnd::read(const std::string& path, const ModelOptions& options,
                                                   const std::string& formula, InputError& error) const {
  std::optional<PromelaText> text = read_text(path, options, Purpose::kRun, formula, error);
  if (!text) return nullptr;
  return std::make_unique<PromelaModel>(std::move(*text));
}

std::optional<promela::Program> load_program(const std::string& path, const ModelOptions& options,
                                             InputError& error) {
  std::optional<ReadProgram> read = read_program(path, options, Purpose::kInspect, error);
  if (!read) return std::nullopt;
  return std::move(read->program);
}

std::optional<std::string> load_c_text(const std::string& path, const ModelOptions& options,
                                       InputError& error) {
  const std::optional<ReadProgram> read = read_program(path, options, Purpose::kRun, error);
  if (!read) return std::nullopt;
  if (const std::optional<std::string> reason = exec::why_not_native(read->program)) {
    error.message =
        fmt::format("this model can only be interpreted, so there is no C code for it: {}", *reason);
    return std::nullopt;
  }
  const std::string embedded = read->embedded != nullptr ? exec::emit_embedded(read->program) + '\f' : "";
  return embedded + exec::emit_c(read->program, machine_options(options));
}

}  // namespace spoor
