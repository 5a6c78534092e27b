// The syntax tree of a Promela model, with every name resolved.
//
// Promela cannot be parsed without a symbol table (whether `a` is a type, an inline or a variable
// decides the grammar), so the parser resolves names while it reads and the tree refers to symbols by
// index. Inlines (at the level of tokens, as in SPIN) and macros are expanded; positions refer to the
// user's text all the same. `for` and `select` are kept, so that messages and traces can name them; the
// control-flow builder expands them.
//
// Invariants of a tree that parsed without errors:
//  1. Every SymbolId is a valid index into Model::symbols.
//  2. Every sequence holds at least one statement.
//  3. A VarRef's path agrees with its type: an index exactly where the declaration is an array
//     (except directly after `in` of a for), a field exactly where it is a record.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.h"

namespace spoor::promela {

using SymbolId = std::uint32_t;
inline constexpr SymbolId kNoSymbol = UINT32_MAX;

enum class BaseType : std::uint8_t {
  kBit,
  kBool,
  kByte,
  kShort,
  kInt,
  kUnsigned,
  kPid,
  kMtype,
  kChan,
  kRecord
};

struct Type {
  BaseType base = BaseType::kInt;
  std::uint8_t bits = 0;              // width of `unsigned x : n`
  std::uint32_t record = UINT32_MAX;  // index into Model::records when base is kRecord
  std::string mtype_set;              // of `mtype:name`; empty for the unnamed set
};

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;
using Sequence = std::vector<StmtPtr>;

// ---- Expressions -------------------------------------------------------------------------------

// One component of `a[i].b[j].c`: the symbol of `a`, or the field number of `b` and `c`.
struct PathPart {
  std::uint32_t field = 0;  // unused in the first part
  ExprPtr index;            // null where there is none
};
struct VarRef {
  SymbolId symbol = kNoSymbol;
  std::vector<PathPart> path;  // path[0] belongs to the symbol itself
  Range range;
};

// clang-format off
enum class UnaryOp : std::uint8_t { kNot, kComplement, kMinus };
enum class BinaryOp : std::uint8_t {
  kAdd, kSub, kMul, kDiv, kMod, kBitAnd, kBitXor, kBitOr, kShiftLeft, kShiftRight,
  kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual, kAnd, kOr
};
enum class ChanQuery : std::uint8_t { kLen, kEmpty, kFull, kNotEmpty, kNotFull };
enum class TemporalOp : std::uint8_t {
  kNext, kAlways, kEventually, kUntil, kRelease, kWeakUntil, kImplies, kEquivalent
};
// clang-format on

// An argument of a receive or a poll.
struct ReceiveArg {
  enum class Kind : std::uint8_t { kVariable, kMatch } kind = Kind::kMatch;
  VarRef variable;  // kVariable: where the field goes; the symbol `_` discards it
  ExprPtr match;    // kMatch: a constant or the argument of eval(): the field must equal it
  bool is_eval = false;
};

// clang-format off
struct Constant { std::int32_t value = 0; std::string mtype_name; /* as written; empty for numbers */ };
struct Variable { VarRef ref; };
struct Unary { UnaryOp op; ExprPtr operand; };
struct Binary { BinaryOp op; ExprPtr left, right; };
struct Conditional { ExprPtr condition, if_true, if_false; };
struct Run { SymbolId proctype = kNoSymbol; std::vector<ExprPtr> args; int priority = 0; /* 0: not given */ };
struct QueryChan { ChanQuery query; VarRef chan; };
struct Poll { VarRef chan; bool random = false; std::vector<ReceiveArg> args; };
struct Enabled { ExprPtr pid; };
struct PcValue { ExprPtr pid; };
struct GetPriority { ExprPtr pid; };
struct TimeoutExpr {};
struct NonProgressExpr {};
// p[x]@label and p[x]:var. `pid` is null for the short form p@label (the one instance of p).
struct RemoteLabel { SymbolId proctype = kNoSymbol; ExprPtr pid; std::string label; };
struct RemoteVariable { SymbolId proctype = kNoSymbol; ExprPtr pid; std::string variable; ExprPtr index; };
struct EmbeddedExpr { std::string code; std::string precondition; };
struct Temporal { TemporalOp op; ExprPtr left, right; /* left is null for unary operators */ };
// clang-format on

struct Expr {
  std::variant<Constant, Variable, Unary, Binary, Conditional, Run, QueryChan, Poll, Enabled, PcValue,
               GetPriority, TimeoutExpr, NonProgressExpr, RemoteLabel, RemoteVariable, EmbeddedExpr, Temporal>
      node;
  Range range;
};

// ---- Statements --------------------------------------------------------------------------------

struct Assign {
  VarRef target;
  ExprPtr value;
  // The assignment of a declaration in the middle of a body: `int x = 3` after a statement, or `int x`
  // (value 0).
  bool is_declaration = false;
};
// clang-format off
struct ExprStmt { ExprPtr expr; };
struct ElseStmt {};
struct Send { VarRef chan; std::vector<ExprPtr> args; bool sorted = false; };
struct Receive { VarRef chan; std::vector<ReceiveArg> args; bool random = false, copy = false; };  // q?<x>: copy
struct Assert { ExprPtr expr; };
struct Print { std::string format; /* unquoted, escapes kept as written */ std::vector<ExprPtr> args; };
struct PrintMtype { ExprPtr value; };
struct SetPriority { ExprPtr pid, priority; };
struct EmbeddedCode { std::string code; std::string precondition; };
struct If { std::vector<Sequence> options; };
struct Do { std::vector<Sequence> options; };
struct Atomic { Sequence body; };
struct DStep { Sequence body; };
struct Block { Sequence body; /* { ... }, also the body of an expanded inline */ };
struct Unless { StmtPtr body; StmtPtr escape; };
struct Goto { std::string label; std::uint32_t scope = 0; std::uint32_t inline_id = 0; };
struct Break {};
struct ForRange { VarRef index; ExprPtr from, to; Sequence body; };
// `over`: an array without its index, or a channel.
struct ForIn { VarRef index; VarRef over; SymbolId counter = kNoSymbol; Sequence body; };
struct Select { VarRef index; ExprPtr from, to; };
// clang-format on

struct Label {
  std::string name;
  std::uint32_t scope = 0;      // index into Model::scopes: the block of the label
  std::uint32_t inline_id = 0;  // the expansion of an inline that contains it; 0: none
  Range range;
};

struct Stmt {
  std::variant<Assign, ExprStmt, ElseStmt, Send, Receive, Assert, Print, PrintMtype, SetPriority,
               EmbeddedCode, If, Do, Atomic, DStep, Block, Unless, Goto, Break, ForRange, ForIn, Select>
      node;
  Range range;
  std::vector<Label> labels;  // outermost first
};

// ---- Declarations ------------------------------------------------------------------------------

struct ChannelInit {
  std::int32_t capacity = 0;
  std::vector<Type> fields;  // records are kept whole here; the compiler flattens them
  Range range;
};

enum class Visibility : std::uint8_t { kNormal, kHidden, kShow, kLocal };

// A variable, parameter or record field.
struct VarDecl {
  std::string name;
  Type type;
  std::int32_t array_size = 0;  // 0: not an array
  Visibility visibility = Visibility::kNormal;
  // At most one of these is present; absent: zero.
  ExprPtr init;                    // scalar (every element, when the variable is an array)
  std::vector<std::int32_t> list;  // { 1, 2, 3 }
  std::optional<ChannelInit> channel;
  Range range;
};

struct Record {  // typedef
  std::string name;
  std::vector<VarDecl> fields;
  Range range;
};

enum class SymbolKind : std::uint8_t { kVariable, kProctype, kPredefined };
enum class Predefined : std::uint8_t { kNone, kPid, kNrPr, kLast, kUnderscore, kPriority };

// The meaning of a remote reference P:name to a predefined variable of P: the state number of the process
// (_p, which has no Predefined of its own), its number or its priority.
inline std::optional<Predefined> remote_predefined(const std::string& name) {
  if (name == "_p") return Predefined::kNone;
  if (name == "_pid") return Predefined::kPid;
  if (name == "_priority") return Predefined::kPriority;
  return std::nullopt;
}

struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::kVariable;
  Predefined predefined = Predefined::kNone;
  SymbolId owner = kNoSymbol;  // the proctype that a local belongs to; kNoSymbol: global
  std::uint32_t scope = 0;
  bool is_parameter = false;
  VarDecl decl;                // kVariable
  std::uint32_t proctype = 0;  // kProctype: index into Model::proctypes
  // Usage, for warnings.
  bool is_read = false;
  bool is_written = false;
};

enum class BodyKind : std::uint8_t { kProctype, kInit, kNever, kTrace, kNoTrace };

struct ChannelClaim {
  bool receive = false; /* xr, else xs */
  VarRef chan;
};

struct Proctype {
  std::string name;  // ":init:" for init, the claim's name for never claims
  BodyKind kind = BodyKind::kProctype;
  SymbolId symbol = kNoSymbol;
  bool deterministic = false;  // D_proctype
  std::int32_t active = 0;     // number of instances in the initial state (init: 1)
  int priority = 0;            // 0: not given
  ExprPtr provided;            // may be null
  std::vector<SymbolId> parameters;
  std::vector<SymbolId> locals;  // all scopes, in order of declaration, without the parameters
  std::vector<ChannelClaim> channel_claims;
  Sequence body;
  Range range;   // of the header
  Position end;  // of the closing brace
};

struct LtlFormula {
  std::string name;
  ExprPtr formula;
  Range range;
};

struct EmbeddedDecl {  // c_decl, c_code at top level, c_state, c_track
  enum class Kind : std::uint8_t { kDecl, kCode, kState, kTrack } kind = Kind::kDecl;
  std::vector<std::string> parts;  // the text between braces, or the strings
  Range range;
};

struct Model {
  std::vector<Symbol> symbols;
  std::vector<std::uint32_t> scope_parent;  // scope 0 is global; a proctype body opens a new one
  std::vector<Record> records;
  // Names of mtype constants with their set and value, in order of declaration.
  struct MtypeConstant {
    std::string name;
    std::string set;
    std::int32_t value = 0;
    bool is_used = false;
    Range range;
  };
  std::vector<MtypeConstant> mtypes;
  std::vector<SymbolId> globals;    // variables, in order of declaration
  std::vector<Proctype> proctypes;  // in order of declaration, init, claims and traces included
  std::vector<LtlFormula> formulas;
  std::vector<EmbeddedDecl> embedded;
  bool uses_priority = false;  // any `priority`, set_priority, get_priority or assignment to _priority
};

}  // namespace spoor::promela
