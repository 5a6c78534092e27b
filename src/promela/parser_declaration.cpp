// Declarations: variables, channels, typedefs, mtype sets.
//
// The variables of a declaration get their type at the end of the list, as in SPIN: in
// `int a = 1, b = a` the name a is not a variable yet in the second initialiser, which is an error.
//
// The meaning of an initialiser depends on the place of the declaration. Before the first statement
// of a body it is evaluated when the process is created and stays in the VarDecl. After it, or in an
// inner block, the declaration is a step of its own: an assignment, of 0 when there is no
// initialiser (to the first element of an array; for a record, the step does nothing).
#include <algorithm>

#include "promela/parser.h"

namespace spoor::promela {

namespace {

constexpr std::int32_t kDefaultArraySize = 8;  // of `byte a[n]` where n starts as 0
constexpr std::int32_t kMaxMtypes = 255;
constexpr std::int32_t kMaxWidth = 31;
constexpr std::size_t kMaxMessageFields = 4096;  // of a record that is sent as a whole

std::string plural(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

bool Parser::at_declaration() {
  switch (peek().kind) {
    case Tok::kType:
    case Tok::kTypeName:
    case Tok::kHidden:
    case Tok::kShow:
    case Tok::kLocal: return true;
    default: return false;
  }
}

void Parser::declaration() {
  Visibility visibility = Visibility::kNormal;
  const Range begin = peek().range;
  if (accept(Tok::kHidden))
    visibility = Visibility::kHidden;
  else if (accept(Tok::kShow))
    visibility = Visibility::kShow;
  else if (accept(Tok::kLocal))
    visibility = Visibility::kLocal;
  if (!at(Tok::kType) && !at(Tok::kTypeName)) unexpected("a type");
  const Token name = take();
  Type type;
  if (name.kind == Tok::kTypeName) {
    type.base = BaseType::kRecord;
    type.record = static_cast<std::uint32_t>(names_.record_named(name.text));
  } else {
    type.base = name.type;
    bool has_set = false;
    if (accept(Tok::kColon)) {
      if (!at(Tok::kName)) unexpected("the name of an mtype set");
      type.mtype_set = take().text;
      has_set = true;
    }
    if (at(Tok::kLeftBrace) || (at(Tok::kAssign))) {
      const bool has_assign = accept(Tok::kAssign);
      if (has_set && !has_assign) unexpected("= before the names of the set");
      mtype_set(name, type.mtype_set, visibility != Visibility::kNormal);
      return;
    }
    if (has_set && type.base != BaseType::kMtype) {
      error("P311", since(begin), "only mtype has named sets", "is a semicolon missing before this line?");
    }
  }
  std::vector<Declared> list;
  try {
    do {
      list.push_back(variable());
    } while (accept(Tok::kComma));
  } catch (const SyntaxError&) {
    // The names are declared even so.
    for (const Declared& declared : list) declare_broken(declared.name);
    throw;
  }
  for (Declared& declared : list) declare(declared, type, visibility);
}

void Parser::declare_broken(const Token& name) {
  if (name.entry == kNoEntry || names_[name.entry].kind != Entry::Kind::kNone) return;
  names_[name.entry].kind = Entry::Kind::kVariable;
  names_[name.entry].is_broken = true;
  names_[name.entry].symbol = names_[names_.lookup("_")].symbol;
}

// { a, b, c } after `mtype =` or `mtype:set =`. The name listed last gets the smallest number.
void Parser::mtype_set(const Token& keyword, const std::string& set, bool has_visibility) {
  expect(Tok::kLeftBrace, "to begin the names of an mtype set");
  std::vector<Token> listed;
  do {
    while (!listed.empty() && accept(Tok::kComma)) {
    }
    if (at(Tok::kRightBrace) && !listed.empty()) break;
    if (at(Tok::kConst) && peek().is_mtype) {
      unexpected("a new name", peek().text + " is an mtype constant already");
    }
    listed.push_back(expect(Tok::kName, "as a name of an mtype set"));
  } while (!at(Tok::kRightBrace));
  take();
  if (keyword.type != BaseType::kMtype) {
    error("P311", keyword.range, "only mtype can be followed by a list of names");
    return;
  }
  if (has_visibility) {
    error("P312", keyword.range, "mtype constants cannot be hidden, shown or local");
  }
  if (proctype_ != kNoContext) {
    error("P312", keyword.range, "mtype constants can only be declared outside of processes",
          "move this declaration to the top of the file");
    return;
  }
  std::int32_t size = 0;
  for (const Model::MtypeConstant& constant : model_.mtypes) size += constant.set == set ? 1 : 0;
  const std::size_t first = model_.mtypes.size();
  std::int32_t value = size + static_cast<std::int32_t>(listed.size());
  if (value > kMaxMtypes) {
    error("P313", keyword.range, "this set has " + plural(static_cast<std::size_t>(value), "name"),
          "a set can have at most 255");
  }
  for (const Token& name : listed) {
    for (std::size_t i = first; i < model_.mtypes.size(); ++i) {
      if (model_.mtypes[i].name == name.text) {
        error("P206", name.range, name.text + " is listed twice in this mtype declaration");
      }
    }
    if (name.entry != kNoEntry) {  // in a typedef a set has no entries
      Entry& entry = names_[name.entry];
      if (entry.kind == Entry::Kind::kVariable && !entry.is_broken &&
          model_.symbols[entry.symbol].decl.type.base == BaseType::kMtype) {
        error("P206", name.range, name.text + " is declared as a variable already");
      }
      entry.kind = Entry::Kind::kMtypeConstant;
    }
    model_.mtypes.push_back({name.text, set, value--, false, name.range});
  }
  for (std::size_t i = first; i < model_.mtypes.size(); ++i) {
    names_.add_mtype(model_.mtypes[i].name, static_cast<std::uint32_t>(i));
  }
}

void Parser::typedef_unit() {
  take();
  const Token name = expect(Tok::kName, "as the name of the new type");
  expect(Tok::kLeftBrace, "to begin the fields");
  Record record;
  record.name = name.text;
  record.range = name.range;
  record_ = &record;
  lexer_.mode.in_record = true;
  lexer_.mode.in_sequence = true;
  const auto finish = [&] {
    record_ = nullptr;
    const auto index = static_cast<std::uint32_t>(model_.records.size());
    flat_records_.push_back(flatten(record));
    model_.records.push_back(std::move(record));
    names_.add_record(name.text, index);
    return index;
  };
  try {
    do {
      if (!at_declaration()) unexpected("the declaration of a field");
      declaration();
    } while (accept(Tok::kSemi));
    lexer_.mode.in_record = false;
    expect(Tok::kRightBrace, "to end the fields");
  } catch (const SyntaxError&) {
    broken_records_.insert(finish());
    throw;
  }
  lexer_.mode.in_sequence = false;
  finish();
}

Parser::Declared Parser::variable() {
  if (!at(Tok::kName)) {
    std::string hint;
    if (at(Tok::kConst) && peek().is_mtype) hint = peek().text + " is an mtype constant";
    if (at(Tok::kProcName)) hint = peek().text + " is a proctype";
    if (at(Tok::kInlineName)) hint = peek().text + " is an inline";
    if (at(Tok::kTypeName)) hint = peek().text + " is a typedef";
    unexpected("the name of a variable", hint);
  }
  Declared declared;
  declared.name = take();
  declared.decl.name = declared.name.text;
  try {
    size_and_value(declared);
  } catch (const SyntaxError&) {
    declare_broken(declared.name);
    throw;
  }
  declared.decl.range = since(declared.name.range);
  return declared;
}

// After the name: a width or the size of an array, then an initial value.
void Parser::size_and_value(Declared& declared) {
  if (accept(Tok::kColon)) {
    const Token width = expect(Tok::kConst, "as the width of the variable");
    declared.has_width = true;
    declared.width = width.value;
  } else if (accept(Tok::kLeftBracket)) {
    array_size(declared);
    expect(Tok::kRightBracket, "to close the size of the array");
  }
  if (accept(Tok::kAssign)) {
    initializer(declared);
  } else if (!may_initialize_) {
    declared.is_late = true;
    declared.late_value = make_constant(0, declared.name.range);
  }
}

// A constant expression, or the name of a variable, whose initial value is used.
void Parser::array_size(Declared& declared) {
  const Range begin = peek().range;
  std::int32_t size = 0;
  if (at(Tok::kName)) {
    const Token name = take();
    const bool is_known = name.entry != kNoEntry && names_[name.entry].has_initial;
    if (!is_known) {
      error("P309", name.range, "the size of an array must be a constant",
            "use a number, a #define, or a variable that was initialised before");
      declared.is_broken = true;
      size = 1;
    } else {
      size = names_[name.entry].initial > 0 ? names_[name.entry].initial : kDefaultArraySize;
      model_.symbols[names_[name.entry].symbol].is_read = true;
    }
  } else {
    size = constant_expression(1);
  }
  if (size <= 0) {
    error("P309", since(begin), "the size of an array must be positive, not " + std::to_string(size));
    declared.is_broken = true;
    size = 1;
  }
  declared.decl.array_size = size;
}

void Parser::initializer(Declared& declared) {
  has_initializer_ = true;
  const Range begin = peek().range;
  if (at(Tok::kLeftBrace)) {
    take();
    do {
      declared.decl.list.push_back(expect(Tok::kConst, "in the list of initial values").value);
    } while (accept(Tok::kComma));
    expect(Tok::kRightBrace, "to end the list of initial values");
    if (declared.decl.array_size == 0) {
      error("P306", since(begin), declared.name.text + " is not an array");
    }
    if (!may_initialize_) {
      error("P310", since(begin), "an array cannot be initialised with a list here",
            "move the declaration to the start of the body, or assign the elements one by one");
    }
    return;
  }
  if (at(Tok::kLeftBracket)) {
    declared.decl.channel = channel_initializer();
    if (!may_initialize_) {
      error("P310", since(begin), "a channel cannot be created in the middle of a body",
            "move the declaration of " + declared.name.text + " before the first statement");
    }
    return;
  }
  const std::size_t runs_before = runs_.size();
  declared.decl.init = expression();
  if (runs_.size() != runs_before) {
    error("P305", since(begin), "run cannot be used to initialise a variable",
          "declare the variable first and assign to it in a statement");
  }
  Reference target;  // not typed yet
  target.ref.range = declared.name.range;
  target.is_untyped = true;
  target.entry = declared.name.entry;
  check_channel_use(target, *declared.decl.init, false);
  if (may_initialize_) {
    check_initial_value(*declared.decl.init, since(begin));
  } else {
    declared.is_late = declared.has_late_initializer = true;
    declared.late_value = std::move(declared.decl.init);
  }
}

// [capacity] of { types }
ChannelInit Parser::channel_initializer() {
  const Range begin = take().range;
  ChannelInit init;
  init.capacity = constant_expression(1);
  expect(Tok::kRightBracket, "to close the capacity of the channel");
  expect(Tok::kOf, "before the types of the messages");
  expect(Tok::kLeftBrace, "to begin the types of the messages");
  std::size_t count = 0;
  do {
    init.fields.push_back(channel_field());
    count += flat_size(init.fields.back(), since(begin));
  } while (accept(Tok::kComma));
  expect(Tok::kRightBrace, "to end the types of the messages");
  most_fields_ = std::max(most_fields_, count);
  if (init.capacity == 0) has_rendezvous_ = true;
  init.range = since(begin);
  return init;
}

Type Parser::channel_field() {
  if (!at(Tok::kType) && !at(Tok::kTypeName)) unexpected("the type of a message field");
  const Token name = take();
  Type type;
  if (name.kind == Tok::kTypeName) {
    type.base = BaseType::kRecord;
    type.record = static_cast<std::uint32_t>(names_.record_named(name.text));
    const std::string& field = flat_records_[type.record].unsigned_field;
    if (!field.empty()) {
      error("P314", name.range, "a message of type " + name.text + " would have an unsigned field, " + field,
            "use byte, short or int for it");
    }
    return type;
  }
  type.base = name.type;
  if (at(Tok::kColon)) {
    take();
    const Token set = expect(Tok::kName, "as the name of an mtype set");
    type.mtype_set = set.text;
    if (type.base != BaseType::kMtype) error("P311", set.range, "only mtype has named sets");
  }
  if (type.base == BaseType::kUnsigned) {
    error("P314", name.range, "unsigned cannot be the type of a message field", "use byte, short or int");
  }
  return type;
}

Parser::FlatRecord Parser::flatten(const Record& record) const {
  FlatRecord flat;
  for (const VarDecl& field : record.fields) {
    if (field.type.base != BaseType::kRecord) {
      flat.size += static_cast<std::size_t>(std::max(field.array_size, 1));
      if (field.type.base == BaseType::kUnsigned) flat.unsigned_field = field.name;
      continue;
    }
    const FlatRecord& inner = flat_records_[field.type.record];
    flat.size += inner.size;
    if (!inner.array_of_records.empty()) flat.array_of_records = inner.array_of_records;
    if (!inner.unsigned_field.empty()) flat.unsigned_field = inner.unsigned_field;
    if (field.array_size != 0) flat.array_of_records = field.name;
  }
  flat.size = std::min(flat.size, kMaxMessageFields + 1);  // nested records can multiply
  return flat;
}

// The number of scalars of a message field or parameter; records are sent field by field.
std::size_t Parser::flat_size(const Type& type, Range range) {
  if (type.base != BaseType::kRecord) return 1;
  const FlatRecord& flat = flat_records_[type.record];
  const std::string& name = model_.records[type.record].name;
  if (!flat.array_of_records.empty()) {
    error("P315", range,
          "the record " + name + " has an array of records, " + flat.array_of_records +
              ", and cannot be sent or passed as a whole");
  } else if (flat.size > kMaxMessageFields) {
    error("P315", range, "the record " + name + " has too many fields to be sent or passed as a whole",
          "at most " + std::to_string(kMaxMessageFields) + " are possible");
  } else {
    return flat.size;
  }
  return 0;
}

std::int32_t Parser::constant_expression(int min_precedence) {
  const Nesting nesting(*this);
  std::int64_t left = constant_factor();
  for (;;) {
    const Tok op = peek().kind;
    const int level = op == Tok::kPlus || op == Tok::kMinus                          ? 1
                      : op == Tok::kStar || op == Tok::kSlash || op == Tok::kPercent ? 2
                                                                                     : 0;
    if (level == 0 || level < min_precedence) return static_cast<std::int32_t>(left);
    const Token token = take();
    const std::int64_t right = constant_expression(level + 1);
    if ((op == Tok::kSlash || op == Tok::kPercent) && right == 0) {
      error("P309", token.range, "division by zero in a constant expression");
      return 1;
    }
    switch (op) {
      case Tok::kPlus: left += right; break;
      case Tok::kMinus: left -= right; break;
      case Tok::kStar: left *= right; break;
      case Tok::kSlash: left /= right; break;
      default: left %= right; break;
    }
    left = static_cast<std::int32_t>(left);
  }
}

std::int32_t Parser::constant_factor() {
  const Nesting nesting(*this);
  if (accept(Tok::kMinus)) return static_cast<std::int32_t>(-std::int64_t{constant_factor()});
  if (at(Tok::kLeftParen)) {
    left_paren();
    const std::int32_t value = constant_expression(1);
    right_paren();
    return value;
  }
  if (!at(Tok::kConst)) unexpected("a constant");
  return take().value;
}

// ---- Giving the type to a name -----------------------------------------------------------------

bool Parser::check_declared(Declared& declared, const Type& type, Visibility visibility) {
  const Range range = declared.name.range;
  const std::string& name = declared.name.text;
  const std::size_t before = diagnostics_.error_count();
  if (type.base == BaseType::kUnsigned) {
    if (!declared.has_width || declared.width == 0) {
      error("P316", range, "unsigned needs a width: unsigned " + name + " : 5");
    } else if (declared.width < 0 || declared.width > kMaxWidth) {
      error("P316", range, "the width of an unsigned must be between 1 and 31");
    }
  } else if (declared.has_width && declared.width > 0) {
    error("P316", range, "only unsigned variables have a width");
  }
  if (declared.decl.channel && type.base != BaseType::kChan && type.base != BaseType::kRecord) {
    error("P317", declared.decl.channel->range, name + " is not a channel", "declare it with type chan");
  }
  if (visibility == Visibility::kHidden) {
    if (type.base == BaseType::kBit || type.base == BaseType::kBool) {
      error("P318", range, "a bit or bool cannot be hidden", "make it a byte");
    } else if (proctype_ != kNoContext || record_ != nullptr) {
      error("P318", range, "only global variables can be hidden");
    } else if (type.base == BaseType::kChan) {
      error("P318", range, "a channel cannot be hidden");
    }
  }
  return diagnostics_.error_count() == before;
}

void Parser::declare(Declared& declared, const Type& type, Visibility visibility) {
  declared.decl.type = type;
  if (declared.has_width) declared.decl.type.bits = static_cast<std::uint8_t>(declared.width);
  declared.decl.visibility = visibility;
  if (!check_declared(declared, type, visibility)) declared.is_broken = true;
  if (record_ != nullptr) {
    for (const VarDecl& field : record_->fields) {
      if (field.name == declared.name.text) {
        error("P205", declared.name.range, "the field " + field.name + " is declared twice");
        return;
      }
    }
    record_->fields.push_back(std::move(declared.decl));
    return;
  }
  if (in_parameters_) {
    if (declared.decl.array_size != 0) {
      error("P319", declared.name.range, "a parameter cannot be an array",
            "pass the elements one by one, or use a global array");
    }
    if (type.base == BaseType::kRecord) check_parameter_record(type.record, declared.name.range);
  }
  Entry& entry = names_[declared.name.entry];
  if (entry.kind != Entry::Kind::kNone && !entry.is_inline_parameter) {
    if (!entry.is_broken) redeclared(declared.name);
    return;
  }
  define_symbol(declared);
}

// A record parameter is filled field by field, which is not possible for arrays.
void Parser::check_parameter_record(std::uint32_t record, Range range) {
  if (flat_records_[record].size > kMaxMessageFields) return;  // reported where it is run
  for (const VarDecl& field : model_.records[record].fields) {
    if (field.array_size != 0) {
      error("P319", range,
            "the record " + model_.records[record].name + " has an array, " + field.name +
                ", and cannot be a parameter");
    } else if (field.type.base == BaseType::kRecord) {
      check_parameter_record(field.type.record, range);
    }
  }
}

void Parser::redeclared(const Token& name) {
  const Entry& entry = names_[name.entry];
  std::string what = name.text + " is declared already";
  std::string hint = "choose another name: Promela has no shadowing";
  switch (entry.kind) {
    case Entry::Kind::kLabel:
      what = name.text + " is the name of a label in this process";
      hint.clear();
      break;
    case Entry::Kind::kPredefined:
      what = name.text + " is a predefined variable";
      hint.clear();
      break;
    case Entry::Kind::kVariable: {
      const Symbol& symbol = model_.symbols[entry.symbol];
      what += symbol.owner == kNoSymbol && proctype_ != kNoContext ? ", as a global variable"
              : symbol.is_parameter                                ? ", as a parameter"
                                                                   : "";
      const Position first = symbol.decl.range.begin;
      if (first.is_known()) what += " (line " + std::to_string(first.line) + ")";
      break;
    }
    default: break;
  }
  error("P205", name.range, what, hint);
}

void Parser::define_symbol(Declared& declared) {
  Entry& entry = names_[declared.name.entry];
  const bool is_redefinition = entry.kind == Entry::Kind::kVariable;  // rule 5 of symbols.h
  entry.kind = Entry::Kind::kVariable;
  entry.is_broken = declared.is_broken;
  VarDecl& decl = declared.decl;
  entry.has_initial = true;
  entry.initial_is_constant = true;
  entry.initial = 0;
  if (decl.channel) {
    entry.initial_is_constant = false;
    entry.initial = decl.channel->capacity;
  } else if (declared.is_late && declared.has_late_initializer) {
    entry.has_initial = false;
  } else if (decl.init != nullptr) {
    const Constant* constant = std::get_if<Constant>(&decl.init->node);
    entry.initial_is_constant = constant != nullptr;
    entry.initial = constant != nullptr ? constant->value : 0;
  } else if (!decl.list.empty()) {
    entry.initial_is_constant = decl.list.size() == 1;
    entry.initial = decl.list.size() == 1 ? decl.list[0] : 0;
  }
  if (!decl.type.mtype_set.empty() && !entry.mtype_set.empty() && entry.mtype_set != decl.type.mtype_set) {
    error("P335", declared.name.range,
          declared.name.text + " is of the mtype set " + decl.type.mtype_set +
              ", but its initial value is not");
  }
  entry.mtype_set = decl.type.base == BaseType::kMtype ? decl.type.mtype_set : "";

  const std::int32_t array_size = decl.array_size;
  const bool is_record = decl.type.base == BaseType::kRecord;
  if (in_never()) {
    error("P342", declared.name.range, "a never claim cannot have variables of its own",
          "use global variables");
  }
  if (is_redefinition) {
    model_.symbols[entry.symbol].decl = std::move(decl);
  } else {
    entry.symbol = static_cast<SymbolId>(model_.symbols.size());
    Symbol symbol;
    symbol.name = declared.name.text;
    symbol.owner = proctype_ == kNoContext ? kNoSymbol : model_.proctypes[proctype_].symbol;
    symbol.scope = entry.scope;
    symbol.is_parameter = in_parameters_;
    symbol.decl = std::move(decl);
    model_.symbols.push_back(std::move(symbol));
    if (proctype_ == kNoContext) {
      model_.globals.push_back(entry.symbol);
    } else {
      Proctype& proctype = model_.proctypes[proctype_];
      (in_parameters_ ? proctype.parameters : proctype.locals).push_back(entry.symbol);
    }
  }
  if (!declared.is_late || sequence_ == nullptr) return;
  Assign assign;
  assign.target.symbol = entry.symbol;
  assign.target.range = declared.name.range;
  PathPart& part = assign.target.path.emplace_back();
  if (array_size != 0 && !is_record) part.index = make_constant(0, declared.name.range);
  assign.value = is_record ? make_constant(0, declared.name.range) : std::move(declared.late_value);
  assign.is_declaration = true;
  sequence_->push_back(
      std::make_unique<Stmt>(Stmt{std::move(assign), model_.symbols[entry.symbol].decl.range, {}}));
}

}  // namespace spoor::promela
