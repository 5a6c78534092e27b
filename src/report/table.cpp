#include "report/table.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "report/labels.h"
#include "report/text_columns.h"

namespace spoor {
namespace {

constexpr std::size_t kColumns = 6;
using Row = std::array<std::string, kColumns>;

// Limits the width of a column, so that one long statement or file name does not widen all rows.
constexpr std::array<std::size_t, kColumns> kWidest = {8, 24, 32, 40, 40, 0};

// "1: p !q": the state of the claim and the values of its atoms.
std::string claim_words(const std::optional<ClaimView>& claim) {
  if (!claim) return {};
  std::string text = claim->state ? fmt::format("{}:", *claim->state) : "";
  for (const auto& [atom, holds] : claim->atoms) {
    text += (text.empty() ? "" : " ") + std::string(holds ? "" : "!") + escape_controls(atom);
  }
  return text;
}

Row make_row(std::size_t number, const ShownAction& shown, const SourceSet& sources) {
  return {std::to_string(number),
          process_label(shown.action),
          place_label(sources, shown.action.position),
          escape_controls(shown.action.statement),
          claim_words(shown.claim),
          effects(shown.action)};
}

std::string render_row(const Row& row, const std::array<std::size_t, kColumns>& widths) {
  std::string line;
  for (std::size_t i = 0; i < kColumns; ++i) {
    if (i == 0) {
      const std::size_t used = display_width(row[0]);
      line += std::string(widths[0] - std::min(widths[0], used), ' ') + row[0];
    } else {
      // A column that is empty in all rows has no width (graphs have no source lines).
      if (widths[i] == 0) continue;
      line += "  " + pad_right(row[i], widths[i]);
    }
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::string effects(const Action& action) {
  std::string text;
  for (const std::string& change : action.changes) {
    text += (text.empty() ? "" : ", ") + escape_controls(change);
  }
  if (!action.output.empty()) {
    text += (text.empty() ? "prints \"" : ", prints \"") + escape_controls(action.output) + "\"";
  }
  return text;
}

std::string trace_table(const ShownTrace& trace, const SourceSet& sources, const TableOptions& options) {
  const std::size_t count = trace.actions.size();
  const bool cut = options.max_actions != 0 && count > options.max_actions;
  // More rows are shown of the end than of the beginning: the end is closer to the error.
  const std::size_t head = cut ? options.max_actions / 3 : count;
  const std::size_t tail = cut ? options.max_actions - head : 0;

  std::vector<Row> rows;
  for (std::size_t i = 0; i < head; ++i) rows.push_back(make_row(i + 1, trace.actions[i], sources));
  for (std::size_t i = count - tail; i < count; ++i) {
    rows.push_back(make_row(i + 1, trace.actions[i], sources));
  }

  static const Row kHeading = {"#", "process", "line", "statement", "claim", "changes"};
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      const std::size_t width = display_width(row[i]);
      widths[i] = std::max(widths[i], kWidest[i] == 0 ? width : std::min(width, kWidest[i]));
    }
  }
  if (options.with_heading) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      if (widths[i] != 0) widths[i] = std::max(widths[i], kHeading[i].size());
    }
  }

  std::string text;
  if (options.with_heading && !rows.empty()) text += render_row(kHeading, widths);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (cut && i == head) {
      text += fmt::format("{}  ({} more)\n", pad_right(options.ascii ? "..." : "⋮", widths[0]),
                          count - head - tail);
    }
    const std::size_t action = i < head ? i : count - rows.size() + i;
    if (action == trace.loop) text += "the cycle:\n";
    text += render_row(rows[i], widths);
  }
  if (trace.loop) text += fmt::format("and so on, again from {}\n", *trace.loop + 1);
  return text;
}

}  // namespace spoor
