// The two tiers as one system: the interpreter at once, native code as soon as there is some.
//
// A background thread writes the C text, looks it up in the cache and, where it is not there and the
// search has not ended within a moment, has it compiled; then it is loaded, and from the next state
// on `expand` is native. A search over a small model is over before the compiler would have started.
// Both tiers give the same answer byte for byte, so when the swap happens does not matter.
//
// States that the native code gives up (emit.h) and everything that is about words (explain,
// describe, messages) go to the interpreter. So do expansions that ask for a column which the code was not
// made to write (Options::native_columns): a column that is written costs every successor something, and a
// test of whether it is wanted nearly as much (docs/adr/0016).
//
// Thread safety: as for every system.
// Tested by: tests/suites/test_native.py
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "exec/interpreter.h"
#include "exec/native_code.h"
#include "model/layer.h"

namespace spoor::exec {

enum class Tier : std::uint8_t {
  kAuto,    // interpreted until native code is there
  kNative,  // native from the first state on
  kBoth,    // every state by both, compared
};

class NativeSystem : public LayerOver<TransitionSystem>, public Propositions {
 public:
  // kNative, kBoth: returns when the code is ready; failure() tells what went wrong.
  NativeSystem(std::unique_ptr<const Interpreter> interpreter, Options options, Tier tier);
  ~NativeSystem() override;

  // Why there is no native code and will be none; empty: there is, or it is being made.
  std::string failure() const;
  bool compares() const { return tier_ == Tier::kBoth; }
  bool is_native() const { return code_.load(std::memory_order_acquire) != nullptr; }

  void expand(StateBytes state, Expansion& out) const override;
  bool step(StateBytes state, StepId step, Expansion& out) const override;
  AtomValues atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                         std::vector<Finding>& findings) const override;

  bool is_well_formed(StateBytes state) const override { return interpreter_->is_well_formed(state); }
  const Propositions* propositions() const override { return this; }
  std::optional<std::vector<std::uint32_t>> elements_of_atoms() const override {
    return interpreter_->elements_of_atoms();
  }
  const StateLayout* layout() const override { return interpreter_->layout(); }
  const Guidance* guidance() const override { return interpreter_->guidance(); }

 private:
  struct Workspace;
  struct AskingWorkspace;

  void make_code(bool at_once);
  bool can_write(Columns wanted) const {
    return (!wanted.movers || options_.native_columns.movers) &&
           (!wanted.labels || options_.native_columns.labels);
  }
  void interpret(StateBytes state, Workspace& workspace, Expansion& out) const;
  // Columns of steps are asked for, or would be written in any case.
  bool has_columns(const Expansion& out) const {
    return writes_columns_ || out.asked.columns.has_any_of_steps();
  }
  void expand_with_columns(const NativeCode* code, StateBytes state, NativeIo::Reduce reduce,
                           Workspace& workspace, Expansion& out) const;
  // False: the state is for the interpreter.
  bool run_native(const NativeCode& code, StateBytes state, NativeIo::Reduce reduce, Workspace& workspace,
                  Expansion& out) const;
  template <bool kHasColumns>
  bool run_code(const NativeCode& code, StateBytes state, NativeIo::Reduce reduce, Workspace& workspace,
                Expansion& out) const;
  void begin_columns(NativeIo& io, Expansion& out) const;
  static void end_columns(const NativeIo& io, Expansion& out);
  void prepare(const NativeCode& code, Workspace& workspace) const;
  bool handle_answer(int answer, StateBytes state, Workspace& workspace, Expansion& out) const;
  static void make_room_for_steps(Expansion& out);
  static bool make_room(std::size_t state_bytes, Expansion& out);
  void compare(StateBytes state, Workspace& workspace, const Expansion& native) const;
  void compare_atom_values(StateBytes state, AtomValues native, std::shared_ptr<void>& workspace) const;
  static Workspace& workspace_of(Expansion& out);

  const std::unique_ptr<const Interpreter> interpreter_;
  const Options options_;
  const Tier tier_;
  const bool writes_columns_;      // native code writes columns of steps
  const std::size_t statements_;   // how many
  const NativeIo::Reduce reduce_;  // where the caller allows it
  std::unique_ptr<NativeCode> loaded_;
  std::atomic<const NativeCode*> code_{nullptr};

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::atomic<bool> is_ending_{false};
  std::string failure_;  // guarded by mutex_
  std::thread maker_;
};

}  // namespace spoor::exec
