// Certificates about infinite runs of whole models: what their claim says, and liars that change it.
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "check/certification.h"
#include "check/check.h"
#include "check/control.h"
#include "evidence/closed_set.h"

namespace spoor::run_certified {
namespace {

using Answer = CertifierResult::Answer;

// In both, one process alone can be delayed for ever. `%` is where a liar says that it does nothing bad.
const std::string kSafe = R"(
bool asked, served; byte n;
active proctype client() { do :: !asked -> asked = true; served = false :: served -> asked = false; n = 0 od }
active proctype server() { do :: asked && !served -> served = true od }
ltl answered { [] (asked -> <> (served || !asked)) }
ltl often { [] <> (n == 0) }
)";
const std::string kLazy = R"(
bool asked, served; byte n;
active proctype client() { do :: !asked -> asked = true; served = false :: served -> asked = false; n = 0 od }
active proctype server() { do :: asked && !served -> served = true :: asked && !served -> n = 1 - n od }
ltl answered { [] (asked -> <> (served || !asked)) }
ltl often { [] <> (n == 0) }
)";
const std::string kTicking = R"(
byte n;
active proctype a() { do :: n = (n + 1) % 3 od }
active proctype b() { byte x; do :: x = 1 - x od }
ltl p { [] <> (n == 2) }
)";

class RunCertification : public testing::Test {
 protected:
  std::string model() const { return folder_.path() + "/m.pml"; }
  std::string path() const { return folder_.path() + "/c"; }
  void write(const std::string& text) const { std::ofstream(model()) << text; }

  // Empty: a certificate was left; else the verdict, or why there is none.
  std::string check(const std::string& text, const std::string& property, bool is_fair = false,
                    const std::string& formula = "") const {
    write(text);
    CheckOptions options;
    options.model.reduce = "default";
    options.model.is_fair = is_fair;
    options.property = property;
    options.formula = formula;
    CheckControl control;
    control.certificate = path();
    const CheckAnswer answer = check_model(model(), options, control);
    if (!std::holds_alternative<CheckedModel>(answer)) return "refused";
    const CheckReport& report = std::get<CheckedModel>(answer).reports.front();
    if (!std::holds_alternative<Holds>(report.result.outcome)) return "violated";
    if (!report.certificate) return "none";
    EXPECT_EQ(report.certificate->kind, CertificateKind::kRankedSet);
    return report.certificate->why_not;
  }
  // Writes the certificate again with another claim.
  void change(const std::function<void(ClosedSetClaim&)>& how) const {
    const std::string old = path() + ".old";
    std::filesystem::rename(path(), old);
    FramedReader reader(old, kCertificateFormat);
    FileRecord record;
    reader.read(record);
    ClosedSetClaim claim = decoded_closed_set_claim(record.content, true);
    how(claim);
    FramedWriter file(path(), kCertificateFormat, {});
    file.add(record.kind, encoded_closed_set_claim(claim));
    while (reader.copy_record(kIndexRecord, file) || reader.copy_record(kChunkRecord, file)) {
    }
    file.finish();
  }
  // Empty: it is confirmed.
  std::string certify(const CertifyOptions& wanted = {}) const {
    CertifyOptions options = wanted;
    options.exec = ExecutionChoice::kInterpreter;
    const CertifyAnswer answer = certify_model(model(), path(), options);
    if (const auto* error = std::get_if<InputError>(&answer)) return "input: " + error->message;
    const CertifierResult& result = std::get<CertifyReport>(answer).result;
    EXPECT_EQ(result.answer == Answer::kConfirmed, result.reason.empty());
    return result.reason;
  }
  std::string digest_of_model() const {
    InputError error;
    return read_model(model(), {}, "", error)->sha256();
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(RunCertification, WhatACheckLeavesIsConfirmed) {
  EXPECT_EQ(check(kSafe, "ltl:answered", true), "");
  CertifyOptions fair;
  fair.model.is_fair = true;
  EXPECT_EQ(certify(fair), "");
  fair.property = "ltl:answered";
  EXPECT_EQ(certify(fair), "");
  EXPECT_EQ(certify(), "its options are not those asked for: it has 'fair yes', not 'fair no'");
  fair.property = "ltl:often";
  EXPECT_EQ(certify(fair), "it is about the property ltl:answered, not ltl:often");
  fair.property = "safety";
  EXPECT_EQ(certify(fair), "it is about the property ltl:answered, not safety");
  EXPECT_EQ(check(kLazy, "ltl:answered", true), "violated");
}

TEST_F(RunCertification, AFormulaOfTheCommandLineIsComparedAndTranslatedHere) {
  EXPECT_EQ(check(kSafe, "ltl:given", false, "[] (n == 0)"), "");
  CertifyOptions options;
  EXPECT_EQ(
      certify(options),
      "it is about a property that is not known: ltl:given (a formula of the command line is given with --ltl)");
  options.formula = "[]  (n ==\n 0)";
  EXPECT_EQ(certify(options), "");
  options.formula = "[] (n == 1)";
  EXPECT_NE(certify(options).find("'formula [] (n == 0)', not 'formula [] (n == 1)'"), std::string::npos);
  change([](ClosedSetClaim& claim) {
    std::string& text = claim.common.options;
    text.replace(text.find("n == 0"), 6, "n == 1");
  });
  EXPECT_NE(certify(options), "");
}

TEST_F(RunCertification, ALiarThatHidesTheAcceptingCycleIsFoundOut) {
  for (const bool is_fair : {false, true}) {
    CertifyOptions options;
    options.model.is_fair = is_fair;
    // A certificate of the model without the cycle is said to be one of the model with it.
    ASSERT_EQ(check(kSafe, "ltl:often", is_fair), "");
    write(kLazy);
    EXPECT_EQ(certify(options), "it is about another model: the digests of the files differ");
    const std::string digest = digest_of_model();
    change([&](ClosedSetClaim& claim) { claim.common.model = digest; });
    // Both are so: the server's locations have other numbers. Which is found depends on the secret key.
    const std::string reason = certify(options);
    EXPECT_TRUE(reason == "the initial state is none of its states" ||
                reason.find("of chunk 1: ") != reason.npos)
        << reason;
  }
}

TEST_F(RunCertification, ACertificateForFairRunsIsNoneForAll) {
  EXPECT_EQ(check(kTicking, "ltl:p"), "violated");
  ASSERT_EQ(check(kTicking, "ltl:p", true), "");
  change([](ClosedSetClaim& claim) {
    std::string& text = claim.common.options;
    text.replace(text.find("fair yes"), 8, "fair no");
  });
  const std::string reason = certify();
  EXPECT_TRUE(reason.find("mark that this rank excludes") != std::string::npos ||
              reason.find("must lead to a lower one") != std::string::npos)
      << reason;
}

TEST_F(RunCertification, AnotherClaimIsNotProved) {
  const std::string strict = "bit x;\nactive proctype a() { do :: x = 1 - x od }\nltl p { [] <> (x == 1) }\n";
  ASSERT_EQ(check(strict, "ltl:p"), "");
  write("bit x;\nactive proctype a() { do :: x = 1 - x od }\nltl p { <> [] (x == 1) }\n");
  const std::string digest = digest_of_model();
  change([&](ClosedSetClaim& claim) { claim.common.model = digest; });
  EXPECT_NE(certify(), "");
}

TEST_F(RunCertification, EveryPartOfTheClaimCounts) {
  const auto refusal = [&](const std::function<void(ClosedSetClaim&)>& how) {
    EXPECT_EQ(check(kSafe, "ltl:often"), "");
    change(how);
    return certify();
  };
  EXPECT_EQ(refusal([](ClosedSetClaim&) {}), "");
  EXPECT_NE(refusal([](ClosedSetClaim& claim) { ++claim.common.states; }), "");
  EXPECT_NE(refusal([](ClosedSetClaim& claim) { ++claim.common.steps; }), "");
  EXPECT_NE(refusal([](ClosedSetClaim& claim) { ++*claim.initial_rank; }), "");
  EXPECT_NE(refusal([](ClosedSetClaim& claim) { claim.root[0] ^= 1; }), "");
  EXPECT_NE(refusal([](ClosedSetClaim& claim) { claim.common.property = "ltl:answered"; }), "");
  EXPECT_EQ(refusal([](ClosedSetClaim& claim) { claim.common.property = "safety"; }),
            "it has another form than certificates of safety have");
  EXPECT_NE(refusal([](ClosedSetClaim& claim) { claim.common.property = "accept"; }), "");
  EXPECT_NE(refusal([](ClosedSetClaim& claim) { claim.common.options.clear(); }), "");
}

TEST_F(RunCertification, AFormulaThatHoldsOfEveryRunHasNone) {
  EXPECT_EQ(check(kSafe, "ltl:given", false, "[] (n == 0) -> [] (n == 0)"),
            "the formula holds of every run, of any model");
}

}  // namespace
}  // namespace spoor::run_certified
