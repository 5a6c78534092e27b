// Reductions that can be read off the program: fewer states, the same verdict.
//
// Each pass changes or marks a compiled program and can be left out by itself; `--reduce none`
// leaves out all of them. They concern safety: assertions, run-time errors and deadlocks.
//
//   merge_statements     merge.cpp    no state between a step and the local step that must follow it
//   clear_dead_variables dead.cpp     zero for a variable whose value will not be read again
//   find_ample_locations ample.cpp    where it is enough to let one process move
//
// What all of them ask is whether a statement is local: whether anybody else can see what it does or
// change what it sees. `Locality` answers.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "promela/program.h"

namespace spoor::promela {

void merge_statements(Program& program);
void clear_dead_variables(Program& program);
void find_ample_locations(Program& program);

// What of a process is its own business.
class Locality {
 public:
  explicit Locality(const Program& program);

  // Reads and writes nothing but variables of its own process that nobody else can name, and is
  // neither a message, nor the start or end of a process, nor embedded C.
  // `type`: of the process that the statement belongs to.
  bool is_local(std::uint32_t type, StatementId statement) const;

  // Some expression elsewhere asks whether a process of this type is at this location.
  bool is_watched(std::uint32_t type, std::uint32_t location) const;

  // Some remote reference names a variable in these bytes of the block of a process of this type.
  bool is_named_remotely(std::uint32_t type, std::uint32_t begin, std::uint32_t end) const;

  // Processes can see where others are by other means than labels (pc_value, enabled, _last),
  // or who may move depends on more than the process itself (priorities); embedded C can do anything.
  bool everything_is_visible() const { return everything_is_visible_; }

  // Somebody can tell whether a rendezvous that it offers finds a partner: an atomic sequence that
  // would be interrupted, an else or an unless that would strike, a process that must be deterministic.
  // Then arriving where a message can be taken is everybody's business, local step or not.
  bool notices_offers() const { return notices_offers_; }
  // A process of this type that comes to this location may complete a handshake that somebody notices.
  bool is_noticed_arrival(std::uint32_t type, std::uint32_t location) const;

 private:
  // Somebody asks whether any process is at such a location.
  void watch(bool (*is_asked_for)(const Location&));
  bool notices_offer_at(const ProcessType& type, std::uint32_t location) const;
  bool takes_message(StatementId statement) const;
  bool is_local_expr(std::uint32_t type, ExprId id) const;
  bool is_local_place(std::uint32_t type, PlaceId id) const;

  const Program& program_;
  bool everything_is_visible_ = false;
  bool notices_offers_ = false;
  struct Bytes {
    std::uint32_t type, begin, end;
  };
  std::vector<Bytes> remote_variables_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> watched_;
};

}  // namespace spoor::promela
