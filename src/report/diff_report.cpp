#include "report/diff_report.h"

#include <fmt/format.h>

#include "base/quantities.h"
#include "report/json.h"
#include "report/labels.h"
#include "report/text_columns.h"

namespace spoor {
namespace {

using Kind = ElementDifference::Kind;

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kChanged: break;
    case Kind::kGone: return "gone";
    case Kind::kNew: return "new";
  }
  return "changed";
}

std::string locations_text(std::size_t count) {
  return fmt::format("{} location{}", with_separators(count), count == 1 ? "" : "s");
}

std::string summary(const VersionDiff& diff) {
  if (diff.is_same()) return "nothing changed: every state has the same successors in both versions\n";
  if (diff.dangerous == 0)
    return fmt::format("none of {} is dangerous: no state of the old version has other successors{}\n",
                       locations_text(diff.locations), diff.claims.empty() ? "" : "; the claims differ");
  return fmt::format("{} of {} {} dangerous: only states of processes there can have other successors{}\n",
                     with_separators(diff.dangerous), locations_text(diff.locations),
                     diff.dangerous == 1 ? "is" : "are", diff.claims.empty() ? "" : "; the claims differ");
}

// "old.pml:7 -> new.pml:8"; one of them where there is only one.
std::string places(const VersionDiff& diff, Position old_position, Position new_position) {
  const std::string before = place_label(diff.before_sources, old_position);
  const std::string after = place_label(diff.after_sources, new_position);
  return before + (before.empty() || after.empty() ? "" : " -> ") + after;
}

std::string show(const VersionDiff& diff, const ElementDifference& difference) {
  const std::string& first = difference.kind == Kind::kNew ? difference.after : difference.before;
  std::string text = fmt::format("{:<8} {}", name_of(difference.kind),
                                 escape_controls(first.empty() ? difference.key : first));
  if (difference.kind == Kind::kChanged && difference.after != difference.before)
    text += "  ->  " + escape_controls(difference.after);
  text += "\n";
  if (const std::string where = places(diff, difference.before_position, difference.after_position);
      !where.empty())
    text += "         " + where + "\n";
  if (!difference.reason.empty()) text += "         " + difference.reason + "\n";
  if (difference.locations > 1)
    text += fmt::format("         {} depend on it\n", locations_text(difference.locations));
  return text;
}

}  // namespace

std::string diff_text(const VersionDiff& diff, bool quiet) {
  std::string text = summary(diff);
  if (quiet) return text;
  for (const ElementDifference& difference : diff.differences) text += "\n" + show(diff, difference);
  for (const ClaimDifference& claim : diff.claims)
    text += fmt::format("\n{:<8} claim {}\n         {}\n", name_of(claim.kind), claim.name,
                        places(diff, claim.before_position, claim.after_position));
  return text;
}

std::string diff_json(const VersionDiff& diff) {
  Json list = Json::array();
  for (const ElementDifference& difference : diff.differences) {
    const bool was_there = difference.kind != Kind::kNew, is_there = difference.kind != Kind::kGone;
    list.push_back({{"kind", name_of(difference.kind)},
                    {"key", difference.key},
                    {"before", was_there ? Json(difference.before) : Json(nullptr)},
                    {"after", is_there ? Json(difference.after) : Json(nullptr)},
                    {"before_location", to_json(diff.before_sources, difference.before_position)},
                    {"after_location", to_json(diff.after_sources, difference.after_position)},
                    {"reason", difference.reason.empty() ? Json(nullptr) : Json(difference.reason)},
                    {"dependent_locations", difference.locations}});
  }
  Json claims = Json::array();
  for (const ClaimDifference& claim : diff.claims) {
    claims.push_back({{"kind", name_of(claim.kind)},
                      {"name", claim.name},
                      {"before_location", to_json(diff.before_sources, claim.before_position)},
                      {"after_location", to_json(diff.after_sources, claim.after_position)}});
  }
  return dump({{"matched", diff.matched},
               {"unchanged", diff.unchanged},
               {"locations", diff.locations},
               {"dangerous_locations", diff.dangerous},
               {"differences", std::move(list)},
               {"claims", std::move(claims)}});
}

}  // namespace spoor
