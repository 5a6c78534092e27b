#include "cli/output.h"

#include <cstddef>
#include <cstdio>

#include <fmt/format.h>

#include "base/diagnostic.h"
#include "base/files.h"
#include "cli/exit_codes.h"
#include "report/report.h"

namespace spoor::cli {

int write_output(const std::string& path, std::string_view contents) {
  if (path.empty()) {
    fmt::print("{}", contents);
    return kHolds;
  }
  const std::string reason = write_file_atomically(path, contents);
  if (reason.empty()) return kHolds;
  fmt::print(stderr, "spoor: cannot write '{}': {}\n", path, reason);
  return kWrongInput;
}

int report_input_error(const InputError& error, bool colour, bool json) {
  const std::size_t count = error.diagnostics.error_count();
  std::string message = error.message;
  if (message.empty()) message = fmt::format("{} error{}", count, count == 1 ? "" : "s");
  if (json) fmt::print("{}", json_error(message, error.diagnostics.all(), error.sources));
  std::size_t shown = 0;
  for (const Diagnostic& diagnostic : error.diagnostics.all()) {
    fmt::print(stderr, "{}", render(diagnostic, error.sources, colour));
    if (diagnostic.severity == Severity::kError) ++shown;
  }
  if (count > shown) fmt::print(stderr, "and {} more errors\n", count - shown);
  if (!error.message.empty()) fmt::print(stderr, "spoor: {}\n", error.message);
  return kWrongInput;
}

void print_warnings(const LoadedModel& model, bool colour) {
  for (const Diagnostic& warning : model.warnings) {
    fmt::print(stderr, "{}", render(warning, model.system->sources(), colour));
  }
}

}  // namespace spoor::cli
