// Compiles expressions and basic statements into code; flow.h handles composite statements.
#pragma once

#include <string>
#include <vector>

#include "promela/flow.h"
#include "promela/layout.h"

namespace spoor::promela {

class CodeBuilder : public StatementCompiler {
 public:
  struct RemoteLabelReference {
    ExprId expr = kNone;
    std::uint32_t process = 0;
    std::string label;
    Position position;
  };

  CodeBuilder(const Model& model, const Layout& layout, Program& program)
      : model_(model), layout_(layout), program_(program) {}

  // The body that the following code belongs to; kNone: none.
  void enter(std::uint32_t process) { process_ = process; }

  StatementId compile(const Stmt& stmt) override;
  StatementId compile_assignment(const VarRef& target, ExprId value, Position position) override;
  StatementId compile_condition(ExprId condition, Position position) override;
  StatementId compile_channel_rotation(const ForIn& loop, bool send, Position position) override;
  StatementId simple(StatementOp op, Position position, std::string text) override;
  ExprId expression(const Expr& expr) override;
  ExprId constant(std::int32_t value) override;
  ExprId binary(Op op, ExprId left, ExprId right) override;
  ExprId load(const VarRef& ref) override;
  ExprId length(const VarRef& chan) override;
  std::int32_t array_size(const VarRef& ref) override;
  bool is_constant(StatementId statement, std::int32_t value) const override;
  std::vector<std::pair<std::uint32_t, std::string>> new_remote_labels() override;

  const std::vector<RemoteLabelReference>& remote_labels() const { return remote_labels_; }
  bool uses_timeout() const { return uses_timeout_; }
  void set_uses_timeout(bool uses) { uses_timeout_ = uses; }

 private:
  ExprId add(ExprCode code);
  StatementId add(Statement statement);
  PlaceId place(const VarRef& ref);
  std::vector<PlaceId> scalar_places(const VarRef& record);
  FieldPattern pattern(const ReceiveArg& arg);
  bool is_record(const VarRef& ref) const;
  // The declaration that the path ends at.
  const VarDecl& declaration(const VarRef& ref) const;
  std::string text(ExprId expr) const;
  ExprId embedded(const std::string& code, Position position);
  std::uint32_t add_fragment(Fragment::Kind kind, const std::string& code, Position position);

  const Model& model_;
  const Layout& layout_;
  Program& program_;
  std::uint32_t process_ = kNone;
  std::vector<RemoteLabelReference> remote_labels_;
  std::size_t told_labels_ = 0;        // of these
  std::vector<ExprId> preconditions_;  // of the statement that is being compiled
  bool uses_timeout_ = false;
};

}  // namespace spoor::promela
