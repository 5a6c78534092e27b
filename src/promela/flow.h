// Control flow: from the statements of a body to SPIN's control graph.
//
// This stage decides which control points are states, and must decide as SPIN does, or the state
// counts would differ. SPIN does not build the graph that follows from the grammar. It first makes a
// list of "elements" (one per basic statement, one per head of if, do, unless, atomic, d_step and
// block, one `.` where the options of an if or do join, one where a break arrives), numbers them in
// the order in which its parser reduces them, and then, for each element that can be a state,
// searches forward from its successor over gotos, breaks, `.` and unless heads to the next element
// that is one. The numbers matter too: pc_value() returns them, and .trail files contain them.
//
//   do                        elements: 1: x > 0   2: x--   3: goto exit (break)
//   :: x > 0 -> x--                     4: do      5: .     6: exit
//   :: else -> break          location 4 has: x > 0 -> 2, else -> (the element after 6)
//   od                        location 2 has: x-- -> 4, because `.` is skipped
//
// Corners that this file reproduces, each with a model in tests/models:
//  1. Inside an atomic sequence a goto, break or `.` that leaves the sequence is not skipped: it
//     becomes the sequence's last step.
//  2. A goto that carries an end, progress or accept label, or whose label is referred to from another
//     process or a claim, whether that is checked or not, gets a skip in front of it: the label has a state.
//  3. In the options of if and do, a second unlabelled skip in a row is dropped (unless it is the
//     last statement of the option).
//  4. An option that starts with `false` (or 0) is left out.
//  5. An if or do as the first statement of an option is merged into the outer one: its options
//     become options of the outer, at its place, also its else.
//  6. An unless attaches its escape to every state of its body, inner escapes included; at a state,
//     the transitions of outer escapes come first.
//  7. Labels on the first statement of an option pass to the state behind that statement.
//
// The rivals (a textbook graph, then minimised) give fewer or other states than SPIN: this stage must
// agree state for state.
//
// Cost: linear in the size of the model, but for escapes, which cost (states in the body) x (escapes), and
// chains of gotos, which are followed from each of their gotos, for kMaxHops at most.
// Tested by: tests/unit/test_flow.cpp, and every conformance test.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "promela/program.h"
#include "promela/syntax.h"

namespace spoor::promela {

// The interface to the compiler: turns statements into code.
class StatementCompiler {
 public:
  virtual ~StatementCompiler() = default;
  virtual StatementId compile(const Stmt& stmt) = 0;
  virtual StatementId compile_assignment(const VarRef& target, ExprId value, Position position) = 0;
  virtual StatementId compile_condition(ExprId condition, Position position) = 0;
  virtual StatementId compile_channel_rotation(const ForIn& loop, bool send, Position position) = 0;
  virtual StatementId simple(StatementOp op, Position position, std::string text) = 0;
  virtual ExprId expression(const Expr& expr) = 0;
  virtual ExprId constant(std::int32_t value) = 0;
  virtual ExprId binary(Op op, ExprId left, ExprId right) = 0;
  virtual ExprId load(const VarRef& ref) = 0;
  virtual ExprId length(const VarRef& chan) = 0;
  virtual std::int32_t array_size(const VarRef& ref) = 0;
  virtual bool is_constant(StatementId statement, std::int32_t value) const = 0;
  // The labels, each with its process, that were referred to (P@label) since the last call.
  virtual std::vector<std::pair<std::uint32_t, std::string>> new_remote_labels() = 0;
};

struct FlowNode;

// A run of elements; `extent` is its last element before if, do or unless appended their `.`.
struct FlowSequence {
  FlowNode* first = nullptr;
  FlowNode* last = nullptr;
  FlowNode* extent = nullptr;
};

struct FlowNode {
  enum class Kind : std::uint8_t {
    kBasic,
    kElse,
    kGoto,
    kDot,
    kBreakTarget,
    kIf,
    kDo,
    kUnless,
    kAtomic,
    kDStep,
    kBlock,
    kEnd
  };

  Kind kind = Kind::kBasic;
  std::uint32_t number = 0;    // within the proctype: the location
  std::uint32_t trail_id = 0;  // over the whole model
  StatementId statement = kNone;
  Position position;
  FlowNode* next = nullptr;
  std::vector<FlowSequence*> options;  // if, do; unless: body and escape
  FlowSequence* body = nullptr;        // atomic, d_step, block
  std::vector<FlowSequence*> escapes;  // outermost first
  // kGoto: the label, or the loop that is left.
  std::string label;
  std::uint32_t scope = 0;
  std::uint32_t loop = 0;  // 0: a goto with a label
  bool in_atomic = false, ends_atomic = false, in_dstep = false;
  bool refuses_jumps = false;  // a d_step: SPIN treats a goto to it as a jump into it
  FlowNode* target = nullptr;  // of a goto, after it is resolved
  bool is_labelled = false;
  bool has_special_label = false;
  bool is_done = false;
};

// Builds the graphs of all bodies of a model; `finish` must be called once after the last `build`.
class FlowBuilder {
 public:
  FlowBuilder(const Model& model, StatementCompiler& compiler, Program& program, Diagnostics& diagnostics);
  ~FlowBuilder();

  // Makes and links the elements of program.processes[process]. REQUIRES: called in the order of the
  // model's text, because elements are numbered in that order.
  void build(const Proctype& proctype, std::uint32_t process);
  // The number of the element that carries the label; 0 when there is none.
  std::uint32_t location_of(std::uint32_t process, const std::string& label) const;
  // A label that another process refers to must be a state: see corner 2.
  void keep_label(std::uint32_t process, const std::string& label);
  void finish();

 private:
  struct Token;
  struct LabelEntry {
    std::string name;
    std::uint32_t scope = 0;
    std::uint32_t loop = 0;
    std::uint32_t process = 0;
    FlowNode* node = nullptr;
  };
  // A transition before composite heads are resolved.
  struct Edge {
    const FlowNode* owner = nullptr;  // the element whose statement it executes
    std::uint32_t target = 0;
    bool is_executable = true;  // false: leads to an option of a composite head
    bool stays_atomic = false;
    std::vector<std::uint32_t> escapes;
    std::uint32_t escape = 0;
  };
  struct Graph {
    const Proctype* proctype = nullptr;
    FlowSequence* body = nullptr;
    std::uint32_t numbers = 1;
    std::vector<std::vector<Edge>> edges;
    std::vector<bool> is_composite;
    std::vector<Position> positions;
  };

  // Making and linking elements (flow.cpp).
  FlowNode* new_node(FlowNode::Kind kind, Position position);
  FlowSequence* open();
  FlowSequence* close();
  void keep_label_of_current(std::uint32_t process, const std::string& label);
  void keep_new_labels();
  Token prepare(const Stmt& stmt);
  void prepare_sequence(const Sequence& sequence);
  Token prepare_loop(const Stmt& stmt);
  Token prepare_unless(const Stmt& stmt, const Unless& unless);
  void add(Token token);
  FlowNode* make(Token& token);
  FlowNode* make_choice(Token& token);
  FlowNode* make_unless(Token& token);
  void append(FlowNode* node, FlowSequence* sequence);
  void set_label(const std::string& name, std::uint32_t scope, std::uint32_t loop, FlowNode* node);
  void drop_redundant_skips(FlowSequence* sequence);
  void attach_escape(FlowSequence* body, FlowSequence* escape);
  void attach_escape(FlowNode* node, FlowSequence* escape);
  void make_atomic(FlowSequence* sequence, bool dstep);
  void mark_atomic(FlowNode* first, FlowNode* last, bool dstep);
  void link_block_ends();

  // Deriving transitions (flow_graph.cpp).
  FlowNode* target_of(FlowNode* go_to) const;
  FlowNode* find_target(const FlowNode* go_to) const;
  FlowNode* next_state_from(FlowNode* from, bool atomic);
  FlowNode* next_state_from(FlowNode* from, bool atomic, int& hops);
  FlowNode* first_state_of(FlowNode* from);
  void derive(Graph& graph, FlowSequence* sequence);
  void derive_block(Graph& graph, FlowNode* node);
  void derive_basic(Graph& graph, FlowNode* node);
  void derive_escapes(Graph& graph, FlowNode* node);
  void patch_gotos(FlowSequence* sequence);
  void merge_composites(Graph& graph);
  void add_escapes(Graph& graph);
  void emit(Graph& graph, std::uint32_t process);
  // Names for places in the control structure (flow_paths.cpp).
  std::string guard_text(const FlowSequence* option) const;
  void set_paths(const FlowSequence* sequence, const std::string& path, ProcessType& type) const;
  std::uint32_t compile_dstep(FlowNode* node);
  FlowNode* next_in_dstep(FlowNode* from);

  const Model& model_;
  StatementCompiler& compiler_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::vector<std::unique_ptr<FlowNode>> nodes_;
  std::vector<std::unique_ptr<FlowSequence>> sequences_;
  std::vector<FlowSequence*> open_;
  std::vector<LabelEntry> labels_;                                            // newest last
  std::unordered_map<std::string, std::vector<std::size_t>> labels_by_name_;  // "process@name" -> labels_
  std::unordered_map<std::uint32_t, std::size_t> loop_exits_;                 // loop -> labels_
  std::vector<std::uint32_t> loops_;
  std::uint32_t next_loop_ = 1;
  std::uint32_t next_trail_id_ = 0;
  std::uint32_t dsteps_ = 0;  // seen so far
  std::vector<Graph> graphs_;
  Graph* current_ = nullptr;
  std::uint32_t current_process_ = 0;
};

}  // namespace spoor::promela
