#include "report/coverage_words.h"

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
  if (!answer.estimate) return "no estimate: " + answer.why_not;
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
