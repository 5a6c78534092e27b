#include "check/property.h"

#include <utility>

#include <fmt/format.h>

namespace spoor {
namespace {

using Kind = ClaimKind;

struct Word {
  const char* word;
  Kind kind;
  bool takes_name = false;
};
constexpr Word kWords[] = {{"safety", Kind::kNone},       {"deadlock", Kind::kNone},
                           {"ltl", Kind::kFormula, true}, {"never", Kind::kNever, true},
                           {"accept", Kind::kAccept},     {"progress", Kind::kProgress}};

const Word* find_word(const std::string& wanted) {
  const std::string word = wanted.substr(0, wanted.find(':'));
  const bool has_name = wanted.find(':') != std::string::npos;
  for (const Word& candidate : kWords) {
    if (word == candidate.word && (candidate.takes_name || !has_name)) return &candidate;
  }
  return nullptr;
}

// The model's claims of this kind: all, or those with the name.
std::vector<Property> claims_of(const SourceModel& model, Kind kind, const std::string* name) {
  std::vector<Property> found;
  for (const StatedClaim& claim : model.claims()) {
    if (claim.kind != kind || (name != nullptr && claim.name != *name)) continue;
    const std::string shown = kind == Kind::kFormula ? "ltl:" + claim.name
                              : name == nullptr      ? "never"
                                                     : "never:" + claim.name;
    found.push_back({shown, {kind, claim.index}});
  }
  return found;
}

std::string names_of(const SourceModel& model, Kind kind) {
  std::string names;
  for (const StatedClaim& claim : model.claims()) {
    if (claim.kind == kind) names += (names.empty() ? "" : ", ") + claim.name;
  }
  return names;
}

}  // namespace

std::string property_mistake(const std::string& wanted) {
  if (wanted.empty() || find_word(wanted) != nullptr) return {};
  return fmt::format(
      "--property {}: expected one of safety, deadlock, ltl, ltl:NAME, never, never:NAME, accept, progress",
      wanted);
}

std::optional<std::vector<Property>> choose_properties(const std::string& wanted, const SourceModel& model,
                                                       std::string& error) {
  std::vector<Property> chosen;
  error = property_mistake(wanted);
  if (!error.empty()) return std::nullopt;
  if (wanted.empty()) {
    chosen.push_back({"safety", {}});
    for (Property& property : claims_of(model, Kind::kFormula, nullptr))
      chosen.push_back(std::move(property));
    return chosen;
  }
  const Word& word = *find_word(wanted);
  error = model.why_never(word.kind);
  if (!error.empty()) return std::nullopt;
  if (!word.takes_name) {
    chosen.push_back({wanted, {word.kind, 0}});
    return chosen;
  }
  const char* const what = word.kind == Kind::kFormula ? "formula" : "never claim";
  const std::size_t colon = wanted.find(':');
  const std::string name = colon == std::string::npos ? "" : wanted.substr(colon + 1);
  chosen = claims_of(model, word.kind, colon == std::string::npos ? nullptr : &name);
  const std::string names = names_of(model, word.kind);
  if (chosen.empty() &&
      wanted == "never") {  // as SPIN's option -a does: accept labels where there is no claim
    chosen.push_back({wanted, {Kind::kAccept, 0}});
    return chosen;
  }
  if (chosen.empty()) {
    error = names.empty() ? fmt::format("the model has no {}", what)
                          : fmt::format("the model has no {} called '{}'; it has {}", what, name, names);
    return std::nullopt;
  }
  if (word.kind == Kind::kNever && chosen.size() > 1) {
    error =
        fmt::format("the model has several never claims; choose one of {} with --property never:NAME", names);
    return std::nullopt;
  }
  return chosen;
}

}  // namespace spoor
