// The message sequence chart.
//
// One column per process, time runs downwards, an arrow is a message:
//
//         A[1]              B[2]
//          │                 │
//       4  ├───q: ping,1────▶│        a handshake: sent and received at once
//       8  ├╴b!3             │        a buffered message is sent ...
//      12  │◀──b: 3 (from 8)─┤        ... and received later, by any process
//      13  ├╴"hello 0"       │        output of printf
//      14  ├╴assert(x == 1)  │        the last action, of any kind
//      14  ✗ assertion violated: x == 1
//
// The numbers are those of the table. Statements that neither pass a message nor print are left
// out: the table shows them, and the chart stays readable.
//
// A buffered message is drawn where it arrives, as one horizontal arrow with the number of the
// sending action. The rival, a slanted arrow from the row of the send, needs a drawing instead of
// text as soon as two arrows cross. The send of a receive is found by channel and content, oldest
// first; that is exact for first-in-first-out channels and, for sorted sends and random receives,
// right up to equal messages.
//
// Layout: the distance between two neighbouring lifelines starts at a minimum and grows until every
// label between them fits, up to kWidestLabel, where labels are cut.
//
// Tested by: tests/unit/test_report.cpp, tests/suites/test_traces.py
#include "report/msc.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/labels.h"
#include "report/text_columns.h"

namespace spoor {
namespace {

constexpr std::size_t kSmallestGap = 12;
constexpr std::size_t kWidestLabel = 40;

// A row of the chart: an arrow between two columns, or a text beside one.
struct Event {
  std::size_t number = 0;  // of the action; 0: not shown
  std::size_t from = 0;    // column
  std::size_t to = 0;      // column; equal to `from` for a text
  std::string label;
  bool is_end = false;  // the finding at the end
};

struct Pen {
  const char *line, *dash, *stub, *right, *left, *branch_right, *branch_left, *cross;
};
constexpr Pen kUnicode = {"│", "─", "╴", "▶", "◀", "├", "┤", "✗"};
constexpr Pen kAscii = {"|", "-", "-", ">", "<", "+", "+", "X"};

// Turns actions into events. Keeps the messages that were sent and not yet received.
class Plot {
 public:
  explicit Plot(const ShownTrace& trace) {
    // First a column for each process, so that processes are in the order of their numbers.
    for (const ShownAction& shown : trace.actions) column_of_[key(shown.action)] = 0;
    for (auto& [key, column] : column_of_) {
      column = names_.size();
      names_.push_back(key.second);
    }
    for (std::size_t i = 0; i < trace.actions.size(); ++i) i += add(trace, i);
    for (const ShownFinding& finding : trace.findings) {
      const std::size_t column = trace.actions.empty() ? 0 : column_of(trace.actions.back().action);
      events_.push_back({trace.actions.size(), column, column, finding.message, true});
    }
    if (names_.empty()) names_.push_back("-");
  }

  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Event>& events() const { return events_; }

 private:
  using Key = std::pair<int, std::string>;
  struct Pending {
    std::size_t number;
    std::size_t column;
    std::string text;
  };

  static Key key(const Action& action) { return {action.process, process_label(action)}; }
  std::size_t column_of(const Action& action) const { return column_of_.at(key(action)); }

  // Adds the events of action `i`; returns the number of further actions that they include.
  std::size_t add(const ShownTrace& trace, std::size_t i) {
    const Action& action = trace.actions[i].action;
    const std::size_t column = column_of(action);
    const std::size_t number = i + 1;
    std::size_t covered = 0;
    bool drawn = true;
    if (action.completes_with_next && i + 1 < trace.actions.size()) {
      const Action& partner = trace.actions[i + 1].action;
      const Message* message = action.message ? &*action.message : nullptr;
      events_.push_back({number, column, column_of(partner),
                         message ? message->channel_name + ": " + message->text : action.statement});
      covered = 1;
      add_output(number + 1, partner);
    } else if (action.message && action.message->role == Message::Role::kSend) {
      events_.push_back({number, column, column, send_label(*action.message)});
      under_way_[action.message->channel].push_back({number, column, action.message->text});
    } else if (action.message) {
      add_receive(number, column, *action.message);
    } else {
      drawn = false;
    }
    if (!drawn && action.output.empty() && i + 1 == trace.actions.size()) {
      events_.push_back({number, column, column, escape_controls(action.statement)});
    }
    add_output(number, action);
    return covered;
  }

  void add_receive(std::size_t number, std::size_t column, const Message& message) {
    const std::optional<Pending> sent = take(message);
    if (!sent || sent->column == column) {
      events_.push_back({number, column, column, message.channel_name + "?" + message.text});
      return;
    }
    events_.push_back({number, sent->column, column,
                       fmt::format("{}: {} (from {})", message.channel_name, message.text, sent->number)});
  }

  void add_output(std::size_t number, const Action& action) {
    if (action.output.empty()) return;
    const std::size_t column = column_of(action);
    events_.push_back({number, column, column, "\"" + escape_controls(action.output) + "\""});
  }

  static std::string send_label(const Message& message) { return message.channel_name + "!" + message.text; }

  std::optional<Pending> take(const Message& message) {
    std::vector<Pending>& queue = under_way_[message.channel];
    const auto found = std::find_if(queue.begin(), queue.end(),
                                    [&](const Pending& pending) { return pending.text == message.text; });
    if (found == queue.end()) return std::nullopt;
    Pending result = *found;
    if (message.role == Message::Role::kReceive) queue.erase(found);
    return result;
  }

  std::map<Key, std::size_t> column_of_;
  std::vector<std::string> names_;
  std::vector<Event> events_;
  std::map<std::uint32_t, std::vector<Pending>> under_way_;
};

class Canvas {
 public:
  Canvas(const Plot& plot, const ChartOptions& options)
      : pen_(options.ascii ? kAscii : kUnicode), ascii_(options.ascii) {
    margin_ = std::to_string(plot.events().empty() ? 0 : plot.events().back().number).size() + 2;
    place_lifelines(plot);
    text_ = heading(plot);
    for (const Event& event : plot.events()) draw(event);
  }
  std::string text() && { return std::move(text_); }

 private:
  using Line = std::vector<std::string>;  // one string per column of the screen

  std::string label_of(const Event& event) const {
    return event.is_end ? event.label : shorten(event.label, kWidestLabel, ascii_);
  }

  void place_lifelines(const Plot& plot) {
    const std::size_t count = plot.names().size();
    std::vector<std::size_t> gap(count, kSmallestGap);  // to the right of each lifeline
    for (std::size_t i = 0; i + 1 < count; ++i) {
      const std::size_t halves =
          (display_width(plot.names()[i]) + display_width(plot.names()[i + 1])) / 2 + 3;
      gap[i] = std::max(gap[i], halves);
    }
    for (const Event& event : plot.events()) {
      if (event.is_end) continue;  // its text may cross other lifelines, up to the edge of the screen
      const std::size_t needed = display_width(label_of(event)) + 5;
      const auto [low, high] = std::minmax(event.from, event.to);
      const std::size_t last = std::max(low + 1, high);
      std::size_t room = 0;
      for (std::size_t i = low; i < last; ++i) room += gap[i];
      if (room < needed) gap[last - 1] += needed - room;
    }
    std::size_t at = margin_ + 1 + display_width(plot.names()[0]) / 2;
    for (std::size_t i = 0; i < count; ++i) {
      lifelines_.push_back(at);
      at += gap[i];
    }
    width_ = at;
  }

  std::string heading(const Plot& plot) {
    Line line(width_, " ");
    for (std::size_t i = 0; i < lifelines_.size(); ++i) {
      const std::vector<std::string> name = characters(plot.names()[i]);
      put(line, lifelines_[i] - std::min(lifelines_[i], name.size() / 2), name);
    }
    return finish(line) + finish(empty_line(0));
  }

  Line empty_line(std::size_t number) const {
    Line line(width_, " ");
    for (const std::size_t at : lifelines_) line[at] = pen_.line;
    if (number != 0) {
      const std::string digits = std::to_string(number);
      for (std::size_t i = 0; i < digits.size(); ++i) {
        line[margin_ - 1 - digits.size() + i] = std::string(1, digits[i]);
      }
    }
    return line;
  }

  void draw(const Event& event) {
    Line line = empty_line(event.number);
    if (event.from == event.to) {
      draw_text(line, event);
    } else {
      draw_arrow(line, event);
    }
    text_ += finish(line);
  }

  void draw_text(Line& line, const Event& event) const {
    const std::size_t at = lifelines_[event.from];
    if (event.is_end) {
      line[at] = pen_.cross;
      put(line, at + 2, characters(event.label));
      return;
    }
    line[at] = pen_.branch_right;
    line[at + 1] = pen_.stub;
    put(line, at + 2, characters(label_of(event)));
  }

  void draw_arrow(Line& line, const Event& event) const {
    const bool rightwards = event.from < event.to;
    const std::size_t begin = lifelines_[std::min(event.from, event.to)];
    const std::size_t end = lifelines_[std::max(event.from, event.to)];
    for (std::size_t i = begin + 1; i < end; ++i) line[i] = pen_.dash;
    line[rightwards ? begin : end] = rightwards ? pen_.branch_right : pen_.branch_left;
    line[rightwards ? end - 1 : begin + 1] = rightwards ? pen_.right : pen_.left;
    const std::vector<std::string> label = characters(label_of(event));
    const std::size_t room = end - begin - 1;
    put(line, begin + 1 + (room - std::min(room, label.size())) / 2, label);
  }

  static void put(Line& line, std::size_t at, const std::vector<std::string>& text) {
    if (line.size() < at + text.size()) line.resize(at + text.size(), " ");
    std::copy(text.begin(), text.end(), line.begin() + static_cast<std::ptrdiff_t>(at));
  }

  static std::string finish(const Line& line) {
    std::string text;
    for (const std::string& character : line) text += character;
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }

  const Pen& pen_;
  bool ascii_;
  std::size_t margin_ = 0;
  std::size_t width_ = 0;
  std::vector<std::size_t> lifelines_;
  std::string text_;
};

}  // namespace

std::string message_chart(const ShownTrace& trace, const ChartOptions& options) {
  const Plot plot(trace);
  return Canvas(plot, options).text();
}

}  // namespace spoor
