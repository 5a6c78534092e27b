// Any bytes as a graph, as a trail of SPIN and as a trace file of ours: readers of foreign bytes say
// what is wrong and never crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>

#include "base/diagnostic.h"
#include "graph/aut.h"
#include "report/trace_file.h"
#include "report/trail.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  {
    spoor::SourceSet sources;
    sources.add("fuzz.aut", text);
    spoor::Diagnostics diagnostics;
    const std::optional<spoor::Graph> graph = spoor::read_aut(sources, 0, diagnostics);
    if (!graph && !diagnostics.has_errors()) std::abort();  // a refusal has a reason
    if (graph) {
      std::ostringstream out;
      spoor::write_aut(*graph, out);
    }
  }
  {
    std::string error;
    std::uint32_t line = 0;
    if (!spoor::parse_trail(text, error, line) && error.empty()) std::abort();
  }
  {
    std::string error;
    if (!spoor::parse_trace_file(text, error) && error.empty()) std::abort();
  }
  return 0;
}
