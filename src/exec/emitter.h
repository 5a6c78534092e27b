// The parts of emit.h: from program to C text. One object writes one file.
//
// Conventions in the emitted code: `w` is the working memory; `s`, `p`, `n`, `pid` are the source
// state, the block of the process that moves, the state's length and the process's number; `t`, `q`,
// `m` are their counterparts in the successor under construction. Expressions are pure but for
// give_up, so their order does not matter.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "exec/machine.h"
#include "promela/program.h"

namespace spoor::exec {

// What the pieces of C are called where an expression stands.
struct Scope {
  std::string state = "s";
  std::string process = "p";
  std::string pid = "pid";
  std::string length = "n";
  std::string timeout = "timeout";
  std::string taken = "taken";  // whether the process could do something here, for else
  // The code may run while a handshake is offered (w->offered): it must look.
  bool maybe_handshake = false;
};

class Emitter {
 public:
  Emitter(const promela::Program& program, const Options& options);

  std::string emit();

 private:
  // A channel that an expression names. `type` is kNone where only the running model knows.
  struct ChannelRef {
    std::uint32_t type = promela::kNone;
    std::string buffer;  // pointer to the buffer; only with a type that has one
    std::string number;
  };
  // A run of channel variables whose values never change: variable i names
  // the channel `number + i`; all are of one type, and their buffers lie one behind the other.
  struct FixedChannels {
    std::uint32_t offset = 0, count = 0;  // of the variables
    std::uint32_t type = 0, number = 0, buffer = 0;
  };

  // emit_expression.cpp
  std::string expr(promela::ExprId id, const Scope& scope);
  std::string remote(const promela::ExprCode& e, const Scope& scope);
  std::string run(const promela::ExprCode& e, const Scope& scope);
  std::string address(const promela::Place& place, const Scope& scope);
  static std::string load(const promela::ScalarType& type, const std::string& address);
  static std::string store_to(const promela::ScalarType& type, const std::string& address,
                              const std::string& value);
  static std::string truncated(const promela::ScalarType& type, const std::string& value);
  // A statement in C that assigns.
  std::string store(promela::PlaceId place, const std::string& value, const Scope& scope);

  // emit_channel.cpp
  void find_kinds();
  void find_fixed_channels();
  ChannelRef resolve(promela::ExprId chan, const Scope& scope);
  static std::string fill_level(const promela::ChannelType& type, const std::string& buffer);
  std::string queue_question(promela::Op op, promela::ExprId chan, const Scope& scope);
  std::string can_send(const promela::Statement& s, const Scope& scope);
  std::string can_receive(const promela::Statement& s, const Scope& scope);
  std::string poll(const promela::ExprCode& e, const Scope& scope);
  std::string finds_message(std::uint32_t type, const std::string& buffer,
                            std::span<const promela::FieldPattern> fields, bool random, const Scope& scope);
  std::string matches_offer(std::span<const promela::FieldPattern> fields, const Scope& scope);
  std::vector<std::uint32_t> types_with(std::size_t fields, bool rendezvous) const;
  void send_buffered(const promela::Statement& s, const Scope& scope);
  void offer(const promela::Statement& s, const Scope& scope);
  void receive(const promela::Statement& s, const Scope& scope);
  void receive_as(std::uint32_t type, const std::string& buffer, const promela::Statement& s,
                  const Scope& scope);
  void take_offer(const promela::Statement& s, const Scope& scope);
  void check_claims(bool receive, const std::string& number, const Scope& scope);
  void channel_functions();
  bool may_be_rendezvous(const ChannelRef& channel, std::size_t fields) const;
  bool may_be_buffered(const ChannelRef& channel) const;

  // emit_statement.cpp
  std::string guard(const promela::Statement& s, const Scope& scope);
  std::string with_preconditions(const promela::Statement& s, const std::string& guard, const Scope& scope);
  void effect(promela::StatementId id, const Scope& scope);
  std::string can_start(const promela::DStepCode& code, std::uint32_t node, const Scope& scope);
  void dstep(std::uint32_t index, const Scope& scope);

  // emit.cpp
  void tables();
  void claim_function();
  void start_function();
  enum class Mode : std::uint8_t { kOrdinary, kOffered };
  void process_function(Mode mode);
  void location(const promela::Location& location, Mode mode);
  void transition(const promela::Location& from, const promela::Transition& t, Mode mode, bool has_escapes);
  void begin_label(const promela::Transition& t);
  void take(const promela::Location& from, const promela::Transition& t, Mode mode);
  void offer_to_all(const promela::Transition& t, bool has_escapes);
  void location_predicate(const char* name, bool (*holds)(const promela::Location&));
  void dead_function();
  static std::string cleared(const std::string& block, const std::vector<promela::Scratch>& stretches);
  std::vector<promela::Scratch> newly_dead(const promela::Location& from, const promela::Transition& t) const;
  void atom_values_function();
  void entry();
  bool is_startable(std::uint32_t type) const;
  // With a line between: i32 and u8 are types.
  std::string unique(const char* stem) { return fmt::format("{}_{}", stem, ++names_); }
  void line(const std::string& text);
  void open(const std::string& text);
  void close(const std::string& text = "}");

  const promela::Program& program_;
  const Options& options_;
  std::vector<promela::ChannelType> kinds_;  // the distinct types of channels: `type` in here
  std::vector<std::uint32_t> kind_of_;       // by type of the program
  std::vector<FixedChannels> fixed_globals_;
  std::vector<std::vector<FixedChannels>> fixed_locals_;  // per process type
  bool has_local_channels_ = false;
  bool looks_at_others_ = false;  // some expression sees where other processes are, or _last
  std::uint32_t type_ = 0;        // process type whose code is being written
  std::size_t max_fields_ = 1;
  bool has_run_ = false;  // what was emitted since this was cleared starts a process
  int names_ = 0;
  int indent_ = 0;
  std::string out_;
};

}  // namespace spoor::exec
