// From the text of a model to its syntax tree.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "promela/syntax.h"

namespace spoor::promela {

// A formula of the command line, which may use the model's macros.
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
  std::string text;                           // preprocessed
  std::optional<std::uint32_t> formula_file;  // the index in `sources` of the formula of the command line
};

ParseResult parse_file(const std::string& path, const ParseOptions& options);
ParseResult parse_text(const std::string& name, const std::string& text, const ParseOptions& options);

}  // namespace spoor::promela
