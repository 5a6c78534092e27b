// The machine: evaluates expressions and executes single statements. Which statements to try, and in
// which order, is the interpreter's business (interpreter.h).
//
// Every statement has two halves, as in SPIN's generated verifier: can it run here (`is_executable`,
// which changes nothing), and what does it do (`execute`, on a copy of the state). A rendezvous is two
// statements: the send puts its message into the Rendezvous, the receive of another process takes it
// out; between the two nothing but a receive on that channel is executable.
//
// Arithmetic is that of C on 32-bit integers, with wrap-around where C leaves the result open and the
// shift count taken modulo 32, which is what SPIN's verifiers do on the machines it is used on.
// Comparisons and logical operators give 0 or 1. Assignments truncate to the type of the target.
//
// Problems are collected, not thrown; after a fatal one the result is meaningless and the caller
// drops it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "exec/native_code.h"
#include "exec/problems.h"
#include "exec/state_view.h"
#include "model/propositions.h"
#include "promela/program.h"

namespace spoor::exec {

struct Options {
  // Also report what SPIN passes over: values outside `unsigned`, choice inside d_step.
  bool strict = false;
  // A message sent to a full channel is lost; otherwise the sender waits.
  bool lose_messages = false;
  // A reduced expansion need only keep deadlocks.
  bool deadlocks_only = false;
  // The interpreter keeps the values of dead variables and leaves no steps out: for traces, as the model
  // runs. The steps have the same names.
  bool keeps_values = false;
  // The columns of steps (model/expansion.h) that native code writes; `executed` is among them in any case.
  // The interpreter writes all that it is asked for, and stands in where native code cannot.
  Columns native_columns = {};
};

// Processes are movers as long as there are no more than this: with them, an expansion has room for the
// marks of four acceptance sets.
inline constexpr std::uint32_t kMostMovers = 60;

// The bit of a process in Expansion::movers. REQUIRES: pid < kMostMovers.
inline std::uint64_t mover_bit(int pid) { return std::uint64_t{1} << pid; }

// A handshake that has been offered and not yet been taken up.
struct Rendezvous {
  std::uint32_t channel = 0;  // number; 0: none under way
  int sender = -1;
  std::vector<std::int32_t> message;
  bool is_offered() const { return channel != 0; }
};

// A message that a send or a receive has passed, for explanations.
struct PassedMessage {
  std::uint32_t channel = 0;  // number; 0: none
  std::vector<std::int32_t> fields;
};

struct ProblemAt {
  Problem problem;
  promela::StatementId statement;
};

// Where a statement runs.
struct Context {
  StateView* view = nullptr;
  int pid = -1;
  promela::StatementId statement = promela::kNone;
  bool timeout = false;       // is this the round in which timeout holds?
  bool taken_before = false;  // was an earlier statement of this process executable here (for else)?
  Rendezvous* rendezvous = nullptr;
  std::vector<ProblemAt>* problems = nullptr;
  std::string* output = nullptr;     // where printf writes; null: nowhere
  std::uint8_t* executed = nullptr;  // a flag per statement: it ran; null: not asked for
  PassedMessage* passed = nullptr;   // the message that was sent or received; null: not asked for
  int enabled_depth = 0;
  bool is_question = false;  // nothing may change: run fails
};

class Machine {
 public:
  // `embedded`: null for programs without embedded C.
  Machine(const promela::Program& program, const Options& options, EmbeddedFunction embedded)
      : program_(program), options_(options), embedded_(embedded) {}

  const promela::Program& program() const { return program_; }

  StateView initial_view(std::vector<ProblemAt>& problems) const;

  bool is_executable(const promela::Statement& statement, Context& context) const;
  // REQUIRES: is_executable said yes in the state that context.view is a copy of. The location of the
  // process is not changed here.
  void execute(const promela::Statement& statement, Context& context) const;

  std::int32_t evaluate(promela::ExprId expr, Context& context) const;
  // Where a place of process `pid` is in the bytes of the state. False, with a report, where an index is
  // out of range or cannot be evaluated.
  bool address(const promela::Place& place, int pid, Context& context, std::uint32_t& offset) const;
  // The questions of the program's claim. Problems are those of the statement question_of(program, atom).
  AtomValues atom_values(StateView& view, std::vector<ProblemAt>& problems) const;

  // May the process run at all (its provided clause, and no enabled process of a higher priority)?
  bool may_run(int pid, Context& context) const;

 private:
  void report(Problem problem, const Context& context) const;
  static bool has_failed(const Context& context);
  std::int32_t load(const promela::Place& place, int pid, Context& context) const;
  void store(promela::PlaceId place, std::int32_t value, Context& context) const;
  // Null, with a report, when the value names no live channel.
  const StateView::Channel* channel(promela::ExprId expr, Context& context, std::uint32_t& number) const;

  bool matches(std::span<const promela::FieldPattern> fields, std::span<const std::int32_t> message,
               Context& context) const;
  std::vector<std::int32_t> message_at(const StateView& view, const StateView::Channel& channel,
                                       std::uint32_t slot) const;
  // The slot that a receive takes, or -1.
  int find_message(const StateView::Channel& channel, std::span<const promela::FieldPattern> fields,
                   bool random, Context& context) const;
  bool can_receive(const promela::Statement& statement, Context& context) const;
  void send(const promela::Statement& statement, Context& context) const;
  void receive(const promela::Statement& statement, Context& context) const;
  std::int32_t poll(const promela::ExprCode& expr, Context& context) const;
  std::int32_t run(const promela::ExprCode& expr, Context& context) const;
  void start_process(int pid, std::span<const std::int32_t> arguments, Context& context) const;
  void initialize(const std::vector<promela::Initializer>& initializers, std::uint32_t base,
                  std::uint32_t first_channel, Context& context) const;
  std::int32_t remote(const promela::ExprCode& expr, Context& context) const;
  std::int32_t is_enabled(const promela::ExprCode& expr, Context& context) const;
  bool process_can_move(int pid, Context& context) const;
  void print(const promela::Statement& statement, Context& context) const;
  std::string mtype_name(std::int32_t value, const std::string& set) const;

  // Runs a piece of C; returns its value.
  std::int32_t run_embedded(std::uint32_t fragment, Context& context) const;
  bool preconditions_hold(const promela::Statement& statement, Context& context) const;

  bool dstep_can_start(const promela::DStepCode& code, std::uint32_t node, Context& context) const;
  void run_dstep(const promela::DStepCode& code, Context& context) const;

  void observe(bool is_send, std::uint32_t number, std::span<const std::int32_t> message,
               Context& context) const;
  void check_claims(bool receive, std::uint32_t number, Context& context) const;

  const promela::Program& program_;
  const Options& options_;
  EmbeddedFunction embedded_;
};

}  // namespace spoor::exec
