#include "report/run_file.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include <fmt/format.h>

#include "report/json.h"

namespace spoor {
namespace {

const Json& member(const Json& json, const char* name) {
  if (!json.is_object() || !json.contains(name))
    throw std::invalid_argument(fmt::format("`{}` is missing", name));
  return json.at(name);
}

std::uint64_t whole_number(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_number_unsigned())
    throw std::invalid_argument(fmt::format("`{}` is not a whole number of at least 0", name));
  return value.get<std::uint64_t>();
}

// A run from an entry of `runs`. Throws Json::exception and std::invalid_argument.
FilterRun run_from(const Json& json) {
  if (!json.is_object()) throw std::invalid_argument("a run is not an object");
  FilterRun run;
  run.filter.bits = whole_number(json, "bits");
  run.filter.hashes = static_cast<unsigned>(std::min<std::uint64_t>(whole_number(json, "hashes"), UINT8_MAX));
  run.states = whole_number(json, "states");
  if (json.contains("seed")) run.filter.seed = whole_number(json, "seed");
  if (json.contains("transitions")) run.transitions = whole_number(json, "transitions");
  if (json.contains("bits_set")) run.bits_set = whole_number(json, "bits_set");
  if (json.contains("met") && !json["met"].is_null()) {
    run.met = json["met"].get<double>();
    if (!(*run.met >= 0)) throw std::invalid_argument("`met` is not a number of at least 0");
  }
  if (json.contains("kind") && json["kind"] == "blocked") run.filter.kind = FilterKind::kBlocked;
  return run;
}

double amount(const Json& json, const char* name) {
  const Json& found = member(json, name);
  const double value = found.is_number() ? found.get<double>() : -1;
  if (!(value >= 0) || value > 1e300)
    throw std::invalid_argument(fmt::format("`{}` is not a number of at least 0", name));
  return value;
}

SharedPart part_from(const Json& json) {
  const double share = amount(json, "share");
  if (share > 1) throw std::invalid_argument("`share` is more than 1");
  return {share, whole_number(json, "judged")};
}

ProbeFigures probes_from(const Json& json) {
  ProbeFigures figures{amount(json, "met_by_larger"), amount(json, "met_by_smaller"),
                       amount(json, "met_by_all"), part_from(member(json, "smaller_in_larger"))};
  if (json.contains("met_by_search")) {
    figures.search = {amount(json, "met_by_search"), part_from(member(json, "search_in_larger")),
                      part_from(member(json, "larger_in_search"))};
  }
  return figures;
}

LimitedSearch limited_from(const Json& json) {
  LimitedSearch search{whole_number(json, "states")};
  const Json& levels = member(json, "levels");
  std::uint64_t in_levels = 0;
  for (const Json& level : levels) {
    if (!levels.is_array() || !level.is_number_unsigned())
      throw std::invalid_argument("`levels` is not a list of whole numbers of at least 0");
    search.levels.push_back({level.get<std::uint64_t>()});
    if (search.levels.back().states > search.states - in_levels)
      throw std::invalid_argument("the `levels` have more states in total than `states`");
    in_levels += search.levels.back().states;
  }
  search.samples = whole_number(json, "samples");
  search.found = whole_number(json, "found");
  search.left = whole_number(json, "left");
  if (search.found > search.states || search.samples > search.found)
    throw std::invalid_argument("the samples have found more states than the search has seen");
  return search;
}

// A run from a report of `spoor check`. Throws as above.
FilterRun run_from_report(const Json& json) {
  FilterRun run = run_from(json.at("filter"));
  run.transitions = whole_number(json, "transitions");
  return run;
}

}  // namespace

std::optional<Evidence> read_runs(const std::string& text, std::string& error) {
  Evidence evidence;
  try {
    const Json json = Json::parse(text);
    if (json.is_object() && json.contains("runs")) {
      for (const Json& run : json["runs"]) evidence.runs.push_back(run_from(run));
      if (json.contains("control") && !json["control"].is_null())
        evidence.control = run_from(json["control"]);
      if (json.contains("probes") && !json["probes"].is_null()) evidence.probes = probes_from(json["probes"]);
      if (json.contains("limited") && !json["limited"].is_null())
        evidence.limited = limited_from(json["limited"]);
      if (evidence.limited) evidence.at_least = static_cast<double>(evidence.limited->states);
    } else if (json.is_array()) {
      for (const Json& report : json) {
        const Json limit = report.is_object() && report.contains("limit") ? report["limit"] : Json(nullptr);
        if (!limit.is_null() && limit != to_string(LimitHit::kCoverage)) {
          error = "one of the searches is incomplete, so the runs cannot be compared";
          return std::nullopt;
        }
        evidence.runs.push_back(run_from_report(report));
      }
      std::ranges::sort(evidence.runs, {}, [](const FilterRun& run) { return run.filter.bits; });
    } else {
      error =
          "it is JSON, but neither an object with `runs` nor a list of reports of `spoor check --store bitstate --json`";
      return std::nullopt;
    }
  } catch (const Json::exception& reason) {
    error = fmt::format("it does not have the expected form: {}", reason.what());
    return std::nullopt;
  } catch (const std::invalid_argument& reason) {
    error = reason.what();
    return std::nullopt;
  }
  return evidence;
}

}  // namespace spoor
