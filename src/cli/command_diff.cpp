// spoor diff OLD NEW
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "check/front_end.h"
#include "check/version_diff.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "report/diff_report.h"

namespace spoor::cli {

int run_diff(Arguments arguments) {
  std::string old_path, new_path;
  ModelOptions options;
  bool json = false, quiet = false;
  CommandLine line("diff",
                   "Show what an edit of a model can influence: which locations may have other successors.");
  line.argument("old", old_path);
  line.argument("new", new_path);
  line.model_options(options);
  line.reductions(options);
  line.flag("--json", json);
  line.flag("--quiet", quiet);
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;

  InputError error;
  const auto refuse = [&] { return report_input_error(error, wants_colour("auto", stderr), json); };
  const auto before = read_model(old_path, options, "", error);
  if (before == nullptr) return refuse();
  const auto after = read_model(new_path, options, "", error);
  if (after == nullptr) return refuse();
  const std::optional<VersionDiff> diff = diff_models(*before, *after, options, error);
  if (!diff) return refuse();
  fmt::print("{}", json ? diff_json(*diff) : diff_text(*diff, quiet));
  return diff->is_same() ? kHolds : kViolated;
}

}  // namespace spoor::cli
