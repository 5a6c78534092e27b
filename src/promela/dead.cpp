// Dead variables: a variable whose value is not read again is set to zero.
//
// The idea. Two states that differ only in a local variable which every path writes before it reads
// it have the same future. If the variable is set to zero as soon as it is dead, the two states are
// one. Example: in `q?x; r!x; q?x; ...` x is dead between the send and the second receive.
//
// A list per location has the bytes of the process's block that are dead there; before a state is
// stored, they are cleared for the processes that have moved (Location::dead). Every statement reads
// the same values as before, except those of dead variables, so nothing else changes.
//
// Excluded: variables that other processes can name (remote references; xr and xs, which every send
// evaluates), variables that a provided clause reads, and all variables in models with embedded C,
// which may read anything. An element of an array is dead only when no later statement may read it,
// because a write through an index may be a write to another element.
//
// SPIN does the same for scalars (its option -o2 switches it off).
//
// Tested by: tests/suites/test_reduction.py
#include <algorithm>

#include "promela/liveness.h"
#include "promela/reduce.h"

namespace spoor::promela {
namespace {

// The name of an array element contains an index.
bool is_element(const VariableInfo& variable) { return variable.name.find('[') != std::string::npos; }

}  // namespace

void clear_dead_variables(Program& program) {
  if (program.has_embedded_code) return;
  const Locality locality(program);
  for (std::uint32_t index = 0; index < program.processes.size(); ++index) {
    ProcessType& type = program.processes[index];
    if (type.kind != BodyKind::kProctype && type.kind != BodyKind::kInit) continue;
    for (const VariableInfo& variable : type.variables) {
      const std::uint32_t begin = variable.offset, end = variable.offset + variable.type.bytes;
      const Liveness liveness(program, Place::Region::kLocal, begin, end, !is_element(variable));
      const auto claims = [&](const ChannelClaimCode& claim) { return liveness.reads(claim.chan); };
      if (locality.is_named_remotely(index, begin, end) || liveness.reads(type.provided) ||
          std::any_of(type.claims.begin(), type.claims.end(), claims)) {
        continue;
      }
      const std::vector<bool> live = liveness.live_locations(type);
      for (std::size_t i = 0; i < type.locations.size(); ++i) {
        if (live[i]) continue;
        std::vector<Scratch>& dead = type.locations[i].dead;
        if (!dead.empty() && dead.back().offset + dead.back().bytes == begin) {
          dead.back().bytes += variable.type.bytes;
        } else {
          dead.push_back({begin, variable.type.bytes});
        }
      }
    }
  }
}

}  // namespace spoor::promela
