#include "graph/aut.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spoor {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Header {
  std::uint32_t initial = 0;
  std::uint64_t transitions = 0;
  std::uint64_t states = 0;
};

// A piece of a line and its position.
struct Piece {
  std::string_view text;
  std::size_t offset = 0;  // in its line

  Piece part(std::size_t from, std::size_t count = std::string_view::npos) const {
    return {text.substr(from, count), offset + from};
  }
  Piece trimmed() const {
    std::size_t begin = 0;
    std::size_t end = text.size();
    while (begin < end && is_blank(text[begin])) ++begin;
    while (end > begin && is_blank(text[end - 1])) --end;
    return part(begin, end - begin);
  }
};

class Reader {
 public:
  Reader(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics)
      : text_(sources.file(file).text), file_(file), diagnostics_(diagnostics) {}

  std::optional<Graph> read() {
    const std::size_t errors_before = diagnostics_.error_count();
    while (next_line()) {
      const Piece line = Piece{line_, 0}.trimmed();
      if (line.text.empty()) continue;
      if (!header_) {
        // Without its header the file cannot be read.
        header_ = read_header(line);
        if (!header_) return std::nullopt;
        header_line_ = line_number_;
      } else {
        read_transition(line);
      }
    }
    if (!header_) {
      line_number_ = 1;
      error("G101", {}, "this file is empty", "a graph begins with: des (0, 3, 2)");
      return std::nullopt;
    }
    // Refused transitions are reported and do not count as missing.
    if (diagnostics_.error_count() == errors_before) check_count();
    if (diagnostics_.error_count() != errors_before) return std::nullopt;
    return Graph(header_->initial, std::move(edges_), std::move(labels_));
  }

 private:
  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line_ = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_number_;
    return true;
  }

  Position position(const Piece& piece) const {
    return {file_, line_number_, static_cast<std::uint32_t>(piece.offset + 1)};
  }

  void error(std::string_view code, const Piece& where, std::string message, std::string hint = {}) {
    const auto length = static_cast<std::uint32_t>(std::max<std::size_t>(1, where.text.size()));
    diagnostics_.error(code, {position(where), length}, std::move(message), std::move(hint));
  }

  std::optional<Header> read_header(const Piece& line) {
    if (!line.text.starts_with("des")) {
      error("G101", line, "a graph begins with a line: des (INITIAL, TRANSITIONS, STATES)");
      return std::nullopt;
    }
    const Piece list = line.part(3).trimmed();
    const auto malformed = [&](const Piece& where) {
      error("G102", where, "malformed header", "it looks like this: des (INITIAL, TRANSITIONS, STATES)");
      return std::nullopt;
    };
    if (list.text.size() < 2 || list.text.front() != '(' || list.text.back() != ')') {
      return malformed(list);
    }
    const Piece inside = list.part(1, list.text.size() - 2);
    const std::size_t first = inside.text.find(',');
    if (first == std::string_view::npos) return malformed(inside);
    const std::size_t second = inside.text.find(',', first + 1);
    if (second == std::string_view::npos) return malformed(inside);

    const Piece initial_piece = inside.part(0, first).trimmed();
    const auto initial = read_number(initial_piece, "G102");
    const auto transitions = read_number(inside.part(first + 1, second - first - 1).trimmed(), "G102");
    const auto states = read_number(inside.part(second + 1).trimmed(), "G102");
    if (!initial || !transitions || !states) return std::nullopt;
    Header header{0, *transitions, *states};
    const auto checked = check_state(*initial, initial_piece, header);
    if (!checked) return std::nullopt;
    header.initial = *checked;
    return header;
  }

  void read_transition(const Piece& line) {
    const std::size_t first = line.text.find(',');
    const std::size_t last = line.text.rfind(',');
    if (line.text.front() != '(' || line.text.back() != ')' || first == std::string_view::npos ||
        first == last) {
      error("G103", line, "this is not a transition",
            "a transition looks like this: (SOURCE, \"LABEL\", TARGET)");
      return;
    }
    const auto source = read_state(line.part(1, first - 1).trimmed());
    const auto target = read_state(line.part(last + 1, line.text.size() - last - 2).trimmed());
    const auto label = read_label(line.part(first + 1, last - first - 1).trimmed());
    if (!source || !target || !label) return;
    if (edges_.size() == UINT32_MAX) {
      if (!is_full_) error("G105", line, "more than 4294967295 transitions");
      is_full_ = true;
      return;
    }
    edges_.push_back({*source, *target, label_index(*label), position(line)});
  }

  std::optional<std::uint64_t> read_number(const Piece& piece, std::string_view code) {
    if (piece.text.empty()) {
      error(code, piece, "a number is missing here");
      return std::nullopt;
    }
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < piece.text.size(); ++i) {
      const char c = piece.text[i];
      if (!is_digit(c)) {
        error(code, piece.part(i, 1), "expected a number here");
        return std::nullopt;
      }
      const auto digit = static_cast<std::uint64_t>(c - '0');
      if (value > (UINT64_MAX - digit) / 10) {
        error("G105", piece, "this number is too large");
        return std::nullopt;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  std::optional<std::uint32_t> read_state(const Piece& piece) {
    const auto number = read_number(piece, "G103");
    return number ? check_state(*number, piece, *header_) : std::nullopt;
  }

  std::optional<std::uint32_t> check_state(std::uint64_t number, const Piece& piece, const Header& header) {
    if (number >= header.states) {
      error("G104", piece,
            "state " + std::to_string(number) + " does not exist: the header declares " +
                (header.states == 0 ? std::string("no states")
                                    : "states 0 to " + std::to_string(header.states - 1)));
      return std::nullopt;
    }
    if (number > UINT32_MAX) {
      error("G105", piece, "state numbers beyond 4294967295 are not supported");
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(number);
  }

  std::optional<std::string_view> read_label(const Piece& piece) {
    if (piece.text.empty()) {
      error("G103", piece, "the label is missing", "an empty label is written \"\"");
      return std::nullopt;
    }
    if (piece.text.front() != '"') return piece.text;
    if (piece.text.size() < 2 || piece.text.back() != '"') {
      error("G107", piece, "this label begins with a double quote and does not end with one");
      return std::nullopt;
    }
    return piece.text.substr(1, piece.text.size() - 2);
  }

  std::uint32_t label_index(std::string_view label) {
    const auto [found, is_new] = label_indexes_.emplace(label, static_cast<std::uint32_t>(labels_.size()));
    if (is_new) labels_.emplace_back(label);
    return found->second;
  }

  void check_count() {
    if (edges_.size() == header_->transitions) return;
    line_number_ = header_line_;
    error("G106", {},
          "the header gives the number of transitions as " + std::to_string(header_->transitions) +
              ", but there are " + std::to_string(edges_.size()),
          "the file may be incomplete, or joined from several files");
  }

  std::string_view text_;
  std::uint32_t file_;
  Diagnostics& diagnostics_;
  std::size_t at_ = 0;
  std::string_view line_;
  std::uint32_t line_number_ = 0;
  std::uint32_t header_line_ = 0;
  bool is_full_ = false;
  std::optional<Header> header_;
  std::vector<Edge> edges_;
  std::vector<std::string> labels_;
  std::unordered_map<std::string_view, std::uint32_t> label_indexes_;  // views into text_
};

}  // namespace

std::optional<Graph> read_aut(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics) {
  return Reader(sources, file, diagnostics).read();
}

void write_aut_header(std::ostream& out, std::uint64_t initial, std::uint64_t transitions,
                      std::uint64_t states) {
  out << "des (" << initial << ", " << transitions << ", " << states << ")\n";
}

void write_aut_transition(std::ostream& out, std::uint64_t source, std::string_view label,
                          std::uint64_t target) {
  out << '(' << source << ", \"";
  for (const char c : label) {
    out << (c == '"' ? '\'' : c == '\n' || c == '\r' ? ' ' : c);
  }
  out << "\", " << target << ")\n";
}

void write_aut(const Graph& graph, std::ostream& out) {
  const std::uint64_t states = std::uint64_t{graph.number(graph.state_count() - 1)} + 1;
  write_aut_header(out, graph.number(graph.initial()), graph.edges().size(), states);
  for (const Edge& edge : graph.edges()) {
    write_aut_transition(out, graph.number(edge.source), graph.label(edge), graph.number(edge.target));
  }
}

}  // namespace spoor
