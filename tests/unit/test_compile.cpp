// The limits of a state, which the compiler watches over.
#include <gtest/gtest.h>

#include <string>

#include "promela/compile.h"
#include "promela/parse.h"

namespace spoor::promela {
namespace {

// "P420 1:5 P424 2:1": the errors with their places; empty when the model is compiled.
std::string errors(const std::string& text) {
  ParseResult parsed = parse_text("test.pml", text, {});
  EXPECT_FALSE(parsed.diagnostics.has_errors()) << parsed.diagnostics.all().front().message;
  compile(parsed.model, parsed.sources, parsed.diagnostics);
  std::string out;
  for (const Diagnostic& d : parsed.diagnostics.all()) {
    if (d.severity != Severity::kError) continue;
    if (!out.empty()) out += " ";
    out += d.code + " " + std::to_string(d.range.begin.line) + ":" + std::to_string(d.range.begin.column);
  }
  return out;
}

TEST(Compile, AllChannelsOfTheInitialStateCount) {
  EXPECT_EQ(errors("chan c[255] = [1] of { byte }; init { c[0]!1 }"), "");
  EXPECT_EQ(errors("chan c[256] = [1] of { byte }; init { c[0]!1 }"), "P424 1:15");
  EXPECT_EQ(errors("chan c[256] = [0] of { byte }; init { c[0]!1 }"), "P424 1:15");
  EXPECT_EQ(errors("chan c[256]; init { skip }"), "") << "no channel was made";
  EXPECT_EQ(
      errors("chan c = [1] of { byte };\nactive [127] proctype P() { chan a[2] = [1] of { byte }; c!1 }"),
      "");
  EXPECT_EQ(
      errors(
          "chan c[2] = [1] of { byte };\nactive [127] proctype P() { chan a[2] = [1] of { byte }; c[0]!1 }"),
      "P424 2:1");
  EXPECT_EQ(errors("proctype P() { chan a[200] = [1] of { byte }; a[0]!1 } init { run P(); run P() }"), "")
      << "found when it runs";
}

TEST(Compile, AllDeclaredChannelsCountAsInSpin) {
  EXPECT_EQ(
      errors(
          "chan c[100] = [1] of { byte }; proctype P() { chan a[155] = [1] of { byte }; a[0]!1 } init { c[0]!1 }"),
      "");
  EXPECT_EQ(
      errors(
          "chan c[100] = [1] of { byte };\nproctype P() { chan a[156] = [1] of { byte }; a[0]!1 } init { c[0]!1 }"),
      "P424 2:1");
}

TEST(Compile, BuffersCountInTheSizeOfAState) {
  EXPECT_EQ(errors("chan c[69] = [60000] of { int }; init { c[0]!1 }"), "");
  EXPECT_EQ(errors("chan c[100] = [60000] of { int }; init { c[0]!1 }"), "P420 1:15");
  EXPECT_EQ(errors("init { chan c[100] = [60000] of { int }; c[0]!1 }"), "P420 1:22");
  // More than 2^32 bytes together.
  EXPECT_EQ(
      errors(
          "chan c[255] = [65535] of { int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,"
          " int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,"
          " int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int,"
          " int, int, int }; init { len(c[0]) > 0 }"),
      "P420 1:15");
}

TEST(Compile, AllProcessesCountInTheSizeOfAState) {
  EXPECT_EQ(errors("active [100] proctype P() { byte a[100000]; a[0] = 1 }"), "");
  EXPECT_EQ(errors("active [200] proctype P() { byte a[100000]; a[0] = 1 }"), "P420 1:1");
}

TEST(Compile, RecordsThatOverflowAnyNumberAreTooLarge) {
  EXPECT_EQ(errors("typedef R { int a[1073741824] }\nR r; init { r.a[5] = 1 }"), "P420 2:3");
  EXPECT_EQ(errors("typedef A { int x[65536] } typedef B { A a[65536] }\nB b; init { b.a[1].x[3] = 1 }"),
            "P420 2:3");
  EXPECT_EQ(
      errors(
          "typedef A { byte x[1073741824]; byte y[1073741824]; byte z[1073741824]; byte u[1073741824]; byte v }\n"
          "init { A a; a.v = 1 }"),
      "P420 2:10");
}

}  // namespace
}  // namespace spoor::promela
