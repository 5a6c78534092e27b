#include "check/check_report.h"

#include <algorithm>
#include <type_traits>
#include <variant>

namespace spoor {

std::vector<Element> unreached_statements(const TransitionSystem& system,
                                          const std::vector<std::uint8_t>& executed) {
  std::vector<Element> result;
  const std::vector<Element>& statements = system.statements();
  for (std::size_t i = 0; i < statements.size(); ++i) {
    const bool is_listed = !statements[i].key.empty() || !statements[i].text.empty();
    if (is_listed && (i >= executed.size() || !executed[i])) result.push_back(statements[i]);
  }
  return result;
}

const CheckReport& worst(const std::vector<CheckReport>& reports) {
  // The order of the variant, except that Unknown is worse than HoldsProbably and better than Violated.
  const auto severity = [](const CheckReport& report) {
    static constexpr int kBadness[] = {0, 3, 1, 2};
    return kBadness[report.result.outcome.index()];
  };
  static_assert(std::is_same_v<std::variant_alternative_t<1, Outcome>, Violated>);
  static_assert(std::is_same_v<std::variant_alternative_t<3, Outcome>, Unknown>);
  return *std::max_element(reports.begin(), reports.end(), [&](const CheckReport& a, const CheckReport& b) {
    return severity(a) < severity(b);
  });
}

}  // namespace spoor
