// spoor simulate FILE: one run of the model, chosen at random, by the user, or by a trace.
//
// The output of the model goes to the standard output unchanged, without SPIN's indentation by
// process. The run ends at an error, at a state without successors, or at the limit of steps; the
// final state or the error is shown last.
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/quantities.h"
#include "check/front_end.h"
#include "check/shown.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/units.h"
#include "report/labels.h"
#include "report/table.h"
#include "report/text_columns.h"
#include "report/trace_input.h"

namespace spoor::cli {
namespace {

struct SimulateArguments {
  std::string model;
  ModelOptions options;
  std::uint64_t seed = 1;
  std::uint64_t steps = 10'000;
  bool interactive = false;
  std::string trace;
  bool verbose = false;
  std::string colour = "auto";
};

std::optional<int> parse(Arguments words, SimulateArguments& a) {
  const auto into = [](std::uint64_t& target) {
    return [&target](const std::string& text) {
      const std::optional<std::uint64_t> count = parse_count(text);
      target = count.value_or(0);
      return count.has_value();
    };
  };
  CommandLine line("simulate", "Run a model.");
  line.argument("model", a.model);
  line.model_options(a.options);
  line.converted("--seed", into(a.seed), "a whole number");
  line.converted("--steps", into(a.steps), "a whole number");
  line.flag("--interactive", a.interactive);
  line.value("--trace", a.trace);
  line.flag("--verbose", a.verbose);
  line.value("--color", a.colour, {"auto", "always", "never"});
  if (const std::optional<int> done = line.parse(std::move(words))) return done;
  if (a.interactive && !a.trace.empty()) {
    return usage_error("--interactive and --trace cannot be combined", "spoor simulate");
  }
  return std::nullopt;
}

// SplitMix64 (Steele, Lea, Flood 2014): the same numbers on every machine. The distributions of the
// standard library do not guarantee that.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t bound) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return (z ^ (z >> 31)) % bound;
  }

 private:
  std::uint64_t state_;
};

// A run in progress; prints its steps.
class Run {
 public:
  Run(const TransitionSystem& system, bool verbose) : system_(system), verbose_(verbose) {
    history_.push_back({system.initial_state(), {}, 0, false});
    expand_current_state();
  }

  const std::vector<StepId>& enabled() const { return enabled_; }
  std::size_t steps() const { return history_.size() - 1; }
  bool has_failed() const { return !here().errors.empty() || !state_errors_.empty(); }
  bool has_enabled_step() const { return !enabled_.empty(); }

  void execute(StepId step) {
    Explanation taken = system_.explain(here().state, step);
    Point next{std::move(taken.target), {}, here().actions, false};
    for (const Action& action : taken.actions) show(++next.actions, action);
    for (const Finding& finding : taken.findings) next.errors.push_back(words(finding));
    next.leads_nowhere = next.state.empty();
    if (next.leads_nowhere) next.state = here().state;
    history_.push_back(std::move(next));
    expand_current_state();
  }

  bool undo() {
    if (history_.size() == 1) return false;
    history_.pop_back();
    expand_current_state();
    return true;
  }

  // "A[1]  a.pml:5  q!1, then B[2] q?x"
  std::string preview(StepId id) const {
    const Explanation step = system_.explain(here().state, id);
    std::string text;
    if (!step.actions.empty()) {
      const Action& first = step.actions.front();
      text = fmt::format("{:<10}  {:<14}  {}", process_label(first),
                         place_label(system_.sources(), first.position), escape_controls(first.statement));
      if (first.completes_with_next && step.actions.size() > 1) {
        const Action& partner = step.actions[1];
        text += fmt::format(" with {} {}", process_label(partner), escape_controls(partner.statement));
      } else if (step.actions.size() > 1) {
        text += fmt::format(" and {} more", step.actions.size() - 1);
      }
    }
    if (!step.findings.empty()) text += fmt::format("  (fails: {})", words(step.findings.front()));
    return text;
  }

  void show_state() {
    end_line();
    for (const std::string& line : system_.describe(here().state)) {
      fmt::print("  {}\n", escape_controls(line));
    }
  }

  void show_errors() {
    end_line();
    for (const std::string& error : here().errors) fmt::print("error: {}\n", error);
    for (const std::string& error : state_errors_) fmt::print("error: {}\n", error);
  }

  // Starts a new line if the output of the model does not end with one.
  void end_line() {
    if (!at_line_start_) fmt::print("\n");
    at_line_start_ = true;
  }

 private:
  // A state of the run and the step that reached it.
  struct Point {
    std::vector<std::byte> state;
    std::vector<std::string> errors;  // of the step that leads here
    std::size_t actions = 0;          // of the run up to here
    bool leads_nowhere = false;       // the step fails and has no successor
  };

  const Point& here() const { return history_.back(); }

  void expand_current_state() {
    enabled_.clear();
    state_errors_.clear();
    if (here().leads_nowhere) return;
    expansion_.clear();
    system_.expand(here().state, expansion_);
    enabled_ = step_ids_of(expansion_);
    for (const Finding& finding : expansion_.findings) {
      if (finding.step == Finding::kStateItself) state_errors_.push_back(words(finding));
    }
  }

  std::string words(const Finding& finding) const {
    const std::string place = place_label(system_.sources(), system_.place(finding));
    const std::string message = escape_controls(system_.message(finding));
    return place.empty() ? message : fmt::format("{} at {}", message, place);
  }

  void show(std::size_t number, const Action& action) {
    if (verbose_) {
      end_line();
      Action silent = action;
      silent.output.clear();
      std::string line = fmt::format("{:>5}  {:<10}  {:<14}  {:<24}  {}", number, process_label(action),
                                     place_label(system_.sources(), action.position),
                                     escape_controls(action.statement), effects(silent));
      line.erase(line.find_last_not_of(' ') + 1);
      fmt::print("{}\n", line);
    }
    if (action.output.empty()) return;
    fmt::print("{}", action.output);
    at_line_start_ = action.output.back() == '\n';
  }

  const TransitionSystem& system_;
  const bool verbose_;
  std::vector<Point> history_;  // never empty
  Expansion expansion_;
  std::vector<StepId> enabled_;
  std::vector<std::string> state_errors_;
  bool at_line_start_ = true;
};

void run_at_random(Run& run, const SimulateArguments& a, const std::atomic<bool>& interrupt) {
  fmt::print("seed {}\n", a.seed);
  Random random(a.seed);
  while (!run.has_failed() && run.has_enabled_step() && run.steps() < a.steps && !interrupt) {
    run.execute(run.enabled()[random.below(run.enabled().size())]);
  }
}

void show_choices(Run& run) {
  run.end_line();
  run.show_errors();
  fmt::print("step {}\n", run.steps() + 1);
  for (std::size_t i = 0; i < run.enabled().size(); ++i) {
    fmt::print("{:>4}  {}\n", i + 1, run.preview(run.enabled()[i]));
  }
  if (!run.has_enabled_step()) fmt::print("      no step is possible here\n");
}

void run_interactively(Run& run, const std::atomic<bool>& interrupt) {
  bool is_new = true;
  while (!interrupt) {
    if (is_new) show_choices(run);
    is_new = false;
    fmt::print("choose (? for help) > ");
    std::fflush(stdout);
    std::string answer;
    if (!std::getline(std::cin, answer)) break;
    answer.erase(0, answer.find_first_not_of(" \t"));
    answer.erase(answer.find_last_not_of(" \t\r") + 1);
    if (answer == "q") return;
    if (answer == "?" || answer == "h") {
      fmt::print("a number executes that step, u undoes the last step, s shows the state, q quits\n");
    } else if (answer == "s") {
      run.show_state();
    } else if (answer == "u") {
      is_new = run.undo();
      if (!is_new) fmt::print("nothing to undo: this is the initial state\n");
    } else if (const std::optional<std::uint64_t> number = parse_count(answer);
               number && *number >= 1 && *number <= run.enabled().size()) {
      run.execute(run.enabled()[*number - 1]);
      is_new = true;
    } else {
      fmt::print("'{}' is not one of the choices; ? for help\n", escape_controls(answer));
    }
  }
  fmt::print("\n");  // the input ends after a prompt
}

int finish(Run& run, const SimulateArguments& a, bool interrupted) {
  run.show_errors();
  const char* how = run.has_failed()          ? "the run ended in an error"
                    : interrupted             ? "interrupted"
                    : !run.has_enabled_step() ? "no step is possible"
                    : a.interactive           ? "stopped"
                    : !a.trace.empty()        ? "the trace ends here"
                                              : "stopped at the limit (--steps)";
  fmt::print("after {}: {}; the state is\n", counted(run.steps(), "step"), how);
  run.show_state();
  return run.has_failed() ? kViolated : kHolds;
}

}  // namespace

int run_simulate(Arguments arguments) {
  SimulateArguments a;
  if (const std::optional<int> done = parse(std::move(arguments), a)) return *done;
  InputError error;
  const bool colour = wants_colour(a.colour, stderr);
  std::optional<TraceFile> file;
  if (!a.trace.empty()) {
    file = load_trace_file(a.trace, error);
    if (!file) return report_input_error(error, colour, false);
    a.options = options_for(*file, a.options);
  }
  const std::optional<LoadedModel> model =
      load_model(a.model, a.options, ExecutionChoice::kInterpreter, error);
  if (!model) return report_input_error(error, colour, false);
  print_warnings(*model, colour);

  const std::atomic<bool>& interrupt = catch_interrupts();
  Run run(*model->system, a.verbose || a.interactive);
  if (file) {
    const auto followed = follow(*file, *model, error);
    if (!followed) return report_input_error(error, colour, false);
    for (const StepId step : followed->steps) run.execute(step);
  } else if (a.interactive) {
    run_interactively(run, interrupt);
  } else {
    run_at_random(run, a, interrupt);
  }
  return finish(run, a, interrupt);
}

}  // namespace spoor::cli
