#include "cli/property.h"

#include <utility>

#include <fmt/format.h>

namespace spoor::cli {
namespace {

using Kind = promela::ClaimCode::Kind;

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

// Those of the model's claims of this kind: all, or those with the name.
std::vector<Property> claims_of(const promela::Model& model, Kind kind, const std::string* name) {
  std::vector<Property> found;
  if (kind == Kind::kFormula) {
    for (std::uint32_t i = 0; i < model.formulas.size(); ++i) {
      const std::string& own = model.formulas[i].name;
      if (name == nullptr || own == *name) found.push_back({"ltl:" + own, {kind, i}});
    }
  } else {
    for (std::uint32_t i = 0; i < model.proctypes.size(); ++i) {
      if (model.proctypes[i].kind != promela::BodyKind::kNever) continue;
      const std::string& own = model.proctypes[i].name;
      if (name == nullptr || own == *name)
        found.push_back({name == nullptr ? "never" : "never:" + own, {kind, i}});
    }
  }
  return found;
}

std::string names_of(const promela::Model& model, Kind kind) {
  std::string names;
  const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
  for (const promela::LtlFormula& formula : model.formulas) {
    if (kind == Kind::kFormula) add(formula.name);
  }
  for (const promela::Proctype& body : model.proctypes) {
    if (kind == Kind::kNever && body.kind == promela::BodyKind::kNever) add(body.name);
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

std::optional<std::vector<Property>> choose_properties(const std::string& wanted, const promela::Model* model,
                                                       std::string& error) {
  std::vector<Property> chosen;
  if (wanted.empty()) {
    chosen.push_back({"safety", {}});
    if (model == nullptr) return chosen;
    for (Property& property : claims_of(*model, Kind::kFormula, nullptr))
      chosen.push_back(std::move(property));
    return chosen;
  }
  const Word& word = *find_word(wanted);
  if (!word.takes_name) {
    if (word.kind != Kind::kNone && model == nullptr) {
      error = "a graph has no labels of Promela";
      return std::nullopt;
    }
    chosen.push_back({wanted, {word.kind, 0}});
    return chosen;
  }
  const char* const what = word.kind == Kind::kFormula ? "formula" : "never claim";
  if (model == nullptr) {
    error = fmt::format("a graph has no {}", what);
    return std::nullopt;
  }
  const std::size_t colon = wanted.find(':');
  const std::string name = colon == std::string::npos ? "" : wanted.substr(colon + 1);
  chosen = claims_of(*model, word.kind, colon == std::string::npos ? nullptr : &name);
  const std::string names = names_of(*model, word.kind);
  if (chosen.empty() && wanted == "never") {  // as SPIN does: its option -a looks for whatever there is
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

}  // namespace spoor::cli
