// Statements and sequences.
#include <algorithm>

#include "promela/parser.h"

namespace spoor::promela {

namespace {

bool is_loop(const Stmt& stmt) {
  return std::holds_alternative<Do>(stmt.node) || std::holds_alternative<ForRange>(stmt.node) ||
         std::holds_alternative<ForIn>(stmt.node) || std::holds_alternative<Select>(stmt.node);
}

bool is_braced(const Stmt& stmt) {
  return std::holds_alternative<Block>(stmt.node) || std::holds_alternative<Atomic>(stmt.node) ||
         std::holds_alternative<DStep>(stmt.node);
}

}  // namespace

// ---- Sequences ---------------------------------------------------------------------------------

bool Parser::at_sequence_end() {
  switch (peek().kind) {
    case Tok::kRightBrace:
    case Tok::kSep:
    case Tok::kFi:
    case Tok::kOd:
    case Tok::kEnd: return true;
    default: return false;
  }
}

// Steps between separators, up to a token that ends the sequence. At most one separator may come
// before that token.
void Parser::sequence(Sequence& into) {
  const Nesting nesting(*this);
  Sequence* const outer = sequence_;
  sequence_ = &into;
  for (;;) {
    const Marks marks = mark();
    try {
      step();
      if (at_sequence_end()) break;
      if (!at(Tok::kSemi) && !at(Tok::kArrow)) unexpected("a separator between statements");
    } catch (const SyntaxError&) {
      forget_since(marks);
      skip_statement();
      if (at_sequence_end()) break;
      if (at_unit()) {  // the body is not closed
        sequence_ = outer;
        throw;
      }
    }
    Token separator = take();
    int separators = 1;
    while (at(Tok::kSemi) || at(Tok::kArrow)) {
      separator = take();
      ++separators;
    }
    if (at_sequence_end()) {
      if (separators > 1 && !at(Tok::kEnd)) {
        error("P101", separator.range, "one separator too many",
              "remove the semicolons before " + describe(peek()));
      }
      break;
    }
  }
  sequence_ = outer;
}

// The statements of a block whose opening brace has been taken; takes the closing one.
Sequence Parser::block_sequence() {
  may_initialize_ = false;
  Sequence result;
  sequence(result);
  expect(Tok::kRightBrace, "to end the block");
  return result;
}

void Parser::step() {
  if (at_declaration()) {
    declaration();
    return;
  }
  if (at(Tok::kXr) || at(Tok::kXs)) {
    channel_claims();
    return;
  }
  if (at_sequence_end()) unexpected("a statement");
  const std::size_t loops = loops_.size();
  StmtPtr parsed = statement();
  if (at(Tok::kUnless)) parsed = unless_statement(std::move(parsed));
  loops_.resize(loops);
  if (parsed != nullptr) sequence_->push_back(std::move(parsed));
}

// xr q, r; or xs q, r;
void Parser::channel_claims() {
  const bool receive = take().kind == Tok::kXr;
  has_channel_claims_ = true;
  do {
    Reference channel = reference();
    if (channel.is_broken) continue;
    const bool is_field = channel.has_fields && channel.type.base != BaseType::kRecord;
    if (channel.type.base != BaseType::kChan && !is_field) {
      error("P344", channel.ref.range, "only channels can be claimed with xr and xs");
      continue;
    }
    const std::vector<PathPart>& path = channel.ref.path;
    if (std::any_of(path.begin(), path.end(), [](const PathPart& part) { return part.index != nullptr; })) {
      error("P344", channel.ref.range, "an element of an array cannot be claimed with xr and xs",
            "give it a name first: chan c = " + channel.text);
      continue;
    }
    if (channel.type.base != BaseType::kChan) continue;  // SPIN does not check the types of fields
    const std::uint64_t key = std::uint64_t{channel.ref.symbol} << 1 | (receive ? 1 : 0);
    const auto [claim, is_first] = claimed_by_.emplace(key, proctype_);
    if (!is_first && claim->second != proctype_) {
      error("P344", channel.ref.range,
            "the processes " + model_.proctypes[claim->second].name + " and " +
                model_.proctypes[proctype_].name + " both claim this channel");
    }
    model_.proctypes[proctype_].channel_claims.push_back({receive, std::move(channel.ref)});
  } while (accept(Tok::kComma));
}

// ---- Statements --------------------------------------------------------------------------------

StmtPtr Parser::statement() {
  const Nesting nesting(*this);
  StmtPtr result = unlabelled_statement();
  may_initialize_ = false;
  return result;
}

StmtPtr Parser::unlabelled_statement() {
  const Range begin = peek().range;
  switch (peek().kind) {
    case Tok::kName: {
      const Token name = take();
      if (at(Tok::kColon)) return labelled_statement(name);
      return statement_from_reference(name);
    }
    case Tok::kIf: return choice(false);
    case Tok::kDo: return choice(true);
    case Tok::kFor: return for_statement();
    case Tok::kSelect: return select_statement();
    case Tok::kBreak: return break_statement();
    case Tok::kGoto: return goto_statement();
    default: break;
  }
  events_only(begin);
  switch (peek().kind) {
    case Tok::kAtomic:
    case Tok::kDStep: return braced();
    case Tok::kLeftBrace: return braced();
    case Tok::kInlineName: return inline_call(std::nullopt, begin);
    case Tok::kReturn: return return_statement();
    case Tok::kPrintf: return print_statement();
    case Tok::kPrintm: return printm_statement();
    case Tok::kElse: take(); return make_statement(ElseStmt{}, begin);
    case Tok::kAssert: {
      take();
      Operand value = full_expression();
      if (value.is_list) require_plain(value);
      if (d_steps_ > 0) check_d_step_expression(*value.expr, value.range);
      return make_statement(Assert{std::move(value.expr)}, begin);
    }
    case Tok::kSetPriority: {
      take();
      model_.uses_priority = true;
      left_paren();
      ExprPtr pid = expression();
      expect(Tok::kComma, "between the process number and its priority");
      ExprPtr priority = expression();
      right_paren();
      return make_statement(SetPriority{std::move(pid), std::move(priority)}, begin);
    }
    case Tok::kCCode:
    case Tok::kCDecl: {
      take();
      std::optional<RawBlock> block = lexer_.raw_block(true);
      if (!block) throw SyntaxError{};
      return make_statement(EmbeddedCode{std::move(block->text), std::move(block->precondition)}, begin);
    }
    default: return condition(full_expression(), begin);
  }
}

StmtPtr Parser::condition(Operand value, Range begin) {
  if (value.is_list) require_plain(value);
  check_runs(*value.expr, value.range);
  if (d_steps_ > 0) check_d_step_expression(*value.expr, value.range);
  return make_statement(ExprStmt{std::move(value.expr)}, begin);
}

// A statement that begins with a variable: an assignment, i/o, or a condition.
StmtPtr Parser::statement_from_reference(const Token& first) {
  const Range begin = first.range;
  Reference target = reference_from(first);
  switch (peek().kind) {
    case Tok::kSend: take(); return send(std::move(target), false, begin);
    case Tok::kSortedSend:
      events_only(begin);
      take();
      return send(std::move(target), true, begin);
    case Tok::kReceive:
    case Tok::kRandomReceive: {
      const bool random = take().kind == Tok::kRandomReceive;
      if (at(Tok::kLeftBracket)) {
        events_only(begin);
        return condition(binary_from(poll(std::move(target), random, begin), 1), begin);
      }
      return receive(std::move(target), random, begin);
    }
    case Tok::kAssign: {
      events_only(begin);
      take();
      if (at(Tok::kInlineName)) return inline_call(std::move(target), begin);
      Operand value = full_expression();
      return assignment(std::move(target), std::move(value), begin);
    }
    case Tok::kIncrement:
      events_only(begin);
      take();
      return step_by_one(std::move(target), BinaryOp::kAdd, begin);
    case Tok::kDecrement:
      events_only(begin);
      take();
      return step_by_one(std::move(target), BinaryOp::kSub, begin);
    default: {
      events_only(begin);
      Operand left = from_reference(std::move(target));
      return condition(binary_from(std::move(left), 1), begin);
    }
  }
}

StmtPtr Parser::assignment(Reference target, Operand value, Range begin) {
  if (value.is_list) require_plain(value);
  check_assignable(target);
  check_assignment(target, *value.expr);
  mark_written(target);
  return make_statement(Assign{std::move(target.ref), std::move(value.expr), false}, begin);
}

// x++ and x--
StmtPtr Parser::step_by_one(Reference target, BinaryOp op, Range begin) {
  check_assignable(target);
  if (!target.is_broken && !target.has_fields && target.type.base == BaseType::kChan) {
    error("P345", target.ref.range, "channels cannot be counted up or down");
  }
  check_copyable(target.ref);
  check_readable(target);
  mark_read(target);
  mark_written(target);
  ExprPtr old = std::make_unique<Expr>(Expr{Variable{clone(target.ref)}, target.ref.range});
  ExprPtr value =
      std::make_unique<Expr>(Expr{Binary{op, std::move(old), make_constant(1, begin)}, target.ref.range});
  return make_statement(Assign{std::move(target.ref), std::move(value), false}, begin);
}

// name: after the name. A label without a statement labels a skip.
StmtPtr Parser::labelled_statement(const Token& name) {
  take();
  Label label = make_label(name);
  if (at_declaration() || at(Tok::kXr) || at(Tok::kXs)) {
    fail("P207", name.range, "a label cannot be before a declaration",
         "move the declaration up, or put a skip after the label");
  }
  StmtPtr result;
  const bool is_bare = at_sequence_end() || at(Tok::kSemi) || at(Tok::kArrow) || at(Tok::kUnless);
  if (is_bare) {
    result = make_statement(ExprStmt{make_constant(1, name.range)}, name.range);
  } else {
    result = statement();
  }
  if (result != nullptr) {
    result->labels.insert(result->labels.begin(), std::move(label));
    note_label(result->labels.front(), *result);
  }
  return result;
}

StmtPtr Parser::unless_statement(StmtPtr guarded) {
  const Range begin = take().range;
  if (guarded == nullptr) throw SyntaxError{};
  // A break in the escape can leave a labelled loop, but not an unlabelled one.
  if (is_loop(*guarded) && !guarded->labels.empty()) loops_.push_back(d_step_);
  Unless node;
  node.escape = statement();
  if (node.escape == nullptr) throw SyntaxError{};
  if (!node.escape->labels.empty() && !is_loop(*node.escape)) {
    error("P208", node.escape->labels.front().range, "the first statement of an escape cannot be labelled",
          "it is not a single state, so it cannot be the target of a jump");
  }
  const Range range = guarded->range.begin.is_known() ? guarded->range : begin;
  if (!guarded->labels.empty() && is_braced(*guarded)) {
    // L: { a } unless b  means  L: { { a } unless b }
    std::vector<Label> labels = std::move(guarded->labels);
    guarded->labels.clear();
    node.body = std::move(guarded);
    Block lifted;
    lifted.body.push_back(std::make_unique<Stmt>(Stmt{std::move(node), range, {}}));
    return std::make_unique<Stmt>(Stmt{std::move(lifted), range, std::move(labels)});
  }
  if (!guarded->labels.empty() && !is_loop(*guarded)) {
    error("P208", guarded->labels.front().range, "a label before an unless must be followed by braces",
          "write " + guarded->labels.front().name + ": { statement unless statement }");
  }
  node.body = std::move(guarded);
  return std::make_unique<Stmt>(Stmt{std::move(node), range, {}});
}

// if ... fi and do ... od, from the keyword on.
StmtPtr Parser::choice(bool is_loop) {
  const Token keyword = take();
  const Tok end = is_loop ? Tok::kOd : Tok::kFi;
  const std::size_t loops = loops_.size();
  if (is_loop) loops_.push_back(d_step_);
  if (!at(Tok::kSep)) unexpected(":: to begin the first option");
  std::vector<Sequence> options;
  bool has_else = false;
  bool has_io = false;
  while (accept(Tok::kSep)) {
    may_initialize_ = false;
    const Range begin = last_range_;
    const std::size_t errors = diagnostics_.error_count();
    Sequence& option = options.emplace_back();
    sequence(option);
    if (option.empty()) {  // xr and xs are not statements; after an error there is no second report
      if (diagnostics_.error_count() == errors) {
        error("P108", begin, "this option has no statement", "put a skip into it");
      }
      continue;
    }
    if (std::holds_alternative<ElseStmt>(option.front()->node)) {
      if (has_else) {
        error("P209", option.front()->range, "a second else in the same " + keyword.text);
      }
      has_else = true;
    } else {
      has_io = has_io || uses_channel(*option.front());
    }
  }
  if (!at(end)) {
    unexpected(is_loop ? ":: or od" : ":: or fi",
               "this " + keyword.text + " began in line " + std::to_string(keyword.range.begin.line));
  }
  take();
  loops_.resize(loops);
  if (has_else && has_io && has_channel_claims_) {
    error("P322", keyword.range, "else beside i/o cannot be combined with xr and xs");
  }
  if (is_loop) return make_statement(Do{std::move(options)}, keyword.range);
  return make_statement(If{std::move(options)}, keyword.range);
}

// { ... }, atomic { ... }, d_step { ... }
StmtPtr Parser::braced() {
  const Token keyword = take();
  if (keyword.kind != Tok::kLeftBrace) expect(Tok::kLeftBrace, "after " + keyword.text);
  const bool is_d_step = keyword.kind == Tok::kDStep;
  if (is_d_step) {
    ++d_steps_;
    d_step_ = ++d_step_count_;
  }
  Sequence sequence = block_sequence();
  if (is_d_step) {
    --d_steps_;
    closed_d_step_ = d_step_;  // 0 when another d_step was closed inside: SPIN then ignores this one
    d_step_ = 0;
  }
  check_block(sequence, keyword);
  if (is_d_step && d_steps_ == 0) check_d_step_begin(sequence);
  if (keyword.kind == Tok::kAtomic) {
    return make_statement(Atomic{std::move(sequence)}, keyword.range);
  }
  if (is_d_step) {
    return make_statement(DStep{std::move(sequence)}, keyword.range);
  }
  return make_statement(Block{std::move(sequence)}, keyword.range);
}

StmtPtr Parser::print_statement() {
  const Range begin = take().range;
  left_paren();
  Print print;
  print.format = expect(Tok::kString, "as the format of printf").text;
  if (accept(Tok::kComma)) print.args = arguments().list;
  right_paren();
  if (d_steps_ > 0) {
    for (const ExprPtr& arg : print.args) check_d_step_expression(*arg, arg->range);
  }
  return make_statement(std::move(print), begin);
}

StmtPtr Parser::printm_statement() {
  const Range begin = take().range;
  left_paren();
  ExprPtr value;
  if (at(Tok::kConst)) {
    if (!peek().is_mtype) {
      error("P341", peek().range, "printm needs an mtype constant or a variable",
            "an argument of an inline counts as a number, even when it is an mtype constant");
    }
    value = std::move(constant_operand().expr);
  } else {
    Operand operand = from_reference(reference());
    require_plain(operand);
    value = std::move(operand.expr);
  }
  right_paren();
  return make_statement(PrintMtype{std::move(value)}, begin);
}

StmtPtr Parser::goto_statement() {
  const Range begin = take().range;
  if (!at(Tok::kName)) unexpected("the name of a label after goto");
  const Token name = take();
  const Label target = make_label(name);
  gotos_.push_back({target, d_step_});
  return make_statement(Goto{target.name, target.scope, target.inline_id}, begin);
}

StmtPtr Parser::break_statement() {
  const Range begin = take().range;
  if (loops_.empty()) {
    error("P217", begin, "break outside of a loop");
  } else if (loops_.back() != d_step_) {
    error("P212", begin, "a break cannot lead out of a d_step");
  }
  return make_statement(Break{}, begin);
}

// f(a, b) and x = f(a, b). The body replaces the call, as a block.
StmtPtr Parser::inline_call(std::optional<Reference> result, Range begin) {
  const Token name = take();
  InlineDefinition& definition = *names_.inline_named(name.text);
  lexer_.mode.in_inline_call = true;
  in_inline_arguments_ = true;
  const bool was_quiet = is_quiet_;
  is_quiet_ = true;
  const auto finish = [&] {
    lexer_.mode.in_inline_call = false;
    in_inline_arguments_ = false;
    is_quiet_ = was_quiet;
  };
  std::size_t count = 0;
  try {
    left_paren();
    if (!at(Tok::kRightParen)) {
      do {
        expression();
        ++count;
      } while (accept(Tok::kComma));
    }
    right_paren();
  } catch (const SyntaxError&) {
    finish();
    lexer_.forget_arguments();
    throw;
  }
  finish();
  may_initialize_ = false;
  const Range call = since(begin);
  if (definition.is_broken) {
    lexer_.forget_arguments();
    return make_statement(ExprStmt{make_constant(1, call)}, begin);
  }
  if (count != definition.parameters.size()) {
    lexer_.forget_arguments();
    error("P112", call,
          name.text + " takes " + std::to_string(definition.parameters.size()) +
              " arguments, but is called with " + std::to_string(count));
    return make_statement(ExprStmt{make_constant(1, call)}, begin);
  }
  if (!lexer_.enter_inline(definition, count, call)) {
    return make_statement(ExprStmt{make_constant(1, call)}, begin);
  }
  if (result) {
    check_assignable(*result);
    check_copyable(result->ref);
    mark_written(*result);
  }
  results_[lexer_.expansion()] = std::move(result);
  StmtPtr expanded = braced();
  return expanded;
}

StmtPtr Parser::return_statement() {
  const Range begin = take().range;
  Operand value = full_expression();
  const auto found = results_.find(lexer_.expansion());
  if (found == results_.end() || !found->second) {
    error("P218", begin, "return needs an inline that is called as x = f(...)");
    return make_statement(ExprStmt{make_constant(1, begin)}, begin);
  }
  if (value.is_list) require_plain(value);
  return make_statement(Assign{clone(found->second->ref), std::move(value.expr), false}, begin);
}

Label Parser::make_label(const Token& name) {
  Entry& entry = names_[name.entry];
  if (entry.kind != Entry::Kind::kNone && entry.kind != Entry::Kind::kLabel && !entry.is_broken) {
    error("P202", name.range, name.text + " is a variable and cannot be used as a label",
          "choose another name: labels and variables share one space of names");
  } else {
    entry.kind = Entry::Kind::kLabel;
  }
  return {name.text, entry.scope, lexer_.expansion(), name.range};
}

}  // namespace spoor::promela
