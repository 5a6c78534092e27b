// The symbol table: names, their meanings and their scopes.
//
// SPIN looks every name up when its lexer reads it, and creates an entry when it finds none, before
// the parser knows whether this is a declaration, a use or a label. The resulting rules define the
// language:
//
//  1. A declaration whose name is already visible (a global, a parameter, a local of an enclosing
//     block) is a redeclaration and an error: Promela has no shadowing. But a name that an inner
//     block declared is free again after the block.
//  2. Labels share the table with variables. The block that a label belongs to is the one in which
//     its name was first mentioned, by a goto or by the label itself.
//  3. Fields of records have a name space of their own, one per typedef.
//  4. Names of typedefs, proctypes, inlines and mtype constants are visible everywhere after their
//     declaration, and no other meaning of the name is visible.
//  5. For a formal parameter of an inline with the name of a global, rule 1 does not apply; a later
//     declaration then changes the type of that global. (As in SPIN.)
//
// Visible entries never conflict: an entry is created only where no entry of that name is visible, so
// at most one entry on the path from the current block to the outermost has a given name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "promela/syntax.h"
#include "promela/token.h"

namespace spoor::promela {

inline constexpr std::uint32_t kNoContext = UINT32_MAX;

struct Entry {
  enum class Kind : std::uint8_t {
    kNone,
    kVariable,
    kPredefined,
    kProctype,
    kLabel,
    kMtypeConstant,
  };

  std::string name;
  Kind kind = Kind::kNone;
  std::uint32_t scope = 0;             // the block in which the name was first mentioned
  std::uint32_t context = kNoContext;  // index into Model::proctypes; kNoContext: global
  SymbolId symbol = kNoSymbol;         // kVariable, kPredefined, kProctype
  bool is_inline_parameter = false;    // rule 5
  bool is_broken = false;              // reported already; gives no further errors
  // The value that `byte a[name]` and `active [name]` use; SPIN reads it while parsing.
  bool has_initial = false;
  bool initial_is_constant = false;
  std::int32_t initial = 0;
  // The mtype set of the variable: declared, or that of the first constant that is assigned to it.
  // "_unnamed_" for the set without a name, empty while unknown.
  std::string mtype_set;
};

// inline NAME(parameters) { ... }; the body is a range of the preprocessed text.
struct InlineDefinition {
  std::string name;
  std::vector<std::string> parameters;
  std::size_t begin = 0;   // of the opening brace
  std::size_t end = 0;     // just after the closing brace
  bool is_broken = false;  // reported already; its calls are skipped
};

class SymbolTable {
 public:
  explicit SymbolTable(Model& model);

  // ---- Scopes. The lexer opens and closes them, brace by brace.
  void open_brace();
  void close_brace();
  std::size_t brace_depth() const { return braces_.size(); }
  void forget_braces() { braces_.clear(); }
  // From here on names belong to the proctype; its parameters form a scope around its body.
  // `inside_body`: the opening brace of the body has been read already.
  void enter_context(std::uint32_t proctype, bool inside_body);
  void leave_context();
  std::uint32_t context() const { return context_; }
  std::uint32_t scope() const { return scope_; }

  // ---- Names.
  // The visible entry of `name`, created if there is none. With `adds_names` off, a new entry is made but
  // cannot be found again.
  EntryId lookup(std::string_view name);
  bool adds_names = true;
  Entry& operator[](EntryId id) { return entries_[id]; }
  const Entry& operator[](EntryId id) const { return entries_[id]; }

  // ---- Names that are the same everywhere (rule 4).
  std::int32_t record_named(std::string_view name) const;  // -1: none
  void add_record(const std::string& name, std::uint32_t record) { records_.emplace(name, record); }
  std::int32_t proctype_named(std::string_view name) const;  // index into Model::proctypes, or -1
  void add_proctype(const std::string& name, std::uint32_t proctype) { proctypes_.emplace(name, proctype); }
  InlineDefinition* inline_named(std::string_view name);
  void add_inline(InlineDefinition definition);
  // Index into Model::mtypes, or -1.
  std::int32_t mtype_named(std::string_view name) const;
  std::int32_t mtype_value(std::int32_t index) const {
    return model_.mtypes[static_cast<std::size_t>(index)].value;
  }
  void add_mtype(const std::string& name, std::uint32_t index) { mtypes_[name] = index; }

  // Names of visible variables, for "did you mean".
  std::vector<std::string> visible_variables() const;

 private:
  struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  template <typename Value>
  using NameMap = std::unordered_map<std::string, Value, StringHash, std::equal_to<>>;

  std::uint32_t new_scope(std::uint32_t parent);
  std::uint32_t name_number(std::string_view name);

  Model& model_;
  std::uint32_t context_ = kNoContext;
  std::uint32_t scope_ = 0;            // innermost
  std::vector<std::uint32_t> braces_;  // the scope around each open brace
  std::vector<Entry> entries_;
  NameMap<std::uint32_t> numbers_;                       // name -> dense number
  std::unordered_map<std::uint64_t, EntryId> by_scope_;  // scope << 32 | name number
  NameMap<std::uint32_t> records_;
  NameMap<std::uint32_t> proctypes_;
  NameMap<InlineDefinition> inlines_;
  NameMap<std::uint32_t> mtypes_;
};

}  // namespace spoor::promela
