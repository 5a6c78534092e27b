// What a certificate claims, and whether that is what is asked for.
#include "check/certification.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <variant>

#include "check/check.h"
#include "check/control.h"
#include "unit/certificates.h"
#include "version.h"

namespace spoor::certified {
namespace {

using Answer = CertifierResult::Answer;

constexpr const char* kLock = R"(
byte inside; chan lock = [1] of { bit };
active [2] proctype user() { do :: lock!0; inside++; assert(inside == 1); inside--; lock?_ od }
active proctype other() { byte i; i = 1; i = 2; i = 3 }
)";

// A model, and what a check of it leaves.
class Certification : public testing::Test {
 protected:
  void SetUp() override { write(kLock); }

  std::string model() const { return folder_.path() + "/m.pml"; }
  std::string path() const { return folder_.path() + "/c"; }
  void write(const std::string& text) const { std::ofstream(model()) << text; }

  void check(const std::string& reduce = "merge,dead,order") const {
    CheckOptions options;
    options.model.reduce = reduce;
    options.order = Order::kDepthFirst;
    CheckControl control;
    control.certificate = path();
    const CheckAnswer answer = check_model(model(), options, control);
    ASSERT_TRUE(std::holds_alternative<CheckedModel>(answer));
    ASSERT_NE(std::get<CheckedModel>(answer).reports.front().certificate->bytes, 0u);
  }
  // Writes the certificate again with another claim.
  void change(const std::function<void(CertificateClaim&)>& how) const {
    Certificate certificate = read_certificate(path());
    how(certificate.claim);
    FramedWriter file(path(), kCertificateFormat, {});
    file.add(kClaimRecord, encoded_claim(certificate.claim));
    for (const RegionGroup& group : certificate.groups) file.add(kGroupRecord, encoded_group(group));
    file.finish();
  }
  CertifyAnswer certify() const {
    CertifyOptions options;
    options.exec = ExecutionChoice::kInterpreter;
    return certify_model(model(), path(), options);
  }
  // After the claim was changed; empty: it is confirmed.
  std::string refusal(const std::function<void(CertificateClaim&)>& how) const {
    check();
    change(how);
    const CertifyAnswer answer = certify();
    if (const auto* error = std::get_if<InputError>(&answer)) return "input: " + error->message;
    const CertifierResult& result = std::get<CertifyReport>(answer).result;
    EXPECT_EQ(result.answer, result.reason.empty() ? Answer::kConfirmed : Answer::kRefuted);
    EXPECT_EQ(result.states == 0, !result.reason.empty());
    return result.reason;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(Certification, WhatACheckLeavesIsConfirmed) {
  EXPECT_EQ(refusal([](CertificateClaim&) {}), "");
  EXPECT_EQ(refusal([](CertificateClaim& claim) { claim.initial_state = "not used"; }), "");
}

TEST_F(Certification, AnotherVersionOfTheProgramIsWrongInput) {
  const std::string reason = refusal([](CertificateClaim& claim) { claim.tool = "spoor 99"; });
  EXPECT_EQ(reason.find("input: the certificate '" + path() + "' is one of spoor 99, and this is spoor "), 0u)
      << reason;
}

TEST_F(Certification, TheClaimIsComparedWithWhatIsAskedFor) {
  EXPECT_EQ(refusal([](CertificateClaim& claim) { claim.model[3] ^= 1; }),
            "it is about another model: the digests of the files differ");
  EXPECT_EQ(refusal([](CertificateClaim& claim) { claim.property = "ltl p"; }),
            "it is about a property that is not known: ltl p");
  EXPECT_EQ(refusal([](CertificateClaim& claim) { claim.property = ""; }),
            "it is about a property that is not known: ");
  EXPECT_EQ(refusal([](CertificateClaim& claim) { claim.options += "more yes\n"; }),
            "its options are not those asked for: it has 'more yes', not ''");
  EXPECT_EQ(refusal([](CertificateClaim& claim) {
              claim.options.replace(claim.options.find("strict no"), 9, "strict yes");
            }),
            "its options are not those asked for: it has 'strict yes', not 'strict no'");
}

TEST_F(Certification, TheReductionsOfTheClaimAreTaken) {
  const auto with = [](const std::string& reductions) {
    return [=](CertificateClaim& claim) { claim.options.replace(0, claim.options.find('\n'), reductions); };
  };
  EXPECT_EQ(refusal(with("reductions merge,dead,order")), "");
  for (const char* const line : {"", "reductions", "reductions ", "reductions all", "strict no"})
    EXPECT_EQ(refusal(with(line)), "it does not say which reductions were used") << line;
  EXPECT_EQ(refusal([](CertificateClaim& claim) { claim.options.clear(); }),
            "it does not say which reductions were used");
  EXPECT_EQ(
      refusal(with("reductions default")),
      "its options are not those asked for: it has 'reductions default', not 'reductions merge,dead,order'");
  EXPECT_EQ(refusal(with("reductions merge,dead,stubborn")).find("input: a check with stubborn sets"), 0u);
  // With other reductions there are other states. The certificate is not about them.
  check();
  change(with("reductions none"));
  EXPECT_EQ(std::get<CertifyReport>(certify()).result.answer, Answer::kRefuted);
  for (const char* const reductions : {"none", "merge", "dead", "order"}) {
    check(reductions);
    EXPECT_EQ(std::get<CertifyReport>(certify()).result.answer, Answer::kConfirmed) << reductions;
  }
}

// A liar who says that only deadlocks were looked for makes no false claim; but it is another one.
TEST_F(Certification, TheErrorsOfTheClaimedPropertyAreLookedFor) {
  check();
  write(std::string(kLock) + "/* another digest */");
  EXPECT_EQ(std::get<CertifyReport>(certify()).result.reason,
            "it is about another model: the digests of the files differ");
  std::string text = kLock;
  write(text.replace(text.find("inside == 1"), 11, "inside == 9"));
  change([&](CertificateClaim& claim) { claim.model = std::get<CertifyReport>(certify()).model_sha256; });
  const CertifyReport report = std::get<CertifyReport>(certify());
  EXPECT_EQ(report.result.answer, Answer::kNotConfirmed);
  EXPECT_NE(report.result.reason.find("has an error: assertion violated"), std::string::npos);
}

}  // namespace
}  // namespace spoor::certified
