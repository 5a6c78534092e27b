#include "promela/symbols.h"

namespace spoor::promela {

namespace {

struct PredefinedName {
  const char* name;
  Predefined meaning;
};
// `_p`, the control location, is pc_value(_pid); the parser expands it.
constexpr PredefinedName kPredefinedNames[] = {
    {"_", Predefined::kUnderscore}, {"_pid", Predefined::kPid},           {"_last", Predefined::kLast},
    {"_nr_pr", Predefined::kNrPr},  {"_priority", Predefined::kPriority}, {"_p", Predefined::kNone},
};

}  // namespace

SymbolTable::SymbolTable(Model& model) : model_(model) {
  model_.scope_parent.assign(1, 0);
  for (const PredefinedName& predefined : kPredefinedNames) {
    const EntryId id = lookup(predefined.name);
    entries_[id].kind = Entry::Kind::kPredefined;
    entries_[id].symbol = static_cast<SymbolId>(model_.symbols.size());
    Symbol symbol;
    symbol.name = predefined.name;
    symbol.kind = SymbolKind::kPredefined;
    symbol.predefined = predefined.meaning;
    symbol.decl.name = predefined.name;
    model_.symbols.push_back(std::move(symbol));
  }
}

std::uint32_t SymbolTable::new_scope(std::uint32_t parent) {
  model_.scope_parent.push_back(parent);
  return static_cast<std::uint32_t>(model_.scope_parent.size() - 1);
}

void SymbolTable::open_brace() {
  braces_.push_back(scope_);
  if (context_ != kNoContext) scope_ = new_scope(scope_);
}

void SymbolTable::close_brace() {
  if (braces_.empty()) return;  // one brace too many: the parser reports it
  scope_ = braces_.back();
  braces_.pop_back();
}

void SymbolTable::enter_context(std::uint32_t proctype, bool inside_body) {
  context_ = proctype;
  scope_ = new_scope(0);
  if (inside_body) {
    if (!braces_.empty()) braces_.back() = scope_;
    scope_ = new_scope(scope_);
  }
}

void SymbolTable::leave_context() {
  context_ = kNoContext;
  scope_ = 0;
  for (std::uint32_t& outer : braces_) outer = 0;
}

std::uint32_t SymbolTable::name_number(std::string_view name) {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(numbers_.size());
  numbers_.emplace(std::string(name), number);
  return number;
}

EntryId SymbolTable::lookup(std::string_view name) {
  const std::uint32_t number = name_number(name);
  for (std::uint32_t scope = scope_;; scope = model_.scope_parent[scope]) {
    const auto found = by_scope_.find(std::uint64_t{scope} << 32 | number);
    if (found != by_scope_.end()) return found->second;
    if (scope == 0) break;
  }
  const auto id = static_cast<EntryId>(entries_.size());
  Entry entry;
  entry.name = name;
  entry.scope = scope_;
  entry.context = context_;
  entries_.push_back(std::move(entry));
  if (adds_names) by_scope_.emplace(std::uint64_t{scope_} << 32 | number, id);
  return id;
}

std::int32_t SymbolTable::record_named(std::string_view name) const {
  const auto found = records_.find(name);
  return found == records_.end() ? -1 : static_cast<std::int32_t>(found->second);
}

std::int32_t SymbolTable::proctype_named(std::string_view name) const {
  const auto found = proctypes_.find(name);
  return found == proctypes_.end() ? -1 : static_cast<std::int32_t>(found->second);
}

InlineDefinition* SymbolTable::inline_named(std::string_view name) {
  const auto found = inlines_.find(name);
  return found == inlines_.end() ? nullptr : &found->second;
}

void SymbolTable::add_inline(InlineDefinition definition) {
  std::string name = definition.name;
  inlines_.insert_or_assign(std::move(name), std::move(definition));
}

std::int32_t SymbolTable::mtype_named(std::string_view name) const {
  const auto found = mtypes_.find(name);
  return found == mtypes_.end() ? -1 : static_cast<std::int32_t>(found->second);
}

std::vector<std::string> SymbolTable::visible_variables() const {
  std::vector<bool> is_visible(model_.scope_parent.size(), false);
  for (std::uint32_t scope = scope_;; scope = model_.scope_parent[scope]) {
    is_visible[scope] = true;
    if (scope == 0) break;
  }
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (entry.kind == Entry::Kind::kVariable && !entry.is_broken && is_visible[entry.scope]) {
      names.push_back(entry.name);
    }
  }
  for (const auto& [name, index] : mtypes_) names.push_back(name);
  return names;
}

}  // namespace spoor::promela
