// Any bytes as an automaton in the HOA format: read, or refused with a reason; what was read is written
// and read again as an automaton of the same size.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/diagnostic.h"
#include "ltl/hoa.h"
#include "ltl/write.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spoor;
  SourceSet sources;
  sources.add("fuzz.hoa", std::string(reinterpret_cast<const char*>(data), size));
  Diagnostics diagnostics;
  const auto automaton = ltl::read_hoa(sources, 0, diagnostics);
  if (automaton.has_value() == diagnostics.has_errors()) std::abort();
  for (const Diagnostic& diagnostic : diagnostics.all()) render(diagnostic, sources, false);
  if (!automaton || automaton->states.size() > 2000) return 0;
  SourceSet again;
  again.add("again.hoa", ltl::to_hoa(*automaton, "again"));
  const auto copy = ltl::read_hoa(again, 0, diagnostics);
  if (!copy || copy->states.size() != automaton->states.size() || copy->sets != automaton->sets) {
    std::abort();
  }
  ltl::to_dot(*automaton, "f");
  ltl::to_listing(*automaton);
  return 0;
}
