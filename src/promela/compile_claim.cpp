#include "promela/compile_claim.h"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "ltl/formula.h"
#include "ltl/invariant.h"
#include "ltl/stutter.h"
#include "ltl/tgba.h"
#include "ltl/translate.h"
#include "promela/parser.h"
#include "promela/parser_walk.h"
#include "promela/print.h"
#include "promela/walk.h"

namespace spoor::promela {
namespace {

constexpr char kTimeoutHint[] = "write the condition that the processes wait for";
constexpr std::uint32_t kMostCases = 6;
constexpr char kTooManyHint[] = "join several in one comparison, such as ((a == 1) + (b == 2) > 0)";

// Turns the tree of a formula into a formula over atoms.
class FormulaCompiler {
 public:
  FormulaCompiler(const Model& model, const ClaimChoice& choice, CodeBuilder& code, Program& program,
                  Diagnostics& diagnostics)
      : model_(model), choice_(choice), code_(code), program_(program), diagnostics_(diagnostics) {}

  void compile(const LtlFormula& source) {
    const ltl::Formula formula = formula_of(*source.formula, Polarity::kAsserted);
    if (is_broken_) return;
    program_.claim.invariant = ltl::invariant_of(formulas_, formula);
    const ltl::Formula negated = formulas_.negation(formula);
    std::optional<ltl::Automaton> automaton = translate(negated, source.range);
    if (!automaton) return;
    if (choice_.without_conclusion) {  // also if it is constant
      program_.claim.automaton = std::move(*automaton);
      return;
    }
    const std::optional<ltl::Automaton> opposite =
        automaton->is_empty() ? std::nullopt : translate(formula, source.range);
    if (automaton->is_empty() || (opposite && opposite->is_empty())) {
      const char* const always = automaton->is_empty() ? "true" : "false";
      diagnostics_.warning("W153", source.formula->range,
                           std::string("this formula is ") + always + " in every model",
                           "nothing in it depends on a state; is a name missing, or an operator wrong?");
    }
    program_.claim.automaton = std::move(*automaton);
  }

 private:
  // Does the truth of the part make the formula true, or false?
  enum class Polarity : std::uint8_t { kAsserted, kDenied, kBoth };
  static Polarity opposite(Polarity polarity) {
    return polarity == Polarity::kAsserted ? Polarity::kDenied
           : polarity == Polarity::kDenied ? Polarity::kAsserted
                                           : polarity;
  }

  // The automaton that is easiest to search: by its class, then by its size.
  std::optional<ltl::Automaton> translate(ltl::Formula formula, Range where) {
    ltl::TranslateOptions options;
    std::optional<ltl::Automaton> best = ltl::translate(formulas_, formula, options, where, diagnostics_);
    if (!best || best->strength != ltl::Strength::kStrong || choice_.is_fair) return best;
    options.target = ltl::Target::kGeneralized;
    Diagnostics unused;
    std::optional<ltl::Automaton> other = ltl::translate(formulas_, formula, options, where, unused);
    const bool is_better = other && other->states.size() < best->states.size();
    return is_better ? other : best;
  }

  ltl::Formula formula_of(const Expr& expr, Polarity polarity) {
    if (const auto* node = std::get_if<Temporal>(&expr.node)) return temporal(*node, polarity);
    if (const auto* node = std::get_if<Unary>(&expr.node); node && node->op == UnaryOp::kNot) {
      return formulas_.negation(formula_of(*node->operand, opposite(polarity)));
    }
    if (const auto* node = std::get_if<Binary>(&expr.node);
        node && (node->op == BinaryOp::kAnd || node->op == BinaryOp::kOr)) {
      const ltl::Formula left = formula_of(*node->left, polarity);
      const ltl::Formula right = formula_of(*node->right, polarity);
      return node->op == BinaryOp::kAnd ? formulas_.both(left, right) : formulas_.either(left, right);
    }
    if (const auto* node = std::get_if<Constant>(&expr.node)) return formulas_.truth(node->value != 0);
    return proposition(expr);
  }

  ltl::Formula temporal(const Temporal& node, Polarity polarity) {
    if (node.op == TemporalOp::kImplies) return implication(node, polarity);
    if (node.op == TemporalOp::kEquivalent) polarity = Polarity::kBoth;
    const ltl::Formula left = node.left ? formula_of(*node.left, polarity) : formulas_.truth(true);
    const ltl::Formula right = formula_of(*node.right, polarity);
    switch (node.op) {
      case TemporalOp::kNext: return formulas_.next(right);
      case TemporalOp::kAlways: return formulas_.globally(right);
      case TemporalOp::kEventually: return formulas_.finally(right);
      case TemporalOp::kUntil: return formulas_.until(left, right);
      case TemporalOp::kRelease: return formulas_.release(left, right);
      case TemporalOp::kWeakUntil: return formulas_.weak_until(left, right);
      case TemporalOp::kImplies: break;  // above
      case TemporalOp::kEquivalent: {
        const ltl::Formula both = formulas_.both(left, right);
        const ltl::Formula neither = formulas_.negation(formulas_.either(left, right));
        return formulas_.either(both, neither);
      }
    }
    return right;
  }

  ltl::Formula implication(const Temporal& node, Polarity polarity) {
    bool has_conclusion = true;
    if (polarity == Polarity::kAsserted) {
      has_conclusion = choice_.without_conclusion != program_.claim.premises.size();
      program_.claim.premises.push_back({to_text(model_, *node.left), node.left->range.begin});
    }
    const ltl::Formula premise = formula_of(*node.left, opposite(polarity));
    const ltl::Formula conclusion =
        has_conclusion ? formula_of(*node.right, polarity) : formulas_.truth(false);
    return formulas_.either(formulas_.negation(premise), conclusion);
  }

  ltl::Formula proposition(const Expr& expr) {
    const auto is_timeout = [](const Expr& part) { return std::holds_alternative<TimeoutExpr>(part.node); };
    if (any_expression(expr, is_temporal)) return by_cases(expr, kMostCases);
    if (any_expression(expr, is_timeout))
      return broken("P346", expr.range, "a claim cannot use timeout", kTimeoutHint);
    std::string text = to_text(model_, expr);
    const std::size_t known = formulas_.atoms().size();
    const std::optional<ltl::Formula> atom = formulas_.atom(text);
    if (!atom)
      return broken("P349", expr.range, "a formula can have at most 64 different propositions", kTooManyHint);
    if (formulas_.atoms().size() > known) {
      program_.claim.atoms.push_back(code_.expression(expr));
      program_.claim.atom_texts.push_back(std::move(text));
    }
    return *atom;
  }

  // An expression of numbers, some of which are truth values of temporal parts: ([] p) + q == 1. It is
  //
  //     ([] p && 1 + q == 1) || (! [] p && 0 + q == 1)
  //
  // and so on for the parts that are left. `most`: how many parts there may be; each doubles the formula.
  ltl::Formula by_cases(const Expr& expr, std::uint32_t most) {
    if (is_broken_) return formulas_.truth(true);  // one message is enough for all cases
    const ExprPtr copy = clone(expr);
    Expr* const part = temporal_operand(*copy);
    const bool has_other_parts = part == nullptr && any_expression(*copy, is_temporal);
    if (has_other_parts || (part != nullptr && most == 0))
      return broken("P348", expr.range,
                    "there are temporal operators within indices, or too many in comparisons",
                    "temporal operators bind tightest: write [] (x == 1), not [] x == 1");
    if (part == nullptr) {
      const std::optional<std::int64_t> value = value_of(*copy);
      return value ? formulas_.truth(*value != 0) : formula_of(*copy, Polarity::kBoth);
    }
    const ltl::Formula condition = formula_of(*part, Polarity::kBoth);
    part->node = Constant{1, {}};
    const ltl::Formula if_true = by_cases(*copy, most - 1);
    part->node = Constant{0, {}};
    const ltl::Formula if_false = by_cases(*copy, most - 1);
    return formulas_.either(formulas_.both(condition, if_true),
                            formulas_.both(formulas_.negation(condition), if_false));
  }

  // Of an expression without variables; nothing where it has some, or an operator that is rare here.
  static std::optional<std::int64_t> value_of(const Expr& expr) {
    if (const auto* node = std::get_if<Constant>(&expr.node)) return node->value;
    const auto* node = std::get_if<Binary>(&expr.node);
    if (node == nullptr) return std::nullopt;
    const std::optional<std::int64_t> left = value_of(*node->left), right = value_of(*node->right);
    if (!left || !right) return std::nullopt;
    switch (node->op) {
      case BinaryOp::kAdd: return *left + *right;
      case BinaryOp::kSub: return *left - *right;
      case BinaryOp::kLess: return *left < *right;
      case BinaryOp::kLessEqual: return *left <= *right;
      case BinaryOp::kGreater: return *left > *right;
      case BinaryOp::kGreaterEqual: return *left >= *right;
      case BinaryOp::kEqual: return *left == *right;
      case BinaryOp::kNotEqual: return *left != *right;
      default: return std::nullopt;
    }
  }

  static bool is_temporal(const Expr& expr) { return std::holds_alternative<Temporal>(expr.node); }

  // A temporal part of an expression that is an operand of an operator; null: there is none.
  static Expr* temporal_operand(Expr& expr) {
    if (std::holds_alternative<Temporal>(expr.node)) return &expr;
    if (auto* node = std::get_if<Unary>(&expr.node)) return temporal_operand(*node->operand);
    if (auto* node = std::get_if<Binary>(&expr.node)) {
      Expr* const left = temporal_operand(*node->left);
      return left != nullptr ? left : temporal_operand(*node->right);
    }
    if (auto* node = std::get_if<Conditional>(&expr.node)) {
      for (const ExprPtr* operand : {&node->condition, &node->if_true, &node->if_false}) {
        if (Expr* const found = temporal_operand(**operand); found != nullptr) return found;
      }
    }
    return nullptr;
  }

  ltl::Formula broken(const char* code, Range range, std::string message, std::string hint) {
    diagnostics_.error(code, range, std::move(message), std::move(hint));
    is_broken_ = true;
    return formulas_.truth(true);
  }

  const Model& model_;
  const ClaimChoice& choice_;
  CodeBuilder& code_;
  Program& program_;
  Diagnostics& diagnostics_;
  ltl::Formulas formulas_;
  bool is_broken_ = false;
};

// "( !((x==1)))" -> "(x==1)"
std::string without_not(const std::string& text) {
  std::size_t begin = text.find('!');
  if (begin == std::string::npos || text.find_first_not_of("( ") != begin) return text;
  const std::size_t closed =
      begin - static_cast<std::size_t>(
                  std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), ' '));
  begin = text.find_first_not_of(' ', begin + 1);
  std::string rest = text.substr(begin, text.size() - begin - closed);
  while (rest.starts_with("((") && rest.ends_with("))")) rest = rest.substr(1, rest.size() - 2);
  return rest;
}

// Reads the control graph of a never claim as an automaton.
class NeverReader {
 public:
  NeverReader(std::uint32_t process, Program& program, Diagnostics& diagnostics)
      : program_(program), body_(program.processes[process]), diagnostics_(diagnostics) {}

  void read() {
    const bool has_accept_labels = are_accepting_elsewhere();
    automaton_.sets = 1;
    automaton_.initial = state_at(body_.start);
    if (has_accept_labels) processes_accept_ = ask_for_labels();
    while (!pending_.empty() && !is_broken_) {
      const std::uint32_t location = pending_.back();
      pending_.pop_back();
      from_ = state_at(location);
      is_accepting_ = body_.locations[location].is_accept;
      walk(location, ltl::Bdds::kTrue, 0);
    }
    if (is_broken_) return;
    if (automaton_.states.size() > kMostStates)
      return refuse({body_.position, 1}, "this never claim is too large");
    ltl::normalize(automaton_, bdds_);
    ClaimCode& claim = program_.claim;
    const bool is_by_state = ltl::is_state_based(automaton_);
    claim.automaton = ltl::to_automaton(automaton_, claim.atom_texts, bdds_, is_by_state);
    if (claim.automaton.is_empty())
      claim.automaton.states.emplace_back();  // a state without edges: nothing is accepted
    ltl::classify(claim.automaton, bdds_);
    claim.automaton.is_stutter_invariant = ltl::is_stutter_invariant(automaton_, bdds_);
  }

 private:
  static constexpr std::size_t kMostStates = 65000;
  static constexpr std::uint32_t kLongestSequence = 200;  // statements of one indivisible sequence

  bool are_accepting_elsewhere() const {
    for (const ProcessType& type : program_.processes) {
      if (type.kind == BodyKind::kNever) continue;
      for (const Location& location : type.locations) {
        if (location.is_accept) return true;
      }
    }
    return false;
  }

  std::uint32_t state_at(std::uint32_t location) {
    if (location >= state_of_.size())
      state_of_.resize(std::max<std::size_t>(body_.locations.size(), location + 1), kNone);
    if (state_of_[location] == kNone) {
      state_of_[location] = new_state();
      pending_.push_back(location);
    }
    return state_of_[location];
  }

  std::uint32_t new_state() {
    automaton_.states.emplace_back();
    return static_cast<std::uint32_t>(automaton_.states.size() - 1);
  }

  // The state after a violation: it accepts every continuation.
  std::uint32_t violation() {
    if (violation_ == kNone) {
      violation_ = new_state();
      automaton_.states[violation_].push_back({violation_, ltl::Bdds::kTrue, 1});
    }
    return violation_;
  }

  void add_edge(std::uint32_t target, ltl::Bdd when) {
    if (when == ltl::Bdds::kFalse) return;
    auto& edges = automaton_.states[from_];
    if (is_accepting_) {
      edges.push_back({target, when, 1});
      return;
    }
    edges.push_back({target, bdds_.both(when, processes_accept_), 1});
    edges.push_back({target, bdds_.without(when, processes_accept_), 0});
  }

  // The steps from a location, for the states in which `when` holds.
  void walk(std::uint32_t location, ltl::Bdd when, std::uint32_t depth) {
    if (depth > kLongestSequence)
      return refuse({body_.locations[location].position, 1}, "this indivisible sequence does not end");
    const std::vector<Transition>& transitions = body_.locations[location].transitions;
    ltl::Bdd any = ltl::Bdds::kFalse;  // of all but else
    for (const Transition& t : transitions) any = bdds_.either(any, guard(program_.statements[t.statement]));
    ltl::Bdd escaped = ltl::Bdds::kFalse;
    std::uint32_t escape = 0;
    ltl::Bdd taken = ltl::Bdds::kFalse;
    for (const Transition& t : transitions) {
      const Statement& statement = program_.statements[t.statement];
      if (t.escape != escape) {  // an enabled escape disables the later transitions
        if (escape != 0) escaped = bdds_.either(escaped, taken);
        escape = t.escape;
        taken = ltl::Bdds::kFalse;
      }
      const bool is_else = statement.op == StatementOp::kElse;
      const ltl::Bdd possible = is_else ? bdds_.negation(any) : guard(statement);
      taken = bdds_.either(taken, possible);
      const ltl::Bdd now = bdds_.both(when, bdds_.without(possible, escaped));
      if (now != ltl::Bdds::kFalse) step(statement, t, now, depth);
      if (is_broken_) return;
    }
    // Where an indivisible sequence is blocked, the claim is: unlike a process it is not interrupted.
  }

  void step(const Statement& statement, const Transition& t, ltl::Bdd now, std::uint32_t depth) {
    if (statement.op == StatementOp::kEnd) return add_edge(violation(), now);
    const auto continue_with = [&](ltl::Bdd then) {
      if (t.stays_atomic)
        walk(t.target, then, depth + 1);
      else
        add_edge(state_at(t.target), then);
    };
    if (statement.op == StatementOp::kDStep)
      return run_d_step(program_.dsteps[statement.dstep], 0, now, depth, continue_with);
    continue_with(after(statement, now));
  }

  // The condition after the statement; where the statement fails, that is a violation.
  ltl::Bdd after(const Statement& statement, ltl::Bdd now) {
    if (statement.op != StatementOp::kAssert) return now;
    const ltl::Bdd holds = proposition(statement.expr, statement);
    add_edge(violation(), bdds_.without(now, holds));
    return bdds_.both(now, holds);
  }

  template <class Continuation>
  void run_d_step(const DStepCode& code, std::uint32_t index, ltl::Bdd now, std::uint32_t depth,
                  const Continuation& continue_with) {
    if (is_broken_ || now == ltl::Bdds::kFalse) return;
    if (++depth > kLongestSequence)
      return refuse({code.nodes[index].position, 1}, "this indivisible sequence does not end");
    const DStepNode& node = code.nodes[index];
    switch (node.kind) {
      case DStepNode::Kind::kExit: return continue_with(now);
      case DStepNode::Kind::kStatement: {
        const Statement& statement = program_.statements[node.statement];
        // The choice that contains an else has subtracted its other options.
        const ltl::Bdd possible = statement.op == StatementOp::kElse ? ltl::Bdds::kTrue : guard(statement);
        return run_d_step(code, node.next, after(statement, bdds_.both(now, possible)), depth, continue_with);
      }
      case DStepNode::Kind::kChoice:
        for (const std::uint32_t option : node.options) {  // the first that is possible
          const ltl::Bdd possible = can_start(code, option);
          run_d_step(code, option, bdds_.both(now, possible), depth, continue_with);
          now = bdds_.without(now, possible);
        }
    }
  }

  ltl::Bdd can_start(const DStepCode& code, std::uint32_t index) {
    const DStepNode& node = code.nodes[index];
    if (node.kind == DStepNode::Kind::kStatement) {
      const Statement& statement = program_.statements[node.statement];
      return statement.op == StatementOp::kElse ? ltl::Bdds::kTrue : guard(statement);
    }
    ltl::Bdd any = ltl::Bdds::kFalse;
    for (const std::uint32_t option : node.options) any = bdds_.either(any, can_start(code, option));
    return node.kind == DStepNode::Kind::kExit ? ltl::Bdds::kTrue : any;
  }

  // The condition under which the statement is executable; for else, which depends on other statements,
  // false.
  ltl::Bdd guard(const Statement& statement) {
    switch (statement.op) {
      case StatementOp::kElse: return ltl::Bdds::kFalse;
      case StatementOp::kSkip:
      case StatementOp::kPrint:
      case StatementOp::kPrintMtype:
      case StatementOp::kAssert:
      case StatementOp::kEnd: return ltl::Bdds::kTrue;
      case StatementOp::kCondition:
        if (statement.preconditions.empty()) return proposition(statement.expr, statement);
        break;
      case StatementOp::kDStep: return can_start(program_.dsteps[statement.dstep], 0);
      default: break;
    }
    refuse({statement.position, 1}, "a never claim cannot contain '" + statement.text + "'");
    return ltl::Bdds::kFalse;
  }

  ltl::Bdd proposition(ExprId expr, const Statement& statement) {
    const ExprCode& code = program_.exprs[expr];
    if (code.op == Op::kConstant) return code.value != 0 ? ltl::Bdds::kTrue : ltl::Bdds::kFalse;
    if (code.op == Op::kNot && program_.exprs[code.left].op != Op::kConstant) {
      return bdds_.negation(plain_proposition(code.left, without_not(statement.text), statement));
    }
    return plain_proposition(expr, statement.text, statement);
  }

  ltl::Bdd plain_proposition(ExprId expr, const std::string& text, const Statement& statement) {
    if (mentions(expr, Op::kTimeout)) {
      diagnostics_.error("P346", {statement.position, 1}, "a claim cannot use timeout", kTimeoutHint);
      is_broken_ = true;
    }
    if (mentions(expr, Op::kRun))
      refuse({statement.position, 1}, "a never claim cannot contain '" + statement.text + "'");
    return atom(expr, text, {statement.position, 1});
  }

  ltl::Bdd atom(ExprId expr, const std::string& text, Range where) {
    ClaimCode& claim = program_.claim;
    std::size_t i = 0;
    while (i < claim.atoms.size() && !is_same(claim.atoms[i], expr)) ++i;
    if (i == ltl::kMaxAtoms) {
      if (!is_broken_)
        diagnostics_.error("P349", where, "a claim can have at most 64 different propositions", kTooManyHint);
      is_broken_ = true;
      return ltl::Bdds::kFalse;
    }
    if (i == claim.atoms.size()) {
      claim.atoms.push_back(expr);
      claim.atom_texts.push_back(text);
    }
    return bdds_.variable(static_cast<std::uint32_t>(i));
  }

  ltl::Bdd ask_for_labels() {
    ExprCode code;
    code.op = Op::kAccepting;
    program_.exprs.push_back(code);
    return atom(static_cast<ExprId>(program_.exprs.size() - 1), "accept label", {body_.position, 1});
  }

  // Are the two propositions the same?
  bool is_same(ExprId a, ExprId b) const {
    if (a == b) return true;
    if (a == kNone || b == kNone) return false;
    const ExprCode& x = program_.exprs[a];
    const ExprCode& y = program_.exprs[b];
    if (x.op != y.op || x.value != y.value || !x.args.empty() || !x.fields.empty() || !y.args.empty() ||
        !y.fields.empty())
      return false;
    const bool third_is_expression = x.op == Op::kConditional;
    if (third_is_expression ? !is_same(x.third, y.third) : x.third != y.third) return false;
    return is_same(x.left, y.left) && is_same(x.right, y.right) && is_same_place(x.place, y.place);
  }

  bool is_same_place(PlaceId a, PlaceId b) const {
    if (a == b) return true;
    if (a == kNone || b == kNone) return false;
    const Place& x = program_.places[a];
    const Place& y = program_.places[b];
    if (x.region != y.region || x.offset != y.offset || x.type != y.type ||
        x.indices.size() != y.indices.size())
      return false;
    for (std::size_t i = 0; i < x.indices.size(); ++i) {
      if (x.indices[i].stride != y.indices[i].stride || !is_same(x.indices[i].expr, y.indices[i].expr))
        return false;
    }
    return true;
  }

  bool mentions(ExprId id, Op op) const {
    if (id == kNone) return false;
    const ExprCode& e = program_.exprs[id];
    if (e.op == op || mentions(e.left, op) || mentions(e.right, op)) return true;
    if (e.op == Op::kConditional && mentions(e.third, op)) return true;
    for (const ExprId arg : e.args) {
      if (mentions(arg, op)) return true;
    }
    if (e.place == kNone) return false;
    for (const Place::Index& index : program_.places[e.place].indices) {
      if (mentions(index.expr, op)) return true;
    }
    return false;
  }

  void refuse(Range where, std::string message) {
    if (!is_broken_)
      diagnostics_.error("P346", where, std::move(message),
                         "a claim only observes states: it consists of conditions, assertions and jumps");
    is_broken_ = true;
  }

  Program& program_;
  const ProcessType& body_;
  Diagnostics& diagnostics_;
  ltl::Bdds bdds_;
  ltl::Tgba automaton_;
  std::vector<std::uint32_t> state_of_;  // by location
  std::vector<std::uint32_t> pending_;   // locations whose edges are not made yet
  std::uint32_t violation_ = kNone;
  ltl::Bdd processes_accept_ = ltl::Bdds::kFalse;
  std::uint32_t from_ = 0;  // the state whose edges are being made
  bool is_accepting_ = false;
  bool is_broken_ = false;
};

// Is there an accept label inside an atomic sequence, where a process is only if it is blocked there?
bool has_inner_labels(const Program& program) {
  for (const ProcessType& type : program.processes) {
    if (type.kind == BodyKind::kNever) continue;
    for (const Location& location : type.locations) {
      for (const Transition& t : location.transitions) {
        if (t.stays_atomic && type.locations[t.target].is_accept) return true;
      }
    }
  }
  return false;
}

}  // namespace

void compile_atoms(const ClaimChoice& choice, const Model& model, CodeBuilder& code, Program& program,
                   Diagnostics& diagnostics) {
  ClaimCode& claim = program.claim;
  claim.kind = choice.kind;
  const auto ask = [&](Op op, const char* text) {
    ExprCode proposition;
    proposition.op = op;
    program.exprs.push_back(proposition);
    claim.atoms.push_back(static_cast<ExprId>(program.exprs.size() - 1));
    claim.atom_texts.emplace_back(text);
  };
  switch (choice.kind) {
    case ClaimCode::Kind::kNone: return;
    case ClaimCode::Kind::kFormula:
      claim.name = model.formulas[choice.index].name;
      claim.range = model.formulas[choice.index].range;
      FormulaCompiler(model, choice, code, program, diagnostics).compile(model.formulas[choice.index]);
      return;
    case ClaimCode::Kind::kNever:
      claim.name = model.proctypes[choice.index].name;
      claim.range = model.proctypes[choice.index].range;
      return;  // finish_claim does the rest
    case ClaimCode::Kind::kAccept: return ask(Op::kAccepting, "accept label");
    case ClaimCode::Kind::kProgress: {
      ask(Op::kNonProgress, "np_");
      ltl::Formulas formulas;
      const ltl::Formula from_now_on = formulas.globally(*formulas.atom("np_"));
      claim.automaton = *ltl::translate(formulas, formulas.finally(from_now_on), {}, {}, diagnostics);
      return;
    }
  }
}

void finish_claim(const ClaimChoice& choice, Program& program, Diagnostics& diagnostics) {
  const bool counts_labels =
      choice.kind == ClaimCode::Kind::kNever || choice.kind == ClaimCode::Kind::kAccept;
  program.claim.has_inner_labels = counts_labels && has_inner_labels(program);
  if (choice.kind == ClaimCode::Kind::kNever) NeverReader(choice.index, program, diagnostics).read();
}

bool is_limit_of_claims(const std::string& code) {
  // Side effects and timeout, a temporal operator inside a comparison, too many propositions, too large an
  // automaton.
  return code == "P346" || code == "P348" || code == "P349" || code == "L108";
}

std::vector<Range> labels_of_processes(const Model& model, const std::string& prefix) {
  struct Labels : Walker<Labels> {
    void on_stmt(const Stmt& stmt) {
      for (const Label& label : stmt.labels) {
        if (label.name.starts_with(prefix)) found.push_back(label.range);
      }
      Walker::on_stmt(stmt);
    }
    void on_proctype(const Proctype& proctype) {
      if (proctype.kind == BodyKind::kProctype || proctype.kind == BodyKind::kInit)
        Walker::on_proctype(proctype);
    }
    std::string prefix;
    std::vector<Range> found;
  };
  Labels labels;
  labels.prefix = prefix;
  labels.on_model(model);
  // An inline that is used twice has its labels twice, at the same place.
  const auto place = [](const Range& range) {
    return std::tuple(range.begin.file, range.begin.line, range.begin.column);
  };
  std::ranges::sort(labels.found, {}, place);
  const auto is_same = [&](const Range& a, const Range& b) { return place(a) == place(b); };
  labels.found.erase(std::unique(labels.found.begin(), labels.found.end(), is_same), labels.found.end());
  return labels.found;
}

}  // namespace spoor::promela
