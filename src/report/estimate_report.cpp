#include "report/estimate_report.h"

#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/quantities.h"
#include "estimate/growth_curve.h"
#include "report/chart.h"
#include "report/coverage_words.h"
#include "report/json.h"
#include "version.h"

namespace spoor {
namespace {

// "about 1.2 million": more digits would suggest an exact number.
std::string roughly(double number) {
  if (number >= 1e12) return fmt::format("{:.2g}", number);
  const double power = std::pow(10, std::max(0.0, std::floor(std::log10(std::max(1.0, number))) - 2));
  return with_separators(static_cast<unsigned long long>(std::llround(number / power) * std::llround(power)));
}

Chart growth_chart(const EstimateReport& report) {
  Chart chart;
  chart.title = "states seen by the size of the filter";
  chart.x_label = "size of the filter, log2 of its bits";
  chart.y_label = "states";
  ChartSeries seen{"seen", {}, false}, met{"met", {}, false};
  std::vector<FilterRun> runs;
  for (const TimedRun& timed : report.runs) {
    const double x = log_size(timed.run);
    seen.points.emplace_back(x, static_cast<double>(timed.run.states));
    if (timed.run.met) met.points.emplace_back(x, *timed.run.met);
    runs.push_back(timed.run);
  }
  chart.series.push_back(std::move(seen));
  if (!met.points.empty()) chart.series.push_back(std::move(met));
  const std::size_t used = std::min(runs.size(), GrowthCurve::kRuns);
  if (const auto fit = GrowthCurve::fit(std::span(runs).last(used))) {
    ChartSeries curve{"growth curve", {}, true};
    const double end = log_size(runs.back());
    for (double x = log_size(runs.front()); x <= end + 1; x += 0.05) {
      curve.points.emplace_back(x, GrowthCurve::value(*fit, runs.back().filter.hashes, x - end));
    }
    chart.series.push_back(std::move(curve));
  }
  return chart;
}

// The growth curve through all runs, or null.
Json curve_json(const EstimateReport& report) {
  std::vector<FilterRun> runs;
  for (const TimedRun& timed : report.runs) runs.push_back(timed.run);
  if (!objection({runs}).empty()) return nullptr;
  const auto fit = GrowthCurve::fit(runs);
  if (!fit) return nullptr;
  return {{"total", fit->total},
          {"rate", fit->rate},
          {"constant", fit->constant},
          {"determination", fit->determination}};
}

Json optional_number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json part_json(const SharedPart& part) { return {{"share", part.share}, {"judged", part.sampled}}; }

Json probes_json(const EstimateReport& report) {
  if (!report.probes) return nullptr;
  const ProbeFigures& probes = *report.probes;
  Json json = {{"met_by_larger", probes.met_by_larger},
               {"met_by_smaller", probes.met_by_smaller},
               {"met_by_all", probes.met_by_all},
               {"smaller_in_larger", part_json(probes.smaller_in_larger)}};
  if (const auto& search = probes.search) {
    json["met_by_search"] = search->met;
    json["search_in_larger"] = part_json(search->in_larger);
    json["larger_in_search"] = part_json(search->larger_in);
  }
  return json;
}

Json limited_json(const EstimateReport& report) {
  if (!report.limited) return nullptr;
  const LimitedSearch& search = report.limited->search;
  Json levels = Json::array();
  for (const Level& level : search.levels) levels.push_back(level.states);
  return {{"states", search.states},
          {"levels", levels},
          {"samples", search.samples},
          {"found", search.found},
          {"left", search.left},
          {"elapsed_s", report.limited->elapsed_s},
          {"memory_bytes", report.limited->memory_bytes}};
}

}  // namespace

std::string estimate_text(const EstimateReport& report, bool colour, bool ascii, bool with_chart) {
  const char* const bold = colour ? "\x1b[1m" : "";
  const char* const plain = colour ? "\x1b[0m" : "";
  std::string text;
  if (report.is_exact) {
    const bool is_reduced = report.reductions != Reductions{};
    text = fmt::format(
        "{}{}{}, all that can be reached{}; {}, {}\n", bold, counted(report.exhaustive.states, "state"),
        plain, is_reduced ? " with --reduce " + to_text(report.reductions) : "",
        human_seconds(report.exhaustive.elapsed_s), human_bytes(report.exhaustive.memory_bytes));
    return text + report.advice + "\n";
  }
  if (const auto total = report.total()) {
    text = fmt::format("{}about {} states{}", bold, roughly(*total), plain);
    if (const auto& interval = report.coverage.chosen->interval; interval && interval->low > 0) {
      const auto seen = static_cast<double>(report.seen());
      text += fmt::format(", with 90 % confidence between {} and {}", roughly(seen / interval->high),
                          roughly(seen / interval->low));
    }
    text += fmt::format(" ({})\n", method_in_words(report.coverage.method));
  } else {
    text = fmt::format("{}the number of states cannot be estimated{}", bold, plain);
    text += report.seen() == 0 ? ": no search was completed within the limits\n"
                               : fmt::format(": at least {}\n", with_separators(report.seen()));
  }
  if (!report.warning.empty()) text += "warning: " + report.warning + "\n";
  const std::string which = report.runs.empty()
                                ? "A search without a filter"
                                : "The largest of " + counted(report.runs.size(), "search", "searches");
  text += fmt::format("\n{} has seen {}. Estimates of the share of all states:\n", which,
                      counted(report.seen(), "state"));
  for (const auto& [name, answer] : report.coverage.answers)
    text += fmt::format("  {:<15} {}\n", method_in_words(name), to_text(answer));
  if (with_chart && !report.runs.empty()) text += "\n" + chart_text(growth_chart(report), 60, 14, ascii);
  if (!report.needs.empty()) text += "\nA complete check needs about:\n";
  for (const StoreNeeds& need : report.needs) {
    text += fmt::format("  --store {:<9} {:>10}, {}{}\n", need.store,
                        human_bytes(static_cast<unsigned long long>(need.bytes)), human_seconds(need.seconds),
                        need.fits ? "" : "  (more than the available memory)");
  }
  return text + "\n" + report.advice + "\n";
}

std::string estimate_json(const EstimateReport& report, const SourceSet& sources) {
  Json runs = Json::array();
  for (const TimedRun& timed : report.runs) {
    runs.push_back({{"bits", timed.run.filter.bits},
                    {"hashes", timed.run.filter.hashes},
                    {"seed", timed.run.filter.seed},
                    {"states", timed.run.states},
                    {"transitions", timed.run.transitions},
                    {"bits_set", timed.run.bits_set},
                    {"met", optional_number(timed.run.met)},
                    {"elapsed_s", timed.elapsed_s}});
  }
  Json needs = Json::array();
  for (const StoreNeeds& need : report.needs) {
    needs.push_back({{"store", need.store},
                     {"memory_bytes", need.bytes},
                     {"seconds", need.seconds},
                     {"fits", need.fits}});
  }
  Json warnings = Json::array();
  for (const Diagnostic& warning : report.warnings) warnings.push_back(to_json(sources, warning));
  Json total = {{"estimate", optional_number(report.total())},
                {"low", nullptr},
                {"high", nullptr},
                {"exact", report.is_exact}};
  const auto seen = static_cast<double>(report.seen());
  if (report.is_exact) {
    total["low"] = total["high"] = seen;
  } else if (report.coverage.chosen && report.coverage.chosen->interval) {
    const Interval& interval = *report.coverage.chosen->interval;
    total["low"] = interval.high > 0 ? Json(seen / interval.high) : Json(nullptr);
    total["high"] = interval.low > 0 ? Json(seen / interval.low) : Json(nullptr);
  }
  const Json json = {{"states", report.seen()},
                     {"coverage", to_json(report.coverage)},
                     {"total", std::move(total)},
                     {"warning", report.warning.empty() ? Json(nullptr) : Json(report.warning)},
                     {"exhaustive",
                      {{"states", report.exhaustive.states},
                       {"transitions", report.exhaustive.transitions},
                       {"elapsed_s", report.exhaustive.elapsed_s},
                       {"memory_bytes", report.exhaustive.memory_bytes}}},
                     {"reduce", report.model.empty() ? Json(nullptr) : Json(to_text(report.reductions))},
                     {"curve", curve_json(report)},
                     {"runs", std::move(runs)},
                     {"probes", probes_json(report)},
                     {"limited", limited_json(report)},
                     {"needs", std::move(needs)},
                     {"advice", report.advice},
                     {"warnings", std::move(warnings)},
                     {"model", report.model.empty() ? Json(nullptr) : Json(report.model)},
                     {"model_sha256", report.model.empty() ? Json(nullptr) : Json(report.model_sha256)},
                     {"version", kVersion}};
  return dump(json);
}

std::string estimate_svg(const EstimateReport& report) { return chart_svg(growth_chart(report)); }

}  // namespace spoor
