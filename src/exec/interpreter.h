// The interpreter: a Promela program as a transition system. It is the reference: the native tier is
// compared with it, traces are replayed on it, certificates are checked by it.
//
// From one state it tries every process, highest pid first, and of each process every transition of
// its location in order, exactly as SPIN's verifier does:
//
//   - a transition whose statement is executable is taken on a copy of the state;
//   - an escape (unless) that is taken shuts out the transitions behind it that are not of the same
//     escape;
//   - else is executable when nothing before it was, in the same process;
//   - after the send half of a rendezvous every other process may try a matching receive; if none can,
//     the send was not executable after all;
//   - after a step inside an atomic sequence only that process goes on, and the state in between is
//     not a state of the system. If the process blocks there, the sequence is interrupted: the state is
//     one after all, and everybody may move from it. When a receive ends a handshake, it is the
//     receiver's sequence that goes on;
//   - if nothing at all was executable, everything is tried again with timeout true; if that does not
//     help either, and some process is not at a valid end, the state is a deadlock.
//
// A successor is therefore the end of a path of one or more actions. Paths are explored depth-first on
// an explicit stack of frames, one per action, so that a long atomic sequence costs no machine stack.
// The paths that a process begins are numbered in the order in which they end; process and number are the
// name of the step (step_id.h), and `explain` and `step` find it again by counting the paths of that process
// alone.
//
// An atomic sequence that runs in a circle has no end and so no successor: a state that is already on
// the path is not entered again. (SPIN runs into its depth limit there.)
//
// Cost: a copy of the state per executed action. Thread safety: const members may be called from
// several threads. Tested by: tests/models, the differential tests against SPIN.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exec/elements.h"
#include "exec/embedded.h"
#include "exec/guide.h"
#include "exec/machine.h"
#include "exec/stubborn.h"
#include "exec/well_formed.h"
#include "model/propositions.h"
#include "model/state_layout.h"
#include "model/system.h"
#include "promela/program.h"

namespace spoor::exec {

class Interpreter : public TransitionSystem, public Propositions {
 public:
  // REQUIRES: a program with embedded C comes with its code.
  explicit Interpreter(std::shared_ptr<const promela::Program> program, Options options = {},
                       std::shared_ptr<const EmbeddedCode> embedded = nullptr);
  Interpreter(const Interpreter&) = delete;  // the machine refers to the options
  Interpreter& operator=(const Interpreter&) = delete;

  std::vector<std::byte> initial_state() const override { return initial_; }
  void expand(StateBytes state, Expansion& out) const override;
  bool step(StateBytes state, StepId step, Expansion& out) const override;
  bool is_well_formed(StateBytes state) const override;
  AtomValues atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                         std::vector<Finding>& findings) const override;
  Explanation explain(StateBytes state, StepId step) const override;
  std::vector<std::string> describe(StateBytes state) const override;
  std::vector<Waiting> waiting(StateBytes state) const override;
  std::string message(const Finding& finding) const override;
  Position place(const Finding& finding) const override;
  const std::vector<Element>& elements() const override { return element_table().all(); }
  void element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const override {
    element_table().sets_of(state, out);
  }
  std::optional<SetPlaces> set_places(StateBytes like) const override {
    return element_table().set_places(like);
  }
  void element_sets_after(std::span<const std::uint8_t> executed,
                          std::vector<std::uint32_t>& out) const override {
    element_table().sets_after(*program_, executed, out);
  }
  std::span<const std::uint32_t> element_set(std::uint32_t set) const override {
    return element_table().set(set);
  }
  std::uint32_t element_set_count() const override { return element_table().set_count(); }
  const std::vector<Element>& statements() const override { return statements_; }
  std::uint32_t most_movers() const override { return kMostMovers; }
  const SourceSet& sources() const override { return program_->sources; }
  const Propositions* propositions() const override { return this; }
  std::optional<std::vector<std::uint32_t>> elements_of_atoms() const override {
    return element_table().claim();
  }
  // Null for a program with embedded C, which may keep anything in its data.
  const StateLayout* layout() const override;
  const Guidance* guidance() const override;

  const promela::Program& program() const { return *program_; }
  const Elements& element_table() const;
  EmbeddedFunction embedded() const { return embedded_ != nullptr ? embedded_->function() : nullptr; }
  // Null: no processes are chosen.
  const StubbornSets* stubborn_sets() const { return stubborn_sets_.get(); }
  // Something went wrong while the initial values were computed; expand reports it there.
  bool has_initial_problems() const { return !initial_problems_.empty(); }

 private:
  struct Frame;
  struct Workspace;
  class Explorer;

  // Every variable and channel with its value, in display order.
  std::vector<std::pair<std::string, std::string>> values(const StateView& view) const;
  std::string statement_text(promela::StatementId statement) const;
  std::string value_text(std::int32_t value, const promela::ScalarType& type,
                         const std::string& mtype_set) const;
  std::string data_text(const StateView& view, std::uint32_t offset, std::uint32_t bytes) const;
  std::string channel_text(const StateView& view, const StateView::Channel& channel) const;
  // Why a statement cannot run (waiting.cpp).
  std::string why_stuck(const promela::Statement& statement, Context& context) const;
  std::string why_false(promela::ExprId condition, Context& context) const;
  std::string why_not_passed(const promela::Statement& statement, Context& context) const;
  std::vector<std::string> changes(const StateView& before, const StateView& after) const;
  Action action(const StateView& before, int pid, const promela::Transition& transition) const;
  std::optional<Message> message_of(const StateView& before, const promela::Transition& transition,
                                    const PassedMessage& passed) const;
  void list_statements();

  std::shared_ptr<const promela::Program> program_;
  Options options_;
  std::shared_ptr<const EmbeddedCode> embedded_;
  Machine machine_;
  std::unique_ptr<const StubbornSets> stubborn_sets_;
  std::vector<Element> statements_;  // index = StatementId
  std::vector<std::byte> initial_;
  std::vector<ProblemAt> initial_problems_;
  // Made when first asked for: most runs compare nothing.
  mutable std::once_flag elements_made_, well_formedness_made_, guide_made_;
  mutable std::unique_ptr<const Elements> elements_;
  mutable std::unique_ptr<const StateLayout> layout_;
  mutable std::unique_ptr<const WellFormedness> well_formedness_;
  mutable std::unique_ptr<const Guide> guide_;
};

}  // namespace spoor::exec
