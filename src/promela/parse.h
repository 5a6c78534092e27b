// From the text of a model to its tree.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "promela/syntax.h"

namespace spoor::promela {

struct ParseOptions {
  std::vector<std::string> defines;  // NAME or NAME=VALUE, for the preprocessor
};

// The model may be used only when the diagnostics have no errors.
struct ParseResult {
  Model model;
  SourceSet sources;
  Diagnostics diagnostics;
};

ParseResult parse_file(const std::string& path, const ParseOptions& options);
ParseResult parse_text(const std::string& name, const std::string& text,
                       const ParseOptions& options);

}  // namespace spoor::promela
