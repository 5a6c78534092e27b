// A model out of any bytes, run for a few steps: no statement of a program that compiled may crash
// the interpreter, every successor must be reported again by explain, and twice the same is the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "exec/interpreter.h"
#include "promela/compile.h"
#include "promela/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  for (char& c : text) {
    if (c == '#' || c == '\\') c = ' ';
  }
  spoor::promela::ParseResult parsed = spoor::promela::parse_text("fuzz.pml", text, {});
  if (parsed.diagnostics.has_errors()) return 0;
  auto program = std::make_shared<spoor::promela::Program>(
      spoor::promela::compile(parsed.model, parsed.sources, parsed.diagnostics));
  if (parsed.diagnostics.has_errors()) return 0;
  if (program->has_embedded_code) return 0;     // foreign code is not ours to run
  if (program->globals_size > 65536) return 0;  // slow, not interesting
  const spoor::exec::Interpreter interpreter(program);
  std::vector<std::byte> state = interpreter.initial_state();
  spoor::Expansion out, again;
  for (int step = 0; step < 20; ++step) {
    out.clear();
    again.clear();
    interpreter.expand(state, out);
    interpreter.expand(state, again);
    if (!std::ranges::equal(out.arena, again.arena) || out.findings.size() != again.findings.size())
      std::abort();
    if (out.successors.empty()) break;
    const spoor::Successor& chosen =
        out.successors[static_cast<std::size_t>(step * 7) % out.successors.size()];
    const spoor::Explanation explanation = interpreter.explain(state, chosen.step);
    const spoor::StateBytes bytes = out.state(chosen);
    if (explanation.target != std::vector<std::byte>(bytes.begin(), bytes.end())) std::abort();
    interpreter.describe(state);
    state.assign(bytes.begin(), bytes.end());
  }
  return 0;
}
