#include "report/history_report.h"

#include <algorithm>
#include <array>
#include <bit>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "base/quantities.h"
#include "evidence/ledger.h"
#include "report/json.h"
#include "report/report.h"
#include "report/text_columns.h"
#include "version.h"

namespace spoor {
namespace {

constexpr std::size_t kMostOptionsShown = 1000;  // characters of a row

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

// A cell of the table.
std::string cell(const std::string& text) { return escape_controls(text); }

// "2026-03-01T12:00:00Z" without the letters, which the head of the column explains.
std::string time_shown(std::string time) {
  if (time.size() == 20 && time[10] == 'T' && time.back() == 'Z') {
    time[10] = ' ';
    time.pop_back();
  }
  return cell(time);
}

std::string explored(const CataloguedRun& run) {
  if (!run.reuse) return "all";
  return fmt::format("{} of {}", with_separators(run.reuse->expanded), with_separators(run.states));
}

Json reuse_json(const CataloguedRun& run) {
  if (!run.reuse) return nullptr;
  return {{"locations", run.reuse->locations},
          {"changed_locations", run.reuse->changed},
          {"recorded_states", run.reuse->recorded},
          {"expanded_states", run.reuse->expanded}};
}

using TableRow = std::vector<std::string>;

// Columns as wide as their widest cell; figures stand at the right.
std::string aligned(const std::vector<TableRow>& rows, const std::vector<bool>& is_figure) {
  std::vector<std::size_t> widths(is_figure.size());
  for (const TableRow& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const TableRow& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - display_width(row[i]), ' ');
      line += (i == 0 ? "" : "  ") + (is_figure[i] ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string options_as_words(const CheckOptions& options) {
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  const auto add_if = [&add](bool is_set, const char* name) {
    if (is_set) add(name);
  };
  const ModelOptions& model = options.model;
  for (const OrderRow& row : orders()) {
    if (row.order == options.order && row.order != Order()) add(fmt::format("--search {}", row.name));
  }
  if (options.store != StoreKind::kAuto) add(fmt::format("--store {}", to_string(options.store)));
  if (traits_of(options.store).is_filter)
    add(fmt::format("--bits 2^{} --hashes {}", std::countr_zero(options.filter.bits), options.filter.hashes));
  if (traits_of(options.store).forgets_states) {
    add(fmt::format("--policy {}", to_string(options.cache.policy)));
    if (options.cache.states != 0) add(fmt::format("--cache-states {}", options.cache.states));
  }
  if (options.swarm != 0) add(fmt::format("--swarm {}", options.swarm));
  if (options.repeat != 0) add(fmt::format("--repeat {}", options.repeat));
  if (model.reduce != "default") add("--reduce " + model.reduce);
  if (!options.formula.empty()) add(fmt::format("--ltl '{}'", options.formula));
  if (!options.invariant.empty()) add(fmt::format("--invariant '{}'", options.invariant));
  add_if(model.is_fair, "--fair");
  add_if(!options.end_states, "--no-end-states");
  add_if(model.strict, "--strict");
  add_if(model.lose_messages, "--lose-messages");
  add_if(model.allow_c, "--allow-c");
  add_if(options.check_reduction, "--check-reduction");
  add_if(options.all_errors, "--all-errors");
  if (options.reuse != ReuseTechnique::kAuto) add(fmt::format("--regression {}", to_string(options.reuse)));
  if (options.limits.seconds != 0) add(fmt::format("--time {}", options.limits.seconds));
  if (options.limits.depth != 0) add(fmt::format("--depth {}", options.limits.depth));
  for (const std::string& define : model.defines) add("-D" + define);
  return shorten(text, kMostOptionsShown);
}

std::vector<CataloguedRun> runs_of_check(const std::vector<CheckReport>& reports) {
  std::vector<CataloguedRun> runs;
  const std::string now = utc_now();
  // A claim that cannot be checked has no digest of its own.
  const auto digested =
      std::ranges::find_if(reports, [](const CheckReport& report) { return !report.model_sha256.empty(); });
  for (const CheckReport& report : reports) {
    CataloguedRun& run = runs.emplace_back();
    run.time = now;
    run.version = kVersion;
    run.model = ledger_name(report.model);
    run.model_sha256 = digested == reports.end() ? "" : digested->model_sha256;
    run.property = report.property;
    run.options = options_as_words(report.options);
    run.verdict = verdict_name(report.result.outcome);
    run.states = report.result.statistics.states;
    run.transitions = report.result.statistics.transitions;
    run.seconds = report.result.statistics.elapsed_s;
    const bool is_about_runs = report.property != "safety" && report.property != "deadlock";
    run.threads = std::max(1u, is_about_runs ? report.options.cycle_threads : report.options.threads);
    if (!report.reuse) continue;
    const ReuseFigures& reuse = *report.reuse;
    if (reuse.is_used) run.reuse = {reuse.locations, reuse.changed, reuse.recorded, reuse.expanded};
    if (reuse.is_used || reuse.is_recorded)
      run.recording = std::filesystem::path(reuse.file).filename().string();
  }
  return runs;
}

std::string history_text(const CatalogueListing& listing, const HistoryQuery& query) {
  const bool is_of_one = !query.model.empty();
  if (listing.runs.empty()) {
    return fmt::format("no run{} in the ledger '{}'\n", is_of_one ? fmt::format(" of '{}'", query.model) : "",
                       query.ledger);
  }
  std::vector<TableRow> rows = {{"when (UTC)", "verdict", "states", "seconds", "explored", "property"}};
  if (!is_of_one) rows.front().emplace_back("model");
  rows.front().emplace_back("options");
  for (const CataloguedRun& run : listing.runs) {
    TableRow& row = rows.emplace_back();
    row = {time_shown(run.time),
           cell(run.verdict),
           with_separators(run.states),
           fmt::format("{:.2f}", run.seconds),
           explored(run),
           cell(run.property)};
    if (!is_of_one) row.push_back(cell(run.model));
    row.push_back(cell(run.options));
  }
  std::vector<bool> is_figure(rows.front().size());
  for (const std::size_t column : {2, 3, 4}) is_figure[column] = true;
  std::string text = aligned(rows, is_figure);
  if (listing.total > listing.runs.size())
    text += fmt::format("\n{} of {}; -n {} shows all\n", with_separators(listing.runs.size()),
                        counted(listing.total, "run"), listing.total);
  return text;
}

std::string history_json(const CatalogueListing& listing, const HistoryQuery& query) {
  Json runs = Json::array();
  for (const CataloguedRun& run : listing.runs) {
    runs.push_back({{"time", run.time},
                    {"model", run.model},
                    {"model_sha256", text_or_null(run.model_sha256)},
                    {"property", run.property},
                    {"options", run.options},
                    {"verdict", run.verdict},
                    {"states", run.states},
                    {"transitions", run.transitions},
                    {"elapsed_s", run.seconds},
                    {"threads", run.threads},
                    {"reuse", reuse_json(run)},
                    {"recording", text_or_null(run.recording)},
                    {"version", run.version}});
  }
  return dump({{"ledger", query.ledger},
               {"model", text_or_null(query.model)},
               {"total", listing.total},
               {"runs", std::move(runs)},
               {"version", kVersion}});
}

}  // namespace spoor
