#include "report/ending.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "base/quantities.h"
#include "report/labels.h"
#include "report/text_columns.h"

namespace spoor {
namespace {

constexpr std::size_t kLineColumns = 79;
constexpr std::size_t kMostEntries = 60;  // of a state
constexpr std::size_t kWidestStatement = 40;

using Row = std::array<std::string, 4>;  // process, place, statement, reason

std::vector<Row> rows_of(const Waiting& process, const SourceSet& sources) {
  std::vector<Row> rows;
  for (const Waiting::Option& option : process.options) {
    rows.push_back({rows.empty() ? process.process : "", place_label(sources, option.position),
                    shorten(escape_controls(option.statement), kWidestStatement),
                    escape_controls(option.reason)});
  }
  if (rows.empty()) rows.push_back({process.process, place_label(sources, process.position), "", ""});
  if (process.may_end_here) rows.front()[3] += rows.front()[3].empty() ? "may end here" : " (may end here)";
  return rows;
}

}  // namespace

std::string waiting_table(const ShownTrace& trace, const SourceSet& sources) {
  std::vector<Row> rows;
  for (const Waiting& process : trace.waiting)
    std::ranges::move(rows_of(process, sources), std::back_inserter(rows));
  if (rows.empty()) return {};
  Row::size_type column = 0;
  std::array<std::size_t, 3> widths = {};
  for (std::size_t& width : widths) {
    for (const Row& row : rows) width = std::max(width, display_width(row[column]));
    ++column;
  }
  std::string text = "\nnobody can move:\n";
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < widths.size(); ++i) line.append(" ").append(pad_right(row[i], widths[i] + 1));
    line.append(" ").append(row.back());
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string final_state_lines(const ShownTrace& trace, bool all) {
  std::vector<std::string> entries;
  for (const std::string& entry : trace.final_state) {
    // The table of those who wait has the places of the processes already.
    const bool is_process = entry.find(" = ") == std::string::npos;
    if (!is_process || trace.waiting.empty()) entries.push_back(escape_controls(entry));
  }
  if (trace.loop || entries.empty()) return {};
  const std::size_t shown = all ? entries.size() : std::min(entries.size(), kMostEntries);
  std::string text = "\nthe state at the end:\n";
  std::string line;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string entry = entries[i] + (i + 1 < entries.size() ? "," : "");
    if (!line.empty() && display_width(line) + 1 + display_width(entry) > kLineColumns) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "  " : " ") + entry;
  }
  text += line + "\n";
  if (shown < entries.size())
    text += fmt::format("  and {} more (--full-trace)\n", with_separators(entries.size() - shown));
  return text;
}

}  // namespace spoor
