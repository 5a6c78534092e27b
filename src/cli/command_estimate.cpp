// spoor estimate FILE
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/files.h"
#include "base/process_memory.h"
#include "base/quantities.h"
#include "check/front_end.h"
#include "check/survey.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/units.h"
#include "report/estimate_report.h"
#include "report/run_file.h"

namespace spoor::cli {
namespace {

constexpr double kDefaultSeconds = 60;

struct EstimateArguments {
  std::string model;
  ModelOptions options;
  ExecutionChoice exec = ExecutionChoice::kAuto;
  Limits limits;
  std::uint64_t seed = 1;
  std::uint64_t bits = 0, hashes = 1;
  std::string runs;  // a file with figures of earlier searches, instead of a model
  std::string svg;
  bool json = false, quiet = false, ascii = false;
  std::string colour = "auto";
};

std::optional<int> parse(Arguments words, EstimateArguments& a) {
  CommandLine line("estimate", "Estimate how many states a model has, and what a complete check needs.");
  line.argument("model", a.model, false);
  line.value("--runs", a.runs);
  line.model_options(a.options);
  // The states that partial-order reduction leaves out depend on the search order, so their number is not
  // defined.
  a.options.reduce = "merge,dead";
  line.reductions(a.options);
  line.execution(a.exec);
  line.duration("--time", a.limits.seconds);
  line.size("--memory", a.limits.memory_bytes);
  line.count("--seed", a.seed, 0, UINT64_MAX);
  line.converted(
      "--bits",
      [&](const std::string& text) {
        FilterOptions wanted;
        wanted.bits = a.bits = parse_power_of_two(text).value_or(0);
        return is_valid(wanted);
      },
      "a power of two from 2^6 to 2^40, such as 2^30 or 1G");
  line.count("--hashes", a.hashes, 1, FilterOptions::kMostHashes);
  line.value("--svg", a.svg);
  line.flag("--json", a.json);
  line.flag("--quiet", a.quiet);
  line.value("--color", a.colour, {"auto", "always", "never"});
  line.flag("--ascii", a.ascii);
  if (const std::optional<int> done = line.parse(std::move(words))) return done;
  if (a.model.empty() == a.runs.empty()) return usage_error("give a model, or --runs FILE", "spoor estimate");
  if (a.limits.seconds == 0) a.limits.seconds = kDefaultSeconds;
  if (a.limits.memory_bytes == 0) a.limits.memory_bytes = available_memory();
  if (a.bits / 8 >= a.limits.memory_bytes) {
    return usage_error(fmt::format("--bits needs {}, but the searches may use only {}",
                                   human_bytes(a.bits / 8), human_bytes(a.limits.memory_bytes)),
                       "spoor estimate");
  }
  return std::nullopt;
}

// Searches the model. False, with the reason in `error`, when the model cannot be used.
bool survey_model(const EstimateArguments& a, EstimateReport& report, InputError& error) {
  const std::optional<LoadedModel> model = load_model(a.model, a.options, a.exec, error);
  if (!model) return false;
  if (!a.quiet) print_warnings(*model, wants_colour(a.colour, stderr));
  report.model = a.model;
  report.model_sha256 = model->sha256;
  report.warnings = model->warnings;
  ProgressLine progress(!a.quiet);
  SurveyOptions options;
  options.limits = a.limits;
  options.seed = a.seed;
  options.bits = a.bits;
  options.hashes = static_cast<unsigned>(a.hashes);
  options.limits.interrupt = &catch_interrupts();
  options.progress = &progress;
  options.progress_interval_s = progress.is_enabled() ? 0.5 : 0;
  survey(*model, options, report);
  error.sources = model->system->sources();
  return true;
}

// Estimates from the figures of earlier searches.
bool read_survey(const EstimateArguments& a, EstimateReport& report, InputError& error) {
  std::string reason;
  const std::optional<std::string> text = read_file(a.runs, reason);
  const std::optional<Evidence> evidence = text ? read_runs(*text, reason) : std::nullopt;
  if (!evidence) {
    error.message = fmt::format("'{}': {}", a.runs, reason);
    return false;
  }
  for (const FilterRun& run : evidence->runs) report.runs.push_back({run, 0});
  report.probes = evidence->probes;
  if (evidence->limited) report.limited = TimedSampling{*evidence->limited};
  if (report.runs.empty() && !report.limited) {
    error.message = fmt::format("'{}' contains no run", a.runs);
    return false;
  }
  add_estimate(*evidence, report);
  report.advice = report.total() ? "spoor estimate MODEL also says what a complete check needs."
                                 : "Runs with larger filters would give a better estimate.";
  return true;
}

}  // namespace

int run_estimate(Arguments arguments) {
  EstimateArguments a;
  if (const std::optional<int> done = parse(std::move(arguments), a)) return *done;
  InputError error;
  EstimateReport report;
  if (!(a.runs.empty() ? survey_model(a, report, error) : read_survey(a, report, error))) {
    return report_input_error(error, wants_colour(a.colour, stderr), a.json);
  }
  if (!a.svg.empty()) {
    if (report.runs.empty()) {
      fmt::print(stderr, "spoor estimate: no chart is written, because all states were seen\n");
    } else if (const int code = write_output(a.svg, estimate_svg(report)); code != kHolds) {
      return code;
    }
  }
  if (a.json) {
    fmt::print("{}", estimate_json(report, error.sources));
  } else {
    const std::string text = estimate_text(report, wants_colour(a.colour, stdout), a.ascii, !a.quiet);
    fmt::print("{}", a.quiet ? text.substr(0, text.find('\n') + 1) : text);
  }
  return report.total() ? kHolds : kUndecided;
}

}  // namespace spoor::cli
