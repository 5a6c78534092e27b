// Any bytes as a model: the front end must end in a program or in diagnostics, never in a crash.
#include <cstddef>
#include <cstdint>
#include <string>

#include "promela/compile.h"
#include "promela/lint.h"
#include "promela/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  // Directives would start the C preprocessor, a process per input; it is not ours to test.
  for (char& c : text) {
    if (c == '#' || c == '\\') c = ' ';
  }
  spoor::promela::ParseResult parsed = spoor::promela::parse_text("fuzz.pml", text, {});
  if (parsed.diagnostics.has_errors()) return 0;
  spoor::promela::lint(parsed.model, parsed.diagnostics);
  spoor::promela::compile(parsed.model, parsed.sources, parsed.diagnostics);
  return 0;
}
