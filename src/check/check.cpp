#include "check/check.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "check/front_end.h"
#include "check/property.h"
#include "check/property_check.h"
#include "check/vacuity.h"
#include "search/checkpoint.h"

namespace spoor {
namespace {

bool uses_checkpoint(const CheckControl& control) {
  return !control.checkpoint.save.empty() || !control.checkpoint.resume.empty();
}

// Warns where `holds` could be misread: a never claim that is not checked, or that the model does not have.
void warn_of_never_claims(const std::string& wanted, SourceModel& model) {
  bool has_claim = false;
  for (const StatedClaim& claim : model.claims()) {
    if (claim.kind != ClaimKind::kNever) continue;
    has_claim = true;
    if (!wanted.empty()) continue;
    model.warn({"W150", Severity::kWarning, claim.range, "this never claim is not checked",
                "--property never checks it"});
  }
  if (has_claim || wanted != "never") return;
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
  const std::string hint = properties.size() > 1 ? "; --property safety leaves the formulas out" : "";
  if (uses_checkpoint) return "a search for infinite runs cannot be saved in a checkpoint" + hint;
  if (options.swarm + options.repeat != 0)
    return "--swarm and --repeat do not search for infinite runs" + hint;
  return {};
}

// The properties of the model, ready for the searches; or none, with the reasons in `error`.
std::vector<Property> prepare(SourceModel& source, const CheckOptions& options, const CheckControl& control,
                              InputError& error) {
  std::optional<std::vector<Property>> chosen = choose_properties(options.property, source, error.message);
  if (!chosen) return {};
  error.message = option_conflict(options, uses_checkpoint(control), *chosen);
  if (!error.message.empty()) return {};
  warn_of_never_claims(options.property, source);
  // Errors in a formula are reported before any search: a search can take hours.
  for (const Property& property : *chosen) {
    const bool is_sure = chosen->size() == 1 || !property.is_about_runs();
    if (!is_sure && !source.can_be_checked(options.model, property.claim, error)) return {};
  }
  return std::move(*chosen);
}

double spent_s(const std::vector<CheckReport>& reports) {  // on searches, without the time of compilers
  double seconds = 0;
  for (const CheckReport& report : reports) seconds += report.result.statistics.elapsed_s;
  return seconds;
}

CheckAnswer run_check(const std::string& path, const CheckOptions& options, const CheckControl& control,
                      FrontEnds languages) {
  InputError error;
  const std::unique_ptr<SourceModel> source =
      read_model(path, options.model, options.formula, error, languages);
  if (source == nullptr) return error;
  const std::vector<Property> properties = prepare(*source, options, control, error);
  if (properties.empty()) return error;
  CheckedModel checked;
  std::vector<CheckReport>& reports = checked.reports;
  for (const Property& property : properties) {
    const std::optional<LoadedModel> model = source->load(options.model, options.exec, property.claim, error);
    if (!model) return error;
    if (model->has_embedded_code && uses_checkpoint(control)) {
      return OptionError{"a search of a model with embedded C cannot be saved in a checkpoint"};
    }
    if (control.listener != nullptr && reports.empty()) control.listener->on_model(*model);
    checked.sources = model->system->sources();
    auto answer = check_property(*model, property, {options, control, spent_s(reports)});
    if (auto* fault = std::get_if<ReductionFault>(&answer)) {
      return WrongReduction{std::move(*fault), std::move(checked.sources)};
    }
    CheckReport& report = reports.emplace_back(std::move(std::get<CheckReport>(answer)));
    report.model = path;
    if (property.is_about_runs() && std::holds_alternative<Holds>(report.result.outcome)) {
      report.vacuous = vacuous_premises(*source, property.claim, model->claim.premises,
                                        {options, control, spent_s(reports)});
    }
    if (report.result.limit == LimitHit::kInterrupted) break;
  }
  return checked;
}

InputError sentence(std::string message) {
  InputError error;
  error.message = std::move(message);
  return error;
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
