#include "exec/canonical_code.h"

#include <unordered_map>

namespace spoor::exec {

using promela::ExprCode;
using promela::ExprId;
using promela::FieldPattern;
using promela::kNone;
using promela::Op;
using promela::Place;
using promela::Statement;
using promela::StatementOp;

std::vector<std::string> distinct_names(const std::vector<promela::VariableInfo>& variables) {
  std::vector<std::string> names;
  std::unordered_map<std::string, int> seen;
  for (const promela::VariableInfo& variable : variables) {
    const int before = seen[variable.name]++;
    names.push_back(before == 0 ? variable.name : variable.name + "#" + std::to_string(before));
  }
  return names;
}

// ---- Names -------------------------------------------------------------------------------------

CodeNames::CodeNames(const promela::Program& program) : program_(program), locals_(program.processes.size()) {
  add_block(kNoOwner, program.variables, program.initializers, program.channels);
  for (std::uint32_t i = 0; i < program.processes.size(); ++i) {
    const promela::ProcessType& type = program.processes[i];
    add_block(i, type.variables, type.initializers, type.channels);
  }
  for (std::uint32_t i = 0; i < program.processes.size(); ++i) {
    for (const promela::Location& location : program.processes[i].locations) {
      for (const promela::Transition& t : location.transitions)
        note_writes(program.statements[t.statement], i);
    }
  }
}

void CodeNames::add_block(std::uint32_t owner, const std::vector<promela::VariableInfo>& variables,
                          const std::vector<promela::Initializer>& initializers,
                          const std::vector<promela::ChannelInfo>& channels) {
  const std::vector<std::string> names = distinct_names(variables);
  for (std::size_t i = 0; i < variables.size(); ++i)
    block(owner)[variables[i].offset] = {names[i], variables[i].offset + variables[i].type.bytes, kNone};
  for (std::uint32_t i = 0; i < channels.size(); ++i) all_channels_.emplace(owner, i);
  if (program_.has_embedded_code) return;  // C may assign to anything
  for (const promela::Initializer& init : initializers) {
    if (init.channel != kNone) block(owner)[init.offset].channel = init.channel;
  }
}

void CodeNames::note_writes(const Statement& statement, std::uint32_t owner) {
  if (statement.op == StatementOp::kAssign) note_write(statement.place, owner);
  for (const FieldPattern& field : statement.fields) {
    if (field.kind == FieldPattern::Kind::kStore) note_write(field.store, owner);
  }
  if (statement.op != StatementOp::kDStep) return;
  for (const promela::DStepNode& node : program_.dsteps[statement.dstep].nodes) {
    if (node.statement != kNone) note_writes(program_.statements[node.statement], owner);
  }
}

void CodeNames::note_write(promela::PlaceId id, std::uint32_t owner) {
  const Place& place = program_.places[id];
  if (place.region != Place::Region::kGlobal && place.region != Place::Region::kLocal) return;
  Block& variables = block(place.region == Place::Region::kGlobal ? kNoOwner : owner);
  for (auto at = variables.lower_bound(place.offset); at != variables.end() && at->first < place.end(); ++at)
    at->second.channel = kNone;
}

std::string CodeNames::variable(std::uint32_t owner, std::uint32_t offset) const {
  const auto found = block(owner).find(offset);
  return found != block(owner).end() ? found->second.name : "+" + std::to_string(offset);
}

std::vector<std::string> CodeNames::variables(std::uint32_t owner,
                                              const std::vector<promela::Scratch>& bytes) const {
  std::vector<std::string> names;
  for (const promela::Scratch& part : bytes) {
    const Block& all = block(owner);
    for (auto at = all.lower_bound(part.offset); at != all.end() && at->first < part.offset + part.bytes;
         ++at)
      names.push_back(at->second.name);
  }
  return names;
}

std::set<ChannelName> CodeNames::channels(ExprId id, std::uint32_t owner) const {
  const ExprCode& expr = program_.exprs[id];
  if (expr.op != Op::kLoad) return all_channels_;
  const Place& place = program_.places[expr.place];
  if (place.region != Place::Region::kGlobal && place.region != Place::Region::kLocal) return all_channels_;
  if (place.region == Place::Region::kGlobal) owner = kNoOwner;
  std::set<ChannelName> found;
  const Block& all = block(owner);
  for (auto at = all.lower_bound(place.offset); at != all.end() && at->first < place.end(); ++at) {
    if (at->second.channel == kNone) return all_channels_;
    found.emplace(owner, at->second.channel);
  }
  return found.empty() ? all_channels_ : found;
}

// ---- Code --------------------------------------------------------------------------------------

void CanonicalCode::number(std::uint64_t value) {
  for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(value >> (8 * i)));
}

void CanonicalCode::text(const std::string& value) {
  number(value.size());
  bytes_ += value;
}

void CanonicalCode::type(const promela::ScalarType& value) {
  number(static_cast<std::uint64_t>(value.base));
  number(value.bits);
  number(value.bytes);
  number(value.is_signed ? 1 : 0);
}

void CanonicalCode::location(std::uint32_t process, std::uint32_t location) {
  locations_.emplace_back(process, location);
}

void CanonicalCode::place(promela::PlaceId id, std::uint32_t owner) {
  const Place& place = program_.places[id];
  number(static_cast<std::uint64_t>(place.region));
  if (place.region != Place::Region::kGlobal && place.region != Place::Region::kLocal) return;
  if (place.region == Place::Region::kGlobal) owner = kNoOwner;
  type(place.type);
  text(names_.variable(owner, place.offset));
  number(place.indices.size());
  for (const Place::Index& index : place.indices) {
    expression(index.expr);
    number(index.count);
    // Which of the brackets in the name it stands in: the one that counts up with it.
    text(index.count > 1 ? names_.variable(owner, place.offset + index.stride) : std::string());
  }
}

void CanonicalCode::fields(const std::vector<FieldPattern>& fields) {
  number(fields.size());
  for (const FieldPattern& field : fields) {
    number(static_cast<std::uint64_t>(field.kind));
    if (field.kind == FieldPattern::Kind::kMatch) expression(field.match);
    if (field.kind == FieldPattern::Kind::kStore) place(field.store, owner_);
  }
}

void CanonicalCode::expressions(const std::vector<ExprId>& exprs) {
  number(exprs.size());
  for (const ExprId expr : exprs) expression(expr);
}

void CanonicalCode::channel(ExprId expr) {
  expression(expr);
  channels_.merge(names_.channels(expr, owner_));
}

void CanonicalCode::fragment(std::uint32_t fragment) { text(program_.foreign.fragments[fragment].code); }

void CanonicalCode::expression(ExprId id) {
  if (id == kNone) {
    number(UINT64_MAX);
    return;
  }
  const ExprCode& e = program_.exprs[id];
  number(static_cast<std::uint64_t>(e.op));
  switch (e.op) {
    case Op::kConstant: number(static_cast<std::uint32_t>(e.value)); break;
    case Op::kLoad: place(e.place, owner_); break;
    case Op::kConditional:
      expression(e.left);
      expression(e.right);
      expression(e.third);
      break;
    case Op::kRun:
      text(program_.processes[static_cast<std::uint32_t>(e.value)].name);
      number(e.third);
      expressions(e.args);
      started_.insert(static_cast<std::uint32_t>(e.value));
      break;
    case Op::kLen:
    case Op::kEmpty:
    case Op::kFull:
    case Op::kNotEmpty:
    case Op::kNotFull: channel(e.left); break;
    case Op::kPoll:
      channel(e.left);
      number(static_cast<std::uint32_t>(e.value));
      fields(e.fields);
      break;
    case Op::kRemoteLabel:
      expression(e.left);
      text(program_.processes[e.third].name);
      location(e.third, static_cast<std::uint32_t>(e.value));
      break;
    case Op::kRemoteVariable:
      expression(e.left);
      text(program_.processes[e.third].name);
      place(e.place, e.third);
      break;
    case Op::kRemotePredefined:
      expression(e.left);
      text(program_.processes[e.third].name);
      number(static_cast<std::uint32_t>(e.value));
      break;
    case Op::kEmbedded: fragment(static_cast<std::uint32_t>(e.value)); break;
    case Op::kTimeout:
    case Op::kNonProgress:
    case Op::kAccepting: break;
    default:  // operators, and questions about a process number
      expression(e.left);
      expression(e.right);
      break;
  }
}

void CanonicalCode::statement(promela::StatementId id) {
  const Statement& s = program_.statements[id];
  number(static_cast<std::uint64_t>(s.op));
  switch (s.op) {
    case StatementOp::kSkip:
    case StatementOp::kElse:
    case StatementOp::kEnd: break;
    case StatementOp::kCondition:
    case StatementOp::kAssert:
    case StatementOp::kPrintMtype: expression(s.expr); break;
    case StatementOp::kAssign:
      place(s.place, owner_);
      expression(s.expr);
      break;
    case StatementOp::kSend:
      channel(s.chan);
      expressions(s.args);
      fields(s.fields);  // of an event in a trace assertion
      number(s.sorted ? 1 : 0);
      break;
    case StatementOp::kReceive:
      channel(s.chan);
      fields(s.fields);
      number((s.random ? 1U : 0U) + (s.copy ? 2U : 0U));
      break;
    case StatementOp::kPrint:  // the values may be out of bounds
    case StatementOp::kSetPriority: expressions(s.args); break;
    case StatementOp::kDStep: dstep(program_.dsteps[s.dstep]); break;
    case StatementOp::kEmbedded: fragment(s.fragment); break;
  }
  expressions(s.preconditions);
}

// The nodes are numbered within the sequence, in an order that depends on nothing else.
void CanonicalCode::dstep(const promela::DStepCode& code) {
  number(code.nodes.size());
  for (const promela::DStepNode& node : code.nodes) {
    number(static_cast<std::uint64_t>(node.kind));
    if (node.kind == promela::DStepNode::Kind::kStatement) {
      statement(node.statement);
      number(node.next);
    }
    number(node.options.size());
    for (const std::uint32_t option : node.options) number(option);
  }
}

void CanonicalCode::initializers(const std::vector<promela::Initializer>& values) {
  number(values.size());
  for (const promela::Initializer& init : values) {
    text(names_.variable(owner_, init.offset));
    type(init.type);
    number(init.channel);
    if (init.channel == kNone) expression(init.value);
  }
}

}  // namespace spoor::exec
