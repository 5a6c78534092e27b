#include "exec/native.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>

#include "exec/emit.h"

namespace spoor::exec {
namespace {

// A search that is over by then never starts the compiler.
constexpr std::chrono::milliseconds kBeforeCompiling{100};

constexpr std::size_t kFirstArena = 1 << 16;
constexpr std::size_t kSmallArena = 1 << 20;  // the budget is not asked
constexpr std::size_t kLargestArena = std::size_t{1} << 30;

Options options_for(Tier tier, Options options) {
  if (tier == Tier::kBoth) options.native_columns.labels = true;
  return options;
}

}  // namespace

struct NativeSystem::Workspace {
  std::shared_ptr<void> interpreter;     // the interpreter's own workspace
  std::vector<std::max_align_t> native;  // struct work of the emitted file
  std::vector<std::uint8_t> executed;    // where it is not asked for
  StubbornSets::Memory stubborn;
  Expansion other;  // kBoth: the interpreter's answer

  NativeIo& io() { return *reinterpret_cast<NativeIo*>(native.data()); }
};

struct NativeSystem::AskingWorkspace {
  std::shared_ptr<void> interpreter;
  std::vector<std::max_align_t> native;
};

NativeSystem::NativeSystem(std::unique_ptr<const Interpreter> interpreter, Options options, Tier tier)
    : LayerOver(*interpreter),
      interpreter_(std::move(interpreter)),
      options_(options_for(tier, options)),
      tier_(tier),
      writes_columns_(options_.native_columns.has_any_of_steps()),
      statements_(interpreter_->statements().size()),
      reduce_(interpreter_->stubborn_sets() == nullptr ? NativeIo::kAmple : NativeIo::kAmpleOrAsk) {
  if (std::optional<std::string> reason = why_not_native(interpreter_->program())) {
    failure_ = std::move(*reason);
  } else if (interpreter_->has_initial_problems()) {
    failure_ = "something is wrong with its initial values";
  } else if (tier == Tier::kAuto) {
    maker_ = std::thread([this] { make_code(false); });
  } else {
    make_code(true);
  }
}

NativeSystem::~NativeSystem() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  if (maker_.joinable()) maker_.join();
}

std::string NativeSystem::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void NativeSystem::make_code(bool at_once) {
  const NativeCompiler compiler;
  const std::string text = emit_c(interpreter_->program(), options_);
  std::string reason;
  loaded_ = compiler.from_cache(text);
  if (loaded_ == nullptr) {
    if (!at_once) {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kBeforeCompiling, [this] { return is_ending_.load(); });
    }
    if (!is_ending_) loaded_ = compiler.compile(text, is_ending_, reason);
  }
  if (loaded_ == nullptr) {
    const std::lock_guard lock(mutex_);
    failure_ = reason.empty() ? "the search ended first" : reason;
    return;
  }
  code_.store(loaded_.get(), std::memory_order_release);
}

NativeSystem::Workspace& NativeSystem::workspace_of(Expansion& out) {
  if (!out.scratch.workspace) out.scratch.workspace = std::make_shared<Workspace>();
  return *static_cast<Workspace*>(out.scratch.workspace.get());
}

void NativeSystem::interpret(StateBytes state, Workspace& workspace, Expansion& out) const {
  // The interpreter finds its own workspace where it left it.
  const std::shared_ptr<void> ours = std::exchange(out.scratch.workspace, workspace.interpreter);
  interpreter_->expand(state, out);
  workspace.interpreter = std::exchange(out.scratch.workspace, ours);
}

void NativeSystem::expand(StateBytes state, Expansion& out) const {
  const NativeCode* const code = code_.load(std::memory_order_acquire);
  Workspace& workspace = workspace_of(out);
  const NativeIo::Reduce reduce = out.asked.may_reduce ? reduce_ : NativeIo::kInFull;
  if (has_columns(out)) [[unlikely]]
    return expand_with_columns(code, state, reduce, workspace, out);
  if (code == nullptr || !run_code<false>(*code, state, reduce, workspace, out)) [[unlikely]] {
    if (!out.was_cut) interpret(state, workspace, out);
  }
}

// The general case. kBoth: labels are compared whether the caller wants them or not.
void NativeSystem::expand_with_columns(const NativeCode* code, StateBytes state, NativeIo::Reduce reduce,
                                       Workspace& workspace, Expansion& out) const {
  const bool compares = tier_ == Tier::kBoth && code != nullptr;
  const MoreColumns more(out, {.labels = compares});
  if (code == nullptr || !run_native(*code, state, reduce, workspace, out)) {
    if (!out.was_cut) interpret(state, workspace, out);
  } else if (compares) {
    compare(state, workspace, out);
  }
}

bool NativeSystem::step(StateBytes state, StepId step, Expansion& out) const {
  const NativeCode* const code = code_.load(std::memory_order_acquire);
  Workspace& workspace = workspace_of(out);
  if (code != nullptr) {
    if (workspace.native.empty()) prepare(*code, workspace);
    workspace.io().chosen = step.group();
    workspace.io().retry = step.is_retry() ? 1 : 0;
    if (run_native(*code, state, NativeIo::kOne, workspace, out)) return keep_only(step, out);
    if (out.was_cut) return false;
  }
  const std::shared_ptr<void> ours = std::exchange(out.scratch.workspace, workspace.interpreter);
  const bool is_there = interpreter_->step(state, step, out);
  workspace.interpreter = std::exchange(out.scratch.workspace, ours);
  return is_there;
}

bool NativeSystem::run_native(const NativeCode& code, StateBytes state, NativeIo::Reduce reduce,
                              Workspace& workspace, Expansion& out) const {
  if (!has_columns(out)) return run_code<false>(code, state, reduce, workspace, out);
  return can_write(out.asked.columns) && run_code<true>(code, state, reduce, workspace, out);
}

template <bool kHasColumns>
[[gnu::always_inline]] inline bool NativeSystem::run_code(const NativeCode& code, StateBytes state,
                                                          NativeIo::Reduce reduce, Workspace& workspace,
                                                          Expansion& out) const {
  if (workspace.native.empty()) [[unlikely]]
    prepare(code, workspace);
  const std::size_t most_steps = (out.arena.capacity() - out.arena.size()) / NativeIo::kStride;
  if (out.successors.capacity() - out.successors.size() < most_steps || out.arena.capacity() < kFirstArena)
      [[unlikely]] {
    out.arena.reserve(kFirstArena);
    make_room_for_steps(out);
  }
  NativeIo& io = workspace.io();
  if (out.asked.columns.executed && !out.executed.empty()) [[likely]] {
    io.executed = out.executed.data();
  } else {
    std::uint8_t* const flags = out.executed_flags(statements_);
    io.executed = flags != nullptr ? flags : workspace.executed.data();
  }
  io.reduce = reduce;
  for (;;) {
    std::byte* const arena = out.arena.data();
    Successor* const successors = out.successors.data();
    constexpr std::size_t kStride = NativeIo::kStride;
    io.arena = arena;
    io.free = arena + (out.arena.size() + kStride - 1) / kStride * kStride;
    io.limit = arena + out.arena.capacity() - 2 * kStride;
    io.next = successors + out.successors.size();
    if constexpr (kHasColumns) begin_columns(io, out);
    const int answer = code.expand()(&io, state.data(), static_cast<std::uint32_t>(state.size()));
    if (answer == NativeCode::kDone) [[likely]] {
      out.arena.set_size(static_cast<std::size_t>(io.free - arena));
      out.successors.set_size(static_cast<std::size_t>(io.next - successors));
      out.inner_steps = io.inner_steps;
      if constexpr (kHasColumns) end_columns(io, out);
      if (io.is_reduced != 0)
        (options_.deadlocks_only ? out.is_reduced_for_deadlocks : out.is_reduced) = true;
      return true;
    }
    if (!handle_answer(answer, state, workspace, out)) return false;
  }
}

// Code that was made to write a column writes it whether it is asked for or not.
void NativeSystem::begin_columns(NativeIo& io, Expansion& out) const {
  if (options_.native_columns.movers) {
    out.movers.reserve(out.successors.capacity());
    io.movers = out.movers.data() + out.successors.size();
  }
  if (options_.native_columns.labels) {
    out.labels.reserve(out.successors.capacity());
    io.labels = out.labels.data() + out.successors.size();
  }
}

void NativeSystem::end_columns(const NativeIo& io, Expansion& out) {
  if (out.asked.columns.movers) {
    out.movers.set_size(out.successors.size());
    out.enabled = io.enabled;
  }
  if (out.asked.columns.labels) out.labels.set_size(out.successors.size());
}

AtomValues NativeSystem::atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                                     std::vector<Finding>& findings) const {
  if (!workspace) workspace = std::make_shared<AskingWorkspace>();
  auto& [interpreter, native] = *static_cast<AskingWorkspace*>(workspace.get());
  const NativeCode* const code = code_.load(std::memory_order_acquire);
  if (code != nullptr && code->atom_values() != nullptr) [[likely]] {
    if (native.empty()) {
      native.resize(code->work_bytes() / sizeof(std::max_align_t) + 1);
      reinterpret_cast<NativeIo*>(native.data())->embedded = interpreter_->embedded();
    }
    AtomValues values;
    auto* const io = reinterpret_cast<NativeIo*>(native.data());
    if (code->atom_values()(io, state.data(), &values.truth) == NativeCode::kDone) {
      if (tier_ == Tier::kBoth) compare_atom_values(state, values, interpreter);
      return values;
    }
  }
  return interpreter_->atom_values(state, interpreter, findings);
}

// kBoth. As for successors: what native code answers must be what the interpreter does.
void NativeSystem::compare_atom_values(StateBytes state, AtomValues native,
                                       std::shared_ptr<void>& workspace) const {
  std::vector<Finding> findings;
  const AtomValues reference = interpreter_->atom_values(state, workspace, findings);
  if (reference.truth == native.truth && reference.failed == 0) return;
  std::string text = "native code and interpreter disagree on what the claim asks of a state:";
  for (const std::string& value : interpreter_->describe(state)) text += "\n  " + value;
  throw std::logic_error(text);
}

void NativeSystem::prepare(const NativeCode& code, Workspace& workspace) const {
  workspace.native.resize(code.work_bytes() / sizeof(std::max_align_t) + 1);
  new (workspace.native.data()) NativeIo;
  workspace.executed.resize(statements_ + 1);
  workspace.io().embedded = interpreter_->embedded();
}

// Does what native code could not do by itself, so that it can be called again; false: it has given up.
bool NativeSystem::handle_answer(int answer, StateBytes state, Workspace& workspace, Expansion& out) const {
  if (answer == NativeCode::kNoRoom) return make_room(state.size(), out);
  if (answer != NativeCode::kAsks) return false;
  workspace.io().chosen = interpreter_->stubborn_sets()->choose(state, workspace.stubborn);
  workspace.io().reduce = NativeIo::kChosen;
  return true;
}

// Room for as many successors as could fit into the arena.
void NativeSystem::make_room_for_steps(Expansion& out) {
  out.successors.reserve(out.successors.size() + out.arena.capacity() / NativeIo::kStride);
}

// False: more than native code can address, or than the expansion budget allows.
bool NativeSystem::make_room(std::size_t state_bytes, Expansion& out) {
  if (out.arena.capacity() >= kLargestArena) return false;
  const std::size_t bytes = std::max(2 * out.arena.capacity(), out.arena.size() + 4 * state_bytes);
  ExpansionBudget* const budget = out.asked.budget;
  if (budget != nullptr && bytes > kSmallArena && budget->is_exhausted(bytes)) {
    out.was_cut = true;
    return false;
  }
  out.arena.reserve(bytes);
  make_room_for_steps(out);
  return true;
}

// kBoth. What the native tier takes on must be what the interpreter does, without any finding.
void NativeSystem::compare(StateBytes state, Workspace& workspace, const Expansion& native) const {
  Expansion& reference = workspace.other;
  reference.clear();
  reference.asked.may_reduce = native.asked.may_reduce;
  reference.asked.columns = native.asked.columns;
  reference.executed.assign(native.executed.size(), 0);
  interpreter_->expand(state, reference);
  const std::span<const Successor> successors = native.last_successors();
  bool is_same = reference.findings.empty() && reference.is_reduced == native.is_reduced &&
                 reference.is_reduced_for_deadlocks == native.is_reduced_for_deadlocks &&
                 reference.inner_steps == native.inner_steps &&
                 reference.successors.size() == successors.size();
  for (std::size_t i = 0; is_same && i < successors.size(); ++i) {
    is_same = reference.successors[i].step == successors[i].step &&
              std::ranges::equal(reference.state(reference.successors[i]), native.state(successors[i]));
  }
  const std::size_t first = native.first_successor;
  const Columns columns = native.asked.columns;
  is_same = is_same && reference.enabled == native.enabled;
  for (std::size_t i = 0; columns.movers && is_same && i < successors.size(); ++i)
    is_same = reference.movers[i] == native.movers[first + i];
  for (std::size_t i = 0; columns.labels && is_same && i < successors.size(); ++i)
    is_same = reference.labels[i] == native.labels[first + i];
  for (std::size_t i = 0; is_same && i < native.executed.size(); ++i)
    is_same = reference.executed[i] <= native.executed[i];
  if (is_same) return;
  std::string text = "native code and interpreter disagree on the successors of a state:";
  for (const std::string& value : interpreter_->describe(state)) text += "\n  " + value;
  throw std::logic_error(text);
}

}  // namespace spoor::exec
