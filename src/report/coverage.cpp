#include "report/coverage.h"

#include <fmt/format.h>

#include "report/json.h"

namespace spoor {
namespace {

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

Json to_json(const std::optional<Estimate>& estimate) {
  Json json = {{"estimate", nullptr}, {"low", nullptr}, {"high", nullptr}};
  if (!estimate) return json;
  json["estimate"] = estimate->coverage;
  if (const auto& interval = estimate->interval) {
    json["low"] = interval->low;
    json["high"] = interval->high;
  }
  return json;
}

}  // namespace

const char* to_string(CoverageEffort effort) {
  switch (effort) {
    case CoverageEffort::kOff: return "off";
    case CoverageEffort::kQuick: return "quick";
    case CoverageEffort::kFull: return "full";
  }
  return "";
}

Coverage judge(const Evidence& evidence) {
  Coverage coverage;
  for (const Estimator* estimator : estimators()) {
    const Answer answer = ask(*estimator, evidence);
    coverage.answers.emplace_back(estimator->name(), answer);
    if (!answer.estimate || (evidence.runs.empty() && !answer.estimate->interval)) continue;
    coverage.chosen = answer.estimate;
    coverage.method = estimator->name();
  }
  return coverage;
}

Coverage full_coverage(std::string method) { return {{}, std::move(method), Estimate{1, Interval{1, 1}}}; }

Json to_json(const Coverage& coverage) {
  Json all = Json::object();
  for (const auto& [name, answer] : coverage.answers) {
    Json one = to_json(answer.estimate);
    one["reason"] = answer.estimate ? Json(nullptr) : Json(answer.why_not);
    all[name] = std::move(one);
  }
  Json json = to_json(coverage.chosen);
  json["method"] = coverage.chosen ? Json(coverage.method) : Json(nullptr);
  json["all"] = std::move(all);
  return json;
}

std::string to_text(const Answer& answer) {
  if (!answer.estimate) return "cannot say: " + answer.why_not;
  std::string text = percent(answer.estimate->coverage);
  if (const auto& interval = answer.estimate->interval) {
    text += fmt::format(" ({} to {})", percent(interval->low), percent(interval->high));
  }
  return text;
}

std::string method_in_words(std::string name) {
  for (char& c : name) {
    if (c == '_') c = ' ';
  }
  return name;
}

}  // namespace spoor
