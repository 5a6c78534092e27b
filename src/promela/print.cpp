// Intended differences from SPIN 6.5.2: a constant of a named mtype set keeps its own name (SPIN
// looks its number up in the unnamed set), printm() shows only its argument, a remote reference is
// shown as in the source instead of as C code, and embedded C shows its beginning instead of an
// internal number.
//
// Tested by: tests/unit/test_print.cpp
#include "promela/print.h"

#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>

#include "base/one_line.h"

namespace spoor::promela {
namespace {

constexpr std::size_t kMaxCodeShown = 40;

std::string_view symbol_of(UnaryOp op) {
  switch (op) {
    case UnaryOp::kNot: return "!";
    case UnaryOp::kComplement: return "~";
    case UnaryOp::kMinus: return "-";
  }
  return "?";
}

std::string_view symbol_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd: return "+";
    case BinaryOp::kSub: return "-";
    case BinaryOp::kMul: return "*";
    case BinaryOp::kDiv: return "/";
    case BinaryOp::kMod: return "%";
    case BinaryOp::kBitAnd: return "&";
    case BinaryOp::kBitXor: return "^";
    case BinaryOp::kBitOr: return "|";
    case BinaryOp::kShiftLeft: return "<<";
    case BinaryOp::kShiftRight: return ">>";
    case BinaryOp::kLess: return "<";
    case BinaryOp::kLessEqual: return "<=";
    case BinaryOp::kGreater: return ">";
    case BinaryOp::kGreaterEqual: return ">=";
    case BinaryOp::kEqual: return "==";
    case BinaryOp::kNotEqual: return "!=";
    case BinaryOp::kAnd: return "&&";
    case BinaryOp::kOr: return "||";
  }
  return "?";
}

std::string_view name_of(ChanQuery query) {
  switch (query) {
    case ChanQuery::kLen: return "len";
    case ChanQuery::kEmpty: return "empty";
    case ChanQuery::kFull: return "full";
    case ChanQuery::kNotEmpty: return "nempty";
    case ChanQuery::kNotFull: return "nfull";
  }
  return "?";
}

std::string_view symbol_of(TemporalOp op) {
  switch (op) {
    case TemporalOp::kNext: return "X";
    case TemporalOp::kAlways: return "[]";
    case TemporalOp::kEventually: return "<>";
    case TemporalOp::kUntil: return "U";
    case TemporalOp::kRelease: return "V";
    case TemporalOp::kWeakUntil: return "W";
    case TemporalOp::kImplies: return "->";
    case TemporalOp::kEquivalent: return "<->";
  }
  return "?";
}

class Printer {
 public:
  explicit Printer(const Model& model) : model_(model) {}

  std::string take() { return std::move(out_); }

  void add(const VarRef& ref) {
    add_name(ref);
    for (std::size_t i = 0; i < ref.path.size(); ++i) {
      if (i > 0) out_ += "." + field_of(ref, i).name;
      add_index(ref.path[i].index);
    }
  }

  void add(const Expr& expr) {
    std::visit([&](const auto& node) { add_node(node); }, expr.node);
  }

  void add(const Stmt& stmt) {
    std::visit([&](const auto& node) { add_node(node); }, stmt.node);
  }

 private:
  // ---- Names and paths -------------------------------------------------------------------------

  void add_name(const VarRef& ref) {
    out_ += ref.symbol < model_.symbols.size() ? model_.symbols[ref.symbol].name : "?";
  }

  void add_index(const ExprPtr& index) {
    if (!index) return;
    out_ += "[";
    add(*index);
    out_ += "]";
  }

  // The declaration of part `i` (at least 1) of a reference.
  const VarDecl& field_of(const VarRef& ref, std::size_t i) const {
    const VarDecl* decl = &model_.symbols[ref.symbol].decl;
    for (std::size_t k = 1; k <= i; ++k) {
      decl = &model_.records[decl->type.record].fields[ref.path[k].field];
    }
    return *decl;
  }

  // ---- Lists -----------------------------------------------------------------------------------

  template <class List, class Add>
  void add_list(const List& list, Add add_one) {
    bool is_first = true;
    for (const auto& item : list) {
      if (!is_first) out_ += ",";
      is_first = false;
      add_one(item);
    }
  }

  void add_message(const std::vector<ExprPtr>& args) {
    add_list(args, [&](const ExprPtr& arg) { add(*arg); });
  }

  void add_message(const std::vector<ReceiveArg>& args) {
    add_list(args, [&](const ReceiveArg& arg) {
      if (arg.kind == ReceiveArg::Kind::kVariable) {
        add(arg.variable);
      } else if (arg.is_eval) {
        add_call("eval", *arg.match);
      } else {
        add(*arg.match);
      }
    });
  }

  void add_call(std::string_view name, const Expr& argument) {
    out_.append(name).append("(");
    add(argument);
    out_ += ")";
  }

  // C code on one line, shortened.
  void add_code(std::string_view keyword, const std::string& code) {
    std::string line = in_one_line(code);
    if (line.size() > kMaxCodeShown) line = line.substr(0, kMaxCodeShown) + "...";
    out_.append(keyword).append(" {").append(line).append("}");
  }

  // ---- Expressions -----------------------------------------------------------------------------

  void add_node(const Constant& node) {
    out_ += node.mtype_name.empty() ? std::to_string(node.value) : node.mtype_name;
  }
  void add_node(const Variable& node) { add(node.ref); }
  void add_node(const Unary& node) { add_call(symbol_of(node.op), *node.operand); }
  void add_node(const Binary& node) {
    out_ += "(";
    add(*node.left);
    out_ += symbol_of(node.op);
    add(*node.right);
    out_ += ")";
  }
  void add_node(const Conditional& node) {
    out_ += "( (";
    add(*node.condition);
    out_ += ") -> (";
    add(*node.if_true);
    out_ += ") : (";
    add(*node.if_false);
    out_ += ") )";
  }
  void add_node(const Run& node) {
    out_ += "run " + model_.symbols[node.proctype].name + "(";
    add_message(node.args);
    out_ += ")";
  }
  void add_node(const QueryChan& node) {
    out_.append(name_of(node.query)).append("(");
    add(node.chan);
    out_ += ")";
  }
  void add_node(const Poll& node) {
    add(node.chan);
    out_ += node.random ? "??[" : "?[";
    add_message(node.args);
    out_ += "]";
  }
  void add_node(const Enabled& node) { add_call("enabled", *node.pid); }
  void add_node(const PcValue& node) { add_call("pc_value", *node.pid); }
  void add_node(const GetPriority& node) { add_call("get_priority", *node.pid); }
  void add_node(const TimeoutExpr&) { out_ += "timeout"; }
  void add_node(const NonProgressExpr&) { out_ += "np_"; }
  void add_node(const RemoteLabel& node) {
    out_ += model_.symbols[node.proctype].name;
    add_index(node.pid);
    out_ += "@" + node.label;
  }
  void add_node(const RemoteVariable& node) {
    out_ += model_.symbols[node.proctype].name;
    add_index(node.pid);
    out_ += ":" + node.variable;
    add_index(node.index);
  }
  void add_node(const EmbeddedExpr& node) { add_code("c_expr", node.code); }
  void add_node(const Temporal& node) {
    out_ += "(";
    if (node.left) {
      add(*node.left);
      out_ += " ";
    }
    out_.append(symbol_of(node.op)).append(" ");
    add(*node.right);
    out_ += ")";
  }

  // ---- Statements ------------------------------------------------------------------------------

  void add_node(const Assign& node) {
    add(node.target);
    out_ += " = ";
    if (node.value) {
      add(*node.value);
    } else {
      out_ += "0";
    }
  }
  void add_node(const ExprStmt& node) { add_call("", *node.expr); }
  void add_node(const ElseStmt&) { out_ += "else"; }
  void add_node(const Send& node) {
    add(node.chan);
    out_ += node.sorted ? "!!" : "!";
    add_message(node.args);
  }
  void add_node(const Receive& node) {
    add(node.chan);
    out_ += node.random ? "??" : "?";
    if (node.copy) out_ += "<";
    add_message(node.args);
    if (node.copy) out_ += ">";
  }
  void add_node(const Assert& node) { add_call("assert", *node.expr); }
  void add_node(const Print& node) {
    out_ += "printf('";
    for (const char c : node.format) out_ += c == '"' ? '\'' : c;
    out_ += "'";
    for (const ExprPtr& arg : node.args) {
      out_ += ",";
      add(*arg);
    }
    out_ += ")";
  }
  void add_node(const PrintMtype& node) { add_call("printm", *node.value); }
  void add_node(const SetPriority& node) {
    out_ += "set_priority(";
    add(*node.pid);
    out_ += ", ";
    add(*node.priority);
    out_ += ")";
  }
  void add_node(const EmbeddedCode& node) { add_code("c_code", node.code); }
  void add_node(const If&) { out_ += "if"; }
  void add_node(const Do&) { out_ += "do"; }
  void add_node(const Atomic&) { out_ += "atomic"; }
  void add_node(const DStep&) { out_ += "d_step {...}"; }
  void add_node(const Block&) { out_ += "{...}"; }
  void add_node(const Unless&) { out_ += "unless"; }
  void add_node(const Goto& node) { out_ += "goto " + node.label; }
  void add_node(const Break&) { out_ += "break"; }
  void add_node(const ForRange& node) { add_range("for", node.index, *node.from, *node.to); }
  void add_node(const ForIn& node) {
    out_ += "for (";
    add(node.index);
    out_ += " in ";
    add(node.over);
    out_ += ")";
  }
  void add_node(const Select& node) { add_range("select", node.index, *node.from, *node.to); }

  void add_range(std::string_view keyword, const VarRef& index, const Expr& from, const Expr& to) {
    out_.append(keyword).append(" (");
    add(index);
    out_ += " : ";
    add(from);
    out_ += " .. ";
    add(to);
    out_ += ")";
  }

  const Model& model_;
  std::string out_;
};

template <class Node>
std::string print(const Model& model, const Node& node) {
  Printer printer(model);
  printer.add(node);
  return printer.take();
}

}  // namespace

std::string to_text(const Model& model, const Expr& expr) { return print(model, expr); }
std::string to_text(const Model& model, const Stmt& stmt) { return print(model, stmt); }
std::string to_text(const Model& model, const VarRef& ref) { return print(model, ref); }

}  // namespace spoor::promela
