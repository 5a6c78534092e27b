#include "exec/native.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "exec/emit.h"

namespace spoor::exec {
namespace {

// A search that is over by then never starts the compiler.
constexpr std::chrono::milliseconds kBeforeCompiling{100};

constexpr std::size_t kFirstArena = 1 << 16;
constexpr std::size_t kLargestArena = std::size_t{1} << 30;
constexpr std::size_t kFirstRoom = 256;

}  // namespace

struct NativeSystem::Workspace {
  std::shared_ptr<void> interpreter;       // the interpreter's own workspace
  std::vector<std::max_align_t> native;    // struct work of the emitted file
  std::vector<std::uint8_t> executed;      // where nobody asks for it
  promela::StubbornSets::Memory stubborn;
  Expansion other;                         // kBoth: the interpreter's answer

  NativeIo& io() { return *reinterpret_cast<NativeIo*>(native.data()); }
};

NativeSystem::NativeSystem(std::unique_ptr<const Interpreter> interpreter, Options options, Tier tier)
    : interpreter_(std::move(interpreter)), options_(options), tier_(tier) {
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
  if (!out.workspace) out.workspace = std::make_shared<Workspace>();
  return *static_cast<Workspace*>(out.workspace.get());
}

void NativeSystem::interpret(StateBytes state, Workspace& workspace, Expansion& out) const {
  // The interpreter finds its own workspace where it left it.
  const std::shared_ptr<void> ours = std::exchange(out.workspace, workspace.interpreter);
  interpreter_->expand(state, out);
  workspace.interpreter = std::exchange(out.workspace, ours);
}

void NativeSystem::expand(StateBytes state, Expansion& out) const {
  Workspace& workspace = workspace_of(out);
  const NativeCode* const code = code_.load(std::memory_order_acquire);
  if (code == nullptr || !run_native(*code, state, workspace, out)) {
    interpret(state, workspace, out);
  } else if (tier_ == Tier::kBoth) {
    compare(state, workspace, out);
  }
}

// False: the state is for the interpreter.
bool NativeSystem::run_native(const NativeCode& code, StateBytes state, Workspace& workspace, Expansion& out) const {
  if (workspace.native.empty()) {
    workspace.native.resize(code.work_bytes() / sizeof(std::max_align_t) + 1);
    workspace.executed.resize(interpreter_->statements().size() + 1);
  }
  if (out.successors.capacity() == 0) {
    out.arena.reserve(kFirstArena);
    out.successors.reserve(kFirstRoom);
  }
  NativeIo& io = workspace.io();
  io.executed = out.executed.empty() ? workspace.executed.data() : out.executed.data();
  const promela::StubbornSets* const sets = interpreter_->stubborn_sets();
  io.reduce = !out.may_reduce ? NativeIo::kInFull : sets == nullptr ? NativeIo::kAmple : NativeIo::kAmpleOrAsk;
  io.embedded = interpreter_->embedded();
  for (;;) {
    io.arena = out.arena.data();
    io.arena_size = static_cast<std::uint32_t>(out.arena.capacity());
    io.successors = out.successors.data();
    io.room = static_cast<std::uint32_t>(out.successors.capacity());
    switch (code.expand()(&io, state.data(), static_cast<std::uint32_t>(state.size()))) {
      case NativeCode::kDone:
        out.arena.set_size(io.used);
        out.successors.set_size(io.count);
        out.inner_steps = io.inner_steps;
        (options_.deadlocks_only ? out.is_reduced_for_deadlocks : out.is_reduced) = io.is_reduced != 0;
        return true;
      case NativeCode::kAsks:
        io.chosen = sets->choose(state, workspace.stubborn);
        io.reduce = NativeIo::kChosen;
        break;
      case NativeCode::kNoRoom:
        if (out.arena.capacity() >= kLargestArena) return false;
        out.arena.reserve(std::max(2 * out.arena.capacity(), 4 * state.size()));
        out.successors.reserve(2 * out.successors.capacity());
        break;
      default:
        return false;
    }
  }
}

// kBoth. What the native tier takes on must be what the interpreter does, without any finding.
void NativeSystem::compare(StateBytes state, Workspace& workspace, const Expansion& native) const {
  Expansion& reference = workspace.other;
  reference.clear();
  reference.may_reduce = native.may_reduce;
  reference.executed.assign(native.executed.size(), 0);
  interpreter_->expand(state, reference);
  bool is_same = reference.findings.empty() && reference.is_reduced == native.is_reduced && reference.is_reduced_for_deadlocks == native.is_reduced_for_deadlocks && reference.inner_steps == native.inner_steps && reference.successors.size() == native.successors.size();
  for (std::size_t i = 0; is_same && i < native.successors.size(); ++i) {
    is_same = reference.successors[i].attempt == native.successors[i].attempt &&
              std::ranges::equal(reference.state(reference.successors[i]), native.state(native.successors[i]));
  }
  for (std::size_t i = 0; is_same && i < native.executed.size(); ++i) is_same = reference.executed[i] <= native.executed[i];
  if (is_same) return;
  std::string text = "native code and interpreter disagree on the successors of a state:";
  for (const std::string& value : interpreter_->describe(state)) text += "\n  " + value;
  throw std::logic_error(text);
}

}  // namespace spoor::exec
