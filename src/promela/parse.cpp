#include "promela/parse.h"

#include <optional>
#include <utility>

#include "promela/parser.h"
#include "promela/preprocess.h"

namespace spoor::promela {

namespace {

// The formula of the command line as a unit of Promela, on one line; nothing without a formula. It must not
// contain a brace that closes the unit.
std::optional<std::string> formula_unit(const GivenFormula& formula, ParseResult& result) {
  if (formula.text.empty()) return std::nullopt;
  std::string unit = "ltl " + formula.name + " { " + formula.text + " }";
  for (char& c : unit) {
    if (c == '\n' || c == '\r' || c == '\0') c = ' ';
  }
  int depth = 0;
  for (std::size_t i = unit.find('{') + 1; i + 1 < unit.size(); ++i) {
    depth += unit[i] == '{' ? 1 : unit[i] == '}' ? -1 : 0;
    if (depth >= 0 && !unit.substr(i).starts_with("/*")) continue;
    const std::uint32_t file = result.sources.add(kFormulaName, unit);
    result.diagnostics.error("P115", {{file, 1, static_cast<std::uint32_t>(i + 1)}, 1},
                             "a formula cannot contain this");
    break;
  }
  return unit;
}

}  // namespace

ParseResult parse_text(const std::string& name, const std::string& text, const ParseOptions& options) {
  ParseResult result;
  const std::optional<std::string> formula = formula_unit(options.formula, result);
  if (result.diagnostics.has_errors()) return result;
  Preprocessed source = preprocess(name, text, options.defines, result.diagnostics, formula.value_or(""));
  if (formula) result.formula_file = Preprocessed::kFormulaFile;
  if (!result.diagnostics.has_errors()) {
    Parser parser(source, result.diagnostics);
    result.model = parser.parse();
  }
  result.text = std::move(source.text);
  result.sources = std::move(source.sources);
  return result;
}

ParseResult parse_file(const std::string& path, const ParseOptions& options) {
  ParseResult result;
  const std::optional<std::string> text = read_source(path, result.diagnostics);
  if (!text) return result;
  return parse_text(path, *text, options);
}

}  // namespace spoor::promela
