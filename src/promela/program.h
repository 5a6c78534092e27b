// A compiled Promela model: storage laid out, names resolved, control flow as graphs.
//
// The interpreter executes a Program, and the native tier turns it into C. It is plain data:
// expressions and statements are in flat vectors and refer to each other by index.
//
// The bytes of a state, in this order:
//   1 byte   number of processes
//   1 byte   _last                                    (only when the model mentions _last)
//   2 bytes  location of the trace assertion          (only when there is one)
//   ...      global variables
//   ...      the buffers of the global channels
//   ...      C data of the whole model (c_state "Global", c_track), what is not compared last
//   then for each process, lowest pid first:
//   1 byte   process type, 2 bytes location, 1 byte priority (only when the model uses priorities),
//   ...      parameters and local variables, then the buffers of the channels it declares, then its
//            C data (c_state "Local")
// Numbers are little-endian and unaligned. A buffer is its length (1 byte, or 2 when the capacity
// exceeds 255) and its slots; slots not in use are zero, so that equal contents are equal bytes.
// Rendezvous channels need no buffer: a rendezvous is one step, without a state inside.
//
// A channel's identity is its number, counted from 1 over the global channels and then over the
// channels of each process in pid order. Processes die in the reverse order of their creation, so the
// number of a live channel never changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "ltl/automaton.h"
#include "ltl/invariant.h"
#include "promela/syntax.h"

namespace spoor::promela {

using ExprId = std::uint32_t;
using PlaceId = std::uint32_t;
using StatementId = std::uint32_t;
inline constexpr std::uint32_t kNone = UINT32_MAX;

// How a scalar is stored and what an assignment does to the value.
struct ScalarType {
  BaseType base = BaseType::kInt;
  std::uint8_t bits = 32;  // significant bits
  std::uint8_t bytes = 4;  // of storage
  bool is_signed = false;
  std::int32_t truncate(std::int32_t value) const;
  friend bool operator==(const ScalarType&, const ScalarType&) = default;
};

// The place of a variable. The address is base + sum of index[i] * stride[i], each index checked.
struct Place {
  enum class Region : std::uint8_t {
    kGlobal,
    kLocal,
    kPid,
    kNrPr,
    kLast,
    kPriority,
    kDiscard
  } region = Region::kGlobal;
  ScalarType type;
  std::uint32_t offset = 0;  // from the start of the state, or of the process's block
  struct Index {
    ExprId expr = kNone;
    std::uint32_t count = 0;
    std::uint32_t stride = 0;
  };
  std::vector<Index> indices;
  // The first byte after the place, for all values of the indices.
  std::uint32_t end() const {
    std::uint32_t result = offset + type.bytes;
    for (const Index& index : indices) result += (index.count - 1) * index.stride;
    return result;
  }
  std::string text;       // "a[i].b", for messages
  std::string mtype_set;  // of an mtype variable
};

// clang-format off
enum class Op : std::uint8_t {
  kConstant,   // value
  kLoad,       // place
  kNot, kComplement, kNegate,                                         // left
  kAdd, kSub, kMul, kDiv, kMod, kBitAnd, kBitXor, kBitOr, kShiftLeft, kShiftRight,
  kLess, kLessEqual, kGreater, kGreaterEqual, kEqual, kNotEqual,      // left, right
  kAnd, kOr,                                                          // left, right, short-circuit
  kConditional,                                                       // left ? right : third
  kRun,        // value: process type, third: priority; args
  kLen, kEmpty, kFull, kNotEmpty, kNotFull,                           // left: channel
  kPoll,       // left: channel, value: 1 for random; matches
  kEnabled, kPcValue, kGetPriority,                                   // left: pid
  kTimeout,
  kNonProgress,  // no process is at a progress label
  kAccepting,    // some process is at an accept label
  kRemoteLabel,     // left: pid or kNone, third: process type, value: location
  kRemoteVariable,  // left: pid or kNone, third: process type; place (its region is kLocal there)
  kRemotePredefined,  // left: pid or kNone, third: process type, value: a Predefined (kNone: _p)
  kEmbedded,        // value: fragment of C
};
// clang-format on
// True if the value depends only on `left` and, for a binary operator, `right`.
constexpr bool is_operator(Op op) { return op >= Op::kNot && op <= Op::kOr; }

// The required value of a message field, or the variable that receives it.
struct FieldPattern {
  enum class Kind : std::uint8_t { kStore, kMatch, kDiscard } kind = Kind::kMatch;
  ExprId match = kNone;
  PlaceId store = kNone;
};

struct ExprCode {
  Op op = Op::kConstant;
  std::int32_t value = 0;
  ExprId left = kNone, right = kNone, third = kNone;
  PlaceId place = kNone;
  std::vector<ExprId> args;
  std::vector<FieldPattern> fields;
  Position position;
};

enum class StatementOp : std::uint8_t {
  kSkip,  // also gotos and breaks that are steps of their own, and declarations of records
  kElse,
  kCondition,    // expr
  kAssign,       // place = expr
  kSend,         // chan, args, sorted
  kReceive,      // chan, fields, random, copy
  kAssert,       // expr
  kPrint,        // text, args
  kPrintMtype,   // expr
  kSetPriority,  // args[0], args[1]
  kDStep,        // dstep: index into Program::dsteps
  kEnd,          // the process ends
  kEmbedded,     // fragment: C code
};

struct Statement {
  StatementOp op = StatementOp::kSkip;
  ExprId expr = kNone;
  PlaceId place = kNone;
  ExprId chan = kNone;
  std::vector<ExprId> args;
  std::vector<FieldPattern> fields;
  bool sorted = false, random = false, copy = false;
  std::uint32_t dstep = kNone;
  std::uint32_t fragment = kNone;
  std::vector<ExprId>
      preconditions;   // of embedded C; a false precondition is an error, and the statement is not executed
  std::string format;  // of printf
  std::string mtype_set;  // of printm
  Position position;
  std::string text;  // SPIN's notation
};

// The inside of a d_step: a small control graph that is executed as one step. Node 0 is the entry.
struct DStepNode {
  enum class Kind : std::uint8_t { kStatement, kChoice, kExit } kind = Kind::kExit;
  StatementId statement = kNone;
  std::uint32_t next = kNone;          // kStatement
  std::vector<std::uint32_t> options;  // kChoice: tried in order; the last may start with else
  Position position;
};
struct DStepCode {
  std::vector<DStepNode> nodes;
};

struct Transition {
  StatementId statement = kNone;
  std::uint32_t target = 0;    // location; ignored for kEnd
  bool stays_atomic = false;   // the sequence is indivisible beyond this step
  std::uint32_t escape = 0;    // 0: ordinary; else: the escape (of an unless) that it belongs to
  std::uint32_t trail_id = 0;  // SPIN's number of it in .trail files
};

// A range of bytes to be cleared.
struct Scratch {
  std::uint32_t offset = 0, bytes = 0;
};

struct Location {
  std::vector<Transition> transitions;  // in SPIN's order: escapes first
  std::vector<Scratch> dead;            // bytes of the block that are not read again (dead.cpp)
  bool is_ample = false;                // the steps of this process alone are an ample set (ample.cpp)
  bool is_end = false, is_progress = false, is_accept = false;
  std::vector<std::string> labels;
  // The options of if, do and unless around it, each by its guard: "/do(x > 0)/if(else)". A name for messages
  // and for comparing versions; several locations may have the same.
  std::string path;
  Position position;
};

// One field of a message.
struct ChannelField : ScalarType {
  std::string mtype_set;  // of an mtype field
};

struct ChannelType {
  std::uint32_t capacity = 0;
  std::vector<ChannelField> fields;
  std::uint32_t slot_bytes = 0;
  std::uint32_t length_bytes = 1;
  bool is_rendezvous() const { return capacity == 0; }
  std::uint32_t bytes() const { return is_rendezvous() ? 0 : length_bytes + capacity * slot_bytes; }
};

// A variable by its source name, for showing states.
struct VariableInfo {
  std::string name;  // "a[2].b": one entry per scalar
  ScalarType type;
  std::uint32_t offset = 0;
  std::string mtype_set;
  bool is_hidden = false;
};

// Executed in order when a process starts (or, for the globals, before the first one starts).
struct Initializer {
  std::uint32_t offset = 0;
  ScalarType type;
  ExprId value = kNone;           // evaluated in the new process
  std::uint32_t channel = kNone;  // else: number (from 0) of the channel among the block's own
};

struct ChannelInfo {
  std::uint32_t type = 0;    // index into Program::channel_types
  std::uint32_t offset = 0;  // of the buffer, from the start of the state or of the process's block
  std::string name;
};

// xr/xs: the channel that the expression names is read (sent to) by this process only.
struct ChannelClaimCode {
  bool receive = false;
  ExprId chan = kNone;
  Position position;
};

// ---- Embedded C: what exec/embedded.h makes a library of ----

// A piece of C that runs in a state.
struct Fragment {
  enum class Kind : std::uint8_t {
    kExpression,  // has a value and changes nothing
    kStatements,
    kInitial,  // sets the initial values of C data
  } kind = Kind::kStatements;
  std::string code;
  Position position;
};

// C data that are part of a state. The C compiler determines the number of bytes.
struct ForeignData {
  enum class Kind : std::uint8_t { kGlobal, kMatched, kUnmatched, kLocal } kind = Kind::kGlobal;
  std::string text;               // kGlobal, kLocal: a declaration; else: an address
  std::string size;               // kMatched, kUnmatched: an expression
  std::uint32_t process = kNone;  // kLocal: whose
  Position position;
  std::uint32_t offset = kNone, bytes = 0;  // from the start of the state, or of the process's block
};

// Text outside all processes.
struct ForeignText {
  std::string code;
  Position position;
};

// A Promela variable as embedded C declares it.
struct ForeignVariable {
  std::string name;
  std::string declaration;  // "unsigned b : 1"
  bool is_hidden = false;   // a variable of its own, not in `now`
};

struct ForeignCode {
  std::vector<ForeignText> before;   // c_decl
  std::vector<ForeignText> after;    // c_code at top level, which can access the state
  std::vector<std::string> records;  // the typedefs, as structs
  std::vector<ForeignVariable> globals;
  std::vector<std::vector<ForeignVariable>> locals;  // per process type
  std::vector<Fragment> fragments;
  std::vector<ForeignData> data;        // in the order of their kinds
  std::vector<std::uint32_t> at_start;  // per process type: the fragment to run when one starts, or kNone
  std::uint32_t initial = kNone;        // the fragment that makes the first values
  std::uint32_t unmatched_bytes = 0;    // the last ones before the first process
};

// The claim about the runs of a model (compile_claim.h).
struct ClaimCode {
  enum class Kind : std::uint8_t { kNone, kFormula, kNever, kAccept, kProgress } kind = Kind::kNone;
  std::string name;  // of the formula or the never claim
  Range range;
  // The propositions, in the order of the automaton's atoms.
  std::vector<ExprId> atoms;
  std::vector<std::string> atom_texts;
  ltl::Automaton automaton;  // kFormula, kNever: accepts the runs that violate the claim
  // kFormula: the premise of each -> that the formula asserts, in order.
  struct Premise {
    std::string text;
    Position position;
  };
  std::vector<Premise> premises;
  std::optional<ltl::Invariant> invariant;  // kFormula: where the formula is one
  // kNever, kAccept: some process has an accept label inside an indivisible sequence.
  bool has_inner_labels = false;
};

struct ProcessType {
  std::string name;
  BodyKind kind = BodyKind::kProctype;
  bool deterministic = false;
  int priority = 0;
  ExprId provided = kNone;
  std::uint32_t size = 0;  // bytes of the block, header and buffers included
  std::vector<PlaceId> parameters;
  std::vector<VariableInfo> variables;
  std::vector<Initializer> initializers;
  std::vector<ChannelInfo> channels;
  std::vector<ChannelClaimCode> claims;
  std::vector<Location> locations;  // index = SPIN's state number; unused ones are empty
  std::uint32_t start = 0;
  std::uint32_t end = 0;
  Position position;
};

struct Program {
  SourceSet sources;
  std::vector<Place> places;
  std::vector<ExprCode> exprs;
  std::vector<Statement> statements;
  std::vector<DStepCode> dsteps;
  std::vector<ChannelType> channel_types;
  std::vector<ProcessType> processes;
  std::vector<std::uint32_t> active;  // process types of the initial state, pid order
  std::vector<int> active_priority;
  std::vector<VariableInfo> variables;    // global
  std::vector<Initializer> initializers;  // global
  std::vector<ChannelInfo> channels;      // global
  std::vector<Model::MtypeConstant> mtypes;
  // Bytes of `hidden` variables that are scratch (hidden.h); zero in every state.
  std::vector<Scratch> scratch;
  std::uint32_t globals_size = 0;       // bytes before the first process
  std::uint32_t last_offset = kNone;    // of _last
  std::uint32_t event_offset = kNone;   // of the trace assertion's location
  std::uint32_t trace_process = kNone;  // process type of trace or notrace
  std::vector<ExprId> traced_sends;     // channels of the trace assertion
  std::vector<ExprId> traced_receives;
  std::uint32_t location_bytes = 1;  // of a process's location, behind the byte of its type; 1 or 2
  std::uint32_t process_header = 2;  // bytes before a process's variables
  bool uses_priority = false;
  bool uses_timeout = false;
  bool has_embedded_code = false;
  Position embedded_code;  // where the first piece of it is
  ForeignCode foreign;
  ClaimCode claim;
  bool has_channel_claims = false;
  bool uses_stubborn_sets = false;  // stubborn sets are computed (exec/stubborn.h)
};

}  // namespace spoor::promela
