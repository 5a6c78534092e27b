// spoor graph export FILE, spoor graph random, spoor graph control FILE
#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/quantities.h"
#include "check/front_end.h"
#include "check/promela_front_end.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/units.h"
#include "graph/aut.h"
#include "graph/export.h"
#include "graph/random.h"
#include "report/control_graph.h"

namespace spoor::cli {
namespace {

int run_export(Arguments arguments) {
  std::string path, output;
  ModelOptions options;
  ExportLimits limits;
  limits.states = 10'000'000;
  CommandLine line("graph-export", "Write the reachable states of a model as an .aut graph.");
  line.argument("model", path);
  line.model_options(options);
  line.value("--output", output);
  line.converted(
      "--max-states",
      [&](const std::string& text) {
        limits.states = parse_count(text).value_or(0);
        return limits.states > 0;
      },
      "a whole number above 0");
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;

  InputError error;
  const std::optional<LoadedModel> model = load_model(path, options, ExecutionChoice::kInterpreter, error);
  if (!model) return report_input_error(error, wants_colour("auto", stderr), false);
  limits.interrupt = &catch_interrupts();
  std::ostringstream text;
  const ExportResult result = export_aut(*model->system, text, limits);
  if (!result.is_complete) {
    const bool interrupted = limits.interrupt->load();
    fmt::print(stderr, "spoor: {}; nothing was written\n",
               interrupted ? std::string("interrupted")
                           : fmt::format("the model has more than {} states (--max-states)",
                                         with_separators(limits.states)));
    return kUndecided;
  }
  const int code = write_output(output, text.str());
  if (code == kHolds && !output.empty()) {
    fmt::print("{}: {} states, {} transitions\n", output, with_separators(result.states),
               with_separators(result.transitions));
  }
  return code;
}

int run_random(Arguments arguments) {
  constexpr std::uint64_t kMostStates = 50'000'000;
  RandomGraphOptions options;
  std::string output;
  CommandLine line("graph-random", "Write a random .aut graph.");
  line.converted(
      "--states",
      [&](const std::string& text) {
        const std::uint64_t states = parse_count(text).value_or(0);
        options.states = static_cast<std::uint32_t>(std::min(states, kMostStates));
        return states > 0 && states <= kMostStates;
      },
      fmt::format("a whole number from 1 to {}", kMostStates));
  line.converted(
      "--seed",
      [&](const std::string& text) {
        const std::optional<std::uint64_t> seed = parse_count(text);
        options.seed = seed.value_or(0);
        return seed.has_value();
      },
      "a whole number");
  line.value("--output", output);
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;
  std::ostringstream text;
  write_aut(random_graph(options), text);
  return write_output(output, text.str());
}

int run_control(Arguments arguments) {
  std::string path, output;
  ModelOptions options;
  bool dot = false;
  CommandLine line("graph-control", "Show the control-flow graphs of a Promela model.");
  line.argument("model", path);
  line.definitions("-D", options.defines);
  line.flag("--dot", dot);
  line.value("--output", output);
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;
  InputError error;
  const std::optional<promela::Program> program = load_program(path, options, error);
  if (!program) return report_input_error(error, wants_colour("auto", stderr), false);
  return write_output(output, dot ? control_dot(*program) : control_table(*program));
}

std::string overview() {
  return "usage: spoor graph COMMAND [ARGUMENTS]\n\ncommands:\n"
         "  export   write the reachable states of a model as an .aut graph\n"
         "  random   write a random .aut graph\n"
         "  control  show the control-flow graphs of a Promela model\n";
}

}  // namespace

int run_graph(Arguments arguments) {
  if (arguments.empty()) {
    fmt::print(stderr, "{}", overview());
    return kWrongInput;
  }
  const std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "export") return run_export(std::move(arguments));
  if (name == "random") return run_random(std::move(arguments));
  if (name == "control") return run_control(std::move(arguments));
  if (name == "--help" || name == "-h" || name == "help") {
    fmt::print("{}", overview());
    return kHolds;
  }
  const std::string nearest = nearest_name(name, {"export", "random", "control"});
  return usage_error(fmt::format("unknown command 'graph {}'{}", name,
                                 nearest.empty() ? "" : "; did you mean " + nearest + "?"),
                     "spoor graph");
}

}  // namespace spoor::cli
