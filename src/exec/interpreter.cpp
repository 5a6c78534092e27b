// Exploring the steps of a state; interpreter.h tells the whole story, describe.cpp has the words.
#include "exec/interpreter.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include <xxhash.h>

#include "exec/state_translation.h"

namespace spoor::exec {

using promela::kNone;
using promela::Statement;
using promela::StatementOp;
using promela::Transition;

// One action on the path, and what remains to be tried behind it.
struct Interpreter::Frame {
  StateView view;
  Rendezvous rendezvous;
  // The processes that may move: first..last, tried downwards.
  int process = -1;
  int last_process = 0;
  std::size_t next = 0;  // transition to try next
  bool process_entered = false;
  bool taken_before = false;  // this process could do something here
  std::uint32_t escape = 0;   // the escape that it took
  bool anything_taken = false;
  bool timeout = false;
  bool is_atomic = false;
  // How we came here.
  int pid = -1;
  const Transition* taken = nullptr;
  std::size_t problems = 0;  // on the path before this action
  std::string output;
  PassedMessage passed;
  std::uint64_t hash = 0;  // of the bytes, in atomic frames only
};

// What an explorer needs again and again: allocated once per Expansion.
struct Interpreter::Workspace {
  std::vector<std::unique_ptr<Frame>> frames;
  std::vector<ProblemAt> problems;
  StubbornSets::Memory stubborn;
};

class Interpreter::Explorer {
 public:
  // What is wanted: all steps of the state, one step with its target, or one step in words.
  enum class Mode : std::uint8_t { kAll, kOne, kExplain };

  // `wanted`: the one step.
  Explorer(const Interpreter& interpreter, Expansion& out, Mode mode, StepId wanted = {})
      : interpreter_(interpreter),
        program_(*interpreter.program_),
        machine_(interpreter.machine_),
        out_(out),
        mode_(mode),
        wanted_(wanted),
        executed_(mode == Mode::kAll ? out.executed_flags(interpreter.statements_.size()) : nullptr),
        frames_(workspace_of(out).frames),
        problems_(workspace_of(out).problems),
        arena_before_(out.arena.size()),
        findings_before_(out.findings.size()) {
    problems_.clear();
  }

  void run(StateBytes state) {
    if (out_.asked.columns.movers && static_cast<std::uint32_t>(state[0]) > kMostMovers) {
      throw NotSupported(
          "weak fairness, and accept labels inside atomic sequences, are kept track of for at most " +
          std::to_string(kMostMovers) + " processes at a time");
    }
    if (mode_ != Mode::kAll) return look_for_wanted(state);
    if (out_.asked.may_reduce && (try_one_process(state) || try_some_processes(state))) return;
    Frame& root = push_root(state);
    open_to_all(root);
    explore(state.size());
  }

  bool is_found() const { return is_found_; }
  Explanation take_explanation() { return std::move(explanation_); }

 private:
  // Only the process that the step is named after is tried.
  void look_for_wanted(StateBytes state) {
    Frame& root = push_root(state);
    const int pid = root.view.process_count() - 1 - static_cast<int>(wanted_.group());
    root.process = root.last_process = pid;
    root.timeout = wanted_.is_retry();
    only_one_ = true;
    if (pid >= 0) explore(state.size());
    depth_ = 0;
  }

  // Partial-order reduction: the steps of a single process, where that is enough (promela/ample.cpp).
  bool try_one_process(StateBytes state) {
    StateView view(program_);
    view.load(state);
    only_one_ = true;
    for (int pid = view.process_count() - 1; pid >= 0 && !out_.was_cut; --pid) {
      if (!view.process(pid).locations[view.location(pid)].is_ample) continue;
      Frame& root = push_root(state);
      root.process = root.last_process = pid;
      explore(state.size());
      if (has_only_steps()) {
        mark_reduced();
        return true;
      }
      forget_attempts();
    }
    only_one_ = false;
    return out_.was_cut;
  }

  // The same with processes that were chosen for this state (stubborn.h).
  bool try_some_processes(StateBytes state) {
    if (interpreter_.stubborn_sets_ == nullptr) return false;
    chosen_ = interpreter_.stubborn_sets_->choose(state, workspace_of(out_).stubborn);
    if (chosen_ == 0) return false;
    only_one_ = true;
    Frame& root = push_root(state);
    open_to_all(root);
    explore(state.size());
    chosen_ = 0;
    only_one_ = false;
    if (out_.was_cut) return true;
    if (has_only_steps()) {
      mark_reduced();
      return true;
    }
    forget_attempts();
    return false;
  }

  void mark_reduced() {
    (interpreter_.options_.deadlocks_only ? out_.is_reduced_for_deadlocks : out_.is_reduced) = true;
  }

  bool has_only_steps() const { return !out_.last_successors().empty() && out_.last_findings().empty(); }

  void forget_attempts() {
    out_.arena.set_size(arena_before_);
    out_.keep_successors(out_.first_successor);
    out_.findings.resize(findings_before_);
    out_.inner_steps = 0;
    out_.enabled = 0;
  }

  Frame& push_root(StateBytes state) {
    Frame& root = push();
    root.view = StateView(program_);
    root.view.load(state);
    return root;
  }

  void explore(std::size_t state_bytes) {
    const std::uint64_t frame_bytes = sizeof(Frame) + state_bytes + kFrameExtra;
    const std::uint64_t between =
        std::clamp<std::uint64_t>(kBytesBetweenQuestions / frame_bytes, 1, kStepsBetweenQuestions);
    for (std::uint64_t steps = 1; depth_ > 0 && !is_found_ && !out_.was_cut; ++steps) {
      if (!try_next(top())) finish_frame();
      if (steps % between == 0) poll_budget(frame_bytes);
    }
    if (out_.was_cut) depth_ = 0;
  }

  static constexpr std::size_t kMaxPath = 250'000;
  static constexpr std::uint64_t kStepsBetweenQuestions = 4096;
  static constexpr std::uint64_t kBytesBetweenQuestions = std::uint64_t{16} << 20;
  static constexpr std::uint64_t kFrameExtra = 256;       // what a frame's vectors add to the state's bytes
  static constexpr std::uint64_t kMaxArena = UINT32_MAX;  // offsets have 32 bits
  static constexpr std::size_t kShortPath = 16;
  static constexpr std::size_t kScannedPath = 1024;

  static Workspace& workspace_of(Expansion& out) {
    if (!out.scratch.workspace) out.scratch.workspace = std::make_shared<Workspace>();
    return *static_cast<Workspace*>(out.scratch.workspace.get());
  }

  // A state with a great many paths through its indivisible sequences must not outlast the limits.
  void poll_budget(std::uint64_t frame_bytes) {
    out_.scratch.workspace_bytes = frames_.size() * frame_bytes;
    ExpansionBudget* const budget = out_.asked.budget;
    if (budget != nullptr && budget->is_exhausted(out_.memory_bytes())) out_.was_cut = true;
  }

  Frame& top() { return *frames_[depth_ - 1]; }

  Frame& push() {
    if (depth_ == frames_.size()) frames_.push_back(std::make_unique<Frame>());
    Frame& frame = *frames_[depth_++];
    frame.rendezvous = {};
    frame.next = 0;
    frame.process_entered = frame.taken_before = frame.anything_taken = frame.timeout = frame.is_atomic =
        false;
    frame.escape = 0;
    frame.pid = -1;
    frame.taken = nullptr;
    frame.problems = problems_.size();
    frame.output.clear();
    frame.passed = {};
    return frame;
  }

  static void open_to_all(Frame& frame) {
    frame.process = frame.view.process_count() - 1;
    frame.last_process = 0;
    frame.next = 0;
    frame.process_entered = false;
  }

  Context context_in(Frame& frame, StateView& view, int pid) {
    Context context;
    context.view = &view;
    context.pid = pid;
    context.timeout = frame.timeout;
    context.taken_before = frame.taken_before;
    context.rendezvous = &frame.rendezvous;
    context.problems = &problems_;
    context.executed = executed_;
    return context;
  }

  // Tries one transition; false when the frame has none left.
  bool try_next(Frame& frame) {
    while (frame.process >= frame.last_process) {
      if (!frame.process_entered && !enter_process(frame)) {
        --frame.process;
        continue;
      }
      const auto& location = frame.view.process(frame.process).locations[frame.view.location(frame.process)];
      if (frame.next >= location.transitions.size()) {
        leave_process(frame);
        continue;
      }
      const Transition& transition = location.transitions[frame.next++];
      if (frame.escape != 0 && transition.escape != frame.escape) {
        leave_process(frame);
        continue;
      }
      attempt(frame, transition);
      return true;
    }
    return false;
  }

  bool enter_process(Frame& frame) {
    if (chosen_ != 0 && depth_ == 1 && (chosen_ >> static_cast<unsigned>(frame.process) & 1U) == 0)
      return false;
    if (frame.rendezvous.is_offered() && frame.rendezvous.sender == frame.process) return false;
    if (depth_ == 1) {
      const int group = frame.view.process_count() - 1 - frame.process;
      next_name_ = StepId::first_of(static_cast<std::uint64_t>(group), frame.timeout);
    }
    frame.taken_before = false;
    frame.escape = 0;
    frame.next = 0;
    if (program_.uses_priority || frame.view.process(frame.process).provided != kNone) {
      const auto& location = frame.view.process(frame.process).locations[frame.view.location(frame.process)];
      if (location.transitions.empty()) return false;
      Context context = context_in(frame, frame.view, frame.process);
      context.statement = location.transitions.front().statement;
      const std::size_t before = problems_.size();
      bool may_run = machine_.may_run(frame.process, context);
      if (problems_.size() > before) {  // a provided clause that cannot be evaluated stops no process
        note_in_state();
        problems_.resize(before);
        may_run = true;
      }
      if (!may_run) return false;
    }
    frame.process_entered = true;
    return true;
  }

  static void leave_process(Frame& frame) {
    frame.process_entered = false;
    --frame.process;
  }

  void attempt(Frame& frame, const Transition& transition) {
    const Statement& statement = program_.statements[transition.statement];
    const int pid = frame.process;
    const std::size_t before = problems_.size();
    Context guard = context_in(frame, frame.view, pid);
    guard.statement = transition.statement;
    const bool is_executable = machine_.is_executable(statement, guard);
    if (problems_.size() > before && is_fatal(problems_.back().problem)) {
      // The guard itself went wrong: an error, and as in SPIN the statement is not executable.
      fail(frame, pid, transition);
      problems_.resize(before);
      return;
    }
    if (!is_executable) {
      if (problems_.size() > before) note_in_state();
      problems_.resize(before);
      return;
    }
    if (frame.taken_before && frame.view.process(pid).deterministic)
      problems_.push_back({Problem::kDeterminism, transition.statement});

    Frame& child = push();  // note: `frame` stays valid, frames do not move
    child.problems = before;
    child.view = frame.view;
    child.pid = pid;
    child.taken = &transition;
    child.rendezvous = frame.rendezvous;
    Context context = context_in(frame, child.view, pid);
    context.statement = transition.statement;
    context.rendezvous = &child.rendezvous;
    context.output = mode_ == Mode::kExplain ? &child.output : nullptr;
    context.passed = mode_ == Mode::kExplain ? &child.passed : nullptr;
    machine_.execute(statement, context);
    if (problems_.size() > before && is_fatal(problems_.back().problem)) {
      --depth_;
      fail(frame, pid, transition);
      problems_.resize(before);
      mark_taken(frame, transition);
      return;
    }
    if (statement.op != StatementOp::kEnd) child.view.set_location(pid, transition.target);
    if (program_.last_offset != kNone) child.view.set_byte(program_.last_offset, pid);

    if (child.rendezvous.is_offered()) {  // whether this counts is known when a receiver was found
      open_to_all(child);
      return;
    }
    mark_taken(frame, transition);
    if (transition.stays_atomic) {
      continue_atomic(child, pid);
    } else {
      arrive(child);
    }
  }

  void mark_taken(Frame& frame, const Transition& transition) {
    if (&frame == frames_.front().get() && out_.asked.columns.movers)
      out_.enabled |= mover_bit(frame.process);
    frame.taken_before = frame.anything_taken = true;
    frame.escape = transition.escape;
  }

  void continue_atomic(Frame& frame, int pid) {
    ++out_.inner_steps;
    frame.is_atomic = true;
    frame.process = frame.last_process = pid;
    if (depth_ > kMaxPath) {
      problems_.push_back({Problem::kAtomicEndless, frame.taken->statement});
      const Transition& transition = *frame.taken;
      --depth_;
      fail(top(), pid, transition);
      problems_.resize(frame.problems);
      return;
    }
    if (depth_ <= kShortPath) return;
    // On a long path, look out for circles.
    const auto bytes = frame.view.bytes();
    frame.hash = XXH3_64bits(bytes.data(), bytes.size());
    const auto is_same = [&](const Frame& earlier) {
      return earlier.is_atomic && earlier.hash == frame.hash && earlier.last_process == pid &&
             std::ranges::equal(earlier.view.bytes(), bytes);
    };
    if (depth_ <= kScannedPath) {
      for (std::size_t i = kShortPath; i + 1 < depth_; ++i) {
        if (is_same(*frames_[i])) return pop();
      }
    } else if (is_same(*frames_[std::bit_floor(depth_ - 1) - 1])) {
      // Scanning the whole path would be quadratic. Looking at one frame, which moves on whenever the
      // path has doubled (Brent), finds every circle too, after a few more rounds in it.
      pop();
    }
  }

  // A frame has nothing left to try.
  void finish_frame() {
    Frame& frame = top();
    if (frame.rendezvous.is_offered()) {
      const Transition& transition = *frame.taken;
      if (frame.anything_taken) {
        pop();
        mark_taken(top(), transition);
      } else {  // no process received the message; what was wrong with it is reported all the same
        --depth_;
        if (problems_.size() > frame.problems) note_in_state();
        problems_.resize(frame.problems);
        top().escape = 0;
      }
      return;
    }
    if (!frame.anything_taken) {
      if (frame.is_atomic) {
        arrive(frame);  // interrupted: a state after all
        return;
      }
      if (only_one_) {
        pop();
        return;
      }
      if (program_.uses_timeout && !frame.timeout) {
        frame.timeout = true;
        out_.findings.resize(findings_before_);  // everything is tried again, and found again
        open_to_all(frame);
        return;
      }
      check_end(frame.view);
    }
    pop();
  }

  void pop() {
    problems_.resize(top().problems);
    --depth_;
  }

  void check_end(const StateView& view) {
    if (view.process_count() == 0) return;
    for (int pid = 0; pid < view.process_count(); ++pid) {
      const auto& location = view.process(pid).locations[view.location(pid)];
      if (location.is_end) continue;
      const promela::StatementId statement =
          location.transitions.empty() ? 0 : location.transitions.front().statement;
      add_finding({Problem::kDeadlock, statement}, Finding::kStateItself);
      return;
    }
    if (program_.trace_process != kNone) {
      const auto& automaton = program_.processes[program_.trace_process];
      const auto& location = automaton.locations[view.get_u16(program_.event_offset)];
      if (!location.is_end && !location.transitions.empty()) {
        add_finding({Problem::kDeadlock, location.transitions.front().statement}, Finding::kStateItself);
      }
    }
  }

  // The path ends in a state. Pops its last frame.
  void arrive(Frame& frame) {
    const StepId name = take_name();
    is_found_ = is_wanted(name);
    if (is_found_ && mode_ == Mode::kExplain) explain_path();  // before what is dead is cleared
    forget(frame.view);
    if (mode_ == Mode::kExplain) {
      if (is_found_) explanation_.target.assign(frame.view.bytes().begin(), frame.view.bytes().end());
    } else if (out_.arena.size() + frame.view.bytes().size() > kMaxArena) {
      out_.was_cut = true;
    } else if (mode_ == Mode::kAll || is_found_) {
      Successor successor;
      successor.step = name;
      successor.offset = static_cast<std::uint32_t>(out_.arena.size());
      const auto bytes = frame.view.bytes();
      successor.length = static_cast<std::uint32_t>(bytes.size());
      out_.arena.append(bytes);
      out_.successors.push_back(successor);
      if (out_.asked.columns.movers) out_.movers.push_back(movers());
      if (out_.asked.columns.labels) out_.labels.push_back(frames_[1]->taken->statement);
      add_findings(name);
    }
    pop();
  }

  StepId take_name() {
    const StepId name = next_name_;
    next_name_ = name.next();
    if (next_name_.ordinal() == StepId::kMostOrdinals - 1) out_.was_cut = true;  // there is no name for more
    return name;
  }
  bool is_wanted(StepId name) const { return mode_ != Mode::kAll && name == wanted_; }

  // On the path.
  std::uint64_t movers() const {
    std::uint64_t bits = 0;
    for (std::size_t i = 1; i < depth_; ++i) {
      const Frame& frame = *frames_[i];
      bits |= mover_bit(frame.pid);
      const bool goes_on = frame.taken->stays_atomic && !frame.rendezvous.is_offered() &&
                           program_.statements[frame.taken->statement].op != StatementOp::kEnd;
      if (goes_on && frame.view.process(frame.pid).locations[frame.taken->target].is_accept)
        bits |= Expansion::kPassesAccepting;
    }
    return bits;
  }

  // Clears what carries nothing into the future: scratch variables, and what is dead in the processes
  // that have moved.
  void forget(StateView& view) {
    for (const auto& scratch : program_.scratch) view.zero(scratch.offset, scratch.bytes);
    if (interpreter_.options_.keeps_values) return;
    for (std::size_t i = 1; i < depth_; ++i) {
      const int pid = frames_[i]->pid;
      if (pid < view.process_count()) view.zero_dead(pid);
    }
  }

  // The path ends in a fatal problem while `transition` is tried from `frame`.
  void fail(Frame& frame, int pid, const Transition& transition) {
    if (!end_in_failure()) return;
    explain_path();
    explanation_.actions.push_back(interpreter_.action(frame.view, pid, transition));
  }

  // The path ends without a successor. True: it is to be explained.
  bool end_in_failure() {
    const StepId name = take_name();
    is_found_ = is_wanted(name);
    if (mode_ == Mode::kExplain) return is_found_;
    if (mode_ == Mode::kAll || is_found_) add_findings(name);
    return false;
  }

  // A guard that is false for a bad reason. At the state itself it belongs to the state; inside a path
  // it is a step of its own, which ends there.
  void note_in_state() {
    if (depth_ == 1) {
      if (mode_ == Mode::kAll) add_finding(problems_.back(), Finding::kStateItself);
      return;
    }
    if (end_in_failure()) explain_path();
  }

  // All that went wrong on the path.
  void add_findings(StepId name) {
    for (const ProblemAt& problem : problems_) add_finding(problem, name);
  }
  void add_finding(const ProblemAt& problem, StepId name) {
    out_.findings.push_back(
        {kind_of(problem.problem), make_identity(problem.problem, problem.statement), name});
  }

  void explain_path() {
    for (std::size_t i = 1; i < depth_; ++i) {
      const Frame& frame = *frames_[i];
      Action action = interpreter_.action(frames_[i - 1]->view, frame.pid, *frame.taken);
      action.changes = interpreter_.changes(frames_[i - 1]->view, frame.view);
      action.output = frame.output;
      action.message = interpreter_.message_of(frames_[i - 1]->view, *frame.taken, frame.passed);
      action.completes_with_next = frame.rendezvous.is_offered();
      explanation_.actions.push_back(std::move(action));
    }
    for (const ProblemAt& problem : problems_) {
      explanation_.findings.push_back(
          {kind_of(problem.problem), make_identity(problem.problem, problem.statement), wanted_});
    }
  }

  const Interpreter& interpreter_;
  const promela::Program& program_;
  const Machine& machine_;
  Expansion& out_;
  const Mode mode_;
  const StepId wanted_;
  std::uint8_t* const executed_;  // a flag per statement; null: not asked for
  std::vector<std::unique_ptr<Frame>>& frames_;
  std::size_t depth_ = 0;
  std::vector<ProblemAt>& problems_;   // on the current path
  const std::size_t arena_before_;     // what was there
  const std::size_t findings_before_;  // before anything was tried; those of the initial values among them
  StepId next_name_;                   // of the next path that ends
  bool is_found_ = false;
  bool only_one_ = false;               // not everybody moves
  StubbornSets::Processes chosen_ = 0;  // the processes that may begin a step; 0: all
  Explanation explanation_;
};

Interpreter::Interpreter(std::shared_ptr<const promela::Program> program, Options options,
                         std::shared_ptr<const EmbeddedCode> embedded)
    : program_(std::move(program)),
      options_(options),
      embedded_(std::move(embedded)),
      machine_(*program_, options_, Interpreter::embedded()) {
  if (program_->uses_stubborn_sets && !options_.keeps_values) {
    auto sets = std::make_unique<StubbornSets>(machine_, options_.lose_messages);
    if (sets->is_useful()) stubborn_sets_ = std::move(sets);
  }
  list_statements();
  StateView view = machine_.initial_view(initial_problems_);
  for (const auto& scratch : program_->scratch) view.zero(scratch.offset, scratch.bytes);
  initial_.assign(view.bytes().begin(), view.bytes().end());
}

const Elements& Interpreter::element_table() const {
  std::call_once(elements_made_, [this] {
    elements_ =
        std::make_unique<const Elements>(*program_, initial_, initial_problems_,
                                         stubborn_sets_ != nullptr ? &stubborn_sets_->tables() : nullptr);
    layout_ = std::make_unique<const ProgramLayout>(*program_, *elements_);
  });
  return *elements_;
}

bool Interpreter::is_well_formed(StateBytes state) const {
  std::call_once(well_formedness_made_,
                 [this] { well_formedness_ = std::make_unique<const WellFormedness>(*program_); });
  return well_formedness_->holds(state);
}

const Guidance* Interpreter::guidance() const {
  std::call_once(guide_made_, [this] { guide_ = std::make_unique<const Guide>(machine_); });
  return guide_.get();
}

const StateLayout* Interpreter::layout() const {
  if (program_->has_embedded_code) return nullptr;
  element_table();
  return layout_.get();
}

void Interpreter::expand(StateBytes state, Expansion& out) const {
  if (!initial_problems_.empty() && std::ranges::equal(state, initial_)) {
    for (const ProblemAt& problem : initial_problems_) {
      out.findings.push_back({kind_of(problem.problem), make_identity(problem.problem, problem.statement),
                              Finding::kStateItself});
    }
  }
  Explorer(*this, out, Explorer::Mode::kAll).run(state);
}

namespace {

struct AskingWorkspace {
  StateView view;
  std::vector<ProblemAt> problems;
};

}  // namespace

AtomValues Interpreter::atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                                    std::vector<Finding>& findings) const {
  if (!workspace) workspace = std::make_shared<AskingWorkspace>(AskingWorkspace{StateView(*program_), {}});
  auto& [view, problems] = *static_cast<AskingWorkspace*>(workspace.get());
  view.load(state);
  problems.clear();
  const AtomValues values = machine_.atom_values(view, problems);
  for (const ProblemAt& problem : problems) {
    findings.push_back(
        {kind_of(problem.problem), make_identity(problem.problem, problem.statement), Finding::kStateItself});
  }
  return values;
}

bool Interpreter::step(StateBytes state, StepId step, Expansion& out) const {
  Explorer explorer(*this, out, Explorer::Mode::kOne, step);
  explorer.run(state);
  return explorer.is_found() && !out.was_cut;
}

Explanation Interpreter::explain(StateBytes state, StepId step) const {
  Expansion unused;
  Explorer explorer(*this, unused, Explorer::Mode::kExplain, step);
  explorer.run(state);
  if (!explorer.is_found())
    throw std::logic_error("a step of a state is not there when it is looked for again");
  return explorer.take_explanation();
}

}  // namespace spoor::exec
