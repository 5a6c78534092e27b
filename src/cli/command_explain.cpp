// spoor explain [CODE]
#include <fmt/format.h>

#include "base/catalogue.h"
#include "base/diagnostic.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"

namespace spoor::cli {

int run_explain(Arguments arguments) {
  std::string code;
  CommandLine line("explain", "Explain the code of an error or a warning.");
  line.argument("code", code, false);
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;

  if (code.empty()) {
    for (const CodeEntry& entry : catalogue()) fmt::print("{}  {}\n", entry.code, entry.title);
    return kHolds;
  }
  const CodeEntry* entry = find_code(code);
  if (!entry) {
    std::vector<std::string> known;
    for (const CodeEntry& candidate : catalogue()) known.emplace_back(candidate.code);
    const std::string nearest = nearest_name(code, known);
    return usage_error(fmt::format("there is no code '{}'{}", code,
                                   nearest.empty() ? std::string("; `spoor explain` lists all codes")
                                                   : "; did you mean " + nearest + "?"),
                       "spoor explain");
  }
  fmt::print("{}: {}\n\n{}\n", entry->code, entry->title, entry->text);
  return kHolds;
}

}  // namespace spoor::cli
