// spoor hunt FILE
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/files.h"
#include "base/quantities.h"
#include "check/hunting.h"
#include "check/property.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "report/report.h"
#include "report/text_columns.h"
#include "report/trace_file.h"
#include "report/trace_input.h"
#include "report/trail.h"

namespace spoor::cli {
namespace {

constexpr double kDefaultHuntSeconds = 60;
constexpr std::uint64_t kDefaultHuntMemory = 60'000'000;

struct HuntArguments {
  std::string model;
  HuntingOptions options;
  std::string method = "auto";
  std::string heuristic = to_string(HeuristicKind::kAuto);
  bool no_end_states = false;
  std::string trace_path, trail_path, shorten_path;
  bool json = false, full_trace = false, no_final_state = false, quiet = false, ascii = false;
  std::string colour = "auto";
};

std::optional<int> parse(Arguments words, HuntArguments& a) {
  CheckOptions& check = a.options.check;
  CommandLine line("hunt", "Look for one error, soon, and for a short trace to it.");
  line.argument("model", a.model);
  line.model_options(check.model);
  line.value_once("--property", check.property, "run one hunt per property");
  line.value_once("--ltl", check.formula, "join the formulas with &&, or run one hunt per formula");
  line.flag("--fair", check.model.is_fair);
  line.value_once("--invariant", check.invariant, "join the conditions with &&");
  line.flag("--no-end-states", a.no_end_states);
  std::string coverage = to_string(check.coverage);
  line.value("--coverage", coverage, {"quick", "full", "off"});
  line.value("--method", a.method, hunt_method_names());
  line.value("--heuristic", a.heuristic, heuristic_names());
  line.count("--seed", a.options.seed, 0, UINT64_MAX);
  line.flag("--first", a.options.ends_at_first);
  line.value("--shorten", a.shorten_path);
  line.value("--learn-from", a.options.learn_from);
  line.value("--save-model", a.options.save_model);
  check.model.reduce = kHuntReductions;
  line.reductions(check.model);
  line.execution(check.exec);
  line.duration("--time", check.limits.seconds);
  line.size("--memory", check.limits.memory_bytes);
  line.count("--expansions", a.options.expansions, 1, UINT64_MAX);
  line.flag("--json", a.json);
  line.value("--trace", a.trace_path);
  line.value("--trail", a.trail_path);
  line.flag("--full-trace", a.full_trace);
  line.flag("--no-final-state", a.no_final_state);
  line.flag("--quiet", a.quiet);
  line.value("--color", a.colour, {"auto", "always", "never"});
  line.flag("--ascii", a.ascii);
  if (const std::optional<int> done = line.parse(std::move(words))) return done;
  if (const std::string mistake = property_mistake(check.property); !mistake.empty())
    return usage_error(mistake, "spoor hunt");
  for (const MethodRow& row : methods()) {
    if (a.method == row.name) a.options.method = &row;
  }
  for (const HeuristicKind kind : kHeuristicKinds) {
    if (a.heuristic == to_string(kind)) a.options.heuristic = kind;
  }
  if (a.options.heuristic == HeuristicKind::kInvariant && check.invariant.empty())
    return usage_error("--heuristic invariant needs --invariant", "spoor hunt");
  if (!check.invariant.empty() && !check.formula.empty())
    return usage_error("only one of --invariant and --ltl: run one hunt for each", "spoor hunt");
  if (!a.shorten_path.empty() && (a.options.method != nullptr || a.options.ends_at_first))
    return usage_error("--shorten uses all methods: leave out --method and --first", "spoor hunt");
  check.end_states = !a.no_end_states;
  for (const CoverageEffort effort : {CoverageEffort::kOff, CoverageEffort::kQuick, CoverageEffort::kFull}) {
    if (coverage == to_string(effort)) check.coverage = effort;
  }
  if (check.limits.seconds == 0 && a.options.expansions == 0) check.limits.seconds = kDefaultHuntSeconds;
  if (check.limits.memory_bytes == 0) check.limits.memory_bytes = kDefaultHuntMemory;
  check.limits.interrupt = &interrupt_flag();
  return std::nullopt;
}

// Tells of each trace as soon as there is one, and writes the files that the user names.
class HuntProgress : public HuntingListener {
 public:
  HuntProgress(const HuntArguments& arguments, bool colour)
      : a_(arguments), colour_(colour), line_(!arguments.quiet) {}

  void on_model(const LoadedModel& model) override {
    if (!a_.quiet) print_warnings(model, colour_);
    catch_interrupts();
  }
  void on_method(const std::string& method, const HuntCounts& counts, std::uint64_t best) override {
    std::string text = fmt::format("{}; {}", method, counted(counts.expansions, "expansion"));
    if (best != 0) text += fmt::format("; best trace: {} (Ctrl-C ends the hunt)", counted(best, "step"));
    line_.show_message(text.c_str());
  }
  void on_trace(const LoadedModel& model, const ShownViolation& violation, const FoundTrace& found) override {
    line_.clear();
    if (!a_.quiet) {
      fmt::print(stderr, "{}: {}, by {} after {}\n", escape_controls(violation.finding.message),
                 counted(found.length, "step"), found.method, counted(found.counts.expansions, "expansion"));
    }
    const std::string reason = write(model, violation);
    if (!reason.empty()) failure_ = reason;
  }
  void end() { line_.clear(); }
  // Why a file could not be written; or empty.
  const std::string& failure() const { return failure_; }

 private:
  std::string write(const LoadedModel& model, const ShownViolation& violation) const {
    if (!a_.trail_path.empty()) {
      if (!has_trail(violation.trace)) return "a graph has no processes, so SPIN has no trail for it";
      const std::string reason = write_file_atomically(a_.trail_path, write_trail(violation.trace));
      if (!reason.empty()) return fmt::format("cannot write '{}': {}", a_.trail_path, reason);
    }
    if (a_.trace_path.empty()) return {};
    TraceFileHeader header = {a_.model, model.sha256, a_.options.check.model};
    header.options.reduce = to_text(violation.reductions);
    const std::string reason = write_file_atomically(
        a_.trace_path, write_trace_file(header, violation.trace, model.system->sources()));
    return reason.empty() ? "" : fmt::format("cannot write '{}': {}", a_.trace_path, reason);
  }

  const HuntArguments& a_;
  const bool colour_;
  ProgressLine line_;
  std::string failure_;
};

// The steps of a trace in the hunted model. The steps of a model with merged statements have other names: a
// trace of one is followed there, and then by its statements.
std::optional<std::vector<StepId>> steps_of(const TraceFile& file, const HuntArguments& a,
                                            const LoadedModel& hunted, InputError& error) {
  const ModelOptions of_trace = options_for(file, a.options.check.model);
  const std::optional<Reductions> reductions = parse_reductions(of_trace.reduce);
  if (!file.record || !reductions || !reductions->merge || hunted.reductions.merge) {
    std::optional<FollowedTrace> followed = follow(file, hunted, error);
    if (!followed) return std::nullopt;
    return std::move(followed->steps);
  }
  const std::optional<LoadedModel> model =
      load_model(a.model, of_trace, ExecutionChoice::kInterpreter, error);
  if (!model) return std::nullopt;
  const std::optional<FollowedTrace> followed = follow(file, *model, error);
  if (!followed) return std::nullopt;
  FollowResult found;
  const std::optional<Trail> trail =
      parse_trail(write_trail(show_trace(*model->system, followed->steps)), found.error, found.line);
  if (trail) found = follow_trail(*hunted.system, *trail);
  if (found.error.empty()) return std::move(found.steps);
  error.message = fmt::format("{}: without merged statements, {}", file.path, found.error);
  return std::nullopt;
}

// Reads the trace that is to be made shorter, whose options are those of the hunt where none were given.
// Returns why it cannot be used.
std::optional<InputError> read_known(HuntArguments& a) {
  if (a.shorten_path.empty()) return std::nullopt;
  InputError error;
  const std::optional<TraceFile> file = load_trace_file(a.shorten_path, error);
  if (!file) return error;
  std::string& property = a.options.check.property;
  if (property.empty()) property = "safety";
  if (has_cycle(*file) || (property != "safety" && property != "deadlock")) {
    error.message = fmt::format(
        "'{}' cannot be made shorter as the trace of an infinite run: only traces to errors of states and "
        "steps can (--property safety or deadlock)",
        a.shorten_path);
    return error;
  }
  ModelOptions& model = a.options.check.model;
  const std::string reduce = model.reduce;
  model = options_for(*file, model);
  model.reduce = reduce;
  a.options.known_trace = [&a, file = *file](const LoadedModel& hunted, InputError& why) {
    return steps_of(file, a, hunted, why);
  };
  return std::nullopt;
}

int show(const HuntArguments& a, const CheckedModel& checked) {
  const auto& [reports, sources] = checked;
  if (a.json) {
    fmt::print("{}", json_report(reports, sources));
  } else {
    TextOptions options;
    options.colour = wants_colour(a.colour, stdout);
    options.ascii = a.ascii;
    options.full_trace = a.full_trace;
    options.final_state = !a.no_final_state;
    options.quiet = a.quiet;
    fmt::print("{}", text_report(reports, sources, options));
  }
  return exit_code_of(worst(reports).result.outcome);
}

}  // namespace

int run_hunt(Arguments arguments) {
  HuntArguments a;
  if (const std::optional<int> done = parse(std::move(arguments), a)) return *done;
  const bool colour = wants_colour(a.colour, stderr);
  if (const std::optional<InputError> error = read_known(a))
    return report_input_error(*error, colour, a.json);
  HuntProgress progress(a, colour);
  a.options.listener = &progress;
  const CheckAnswer answer = hunt_model(a.model, a.options);
  progress.end();
  if (const auto* error = std::get_if<InputError>(&answer)) return report_input_error(*error, colour, a.json);
  const int code = show(a, std::get<CheckedModel>(answer));
  if (progress.failure().empty()) return code;
  InputError error;
  error.message = progress.failure();
  return report_input_error(error, colour, false);
}

}  // namespace spoor::cli
