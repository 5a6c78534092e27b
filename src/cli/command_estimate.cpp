// spoor estimate FILE
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/survey.h"
#include "cli/terminal.h"
#include "report/estimate_report.h"

namespace spoor::cli {
namespace {

constexpr double kDefaultSeconds = 60;

struct EstimateArguments {
  std::string model;
  ModelOptions options;
  std::string exec = "auto";
  Limits limits;
  std::uint64_t seed = 1;
  std::string svg;
  bool json = false, quiet = false, ascii = false;
  std::string colour = "auto";
};

std::optional<int> parse(Arguments words, EstimateArguments& a) {
  CommandLine line("estimate", "Say how many states a model has, and what a check of all would take.");
  line.argument("model", a.model);
  line.model_options(a.options);
  a.options.reduce = "default";
  line.reductions(a.options);
  line.value("--exec", a.exec, {"auto", "interp", "native", "both"});
  line.duration("--time", a.limits.seconds);
  line.size("--memory", a.limits.memory_bytes);
  line.count("--seed", a.seed, 0, UINT64_MAX);
  line.value("--svg", a.svg);
  line.flag("--json", a.json);
  line.flag("--quiet", a.quiet);
  line.value("--color", a.colour, {"auto", "always", "never"});
  line.flag("--ascii", a.ascii);
  if (const std::optional<int> done = line.parse(std::move(words))) return done;
  if (a.limits.seconds == 0) a.limits.seconds = kDefaultSeconds;
  if (a.limits.memory_bytes == 0) a.limits.memory_bytes = available_memory();
  return std::nullopt;
}

}  // namespace

int run_estimate(Arguments arguments) {
  EstimateArguments a;
  if (const std::optional<int> done = parse(std::move(arguments), a)) return *done;
  InputError error;
  const bool colour = wants_colour(a.colour, stderr);
  const std::optional<LoadedModel> model = load_model(a.model, a.options, a.exec, error);
  if (!model) return report_input_error(error, colour, a.json);
  if (!a.quiet) print_warnings(*model, colour);

  EstimateReport report;
  report.model = a.model;
  report.model_sha256 = model->sha256;
  report.options = a.options;
  report.limits = a.limits;
  report.warnings = model->warnings;
  {
    ProgressLine progress(!a.quiet);
    SurveyOptions options;
    options.limits = a.limits;
    options.seed = a.seed;
    options.interrupt = &catch_interrupts();
    options.progress = &progress;
    options.progress_interval_s = progress.is_enabled() ? 0.5 : 0;
    survey(*model, options, report);
  }
  report.execution = execution_of(*model);

  if (!a.svg.empty()) {
    if (report.runs.empty()) {
      fmt::print(stderr, "spoor estimate: no chart, because there is nothing to estimate\n");
    } else if (const int code = write_output(a.svg, estimate_svg(report)); code != kHolds) {
      return code;
    }
  }
  if (a.json) {
    fmt::print("{}", estimate_json(report, model->system->sources()));
  } else {
    const std::string text = estimate_text(report, wants_colour(a.colour, stdout), a.ascii, !a.quiet);
    fmt::print("{}", a.quiet ? text.substr(0, text.find('\n') + 1) : text);
  }
  return report.total() ? kHolds : kUndecided;
}

}  // namespace spoor::cli
