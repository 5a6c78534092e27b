// for and select.
//
// The tree keeps them as single nodes. SPIN's own expansion has two visible effects: in the bounds of
// a for an array may occur without its index (it then means its first element), and `for (m in q)`
// counts the messages with a hidden variable, one per block and not one per loop.
#include "promela/parser.h"

namespace spoor::promela {

namespace {

constexpr std::int32_t kMostForByte = 255;

}  // namespace

StmtPtr Parser::for_statement() {
  const Range begin = take().range;
  left_paren();
  lexer_.mode.in_for = true;
  loops_.push_back(d_step_);
  try {
    Reference index = reference();
    if (at(Tok::kIn)) return for_in(std::move(index), begin);
    expect(Tok::kColon, "after the variable of a for");
    return for_range(std::move(index), begin);
  } catch (const SyntaxError&) {
    lexer_.mode.in_for = false;
    throw;
  }
}

// The variable of a for or select must be a plain one.
void Parser::check_index(const Reference& index, std::string_view what) {
  if (index.is_broken) return;
  const VarDecl& decl = model_.symbols[index.ref.symbol].decl;
  if (decl.type.base == BaseType::kChan || decl.type.base == BaseType::kRecord || decl.array_size != 0) {
    error("P323", index.ref.range, "the variable of a " + std::string(what) + " must be a plain variable");
  }
}

void Parser::check_bounds(const Expr& from, const Expr& to, Range range) {
  const Constant* first = std::get_if<Constant>(&from.node);
  const Constant* last = std::get_if<Constant>(&to.node);
  if (first != nullptr && last != nullptr && first->value > last->value) {
    error("P114", range,
          "the range " + std::to_string(first->value) + " .. " + std::to_string(last->value) + " is empty",
          "write the smaller number first");
  }
}

StmtPtr Parser::for_range(Reference index, Range begin) {
  ForRange node;
  node.from = expression();
  expect(Tok::kDotDot, "between the bounds of a for");
  node.to = expression();
  right_paren();
  lexer_.mode.in_for = false;
  const Range range = since(begin);
  check_index(index, "for");
  check_readable(index);
  check_bounds(*node.from, *node.to, range);
  if (d_steps_ > 0) check_d_step_expression(*node.to, range);
  mark_read(index);
  mark_written(index);
  node.index = std::move(index.ref);
  node.body = for_body();
  StmtPtr result = make_statement(std::move(node), begin);
  result->range = range;
  return result;
}

Sequence Parser::for_body() {
  accept(Tok::kSemi);
  expect(Tok::kLeftBrace, "to begin the body of the for");
  return block_sequence();
}

StmtPtr Parser::for_in(Reference index, Range begin) {
  take();
  ForIn node;
  Reference over = reference();
  right_paren();
  lexer_.mode.in_for = false;
  const Range range = since(begin);
  if (!index.is_broken && !over.is_broken) {
    const bool is_message = model_.symbols[index.ref.symbol].decl.type.base == BaseType::kRecord;
    if (is_message) {
      check_message_loop(index, over, node);
    } else {
      // SPIN checks the outermost name only: for (i in a), a being an array.
      check_index(index, "for");
      check_readable(index);
      if (model_.symbols[over.ref.symbol].decl.array_size == 0) {
        error("P324", over.ref.range, "for ... in needs an array, or a record and a channel");
      }
      over.ref.path.resize(1);
      over.ref.path[0].index = nullptr;
    }
  }
  mark_read(index);
  mark_written(index);
  mark_read(over);
  node.index = std::move(index.ref);
  node.over = std::move(over.ref);
  node.body = for_body();
  StmtPtr result = make_statement(std::move(node), begin);
  result->range = range;
  return result;
}

// for (m in q): q holds messages of the type of m, and has a capacity above 0.
void Parser::check_message_loop(const Reference& index, Reference& over, ForIn& node) {
  const VarDecl& decl = model_.symbols[over.ref.symbol].decl;
  if (decl.type.base != BaseType::kChan) {
    error("P324", over.ref.range, "for (record in ...) needs a channel");
    return;
  }
  if (!decl.channel || decl.channel->capacity <= 0 || decl.channel->fields.size() != 1 ||
      decl.channel->fields[0].base != BaseType::kRecord) {
    error("P324", over.ref.range, "this channel must be declared with a capacity and one field, a record");
    return;
  }
  if (index.has_fields || index.array_size != 0 ||
      model_.symbols[index.ref.symbol].decl.type.record != decl.channel->fields[0].record) {
    error("P324", index.ref.range, "this variable does not have the type of the channel's messages");
    return;
  }
  if (in_never()) error("P325", over.ref.range, "a never claim cannot send or receive");
  if (over.array_size != 0) over.ref.path[0].index = make_constant(0, over.ref.range);

  const bool is_long = decl.channel->capacity > kMostForByte;
  const std::string name = "_f0r_t3mp_" + std::to_string(names_.scope());
  const EntryId id = names_.lookup(name);
  if (names_[id].kind == Entry::Kind::kNone) {
    Declared counter;
    counter.name.text = name;
    counter.name.entry = id;
    counter.name.range = over.ref.range;
    counter.decl.name = name;
    counter.decl.range = over.ref.range;
    counter.decl.type.base = is_long ? BaseType::kShort : BaseType::kByte;
    define_symbol(counter);
  }
  const SymbolId symbol = names_[id].symbol;
  model_.symbols[symbol].decl.type.base = is_long ? BaseType::kShort : BaseType::kByte;
  model_.symbols[symbol].is_read = model_.symbols[symbol].is_written = true;
  node.counter = symbol;
}

// select (x : a .. b), where the bounds are not plain numbers; the lexer expands the rest.
StmtPtr Parser::select_statement() {
  const Range begin = take().range;
  left_paren();
  Reference index = reference();
  expect(Tok::kColon, "after the variable of a select");
  Select node;
  node.from = expression();
  expect(Tok::kDotDot, "between the bounds of a select");
  node.to = expression();
  right_paren();
  check_index(index, "select");
  check_readable(index);
  check_bounds(*node.from, *node.to, since(begin));
  if (d_steps_ > 0) check_d_step_expression(*node.to, since(begin));
  mark_read(index);
  mark_written(index);
  node.index = std::move(index.ref);
  may_initialize_ = false;
  return make_statement(std::move(node), begin);
}

}  // namespace spoor::promela
