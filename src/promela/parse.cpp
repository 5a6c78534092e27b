#include "promela/parse.h"

#include <optional>
#include <utility>

#include "promela/parser.h"
#include "promela/preprocess.h"

namespace spoor::promela {

ParseResult parse_text(const std::string& name, const std::string& text,
                       const ParseOptions& options) {
  ParseResult result;
  Preprocessed source = preprocess(name, text, options.defines, result.diagnostics);
  if (!result.diagnostics.has_errors()) {
    Parser parser(source, result.diagnostics);
    result.model = parser.parse();
  }
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
