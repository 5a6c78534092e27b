#include "promela/hidden.h"

#include <algorithm>
#include <string>
#include <vector>

#include "promela/liveness.h"

namespace spoor::promela {

namespace {

bool has_rendezvous(const Program& program) {
  return std::any_of(program.channel_types.begin(), program.channel_types.end(),
                     [](const ChannelType& c) { return c.is_rendezvous(); });
}

// Can a process at this location, inside an atomic sequence, lose its turn?
bool can_lose_turn(const Program& program, const ProcessType& type, const Location& location) {
  if (program.uses_priority || type.provided != kNone) return true;
  bool may_block = true;
  for (const Transition& t : location.transitions) {
    const Statement& s = program.statements[t.statement];
    // A rendezvous passes the turn to its partner. Without a partner it still disables an `else`.
    if (s.op == StatementOp::kSend && has_rendezvous(program)) return true;
    if (never_blocks(program, s)) may_block = false;
  }
  return may_block;
}

// The locations at which a state can be stored.
std::vector<bool> stored_locations(const Program& program, const ProcessType& type) {
  const std::size_t n = type.locations.size();
  const std::vector<bool> reachable = reachable_locations(program, type);
  std::vector<bool> stored(n, false);
  if (type.start < n) stored[type.start] = true;
  for (std::size_t i = 0; i < n; ++i) {
    // The first statement of an option has a location of its own too, which no process reaches.
    if (!reachable[i]) continue;
    for (const Transition& t : type.locations[i].transitions) {
      if (!t.stays_atomic && t.target < n) stored[t.target] = true;
    }
    if (can_lose_turn(program, type, type.locations[i])) stored[i] = true;
  }
  return stored;
}

bool is_live_in(const Program& program, const Liveness& liveness, const ProcessType& type) {
  const auto is_read = [&](const Initializer& init) { return liveness.reads(init.value); };
  if (std::any_of(type.initializers.begin(), type.initializers.end(), is_read) ||
      liveness.reads(type.provided))
    return true;
  const std::vector<bool> stored = stored_locations(program, type), live = liveness.live_locations(type);
  for (std::size_t i = 0; i < live.size(); ++i) {
    if (stored[i] && live[i]) return true;
  }
  return false;
}

bool is_scratch(const Program& program, const Liveness& liveness) {
  const auto is_read = [&](const Initializer& init) { return liveness.reads(init.value); };
  if (std::any_of(program.initializers.begin(), program.initializers.end(), is_read)) return false;
  const std::vector<ExprId>& asked = program.claim.atoms;
  if (std::any_of(asked.begin(), asked.end(), [&](ExprId atom) { return liveness.reads(atom); }))
    return false;
  return std::none_of(program.processes.begin(), program.processes.end(),
                      [&](const ProcessType& type) { return is_live_in(program, liveness, type); });
}

std::string root_name(const std::string& scalar) { return scalar.substr(0, scalar.find_first_of("[.")); }

}  // namespace

void find_scratch_variables(Program& program) {
  for (std::size_t i = 0; i < program.variables.size();) {
    // The scalars of one declaration lie side by side.
    const std::string root = root_name(program.variables[i].name);
    const bool is_scalar = program.variables[i].name == root;
    const std::uint32_t begin = program.variables[i].offset;
    const bool is_hidden = program.variables[i].is_hidden;
    std::size_t j = i;
    while (j < program.variables.size() && root_name(program.variables[j].name) == root) ++j;
    const std::uint32_t end = program.variables[j - 1].offset + program.variables[j - 1].type.bytes;
    if (is_hidden && is_scratch(program, Liveness(program, Place::Region::kGlobal, begin, end, is_scalar)))
      program.scratch.push_back({begin, end - begin});
    i = j;
  }
}

}  // namespace spoor::promela
