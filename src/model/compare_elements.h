// Which elements of a model have a counterpart in another version of it, and which are unchanged.
//
// Counterparts are found by key first. What is left over is matched by its place: between two neighbours that
// have neighbouring counterparts, or behind the last that has one, elements that stand in equal number on
// both sides belong to each other, in order. So an edited statement is one changed element, an inserted one
// is one element without a counterpart, and the element in front of it, which now leads elsewhere.
//
// Whatever is matched, the comparison is right (see Element); this only decides how much counts as changed.
//
// Cost: linear. Tested by: tests/unit/test_elements.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "model/system.h"

namespace spoor {

struct ElementComparison {
  static constexpr std::uint32_t kNothing = UINT32_MAX;
  // By old element.
  std::vector<std::uint32_t> counterpart;  // index of the new one, or kNothing
  std::vector<bool> is_changed;            // or has no counterpart
};

ElementComparison compare_elements(const std::vector<Element>& before, const std::vector<Element>& after);

}  // namespace spoor
