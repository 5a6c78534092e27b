#include "report/control_graph.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "promela/liveness.h"

namespace spoor {

using promela::Location;
using promela::ProcessType;
using promela::Program;
using promela::StatementOp;
using promela::Transition;

namespace {

std::string escaped_for_dot(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

template <typename Visit>
void for_each_transition(const Program& program, const ProcessType& type, Visit visit) {
  const std::vector<bool> reachable = reachable_locations(program, type);
  for (std::size_t i = 0; i < type.locations.size(); ++i) {
    if (!reachable[i]) continue;
    for (const Transition& t : type.locations[i].transitions) visit(i, type.locations[i], t);
  }
}

}  // namespace

std::string control_table(const Program& program) {
  std::string out;
  for (const ProcessType& type : program.processes) {
    for_each_transition(program, type, [&](std::size_t from, const Location& location, const Transition& t) {
      const promela::Statement& s = program.statements[t.statement];
      const bool ends = s.op == StatementOp::kEnd;
      fmt::format_to(std::back_inserter(out), "{}: {} -> {}  [id {}]  {} {}{}{}  {}  {}\n", type.name, from,
                     ends ? 0 : t.target, t.trail_id,
                     t.stays_atomic                ? 'A'
                     : s.op == StatementOp::kDStep ? 'D'
                                                   : '-',
                     location.is_end ? 'e' : '-', location.is_progress ? 'p' : '-',
                     location.is_accept ? 'a' : '-', program.sources.place(s.position, false), s.text);
    });
  }
  return out;
}

std::string control_dot(const Program& program) {
  std::string out = "digraph control {\n  node [shape=circle, fontsize=10];\n  edge [fontsize=9];\n";
  for (std::size_t p = 0; p < program.processes.size(); ++p) {
    const ProcessType& type = program.processes[p];
    fmt::format_to(std::back_inserter(out), "  subgraph cluster_{} {{\n    label=\"{}\";\n", p,
                   escaped_for_dot(type.name));
    fmt::format_to(std::back_inserter(out), "    p{}_{} [style=bold];\n", p, type.start);
    for (std::size_t i = 0; i < type.locations.size(); ++i) {
      if (type.locations[i].is_end && !type.locations[i].transitions.empty()) {
        fmt::format_to(std::back_inserter(out), "    p{}_{} [shape=doublecircle];\n", p, i);
      }
    }
    for_each_transition(program, type, [&](std::size_t from, const Location&, const Transition& t) {
      const promela::Statement& s = program.statements[t.statement];
      const std::string target = s.op == StatementOp::kEnd ? "gone" : std::to_string(t.target);
      fmt::format_to(std::back_inserter(out), "    p{}_{} -> p{}_{} [label=\"{}\"{}];\n", p, from, p, target,
                     escaped_for_dot(s.text), t.stays_atomic ? ", style=dashed" : "");
    });
    out += "  }\n";
  }
  return out + "}\n";
}

}  // namespace spoor
