// The two forms of the answer of `spoor certify`: text and JSON (docs/json.md).
#pragma once

#include <cstddef>
#include <string>

#include "check/certification.h"
#include "check/shown.h"

namespace spoor {

// "confirmed", "refuted", "not-confirmed", "unknown": the words of the machine interface.
const char* answer_name(CertifierResult::Answer answer);

std::string certify_text(const CertifyReport& report, bool quiet);
std::string certify_json(const CertifyReport& report);

// A trace is the certificate of a violation.
struct CertifiedTrace {
  std::string model, certificate;  // files
  std::string model_sha256;
  std::string property;  // asked for; or empty
  ShownTrace trace;      // replayed by the reference system
  bool is_confirmed = false;
  std::string reason;  // why not
  SourceSet sources;
  std::string signed_by;  // as in CertifyReport
};
std::string certify_text(const CertifiedTrace& answer, bool quiet);
std::string certify_json(const CertifiedTrace& answer);

// A file that does not have the signature that was asked for: it was not even opened.
struct UnsignedFile {
  std::string model, certificate;  // files
  std::string property;            // asked for; or empty
  std::string reason;
};
std::string certify_text(const UnsignedFile& answer);
std::string certify_json(const UnsignedFile& answer);

}  // namespace spoor
