// The parser proper: recursive descent over the lexer's tokens, one token ahead.
//
// SPIN's grammar is LALR(1) and depends on its lexer: opening a parenthesis, entering a body or
// declaring a type changes how the following characters are read. So the parser reads ahead only
// where it must decide (peek is lazy), and then by one token only. The parts:
//
//   parser.cpp             units: proctypes, init, never, trace, ltl, inline, embedded C
//   parser_declaration.cpp types, variables, channels, typedefs, mtype
//   parser_statement.cpp   statements and sequences
//   parser_loop.cpp        for, select
//   parser_message.cpp     send, receive, run, and the expansion of records in their arguments
//   parser_expression.cpp  expressions and formulas
//   parser_reference.cpp   variables, fields, remote references
//   parser_check.cpp       rules for expressions and statements beyond the grammar
//   parser_check_model.cpp rules that need a whole body or the whole model
//
// Errors. A semantic error is reported and parsing continues; the declaration or reference is marked
// broken, so that it is reported once. A syntax error is reported and thrown as SyntaxError; it is
// caught at the nearest statement or unit, which skips to its end. No destructor depends on the
// error: skip_unit puts the parser back into its initial state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/diagnostic.h"
#include "promela/lexer.h"
#include "promela/symbols.h"
#include "promela/syntax.h"

namespace spoor::promela {

// Deeper recursion than this is refused; a block, an option or a parenthesis uses two or three levels.
inline constexpr int kMaxNesting = 1000;
// Processes in a state; SPIN's limit too.
inline constexpr int kMaxProcesses = 255;
// The tree of a + b + c + ... is as high as the chain is long; every later pass recurses over it.
inline constexpr int kMaxExpressionHeight = 1000;

struct SyntaxError {};
// Nesting beyond kMaxNesting: ends the whole unit; its other statements are not parsed.
struct NestingError {};

// A parsed expression. `list`: a record in the arguments of a message or run, by fields.
struct Operand {
  ExprPtr expr;
  std::vector<ExprPtr> list;
  bool is_list = false;
  bool is_probe = false;  // full(), empty(), ...: can be combined with && and || only
  int height = 1;
  Range range;
};

// A variable reference with its resolved part.
struct Reference {
  VarRef ref;
  EntryId entry = kNoEntry;
  Type type;                    // of the variable, element or field
  std::int32_t array_size = 0;  // not 0: an array without its index
  bool is_broken = false;       // reported already
  bool has_fields = false;
  bool is_untyped = false;  // of a variable whose declaration is not finished
  int height = 1;           // of the highest index, as of an Operand
  std::string text;         // for messages, without indices
};

class Parser {
 public:
  Parser(const Preprocessed& source, Diagnostics& diagnostics);
  Model parse();

 private:
  // ---- Tokens.
  const Token& peek();
  Token take();
  bool at(Tok kind) { return peek().kind == kind; }
  bool accept(Tok kind);
  Token expect(Tok kind, std::string_view purpose);
  void left_paren();
  void right_paren();
  [[noreturn]] void unexpected(std::string_view wanted, std::string hint = {});
  [[noreturn]] void fail(std::string_view code, Range range, std::string message, std::string hint);
  void error(std::string_view code, Range range, std::string message, std::string hint = {});
  Range since(const Range& begin) const;  // from there to the last token taken, on one line
  struct Marks {
    std::size_t runs = 0;
    std::size_t labels = 0;
  };
  Marks mark() const;
  void forget_since(const Marks& marks);
  bool at_unit();
  void skip_statement();
  void skip_unit();

  class Nesting {
   public:
    explicit Nesting(Parser& parser);
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  // ---- Units.
  void unit();
  void proctype_unit();
  std::int32_t active_count();
  void init_unit();
  void never_unit();
  void trace_unit();
  void formula_unit();
  void inline_unit();
  std::vector<std::string> inline_parameters();
  void embedded_unit();
  void state_unit();
  std::uint32_t new_proctype(const std::string& name, BodyKind kind, Range range);
  void enter_body(std::uint32_t index, bool inside_body);
  void body();
  int optional_priority();
  void provided_clause();

  // ---- Declarations.
  struct Declared {  // one variable of a list; its type comes at the end
    Token name;
    VarDecl decl;
    bool has_width = false;
    std::int32_t width = 0;
    bool is_broken = false;
    bool is_late = false;  // a step of its own
    bool has_late_initializer = false;
    ExprPtr late_value;
  };
  bool at_declaration();
  void declaration();
  void declare_broken(const Token& name);
  void typedef_unit();
  void mtype_set(const Token& keyword, const std::string& set, bool has_visibility);
  Declared variable();
  void size_and_value(Declared& declared);
  void array_size(Declared& declared);
  void initializer(Declared& declared);
  ChannelInit channel_initializer();
  Type channel_field();
  struct FlatRecord {  // a record as its scalars
    std::size_t size = 0;
    std::string array_of_records;  // the name of a field that is one, at any depth
    std::string unsigned_field;    // likewise
  };
  FlatRecord flatten(const Record& record) const;
  std::size_t flat_size(const Type& type, Range range);
  std::int32_t constant_expression(int min_precedence);
  std::int32_t constant_factor();
  void declare(Declared& declared, const Type& type, Visibility visibility);
  bool check_declared(Declared& declared, const Type& type, Visibility visibility);
  void check_parameter_record(std::uint32_t record, Range range);
  void redeclared(const Token& name);
  void define_symbol(Declared& declared);

  // ---- Statements.
  void sequence(Sequence& into);
  Sequence block_sequence();
  bool at_sequence_end();
  void step();
  void channel_claims();
  StmtPtr statement();
  StmtPtr unlabelled_statement();
  StmtPtr labelled_statement(const Token& name);
  StmtPtr statement_from_reference(const Token& first);
  StmtPtr condition(Operand value, Range begin);
  StmtPtr assignment(Reference target, Operand value, Range begin);
  StmtPtr step_by_one(Reference target, BinaryOp op, Range begin);
  StmtPtr unless_statement(StmtPtr guarded);
  StmtPtr choice(bool is_loop);
  StmtPtr braced();
  StmtPtr print_statement();
  StmtPtr printm_statement();
  StmtPtr goto_statement();
  StmtPtr break_statement();
  StmtPtr inline_call(std::optional<Reference> result, Range begin);
  StmtPtr return_statement();
  Label make_label(const Token& name);
  template <typename Node>
  StmtPtr make_statement(Node node, Range begin) {
    return std::make_unique<Stmt>(Stmt{std::move(node), since(begin), {}});
  }

  // ---- Loops.
  StmtPtr for_statement();
  StmtPtr for_range(Reference index, Range begin);
  StmtPtr for_in(Reference index, Range begin);
  Sequence for_body();
  StmtPtr select_statement();
  void check_index(const Reference& index, std::string_view what);
  void check_bounds(const Expr& from, const Expr& to, Range range);
  void check_message_loop(const Reference& index, Reference& over, ForIn& node);

  // ---- Messages.
  StmtPtr send(Reference channel, bool sorted, Range begin);
  StmtPtr receive(Reference channel, bool random, Range begin);
  struct ReceiveArguments {
    std::vector<ReceiveArg> list;
    int height = 1;
  };
  ReceiveArguments receive_arguments();
  void receive_argument(ReceiveArguments& into);
  struct Arguments {
    std::vector<ExprPtr> list;
    int height = 1;
  };
  Arguments arguments();
  void append_argument(Arguments& into, Operand operand);
  std::vector<VarRef> fields_of(const Reference& record);
  void append_fields(const VarRef& base, std::uint32_t record, std::vector<VarRef>& into);
  void check_channel(const Reference& reference);

  // ---- Expressions.
  Operand full_expression();
  // Without probes and records; `height` is raised to the height of the tree, if it is less.
  ExprPtr expression(int* height = nullptr);
  Operand binary_expression(int min_precedence);
  Operand binary_from(Operand left, int min_precedence);
  Operand combine(const Token& op, Operand left, Operand right);
  Operand unary_expression();
  Operand primary_expression();
  Operand parenthesized();
  Operand constant_operand();
  Operand channel_query(ChanQuery query, bool is_probe);
  template <typename Node>
  Operand function_of_pid();
  Operand embedded_expression();
  Operand reference_expression();
  Operand from_reference(Reference found);
  Operand poll(Reference channel, bool random, Range begin);
  Operand run_expression();
  void require_plain(const Operand& operand);
  void check_height(int height, Range range);
  template <typename Node>
  Operand make_operand(Node node, Range range, int height = 1) {
    Operand operand;
    operand.expr = std::make_unique<Expr>(Expr{std::move(node), range});
    operand.range = range;
    operand.height = height;
    return operand;
  }
  ExprPtr make_constant(std::int32_t value, Range range);

  // ---- References.
  Reference reference();
  Reference reference_from(const Token& name);
  void index_part(Reference& result, const Token& name);
  void field_part(Reference& result);
  Operand remote_reference();
  void undeclared(const Token& name);
  void mark_read(const Reference& reference);
  void mark_written(const Reference& reference);

  // ---- Checks.
  struct LabelSite {
    Label label;
    const Stmt* stmt = nullptr;
    std::uint32_t d_step = 0;
    const InlineDefinition* inline_body = nullptr;  // the inline around it
  };
  struct GotoSite {
    Label label;
    std::uint32_t d_step = 0;
  };
  struct PendingRun {
    Token name;
    Run* node = nullptr;  // null if it was dropped
    bool in_d_step = false;
  };
  struct PendingRemote {
    std::string proctype, variable;
    bool has_index = false;
    Range range;
  };
  struct PendingSend {
    std::size_t count = 0;
    Range range;
  };
  void check_runs(const Expr& condition, Range range);
  void check_d_step_expression(const Expr& expr, Range range);
  bool is_proper_provided(const Expr& expr);
  void check_embedded_expression(const std::string& code, Range range);
  void check_initial_value(const Expr& value, Range range);
  void check_assignable(const Reference& target);
  void check_readable(const Reference& source);
  std::string shape(const VarRef& ref, const std::vector<std::string>& enclosing, bool& is_self_indexed);
  void check_no_self_index(const Reference& target);
  void check_copyable(const VarRef& ref);
  void check_assignment(const Reference& target, const Expr& value);
  bool is_channel_field(const VarRef& ref) const;
  void check_channel_use(const Reference& target, const Expr& value, bool is_nested);
  void check_mtype(const Reference& target, const Constant& value);
  void check_distinct(const std::vector<ReceiveArg>& args);
  bool in_never() const;
  bool in_trace() const;
  void events_only(Range range);
  bool uses_channel(const Stmt& stmt);
  void check_block(const Sequence& sequence, const Token& keyword);
  void check_d_step_begin(const Sequence& body);
  void note_label(const Label& label, const Stmt& stmt);
  const LabelSite* find_label(const std::string& name, std::uint32_t scope) const;
  std::string nearest_label(const std::string& name) const;
  void check_gotos();
  void check_goto_circles();
  void check_priority(int priority, Range range);
  void check_formula(const Expr& formula);
  void forget_dropped_runs();
  void check_run(PendingRun& run);
  bool has_name(const Expr& expr) const;
  void check_remote(const PendingRemote& remote);
  void check_process_count();
  void check_model();

  Diagnostics& diagnostics_;
  Model model_;
  SymbolTable names_;
  Lexer lexer_;
  std::optional<Token> ahead_;
  Range last_range_;
  int nesting_ = 0;

  // The body or record being parsed.
  std::uint32_t proctype_ = kNoContext;
  Record* record_ = nullptr;
  Sequence* sequence_ = nullptr;  // where declarations put their assignments
  bool may_initialize_ = true;    // a declaration here is not a step; SPIN's initialization_ok
  bool has_initializer_ = false;  // since the header of the proctype began
  bool in_parameters_ = false;
  std::vector<std::uint32_t> loops_;  // around here, each with the d_step that it stands in
  int d_steps_ = 0;                   // around here
  std::uint32_t d_step_ = 0;          // the innermost, by number; 0 when the last one was closed
  std::uint32_t closed_d_step_ = 0;   // the last one that was closed
  std::uint32_t d_step_count_ = 0;
  int expand_records_ = 0;  // in arguments of messages and run; SPIN's Expand_Ok
  bool in_inline_arguments_ = false;
  bool is_quiet_ = false;  // this text is read again: uses do not count
  std::vector<LabelSite> labels_;
  std::unordered_map<std::string, std::vector<std::size_t>> labels_by_name_;
  std::unordered_map<std::string, std::size_t> labels_by_scope_;  // "name@scope" -> the latest
  std::vector<GotoSite> gotos_;
  std::unordered_map<std::uint32_t, std::optional<Reference>> results_;  // per expansion

  // Collected for check_model.
  std::unordered_set<std::string> reported_;            // code, place and message of each error
  std::unordered_set<std::string> known_labels_;        // "proctype@label"
  std::unordered_set<std::uint32_t> broken_proctypes_;  // headers or bodies that did not parse
  std::unordered_set<std::uint32_t> broken_records_;
  std::vector<FlatRecord> flat_records_;  // one per record
  std::vector<PendingRun> runs_;
  std::vector<PendingRemote> remotes_;
  std::vector<PendingSend> sends_;
  std::size_t most_fields_ = 0;  // of any channel
  bool has_rendezvous_ = false;
  std::optional<Range> enabled_use_;
  bool has_channel_claims_ = false;
  std::unordered_map<std::uint64_t, std::uint32_t> claimed_by_;  // channel and side -> proctype
  int claims_ = 0;
  int unnamed_formulas_ = 0;
};

// A copy of an expression; the parts of a reference that is used twice.
ExprPtr clone(const Expr& expr);
VarRef clone(const VarRef& ref);

}  // namespace spoor::promela
