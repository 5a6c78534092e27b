// Liveness of variables: a variable is live where its value may still be read.
//
// A backward pass over the control graph of a process, one variable (a scalar, or an array or record
// as a whole) at a time. Before a write a scalar is not live; a write to a part of an array or record does
// not end the liveness of the whole. A d_step is analysed statement by statement.
//
// Reads of a local variable by other processes (remote references, xr and xs) are not considered here.
//
// Cost: a few passes over the locations. Used by hidden.cpp and dead.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "promela/program.h"

namespace spoor::promela {

// The locations that are reachable in the control graph of a process.
std::vector<bool> reachable_locations(const Program& program, const ProcessType& type);

// True when the statement is always executable.
bool never_blocks(const Program& program, const Statement& statement);

class Liveness {
 public:
  // The variable is the bytes [begin, end) of the globals, or of the block of a process.
  Liveness(const Program& program, Place::Region region, std::uint32_t begin, std::uint32_t end,
           bool is_scalar)
      : program_(program), region_(region), begin_(begin), end_(end), is_scalar_(is_scalar) {}

  bool reads(ExprId id) const;
  bool writes(StatementId id) const;
  // One flag per location.
  std::vector<bool> live_locations(const ProcessType& type) const;

 private:
  bool names(PlaceId id) const;
  bool indexes_read(PlaceId id) const;
  bool patterns_read(const std::vector<FieldPattern>& fields) const;
  bool reads(const Statement& s) const;
  bool ends_life(const Statement& s) const;
  bool is_live_before(StatementId id, bool after) const;

  const Program& program_;
  Place::Region region_;
  std::uint32_t begin_, end_;
  bool is_scalar_;
};

}  // namespace spoor::promela
