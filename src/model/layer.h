// A system that wraps a system: what every layer has in common.
//
// A layer (a product with a claim, a check of the reduction, native code before the interpreter) changes some
// members of the contract and leaves the others as they are below it. The latter are forwarded here. A layer
// whose states have other bytes than those below says how to get from the one to the other (`state_below`);
// it then overrides what makes states (initial_state, expand, explain), and the rest follows.
//
// `Base` is TransitionSystem, or OmegaSystem for layers that are about infinite runs.
//
// What is not forwarded: `expand`, because a layer that does not change it is none; and capabilities such as
// `propositions()`, because their answers speak of the states below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/system.h"

namespace spoor {

template <class Base>
class LayerOver : public Base {
 public:
  std::vector<std::byte> initial_state() const override { return below_.initial_state(); }
  Explanation explain(StateBytes state, StepId step) const override {
    std::vector<std::byte> room;
    return below_.explain(state_below(state, room), step);
  }
  std::vector<std::string> describe(StateBytes state) const override {
    std::vector<std::byte> room;
    return below_.describe(state_below(state, room));
  }
  std::string message(const Finding& finding) const override { return below_.message(finding); }
  Position place(const Finding& finding) const override { return below_.place(finding); }
  const std::vector<Element>& elements() const override { return below_.elements(); }
  void element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const override {
    std::vector<std::byte> room;
    below_.element_sets_of(state_below(state, room), out);
  }
  std::span<const std::uint32_t> element_set(std::uint32_t set) const override {
    return below_.element_set(set);
  }
  const std::vector<Element>& statements() const override { return below_.statements(); }
  const SourceSet& sources() const override { return below_.sources(); }

 protected:
  // `below` must live as long as the layer.
  explicit LayerOver(const TransitionSystem& below) : below_(below) {}

  const TransitionSystem& below() const { return below_; }
  // The state of the system below that this one contains. `room`: where its bytes may be put.
  virtual StateBytes state_below(StateBytes state, std::vector<std::byte>& /*room*/) const { return state; }

 private:
  const TransitionSystem& below_;
};

}  // namespace spoor
