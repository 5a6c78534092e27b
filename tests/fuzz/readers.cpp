// Any bytes as a graph, as a trail of SPIN, as a trace file and as a checkpoint of ours: readers of foreign
// bytes say what is wrong and never crash.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <sstream>
#include <string>

#include "base/diagnostic.h"
#include "base/framed_file.h"
#include "graph/aut.h"
#include "report/run_file.h"
#include "report/trace_file.h"
#include "report/trail.h"
#include "search/checkpoint.h"

namespace {

// The bytes as the contents of two records whose checksums are right.
void read_checkpoint(const std::string& text) {
  static const std::string path =
      std::filesystem::temp_directory_path() / ("spoor-fuzz-" + std::to_string(::getpid()));
  try {
    {
      spoor::FramedWriter writer(path, spoor::kCheckpointFormat, {});
      const std::size_t half = text.size() / 2;
      writer.add('s', text.substr(0, half));
      writer.add('m', text.substr(half));
      writer.finish();
    }
    spoor::CheckpointReader reader(path);
    std::uint64_t ordinal = 0;
    reader.each_state([&](std::uint64_t parent, std::span<const std::byte>) {
      if (parent > ordinal || (parent == ordinal && parent > 0)) std::abort();
      ++ordinal;
    });
    if (ordinal != reader.mark().states) std::abort();
  } catch (const spoor::CheckpointError& error) {
    if (error.what() == std::string()) std::abort();
  }
  std::remove(path.c_str());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  {
    std::string error;
    const std::optional<spoor::Evidence> evidence = spoor::read_runs(text, error);
    if (evidence.has_value() != error.empty()) std::abort();  // a refusal has a reason
    if (evidence && evidence->runs.size() < 20) {
      for (const spoor::EstimatorRow& row : spoor::estimators()) {
        const spoor::Answer answer = row.estimator->estimate(*evidence);
        if (answer.estimate && !(answer.estimate->coverage >= 0 && answer.estimate->coverage <= 1))
          std::abort();
      }
    }
  }
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
  read_checkpoint(text);
  return 0;
}
