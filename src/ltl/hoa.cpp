#include "ltl/hoa.h"

#include <fmt/format.h>

namespace spoor::ltl {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + "\"";
}

std::string label_text(const Cube& cube) {
  std::string text;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if ((cube.mask >> i & 1) == 0) continue;
    text += fmt::format("{}{}{}", text.empty() ? "" : "&", (cube.value >> i & 1) != 0 ? "" : "!", i);
  }
  return text.empty() ? "t" : text;
}

std::string marks_text(std::uint64_t marks) {
  std::string text;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if ((marks >> i & 1) != 0) text += fmt::format("{}{}", text.empty() ? "" : " ", i);
  }
  return text.empty() ? text : fmt::format(" {{{}}}", text);
}

std::string acceptance(std::uint32_t sets) {
  if (sets == 0) return "acc-name: all\nAcceptance: 0 t\n";
  std::string condition = "Inf(0)";
  for (std::uint32_t i = 1; i < sets; ++i) condition += "&Inf(" + std::to_string(i) + ")";
  const std::string count = std::to_string(sets);
  const std::string name = sets == 1 ? "Buchi" : "generalized-Buchi " + count;
  return "acc-name: " + name + "\nAcceptance: " + count + " " + condition + "\n";
}

std::string properties(const Automaton& automaton) {
  std::string text = "properties: trans-labels explicit-labels";
  text += automaton.is_state_based ? " state-acc" : " trans-acc";
  if (automaton.is_deterministic) text += " deterministic";
  if (automaton.strength == Strength::kTerminal) text += " terminal";
  if (automaton.strength == Strength::kWeak) text += " weak";
  if (automaton.is_stutter_invariant) {
    text += *automaton.is_stutter_invariant ? " stutter-invariant" : " stutter-sensitive";
  }
  return text + "\n";
}

}  // namespace

std::string to_hoa(const Automaton& automaton, std::string_view name) {
  std::string text = "HOA: v1\n";
  if (!name.empty()) text += fmt::format("name: {}\n", quoted(name));
  text += fmt::format("States: {}\n", automaton.states.size());
  if (!automaton.is_empty()) text += fmt::format("Start: {}\n", automaton.initial);
  text += fmt::format("AP: {}", automaton.atoms.size());
  for (const std::string& atom : automaton.atoms) text += fmt::format(" {}", quoted(atom));
  text += fmt::format("\n{}{}", acceptance(automaton.sets), properties(automaton));
  text += "tool: \"spoor\"\n--BODY--\n";
  for (std::size_t s = 0; s < automaton.states.size(); ++s) {
    const State& state = automaton.states[s];
    text += "State: " + std::to_string(s);
    if (automaton.is_state_based && state.accepting) text += marks_text(automaton.all_marks());
    text += "\n";
    for (const Edge& edge : state.edges) {
      text += fmt::format("[{}] {}", label_text(edge.label), edge.target);
      if (!automaton.is_state_based) text += marks_text(edge.marks);
      text += "\n";
    }
  }
  return text + "--END--\n";
}

}  // namespace spoor::ltl
