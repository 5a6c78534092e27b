#include "check/check.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "check/certification.h"
#include "check/claim_answer.h"
#include "check/front_end.h"
#include "check/invariant.h"
#include "check/property.h"
#include "check/property_check.h"
#include "check/regression.h"
#include "check/run_certification.h"
#include "check/shortest.h"
#include "check/vacuity.h"
#include "search/checkpoint.h"

namespace spoor {
namespace {

bool uses_checkpoint(const CheckControl& control) {
  return !control.checkpoint.save.empty() || !control.checkpoint.resume.empty();
}

// Warns where the verdict could be misread: the user asks for a never claim that the model does not have.
void warn_of_no_claim(const std::string& wanted, SourceModel& model) {
  if (wanted != "never") return;
  const std::vector<StatedClaim> claims = model.claims();
  const auto is_never = [](const StatedClaim& claim) { return claim.kind == ClaimKind::kNever; };
  if (std::ranges::any_of(claims, is_never)) return;
  model.warn({"W152",
              Severity::kWarning,
              {{0, 1, 1}, 1},
              "the model has no never claim",
              "accept labels are checked instead, as in SPIN"});
}

// The option that cannot be combined with the properties, as a sentence; empty: none.
std::string option_conflict(const CheckOptions& options, bool uses_checkpoint,
                            const std::vector<Property>& properties) {
  const auto is_about_runs = [](const Property& property) { return property.is_about_runs(); };
  if (std::none_of(properties.begin(), properties.end(), is_about_runs)) {
    return options.model.is_fair ? "--fair needs a property of infinite runs, and none is checked here" : "";
  }
  const std::string hint = properties.size() > 1 ? "; --property safety leaves the claims out" : "";
  if (uses_checkpoint) return "a search for infinite runs cannot be saved in a checkpoint" + hint;
  if (traits_of(options.store).forgets_states)
    return fmt::format("--store {} does not search for infinite runs{}", to_string(options.store), hint);
  if (options.swarm + options.repeat != 0)
    return "--swarm and --repeat do not search for infinite runs" + hint;
  return {};
}

// The claim is more than can be checked: the other properties are checked all the same.
void leave_out(Property& property, const Diagnostics& reasons, SourceModel& source) {
  for (Diagnostic reason : reasons.all()) {
    if (reason.severity != Severity::kError) continue;
    if (property.why_not.empty()) property.why_not = reason.message;
    reason.severity = Severity::kWarning;
    source.warn(reason);
  }
}

// The properties of the model, ready for the searches; or none, with the reasons in `error`.
std::vector<Property> prepare(SourceModel& source, const CheckOptions& options, const CheckControl& control,
                              InputError& error) {
  std::optional<std::vector<Property>> chosen = choose_properties(options.property, source, error.message);
  if (!chosen) return {};
  if (!options.invariant.empty() && !add_invariant(source, *chosen)) {
    error.message = "an invariant is checked with safety, which --property leaves out";
    return {};
  }
  if (chosen->size() == 1) chosen->front().is_asked_for = !options.property.empty();
  error.message = option_conflict(options, uses_checkpoint(control), *chosen);
  if (!error.message.empty()) return {};
  warn_of_no_claim(options.property, source);
  // Errors in a claim are reported before any search: a search can take hours.
  for (Property& property : *chosen) {
    const bool is_sure = chosen->size() == 1 || !property.is_about_runs();
    if (is_sure) continue;
    InputError reasons;
    const Checkability answer = source.can_be_checked(options.model, property.claim, reasons);
    if (answer == Checkability::kPossible) {
      for (const Diagnostic& warning : reasons.diagnostics.all()) source.warn(warning);
      continue;
    }
    if (answer == Checkability::kMistake || property.is_asked_for) {
      error = std::move(reasons);
      return {};
    }
    leave_out(property, reasons.diagnostics, source);
    error = std::move(reasons);
  }
  const auto can_be_checked = [](const Property& property) { return property.why_not.empty(); };
  if (std::ranges::none_of(*chosen, can_be_checked)) return {};
  return std::move(*chosen);
}

double spent_s(const std::vector<CheckReport>& reports) {  // on searches, without the time of compilers
  double seconds = 0;
  for (const CheckReport& report : reports) seconds += report.result.statistics.elapsed_s;
  return seconds;
}

InputError sentence(std::string message) {
  InputError error;
  error.message = std::move(message);
  return error;
}

// The report on a claim that cannot be checked.
CheckReport report_of_none(const Property& property, std::string reason, const CheckOptions& options) {
  CheckReport report;
  report.options = options;
  report.property = property.name;
  report.why_not_checked = std::move(reason);
  report.result.outcome = Unknown{LimitHit::kNotPossible};
  report.result.limit = LimitHit::kNotPossible;
  report.with_unreached = false;
  return report;
}

// Adds the report of a property to those of `checked`; or returns why there is no report at all.
std::optional<CheckAnswer> check_one(const SourceModel& source, const Property& property,
                                     const CheckContext& context, CheckedModel& checked) {
  const CheckOptions& options = context.options;
  InputError error;
  const std::optional<LoadedModel> model =
      property.is_about_runs()
          ? source.load(options.model, options.exec, property.claim, error)
          : load_for_safety(source, options.model, options.exec, options.invariant, error);
  if (!model) return error;
  if (model->has_embedded_code && uses_checkpoint(context.control)) {
    return OptionError{"a search of a model with embedded C cannot be saved in a checkpoint"};
  }
  const auto is_checked = [](const CheckReport& report) { return report.why_not_checked.empty(); };
  if (context.control.listener != nullptr && std::ranges::none_of(checked.reports, is_checked))
    context.control.listener->on_model(*model);
  checked.sources = model->system->sources();
  try {
    std::unique_ptr<Regression> regression;
    std::unique_ptr<ClaimAnswer> known;
    if (!context.control.certificate.empty()) {
      if (const std::string reason = why_no_certificate(
              *model, options, certificate_kind(property, context.control.certificate_kind));
          !reason.empty())
        return OptionError{reason};
    } else if (property.is_about_runs()) {
      known = ClaimAnswer::begin(source, *model, property.claim, context);
    } else {
      regression = Regression::begin(source, *model, context);
    }
    auto answer = check_property(*model, property, context, regression.get(), known.get());
    if (auto* fault = std::get_if<ReductionFault>(&answer)) {
      return WrongReduction{std::move(*fault), std::move(checked.sources)};
    }
    checked.reports.push_back(std::move(std::get<CheckReport>(answer)));
  } catch (const NotSupported& reason) {
    // Of several properties the others have their verdicts.
    if (!property.is_about_runs() || property.is_asked_for) throw;
    checked.reports.push_back(report_of_none(property, reason.what(), options));
  }
  CheckReport& report = checked.reports.back();
  if (!property.is_about_runs() && !context.control.recording.empty() && !report.reuse)
    report.reuse.emplace().why_not_recorded = Regression::why_not_recorded(source, *model, context);
  if (!property.is_about_runs()) find_shortest(source, *model, context, report);
  if (property.is_about_runs() && !report.is_trivial &&
      std::holds_alternative<Holds>(report.result.outcome)) {
    report.vacuous = vacuous_premises(source, property.claim, model->claim.premises,
                                      {options, context.control, spent_s(checked.reports)});
  }
  return std::nullopt;
}

CheckAnswer run_check(const std::string& path, CheckOptions options, const CheckControl& control,
                      FrontEnds languages) {
  InputError error;
  const std::unique_ptr<SourceModel> source =
      read_model(path, options.model, given_formula(options.formula, options.invariant), error, languages);
  if (source == nullptr) return error;
  const std::vector<Property> properties = prepare(*source, options, control, error);
  if (properties.empty()) return error;
  // Before the search, which may take hours until there is something to be written.
  if (const std::string& file = control.checkpoint.save; !file.empty()) {
    const std::string reason = why_not_written(file, kCheckpointFormat);
    if (!reason.empty()) return sentence(fmt::format("the checkpoint '{}' {}", file, reason));
  }
  if (const std::string& file = control.certificate; !file.empty()) {
    if (properties.size() != 1)
      return OptionError{"a certificate is about one property; choose it with --property"};
    if (const std::string reason = why_other_kind(properties.front(), control.certificate_kind);
        !reason.empty())
      return OptionError{reason};
    // As with closed sets, the default has no partial-order reduction.
    if (properties.front().is_about_runs() && options.model.reduce == "default")
      options.model.reduce = "merge,dead";
    const std::string reason = why_not_left_at(file);
    if (!reason.empty()) return sentence(fmt::format("the certificate '{}' {}", file, reason));
  }
  CheckedModel checked;
  std::vector<CheckReport>& reports = checked.reports;
  for (const Property& property : properties) {
    if (!property.why_not.empty()) {
      reports.push_back(report_of_none(property, property.why_not, options));
    } else if (auto stopped = check_one(*source, property, {options, control, spent_s(reports)}, checked)) {
      return std::move(*stopped);
    }
    if (reports.back().result.limit == LimitHit::kInterrupted) break;
  }
  const std::vector<NotChecked> left = not_checked(*source, properties);
  for (CheckReport& report : reports) {
    report.model = path;
    report.not_checked = left;
  }
  return checked;
}

}  // namespace

CheckAnswer check_model(const std::string& path, const CheckOptions& wanted, const CheckControl& control,
                        FrontEnds languages) {
  CheckOptions options = wanted;
  options.model.deadlocks_only = options.property == "deadlock";
  try {
    return run_check(path, options, control, languages);
  } catch (const NotSupported& reason) {
    return sentence(reason.what());
  } catch (const CheckpointError& reason) {
    return sentence(fmt::format("cannot resume: '{}' {}", control.checkpoint.resume, reason.what()));
  }
}

}  // namespace spoor
