// spoor history [FILE]
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "evidence/ledger.h"
#include "evidence/run_catalogue.h"
#include "report/history_report.h"

namespace spoor::cli {

int run_history(Arguments arguments) {
  HistoryQuery query;
  bool json = false;
  std::uint64_t most = 20;
  CommandLine line("history", "List the runs of checks in a ledger, the newest first.");
  line.argument("model", query.model, false);
  line.value("--ledger", query.ledger);
  line.count("-n", most, 1, INT64_MAX);
  line.flag("--json", json);
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;

  InputError error;
  const auto refuse = [&](std::string message) {
    error.message = std::move(message);
    return report_input_error(error, wants_colour("auto", stderr), json);
  };
  query.ledger = choose_ledger(query.ledger, query.model).folder;
  if (query.ledger.empty()) return refuse("no ledger: SPOOR_LEDGER is none; name a folder with --ledger");
  std::error_code ignored;
  if (!std::filesystem::is_directory(query.ledger, ignored))
    return refuse(fmt::format("no ledger in '{}': there is no such folder", query.ledger));
  const std::string model = query.model.empty() ? "" : ledger_name(query.model);
  const CatalogueListing listing = list_catalogue(query.ledger, model, most);
  if (!listing.error.empty()) return refuse(listing.error);
  fmt::print("{}", json ? history_json(listing, query) : history_text(listing, query));
  return kHolds;
}

}  // namespace spoor::cli
