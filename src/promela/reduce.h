// Static reductions of a program: fewer states, the same verdict.
//
// Each pass changes or marks a compiled program and can be left out by itself; `--reduce none`
// leaves out all of them. They concern safety: assertions, run-time errors and deadlocks.
//
//   merge_statements     merge.cpp    no state between a step and the local step that must follow it
//   clear_dead_variables dead.cpp     zero for a variable whose value is not read again
//   find_ample_locations ample.cpp    locations where the steps of one process are an ample set
//
// All of them depend on whether a statement is local: no other process can observe its effect or change
// the values that it reads. `Locality` decides that.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "promela/program.h"

namespace spoor::promela {

void merge_statements(Program& program);
void clear_dead_variables(Program& program);
void find_ample_locations(Program& program);

// Which statements are local to their process.
class Locality {
 public:
  explicit Locality(const Program& program);

  // Reads and writes only variables of its own process that no other process can name, and is neither a
  // message, nor the start or end of a process, nor embedded C. `type`: of the process of the statement.
  bool is_local(std::uint32_t type, StatementId statement) const;

  // Some expression elsewhere tests whether a process of this type is at this location.
  bool is_watched(std::uint32_t type, std::uint32_t location) const;

  // Some remote reference names a variable in these bytes of the block of a process of this type.
  bool is_named_remotely(std::uint32_t type, std::uint32_t begin, std::uint32_t end) const;

  // Expressions other than label tests depend on locations of other processes (pc_value, enabled,
  // _last), or whether a process may move depends on others (priorities), or there is embedded C.
  bool everything_is_visible() const { return everything_is_visible_; }

  // A process can observe whether its offered rendezvous has a partner: by an atomic sequence that would
  // be interrupted, by an else or an unless that would be executable, or as a deterministic process. Then
  // a step to a location where a message can be received is visible to others, even if it is local.
  bool notices_offers() const { return notices_offers_; }
  // A process of this type that reaches this location may complete a rendezvous that is observed so.
  bool is_noticed_arrival(std::uint32_t type, std::uint32_t location) const;

 private:
  // Some expression tests whether any process is at such a location.
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
