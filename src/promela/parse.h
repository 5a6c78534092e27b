// From the text of a model to its tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "promela/syntax.h"

namespace spoor::promela {

// A formula that the user gives beside the model, and that may use its macros.
struct GivenFormula {
  std::string name;
  std::string text;  // empty: none
};

struct ParseOptions {
  std::vector<std::string> defines;  // NAME or NAME=VALUE, for the preprocessor
  GivenFormula formula = {};         // becomes the last of Model::formulas
};

// The model may be used only when the diagnostics have no errors.
struct ParseResult {
  Model model;
  SourceSet sources;
  Diagnostics diagnostics;
  std::optional<std::uint32_t> formula_file;  // where in the sources a given formula stands
};

ParseResult parse_file(const std::string& path, const ParseOptions& options);
ParseResult parse_text(const std::string& name, const std::string& text, const ParseOptions& options);

}  // namespace spoor::promela
