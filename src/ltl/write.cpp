#include "ltl/write.h"

#include <fmt/format.h>

#include <map>

#include "ltl/formula.h"

namespace spoor::ltl {
namespace {

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string marks_text(std::uint64_t marks) {
  std::string text;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if ((marks >> i & 1) != 0) text += fmt::format("{}{}", text.empty() ? "" : ",", i);
  }
  return text.empty() ? text : fmt::format(" {{{}}}", text);
}

// Edges of a state with equal target and marks, their labels joined by ||, in the order of the first.
struct Way {
  std::uint32_t target;
  std::uint64_t marks;
  std::string label;
};
std::vector<Way> ways_of(const Automaton& automaton, const State& state) {
  std::vector<Way> ways;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::string>> cubes;
  for (const Edge& edge : state.edges) {
    auto& labels = cubes[{edge.target, edge.marks}];
    if (labels.empty()) ways.push_back({edge.target, edge.marks, {}});
    labels.push_back(to_text(edge.label, automaton.atoms));
  }
  for (Way& way : ways) {
    const std::vector<std::string>& labels = cubes[{way.target, way.marks}];
    for (const std::string& label : labels) {
      const bool needs_parentheses = labels.size() > 1 && label.find(" && ") != std::string::npos;
      if (!way.label.empty()) way.label += " || ";
      way.label += needs_parentheses ? fmt::format("({})", label) : label;
    }
  }
  return ways;
}

bool accepts_all_that_follows(const Automaton& automaton, std::size_t s) {
  const State& state = automaton.states[s];
  return state.accepting && state.edges.size() == 1 && state.edges[0].label.mask == 0 &&
         state.edges[0].target == s;
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

}  // namespace

std::string to_text(const Cube& cube, const std::vector<std::string>& atoms) {
  std::string text;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if ((cube.mask >> i & 1) == 0) continue;
    const std::string atom = i < atoms.size() ? atom_text(atoms[i]) : fmt::format("p{}", i);
    text += (text.empty() ? "" : " && ") + std::string((cube.value >> i & 1) != 0 ? "" : "!") + atom;
  }
  return text.empty() ? "true" : text;
}

std::string to_listing(const Automaton& automaton) {
  std::string text = counted(automaton.states.size(), "state") + ", " +
                     counted(automaton.edge_count(), "edge") + ", " +
                     counted(automaton.sets, "acceptance set") +
                     (automaton.is_state_based ? " (on states)" : " (on edges)") + "\n";
  text += std::string(to_text(automaton.strength)) +
          (automaton.is_deterministic ? ", deterministic" : ", not deterministic");
  if (automaton.is_stutter_invariant) {
    text += *automaton.is_stutter_invariant ? ", stutter-invariant" : ", not stutter-invariant";
  }
  text += "\n";
  if (automaton.is_empty()) return text + "note: no run satisfies this (the formula is false)\n";
  if (automaton.accepts_everything()) text += "note: every run satisfies this (the formula is true)\n";
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    const State& state = automaton.states[s];
    text += "\nstate " + std::to_string(s) + (s == automaton.initial ? ", initial" : "") +
            (state.accepting ? ", accepting" : "") + "\n";
    for (const Way& way : ways_of(automaton, state)) {
      text += "  -> " + std::to_string(way.target) + "  " + way.label;
      if (!automaton.is_state_based) text += marks_text(way.marks);
      text += "\n";
    }
    if (state.edges.empty()) text += "  no edge\n";
  }
  return text;
}

std::string to_never_claim(const Automaton& automaton, std::string_view formula) {
  const auto label_of = [&](std::size_t s) {
    const bool accepting = automaton.states[s].accepting;
    if (s == automaton.initial) return std::string(accepting ? "accept_init" : "T0_init");
    if (accepts_all_that_follows(automaton, s)) return std::string("accept_all");
    return (accepting ? "accept_S" : "T0_S") + std::to_string(s);
  };
  std::string comment(formula);
  for (std::size_t at = 0; (at = comment.find("*/", at)) != std::string::npos;) comment.replace(at, 2, "* /");
  std::string text = "never {    /* " + comment + " */\n";
  if (automaton.is_empty()) return text + "T0_init:\n\tfalse;\n}\n";
  std::string last;  // accept_all is written last, so that its end is the end of the claim
  const auto write_state = [&](std::size_t s) {
    const State& state = automaton.states[s];
    if (accepts_all_that_follows(automaton, s) && s != automaton.initial) {
      last = "accept_all:\n\tskip\n";
      return;
    }
    text += label_of(s) + ":\n";
    if (state.edges.empty()) {
      text += "\tfalse;\n";
      return;
    }
    text += "\tdo\n";
    for (const Way& way : ways_of(automaton, state)) {
      text += "\t:: (" + way.label + ") -> goto " + label_of(way.target) + "\n";
    }
    text += "\tod;\n";
  };
  write_state(automaton.initial);
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    if (s != automaton.initial) write_state(s);
  }
  return text + last + "}\n";
}

std::string to_dot(const Automaton& automaton, std::string_view name) {
  std::string text = "digraph \"" + escaped(name) + "\" {\n  rankdir=LR;\n  node [shape=circle];\n";
  if (!automaton.is_empty()) {
    text += "  start [shape=point];\n  start -> " + std::to_string(automaton.initial) + ";\n";
  }
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    const std::string number = std::to_string(s);
    text += "  " + number + (automaton.states[s].accepting ? " [shape=doublecircle];\n" : ";\n");
    for (const Way& way : ways_of(automaton, automaton.states[s])) {
      std::string label = escaped(way.label);
      if (!automaton.is_state_based) label += marks_text(way.marks);
      text += "  " + number + " -> " + std::to_string(way.target) + " [label=\"" + label + "\"];\n";
    }
  }
  return text + "}\n";
}

}  // namespace spoor::ltl
