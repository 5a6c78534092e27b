// The parser: what it accepts, what it refuses, and the tree that comes out.
//
// The expectations were read off SPIN 6.5.2 (`spin -a`), model by model.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "promela/parse.h"

namespace spoor::promela {
namespace {

ParseResult parse(const std::string& text) { return parse_text("test.pml", text, {}); }

// The codes of all errors, in order, separated by blanks; empty: the model is accepted.
std::string errors(const std::string& text) {
  const ParseResult result = parse(text);
  std::string codes;
  for (const Diagnostic& diagnostic : result.diagnostics.all()) {
    if (diagnostic.severity != Severity::kError) continue;
    if (!codes.empty()) codes += ' ';
    codes += diagnostic.code;
  }
  return codes;
}

// The body of the first init.
const Sequence& init_body(const ParseResult& result) {
  for (const Proctype& proctype : result.model.proctypes) {
    if (proctype.kind == BodyKind::kInit) return proctype.body;
  }
  static const Sequence empty;
  return empty;
}

template <typename Node>
const Node* node_at(const Sequence& sequence, std::size_t index) {
  return index < sequence.size() ? std::get_if<Node>(&sequence[index]->node) : nullptr;
}

std::string show(const Expr& expr);

std::string show(const VarRef& ref, const Model* model = nullptr) {
  std::string text = model != nullptr ? model->symbols[ref.symbol].name : "v";
  for (std::size_t i = 0; i < ref.path.size(); ++i) {
    if (i > 0) text += "." + std::to_string(ref.path[i].field);
    if (ref.path[i].index != nullptr) text += "[" + show(*ref.path[i].index) + "]";
  }
  return text;
}

// Fully parenthesised, all variables written as v.
std::string show(const Expr& expr) {
  if (const auto* e = std::get_if<Constant>(&expr.node)) return std::to_string(e->value);
  if (const auto* e = std::get_if<Variable>(&expr.node)) return show(e->ref);
  if (const auto* e = std::get_if<Unary>(&expr.node)) {
    const char* ops[] = {"!", "~", "-"};
    return std::string(ops[static_cast<int>(e->op)]) + show(*e->operand);
  }
  if (const auto* e = std::get_if<Binary>(&expr.node)) {
    const char* ops[] = {"+",  "-", "*",  "/", "%",  "&",  "^",  "|",  "<<",
                         ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||"};
    return "(" + show(*e->left) + ops[static_cast<int>(e->op)] + show(*e->right) + ")";
  }
  if (const auto* e = std::get_if<Conditional>(&expr.node)) {
    return "(" + show(*e->condition) + "?" + show(*e->if_true) + ":" + show(*e->if_false) + ")";
  }
  if (const auto* e = std::get_if<Temporal>(&expr.node)) {
    const char* ops[] = {"X", "[]", "<>", "U", "V", "W", "->", "<->"};
    const std::string op = ops[static_cast<int>(e->op)];
    return e->left == nullptr ? op + show(*e->right) : "(" + show(*e->left) + op + show(*e->right) + ")";
  }
  return "?";
}

std::string expression(const std::string& text) {
  const ParseResult result = parse("int x, y, z; init { x = " + text + " }");
  if (result.diagnostics.has_errors()) return "error " + result.diagnostics.all()[0].code;
  const auto* assign = node_at<Assign>(init_body(result), 0);
  return assign == nullptr ? "no assignment" : show(*assign->value);
}

// ---- Expressions -------------------------------------------------------------------------------

TEST(ParserTest, BinaryOperatorsBindInSpinsOrder) {
  EXPECT_EQ(expression("x + y * z"), "(v+(v*v))");
  EXPECT_EQ(expression("x & 1 | y ^ z"), "((v&1)|(v^v))");
  EXPECT_EQ(expression("x == 1 & y"), "((v==1)&v)");
  EXPECT_EQ(expression("x << 1 + y < z"), "((v<<(1+v))<v)");
  EXPECT_EQ(expression("x || y && z"), "(v||(v&&v))");
}

TEST(ParserTest, BinaryOperatorsAssociateToTheLeft) {
  EXPECT_EQ(expression("x - y - z"), "((v-v)-v)");
  EXPECT_EQ(expression("x == y == z"), "((v==v)==v)");
}

TEST(ParserTest, PrefixOperatorsBindTightest) {
  EXPECT_EQ(expression("!x == y"), "(!v==v)");
  EXPECT_EQ(expression("-x + ~y"), "(-v+~v)");
}

TEST(ParserTest, NothingIsFolded) { EXPECT_EQ(expression("1 + 2 * 3"), "(1+(2*3))"); }

TEST(ParserTest, AConditionalNeedsItsParentheses) {
  EXPECT_EQ(expression("(x > 1 -> y : z)"), "((v>1)?v:v)");
  EXPECT_EQ(errors("int x; init { x = x > 1 -> x : 1 }"), "P202") << "x : 1 is a labelled 1";
}

TEST(ParserTest, ProbesCanBeCombinedWithAndAndOrOnly) {
  const std::string head = "chan q = [1] of { byte }; byte x; init { ";
  EXPECT_EQ(errors(head + "full(q) && x || (empty(q)) }"), "");
  EXPECT_EQ(errors(head + "x = full(q) }"), "");
  EXPECT_EQ(errors(head + "!full(q) }"), "P301");
  EXPECT_EQ(errors(head + "full(q) == 1 }"), "P301");
  EXPECT_EQ(errors(head + "q!full(q) }"), "P301");
}

TEST(ParserTest, TheControlLocationReadsAsPcValue) {
  const ParseResult result = parse("init { _p == 0 }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  const auto* condition = node_at<ExprStmt>(init_body(result), 0);
  ASSERT_NE(condition, nullptr);
  const auto* equal = std::get_if<Binary>(&condition->expr->node);
  ASSERT_NE(equal, nullptr);
  EXPECT_TRUE(std::holds_alternative<PcValue>(equal->left->node));
}

TEST(ParserTest, AScalarMayCarryTheIndexZero) {
  EXPECT_EQ(expression("x[0]"), "v");
  EXPECT_EQ(expression("x[1]"), "error P306");
}

// ---- Declarations ------------------------------------------------------------------------------

TEST(ParserTest, TheLastNameOfAnMtypeDeclarationGetsTheSmallestNumber) {
  const ParseResult result = parse("mtype = { a, b }; mtype = { c }; mtype:fruit = { d, e }; init { skip }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  std::string values;
  for (const auto& constant : result.model.mtypes) {
    values += constant.name + std::to_string(constant.value) + constant.set + " ";
  }
  EXPECT_EQ(values, "a2 b1 c3 d2fruit e1fruit ");
}

TEST(ParserTest, AnInitialisedVariableCanBeTheSizeOfAnArray) {
  const ParseResult result = parse("byte n = 3, m; byte a[n], b[m]; init { skip }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  EXPECT_EQ(result.model.symbols[result.model.globals[2]].decl.array_size, 3);
  EXPECT_EQ(result.model.symbols[result.model.globals[3]].decl.array_size, 8);
}

TEST(ParserTest, ADeclarationBeforeTheFirstStatementIsNoStep) {
  const ParseResult result = parse("init { int x = 3; byte y; x = 4 }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  EXPECT_EQ(init_body(result).size(), 1u);
  const Proctype& init = result.model.proctypes[0];
  ASSERT_EQ(init.locals.size(), 2u);
  EXPECT_NE(result.model.symbols[init.locals[0]].decl.init, nullptr);
}

TEST(ParserTest, ADeclarationAfterAStatementIsAnAssignment) {
  const ParseResult result = parse("typedef R { byte f }; init { skip; int x = 3; byte a[2]; R r }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  const Sequence& body = init_body(result);
  ASSERT_EQ(body.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) {
    const auto* assign = node_at<Assign>(body, i);
    ASSERT_NE(assign, nullptr);
    EXPECT_TRUE(assign->is_declaration);
  }
  EXPECT_EQ(show(*node_at<Assign>(body, 1)->value), "3");
  EXPECT_EQ(show(node_at<Assign>(body, 2)->target, &result.model), "a[0]");
  EXPECT_EQ(show(node_at<Assign>(body, 3)->target, &result.model), "r");
}

TEST(ParserTest, ADeclarationInAnInnerBlockIsAnAssignment) {
  const ParseResult result = parse("init { { int x; x = 1 } }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  const auto* block = node_at<Block>(init_body(result), 0);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block->body.size(), 2u);
}

TEST(ParserTest, ChannelsAndListsCannotBeInitialisedInTheMiddleOfABody) {
  EXPECT_EQ(errors("init { skip; chan c = [1] of { byte } }"), "P310");
  EXPECT_EQ(errors("init { skip; byte a[2] = { 1, 2 } }"), "P310");
}

TEST(ParserTest, AnInitialiserDoesNotSeeItsOwnDeclaration) {
  EXPECT_EQ(errors("int a = 1, b = a; init { skip }"), "P201");
  EXPECT_EQ(errors("int a = 1; int b = a; init { skip }"), "");
}

TEST(ParserTest, TypesAreChecked) {
  EXPECT_EQ(errors("unsigned x; init { skip }"), "P316");
  EXPECT_EQ(errors("unsigned x : 32; init { skip }"), "P316");
  EXPECT_EQ(errors("byte x : 3; init { skip }"), "P316");
  EXPECT_EQ(errors("hidden bit x; init { skip }"), "P318");
  EXPECT_EQ(errors("byte a[0]; init { skip }"), "P309");
  EXPECT_EQ(errors("byte x = [1] of { byte }; init { skip }"), "P317");
  EXPECT_EQ(errors("chan c = [1] of { unsigned }; init { skip }"), "P314");
}

TEST(ParserTest, AListOfChannelsNeedsSeveralDeclarations) {
  EXPECT_EQ(errors("chan a = [1] of { int }, b = [1] of { int }; init { skip }"), "P101");
}

// ---- Names and scopes --------------------------------------------------------------------------

TEST(ParserTest, AVisibleNameCannotBeDeclaredAgain) {
  EXPECT_EQ(errors("int x; init { int x; skip }"), "P205");
  EXPECT_EQ(errors("init { int x; { int x; skip } }"), "P205");
  EXPECT_EQ(errors("proctype p(byte a) { byte a; skip } init { skip }"), "P205");
  EXPECT_EQ(errors("int x, x; init { skip }"), "P205");
}

TEST(ParserTest, BlocksSideBySideMayUseTheSameName) {
  EXPECT_EQ(errors("init { { int x; x = 1 }; { byte x; x = 2 }; int x; x = 3 }"), "");
}

TEST(ParserTest, AnInlineParameterLiftsTheBanOnRedeclaring) {
  EXPECT_EQ(errors("int x; inline f(x) { skip } init { int x; x = 1 }"), "");
}

TEST(ParserTest, FieldsHaveNamesOfTheirOwn) {
  EXPECT_EQ(errors("typedef R { byte x }; R r;"
                   "init { r.x = 1; { int x; x = 1 }; { int x; x = 2 } }"),
            "");
}

TEST(ParserTest, AnUndeclaredNameIsReportedOnceWithASuggestion) {
  const ParseResult result = parse("byte counter; init { countr = 1; countr = 2; countr++ }");
  ASSERT_EQ(result.diagnostics.error_count(), 1u);
  EXPECT_EQ(result.diagnostics.all()[0].code, "P201");
  EXPECT_EQ(result.diagnostics.all()[0].hint, "did you mean counter?");
  EXPECT_EQ(result.diagnostics.all()[0].range.begin.column, 22u);
}

TEST(ParserTest, LabelsAndVariablesShareTheirNames) {
  EXPECT_EQ(errors("byte x; init { x: skip }"), "P202");
  EXPECT_EQ(errors("init { L: skip; int L; skip }"), "P205");
}

TEST(ParserTest, LabelsBelongToTheBlockWhereTheyWereFirstMentioned) {
  const ParseResult result = parse("init { goto L; { skip; L: skip }; { skip; M: skip } }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  const Sequence& body = init_body(result);
  const auto* jump = node_at<Goto>(body, 0);
  const auto* first = node_at<Block>(body, 1);
  const auto* second = node_at<Block>(body, 2);
  ASSERT_TRUE(jump != nullptr && first != nullptr && second != nullptr);
  EXPECT_EQ(first->body[1]->labels.at(0).scope, jump->scope);
  EXPECT_NE(second->body[1]->labels.at(0).scope, jump->scope);
}

TEST(ParserTest, LabelsAreChecked) {
  EXPECT_EQ(errors("init { goto L }"), "P210");
  EXPECT_EQ(errors("init { L: skip; L: skip }"), "P205");
  EXPECT_EQ(errors("init { L: goto L }"), "P211");
  EXPECT_EQ(errors("init { L: goto M; M: goto L }"), "P211 P211");
  EXPECT_EQ(errors("init { L: goto M; M: goto N; N: goto M }"), "P211 P211");
  EXPECT_EQ(errors("init { endL: goto endL }"), "");
  EXPECT_EQ(errors("init { L: int y; skip }"), "P207");
  EXPECT_EQ(errors("init { atomic { L: skip } }"), "P208");
  EXPECT_EQ(errors("init { { L: do :: break od } }"), "");
  EXPECT_EQ(errors("init { if :: L: skip fi }"), "");
}

TEST(ParserTest, ALongChainOfGotosIsReadInNoTime) {
  constexpr int kGotos = 20000;
  std::string text = "init { goto L0";
  for (int i = 0; i < kGotos; ++i) text += "; L" + std::to_string(i) + ": goto L" + std::to_string(i + 1);
  EXPECT_EQ(errors(text + "; L" + std::to_string(kGotos) + ": skip }"), "");
  EXPECT_NE(errors(text + "; L" + std::to_string(kGotos) + ": goto L0 }"), "");
}

TEST(ParserTest, AllProcessesOfTheInitialStateCount) {
  EXPECT_EQ(errors("active [256] proctype P() { skip }"), "P328");
  EXPECT_EQ(errors("active [250] proctype P() { skip } active [5] proctype Q() { skip }"), "");
  EXPECT_EQ(errors("active [250] proctype P() { skip } active [5] proctype Q() { skip } init { skip }"),
            "P328");
  EXPECT_EQ(errors("active [250] proctype P() { skip } proctype Q() { skip } init { run Q() }"), "");
  EXPECT_EQ(
      errors(
          "active [-9] proctype O() { skip } active [250] proctype P() { skip } active [6] proctype Q() { skip }"),
      "P328");
}

TEST(ParserTest, LabelsOfInlinesBelongToTheExpansionUnlessMentionedBefore) {
  const std::string text = "inline f() { skip; L: skip; goto L } init { ";
  EXPECT_EQ(errors(text + "f(); f() }"), "");
  EXPECT_EQ(errors(text + "goto L; f() }"), "");
  EXPECT_EQ(errors(text + "goto L; f(); f() }"), "P205");
}

TEST(ParserTest, ALabelWithoutAStatementLabelsASkip) {
  const ParseResult result = parse("init { goto L; L: }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  EXPECT_EQ(init_body(result).at(1)->labels.at(0).name, "L");
}

// ---- Statements --------------------------------------------------------------------------------

TEST(ParserTest, OneSeparatorBeforeTheEndOfAnOptionIsEnough) {
  EXPECT_EQ(errors("bool a; init { if :: a -> skip; fi }"), "");
  EXPECT_EQ(errors("bool a; init { if :: a -> skip;; fi }"), "");
  EXPECT_EQ(errors("bool a; init { if :: a -> skip;;; fi }"), "P101");
}

TEST(ParserTest, IncrementsAreAssignments) {
  const ParseResult result = parse("byte a[3]; byte i; init { a[i]++ }");
  const auto* assign = node_at<Assign>(init_body(result), 0);
  ASSERT_NE(assign, nullptr);
  EXPECT_EQ(show(assign->target, &result.model), "a[v]");
  EXPECT_EQ(show(*assign->value), "(v[v]+1)");
}

TEST(ParserTest, AnUnlessLiftsTheLabelOfItsBlock) {
  const ParseResult result = parse("byte x; init { L: { x = 1 } unless x = 2; goto L }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  const auto* block = node_at<Block>(init_body(result), 0);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(init_body(result)[0]->labels.size(), 1u);
  EXPECT_NE(node_at<Unless>(block->body, 0), nullptr);
  EXPECT_EQ(errors("byte x; init { L: x = 1 unless x = 2 }"), "P208");
}

TEST(ParserTest, BreakNeedsALoop) {
  EXPECT_EQ(errors("init { break }"), "P217");
  EXPECT_EQ(errors("bool b; init { do :: b od unless { break } }"), "P217");
  EXPECT_EQ(errors("bool b; init { do :: do :: b od unless { break } od }"), "");
}

TEST(ParserTest, NothingJumpsIntoOrOutOfADStep) {
  EXPECT_EQ(errors("byte x; init { do :: d_step { x = 1; break } od }"), "P212");
  EXPECT_EQ(errors("byte x; init { d_step { x = 1; goto L }; L: skip }"), "P212");
  EXPECT_EQ(errors("byte x; init { goto L; d_step { x = 1; L: x = 2 } }"), "P212");
  EXPECT_EQ(errors("byte x; init { L: d_step { x = 1 }; goto L }"), "P212");
  EXPECT_EQ(errors("byte x; init { d_step { x = 1; L: x = 2; goto L } }"), "");
  EXPECT_EQ(errors("byte x; init { d_step { do :: x > 3 -> break :: else -> x++ od } }"), "");
}

TEST(ParserTest, AnOptionNeedsAStatement) {
  const std::string channel = "chan c = [1] of { byte }; byte i; ";
  EXPECT_EQ(errors(channel + "init { if :: xr c fi }"), "P108");
  EXPECT_EQ(errors(channel + "init { do :: xr c :: break od }"), "P108");
  EXPECT_EQ(errors(channel + "init { if :: xr c; skip fi }"), "");
  EXPECT_EQ(errors(channel + "init { if :: byte x fi }"), "") << "a step of its own";
  EXPECT_EQ(errors(channel + "init { for (i : 1 .. 2) { xr c } }"), "");
  EXPECT_EQ(errors(channel + "init { if :: ) fi }"), "P101") << "one error for one mistake";
}

TEST(ParserTest, ADStepCannotBeginWithAnUnless) {
  const auto in_d_step = [](const std::string& body) {
    return errors("byte x; inline f() { { x = 1 } unless { x == 1 } } init { d_step { " + body + " } }");
  };
  EXPECT_EQ(in_d_step("{ x = 1 } unless { x == 1 }"), "P332");
  EXPECT_EQ(in_d_step("{ x = 1; x = 3 } unless { x == 1 }; x = 2"), "P332");
  EXPECT_EQ(in_d_step("{ { x = 1 } unless { x == 1 } } x = 2"), "P332");
  EXPECT_EQ(in_d_step("atomic { { x = 1 } unless { x == 1 } }; x = 2"), "P332");
  EXPECT_EQ(in_d_step("d_step { { x = 1 } unless { x == 1 } }; x = 2"), "P332");
  EXPECT_EQ(in_d_step("f(); x = 2"), "P332");
  EXPECT_EQ(in_d_step("x = 2; { x = 1 } unless { x == 1 }"), "");
  EXPECT_EQ(in_d_step("byte k; { x = 1 } unless { x == 1 }"), "");
  EXPECT_EQ(in_d_step("x = 2; d_step { { x = 1 } unless { x == 1 } }; x = 3"), "");
  EXPECT_EQ(in_d_step("if :: { x = 1 } unless { x == 1 } fi; x = 2"), "");
}

TEST(ParserTest, ADStepAsksNobodyForALabel) {
  const auto in_d_step = [](const std::string& statement) {
    return errors(
        "byte x, a[2]; chan c = [2] of { byte }; chan q[2] = [2] of { byte };"
        "inline f(z) { x = 1 } inline g(z) { return z }"
        "active proctype A() { byte v; L: skip } init { d_step { x = 1; " +
        statement + " } }");
  };
  for (const char* statement :
       {"x = A@L", "c!A@L", "a[A@L] = 1", "a[A@L]++", "c?a[A@L]", "c?eval(A@L)", "q[A@L]!1", "x = a[A@L]",
        "x = (A@L -> 1 : 2)", "byte k = A@L", "set_priority(0, A@L)", "for (x : 0 .. A@L) { skip }",
        "x = g(A@L)", "A@L", "assert(A@L)", "printf(\"%d\", A@L)"}) {
    EXPECT_EQ(in_d_step(statement), "P332") << statement;
  }
  for (const char* statement : {"x = A:v", "c!A:v", "a[A:v] = 1", "byte k = A:v", "f(A@L)"}) {
    EXPECT_EQ(in_d_step(statement), "") << statement;
  }
  for (const char* statement : {"A:v == 1", "for (x : 0 .. A:v) { skip }", "select (x : 0 .. A:v)"}) {
    EXPECT_EQ(in_d_step(statement), "P332") << statement;
  }
}

TEST(ParserTest, RemoteReferencesReachWhatEveryProcessHas) {
  const std::string process = "byte x; active proctype A() { skip } ";
  EXPECT_EQ(errors(process + "init { x = A:_p; x = A[0]:_p; x = A:_pid; x = A[0]:_priority }"), "");
  EXPECT_EQ(errors(process + "init { x = A:_last }"), "P213");
  EXPECT_EQ(errors(process + "init { x = A:_pid[0] }"), "P213");
}

TEST(ParserTest, InitialValuesAskNobodyAtTheStart) {
  const std::string process = "byte x; active proctype A() { byte v; L: skip } ";
  EXPECT_EQ(errors(process + "init { byte k = A:v; x = k }"), "P338");
  EXPECT_EQ(errors(process + "init { byte k = 1 + A@L; x = k }"), "P338");
  EXPECT_EQ(errors(process + "init { skip; byte k = A:v; x = k }"), "");
  EXPECT_EQ(errors(process + "proctype B() { byte k = A:v; x = k } init { run B() }"), "");
}

TEST(ParserTest, TheUnderscoreIsNotRead) {
  const auto in_init = [](const std::string& statement) {
    return errors("byte x, a[5]; chan c = [1] of { byte }; init { " + statement + " }");
  };
  for (const char* statement :
       {"_++", "_--", "x = len(_)", "x = _", "for (_ : 0 .. 2) { skip }", "select (_ : 0 .. 2)"}) {
    EXPECT_EQ(in_init(statement), "P304") << statement;
  }
  EXPECT_EQ(in_init("a[_ % 5] = 1"), "P304") << "SPIN accepts it, and reads what is not part of the state";
  EXPECT_EQ(in_init("_ = 1; c?_"), "");
}

TEST(ParserTest, AssignedValuesDoNotCalculateWithChannels) {
  const auto in_init = [](const std::string& statement) {
    return errors("byte x; chan c = [1] of { byte }; active proctype A() { byte v, w[2]; L: skip } init { " +
                  statement + " }");
  };
  for (const char* statement : {"x = c + 1", "x = enabled(c)", "x = pc_value(c)", "x = get_priority(c)",
                                "x = A[c]:v", "x = A[c]@L", "x = A:w[c]", "x = pc_value(c + 1)"}) {
    EXPECT_EQ(in_init(statement), "P345") << statement;
  }
  EXPECT_EQ(in_init("x = c; enabled(c); set_priority(c, 1)"), "");
}

TEST(ParserTest, AClaimOnAFieldMayBeInVain) {
  const std::string types =
      "typedef S { byte f; byte g[2]; chan c = [1] of { byte }; chan d[2] = [1] of { byte } } S t; ";
  EXPECT_EQ(errors(types + "init { xr t.f; xs t.f; skip }"), "");
  EXPECT_EQ(errors(types + "active proctype A() { xr t.f; skip } active proctype B() { xr t.f; skip }"), "");
  EXPECT_EQ(errors(types + "active proctype A() { xr t.c; skip } active proctype B() { xr t.c; skip }"),
            "P344");
  EXPECT_EQ(errors(types + "init { xr t; skip }"), "P344");
  EXPECT_EQ(errors(types + "init { xr t.d[0]; skip }"), "P344");
  EXPECT_EQ(errors(types + "byte x; init { xr x; skip }"), "P344");
}

TEST(ParserTest, AMessageHasNoUnsignedFieldAtAnyDepth) {
  const std::string types = "typedef T { unsigned u : 3 }; typedef S { byte b; T t }; ";
  EXPECT_EQ(errors(types + "chan c = [1] of { T }; init { skip }"), "P314");
  EXPECT_EQ(errors(types + "chan c = [1] of { byte, S }; init { skip }"), "P314");
  EXPECT_EQ(errors(types + "proctype P(S s) { skip } S s; init { run P(s) }"), "");
}

TEST(ParserTest, WritingThePrioritySwitchesPrioritiesOn) {
  const auto uses_priority = [](const std::string& statement) {
    return parse("byte x; chan c = [1] of { byte }; init { " + statement + " }").model.uses_priority;
  };
  EXPECT_TRUE(uses_priority("_priority = 2"));
  EXPECT_TRUE(uses_priority("_priority++"));
  EXPECT_TRUE(uses_priority("c?_priority"));
  EXPECT_FALSE(uses_priority("x = _priority"));
}

TEST(ParserTest, RunStandsAlone) {
  const std::string tail = " } proctype p() { skip }";
  EXPECT_EQ(errors("byte x; init { run p(); x = run p() + 1" + tail), "");
  EXPECT_EQ(errors("init { run p() && 1" + tail), "P305");
  EXPECT_EQ(errors("init { int x = run p(); skip" + tail), "P305");
  EXPECT_EQ(errors("chan q = [1] of { byte }; init { q!run p()" + tail), "P305");
  EXPECT_EQ(errors("init { d_step { run p() }" + tail), "P332");
  EXPECT_EQ(errors("init { run p(1)" + tail), "P215");
  EXPECT_EQ(errors("init { run q() }"), "P214");
}

// The parser resolves runs at the end, when a declaration that it dropped is gone (found by the
// fuzzer; only the sanitizer build can see it).
TEST(ParserTest, ADroppedDeclarationTakesItsRunsAlong) {
  EXPECT_EQ(errors("init { byte x; skip; byte x = run p() } proctype p() { skip }"), "P305 P205");
}

TEST(ParserTest, ForOverAChannelCountsWithAHiddenVariable) {
  const ParseResult result = parse(
      "typedef R { byte f }; R r; chan q = [2] of { R }; chan l = [300] of { R };\n"
      "init { for (r in q) { skip } for (r in q) { skip } }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  const auto* first = node_at<ForIn>(init_body(result), 0);
  const auto* second = node_at<ForIn>(init_body(result), 1);
  ASSERT_TRUE(first != nullptr && second != nullptr);
  EXPECT_NE(first->counter, kNoSymbol);
  EXPECT_EQ(first->counter, second->counter) << "one counter per block";
  EXPECT_EQ(result.model.symbols[first->counter].decl.type.base, BaseType::kByte);
}

TEST(ParserTest, TheBoundsOfAForReadAnArrayAsItsFirstElement) {
  const ParseResult result = parse("byte i, a[3]; init { for (i : 0 .. a) { skip } }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  EXPECT_EQ(show(*node_at<ForRange>(init_body(result), 0)->to), "v[0]");
}

TEST(ParserTest, SelectOverPlainNumbersIsAnIf) {
  const ParseResult plain = parse("byte x; init { select (x : 1 .. 3) }");
  const auto* choice = node_at<If>(init_body(plain), 0);
  ASSERT_NE(choice, nullptr);
  EXPECT_EQ(choice->options.size(), 3u);
  const ParseResult other = parse("byte x, n; init { select (x : 1 .. n) }");
  EXPECT_NE(node_at<Select>(init_body(other), 0), nullptr);
}

// ---- Messages ----------------------------------------------------------------------------------

TEST(ParserTest, MessageArgumentsHaveTwoForms) {
  const std::string head = "chan q = [1] of { byte, byte }; byte x, y; init { ";
  EXPECT_EQ(errors(head + "q!x,y; q!x(y); q?x,y; q?x(y); q?(x,y); q?x,(y) }"), "");
  EXPECT_EQ(errors(head + "q?eval(x+1),-1; q?_,1; q??x,y; q?<x,y>; q?"
                          "?<x,y>; q!!x,y }"),
            "");
  EXPECT_EQ(errors(head + "q!(x,y) }"), "P101");
  EXPECT_EQ(errors(head + "q?(x),y }"), "P101");
  EXPECT_EQ(errors(head + "q?x+1,y }"), "P101");
  EXPECT_EQ(errors(head + "q?x,x }"), "P336");
  EXPECT_EQ(errors(head + "q!x,y,x }"), "P339");
}

TEST(ParserTest, ARecordInAMessageStandsForItsFields) {
  const ParseResult result = parse(
      "typedef R { byte a; byte b[2] }; typedef S { R r; bit c }; S s[2];\n"
      "chan q = [1] of { S }; init { q!s[1]; q?s[0] }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  const auto* send = node_at<Send>(init_body(result), 0);
  const auto* receive = node_at<Receive>(init_body(result), 1);
  ASSERT_TRUE(send != nullptr && receive != nullptr);
  std::string sent;
  for (const ExprPtr& arg : send->args) sent += show(*arg) + " ";
  EXPECT_EQ(sent, "v[1].0.0 v[1].0.1[0] v[1].0.1[1] v[1].1 ");
  ASSERT_EQ(receive->args.size(), 4u);
  EXPECT_EQ(show(receive->args[3].variable, &result.model), "s[0].1");
}

TEST(ParserTest, ARecordIsNoValueElsewhere) {
  EXPECT_EQ(errors("typedef R { byte a }; init { R r, s; r = s }"), "P302 P302");
  EXPECT_EQ(errors("typedef R { byte a }; R r; chan q = [1] of { R }; init { q!r+1 }"), "P302");
}

TEST(ParserTest, ChannelsAreNoNumbers) {
  EXPECT_EQ(errors("chan c, d; byte x; init { c = d; x = d }"), "");
  EXPECT_EQ(errors("chan c; init { c = 1 }"), "P345");
  EXPECT_EQ(errors("chan c; byte x; init { x = c + 1 }"), "P345");
  EXPECT_EQ(errors("byte q, x; init { q!x }"), "P326 P339");
}

TEST(ParserTest, ChannelsInRecordsAreCopied) {
  const auto in_init = [](const std::string& statement) {
    return errors(
        "typedef T { chan c[2] = [1] of { byte }; chan d = [1] of { byte }; byte b[2] }; typedef U { T t[2]; T s };"
        "T r[2]; U u; byte i; init { chan h; " +
        statement + " }");
  };
  for (const char* statement :
       {"h = u.s.c[1]", "h = u.s.d", "h = u.t[i].c[1]", "h = u.t[1].c[0]", "h = r[1].d",
        "h = r[i].c[u.s.b[1]]", "r[0].c[1] = u.t[1].d", "h = (i -> u.s.c[1] : r[0].d)"}) {
    EXPECT_EQ(in_init(statement), "") << statement;
  }
  EXPECT_EQ(in_init("h = u.s.b[1]"), "P345") << "an element of an array of numbers";
  EXPECT_EQ(in_init("h = 1"), "P345");
  // After a mistake in the reference there is nothing to be looked up.
  EXPECT_EQ(in_init("h = u.x"), "P203");
  EXPECT_EQ(in_init("h = u.s.d.e"), "P308");
  EXPECT_EQ(in_init("h = (i -> u.s.x : v.d)"), "P203 P201");
}

TEST(ParserTest, MtypeSetsDoNotMix) {
  const std::string head = "mtype:f = { a }; mtype:g = { b }; ";
  EXPECT_EQ(errors(head + "mtype:f x; init { x = b }"), "P335");
  EXPECT_EQ(errors(head + "mtype x; init { x = b; x = a }"), "P335");
  EXPECT_EQ(errors(head + "mtype:f x = b; init { skip }"), "P335");
}

// ---- Inlines -----------------------------------------------------------------------------------

TEST(ParserTest, AnInlineCallIsABlock) {
  const ParseResult result = parse("byte x; inline f(a) { byte y; y = a; x = y } init { f(1); f(x) }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  const auto* block = node_at<Block>(init_body(result), 0);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block->body.size(), 3u);
  EXPECT_EQ(result.model.proctypes[0].locals.size(), 2u) << "one y per call";
}

TEST(ParserTest, AnInlineCanReturnAValue) {
  const ParseResult result = parse("byte x; inline f(a) { return a + 1 } init { x = f(2) }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  const auto* block = node_at<Block>(init_body(result), 0);
  ASSERT_NE(block, nullptr);
  const auto* assign = node_at<Assign>(block->body, 0);
  ASSERT_NE(assign, nullptr);
  EXPECT_EQ(show(*assign->value), "(2+1)");
  EXPECT_EQ(errors("byte x; inline f(a) { return a } init { f(2) }"), "P218");
}

TEST(ParserTest, InlinesAreChecked) {
  EXPECT_EQ(errors("inline f(a) { skip } init { f() }"), "P112");
  EXPECT_EQ(errors("inline f() { f() } init { f() }"), "P110");
  EXPECT_EQ(errors("inline f() { g() } inline g() { f() } init { f() }"), "P110");
  EXPECT_EQ(errors("int a[3]; inline f(x) { skip } init { f(a) }"), "P307");
}

TEST(ParserTest, AnErrorInAnInlineIsReportedOncePerPlace) {
  EXPECT_EQ(errors("inline f() { nosuch = 1 } init { f(); f(); f() }"), "P201");
}

TEST(ParserTest, SixteenInlineCallsCanBeOpen) {
  const auto nested = [](int depth) {
    std::string text = "int x; inline f1() { x = 1 }\n";
    for (int i = 2; i <= depth; ++i) {
      text += "inline f" + std::to_string(i) + "() { f" + std::to_string(i - 1) + "() }\n";
    }
    return text + "init { f" + std::to_string(depth) + "() }";
  };
  EXPECT_EQ(errors(nested(16)), "");
  EXPECT_EQ(errors(nested(17)), "P111");
}

TEST(ParserTest, RunawayInlinesAreStopped) {
  std::string text = "int x; inline f0() { x = 1 }\n";
  for (int i = 1; i < 14; ++i) {
    const std::string call = "f" + std::to_string(i - 1) + "()";
    text += "inline f" + std::to_string(i) + "() { ";
    for (int k = 0; k < 39; ++k) text += call + "; ";
    text += call + " }\n";
  }
  EXPECT_EQ(errors(text + "init { f13() }"), "P111");
}

// ---- Units -------------------------------------------------------------------------------------

TEST(ParserTest, FormulasKnowWhatIsDeclaredAfterThem) {
  const ParseResult result = parse(
      "ltl { [] (x == 1) } ltl live { <> p@L -> x U y } byte x, y;"
      "active proctype p() { L: x = 1 }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  ASSERT_EQ(result.model.formulas.size(), 2u);
  EXPECT_EQ(result.model.formulas[0].name, "ltl_0");
  EXPECT_EQ(show(*result.model.formulas[0].formula), "[](v==1)");
  EXPECT_EQ(show(*result.model.formulas[1].formula), "(<>?->(vUv))");
}

TEST(ParserTest, ATemporalOperatorAsAnOperandIsAWarning) {
  const auto shown = [](const std::string& formula) {
    const ParseResult result = parse("byte x; ltl p { " + formula + " } init { skip }");
    std::string text;
    for (const Diagnostic& diagnostic : result.diagnostics.all()) text += diagnostic.code + " ";
    return result.model.formulas.empty() ? text : text + show(*result.model.formulas[0].formula);
  };
  EXPECT_EQ(shown("[] (x == 3)"), "[](v==3)");
  EXPECT_EQ(shown("! [] x && <> x || [] <> x"), "((![]v&&<>v)||[]<>v)");
  EXPECT_EQ(shown("[] x == 3"), "W151 ([]v==3)");
  EXPECT_EQ(shown("<> x > 3"), "W151 (<>v>3)");
  EXPECT_EQ(shown("[]<> x == 3"), "W151 ([]<>v==3)");
  EXPECT_EQ(shown("always x == 3"), "W151 ([]v==3)");
  EXPECT_EQ(shown("[] (x == 3 -> <> x == 4)"), "W151 []((v==3)->(<>v==4))");
  EXPECT_EQ(shown("[] x < 3 && x > 2"), "W151 (([]v<3)&&(v>2))");
  EXPECT_EQ(shown("<> x + 1"), "W151 (<>v+1)");
  EXPECT_EQ(shown("(x U x) == 3"), "W151 ((vUv)==3)");
  EXPECT_EQ(errors("byte a[2]; ltl p { a[<> 1] == 1 } init { a[0] = 1 }"), "P343");
  EXPECT_EQ(errors("chan q[2] = [1] of { byte }; ltl p { len(q[<> 1]) == 1 } init { q[0]!1 }"), "P343");
}

TEST(ParserTest, RemoteReferencesNeedAnEarlierProctype) {
  const std::string claim = " never { do :: p[0]@L && p[0]:x == 1 od } ";
  const std::string process = " active proctype p() { byte x; L: x = 1 } ";
  EXPECT_EQ(errors(process + claim), "");
  EXPECT_EQ(errors(claim + process), "P201 P101");
  EXPECT_EQ(errors("active proctype p() { byte x; x = 1 }" + claim), "P213");
  EXPECT_EQ(errors("active proctype p() { L: skip }" + claim), "P213");
}

TEST(ParserTest, ClaimsAndTracesAreLimited) {
  EXPECT_EQ(errors("never { byte x; skip } init { skip }"), "P342");
  EXPECT_EQ(errors("chan q = [1] of { byte }; never { q!1 } init { skip }"), "P325");
  EXPECT_EQ(errors("init { np_ }"), "P303");
  EXPECT_EQ(errors("byte x; chan q = [1] of { byte }; trace { q!1; x = 1 } init { skip }"), "P337");
}

TEST(ParserTest, EmbeddedCIsKeptAsText) {
  const ParseResult result = parse(
      "c_decl { typedef struct { int a; } T; }\n"
      "init { c_code [now.x == 1] { if (1) { printf(\"}\"); } }; c_expr { now.x == '}' } }");
  ASSERT_FALSE(result.diagnostics.has_errors());
  ASSERT_EQ(result.model.embedded.size(), 1u);
  EXPECT_EQ(result.model.embedded[0].parts[0], " typedef struct { int a; } T; ");
  const auto* code = node_at<EmbeddedCode>(init_body(result), 0);
  ASSERT_NE(code, nullptr);
  EXPECT_EQ(code->precondition, "now.x == 1");
  EXPECT_EQ(code->code, " if (1) { printf(\"}\"); } ");
}

TEST(ParserTest, AModelNeedsAProcess) {
  EXPECT_EQ(errors("proctype p() { skip }"), "P216");
  EXPECT_EQ(errors("active proctype p() { skip }"), "");
}

TEST(ParserTest, AProcessMayConsistOfDeclarationsAlone) {
  EXPECT_EQ(errors("active proctype p() { int x }"), "");
  EXPECT_EQ(errors("active proctype p() { }"), "P101");
}

// ---- Recovery and robustness -------------------------------------------------------------------

TEST(ParserTest, AllErrorsOfAFileAreReported) {
  EXPECT_EQ(errors("byte x;\n"
                   "active proctype p() { x = ; y = 1; x = 2 }\n"
                   "active proctype q() { if :: x -> ) :: else -> skip fi; goto nowhere }\n"
                   "init { z = 1 }\n"),
            "P101 P201 P101 P210 P201");
}

TEST(ParserTest, OneMistakeGivesOneError) {
  EXPECT_EQ(errors("typedef R { byte a; byte ; byte b }; R r; init { r.a = 1; r.b = 2 }"), "P101");
  EXPECT_EQ(errors("byte x y; init { x = 1 }"), "P101");
  EXPECT_EQ(errors("proctype p(byte a { skip } init { run p(1) }"), "P101");
  EXPECT_EQ(errors("proctype p(byte a) { do :: a > 1 } init { run p(1) }"), "P101");
  EXPECT_EQ(errors("inline f(1) { skip } init { f(1); f(2) }"), "P101");
}

TEST(ParserTest, DeepNestingIsRefusedAndNotACrash) {
  const auto repeat = [](const std::string& text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
  };
  const auto nested = [&](const std::string& open, const std::string& close) {
    return "int x; init { " + repeat(open, 10000) + "x" + repeat(close, 10000) + " }";
  };
  EXPECT_EQ(errors(nested("(", ")")), "P107");
  EXPECT_EQ(errors(nested("{", "}")), "P107");
  EXPECT_EQ(errors(nested("if :: ", " fi")), "P107");
  EXPECT_EQ(errors("int x; init { x = 1" + repeat(" + x", 100000) + " }"), "P107");
  EXPECT_EQ(errors("int x; init { x = 1" + repeat(" + x", 900) + " }"), "");
  EXPECT_EQ(errors("int x; init { " + repeat("{", 200) + "x = 1" + repeat("}", 200) + " }"), "");
}

TEST(ParserTest, RecordsThatMultiplyAreRefused) {
  std::string text = "typedef R0 { byte a[3] };";
  for (int i = 1; i < 40; ++i) {
    const std::string inner = "R" + std::to_string(i - 1);
    text += "typedef R" + std::to_string(i) + " { " + inner + " a; " + inner + " b };";
  }
  EXPECT_EQ(errors(text + "R39 r; chan q = [1] of { R39 }; init { q!r }"), "P315 P315");
}

TEST(ParserTest, AFileThatCannotBeReadIsADiagnostic) {
  EXPECT_TRUE(parse_file("no/such/file.pml", {}).diagnostics.has_errors());
  EXPECT_TRUE(parse_file(".", {}).diagnostics.has_errors());
}

TEST(ParserTest, DefinesReachThePreprocessor) {
  const std::string text = "byte a[N]; init { skip }";
  EXPECT_TRUE(parse_text("test.pml", text, {}).diagnostics.has_errors());
  EXPECT_FALSE(parse_text("test.pml", text, {{"N=3"}}).diagnostics.has_errors());
}

}  // namespace
}  // namespace spoor::promela
