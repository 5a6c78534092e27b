#include "check/version_diff.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "ltl/hoa.h"
#include "model/compare_elements.h"

namespace spoor {
namespace {

using Kind = ElementDifference::Kind;

// What differs between two elements that correspond to each other.
std::string reason_of(const Element& before, const Element& after) {
  if (before.meaning == after.meaning) return "a step leads to another place";
  const auto has_same_name = [](const Element::Part& a, const Element::Part& b) {
    return std::string_view(a.name) == b.name;
  };
  if (!std::equal(before.parts.begin(), before.parts.end(), after.parts.begin(), after.parts.end(),
                  has_same_name))
    return "another number of ways out";
  std::vector<std::string> differing;
  for (std::size_t i = 0; i < before.parts.size(); ++i) {
    if (before.parts[i].digest == after.parts[i].digest) continue;
    if (std::find(differing.begin(), differing.end(), before.parts[i].name) == differing.end())
      differing.emplace_back(before.parts[i].name);
  }
  if (differing.empty()) return "another meaning";
  std::string text = "another ";
  for (std::size_t i = 0; i < differing.size(); ++i) text += (i == 0 ? "" : ", another ") + differing[i];
  // The same words with another meaning are what surprises a reader most.
  if (before.text == after.text && differing.front() == std::string_view("statement"))
    text += " in the same words (a type, a constant or a name in it means something else)";
  return text;
}

// For each element of the old version how many sets contain it; and how many sets contain a changed one.
std::vector<std::size_t> count_users(const TransitionSystem& before, const ElementComparison& comparison,
                                     std::size_t& dangerous) {
  std::vector<std::size_t> users(before.elements().size());
  for (std::uint32_t set = 0; set < before.element_set_count(); ++set) {
    bool is_dangerous = false;
    for (const std::uint32_t element : before.element_set(set)) {
      ++users[element];
      is_dangerous |= comparison.is_changed[element];
    }
    if (is_dangerous) ++dangerous;
  }
  return users;
}

// A formula or a never claim of one version.
struct KnownClaim {
  Position position;
  std::string automaton;  // as text; empty: it cannot be translated
};

std::map<std::string, KnownClaim> claims_of(const SourceModel& model, const ModelOptions& options) {
  std::map<std::string, KnownClaim> known;
  for (const StatedClaim& claim : model.claims()) {
    if (claim.kind != ClaimKind::kFormula && claim.kind != ClaimKind::kNever) continue;
    InputError ignored;
    const auto loaded =
        model.load(options, ExecutionChoice::kInterpreter, {claim.kind, claim.index}, ignored);
    known[claim.name] = {claim.range.begin, loaded ? ltl::to_hoa(loaded->claim.automaton, "") : ""};
  }
  return known;
}

std::vector<ClaimDifference> diff_claims(const std::map<std::string, KnownClaim>& before,
                                         const std::map<std::string, KnownClaim>& after) {
  std::vector<ClaimDifference> differences;
  for (const auto& [name, claim] : before) {
    const auto found = after.find(name);
    if (found == after.end()) {
      differences.push_back({Kind::kGone, name, claim.position, {}});
    } else if (claim.automaton.empty() || claim.automaton != found->second.automaton) {
      differences.push_back({Kind::kChanged, name, claim.position, found->second.position});
    }
  }
  for (const auto& [name, claim] : after) {
    if (!before.contains(name)) differences.push_back({Kind::kNew, name, {}, claim.position});
  }
  return differences;
}

}  // namespace

VersionDiff diff_versions(const TransitionSystem& before, const TransitionSystem& after) {
  const std::vector<Element>& old_elements = before.elements();
  const std::vector<Element>& new_elements = after.elements();
  const ElementComparison comparison = compare_elements(old_elements, new_elements);
  VersionDiff diff;
  diff.locations = before.element_set_count();
  const std::vector<std::size_t> users = count_users(before, comparison, diff.dangerous);
  std::vector<bool> is_matched(new_elements.size());
  for (std::uint32_t i = 0; i < old_elements.size(); ++i) {
    const Element& element = old_elements[i];
    const std::uint32_t counterpart = comparison.counterpart[i];
    if (counterpart != ElementComparison::kNothing) {
      is_matched[counterpart] = true;
      ++diff.matched;
    }
    if (!comparison.is_changed[i]) {
      ++diff.unchanged;
      continue;
    }
    ElementDifference difference;
    difference.key = element.key;
    difference.before = element.text;
    difference.before_position = element.position;
    difference.locations = users[i];
    if (counterpart == ElementComparison::kNothing) {
      difference.kind = Kind::kGone;
    } else {
      const Element& other = new_elements[counterpart];
      difference.after = other.text;
      difference.after_position = other.position;
      difference.reason = reason_of(element, other);
    }
    diff.differences.push_back(std::move(difference));
  }
  for (std::uint32_t i = 0; i < new_elements.size(); ++i) {
    if (is_matched[i]) continue;
    const Element& element = new_elements[i];
    diff.differences.push_back({Kind::kNew, element.key, "", element.text, {}, element.position, "", 0});
  }
  return diff;
}

std::optional<VersionDiff> diff_models(const SourceModel& before, const SourceModel& after,
                                       const ModelOptions& options, InputError& error) {
  const auto old_version = before.load(options, ExecutionChoice::kInterpreter, {}, error);
  if (!old_version) return std::nullopt;
  const auto new_version = after.load(options, ExecutionChoice::kInterpreter, {}, error);
  if (!new_version) return std::nullopt;
  VersionDiff diff = diff_versions(*old_version->system, *new_version->system);
  diff.claims = diff_claims(claims_of(before, options), claims_of(after, options));
  diff.before_sources = old_version->system->sources();
  diff.after_sources = new_version->system->sources();
  return diff;
}

}  // namespace spoor
