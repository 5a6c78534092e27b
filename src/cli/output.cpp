#include "cli/output.h"

#include <fmt/format.h>

#include "base/files.h"
#include "cli/exit_codes.h"

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

}  // namespace spoor::cli
