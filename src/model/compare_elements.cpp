#include "model/compare_elements.h"

#include <string_view>
#include <unordered_map>

namespace spoor {

namespace {

constexpr std::uint32_t kNothing = ElementComparison::kNothing;

void match_keys(const std::vector<Element>& before, const std::vector<Element>& after,
                std::vector<std::uint32_t>& counterpart) {
  std::unordered_map<std::string_view, std::uint32_t> by_key;
  for (std::uint32_t i = 0; i < after.size(); ++i) by_key.emplace(after[i].key, i);
  for (std::uint32_t i = 0; i < before.size(); ++i) {
    const auto found = by_key.find(before[i].key);
    if (found != by_key.end()) counterpart[i] = found->second;
  }
}

// The old elements between `first`, which has a counterpart, and `last` have none. `end`: the counterpart of
// `last`, or the end of the new elements where `last` is the end of the old ones.
void match_between(std::uint32_t first, std::uint32_t last, std::uint32_t end,
                   const std::vector<bool>& is_taken, std::vector<std::uint32_t>& counterpart) {
  const std::uint32_t begin = counterpart[first] + 1;
  const std::uint32_t count = last - first - 1;
  if (begin + count != end) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (is_taken[begin + i]) return;
  }
  for (std::uint32_t i = 0; i < count; ++i) counterpart[first + 1 + i] = begin + i;
}

}  // namespace

ElementComparison compare_elements(const std::vector<Element>& before, const std::vector<Element>& after) {
  ElementComparison result;
  std::vector<std::uint32_t>& counterpart = result.counterpart;
  counterpart.assign(before.size(), kNothing);
  match_keys(before, after, counterpart);
  std::vector<bool> is_taken(after.size());
  for (const std::uint32_t matched : counterpart) {
    if (matched != kNothing) is_taken[matched] = true;
  }
  std::uint32_t last_matched = kNothing;
  const auto match_up_to = [&](std::uint32_t old_end, std::uint32_t new_end) {
    if (last_matched != kNothing && old_end > last_matched + 1)
      match_between(last_matched, old_end, new_end, is_taken, counterpart);
  };
  for (std::uint32_t i = 0; i < before.size(); ++i) {
    if (counterpart[i] == kNothing) continue;
    match_up_to(i, counterpart[i]);
    last_matched = i;
  }
  match_up_to(static_cast<std::uint32_t>(before.size()), static_cast<std::uint32_t>(after.size()));
  for (std::uint32_t i = 0; i < before.size(); ++i) {
    const auto is_same = [&] {
      if (counterpart[i] == kNothing) return false;
      const Element& other = after[counterpart[i]];
      if (before[i].meaning != other.meaning || before[i].names.size() != other.names.size()) return false;
      for (std::size_t n = 0; n < other.names.size(); ++n) {
        if (counterpart[before[i].names[n]] != other.names[n]) return false;
      }
      return true;
    };
    result.is_changed.push_back(!is_same());
  }
  return result;
}

}  // namespace spoor
