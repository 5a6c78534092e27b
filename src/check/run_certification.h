// Certificates about infinite runs: which property they are about, and the system that is certified.
//
// The claim is translated here: its formula is that of the model or of the command line, and its automaton
// the one that this program makes of it. A certificate has neither; it names the property, and its members
// are states of the product with that automaton.
//
// Order is never left out of such a system: a certificate would have to show that no step is ignored for
// ever, on every cycle. So the search that makes one has no partial-order reduction either.
//
// Tested by: tests/suites/test_rank_certificates.py
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/front_end.h"
#include "check/loaded_model.h"
#include "check/property.h"
#include "evidence/certificate.h"
#include "model/omega.h"
#include "model/trace.h"

namespace spoor {

// The form of a certificate of this property. `wanted`: of the command line; nothing: none was.
CertificateKind certificate_kind(const Property& property, std::optional<CertificateKind> wanted);
// Why it cannot have the form that is wanted, as a sentence; empty: it can.
std::string why_other_kind(const Property& property, std::optional<CertificateKind> wanted);

// The one property of the model that these words choose. Nothing: there is none, or several.
std::optional<Property> only_property(const SourceModel& model, const std::string& wanted);
// Those about infinite runs that these words choose; `is_given`: of the command line.
std::vector<Property> properties_of_runs(const SourceModel& model, const std::string& wanted, bool is_given);

// What is claimed of infinite runs, as lines of CertificateClaim::options. `formula`: of the command line.
std::string run_options_text(bool is_fair, bool is_about_given, const std::string& formula);

// The run of a trace, by its steps in the model and the action at which its cycle begins.
struct RunTrace {
  std::vector<StepId> steps;
  std::optional<std::size_t> loop;
};
// Why it does not violate the property that the model was loaded for, as a sentence; empty: it does.
std::string why_no_violation(const LoadedModel& model, const RunTrace& trace, bool is_fair);
// What the violation is called, and where.
struct RunViolation {
  Finding finding;
  std::string message;
  Position position;
};
RunViolation run_violation(const LoadedModel& model, bool is_fair);

}  // namespace spoor
