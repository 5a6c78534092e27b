#include "promela/print.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "promela/parse.h"
#include "promela/walk.h"

namespace spoor::promela {
namespace {

struct Collect : Walker<Collect> {
  explicit Collect(const Model& model) : model(model) {}
  void on_stmt(const Stmt& stmt) {
    texts.push_back(to_text(model, stmt));
    Walker::on_stmt(stmt);
  }
  const Model& model;
  std::vector<std::string> texts;
};

// The statements of `body`, inner ones after their heads, in the context of some declarations.
std::vector<std::string> texts_of(const std::string& body) {
  const std::string text =
      "mtype = { red, green };\n"
      "mtype:fruit = { apple, pear };\n"
      "typedef Inner { int f; byte g[2] };\n"
      "typedef Outer { Inner in[2]; int k };\n"
      "chan q = [2] of { byte, int }; chan cs[2] = [1] of { mtype }; chan rs = [1] of { Inner };\n"
      "int x, y, a[4]; bool b; mtype m; mtype:fruit fr; Inner r; Outer o;\n"
      "proctype A(int p; chan c) { L: skip }\n"
      "active proctype B() {\n" +
      body + "\n}\n";
  const ParseResult parsed = parse_text("m.pml", text, {});
  for (const Diagnostic& d : parsed.diagnostics.all()) {
    ADD_FAILURE() << render(d, parsed.sources, false);
  }
  if (parsed.diagnostics.has_errors()) return {};
  Collect collect(parsed.model);
  for (const Proctype& proctype : parsed.model.proctypes) {
    if (proctype.name == "B") collect.on_proctype(proctype);
  }
  return collect.texts;
}

using Texts = std::vector<std::string>;

// Each expectation was compared with the text that SPIN 6.5.2 writes into pan.t.
TEST(ToText, AssignmentsParenthesiseEachOperation) {
  EXPECT_EQ(texts_of("x = x + 1; x++; a[x+1]--; y = a[y] * -3; b = !b; x = ~y; x = -1"),
            (Texts{"x = (x+1)", "x = (x+1)", "a[(x+1)] = (a[(x+1)]-1)", "y = (a[y]*-(3))", "b = !(b)",
                   "x = ~(y)", "x = -(1)"}));
  EXPECT_EQ(texts_of("b = x > 3 && y < 2 || x != y; x = x % 2 / 3 - 4; x = x & y | 1 ^ x << 2 >> 1"),
            (Texts{"b = (((x>3)&&(y<2))||(x!=y))", "x = (((x%2)/3)-4)", "x = ((x&y)|(1^((x<<2)>>1)))"}));
}

TEST(ToText, ConditionsHaveOneMorePairOfParentheses) {
  EXPECT_EQ(texts_of("x > 3; x; (x); skip; true; false; !x; timeout; (x > 1 -> 3 : 4)"),
            (Texts{"((x>3))", "(x)", "(x)", "(1)", "(1)", "(0)", "(!(x))", "(timeout)",
                   "(( ((x>1)) -> (3) : (4) ))"}));
}

TEST(ToText, MessagesAreListsWhateverTheyLookedLike) {
  EXPECT_EQ(texts_of("q!x,2; q!x(2); q!!x,y; cs[1]!red; cs[x]?m; cs[1]?green"),
            (Texts{"q!x,2", "q!x,2", "q!!x,y", "cs[1]!red", "cs[x]?m", "cs[1]?green"}));
  EXPECT_EQ(
      texts_of("q?x,eval(y); q?3,x; q??x,y; q?<x,y>; q?\?<x,y>; q?_,x; q?[x,y]; q??[2,y]"),
      (Texts{"q?x,eval(y)", "q?3,x", "q??x,y", "q?<x,y>", "q?\?<x,y>", "q?_,x", "(q?[x,y])", "(q??[2,y])"}));
}

TEST(ToText, RecordsInMessagesAreTheirFields) {
  EXPECT_EQ(texts_of("rs!r; rs?r"), (Texts{"rs!r.f,r.g[0],r.g[1]", "rs?r.f,r.g[0],r.g[1]"}));
  EXPECT_EQ(texts_of("o.in[1].g[x] = 2; o.k = o.in[x].f"), (Texts{"o.in[1].g[x] = 2", "o.k = o.in[x].f"}));
}

TEST(ToText, ConstantsOfMtypesKeepTheirNames) {
  EXPECT_EQ(texts_of("m = red; m == green; fr = pear; x = 1 + red; b = true; x = 'c'"),
            (Texts{"m = red", "((m==green))", "fr = pear", "x = (1+red)", "b = 1", "x = 99"}));
}

TEST(ToText, FunctionsAndProcesses) {
  EXPECT_EQ(texts_of("x = len(q); empty(q); nfull(cs[1]); run A(1, q); x = run A(y, q) + 1; "
                     "x = _pid; x = _nr_pr"),
            (Texts{"x = len(q)", "(empty(q))", "(nfull(cs[1]))", "(run A(1,q))", "x = (run A(y,q)+1)",
                   "x = _pid", "x = _nr_pr"}));
}

TEST(ToText, AssertionsAndOutput) {
  EXPECT_EQ(texts_of("assert(x > 0); assert(false); printf(\"a %d \\\"%e\\n\", x, m); printm(m)"),
            (Texts{"assert((x>0))", "assert(0)", "printf('a %d \\'%e\\n',x,m)", "printm(m)"}));
}

TEST(ToText, CompositeStatementsShowOnlyTheirHeads) {
  EXPECT_EQ(texts_of("if :: x -> break_: y = 1 :: else fi"), (Texts{"if", "(x)", "y = 1", "else"}));
  EXPECT_EQ(texts_of("do :: x -> break :: y -> goto end od; end: skip"),
            (Texts{"do", "(x)", "break", "(y)", "goto end", "(1)"}));
  EXPECT_EQ(texts_of("atomic { x = 1; d_step { y = 2; x = 3 } }"),
            (Texts{"atomic", "x = 1", "d_step {...}", "y = 2", "x = 3"}));
  EXPECT_EQ(texts_of("for (x : 1 .. y + 1) { y = x }; for (x in a) { skip }"),
            (Texts{"for (x : 1 .. (y+1))", "y = x", "for (x in a)", "(1)"}));
  EXPECT_EQ(texts_of("{ x = 1 } unless { y == 2 }")[0], "unless");
}

TEST(ToText, EmbeddedCodeIsShownOnOneLineAndCut) {
  EXPECT_EQ(texts_of("c_code {\n  now.x = 1;\n  now.y = 2; }; c_expr { now.x > 2 }"),
            (Texts{"c_code {now.x = 1; now.y = 2;}", "(c_expr {now.x > 2})"}));
  EXPECT_EQ(texts_of("c_code { now.x = 1111111111; now.y = 2222222222; now.x = 3; }"),
            (Texts{"c_code {now.x = 1111111111; now.y = 2222222222; ...}"}));
}

TEST(ToText, FormulasAndRemoteReferences) {
  const ParseResult parsed =
      parse_text("m.pml",
                 "int x;\nactive proctype A() { int v; L: v = 1; x = v }\n"
                 "ltl f { [] ((x > 0) -> <> (x == 0)) }\nltl g { (A@L) U (A[0]:v == 1) }\n",
                 {});
  for (const Diagnostic& d : parsed.diagnostics.all()) {
    ADD_FAILURE() << render(d, parsed.sources, false);
  }
  ASSERT_EQ(parsed.model.formulas.size(), 2u);
  EXPECT_EQ(to_text(parsed.model, *parsed.model.formulas[0].formula), "([] ((x>0) -> (<> (x==0))))");
  EXPECT_EQ(to_text(parsed.model, *parsed.model.formulas[1].formula), "(A@L U (A[0]:v==1))");
}

TEST(ToText, DoesNotDependOnTheLayoutOfTheModel) {
  EXPECT_EQ(texts_of("x=(((x)+(1)))"), texts_of("x  =\n x /* c */ + 1"));
}

}  // namespace
}  // namespace spoor::promela
