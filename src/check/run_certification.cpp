#include "check/run_certification.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/one_line.h"
#include "check/claim_search.h"
#include "check/shown.h"
#include "evidence/lasso_check.h"

namespace spoor {
namespace {

std::unique_ptr<OmegaSystem> runs_in(const LoadedModel& model, bool is_fair) {
  return runs_of(*model.system, *model.propositions, model.claim, is_fair);
}

bool has_no_bad_run(const Claim& claim) {
  return claim.kind == ClaimKind::kFormula && claim.automaton.is_empty();
}

}  // namespace

CertificateKind certificate_kind(const Property& property, std::optional<CertificateKind> wanted) {
  return property.is_about_runs() ? CertificateKind::kRankedSet : wanted.value_or(CertificateKind::kCompact);
}

std::string why_other_kind(const Property& property, std::optional<CertificateKind> wanted) {
  if (!property.is_about_runs() || !wanted || *wanted == CertificateKind::kClosedSet) return {};
  return "infinite runs have certificates of the form closed-set only, with the rank of each state; leave out "
         "--certificate-kind";
}

std::optional<Property> only_property(const SourceModel& model, const std::string& wanted) {
  std::string ignored;
  std::optional<std::vector<Property>> found = choose_properties(wanted, model, ignored);
  if (!found || found->size() != 1) return std::nullopt;
  return std::move(found->front());
}

std::vector<Property> properties_of_runs(const SourceModel& model, const std::string& wanted, bool is_given) {
  std::string ignored;
  std::vector<Property> found = choose_properties(wanted, model, ignored).value_or(std::vector<Property>());
  std::erase_if(found, [&](const Property& property) {
    return !property.is_about_runs() || (is_given && !property.is_given);
  });
  return found;
}

std::string run_options_text(bool is_fair, bool is_about_given, const std::string& formula) {
  return fmt::format("fair {}\n{}", is_fair ? "yes" : "no",
                     is_about_given ? fmt::format("formula {}\n", in_one_line(formula)) : "");
}

std::string why_no_violation(const LoadedModel& model, const RunTrace& trace, bool is_fair) {
  if (has_no_bad_run(model.claim)) return "the formula holds of every run, of any model";
  ShownTrace shown = show_trace(*model.system, trace.steps);
  SystemRun run = {trace.steps, std::nullopt};
  if (trace.loop) {
    const bool stutters = *trace.loop >= shown.actions.size();
    if (!stutters) run.loop = shown.actions[*trace.loop].step - 1;
    if (stutters) run.loop = trace.steps.size();
    if (!close_loop(*model.system, std::min(*trace.loop, shown.actions.size()), shown))
      return "its cycle does not lead back to the state where it begins";
  }
  if (is_bad_run(*runs_in(model, is_fair), run)) return {};
  if (is_fair && is_bad_run(*runs_in(model, false), run))
    return "its cycle is not weakly fair: a process that can always move never does";
  return trace.loop ? "the run does not violate the property: its cycle lacks what the claim looks for"
                    : "the run does not violate the property: it ends, and may go on without a violation";
}

RunViolation run_violation(const LoadedModel& model, bool is_fair) {
  const auto runs = runs_in(model, is_fair);
  const Finding finding = runs->cycle();
  return {finding, runs->message(finding), runs->place(finding)};
}

}  // namespace spoor
