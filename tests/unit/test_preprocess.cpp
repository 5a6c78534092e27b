#include "promela/preprocess.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "promela/align.h"

namespace spoor::promela {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "spoor-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const fs::path file = path_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file.string();
  }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

struct Outcome {
  Preprocessed result;
  Diagnostics diagnostics;

  // "x@1:5 =@1:7": each token with the place that it is said to come from.
  std::string tokens() const {
    std::string out;
    for (const CToken& token : tokens_of(result.text)) {
      const Position p = result.position(token.offset);
      if (!out.empty()) out += " ";
      out += result.text.substr(token.offset, token.length) + "@";
      if (p.file != 0) out += std::to_string(p.file) + ":";
      out += std::to_string(p.line) + ":" + std::to_string(p.column);
    }
    return out;
  }
  std::string words() const {
    std::string out;
    for (const CToken& token : tokens_of(result.text)) {
      if (!out.empty()) out += " ";
      out += result.text.substr(token.offset, token.length);
    }
    return out;
  }
  // "P012 3:10+7 message"
  std::string problems() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) {
      const Position& p = d.range.begin;
      if (!out.empty()) out += "\n";
      out += d.code + " ";
      if (p.file != 0) out += std::to_string(p.file) + ":";
      out += std::to_string(p.line) + ":" + std::to_string(p.column) + "+" + std::to_string(d.range.length) +
             " " + d.message;
    }
    return out;
  }
};

Outcome run(const std::string& text, const std::vector<std::string>& defines = {},
            const std::string& name = "m.pml") {
  Outcome r;
  r.result = preprocess(name, text, defines, r.diagnostics);
  return r;
}

// ---- Without and with the preprocessor
// -----------------------------------------------------------

TEST(Preprocess, KeepsAPlainModelAsItIs) {
  const Outcome r = run("byte x;\n\tinit { x = 1 }\n");
  EXPECT_EQ(r.tokens(), "byte@1:1 x@1:6 ;@1:7 init@2:2 {@2:7 x@2:9 =@2:11 1@2:13 }@2:15");
  EXPECT_EQ(r.problems(), "");
}

// Without programs in reach, only what needs none can succeed.
class WithoutPrograms {
 public:
  WithoutPrograms() : saved_(std::getenv("PATH")) { setenv("PATH", "/nowhere", 1); }
  ~WithoutPrograms() { setenv("PATH", saved_.c_str(), 1); }

 private:
  std::string saved_;
};

TEST(Preprocess, DoesNotStartAProcessForAPlainModel) {
  const WithoutPrograms nothing;
  const Outcome r = run("/* # */ byte x; // #define x\ninit { printf(\"// # %d\\n\", x) }\n");
  EXPECT_EQ(r.problems(), "");
  EXPECT_EQ(r.words(), "byte x ; init { printf ( \"// # %d\\n\" , x ) }");
}

TEST(Preprocess, SaysThatThePreprocessorIsMissing) {
  const WithoutPrograms nothing;
  EXPECT_EQ(run("#define N 3\nbyte x = N;\n").problems(),
            "P010 0:0+1 this model needs the C preprocessor, but 'cpp' was not found");
}

TEST(Preprocess, BothWaysGiveTheSameTokensAndPlaces) {
  const char* texts[] = {
      "byte x; /* a\n b */ byte y;// c\nbyte z;",
      "init { printf(\"/* no comment // */ \\\" x\"); x = 'a' }",
      "a/**/b a/* */+/**/+b\r\nc // d\r\n\r\ne\r\n",
      "\xEF\xBB\xBFinit { skip }",
      "q?<x>; q??[y]; a->b; 1..3; x--; a&&b; \xC3\xA9t\xC3\xA9",
      "",
      "\n\n  x",
  };
  for (const char* text : texts) {
    const Outcome plain = run(text);
    const Outcome child = run(text, {"UNUSED_HERE"});
    EXPECT_EQ(plain.problems(), "") << text;
    EXPECT_EQ(plain.tokens(), child.tokens()) << text;
    const Position a = plain.result.position(plain.result.text.size());
    const Position b = child.result.position(child.result.text.size());
    EXPECT_EQ(a, b) << text;
  }
}

TEST(Preprocess, LeavesToThePreprocessorWhatOnlyItCanJudge) {
  EXPECT_EQ(run("x = linux").words(), "x = 1");
  EXPECT_EQ(run("x = __LINE__").words(), "x = 1");
  EXPECT_EQ(run("a\\\nb").words(), "ab");
  EXPECT_EQ(run("%:define N 3\nN").words(), "3");
  EXPECT_EQ(run("don't /* here */ x\ny").words(), "don 't /* here */ x y");
}

TEST(Preprocess, UsesTheDefinesThatItIsGiven) {
  EXPECT_EQ(run("N M", {"N=3", "M"}).words(), "3 1");
  EXPECT_EQ(run("x = S", {"S=a b; $(c)"}).words(), "x = a b ; $ ( c )");
}

// ---- Places
// --------------------------------------------------------------------------------------

TEST(Preprocess, PointsAtTheMacroThatATokenCameFrom) {
  const Outcome r = run("#define N 3 + 4\nx = N ; y\n");
  EXPECT_EQ(r.tokens(), "x@2:1 =@2:3 3@2:5 +@2:5 4@2:5 ;@2:7 y@2:9");
}

TEST(Preprocess, PointsAtTheArgumentsOfAMacroCall) {
  const Outcome r = run("#define NEXT(i) ((i) + 1)\nx = NEXT(y) ; goto again\n");
  EXPECT_EQ(r.tokens(), "x@2:1 =@2:3 (@2:5 (@2:5 y@2:10 )@2:5 +@2:5 1@2:5 )@2:5 ;@2:13 goto@2:15 again@2:20");
}

TEST(Preprocess, FollowsAMacroCallOverSeveralLines) {
  const Outcome r = run("#define F(a, b) a = b\nF(x,\n  /* c */ y\n ); z\n  w\n");
  EXPECT_EQ(r.tokens(), "x@2:3 =@2:1 y@3:11 ;@4:3 z@4:5 w@5:3");
}

TEST(Preprocess, KnowsWhichWordsAreMacrosAtEachLine) {
  const Outcome r = run("A\n#define A x y\nA B\n#undef A\nA B\n#define A(i) i\nA A(z)\n");
  EXPECT_EQ(r.tokens(), "A@1:1 x@3:1 y@3:1 B@3:3 A@5:1 B@5:3 A@7:1 z@7:5");
}

TEST(Preprocess, FindsColumnsBehindTabsCommentsAndSqueezedBlanks) {
  const Outcome r = run("#define U\n\tx  /* c */\t=    1 ;\n  a /* over\n two lines */ b\n");
  EXPECT_EQ(r.tokens(), "x@2:2 =@2:13 1@2:18 ;@2:20 a@3:3 b@4:15");
}

TEST(Preprocess, KeepsPlacesAcrossSkippedParts) {
  const Outcome r = run("#if 0\nx y\n#else\n  z\n#endif\n\n\n\n\n\n\n\n\n\n\n\nlast\n");
  EXPECT_EQ(r.tokens(), "z@4:3 last@17:1");
}

TEST(Preprocess, KnowsTheEndOfTheModel) {
  const Outcome r = run("#define U\nx\ninit {  \n\n\n");
  EXPECT_EQ(r.result.position(r.result.text.size()), (Position{0, 3, 7}));
  EXPECT_EQ(r.result.position(1'000'000), (Position{0, 3, 7}));
}

TEST(Preprocess, CountsColumnsInBytes) {
  EXPECT_EQ(run("#define U\n\"\xC3\xA9\" x\n").tokens(), "\"\xC3\xA9\"@2:1 x@2:6");
}

TEST(Preprocess, NamesIncludedFilesAsTheUserWould) {
  const Folder folder;
  folder.write("sub dir/inc.h", "#include \"deep.h\"\n  byte y;\n");
  folder.write("sub dir/deep.h", "byte z;\n");
  const std::string text = "#include \"sub dir/inc.h\"\nbyte x;\n";
  const std::string model = folder.write("my model.pml", text);
  const Outcome r = run(text, {}, model);
  EXPECT_EQ(r.problems(), "");
  EXPECT_EQ(r.words(), "byte z ; byte y ; byte x ;");
  ASSERT_EQ(r.result.sources.size(), 3u);
  EXPECT_EQ(r.result.sources.file(0).name, model);
  const Position z = r.result.position(r.result.text.find('z'));
  const Position y = r.result.position(r.result.text.find("y;"));
  EXPECT_EQ(r.result.sources.place(z), folder / "sub dir/deep.h" + ":1:6");
  EXPECT_EQ(r.result.sources.place(y), folder / "sub dir/inc.h" + ":2:8");
  EXPECT_EQ(r.result.sources.line(y.file, 2), "  byte y;");
}

TEST(Preprocess, EnduresStrangeFileNames) {
  for (const char* name : {"a\"b\\c.pml", "new\nline.pml", "-E", "<text>", "", " ", "\xC3\xA9.pml"}) {
    const Outcome r = run("#define N 1\n N", {}, name);
    EXPECT_EQ(r.tokens(), "1@2:2") << name;
    EXPECT_EQ(r.result.sources.file(0).name, name);
  }
}

TEST(Preprocess, UsesTheTextThatItWasGivenAndNotTheFile) {
  const Folder folder;
  const std::string model = folder.write("m.pml", "#error old\n");
  EXPECT_EQ(run("#define N 1\nN", {}, model).words(), "1");
}

TEST(Preprocess, IgnoresLineDirectivesThatNameNoReadableFile) {
  const Outcome r = run("a\n#line 70 \"spec.txt\"\n b\n# 90\n  c\n");
  EXPECT_EQ(r.tokens(), "a@1:1 b@3:2 c@5:3");
  EXPECT_EQ(r.result.sources.size(), 1u);
}

TEST(Preprocess, FollowsALineDirectiveToAFileThatExists) {
  const Folder folder;
  folder.write("spec.txt", "first\n  second x\n");
  const std::string text = "a\n#line 2 \"spec.txt\"\nx\n";
  const Outcome r = run(text, {}, folder.write("m.pml", text));
  const Position x = r.result.position(r.result.text.find('x'));
  EXPECT_EQ(r.result.sources.place(x), folder / "spec.txt" + ":2:10");
}

TEST(Preprocess, PassesEscapedDirectivesOnToEmbeddedC) {
  EXPECT_EQ(run("c_decl {\n  \\#include <stdio.h>\n}\n").words(), "c_decl { \\ # include < stdio . h > }");
}

// ---- Problems
// ------------------------------------------------------------------------------------

TEST(Preprocess, ReportsAMissingIncludeWithANearName) {
  const Folder folder;
  folder.write("common.h", "");
  const std::string text = "byte x;\n#include \"comon.h\"\n";
  const Outcome r = run(text, {}, folder.write("m.pml", text));
  EXPECT_EQ(r.problems(), "P012 2:10+9 the included file 'comon.h' does not exist");
  EXPECT_EQ(r.diagnostics.all()[0].hint, "did you mean 'common.h'?");
}

TEST(Preprocess, ReportsProblemsInsideIncludedFilesAtTheirPlace) {
  const Folder folder;
  folder.write("inc.h", "\n#endif\n");
  const std::string text = "#include \"inc.h\"\n";
  const Outcome r = run(text, {}, folder.write("m.pml", text));
  EXPECT_EQ(r.problems(), "P013 1:2:1+6 #endif without #if");
}

TEST(Preprocess, ReportsUnbalancedConditionals) {
  EXPECT_EQ(run("x\n  #ifdef A\ny\n").problems(), "P013 2:3+6 this #ifdef has no #endif");
  EXPECT_EQ(run("#else\n").problems(), "P013 1:1+5 #else without #if");
}

TEST(Preprocess, ReportsWrongMacroCallsWhereTheyStand) {
  EXPECT_EQ(run("#define F(a,b) a\n x = F(1);\n").problems(),
            "P014 2:6+1 macro 'F' requires 2 arguments, but only 1 given");
  EXPECT_EQ(run("#define F(a,b) a\nF(1,2); y = F(1;\nz\n\nlast\n").problems(),
            "P014 2:13+1 this call of the macro 'F' has no closing ')'");
}

TEST(Preprocess, ReportsUnknownDirectivesWithTheNearestOne) {
  const Outcome r = run("#incldue \"x\"\n");
  EXPECT_EQ(r.problems(), "P017 1:1+8 '#incldue' is not a preprocessor directive");
  EXPECT_EQ(r.diagnostics.all()[0].hint, "did you mean '#include'?");
}

TEST(Preprocess, ReportsTheOtherWaysToFail) {
  EXPECT_EQ(run("#error N is \"missing\"\n").problems(), "P015 1:1+6 the model says: N is \"missing\"");
  EXPECT_EQ(run("x /* y\nz").problems(), "P016 1:3+2 this comment is never closed");
  EXPECT_EQ(run("#pragma pack\nx").problems(), "P018 1:1+7 Promela has no #pragma");
  EXPECT_EQ(run("#define 3\n").problems(),
            "P019 1:9+1 the C preprocessor says: macro names must be identifiers");
  EXPECT_EQ(run("x", {"3=4"}).problems(),
            "P019 0:0+1 the C preprocessor says: macro names must be identifiers");
}

TEST(Preprocess, ReportsCircularIncludesOnce) {
  const Folder folder;
  const std::string text = "x\n#include \"m.pml\"\n";
  const Outcome r = run(text, {}, folder.write("m.pml", text));
  EXPECT_EQ(r.problems(), "P020 2:1+8 files include each other in a cycle");
}

TEST(Preprocess, CollectsAllProblems) {
  EXPECT_EQ(run("#define F(a) a\nF(1,2)\n#foo\n").diagnostics.error_count(), 2u);
}

TEST(Preprocess, WarnsOfMacrosThatAreDefinedTwice) {
  const Outcome r = run("\n#define N 5\nN", {"N=3"});
  EXPECT_EQ(r.problems(), "W101 2:9+1 the macro 'N' is defined again");
  EXPECT_EQ(r.words(), "5");
  EXPECT_EQ(run("#warning take \"care\"\n").problems(), "W102 1:1+8 the model says: take \"care\"");
}

TEST(Preprocess, SurvivesMacroBombs) {
  std::string lazy = "#define A0 x x x x x x x x\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "A" + std::to_string(i - 1) + " ";
    lazy += "#define A" + std::to_string(i) + " ";
    for (int k = 0; k < 8; ++k) lazy += before;
    lazy += "\n";
  }
  EXPECT_EQ(run(lazy + "A11\n").problems(), "P011 0:0+1 the macros of this model expand to too much text");

  std::string eager = "#define F(x) x x\n";
  for (int i = 0; i < 40; ++i) eager += "F(";
  eager += "a" + std::string(40, ')') + "\n";
  EXPECT_EQ(run(eager).problems(), "P011 0:0+1 the macros of this model expand to too much text");
}

// ---- Files
// ---------------------------------------------------------------------------------------

struct Read {
  explicit Read(const std::string& path) : text(read_source(path, diagnostics)) {}
  std::string code() const { return diagnostics.all().empty() ? "" : diagnostics.all()[0].code; }
  std::string hint() const { return diagnostics.all().empty() ? "" : diagnostics.all()[0].hint; }
  Diagnostics diagnostics;
  std::optional<std::string> text;
};

TEST(ReadSource, ReadsAModelByteForByte) {
  const Folder folder;
  const Read read(folder.write("m.pml", "a\r\n\xFF z"));
  EXPECT_EQ(read.text, "a\r\n\xFF z");
  EXPECT_EQ(read.code(), "");
}

TEST(ReadSource, SuggestsANearNameForAMissingFile) {
  const Folder folder;
  folder.write("leader.pml", "init { skip }");
  folder.write("other.pml", "init { skip }");
  const Read read(folder / "laeder.pml");
  EXPECT_EQ(read.code(), "P001");
  EXPECT_EQ(read.hint(), "did you mean '" + folder / "leader.pml" + "'?");
  EXPECT_FALSE(read.text.has_value());
  EXPECT_EQ(Read(folder / "nowhere/m.pml").hint(), "there is no folder '" + folder / "nowhere" + "' either");
}

TEST(ReadSource, RefusesWhatIsNoModel) {
  const Folder folder;
  folder.write("models/b.pml", "init { skip }");
  folder.write("models/a.pml", "init { skip }");
  const Read directory(folder / "models");
  EXPECT_EQ(directory.code(), "P002");
  EXPECT_EQ(directory.hint(), "did you mean '" + folder / "models/a.pml" + "'?");
  EXPECT_EQ(Read(folder.write("empty.pml", "")).code(), "P004");
  EXPECT_EQ(Read(folder.write("blank.pml", " \n\t\n")).code(), "P004");
  EXPECT_EQ(Read(folder.write("pan", std::string("a\0b", 3))).code(), "P005");
  EXPECT_EQ(Read("/dev/zero").code(), "P006");
}

TEST(ReadSource, SaysWhyAFileCannotBeRead) {
  // A file in place of a folder: refused for everybody, even for the superuser.
  const Folder folder;
  const std::string file = folder.write("m.pml", "x");
  const Read read(file + "/inner.pml");
  EXPECT_FALSE(read.text.has_value());
  EXPECT_TRUE(read.code() == "P001" || read.code() == "P003") << read.code();
}

}  // namespace
}  // namespace spoor::promela
