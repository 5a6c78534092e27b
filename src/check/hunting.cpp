#include "check/hunting.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/process_memory.h"
#include "check/check_coverage.h"
#include "check/claim_search.h"
#include "check/invariant.h"
#include "check/property.h"
#include "check/property_check.h"
#include "hunt/ngram_file.h"

namespace spoor {
namespace {

constexpr double kShareForProbes = 0.1, kLeastSecondsForProbes = 0.5;

// Replays what the hunt has found.
class TraceConfirmer : public HuntListener {
 public:
  // `runs`: the product of the reference system with the claim; null for safety.
  TraceConfirmer(const LoadedModel& model, const OmegaSystem* runs, HuntingListener* listener)
      : model_(model), runs_(runs), listener_(listener) {}

  void on_trace(const Violation& violation, const FoundTrace& found) override {
    const Reductions reductions = with_values(model_.reductions);
    best_ = runs_ != nullptr ? show_run_violation(*runs_, violation, reductions)
                             : show_violation(*model_.reference, violation, reductions);
    if (listener_ != nullptr) listener_->on_trace(model_, *best_, found);
  }
  void on_method(const std::string& method, const HuntCounts& counts, std::uint64_t best) override {
    if (listener_ != nullptr) listener_->on_method(method, counts, best);
  }
  std::optional<ShownViolation> take_best() { return std::move(best_); }

 private:
  const LoadedModel& model_;
  const OmegaSystem* const runs_;
  HuntingListener* const listener_;
  std::optional<ShownViolation> best_;
};

// The conditions on a state that violate the invariant; one about two states counts as that on the first.
std::vector<WantedAtoms> violations_of(const Claim& claim) {
  std::vector<WantedAtoms> wanted;
  if (!claim.is_invariant || !claim.invariant) return wanted;
  for (const ltl::Invariant::Case& each : claim.invariant->violations)
    wanted.push_back({each.now.mask, each.now.value});
  return wanted;
}

// What is handed from hunt to hunt.
class Reuse {
 public:
  // Reads what was learned. False: it cannot be read, or nothing can be written.
  bool open(const HuntingOptions& options, const TransitionSystem& system, InputError& error) {
    if (options.learn_from.empty() && options.save_model.empty()) return true;
    names_ = action_names(system);
    const std::string reason =
        options.save_model.empty() ? "" : why_not_written(options.save_model, kNgramFormat);
    if (!reason.empty()) {
      error.message = fmt::format("the file '{}' {}", options.save_model, reason);
      return false;
    }
    path_ = options.save_model;
    if (options.learn_from.empty()) return true;
    try {
      before_ = load_ngrams(options.learn_from, names_);
    } catch (const FramedFileError& why) {
      error.message = fmt::format("the file '{}' {}", options.learn_from, why.what());
      return false;
    }
    return true;
  }
  void tell(HuntOptions& options) {
    if (before_ && !before_->is_empty()) options.learned = &*before_;
    if (!path_.empty()) options.learn_into = &learned_;
  }
  // Why it could not be written; or empty.
  std::string save() const {
    if (path_.empty() || learned_.is_empty()) return {};
    try {
      save_ngrams(path_, learned_, names_);
    } catch (const FramedFileError& why) {
      return fmt::format("the file '{}' {}", path_, why.what());
    }
    return {};
  }

 private:
  std::string path_;
  std::vector<std::string> names_;
  std::optional<Ngrams> before_;
  Ngrams learned_;
};

// The kinds of errors that are hunted.
FindingKinds counted_kinds(const CheckOptions& check) {
  const FindingKinds kinds =
      check.model.deadlocks_only ? FindingKinds::none().with(FindingKind::kDeadlock) : FindingKinds::all();
  return check.end_states ? kinds : kinds.without(FindingKind::kDeadlock);
}

// The error at the end of these steps of the system, or one on the way. Nothing: there is none.
std::optional<Violation> error_on(const TransitionSystem& system, const std::vector<StepId>& steps,
                                  FindingKinds kinds) {
  std::vector<std::byte> state = system.initial_state();
  Expansion expansion;
  for (std::size_t i = 0;; ++i) {
    expansion.clear();
    system.expand(state, expansion);
    for (const Finding& finding : expansion.last_findings()) {
      const bool is_of_state = finding.step == Finding::kStateItself;
      if (!kinds.contains(finding.kind) || (!is_of_state && (i == steps.size() || finding.step != steps[i])))
        continue;
      Violation violation{finding, {steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i)}};
      if (!is_of_state) violation.steps.push_back(finding.step);
      return violation;
    }
    if (i == steps.size() || !keep_only(steps[i], expansion)) return std::nullopt;
    const StateBytes target = expansion.state(expansion.successors[0]);
    state.assign(target.begin(), target.end());
  }
}

HuntOptions hunt_options(const LoadedModel& model, const HuntingOptions& wanted, Reuse& reuse,
                         const std::optional<Violation>& known, HuntListener& listener) {
  HuntOptions options;
  if (known) options.known = &*known;
  reuse.tell(options);
  options.method = wanted.method;
  options.heuristic = wanted.heuristic;
  options.violations = violations_of(model.claim);
  options.limits = wanted.check.limits;
  options.expansions = wanted.expansions;
  options.seed = wanted.seed;
  options.ends_at_first = wanted.ends_at_first;
  options.can_reduce = model.reductions.order;
  options.counted = counted_kinds(wanted.check);
  options.listener = &listener;
  return options;
}

// A tenth of the hunt's time is for probes; none for a count, which would be a search of all states.
std::optional<Coverage> coverage_of_hunt(CheckReport& report, const LoadedModel& model) {
  if (!std::holds_alternative<Unknown>(report.result.outcome)) return std::nullopt;
  SearchOptions options;
  options.limits = report.options.limits;
  CoverageTimes times;
  times.long_search = 0;
  times.counts_after_long_search = false;
  times.least_for_probes =
      std::max(kLeastSecondsForProbes, kShareForProbes * report.result.statistics.elapsed_s);
  times.most_for_probes = times.least_for_probes;
  return coverage_of(report, model, options, times);
}

CheckReport report_of(const LoadedModel& model, const HuntingOptions& options, const Property& property,
                      const std::optional<Violation>& known, Reuse& reuse) {
  CheckReport report;
  report.model_sha256 = model.sha256;
  report.options = options.check;
  report.options.threads = 1;
  report.property = property.name;
  report.property_position = model.claim.position;
  report.reductions = model.reductions;
  report.reductions.order = false;  // only methods that prove nothing make use of it
  if (options.check.model.reduce != kHuntReductions) report.why_fewer_reductions = model.why_fewer_reductions;
  report.warnings = model.warnings;
  report.with_unreached = false;
  HuntFigures& figures = report.hunt.emplace();
  figures.method = options.method != nullptr ? options.method->name : "auto";
  figures.heuristic = to_string(options.heuristic);
  figures.seed = options.seed;
  figures.most_expansions = options.expansions;
  const bool is_about_runs = property.is_about_runs();
  if (is_about_runs && model.claim.kind == ClaimKind::kFormula && model.claim.automaton.is_empty()) {
    report.is_trivial = true;  // no run can violate it
    report.result.outcome = Holds{};
    report.execution = model.execution();
    return report;
  }
  std::unique_ptr<OmegaSystem> runs, reference;
  if (is_about_runs) {
    const bool is_fair = options.check.model.is_fair;
    runs = runs_of(*model.system, *model.propositions, model.claim, is_fair);
    reference = runs_of(*model.reference, *model.reference_propositions, model.claim, is_fair);
    if (!model.claim.automaton.is_empty() && model.claim.kind != ClaimKind::kProgress) {
      report.claim =
          ShownClaim{model.claim.automaton.states.size(), ltl::to_text(model.claim.automaton.strength)};
    }
  }
  TraceConfirmer confirmer(model, reference.get(), options.listener);
  const HuntOptions how = hunt_options(model, options, reuse, known, confirmer);
  const HuntResult found = is_about_runs ? hunt_runs(*runs, how) : hunt(*model.system, how);
  figures.first = found.first;
  figures.best = found.best;
  figures.counts = found.counts;
  figures.seen = found.seen;
  SearchResult& result = report.result;
  result.statistics.states = found.states;
  result.statistics.depth = found.depth;
  result.statistics.elapsed_s = found.elapsed_s;
  result.statistics.memory_bytes = found.peak_bytes;
  result.limit = found.limit;
  if (found.found) {
    result.outcome = Violated{};
    result.violations.push_back(*found.found);
    report.violations.push_back(*confirmer.take_best());
    ShownViolation& shown = report.violations.front();
    // Dead variables can make a cycle longer where it is shown (show_run_violation).
    shown.is_shortest = found.is_shortest && !model.reductions.merge &&
                        (!is_about_runs || shown.trace.actions.empty() ||
                         shown.trace.actions.back().step == found.found->steps.size());
  } else if (found.has_seen_all) {
    result.outcome = Holds{};
  } else {
    result.outcome = Unknown{found.limit.value_or(LimitHit::kInterrupted)};
  }
  report.coverage = coverage_of_hunt(report, model);
  report.execution = model.execution();
  report.peak_memory_bytes = peak_memory();
  return report;
}

// Adds the report on a property, one of so many, which share the time that there is; or returns why there is
// none.
std::optional<InputError> hunt_one(const SourceModel& source, const Property& property,
                                   const HuntingOptions& wanted, std::size_t properties,
                                   CheckedModel& checked) {
  HuntingOptions options = wanted;
  double spent_s = 0;
  for (const CheckReport& report : checked.reports) spent_s += report.result.statistics.elapsed_s;
  Limits& limits = options.check.limits;
  if (limits.seconds != 0)
    limits.seconds =
        std::max(limits.seconds - spent_s, 0.0) / static_cast<double>(properties - checked.reports.size());
  const CheckOptions& check = options.check;
  ModelOptions how = check.model;
  if (options.method == nullptr && how.reduce == kHuntReductions && !property.is_about_runs())
    how.reduce += ",order";
  // The default learns, too. Measured: 1.2 to 2.9 % of the instructions of a random walk.
  how.has_labels = !options.learn_from.empty() || !options.save_model.empty() || options.method == nullptr ||
                   options.method->run == hunt_eda;
  InputError error;
  const std::optional<LoadedModel> model =
      property.is_about_runs() ? source.load(how, check.exec, property.claim, error)
                               : load_for_safety(source, how, check.exec, check.invariant, error);
  if (!model) return error;
  std::optional<Violation> known;
  if (options.known_trace) {
    const std::optional<std::vector<StepId>> steps = options.known_trace(*model, error);
    if (!steps) return error;
    known = error_on(*model->system, *steps, counted_kinds(check));
    if (!known) {
      error.message = "the trace can be followed, and no error that is hunted is at its end";
      return error;
    }
  }
  Reuse reuse;
  if (!reuse.open(options, *model->system, error)) return error;
  if (options.listener != nullptr && checked.reports.empty()) options.listener->on_model(*model);
  checked.sources = model->system->sources();
  checked.reports.push_back(report_of(*model, options, property, known, reuse));
  error.message = reuse.save();
  if (!error.message.empty()) return error;
  return std::nullopt;
}

CheckAnswer run_hunt(const std::string& path, const HuntingOptions& options, FrontEnds languages) {
  const CheckOptions& check = options.check;
  InputError error;
  const std::unique_ptr<SourceModel> source =
      read_model(path, check.model, given_formula(check.formula, check.invariant), error, languages);
  if (source == nullptr) return error;
  std::optional<std::vector<Property>> chosen = choose_properties(check.property, *source, error.message);
  if (!chosen) return error;
  if (!check.invariant.empty() && !add_invariant(*source, *chosen)) {
    error.message = "an invariant is hunted along with safety, which --property leaves out";
    return error;
  }
  const auto is_about_runs = [](const Property& property) { return property.is_about_runs(); };
  if (check.model.is_fair && std::ranges::none_of(*chosen, is_about_runs)) {
    error.message = "--fair needs a property of infinite runs, and none is hunted here";
    return error;
  }
  CheckedModel checked;
  std::vector<Property> hunted;
  for (const Property& property : *chosen) {
    if (chosen->size() > 1 && property.is_about_runs()) {
      // The others are hunted where a claim is more than can be compiled.
      InputError reasons;
      const Checkability answer = source->can_be_checked(check.model, property.claim, reasons);
      error = std::move(reasons);
      if (answer == Checkability::kMistake) return error;
      if (answer != Checkability::kPossible) continue;
    }
    if (std::optional<InputError> mistake = hunt_one(*source, property, options, chosen->size(), checked))
      return std::move(*mistake);
    hunted.push_back(property);
    const SearchResult& result = checked.reports.back().result;
    if (std::holds_alternative<Violated>(result.outcome) || result.limit == LimitHit::kInterrupted) break;
  }
  if (checked.reports.empty()) return error;
  for (CheckReport& report : checked.reports) {
    report.model = path;
    report.not_checked = not_checked(*source, hunted);
  }
  return checked;
}

}  // namespace

CheckAnswer hunt_model(const std::string& path, const HuntingOptions& wanted, FrontEnds languages) {
  HuntingOptions options = wanted;
  options.check.model.deadlocks_only = options.check.property == "deadlock";
  try {
    return run_hunt(path, options, languages);
  } catch (const NotSupported& reason) {
    InputError error;
    error.message = reason.what();
    return error;
  }
}

}  // namespace spoor
