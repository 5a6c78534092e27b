// Certificates of a check: what they claim, and the confirmation of a claim by someone who trusts nobody.
//
// A check of safety that holds can leave a certificate (evidence/certificate.h); one that is violated has a
// trace, which is as good. certify_model reads the model itself, prepares it with the reductions that the
// certificate names, and lets the certifier (evidence/certifier.h) do the rest. What the certificate is about
// has to be what the certifying person asks for: the files of the model by their digest, and every option
// that changes states or errors. They are compared as text, so that the difference can be shown.
//
// Reductions are different: any are sound, because the certifier computes them itself. So they are taken from
// the certificate.
//
// A certificate about infinite runs (evidence/rank_rule.h) is the same with a system that is the product with
// the claim, which is translated here (run_certification.h).
//
// A certificate of another version of the program is refused: the bytes of a state may be laid out in another
// way.
//
// Tested by: tests/unit/test_certification.cpp, tests/suites/test_certify.py
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/ranks.h"
#include "base/source.h"
#include "check/check_options.h"
#include "check/execution.h"
#include "check/front_end.h"
#include "check/loaded_model.h"
#include "check/property.h"
#include "evidence/certifier.h"

namespace spoor {

// Does the file begin as certificates do? Traces do not.
bool is_certificate(const std::string& path);

// Why a check cannot leave its certificate there, as the end of a sentence about the file; empty: it can. The
// trace of a violation, which an earlier check has left, makes way.
std::string why_not_left_at(const std::string& path);
// Removes such a trace.
void remove_old_trace(const std::string& path);

// What a certificate of this check claims; the figures are left to be filled in.
CertificateClaim claim_of(const LoadedModel& model, const CheckOptions& options, const Property& property);

// Why a check with these options has no certificate, as a sentence; empty: it can have one.
std::string why_no_certificate(const LoadedModel& model, const CheckOptions& options, CertificateKind kind);

struct CertifyOptions {
  ModelOptions model;     // its reductions are those of the certificate
  std::string property;   // empty: that of the certificate
  std::string formula;    // as for check: one that a certificate may be about; or empty
  std::string invariant;  // to be checked along the way; or empty
  bool end_states = true;
  ExecutionChoice exec = ExecutionChoice::kAuto;
  unsigned jobs = 1;
  unsigned tasks = 0;        // CertifierOptions::tasks
  std::uint64_t sample = 0;  // members of a closed set that are drawn; 0: all of them
  Limits limits;
  Ranks* processes = nullptr;    // that share a compact certificate; null: this one alone
  CheckpointOptions checkpoint;  // of a compact certificate; `identity` is ignored: certify_model computes it
};

struct CertifyReport {
  std::string model, certificate;  // files
  std::string model_sha256;
  std::uint64_t bytes = 0;  // of the certificate
  CertificateKind kind = CertificateKind::kCompact;
  CertificateClaim claim;
  CertifierResult result;  // refused claims have a reason, and no figures
  Execution execution;
  SourceSet sources;
  std::string signed_by;         // the public key that was asked for, which has signed it; empty: none was
  std::string checkpoint;        // the file with what is done, where a limit has ended it; or empty
  std::string checkpoint_error;  // why it could not be written: the predicate of a sentence; or empty
};

// Something is wrong with the input: the model, or a file that is not a certificate or not readable.
using CertifyAnswer = std::variant<CertifyReport, InputError>;
CertifyAnswer certify_model(const std::string& model, const std::string& certificate,
                            const CertifyOptions& options, FrontEnds languages = front_ends());

}  // namespace spoor
