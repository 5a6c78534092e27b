#include "promela/parser.h"

#include <algorithm>

namespace spoor::promela {

Parser::Parser(const Preprocessed& source, Diagnostics& diagnostics)
    : diagnostics_(diagnostics), names_(model_), lexer_(source, names_, diagnostics) {}

Model Parser::parse() {
  while (!at(Tok::kEnd)) {
    const Marks marks = mark();
    bool is_broken = false;
    try {
      unit();
    } catch (const SyntaxError&) {
      is_broken = true;
    } catch (const NestingError&) {
      is_broken = true;
    }
    if (is_broken) {
      forget_since(marks);
      if (proctype_ != kNoContext) broken_proctypes_.insert(proctype_);
      skip_unit();
    }
  }
  check_model();
  return std::move(model_);
}

// ---- Tokens ------------------------------------------------------------------------------------

const Token& Parser::peek() {
  if (!ahead_) ahead_ = lexer_.next();
  return *ahead_;
}

Token Parser::take() {
  peek();
  Token token = std::move(*ahead_);
  ahead_.reset();
  last_range_ = token.range;
  // A name that was read as a field before an error ended the record.
  if (token.kind == Tok::kName && token.entry == kNoEntry && !lexer_.mode.in_record) {
    token.entry = names_.lookup(token.text);
  }
  return token;
}

bool Parser::accept(Tok kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Token Parser::expect(Tok kind, std::string_view purpose) {
  if (!at(kind)) {
    const std::string_view text = spelling(kind);
    const std::string wanted = !text.empty()         ? "'" + std::string(text) + "'"
                               : kind == Tok::kName  ? "a name"
                               : kind == Tok::kConst ? "a constant"
                                                     : "a string";
    unexpected(wanted + " " + std::string(purpose));
  }
  return take();
}

void Parser::left_paren() {
  expect(Tok::kLeftParen, "here");
  ++lexer_.mode.open_parens;
}

void Parser::right_paren() {
  expect(Tok::kRightParen, "here");
  --lexer_.mode.open_parens;
}

void Parser::error(std::string_view code, Range range, std::string message, std::string hint) {
  // The body of an inline is read once per call; its errors are reported once.
  std::string key(code);
  key += ' ' + std::to_string(range.begin.file) + ' ' + std::to_string(range.begin.line) + ' ' +
         std::to_string(range.begin.column) + ' ' + message;
  if (!reported_.insert(std::move(key)).second) return;
  diagnostics_.error(code, range, std::move(message), std::move(hint));
}

void Parser::fail(std::string_view code, Range range, std::string message, std::string hint) {
  error(code, range, std::move(message), std::move(hint));
  throw SyntaxError{};
}

void Parser::unexpected(std::string_view wanted, std::string hint) {
  const Token& token = peek();
  if (token.kind == Tok::kStray) {
    const auto c = static_cast<unsigned char>(token.text.empty() ? 0 : token.text[0]);
    const bool is_printable = c > ' ' && c < 0x7f;
    fail("P104", token.range,
         is_printable ? "the character " + token.text + " means nothing in Promela"
                      : "a byte (" + std::to_string(c) + ") that is not part of Promela",
         std::move(hint));
  }
  fail("P101", token.range, "unexpected " + describe(token) + "; expected " + std::string(wanted),
       std::move(hint));
}

Range Parser::since(const Range& begin) const {
  const Position& first = begin.begin;
  const Position& last = last_range_.begin;
  if (first.file != last.file || first.line != last.line || last.column < first.column) {
    return begin;
  }
  return {first, std::max(begin.length, last.column - first.column + last_range_.length)};
}

Parser::Nesting::Nesting(Parser& parser) : parser_(parser) {
  if (++parser_.nesting_ <= kMaxNesting) return;
  parser_.error("P107", parser_.last_range_, "this is nested too deeply",
                "some hundred levels are understood");
  throw NestingError{};
}

Parser::Marks Parser::mark() const { return {runs_.size(), labels_.size()}; }

// Removes the pointers into the nodes that were parsed since then and dropped. Labels stay known, so
// that a goto to one of them is not a second error.
void Parser::forget_since(const Marks& marks) {
  if (runs_.size() > marks.runs) runs_.resize(marks.runs);
  for (std::size_t i = marks.labels; i < labels_.size(); ++i) labels_[i].stmt = nullptr;
}

// Allowed only at the outermost level.
bool Parser::at_unit() {
  switch (peek().kind) {
    case Tok::kActive:
    case Tok::kProctype:
    case Tok::kDProctype:
    case Tok::kInit:
    case Tok::kNever:
    case Tok::kTrace:
    case Tok::kNotrace:
    case Tok::kLtl:
    case Tok::kInline:
    case Tok::kTypedef:
    case Tok::kCState:
    case Tok::kCTrack: return true;
    default: return false;
  }
}

// Skips the rest of a statement with an error, to the next separator or closing word of the sequence
// around it.
void Parser::skip_statement() {
  lexer_.mode.open_parens = 0;
  lexer_.mode.in_for = false;
  lexer_.mode.in_record = false;
  expand_records_ = 0;
  int depth = 0;
  for (; !at_unit(); take()) {
    switch (peek().kind) {
      case Tok::kEnd: return;
      case Tok::kLeftBrace:
      case Tok::kIf:
      case Tok::kDo: ++depth; break;
      case Tok::kRightBrace:
      case Tok::kFi:
      case Tok::kOd:
        if (depth == 0) return;
        --depth;
        break;
      case Tok::kSep:
      case Tok::kSemi:
      case Tok::kArrow:
        if (depth == 0) return;
        break;
      default: break;
    }
  }
}

// Skips tokens up to one that can begin a unit.
void Parser::skip_unit() {
  lexer_.mode = {};
  names_.adds_names = true;
  in_inline_arguments_ = false;
  is_quiet_ = false;
  expand_records_ = 0;
  nesting_ = 0;
  sequence_ = nullptr;
  record_ = nullptr;
  in_parameters_ = false;
  loops_.clear();
  d_steps_ = 0;
  may_initialize_ = true;
  proctype_ = kNoContext;
  names_.leave_context();
  for (bool is_first = true; !at(Tok::kEnd); is_first = false) {
    if (at_unit()) break;
    const bool is_outermost = names_.brace_depth() == 0 && !is_first;
    if (is_outermost && (at_declaration() || at(Tok::kSemi))) break;
    take();
  }
  names_.forget_braces();
}

// ---- Units -------------------------------------------------------------------------------------

void Parser::unit() {
  switch (peek().kind) {
    case Tok::kActive:
    case Tok::kProctype:
    case Tok::kDProctype: proctype_unit(); return;
    case Tok::kInit: init_unit(); return;
    case Tok::kNever: never_unit(); return;
    case Tok::kTrace:
    case Tok::kNotrace: trace_unit(); return;
    case Tok::kLtl: formula_unit(); return;
    case Tok::kTypedef: typedef_unit(); return;
    case Tok::kInline: inline_unit(); return;
    case Tok::kCCode:
    case Tok::kCDecl: embedded_unit(); return;
    case Tok::kCState:
    case Tok::kCTrack: state_unit(); return;
    case Tok::kSemi:
    case Tok::kArrow: take(); return;
    default: break;
  }
  if (!at_declaration()) {
    unexpected("a declaration or a proctype",
               at(Tok::kName) ? "statements are allowed only inside processes" : "");
  }
  declaration();
}

std::uint32_t Parser::new_proctype(const std::string& name, BodyKind kind, Range range) {
  const auto index = static_cast<std::uint32_t>(model_.proctypes.size());
  Proctype proctype;
  proctype.name = name;
  proctype.kind = kind;
  proctype.range = range;
  proctype.symbol = static_cast<SymbolId>(model_.symbols.size());
  Symbol symbol;
  symbol.name = name;
  symbol.kind = SymbolKind::kProctype;
  symbol.proctype = index;
  symbol.decl.name = name;
  symbol.decl.range = range;
  model_.symbols.push_back(std::move(symbol));
  model_.proctypes.push_back(std::move(proctype));
  return index;
}

void Parser::enter_body(std::uint32_t index, bool inside_body) {
  names_.enter_context(index, inside_body);
  proctype_ = index;
  has_initializer_ = false;
}

// { ... }, of a process, a claim or a trace.
void Parser::body() {
  labels_.clear();
  labels_by_name_.clear();
  labels_by_scope_.clear();
  gotos_.clear();
  loops_.clear();
  d_steps_ = 0;
  d_step_ = 0;
  expect(Tok::kLeftBrace, "to begin the body");
  lexer_.mode.in_sequence = true;
  may_initialize_ = true;
  Sequence statements;
  sequence(statements);
  if (!at(Tok::kRightBrace)) unexpected("'}' to end the body");
  model_.proctypes[proctype_].end = take().range.begin;
  lexer_.mode.in_sequence = false;
  model_.proctypes[proctype_].body = std::move(statements);
  check_gotos();
  names_.leave_context();
  proctype_ = kNoContext;
  may_initialize_ = true;
}

// active, active [2], or nothing.
std::int32_t Parser::active_count() {
  if (!accept(Tok::kActive)) return 0;
  if (!accept(Tok::kLeftBracket)) return 1;
  std::int32_t count = 0;
  const Range begin = peek().range;
  if (at(Tok::kName)) {
    const Token name = take();
    const Entry& entry = names_[name.entry];
    if (entry.kind != Entry::Kind::kVariable) {
      undeclared(name);
    } else if (!entry.has_initial || !entry.initial_is_constant) {
      error("P309", name.range, "the initial value of " + name.text + " must be a constant");
    } else {
      count = entry.initial;
      model_.symbols[entry.symbol].is_read = true;
    }
  } else {
    count = constant_expression(1);
  }
  if (count > kMaxProcesses) error("P328", since(begin), "there can be at most 255 processes");
  expect(Tok::kRightBracket, "to close the number of instances");
  return count;
}

void Parser::proctype_unit() {
  const Range begin = peek().range;
  const std::int32_t active = active_count();
  if (!at(Tok::kProctype) && !at(Tok::kDProctype)) unexpected("proctype");
  const bool deterministic = take().kind == Tok::kDProctype;
  if (!at(Tok::kName)) {
    unexpected("the name of the proctype", at(Tok::kProcName) ? peek().text + " is declared already" : "");
  }
  const Token name = take();
  Entry& entry = names_[name.entry];
  if (entry.kind != Entry::Kind::kNone) redeclared(name);
  const std::uint32_t index = new_proctype(name.text, BodyKind::kProctype, name.range);
  if (entry.kind == Entry::Kind::kNone) {
    entry.kind = Entry::Kind::kProctype;
    entry.symbol = model_.proctypes[index].symbol;
  }
  names_.add_proctype(name.text, index);
  model_.proctypes[index].deterministic = deterministic;
  model_.proctypes[index].active = std::max(active, 0);
  enter_body(index, false);
  left_paren();
  in_parameters_ = true;
  if (!at(Tok::kRightParen)) {
    for (;;) {
      if (!at_declaration()) unexpected("the type of a parameter");
      declaration();
      if (!accept(Tok::kSemi)) break;
    }
  }
  right_paren();
  in_parameters_ = false;
  if (has_initializer_) {
    error("P319", since(begin), "parameters cannot be initialised", "run passes their values");
  }
  model_.proctypes[index].range = since(begin);
  if (at(Tok::kPriority)) {
    model_.proctypes[index].priority = optional_priority();
    if (active > 0) check_priority(model_.proctypes[index].priority, last_range_);
  }
  provided_clause();
  body();
}

void Parser::init_unit() {
  const Range begin = take().range;
  const std::uint32_t index = new_proctype(":init:", BodyKind::kInit, begin);
  enter_body(index, false);
  model_.proctypes[index].active = 1;
  if (at(Tok::kPriority)) {
    model_.proctypes[index].priority = optional_priority();
    check_priority(model_.proctypes[index].priority, last_range_);
  }
  body();
}

void Parser::never_unit() {
  const Range begin = take().range;
  std::string name;
  const bool is_named = at(Tok::kName);
  if (is_named) {
    name = take().text;
  } else {
    name = "never_" + std::to_string(claims_);
  }
  ++claims_;
  for (const Proctype& other : model_.proctypes) {
    if (other.kind == BodyKind::kNever && other.name == name) {
      error("P205", since(begin), "there is a claim called " + name + " already");
    }
  }
  const std::uint32_t index = new_proctype(name, BodyKind::kNever, since(begin));
  enter_body(index, !is_named);
  body();
}

void Parser::trace_unit() {
  const Token keyword = take();
  for (const Proctype& other : model_.proctypes) {
    if (other.kind == BodyKind::kTrace || other.kind == BodyKind::kNoTrace) {
      error("P205", keyword.range, "there is a trace assertion already");
    }
  }
  const bool is_trace = keyword.kind == Tok::kTrace;
  const std::uint32_t index = new_proctype(
      is_trace ? ":trace:" : ":notrace:", is_trace ? BodyKind::kTrace : BodyKind::kNoTrace, keyword.range);
  enter_body(index, false);
  body();
}

void Parser::formula_unit() {
  const Range begin = take().range;
  LtlFormula formula;
  if (at(Tok::kName)) {
    formula.name = take().text;
  } else {
    formula.name = "ltl_" + std::to_string(unnamed_formulas_++);
  }
  formula.range = since(begin);
  for (const LtlFormula& other : model_.formulas) {
    if (other.name == formula.name) {
      error("P205", formula.range, "there is a formula called " + formula.name + " already");
    }
  }
  lexer_.mode.in_formula = true;
  try {
    expect(Tok::kLeftBrace, "to begin the formula");
    Operand value = full_expression();
    if (value.is_list) require_plain(value);
    check_formula(*value.expr);
    formula.formula = std::move(value.expr);
    if (at(Tok::kSemi)) take();
    expect(Tok::kRightBrace, "to end the formula");
  } catch (const SyntaxError&) {
    lexer_.mode.in_formula = false;
    throw;
  }
  lexer_.mode.in_formula = false;
  model_.formulas.push_back(std::move(formula));
}

void Parser::inline_unit() {
  take();
  if (!at(Tok::kName) && !at(Tok::kInlineName)) unexpected("the name of the inline");
  const Token name = take();
  if (name.kind == Tok::kInlineName) {
    error("P205", name.range, "there is an inline called " + name.text + " already");
  }
  InlineDefinition definition;
  definition.name = name.text;
  names_.adds_names = false;
  try {
    definition.parameters = inline_parameters();
    names_.adds_names = true;
    const std::optional<RawBlock> block = lexer_.raw_block(false);
    if (!block) throw SyntaxError{};
    definition.begin = block->begin;
    definition.end = block->end;
  } catch (const SyntaxError&) {
    names_.adds_names = true;
    definition.is_broken = true;
    names_.add_inline(std::move(definition));
    throw;
  }
  names_.add_inline(std::move(definition));
}

std::vector<std::string> Parser::inline_parameters() {
  std::vector<std::string> parameters;
  left_paren();
  if (!at(Tok::kRightParen)) {
    do {
      const Token parameter = expect(Tok::kName, "as a parameter of the inline");
      names_[parameter.entry].is_inline_parameter = true;
      parameters.push_back(parameter.text);
    } while (accept(Tok::kComma));
  }
  right_paren();
  return parameters;
}

void Parser::embedded_unit() {
  const Token keyword = take();
  std::optional<RawBlock> block = lexer_.raw_block(true);
  if (!block) throw SyntaxError{};
  EmbeddedDecl embedded;
  embedded.kind = keyword.kind == Tok::kCCode ? EmbeddedDecl::Kind::kCode : EmbeddedDecl::Kind::kDecl;
  embedded.parts.push_back(std::move(block->text));
  embedded.range = keyword.range;
  model_.embedded.push_back(std::move(embedded));
}

// c_state "type name" "scope" ["value"], c_track "address" "size" ["mode"]
void Parser::state_unit() {
  const Token keyword = take();
  EmbeddedDecl embedded;
  embedded.kind = keyword.kind == Tok::kCState ? EmbeddedDecl::Kind::kState : EmbeddedDecl::Kind::kTrack;
  embedded.range = keyword.range;
  embedded.parts.push_back(expect(Tok::kString, "after " + keyword.text).text);
  embedded.parts.push_back(expect(Tok::kString, "after " + keyword.text).text);
  if (at(Tok::kString)) {
    embedded.parts.push_back(take().text);
    const std::string& mode = embedded.parts.back();
    if (keyword.kind == Tok::kCTrack && mode != "Matched" && mode != "UnMatched" && mode != "unMatched" &&
        mode != "StackOnly") {
      error("P329", since(keyword.range), "expected \"Matched\", \"UnMatched\" or \"StackOnly\"");
    }
  }
  model_.embedded.push_back(std::move(embedded));
}

int Parser::optional_priority() {
  if (!accept(Tok::kPriority)) return 0;
  model_.uses_priority = true;
  return expect(Tok::kConst, "as the priority").value;
}

void Parser::provided_clause() {
  if (!accept(Tok::kProvided)) return;
  const Range begin = last_range_;
  left_paren();
  Operand value = full_expression();
  if (value.is_list) require_plain(value);
  right_paren();
  if (!is_proper_provided(*value.expr)) {
    error("P331", since(begin), "this cannot be used in a provided clause",
          "only constants, global variables, _pid and operators can");
  }
  model_.proctypes[proctype_].provided = std::move(value.expr);
}

}  // namespace spoor::promela
