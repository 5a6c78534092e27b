// Makes the elements of a body and links them; flow.h has the description.
#include "promela/flow.h"

#include <algorithm>
#include <utility>

namespace spoor::promela {

// A statement whose inner sequences exist already but which has no element of its own yet. The
// distinction matters for the numbers: SPIN numbers the inside of a statement after reading it, and
// its head when the statement is added to the sequence around it.
struct FlowBuilder::Token {
  FlowNode::Kind kind = FlowNode::Kind::kBasic;
  const Stmt* stmt = nullptr;  // the statement with these labels; null for an inserted element
  Position position;
  StatementId statement = kNone;
  std::vector<FlowSequence*> sequences;
  std::string label;
  std::uint32_t scope = 0;
  std::uint32_t loop = 0;     // kGoto: the loop left; kDo: the loop itself
  std::vector<Label> labels;  // outermost first
  bool refuses_jumps = false;
};

namespace {

bool is_special(const std::string& label) {
  return label.starts_with("end") || label.starts_with("accept") || label.starts_with("progress");
}

}  // namespace

FlowBuilder::FlowBuilder(const Model& model, StatementCompiler& compiler, Program& program,
                         Diagnostics& diagnostics)
    : model_(model), compiler_(compiler), program_(program), diagnostics_(diagnostics) {
  graphs_.resize(program.processes.size());
}
FlowBuilder::~FlowBuilder() = default;

void FlowBuilder::build(const Proctype& proctype, std::uint32_t process) {
  current_ = &graphs_[process];
  current_process_ = process;
  current_->proctype = &proctype;
  open();
  prepare_sequence(proctype.body);
  FlowNode* end = new_node(FlowNode::Kind::kEnd, proctype.end);
  end->statement = compiler_.simple(StatementOp::kEnd, proctype.end, "-end-");
  append(end, open_.back());
  current_->body = close();
}

FlowNode* FlowBuilder::new_node(FlowNode::Kind kind, Position position) {
  nodes_.push_back(std::make_unique<FlowNode>());
  FlowNode* node = nodes_.back().get();
  node->kind = kind;
  node->position = position;
  node->number = current_->numbers++;
  node->trail_id = next_trail_id_++;
  return node;
}

FlowSequence* FlowBuilder::open() {
  sequences_.push_back(std::make_unique<FlowSequence>());
  open_.push_back(sequences_.back().get());
  return open_.back();
}

FlowSequence* FlowBuilder::close() {
  FlowSequence* sequence = open_.back();
  open_.pop_back();
  sequence->extent = sequence->last;
  return sequence;
}

void FlowBuilder::prepare_sequence(const Sequence& sequence) {
  for (const StmtPtr& stmt : sequence) add(prepare(*stmt));
}

FlowBuilder::Token FlowBuilder::prepare(const Stmt& stmt) {
  Token token;
  token.stmt = &stmt;
  token.position = stmt.range.begin;
  token.labels = stmt.labels;
  auto inside = [&](const Sequence& body) {
    open();
    prepare_sequence(body);
    return close();
  };
  auto choice = [&](FlowNode::Kind kind, const std::vector<Sequence>& options) {
    token.kind = kind;
    for (const Sequence& option : options) token.sequences.push_back(inside(option));
    if (current_->proctype->kind != BodyKind::kNever) {
      for (FlowSequence* s : token.sequences) drop_redundant_skips(s);
    }
  };
  if (const auto* n = std::get_if<If>(&stmt.node)) {
    choice(FlowNode::Kind::kIf, n->options);
  } else if (const auto* n = std::get_if<Do>(&stmt.node)) {
    loops_.push_back(next_loop_++);
    token.loop = loops_.back();
    choice(FlowNode::Kind::kDo, n->options);
  } else if (const auto* n = std::get_if<Atomic>(&stmt.node)) {
    token.kind = FlowNode::Kind::kAtomic;
    token.sequences = {inside(n->body)};
    make_atomic(token.sequences[0], false);
  } else if (const auto* n = std::get_if<DStep>(&stmt.node)) {
    token.kind = FlowNode::Kind::kDStep;
    const std::uint32_t before = ++dsteps_;
    token.sequences = {inside(n->body)};
    token.refuses_jumps = dsteps_ == before;  // SPIN does not refuse them when it contains another d_step
    make_atomic(token.sequences[0], true);
  } else if (const auto* n = std::get_if<Block>(&stmt.node)) {
    token.kind = FlowNode::Kind::kBlock;
    token.sequences = {inside(n->body)};
  } else if (const auto* n = std::get_if<Unless>(&stmt.node)) {
    return prepare_unless(stmt, *n);
  } else if (const auto* n = std::get_if<Goto>(&stmt.node)) {
    token.kind = FlowNode::Kind::kGoto;
    token.label = n->label;
    token.scope = n->scope;
  } else if (std::holds_alternative<Break>(stmt.node)) {
    token.kind = FlowNode::Kind::kGoto;
    token.loop = loops_.empty() ? 0 : loops_.back();
  } else if (std::holds_alternative<ElseStmt>(stmt.node)) {
    token.kind = FlowNode::Kind::kElse;
    token.statement = compiler_.simple(StatementOp::kElse, token.position, "else");
  } else if (std::holds_alternative<ForRange>(stmt.node) || std::holds_alternative<ForIn>(stmt.node) ||
             std::holds_alternative<Select>(stmt.node)) {
    return prepare_loop(stmt);
  } else {
    token.statement = compiler_.compile(stmt);
    keep_new_labels();
  }
  return token;
}

// SPIN gives the goto behind such a label its number in trails where it reads the first reference to it, in
// front of the statement that refers to it. Labels that are not known by then, or are in the same body, have
// theirs at the end.
void FlowBuilder::keep_new_labels() {
  for (const auto& [process, label] : compiler_.new_remote_labels()) {
    if (process < current_process_) keep_label(process, label);
  }
}

// for and select expand to: an assignment before the loop, then a do with the guarded body, which
// ends in an increment, and an exit (by else, or for select at any time).
FlowBuilder::Token FlowBuilder::prepare_loop(const Stmt& stmt) {
  const Position at = stmt.range.begin;
  auto basic = [&](StatementId statement) {
    Token token;
    token.position = at;
    token.statement = statement;
    add(std::move(token));
  };
  auto increment = [&](const VarRef& index) {
    basic(compiler_.compile_assignment(
        index, compiler_.binary(Op::kAdd, compiler_.load(index), compiler_.constant(1)), at));
  };
  Token token;
  token.kind = FlowNode::Kind::kDo;
  token.position = at;
  token.labels = stmt.labels;
  token.loop = next_loop_++;
  loops_.push_back(token.loop);

  FlowSequence* main = nullptr;
  bool with_else = true;
  if (const auto* n = std::get_if<ForRange>(&stmt.node)) {
    basic(compiler_.compile_assignment(n->index, compiler_.expression(*n->from), at));
    open();
    basic(compiler_.compile_condition(
        compiler_.binary(Op::kLessEqual, compiler_.load(n->index), compiler_.expression(*n->to)), at));
    prepare_sequence(n->body);
    increment(n->index);
    main = close();
  } else if (const auto* n = std::get_if<Select>(&stmt.node)) {
    with_else = false;
    basic(compiler_.compile_assignment(n->index, compiler_.expression(*n->from), at));
    open();
    basic(compiler_.compile_condition(
        compiler_.binary(Op::kLess, compiler_.load(n->index), compiler_.expression(*n->to)), at));
    increment(n->index);
    main = close();
  } else {
    const auto& in = std::get<ForIn>(stmt.node);
    const bool over_channel = in.counter != kNoSymbol;
    VarRef counter;
    counter.symbol = in.counter;
    counter.path.resize(1);
    const VarRef& index = over_channel ? counter : in.index;
    basic(compiler_.compile_assignment(index, compiler_.constant(0), at));
    open();
    const ExprId bound =
        over_channel ? compiler_.length(in.over) : compiler_.constant(compiler_.array_size(in.over) - 1);
    basic(compiler_.compile_condition(
        compiler_.binary(over_channel ? Op::kLess : Op::kLessEqual, compiler_.load(index), bound), at));
    if (over_channel) {
      basic(compiler_.compile_channel_rotation(in, false, at));
      basic(compiler_.compile_channel_rotation(in, true, at));
    }
    prepare_sequence(in.body);
    increment(index);
    main = close();
  }
  open();
  if (with_else) {
    Token otherwise;
    otherwise.kind = FlowNode::Kind::kElse;
    otherwise.position = at;
    otherwise.statement = compiler_.simple(StatementOp::kElse, at, "else");
    add(std::move(otherwise));
  }
  Token leave;
  leave.kind = FlowNode::Kind::kGoto;
  leave.position = at;
  leave.loop = token.loop;
  add(std::move(leave));
  token.sequences = {close(), main};
  return token;
}

FlowBuilder::Token FlowBuilder::prepare_unless(const Stmt& stmt, const Unless& unless) {
  Token body = prepare(*unless.body);
  // A break in the escape of `do .. od unless ..` leaves the loop around, not this one.
  const bool hides_loop = body.kind == FlowNode::Kind::kDo && body.labels.empty();
  std::uint32_t hidden = 0;
  if (hides_loop) {
    hidden = loops_.back();
    loops_.pop_back();
  }
  Token escape = prepare(*unless.escape);
  if (hides_loop) loops_.push_back(hidden);

  Token token;
  token.kind = FlowNode::Kind::kUnless;
  token.position = stmt.range.begin;
  token.labels = stmt.labels;
  auto alone = [&](Token inner) {
    open();
    add(std::move(inner));
    return close();
  };
  FlowSequence* second = escape.kind == FlowNode::Kind::kBlock && escape.labels.empty()
                             ? escape.sequences[0]
                             : alone(std::move(escape));
  const bool is_group = body.kind == FlowNode::Kind::kBlock || body.kind == FlowNode::Kind::kAtomic ||
                        body.kind == FlowNode::Kind::kDStep;
  if (body.kind == FlowNode::Kind::kBlock && body.labels.empty()) {
    token.sequences = {body.sequences[0], second};
  } else if (is_group && !body.labels.empty()) {
    // `L: { .. } unless ..`: the label is lifted to a group around the whole.
    token.sequences = {body.sequences[0], second};
    Token outer;
    outer.kind = body.kind;
    outer.position = body.position;
    outer.labels = body.labels;
    outer.labels.insert(outer.labels.begin(), token.labels.begin(), token.labels.end());
    token.labels.clear();
    outer.sequences = {alone(std::move(token))};
    return outer;
  } else {
    token.sequences = {alone(std::move(body)), second};
  }
  return token;
}

void FlowBuilder::add(Token token) {
  FlowNode* node = make(token);
  for (auto label = token.labels.rbegin(); label != token.labels.rend(); ++label) {
    set_label(label->name, label->scope, 0, node);
  }
  const bool added_itself = node->kind == FlowNode::Kind::kIf || node->kind == FlowNode::Kind::kDo ||
                            node->kind == FlowNode::Kind::kUnless;
  if (!added_itself) append(node, open_.back());
}

FlowNode* FlowBuilder::make(Token& token) {
  if (token.kind == FlowNode::Kind::kIf || token.kind == FlowNode::Kind::kDo) return make_choice(token);
  if (token.kind == FlowNode::Kind::kUnless) return make_unless(token);
  FlowNode* node = new_node(token.kind, token.position);
  node->statement = token.statement;
  if (!token.sequences.empty()) node->body = token.sequences[0];
  node->label = token.label;
  node->scope = token.scope;
  node->loop = token.loop;
  node->refuses_jumps = token.refuses_jumps;
  if (token.kind == FlowNode::Kind::kGoto) {
    node->statement = compiler_.simple(StatementOp::kSkip, token.position,
                                       token.loop != 0 ? "break" : "goto " + token.label);
  }
  return node;
}

FlowNode* FlowBuilder::make_choice(Token& token) {
  FlowNode* head = new_node(token.kind, token.position);
  FlowNode* join = new_node(FlowNode::Kind::kDot, token.position);
  join->statement = compiler_.simple(StatementOp::kSkip, token.position, ".(goto)");
  // An else comes last, wherever it was written.
  std::stable_partition(token.sequences.begin(), token.sequences.end(), [](const FlowSequence* s) {
    return s->first == nullptr || s->first->kind != FlowNode::Kind::kElse;
  });
  head->options = token.sequences;
  for (FlowSequence* option : head->options) append(join, option);
  FlowSequence* around = open_.back();
  if (token.kind == FlowNode::Kind::kIf) {
    append(head, around);
    append(join, around);
  } else {
    append(join, around);  // the jump back to the loop is numbered before its head
    FlowNode* exit = new_node(FlowNode::Kind::kBreakTarget, token.position);
    exit->statement = compiler_.simple(StatementOp::kSkip, token.position, "break");
    set_label({}, 0, token.loop, exit);
    std::erase(loops_, token.loop);
    append(head, around);
    append(exit, around);
  }
  return head;
}

FlowNode* FlowBuilder::make_unless(Token& token) {
  FlowNode* head = new_node(FlowNode::Kind::kUnless, token.position);
  FlowNode* join = new_node(FlowNode::Kind::kDot, token.position);
  join->statement = compiler_.simple(StatementOp::kSkip, token.position, ".(goto)");
  head->options = token.sequences;
  for (FlowSequence* part : head->options) append(join, part);
  attach_escape(head->options[0], head->options[1]);
  append(head, open_.back());
  append(join, open_.back());
  return head;
}

void FlowBuilder::append(FlowNode* node, FlowSequence* sequence) {
  if (node->kind == FlowNode::Kind::kGoto && node->has_special_label) {
    FlowNode* skip = new_node(FlowNode::Kind::kBasic, node->position);
    skip->statement = compiler_.simple(StatementOp::kSkip, node->position, "(1)");
    for (auto label = labels_.rbegin(); label != labels_.rend(); ++label) {
      if (label->node == node) {
        label->node = skip;
        skip->is_labelled = true;
        break;
      }
    }
    append(skip, sequence);
  }
  if (sequence->first == nullptr) {
    sequence->first = node;
  } else {
    sequence->last->next = node;
  }
  sequence->last = node;
}

void FlowBuilder::set_label(const std::string& name, std::uint32_t scope, std::uint32_t loop,
                            FlowNode* node) {
  if (loop != 0) {
    loop_exits_.emplace(loop, labels_.size());
  } else {
    labels_by_name_[std::to_string(current_process_) + "@" + name].push_back(labels_.size());
  }
  labels_.push_back({name, scope, loop, current_process_, node});
  node->is_labelled = true;
  node->has_special_label |= is_special(name);
}

void FlowBuilder::drop_redundant_skips(FlowSequence* sequence) {
  int run = 0;
  FlowNode* before = nullptr;
  for (FlowNode* node = sequence->first; node != nullptr; before = node, node = node->next) {
    const bool is_basic = node->kind == FlowNode::Kind::kBasic;
    const StatementOp op = is_basic ? program_.statements[node->statement].op : StatementOp::kElse;
    const bool prints = op == StatementOp::kPrint || op == StatementOp::kPrintMtype;
    const bool skips = is_basic && compiler_.is_constant(node->statement, 1);
    if ((prints || skips) && !node->is_labelled) {
      ++run;
      if (run > 1 && skips && node != sequence->first && node != sequence->last && node != sequence->extent) {
        before->next = node->next;
        node = before;
      }
    } else {
      run = 0;
    }
  }
}

void FlowBuilder::attach_escape(FlowNode* node, FlowSequence* escape) {
  if (std::find(node->escapes.begin(), node->escapes.end(), escape) != node->escapes.end()) return;
  const std::vector<FlowSequence*> inner = node->escapes;
  for (FlowSequence* z : inner) attach_escape(z, escape);
  node->escapes.insert(node->escapes.begin(), escape);
  switch (node->kind) {
    case FlowNode::Kind::kUnless: attach_escape(node->options[0], escape); break;
    case FlowNode::Kind::kIf:
    case FlowNode::Kind::kDo:
      for (FlowSequence* option : node->options) attach_escape(option, escape);
      break;
    case FlowNode::Kind::kDStep: attach_escape(node->body->first, escape); break;
    case FlowNode::Kind::kAtomic:
    case FlowNode::Kind::kBlock: attach_escape(node->body, escape); break;
    default: break;
  }
}

void FlowBuilder::attach_escape(FlowSequence* body, FlowSequence* escape) {
  for (FlowNode* node = body->first; node != nullptr; node = node->next) {
    attach_escape(node, escape);
    if (node == body->extent) break;
  }
}

void FlowBuilder::make_atomic(FlowSequence* sequence, bool dstep) {
  mark_atomic(sequence->first, sequence->last, dstep);
  FlowNode* last = sequence->last;
  switch (last->kind) {
    case FlowNode::Kind::kBlock:
    case FlowNode::Kind::kAtomic: make_atomic(last->body, dstep); break;
    case FlowNode::Kind::kUnless: make_atomic(last->options[0], dstep); break;
    default:
      last->in_atomic = false;
      last->ends_atomic = true;
      break;
  }
}

void FlowBuilder::mark_atomic(FlowNode* first, FlowNode* last, bool dstep) {
  for (FlowNode* node = first;; node = node->next) {
    node->in_atomic = true;
    node->in_dstep |= dstep;
    if (node->kind == FlowNode::Kind::kAtomic || (node->kind == FlowNode::Kind::kDStep && dstep)) {
      node->kind = FlowNode::Kind::kBlock;  // an inner atomic sequence has no effect
    }
    if (node->kind == FlowNode::Kind::kBlock) mark_atomic(node->body->first, node->body->last, dstep);
    for (FlowSequence* option : node->options) mark_atomic(option->first, option->last, dstep);
    if (node == last) break;
  }
}

}  // namespace spoor::promela
