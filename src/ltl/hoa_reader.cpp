#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ltl/formula.h"
#include "ltl/hoa.h"
#include "ltl/hoa_lexer.h"

namespace spoor::ltl {
namespace {

constexpr std::uint64_t kMaxStates = 1'000'000;
constexpr std::size_t kMaxEdges = 4'000'000;
constexpr int kMaxNesting = 200;

// Thrown to end the reading after an error is reported.
struct Refused {};

class Reader {
 public:
  Reader(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics)
      : lexer_(sources, file), diagnostics_(diagnostics) {}

  std::optional<Automaton> read() {
    try {
      read_header();
      read_body();
      return finished();
    } catch (const Refused&) {
      return std::nullopt;
    } catch (const TooLarge&) {
      diagnostics_.error("L206", lexer_.range(lexer_.peek()), "the labels up to here are too large");
      return std::nullopt;
    }
  }

 private:
  struct RawEdge {
    std::uint32_t source, target;
    Bdd label;
    std::uint64_t marks;
  };

  [[noreturn]] void refuse(std::string_view code, const HoaToken& at, std::string message,
                           std::string hint = {}) {
    diagnostics_.error(code, lexer_.range(at), std::move(message), std::move(hint));
    throw Refused();
  }

  HoaToken expect(HoaKind kind, const char* what) {
    if (lexer_.peek().kind != kind) refuse("L202", lexer_.peek(), std::string("expected ") + what);
    return lexer_.take();
  }
  void expect_sign(char sign) {
    if (!lexer_.is_sign(sign)) {
      refuse("L202", lexer_.peek(), std::string("expected '") + sign + "'");
    }
    lexer_.take();
  }

  std::uint64_t number_below(std::uint64_t limit, const char* what) {
    const HoaToken token = expect(HoaKind::kNumber, what);
    if (token.number >= limit) {
      refuse("L205", token, std::string(what) + " " + token.text + " does not exist",
             limit == 0 ? std::string() : "the last one is " + std::to_string(limit - 1));
    }
    return token.number;
  }

  void read_header() {
    if (lexer_.peek().kind != HoaKind::kHeader || lexer_.peek().text != "HOA") {
      refuse("L201", lexer_.peek(), "an automaton in the HOA format begins with: HOA: v1");
    }
    lexer_.take();
    const HoaToken version = expect(HoaKind::kName, "the version, v1");
    if (version.text != "v1") {
      refuse("L204", version, "version " + version.text + " of the format is not supported", "version v1 is");
    }
    while (lexer_.peek().kind == HoaKind::kHeader) read_item(lexer_.take());
    const HoaToken end = expect(HoaKind::kBody, "a line of the header, or --BODY--");
    if (!has_acceptance_) refuse("L202", end, "the header has no line Acceptance:");
  }

  void read_item(const HoaToken& name) {
    if (name.text == "States") {
      const HoaToken count = expect(HoaKind::kNumber, "the number of states");
      if (count.number > kMaxStates) refuse("L206", count, "more than a million states");
      state_count_ = static_cast<std::uint32_t>(count.number);
    } else if (name.text == "Start") {
      const HoaToken state = expect(HoaKind::kNumber, "an initial state");
      if (lexer_.is_sign('&')) refuse_alternation();
      starts_.push_back(state);
    } else if (name.text == "AP") {
      read_propositions(name);
    } else if (name.text == "Alias") {
      const HoaToken alias = expect(HoaKind::kAlias, "the name of the alias, @...");
      if (aliases_.contains(alias.text)) refuse("L202", alias, alias.text + " is defined twice");
      const Bdd label = label_expression(0);
      aliases_[alias.text] = label;
    } else if (name.text == "Acceptance") {
      read_acceptance(name);
    } else {
      const bool is_ours =
          name.text == "acc-name" || name.text == "tool" || name.text == "name" || name.text == "properties";
      // In this format a capital letter means that the line changes the meaning of the automaton.
      if (!is_ours && name.text[0] >= 'A' && name.text[0] <= 'Z') {
        refuse("L204", name, "the header line " + name.text + ": is not supported");
      }
      skip_values();
    }
  }

  void skip_values() {
    while (lexer_.peek().kind == HoaKind::kName || lexer_.peek().kind == HoaKind::kNumber ||
           lexer_.peek().kind == HoaKind::kString) {
      lexer_.take();
    }
  }

  void read_propositions(const HoaToken& name) {
    if (has_propositions_) refuse("L202", name, "AP: stands twice in the header");
    has_propositions_ = true;
    const HoaToken count = expect(HoaKind::kNumber, "the number of propositions");
    if (count.number > kMaxAtoms) refuse("L204", count, "more than 64 propositions");
    for (std::uint64_t i = 0; i < count.number; ++i) {
      const HoaToken atom = expect(HoaKind::kString, "a proposition in double quotes");
      const auto& atoms = result_.atoms;
      if (std::find(atoms.begin(), atoms.end(), atom.text) != atoms.end()) {
        refuse("L202", atom, "this proposition stands twice in the list");
      }
      result_.atoms.push_back(atom.text);
    }
  }

  // t, f, or a conjunction of Inf(i).
  void read_acceptance(const HoaToken& name) {
    if (has_acceptance_) refuse("L202", name, "Acceptance: stands twice in the header");
    has_acceptance_ = true;
    const HoaToken count = expect(HoaKind::kNumber, "the number of acceptance sets");
    if (count.number > 64) refuse("L204", count, "more than 64 acceptance sets");
    declared_sets_ = static_cast<std::uint32_t>(count.number);
    read_conjunction(0);
    if (lexer_.is_sign('|')) refuse_acceptance(lexer_.peek());
  }

  void read_conjunction(int nesting) {
    if (nesting > kMaxNesting) refuse("L206", lexer_.peek(), "nested too deeply");
    read_condition(nesting);
    while (lexer_.is_sign('&')) {
      lexer_.take();
      read_condition(nesting);
    }
  }

  void read_condition(int nesting) {
    if (lexer_.is_sign('(')) {
      lexer_.take();
      read_conjunction(nesting + 1);
      if (lexer_.is_sign('|')) refuse_acceptance(lexer_.peek());
      expect_sign(')');
      return;
    }
    const HoaToken word = expect(HoaKind::kName, "t, f or Inf(...)");
    if (word.text == "t") return;
    if (word.text == "f") {
      accepts_nothing_ = true;
      return;
    }
    if (word.text != "Inf") refuse_acceptance(word);
    expect_sign('(');
    if (lexer_.is_sign('!')) refuse_acceptance(lexer_.peek());
    used_sets_ |= 1ull << number_below(declared_sets_, "acceptance set");
    expect_sign(')');
  }

  [[noreturn]] void refuse_acceptance(const HoaToken& at) {
    refuse("L203", at, "only Buchi and generalized Buchi acceptance are supported",
           "a conjunction of Inf(i), or t, or f; `autfilt --tgba` converts");
  }
  [[noreturn]] void refuse_alternation() {
    refuse("L204", lexer_.peek(), "alternating automata are not supported");
  }

  Bdd label_expression(int nesting) {
    if (nesting > kMaxNesting) refuse("L206", lexer_.peek(), "a label is nested too deeply");
    Bdd sum = label_conjunction(nesting);
    while (lexer_.is_sign('|')) {
      lexer_.take();
      sum = bdds_.either(sum, label_conjunction(nesting));
    }
    return sum;
  }

  Bdd label_conjunction(int nesting) {
    Bdd product = label_literal(nesting);
    while (lexer_.is_sign('&')) {
      lexer_.take();
      product = bdds_.both(product, label_literal(nesting));
    }
    return product;
  }

  Bdd label_literal(int nesting) {
    if (lexer_.is_sign('!')) {
      if (nesting > kMaxNesting) refuse("L206", lexer_.peek(), "a label is nested too deeply");
      lexer_.take();
      return bdds_.negation(label_literal(nesting + 1));
    }
    if (lexer_.is_sign('(')) {
      lexer_.take();
      const Bdd inner = label_expression(nesting + 1);
      expect_sign(')');
      return inner;
    }
    if (lexer_.peek().kind == HoaKind::kAlias) {
      const HoaToken alias = lexer_.take();
      const auto known = aliases_.find(alias.text);
      if (known == aliases_.end()) refuse("L202", alias, alias.text + " is not defined");
      return known->second;
    }
    if (lexer_.is_name("t") || lexer_.is_name("f")) {
      return lexer_.take().text == "t" ? Bdds::kTrue : Bdds::kFalse;
    }
    return bdds_.variable(static_cast<std::uint32_t>(number_below(result_.atoms.size(), "proposition")));
  }

  std::optional<Bdd> optional_label() {
    if (!lexer_.is_sign('[')) return std::nullopt;
    lexer_.take();
    const Bdd label = label_expression(0);
    expect_sign(']');
    return label;
  }

  std::uint64_t optional_marks() {
    std::uint64_t marks = 0;
    if (!lexer_.is_sign('{')) return marks;
    lexer_.take();
    while (!lexer_.is_sign('}')) marks |= 1ull << number_below(declared_sets_, "acceptance set");
    lexer_.take();
    return marks;
  }

  std::uint32_t state_number() {
    const auto number = static_cast<std::uint32_t>(number_below(state_count_.value_or(kMaxStates), "state"));
    last_state_ = std::max(last_state_, number + 1);
    return number;
  }

  void read_body() {
    while (lexer_.peek().kind == HoaKind::kHeader && lexer_.peek().text == "State") {
      lexer_.take();
      read_state();
    }
    if (lexer_.peek().kind == HoaKind::kAbort)
      refuse("L202", lexer_.peek(), "the file ends with --ABORT--: its writer stopped before the end");
    expect(HoaKind::kEndOfBody, "State: or --END--");
    if (lexer_.peek().kind != HoaKind::kEnd) {
      refuse("L204", lexer_.peek(), "only one automaton per file is supported");
    }
  }

  void read_state() {
    const std::optional<Bdd> state_label = optional_label();
    const HoaToken number = lexer_.peek();
    const std::uint32_t source = state_number();
    if (!described_.insert(source).second) {
      refuse("L202", number, "state " + number.text + " is described twice");
    }
    if (lexer_.peek().kind == HoaKind::kString) lexer_.take();
    const std::uint64_t state_marks = optional_marks();
    std::uint64_t implicit = 0;  // edges so far that have no label anywhere
    bool has_labels = false;
    while (lexer_.is_sign('[') || lexer_.peek().kind == HoaKind::kNumber) {
      const HoaToken begin = lexer_.peek();
      const std::optional<Bdd> label = optional_label();
      if (label && state_label) refuse("L202", begin, "a label on an edge of a state with a label");
      has_labels = has_labels || label;
      const std::uint32_t target = state_number();
      if (lexer_.is_sign('&')) refuse_alternation();
      const std::uint64_t edge_marks = optional_marks();
      has_edge_marks_ = has_edge_marks_ || edge_marks != 0;
      const Bdd letters = label ? *label : state_label ? *state_label : letter(implicit++, begin);
      add_edge({source, target, letters, state_marks | edge_marks}, begin);
    }
    const bool is_mixed = implicit > 0 && has_labels;
    const bool is_short = implicit > 0 && implicit != 1ull << std::min<std::size_t>(result_.atoms.size(), 63);
    if (is_mixed || is_short) {
      refuse("L202", number,
             "state " + number.text + " has edges without labels, but not one for each letter");
    }
  }

  // The letter with this number, when labels are implicit.
  Bdd letter(std::uint64_t number, const HoaToken& at) {
    const std::size_t atoms = result_.atoms.size();
    if (atoms < 63 && number >= 1ull << atoms) refuse("L202", at, "more edges than letters");
    Bdd set = Bdds::kTrue;
    for (std::size_t i = atoms; i-- > 0;) {
      set = bdds_.both(bdds_.variable(static_cast<std::uint32_t>(i), (number >> i & 1) != 0), set);
    }
    return set;
  }

  void add_edge(const RawEdge& edge, const HoaToken& at) {
    if (edges_.size() >= kMaxEdges) refuse("L206", at, "more than four million edges");
    if (edge.label != Bdds::kFalse) edges_.push_back(edge);
  }

  // The marks of the sets that the condition names, numbered from 0.
  std::uint64_t renamed(std::uint64_t marks) const {
    std::uint64_t result = 0;
    std::uint32_t to = 0;
    for (std::uint32_t i = 0; i < 64; ++i) {
      if ((used_sets_ >> i & 1) == 0) continue;
      if ((marks >> i & 1) != 0) result |= 1ull << to;
      ++to;
    }
    return result;
  }

  std::optional<Automaton> finished() {
    std::vector<std::uint32_t> initial;
    for (const HoaToken& start : starts_) {
      if (start.number >= state_count_.value_or(last_state_)) {
        refuse("L205", start, "state " + start.text + " does not exist");
      }
      initial.push_back(static_cast<std::uint32_t>(start.number));
    }
    result_.sets = static_cast<std::uint32_t>(__builtin_popcountll(used_sets_));
    if (accepts_nothing_ || initial.empty()) {
      classify(result_, bdds_);
      return std::move(result_);
    }
    result_.states.resize(state_count_.value_or(last_state_));
    result_.initial = initial.front();
    for (const RawEdge& edge : edges_) add_cubes(edge);
    // Several initial states: a new state with the edges of all of them.
    if (initial.size() > 1) {
      result_.initial = static_cast<std::uint32_t>(result_.states.size());
      result_.states.emplace_back();
      for (const RawEdge& edge : edges_) {
        if (std::find(initial.begin(), initial.end(), edge.source) == initial.end()) continue;
        add_cubes({result_.initial, edge.target, edge.label, 0});
      }
    }
    result_.is_state_based = result_.sets == 1 && !has_edge_marks_;
    for (State& state : result_.states) {
      state.accepting = result_.is_state_based && !state.edges.empty() && state.edges.front().marks != 0;
    }
    classify(result_, bdds_);
    return std::move(result_);
  }

  void add_cubes(const RawEdge& edge) {
    for (const Literals& literals : bdds_.irredundant_cubes(edge.label)) {
      if (++cube_count_ > kMaxEdges) throw TooLarge();
      Edge made{edge.target, {}, renamed(edge.marks)};
      for (const auto& [variable, positive] : literals) {
        made.label.mask |= 1ull << variable;
        if (positive) made.label.value |= 1ull << variable;
      }
      result_.states[edge.source].edges.push_back(made);
    }
  }

  HoaLexer lexer_;
  Diagnostics& diagnostics_;
  Bdds bdds_;
  Automaton result_;
  std::optional<std::uint32_t> state_count_;
  std::uint32_t last_state_ = 0;
  std::uint32_t declared_sets_ = 0;
  std::uint64_t used_sets_ = 0;
  bool has_acceptance_ = false;
  bool has_propositions_ = false;
  bool accepts_nothing_ = false;
  bool has_edge_marks_ = false;
  std::size_t cube_count_ = 0;
  std::vector<HoaToken> starts_;
  std::map<std::string, Bdd> aliases_;
  std::set<std::uint32_t> described_;
  std::vector<RawEdge> edges_;
};

}  // namespace

std::optional<Automaton> read_hoa(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics) {
  return Reader(sources, file, diagnostics).read();
}

}  // namespace spoor::ltl
