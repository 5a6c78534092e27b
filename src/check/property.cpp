#include "check/property.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "check/invariant.h"

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

// The value of --property that stands for the claim.
std::string name_of(const StatedClaim& claim, bool is_only_one) {
  switch (claim.kind) {
    case Kind::kFormula: return "ltl:" + claim.name;
    case Kind::kNever: return is_only_one ? "never" : "never:" + claim.name;
    case Kind::kAccept: return "accept";
    case Kind::kProgress: return "progress";
    case Kind::kNone: break;
  }
  return "safety";
}

std::size_t count(const std::vector<StatedClaim>& claims, Kind kind) {
  return static_cast<std::size_t>(std::ranges::count(claims, kind, &StatedClaim::kind));
}

// The model's claims of this kind: all, or those with the name.
std::vector<Property> claims_of(const SourceModel& model, Kind kind, const std::string* name) {
  std::vector<Property> found;
  const std::vector<StatedClaim> claims = model.claims();
  for (const StatedClaim& claim : claims) {
    if (claim.kind != kind || (name != nullptr && claim.name != *name)) continue;
    const bool is_only_one = name == nullptr && count(claims, kind) == 1;
    found.push_back({name_of(claim, is_only_one), {kind, claim.index}, claim.is_given, {}, claim.is_given});
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
    for (const Kind kind : {Kind::kFormula, Kind::kNever}) {
      for (Property& property : claims_of(model, kind, nullptr)) chosen.push_back(std::move(property));
    }
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

bool add_invariant(const SourceModel& model, std::vector<Property>& properties) {
  const std::optional<ClaimChoice> invariant = invariant_claim(model);
  const auto safety = std::ranges::find(properties, "safety", &Property::name);
  if (!invariant || safety == properties.end()) return false;
  safety->claim = *invariant;
  std::erase_if(properties, [&](const Property& property) {
    return property.is_about_runs() && property.claim.kind == invariant->kind &&
           property.claim.index == invariant->index;
  });
  return true;
}

std::vector<NotChecked> not_checked(const SourceModel& model, const std::vector<Property>& chosen) {
  std::vector<NotChecked> left;
  const std::vector<StatedClaim> claims = model.claims();
  for (const StatedClaim& claim : claims) {
    const auto checks_it = [&](const Property& property) {
      return property.claim.kind == claim.kind && property.claim.index == claim.index;
    };
    if (std::ranges::any_of(chosen, checks_it)) continue;
    left.push_back({name_of(claim, count(claims, claim.kind) == 1), claim.range.begin, claim.labels});
  }
  return left;
}

}  // namespace spoor
