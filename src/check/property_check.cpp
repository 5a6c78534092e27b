#include "check/property_check.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/process_memory.h"
#include "check/certification.h"
#include "check/check_coverage.h"
#include "check/checkpoint_identity.h"
#include "check/run_certification.h"
#include "evidence/certificate_recorder.h"
#include "evidence/closed_set.h"
#include "evidence/full_script_recorder.h"
#include "evidence/level_script_recorder.h"
#include "evidence/rank_recorder.h"
#include "evidence/revisit_filter.h"
#include "evidence/script_recorder.h"
#include "model/trace.h"
#include "search/swarm.h"

namespace spoor {
namespace {

// A trace that does not replay is a bug of the program, and no verdict.
void require_replay(const ReplayResult& result) {
  if (const auto* error = std::get_if<ReplayError>(&result)) {
    throw std::logic_error("a trace does not replay: " + error->message());
  }
}

// The reference system keeps the values of dead variables, and after the first round of a cycle these can
// differ from those before it. After the second they do not: what is dead at the beginning of the cycle is
// either untouched by it, or set to what does not depend on it. So the first round becomes part of the way to
// the cycle.
void close_cycle(const OmegaSystem& system, Violation& violation) {
  if (!violation.loop) return;
  const std::size_t begin = *violation.loop;
  std::vector<std::byte> state = system.initial_state();
  std::vector<std::byte> at_begin;
  for (std::size_t i = 0; i < violation.steps.size() && !state.empty(); ++i) {
    if (i == begin) at_begin = state;
    state = system.explain(state, violation.steps[i]).target;
  }
  if (state == at_begin) return;
  const std::vector<StepId> cycle(violation.steps.begin() + static_cast<std::ptrdiff_t>(begin),
                                  violation.steps.end());
  violation.steps.insert(violation.steps.end(), cycle.begin(), cycle.end());
  *violation.loop += cycle.size();
}

// REQUIRES: replay() has confirmed the violation.
ShownFinding show(const TransitionSystem& system, const Finding& finding) {
  return {finding.kind, system.message(finding), system.place(finding)};
}

CheckReport empty_report(const LoadedModel& model, const Property& property, const CheckOptions& options) {
  CheckReport report;
  report.model_sha256 = model.sha256;
  report.options = options;
  report.property = property.name;
  report.property_position = model.claim.position;
  report.reductions = model.reductions;
  report.why_fewer_reductions = model.why_fewer_reductions;
  report.warnings = model.warnings;
  return report;
}

// Null: no certificate is wanted.
std::unique_ptr<CertificateRecorder> certificate_recorder(const LoadedModel& model,
                                                          const CheckContext& context) {
  const std::string& file = context.control.certificate;
  if (file.empty()) return nullptr;
  if (context.control.certificate_kind == CertificateKind::kClosedSet)
    return std::make_unique<ClosedSetRecorder>(file, *model.system);
  if (const CertificateKind kind = context.control.certificate_kind.value_or(CertificateKind::kCompact);
      is_published_script(kind))
    return std::make_unique<FullScriptRecorder>(file, *model.system, kind == CertificateKind::kTrustful);
  // Roots of regions are bytes from a file, and nothing can tell which bytes C code expects.
  const std::uint64_t least_steps = model.has_embedded_code ? RegionCut::kOneRegion : RegionCut::kLeastSteps;
  if (context.options.order == Order::kBreadthFirst)
    return std::make_unique<LevelScriptRecorder>(file, least_steps);
  auto script = std::make_unique<ScriptRecorder>(file, least_steps);
  if (!traits_of(context.options.store).forgets_states) return script;
  return std::make_unique<RevisitFilter>(file, std::move(script), RevisitFilter::kSortedVisits,
                                         context.options.limits.memory_bytes);
}

// Of the memory, for what a certificate of infinite runs needs while the search runs.
constexpr std::uint64_t kPartForRanks = 4;

CertificateFigures write_certificate(CertificateRecorder& recorder, const CheckReport& report,
                                     const LoadedModel& model, const Property& property,
                                     const CheckContext& context) {
  CertificateFigures figures;
  figures.file = context.control.certificate;
  figures.kind = certificate_kind(property, context.control.certificate_kind);
  if (std::holds_alternative<Violated>(report.result.outcome))
    return figures;  // the trace is the certificate
  figures.why_not = recorder.why_not();
  if (!figures.why_not.empty()) return figures;
  try {
    remove_old_trace(figures.file);
    recorder.save(claim_of(model, context.options, property));
    figures.bytes = std::filesystem::file_size(figures.file);
  } catch (const FramedFileError& error) {
    figures.why_not = fmt::format("'{}' {}", figures.file, error.what());
  }
  return figures;
}

SwarmOptions swarm_options(const CheckOptions& options, unsigned threads) {
  const bool is_swarm = options.swarm != 0;
  return {is_swarm ? options.swarm : options.repeat, is_swarm ? threads : 1, is_swarm, !is_swarm};
}

std::variant<CheckReport, ReductionFault> check_safety(const LoadedModel& model, const Property& property,
                                                       const CheckContext& context, Regression* regression) {
  CheckReport report = empty_report(model, property, context.options);
  if (report.reductions.order && !can_reduce(context.options.order, context.options.store)) {
    report.reductions.order = report.reductions.stubborn = false;
    report.why_fewer_reductions =
        fmt::format("{} search reduces no steps with the store {}", to_string(context.options.order),
                    to_string(context.options.store));
  }
  std::optional<ReductionCheck> checker;
  if (context.options.check_reduction) checker.emplace(*model.system);
  SearchListening listening(context.control);
  SearchOptions options = search_options(model, context);
  std::optional<SearchResult> answer;
  if (regression != nullptr) {
    answer = regression->answer(options);
    options.limits = options.limits.after(regression->spent_s());
  }
  const TransitionSystem& system = regression != nullptr ? regression->system() : *model.system;
  const TransitionSystem& searched = checker ? *checker : system;
  if (context.options.swarm + context.options.repeat != 0) {
    SwarmResult all = search_swarm(searched, options, swarm_options(context.options, options.threads));
    report.result = std::move(all.result);
    report.swarm = {std::move(all.members), all.seen, all.has_stopped_growing};
  } else if (answer) {
    report.result = std::move(*answer);
    regression->finish(report);
  } else {
    SearchOptions observed = options;
    const std::unique_ptr<CertificateRecorder> recorder = certificate_recorder(model, context);
    if (regression != nullptr) observed.observer = regression->observer();
    if (recorder != nullptr) {
      observed.observer = recorder.get();
      observed.reduces_to_new = true;
      // The tree of a script is that of one worker.
      if (context.control.certificate_kind != CertificateKind::kClosedSet) observed.threads = 1;
    }
    report.result = search(searched, observed);
    if (regression != nullptr) regression->finish(report);
    if (recorder != nullptr)
      report.certificate = write_certificate(*recorder, report, model, property, context);
  }
  report.execution = model.execution();
  if (checker && checker->fault()) return *checker->fault();
  listening.begin_coverage();
  report.coverage = coverage_of(report, model, options);
  judge_coverage(report);
  listening.end();
  if (checker) report.reduction_check = {checker->checked_states(), checker->checked_pairs()};
  for (const Violation& violation : report.result.violations) {
    report.violations.push_back(show_violation(*model.reference, violation, with_values(model.reductions)));
  }
  report.unreached = unreached_statements(*model.system, report.result.executed);
  // A reduced search for deadlocks only may leave out statements.
  report.with_unreached = !context.options.model.deadlocks_only;
  report.peak_memory_bytes = peak_memory();
  return report;
}

std::variant<CheckReport, ReductionFault> check_runs(const LoadedModel& model, const Property& property,
                                                     const CheckContext& context, ClaimAnswer* known) {
  CheckReport report = empty_report(model, property, context.options);
  if (model.claim.kind == ClaimKind::kFormula && model.claim.automaton.is_empty()) {
    // No run can violate it.
    report.execution = model.execution();
    report.is_trivial = true;
    report.with_unreached = false;
    report.peak_memory_bytes = peak_memory();
    if (const std::string& file = context.control.certificate; !file.empty())
      report.certificate = {file, CertificateKind::kRankedSet, 0,
                            "the formula holds of every run, of any model", ""};
    return report;
  }
  const RunsOptions how = runs_options(context.options);
  const auto reference = runs_of(*model.reference, *model.reference_propositions, model.claim, how.is_fair);
  if (!model.claim.automaton.is_empty() && model.claim.kind != ClaimKind::kProgress) {
    report.claim =
        ShownClaim{model.claim.automaton.states.size(), ltl::to_text(model.claim.automaton.strength)};
  }
  const SearchListening listening(context.control);
  SearchOptions options = search_options(model, context);
  std::unique_ptr<CertificateRecorder> recorder;
  if (const std::string& file = context.control.certificate; !file.empty()) {
    const std::uint64_t share = options.limits.memory_bytes / kPartForRanks;
    options.limits.memory_bytes -= share;
    recorder = std::make_unique<RankRecorder>(
        file, *runs_of(*model.system, *model.propositions, model.claim, how.is_fair),
        ClosedSetRecorder::kRunBytes, share);
    options.observer = recorder.get();
  }
  std::optional<SearchResult> stored;
  std::unique_ptr<ReductionPlan> plan;
  if (known != nullptr) {
    stored = known->result(how, options);
    options.limits = options.limits.after(known->spent_s());
  }
  try {
    report.result = stored ? std::move(*stored)
                           : search_runs(model, how, options, report.why_fewer_reductions,
                                         known != nullptr ? &plan : nullptr);
  } catch (const ReductionDisagrees& reason) {
    ReductionFault fault;
    fault.reason = reason.what();
    return fault;
  }
  if (known != nullptr) {
    if (std::holds_alternative<Holds>(report.result.outcome)) known->keep(report.result, plan.get());
    report.reuse = known->figures();
  }
  if (recorder != nullptr)
    report.certificate = write_certificate(*recorder, report, model, property, context);
  report.execution = model.execution();
  for (Violation& violation : report.result.violations) {
    report.violations.push_back(
        show_run_violation(*reference, std::move(violation), with_values(model.reductions)));
  }
  report.coverage = coverage_of(report, model, options);
  judge_coverage(report);
  report.with_unreached = false;  // the product with a claim does not contain all runs
  report.peak_memory_bytes = peak_memory();
  return report;
}

}  // namespace

ShownViolation show_violation(const TransitionSystem& reference, const Violation& violation,
                              const Reductions& reductions) {
  require_replay(replay(reference, {violation.steps, violation.finding}));
  return {show(reference, violation.finding), show_trace(reference, violation.steps, violation.finding),
          reductions};
}

ShownViolation show_run_violation(const OmegaSystem& reference, Violation violation,
                                  const Reductions& reductions) {
  close_cycle(reference, violation);
  require_replay(replay(reference, {violation.steps, violation.finding, violation.loop}));
  return {show(reference, violation.finding),
          show_run(reference, violation.steps, violation.finding, violation.loop), reductions};
}

std::variant<CheckReport, ReductionFault> check_property(const LoadedModel& model, const Property& property,
                                                         const CheckContext& context, Regression* regression,
                                                         ClaimAnswer* known) {
  return property.is_about_runs() ? check_runs(model, property, context, known)
                                  : check_safety(model, property, context, regression);
}

SearchOptions search_options(const LoadedModel& model, const CheckContext& context) {
  const CheckOptions& wanted = context.options;
  SearchOptions options;
  options.order = wanted.order;
  options.store = wanted.store;
  options.filter = wanted.filter;
  options.filter.counts_met = wanted.coverage != CoverageEffort::kOff;  // the estimate of coverage uses it
  options.cache = wanted.cache;
  options.limits = wanted.limits.after(context.spent_s);
  options.limits.interrupt = context.control.interrupt;
  options.all_errors = wanted.all_errors;
  options.reduce = model.reductions.order;
  if (wanted.model.deadlocks_only) options.counted = FindingKinds::none().with(FindingKind::kDeadlock);
  if (!wanted.end_states) options.counted = options.counted.without(FindingKind::kDeadlock);
  options.threads = model.has_embedded_code ? 1 : std::max(1u, wanted.threads);
  options.checkpoint = context.control.checkpoint;
  options.checkpoint.identity = checkpoint_identity(wanted, model.sha256);
  options.progress = context.control.listener;
  options.progress_interval_s = context.control.listener != nullptr ? context.control.progress_interval_s : 0;
  return options;
}

RunsOptions runs_options(const CheckOptions& options) {
  return {options.model.is_fair, options.check_reduction, options.cycle_threads};
}

}  // namespace spoor
