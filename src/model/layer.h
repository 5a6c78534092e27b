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
// `propositions()`, `layout()` and `guidance()`, because their answers speak of the states below.
//
// Columns of an expansion (expansion.h). A layer that has the system below write into its own `out` gets the
// columns with it, and says with MoreColumns which others it needs itself. A layer that has an expansion of
// its own for the system below calls ask_below and answer_above around it, and copy_columns for each
// successor that it passes on.
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
  std::vector<Waiting> waiting(StateBytes state) const override {
    std::vector<std::byte> room;
    return below_.waiting(state_below(state, room));
  }
  std::string message(const Finding& finding) const override { return below_.message(finding); }
  Position place(const Finding& finding) const override { return below_.place(finding); }
  const std::vector<Element>& elements() const override { return below_.elements(); }
  void element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const override {
    std::vector<std::byte> room;
    below_.element_sets_of(state_below(state, room), out);
  }
  void element_sets_after(std::span<const std::uint8_t> executed,
                          std::vector<std::uint32_t>& out) const override {
    below_.element_sets_after(executed, out);
  }
  std::span<const std::uint32_t> element_set(std::uint32_t set) const override {
    return below_.element_set(set);
  }
  std::uint32_t element_set_count() const override { return below_.element_set_count(); }
  const std::vector<Element>& statements() const override { return below_.statements(); }
  std::uint32_t most_movers() const override { return below_.most_movers(); }
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

// While it lives, `out` is asked for the columns that a layer needs, beside those that its caller wants.
class MoreColumns {
 public:
  MoreColumns(Expansion& out, Columns needed) : out_(out), wanted_(out.asked.columns) {
    out.asked.columns |= needed;
    // The entries of earlier states were dropped; their place is kept so that the others are aligned.
    if (needed.movers && !wanted_.movers) pad(out.movers);
    if (needed.labels && !wanted_.labels) pad(out.labels);
  }
  ~MoreColumns() {
    out_.asked.columns = wanted_;
    if (!wanted_.labels) out_.labels.clear();
    if (wanted_.movers) return;
    out_.movers.clear();
    out_.enabled = 0;
  }
  MoreColumns(const MoreColumns&) = delete;
  MoreColumns& operator=(const MoreColumns&) = delete;

 private:
  template <class T>
  void pad(Buffer<T>& column) {
    column.reserve(out_.first_successor);
    column.set_size(out_.first_successor);
  }

  Expansion& out_;
  const Columns wanted_;
};

// Before the system below expands a state into `inner`: it is asked for what the layer is asked for, and for
// the columns that the layer itself needs.
inline void ask_below(Expansion& out, Columns needed, Expansion& inner) {
  inner.clear();
  inner.asked = out.asked;
  inner.asked.columns |= needed;
  inner.executed.swap(out.executed);
}

// Behind it: the answers about the state as a whole. Findings and successors are the layer's own business.
inline void answer_above(Expansion& inner, Expansion& out) {
  inner.executed.swap(out.executed);
  out.inner_steps = inner.inner_steps;
  out.is_reduced = inner.is_reduced;
  out.is_reduced_for_deadlocks = inner.is_reduced_for_deadlocks;
  out.was_cut = inner.was_cut;
  if (out.asked.columns.movers) out.enabled = inner.enabled;
}

// The columns of a successor that the layer has appended to `out`: those of the successor of `inner`.
inline void copy_columns(const Expansion& inner, std::size_t successor, Expansion& out) {
  if (!out.asked.columns.has_any_of_steps()) [[likely]]
    return;
  if (out.asked.columns.movers) {
    if (successor >= inner.movers.size())
      throw NotSupported("the movers of this system's steps are not known");
    out.movers.push_back(inner.movers[successor]);
  }
  if (out.asked.columns.labels) {
    if (successor >= inner.labels.size())
      throw NotSupported("the labels of this system's steps are not known");
    out.labels.push_back(inner.labels[successor]);
  }
}

// The same for a step on which the system below does nothing.
inline void add_stutter_columns(Expansion& out) {
  if (out.asked.columns.movers) out.movers.push_back(0);
  if (out.asked.columns.labels) out.labels.push_back(Expansion::kStutterLabel);
}

}  // namespace spoor
