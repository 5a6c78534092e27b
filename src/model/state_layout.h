// States of one version of a model, written down as states of another.
//
// A system that knows where things are in its states (TransitionSystem::layout) can relate them to those of
// another version of the same model, whose bytes may lie elsewhere. What corresponds to what is given by a
// comparison of the elements of both versions (compare_elements.h). What the translation is for: a state none
// of whose elements is changed has, in the other version, the translations of its successors as successors of
// its translation, in the same order, and the same findings; so what is known about it need not be computed
// again.
//
// The translation belongs to the language; exec/state_translation.h has that of Promela.
//
// Thread safety: a layout may be used from several threads; a translator belongs to one.
// Tested by: tests/unit/test_state_translation.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/compare_elements.h"
#include "model/expansion.h"

namespace spoor {

// From the states of one version to those of another. It may outlive both systems.
class StateTranslator {
 public:
  virtual ~StateTranslator() = default;

  // Replaces the content of `out` by the state of the other version. False: the other version cannot express
  // the state, and `out` is empty. REQUIRES: `state` is a state of the first version; its bytes do not lie in
  // `out`.
  virtual bool translate(StateBytes state, std::vector<std::byte>& out) = 0;

  // Every state of either version is a state of the other, with the same bytes. False where that is not
  // certain.
  virtual bool is_identity() const = 0;

  // Every state that this one translates is what `back` makes of the translation. False where that is not
  // certain. REQUIRES: `back` translates between the same two versions, in the other direction.
  virtual bool is_undone_by(const StateTranslator& back) const = 0;
};

class StateLayout {
 public:
  virtual ~StateLayout() = default;

  // Null: the states of the two have nothing to do with each other (another language; only one of the two
  // keeps some record in every state). `counterparts`: what compare_elements says of the elements of this
  // version and those of the other.
  virtual std::unique_ptr<StateTranslator> translator_to(const StateLayout& other,
                                                         const ElementComparison& counterparts) const = 0;

  // By statement of this version (TransitionSystem::statements()): the index of the same statement in the
  // other version, or ElementComparison::kNothing. Right for every statement that can be executed in a step
  // from a state none of whose elements is changed; of the others nothing is said. There is one exception: a
  // statement that stands for several of the other version, at several unchanged elements, has kSeveral.
  static constexpr std::uint32_t kSeveral = ElementComparison::kNothing - 1;
  static bool is_one(std::uint32_t statement) { return statement < kSeveral; }
  virtual std::vector<std::uint32_t> statements_in(const StateLayout& other,
                                                   const ElementComparison& counterparts) const = 0;
};

}  // namespace spoor
