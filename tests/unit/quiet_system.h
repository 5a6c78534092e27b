// A system that says nothing about itself, for tests that care about its states only.
#pragma once

#include <string>
#include <vector>

#include "model/system.h"

namespace spoor {

// `Base`: TransitionSystem or OmegaSystem.
template <class Base>
class Quiet : public Base {
 public:
  Explanation explain(StateBytes, StepId) const override { return {}; }
  std::vector<std::string> describe(StateBytes) const override { return {}; }
  std::string message(const Finding&) const override { return {}; }
  Position place(const Finding&) const override { return {}; }
  const std::vector<Element>& elements() const override { return none_; }
  void element_sets_of(StateBytes, std::vector<std::uint32_t>&) const override {}
  std::span<const std::uint32_t> element_set(std::uint32_t) const override { return {}; }
  std::uint32_t element_set_count() const override { return 0; }
  const std::vector<Element>& statements() const override { return none_; }
  const SourceSet& sources() const override { return sources_; }

 private:
  std::vector<Element> none_;
  SourceSet sources_;
};
using QuietSystem = Quiet<TransitionSystem>;

}  // namespace spoor
