// Two versions of a model, compared by their elements and by what they do.
//
// The claim to be tested: a state whose elements are all unchanged has the same successors and findings in
// the other version. So the states of the old version are explored, each is written down as a state of the
// new one (exec/state_translation.h), and both are expanded. A state that the new version cannot express is
// passed over. A translator that is said to be undone by the other one is held to it.
//
// Used by test_elements.cpp and, for many pairs at once, tests/tools/compare_versions.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "model/compare_elements.h"
#include "model/state_layout.h"

namespace spoor::exec {

struct VersionReductions {
  bool merge = false, dead = false, order = false, stubborn = false;
};

// Null when the text is no valid model, or has embedded C.
std::unique_ptr<Interpreter> version_of(const std::string& text, VersionReductions reductions,
                                        const std::vector<std::string>& defines = {});

class VersionPair {
 public:
  VersionPair(const Interpreter& before, const Interpreter& after);

  const ElementComparison& comparison() const { return comparison_; }
  // One of the state's elements is changed.
  bool is_touched(StateBytes state) const;
  // The state as one of the new version. Not thread safe.
  std::optional<std::vector<std::byte>> translate(StateBytes state) const;

  struct Figures {
    std::uint64_t states = 0;     // explored
    std::uint64_t untouched = 0;  // of these
    std::uint64_t compared = 0;   // of the untouched: expressible in the new version
    std::uint64_t differing = 0;  // of the touched and expressible: those with other successors
    std::string violation;        // empty: none
  };
  // Explores at most so many states of the old version.
  Figures compare(std::size_t most_states) const;

 private:
  // Is the translation, which is said to be undone by that in the other direction, translated to another
  // state?
  bool is_lost(StateBytes state, StateBytes translated) const;
  // Empty where both do the same.
  std::string difference(StateBytes state, StateBytes translated, bool may_reduce) const;

  const Interpreter& before_;
  const Interpreter& after_;
  ElementComparison comparison_;
  std::unique_ptr<StateTranslator> translator_, back_;  // null: no state can be translated
  bool is_undone_ = false;                              // the first by the second
};

}  // namespace spoor::exec
