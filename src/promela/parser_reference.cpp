// References to variables, to fields of records, and to other processes.
#include "promela/parser.h"

namespace spoor::promela {

void Parser::undeclared(const Token& name) {
  Entry& entry = names_[name.entry];
  if (entry.is_broken) return;
  entry.is_broken = true;
  if (entry.kind == Entry::Kind::kLabel) {
    error("P202", name.range, name.text + " is a label, not a variable");
    return;
  }
  std::string near;
  if (diagnostics_.error_count() < Diagnostics::kMaxKept) {
    near = nearest_name(name.text, names_.visible_variables());
  }
  error("P201", name.range, name.text + " is not declared",
        near.empty() ? "variables must be declared before they are used" : "did you mean " + near + "?");
}

Reference Parser::reference() {
  if (!at(Tok::kName)) unexpected("the name of a variable");
  const Token name = take();
  return reference_from(name);
}

// Continues after the first name.
Reference Parser::reference_from(const Token& name) {
  if (name.entry == kNoEntry) {
    fail("P201", name.range, "a typedef cannot refer to variables",
         "initialise its fields with constants, or assign to them in a process");
  }
  Reference result;
  result.ref.range = name.range;
  result.entry = name.entry;
  const Entry& entry = names_[name.entry];
  const bool is_known = entry.kind == Entry::Kind::kVariable || entry.kind == Entry::Kind::kPredefined;
  if (!is_known || entry.is_broken) {
    if (!is_known) undeclared(name);
    result.is_broken = true;
    // Any variable keeps the tree well-formed.
    result.ref.symbol = names_[names_.lookup("_")].symbol;
  } else {
    result.ref.symbol = entry.symbol;
  }
  const SymbolId symbol = result.ref.symbol;
  if (!result.is_broken) {
    result.type = model_.symbols[symbol].decl.type;
    result.array_size = model_.symbols[symbol].decl.array_size;
  }
  result.text = name.text;
  index_part(result, name);
  while (at(Tok::kDot)) {
    take();
    field_part(result);
  }
  // What follows the first name may be a field of nothing.
  if (result.is_broken) result.ref.path.resize(1);
  result.ref.range = since(name.range);
  return result;
}

// Appends a part to the path; with its index, when one is written.
void Parser::index_part(Reference& result, const Token& name) {
  result.ref.path.emplace_back();
  const std::int32_t array_size = result.array_size;
  if (at(Tok::kLeftBracket)) {
    take();
    ExprPtr index = expression(&result.height);
    expect(Tok::kRightBracket, "to close the index");
    check_height(result.height, name.range);
    if (result.is_broken) return;
    if (array_size != 0) {
      result.ref.path.back().index = std::move(index);
      result.array_size = 0;
      return;
    }
    const Constant* constant = std::get_if<Constant>(&index->node);
    if (constant == nullptr || constant->value != 0) {  // for a scalar x[0] means x
      error("P306", since(name.range), name.text + " is not an array");
      result.is_broken = true;
    }
    return;
  }
  if (array_size != 0 && !lexer_.mode.in_for && !result.is_broken) {
    error("P307", name.range, "the array " + name.text + " needs an index here",
          "write " + name.text + "[0] for its first element");
    result.is_broken = true;
  }
}

// .name, after the dot.
void Parser::field_part(Reference& result) {
  const bool outer = lexer_.mode.in_record;
  lexer_.mode.in_record = true;
  const bool is_name = at(Tok::kName);
  const Token name = is_name ? take() : Token{};
  lexer_.mode.in_record = outer;
  if (!is_name) unexpected("the name of a field");
  result.has_fields = true;
  result.text += "." + name.text;
  if (!result.is_broken && result.array_size != 0) {
    error("P307", since(result.ref.range), "the array before ." + name.text + " needs an index");
    result.is_broken = true;
  }
  if (!result.is_broken && result.type.base != BaseType::kRecord) {
    error("P308", name.range, "there is no field " + name.text + ": this is not a record");
    result.is_broken = true;
  }
  if (!result.is_broken) {
    const Record& record = model_.records[result.type.record];
    std::size_t field = 0;
    while (field < record.fields.size() && record.fields[field].name != name.text) ++field;
    if (field < record.fields.size()) {
      result.type = record.fields[field].type;
      result.array_size = record.fields[field].array_size;
      index_part(result, name);
      result.ref.path.back().field = static_cast<std::uint32_t>(field);
      return;
    }
    if (broken_records_.count(result.type.record) == 0) {
      std::vector<std::string> candidates;
      for (const VarDecl& candidate : record.fields) candidates.push_back(candidate.name);
      const std::string near = nearest_name(name.text, candidates);
      error("P203", name.range, "the type " + record.name + " has no field " + name.text,
            near.empty() ? "" : "did you mean " + near + "?");
    }
    result.is_broken = true;
  }
  index_part(result, name);
}

void Parser::mark_read(const Reference& reference) {
  if (!is_quiet_ && !reference.is_broken) model_.symbols[reference.ref.symbol].is_read = true;
}

void Parser::mark_written(const Reference& reference) {
  if (is_quiet_ || reference.is_broken) return;
  Symbol& symbol = model_.symbols[reference.ref.symbol];
  symbol.is_written = true;
  if (symbol.predefined == Predefined::kPriority) model_.uses_priority = true;  // only a write counts
}

// p[x]@label, p[x]:variable, p@label, p:variable
Operand Parser::remote_reference() {
  const Token name = take();
  ExprPtr pid;
  int height = 1;
  if (at(Tok::kLeftBracket)) {
    take();
    pid = expression(&height);
    expect(Tok::kRightBracket, "to close the process number");
  }
  const std::int32_t target = names_.proctype_named(name.text);
  const SymbolId proctype = model_.proctypes[static_cast<std::size_t>(target)].symbol;
  if (accept(Tok::kAt)) {
    const Token label = expect(Tok::kName, "as the label of a remote reference");
    const Range range = since(name.range);
    if (known_labels_.count(name.text + "@" + label.text) == 0) {
      error("P213", label.range, "the proctype " + name.text + " has no label " + label.text,
            "a label must come before the reference to it in the text");
    }
    if (d_steps_ > 0 && !in_inline_arguments_) {
      error("P332", range, "a d_step cannot refer to another process");
    }
    return make_operand(RemoteLabel{proctype, std::move(pid), label.text}, range, height + 1);
  }
  if (!at(Tok::kColon)) unexpected("@label or :variable after the name of a proctype");
  take();
  const Token variable = expect(Tok::kName, "as the variable of a remote reference");
  ExprPtr index;
  if (at(Tok::kLeftBracket)) {
    take();
    index = expression(&height);
    expect(Tok::kRightBracket, "to close the index");
  }
  const Range range = since(name.range);
  if (!is_quiet_) remotes_.push_back({name.text, variable.text, index != nullptr, range});
  return make_operand(RemoteVariable{proctype, std::move(pid), variable.text, std::move(index)}, range,
                      height + 1);
}

}  // namespace spoor::promela
