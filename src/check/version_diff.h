// What an edit of a model can influence: two versions, compared element by element.
//
// An element is a unit of source whose change can matter (model/system.h): a control location with its
// statements, a channel, a process type. An element of the old version is *dangerous* if it is changed or
// gone: a state that depends on it may have other successors in the new version. All other states have the
// same successors in both. So the states at dangerous locations are the ones that a check must look at again.
//
// A location is dangerous, too, where it is unchanged itself and a single step from it passes a dangerous
// element: the rest of an atomic sequence, a channel with another capacity.
//
// Compared is the compiled meaning, not the text: comments, layout, renamed macros and renamed labels change
// nothing; another type of a variable changes every statement that uses it. The reasons name the part of the
// meaning that differs.
//
// Formulas and never claims are compared as automata, with the text of their atoms.
//
// Example: `x < 3 -> x++` becomes `x < 4 -> x++`. The location of the guard is changed (another statement);
// the location of `x++` is not.
//
// Tested by: tests/unit/test_version_diff.cpp, tests/suites/test_diff.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "check/front_end.h"
#include "model/system.h"

namespace spoor {

struct ElementDifference {
  enum class Kind : std::uint8_t { kChanged, kGone, kNew };
  Kind kind = Kind::kChanged;
  std::string key;           // in the old version; of a new element, in the new one
  std::string before;        // the element's text; empty where it is new
  std::string after;         // empty where it is gone
  Position before_position;  // unknown where the element has none
  Position after_position;
  std::string reason;         // of a changed element, completes "changed:"
  std::size_t locations = 0;  // of the old version that depend on it
};

struct ClaimDifference {
  ElementDifference::Kind kind = ElementDifference::Kind::kChanged;
  std::string name;
  Position before_position;
  Position after_position;
};

struct VersionDiff {
  std::size_t matched = 0;                     // elements with a counterpart
  std::size_t unchanged = 0;                   // of these
  std::size_t locations = 0;                   // of the old version
  std::size_t dangerous = 0;                   // of these, the ones that depend on a changed or gone element
  std::vector<ElementDifference> differences;  // changed and gone in the order of the old version, then new

  std::vector<ClaimDifference> claims;      // by name
  SourceSet before_sources, after_sources;  // what the positions refer to

  bool is_same() const { return differences.empty() && claims.empty(); }
};

// The steps of two systems; no claims.
VersionDiff diff_versions(const TransitionSystem& before, const TransitionSystem& after);

// Two versions of a model. Nothing, with the reasons in `error`, when one of them cannot be used.
std::optional<VersionDiff> diff_models(const SourceModel& before, const SourceModel& after,
                                       const ModelOptions& options, InputError& error);

}  // namespace spoor
