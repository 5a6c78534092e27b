#include "report/certify_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/quantities.h"
#include "report/json.h"
#include "report/labels.h"
#include "report/text_columns.h"
#include "version.h"

namespace spoor {
namespace {

using CertifierAnswer = CertifierResult::Answer;

std::string first_line(const CertifyReport& report) {
  const CertifierResult& result = report.result;
  const std::string reason = escape_controls(result.reason);
  switch (result.answer) {
    case CertifierAnswer::kConfirmed:
      if (report.kind == CertificateKind::kTrustful)
        return fmt::format(
            "confirmed for invariants of states only, trusting the script: {} and {} were executed anew; "
            "deadlocks, other transitions, and whether these are all states were not checked",
            counted(result.states, "state"), counted(result.steps, "transition"));
      return fmt::format("confirmed: {} ({}); {} and {} were executed anew",
                         report.kind == CertificateKind::kRankedSet ? "no run violates the property"
                                                                    : "the model has no error",
                         report.claim.property, counted(result.states, "state"),
                         counted(result.steps, "transition"));
    case CertifierAnswer::kRefuted:
      return "refuted: the certificate does not prove what it claims: " + reason;
    case CertifierAnswer::kNotConfirmed:
      return "not confirmed: " + reason + "; the state may be one that no run reaches";
    case CertifierAnswer::kNotRefuted:
      return fmt::format(
          "not refuted: none of {} drawn at random from {} has an error{} or leads outside; this is evidence, not proof",
          counted(result.sample, "state"), counted(report.claim.states, "state"),
          report.kind == CertificateKind::kRankedSet ? ", a wrong rank" : "");
    case CertifierAnswer::kLimit:
      return fmt::format("unknown: a limit ended the certification ({})", to_string(*result.limit));
  }
  return {};
}

// What the claim is about, as the certificate says it: lines "name value".
std::string claim_lines(const CertificateClaim& claim) {
  std::string text = fmt::format("claim: {}", escape_controls(claim.property));
  for (std::size_t begin = 0; begin < claim.options.size();) {
    const std::size_t end = std::min(claim.options.find('\n', begin), claim.options.size());
    text += ", " + escape_controls(claim.options.substr(begin, end - begin));
    begin = end + 1;
  }
  return text + "\n";
}

std::string signature_line(const std::string& key) {
  return key.empty() ? "" : fmt::format("signed by {}\n", key);
}

std::string figures(const CertifyReport& report) {
  const CertifierResult& result = report.result;
  std::string text = fmt::format("certificate: {}", human_bytes(report.bytes));
  const bool is_set = lists_states(report.kind);
  const std::uint64_t count = is_set ? report.claim.states : result.steps;
  if (count != 0)
    text +=
        fmt::format(", {:.3g} bytes per {}", static_cast<double>(report.bytes) / static_cast<double>(count),
                    is_set ? "state" : "transition");
  if (is_set) {
    text += fmt::format("; {}", counted(report.claim.regions, "chunk"));
  } else if (result.regions != 0)
    text += fmt::format("; {}, the largest with {}", counted(result.regions, "region"),
                        counted(result.largest_region, "transition"));
  text += "\n";
  if (result.sample != 0) {
    constexpr double kShare = 0.01;
    text += fmt::format(
        "a defect in a share e of the states is missed with probability (1-e)^{}: in 1 % of them with {:.2g}\n",
        result.sample, std::pow(1 - kShare, static_cast<double>(result.sample)));
  }
  if (result.largest_task != 0 && !is_published_script(report.kind))
    text +=
        fmt::format("tasks: the largest has {:.2f} % of the transitions, the longest takes {}; reading: {}\n",
                    100 * static_cast<double>(result.largest_task) / static_cast<double>(result.steps),
                    human_seconds(result.longest_task_s), human_seconds(result.division_s));
  if (is_published_script(report.kind) && result.regions > 1)
    text += fmt::format("initialization paths: {}, the longest with {}; cutting took {}\n",
                        counted(result.path_steps, "step"), result.longest_path,
                        human_seconds(result.division_s));
  if (report.kind == CertificateKind::kFull)
    text += fmt::format("at most {} kept at once\n", counted(result.most_fingerprints, "fingerprint"));
  if (result.processes != 0)
    text += fmt::format("{}, which have exchanged {}\n", counted(result.processes, "process", "processes"),
                        human_bytes(result.exchanged_bytes));
  if (result.compared != 0)
    text += fmt::format("also executed by the interpreter: {}\n", counted(result.compared, "state"));
  return text + fmt::format("{}, {} for states\n", human_seconds(result.elapsed_s),
                            human_bytes(result.memory_bytes));
}

// How the work was divided into tasks.
Json division_json(const CertifyReport& report) {
  const CertifierResult& result = report.result;
  if (!is_published_script(report.kind) && result.largest_task == 0) return nullptr;
  return {{"path_steps", result.path_steps},
          {"longest_path", result.longest_path},
          {"largest_task", result.largest_task},
          {"longest_task_s", result.longest_task_s},
          {"division_s", result.division_s}};
}

}  // namespace

const char* answer_name(CertifierAnswer answer) {
  switch (answer) {
    case CertifierAnswer::kConfirmed: return "confirmed";
    case CertifierAnswer::kRefuted: return "refuted";
    case CertifierAnswer::kNotConfirmed: return "not-confirmed";
    case CertifierAnswer::kNotRefuted: return "not-refuted";
    case CertifierAnswer::kLimit: return "unknown";
  }
  return "";
}

std::string certify_text(const CertifyReport& report, bool quiet) {
  std::string text = first_line(report) + "\n";
  if (quiet) return text;
  text += "\n" + claim_lines(report.claim) + signature_line(report.signed_by);
  // Where the claim was refused nothing was executed.
  if (report.result.regions != 0) text += figures(report);
  if (const std::string& why = report.execution.no_native_code;
      report.execution.tier == Execution::Tier::kInterpreter && !why.empty())
    text +=
        fmt::format("interpreted, without native code: {}\n", escape_controls(why.substr(0, why.find('\n'))));
  return text;
}

std::string certify_json(const CertifyReport& report) {
  const CertifierResult& result = report.result;
  return dump({{"model", report.model},
               {"model_sha256", report.model_sha256},
               {"certificate", report.certificate},
               {"kind", to_string(report.kind)},
               {"signed_by", text_or_null(report.signed_by)},
               {"answer", answer_name(result.answer)},
               {"reason", text_or_null(result.reason)},
               {"limit", result.limit ? Json(to_string(*result.limit)) : Json(nullptr)},
               {"property", report.claim.property},
               {"claim",
                {{"tool", report.claim.tool},
                 {"model_sha256", report.claim.model},
                 {"options", report.claim.options},
                 {"states", report.claim.states},
                 {"transitions", report.claim.steps},
                 {"regions", report.claim.regions}}},
               {"states", result.states},
               {"transitions", result.steps},
               {"regions", result.regions},
               {"largest_region", result.largest_region},
               {"sample", result.sample == 0 ? Json(nullptr) : Json(result.sample)},
               {"fingerprints",
                report.kind == CertificateKind::kFull ? Json(result.most_fingerprints) : Json(nullptr)},
               {"division", division_json(report)},
               {"compared_states", result.compared},
               {"bytes", report.bytes},
               {"elapsed_s", result.elapsed_s},
               {"cpu_s", result.cpu_s},
               {"memory_bytes", result.memory_bytes},
               {"processes", result.processes == 0 ? Json(nullptr) : Json(result.processes)},
               {"exchanged_bytes", result.processes == 0 ? Json(nullptr) : Json(result.exchanged_bytes)},
               {"version", kVersion}});
}

std::string certify_text(const CertifiedTrace& answer, bool quiet) {
  if (!answer.is_confirmed) return fmt::format("refuted: {}\n", escape_controls(answer.reason));
  const ShownFinding& finding = answer.trace.findings.front();
  const std::string place = place_label(answer.sources, finding.position);
  std::string text = fmt::format("confirmed: the model has an error: {}{}\n",
                                 escape_controls(finding.message), place.empty() ? "" : " at " + place);
  if (!quiet && !answer.property.empty())
    text += fmt::format("\nproperty: {}", escape_controls(answer.property));
  if (!quiet)
    text += fmt::format("\n{}replayed by the interpreter: {}\n", signature_line(answer.signed_by),
                        counted(answer.trace.actions.size(), "step"));
  return text;
}

std::string certify_json(const CertifiedTrace& answer) {
  Json findings = Json::array();
  for (const ShownFinding& finding : answer.trace.findings)
    findings.push_back(to_json(answer.sources, finding));
  return dump({{"model", answer.model},
               {"model_sha256", answer.model_sha256},
               {"certificate", answer.certificate},
               {"kind", "trace"},
               {"signed_by", text_or_null(answer.signed_by)},
               {"answer", answer.is_confirmed ? "confirmed" : "refuted"},
               {"reason", text_or_null(answer.reason)},
               {"limit", nullptr},
               {"property", text_or_null(answer.property)},
               {"steps", answer.trace.actions.size()},
               {"findings", std::move(findings)},
               {"version", kVersion}});
}

std::string certify_text(const UnsignedFile& answer) {
  return fmt::format("refuted: {}\n", escape_controls(answer.reason));
}

std::string certify_json(const UnsignedFile& answer) {
  return dump({{"model", answer.model},
               {"model_sha256", nullptr},
               {"certificate", answer.certificate},
               {"kind", nullptr},
               {"signed_by", nullptr},
               {"answer", "refuted"},
               {"reason", answer.reason},
               {"limit", nullptr},
               {"property", text_or_null(answer.property)},
               {"version", kVersion}});
}

}  // namespace spoor
