// spoor ltl FORMULA, spoor ltl --from-hoa FILE
#include <algorithm>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "ltl/hoa.h"
#include "ltl/parse_formula.h"
#include "ltl/translate.h"
#include "ltl/write.h"

namespace spoor::cli {
namespace {

struct LtlOptions {
  std::string formula, from_hoa, output;
  bool negate = false, generalized = false;
  bool never = false, hoa = false, dot = false, json = false;
};

struct Translated {
  ltl::Automaton automaton;
  std::string name;  // the formula as parsed, or the file
};

std::optional<Translated> from_formula(const LtlOptions& options, InputError& error) {
  ltl::Formulas formulas;
  const std::uint32_t file = error.sources.add("formula", options.formula);
  const auto parsed = ltl::parse(formulas, error.sources, file, error.diagnostics);
  if (!parsed) return std::nullopt;
  const ltl::Formula wanted = options.negate ? formulas.negation(*parsed) : *parsed;
  ltl::TranslateOptions how;
  if (options.generalized) how.target = ltl::Target::kGeneralized;
  const Range whole{{file, 1, 1}, 1};
  auto automaton = ltl::translate(formulas, wanted, how, whole, error.diagnostics);
  if (!automaton) return std::nullopt;
  return Translated{std::move(*automaton), ltl::to_text(formulas, wanted)};
}

std::optional<Translated> from_hoa(const LtlOptions& options, InputError& error) {
  std::string text;
  if (options.from_hoa == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::string reason;
    std::optional<std::string> contents = read_file(options.from_hoa, reason);
    if (!contents) {
      error.message = fmt::format("{}: {}", options.from_hoa, reason);
      return std::nullopt;
    }
    text = std::move(*contents);
  }
  const std::string name = options.from_hoa == "-" ? "stdin" : options.from_hoa;
  const std::uint32_t file = error.sources.add(name, std::move(text));
  auto automaton = ltl::read_hoa(error.sources, file, error.diagnostics);
  if (!automaton) return std::nullopt;
  if (options.never && !automaton->is_state_based) {
    automaton = ltl::to_buchi(*automaton);
    if (!automaton) {
      error.message = fmt::format("{}: the automaton is too large to be written as a never claim", name);
      return std::nullopt;
    }
  }
  return Translated{std::move(*automaton), name};
}

std::string to_json(const Translated& result, bool is_formula) {
  const ltl::Automaton& automaton = result.automaton;
  nlohmann::ordered_json object;
  object[is_formula ? "formula" : "file"] = result.name;
  object["atoms"] = automaton.atoms;
  object["class"] = ltl::to_text(automaton.strength);
  object["deterministic"] = automaton.is_deterministic;
  object["stutter_invariant"] = nullptr;
  if (automaton.is_stutter_invariant) {
    object["stutter_invariant"] = *automaton.is_stutter_invariant;
  }
  object["acceptance_sets"] = automaton.sets;
  object["acceptance_on"] = automaton.is_state_based ? "states" : "edges";
  object["initial"] = nullptr;
  if (!automaton.is_empty()) object["initial"] = automaton.initial;
  object["states"] = nlohmann::ordered_json::array();
  for (const ltl::State& state : automaton.states) {
    nlohmann::ordered_json edges = nlohmann::ordered_json::array();
    for (const ltl::Edge& edge : state.edges) {
      nlohmann::ordered_json entry{{"target", edge.target},
                                   {"label", ltl::to_text(edge.label, automaton.atoms)}};
      if (!automaton.is_state_based) {
        entry["marks"] = nlohmann::ordered_json::array();
        for (std::uint32_t i = 0; i < automaton.sets; ++i) {
          if ((edge.marks >> i & 1) != 0) entry["marks"].push_back(i);
        }
      }
      edges.push_back(std::move(entry));
    }
    nlohmann::ordered_json shown;
    if (automaton.is_state_based) shown["accepting"] = state.accepting;
    shown["edges"] = std::move(edges);
    object["states"].push_back(std::move(shown));
  }
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string shown(const Translated& result, const LtlOptions& options) {
  const bool is_formula = options.from_hoa.empty();
  if (options.never) return ltl::to_never_claim(result.automaton, result.name);
  if (options.hoa) return ltl::to_hoa(result.automaton, result.name);
  if (options.dot) return ltl::to_dot(result.automaton, result.name);
  if (options.json) return to_json(result, is_formula);
  return fmt::format("{}: {}\n{}", is_formula ? "formula" : "automaton", result.name,
                     ltl::to_listing(result.automaton));
}

// The error in this combination of options, or nothing.
std::string contradiction(const LtlOptions& options) {
  if (options.formula.empty() == options.from_hoa.empty()) {
    return "give a formula, or --from-hoa FILE";
  }
  if (options.never + options.hoa + options.dot + options.json > 1) {
    return "only one of --never, --hoa, --dot and --json";
  }
  if (options.never && options.generalized) {
    return "--never cannot be combined with --generalized: a never claim has its acceptance on states";
  }
  if (options.negate && !options.from_hoa.empty()) {
    return "--negate needs a formula: an automaton read with --from-hoa cannot be negated";
  }
  return {};
}

}  // namespace

int run_ltl(Arguments arguments) {
  LtlOptions options;
  CommandLine line("ltl", "Translate a formula of linear temporal logic to a Buchi automaton.");
  line.argument("formula", options.formula, false);
  line.value("--from-hoa", options.from_hoa);
  line.flag("--negate", options.negate);
  line.flag("--generalized", options.generalized);
  line.flag("--never", options.never);
  line.flag("--hoa", options.hoa);
  line.flag("--dot", options.dot);
  line.flag("--json", options.json);
  line.value("--output", options.output);
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;
  if (const std::string problem = contradiction(options); !problem.empty()) {
    return usage_error(problem, "spoor ltl");
  }

  const bool colour = wants_colour("auto", stderr);
  InputError error;
  const std::optional<Translated> result =
      options.from_hoa.empty() ? from_formula(options, error) : from_hoa(options, error);
  if (!result) return report_input_error(error, colour, options.json);
  for (const Diagnostic& warning : error.diagnostics.all()) {
    fmt::print(stderr, "{}", render(warning, error.sources, colour));
  }
  return write_output(options.output, shown(*result, options));
}

}  // namespace spoor::cli
