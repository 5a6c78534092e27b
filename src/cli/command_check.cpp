// spoor check FILE
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/files.h"
#include "base/process_memory.h"
#include "base/quantities.h"
#include "check/check_coverage.h"
#include "check/claim_search.h"
#include "check/front_end.h"
#include "check/property.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/units.h"
#include "layer/reduction_check.h"
#include "model/trace.h"
#include "report/report.h"
#include "report/trace_file.h"
#include "report/trail.h"
#include "search/checkpoint.h"
#include "search/search.h"
#include "search/swarm.h"
#include "version.h"

namespace spoor::cli {
namespace {

constexpr unsigned kMaxThreads = 64;
constexpr unsigned kMostSearches = 100'000;
constexpr double kCheckpointEvery_s = 300;

struct CheckArguments {
  std::string model;
  CheckOptions options;
  std::string search = "bfs";
  std::string store = "auto";
  std::string checkpoint, resume;
  double checkpoint_every_s = 0;  // not given
  bool no_end_states = false;
  bool has_threads = false;  // the user says how many
  bool json = false;
  std::string trace_path, trail_path;
  bool full_trace = false;
  bool unreached = false, no_unreached = false;
  bool quiet = false;
  std::string colour = "auto";
  bool ascii = false;
};

// `given`: the name of one of them, if there is one. A size of 0 is one that was not given.
void filter_options(CommandLine& line, FilterOptions& filter, std::string& given) {
  filter.bits = 0;
  line.converted(
      "--bits",
      [&](const std::string& text) {
        given = "--bits";
        FilterOptions wanted;
        wanted.bits = parse_power_of_two(text).value_or(0);
        filter.bits = wanted.bits;
        return is_valid(wanted);
      },
      fmt::format("a power of two from 2^{} to 2^{}, such as 2^30 or 1G", FilterOptions::kLeastLogBits,
                  FilterOptions::kMostLogBits));
  line.converted(
      "--hashes",
      [&](const std::string& text) {
        given = "--hashes";
        const std::uint64_t count = parse_count(text).value_or(0);
        filter.hashes = static_cast<unsigned>(std::min<std::uint64_t>(count, UINT8_MAX));
        return count >= 1 && count <= FilterOptions::kMostHashes;
      },
      fmt::format("a whole number from 1 to {}", FilterOptions::kMostHashes));
  line.converted(
      "--filter",
      [&](const std::string& text) {
        given = "--filter";
        filter.kind = text == "blocked" ? FilterKind::kBlocked : FilterKind::kClassic;
        return text == to_string(filter.kind);
      },
      "one of classic, blocked");
  line.converted(
      "--seed",
      [&](const std::string& text) {
        given = "--seed";
        filter.seed = parse_count(text).value_or(0);
        return parse_count(text).has_value();
      },
      "a whole number");
}

// Chooses a size where none was given; the exit code where it does not fit.
std::optional<int> size_filter(CheckOptions& options, bool has_limit) {
  FilterOptions& filter = options.filter;
  const std::uint64_t memory = options.limits.memory_bytes;
  const std::uint64_t fits = filter_bits_within(memory / 2);
  // Not all that fits: memory that is touched for the first time costs a second per two gigabytes.
  if (filter.bits == 0) filter.bits = std::min(fits, FilterOptions::kDefaultBits);
  if (!is_valid(filter)) {
    return usage_error(
        fmt::format("a blocked filter has at least 2^{} bits", FilterOptions::kLeastLogBitsBlocked),
        "spoor check");
  }
  if (filter.bits / 8 < memory) return std::nullopt;
  return usage_error(fmt::format("--bits 2^{} takes {}, but the search may use {} only{}; 2^{} fits",
                                 std::countr_zero(filter.bits), human_bytes(filter.bits / 8),
                                 human_bytes(memory), has_limit ? " (--memory)" : "", std::countr_zero(fits)),
                     "spoor check");
}

std::optional<int> parse(Arguments words, CheckArguments& a) {
  Limits& limits = a.options.limits;
  CommandLine line("check", "Look for errors in a model.");
  line.argument("model", a.model);
  line.model_options(a.options.model);
  line.value_once("--property", a.options.property,
                  "without it all is checked, with it one kind; check them one after the other");
  line.value_once("--ltl", a.options.formula, "join the formulas with &&, or check them one after the other");
  line.flag("--fair", a.options.model.is_fair);
  line.flag("--no-end-states", a.no_end_states);
  line.value("--search", a.search, {"bfs", "dfs"});
  line.value("--store", a.store, {"auto", "exact", "tree", "compact", "bitstate"});
  std::string filter_option;  // one that was given
  filter_options(line, a.options.filter, filter_option);
  std::uint64_t swarm = 0, repeat = 0;
  line.count("--swarm", swarm, 1, kMostSearches);
  line.count("--repeat", repeat, 1, kMostSearches);
  a.options.model.reduce = "default";
  line.reductions(a.options.model);
  line.flag("--check-reduction", a.options.check_reduction);
  line.execution(a.options.exec);
  std::string coverage = to_string(a.options.coverage);
  line.value("--coverage", coverage, {"quick", "full", "off"});
  line.flag("--all-errors", a.options.all_errors);
  line.duration("--time", limits.seconds);
  line.size("--memory", limits.memory_bytes);
  line.count("--depth", limits.depth, 1, UINT64_MAX);
  std::uint64_t threads = 0;
  line.count("--threads", threads, 1, kMaxThreads);
  line.value("--checkpoint", a.checkpoint);
  line.duration("--checkpoint-every", a.checkpoint_every_s);
  line.value("--resume", a.resume);
  line.flag("--json", a.json);
  line.value("--trace", a.trace_path);
  line.value("--trail", a.trail_path);
  line.flag("--full-trace", a.full_trace);
  line.flag("--unreached", a.unreached);
  line.flag("--no-unreached", a.no_unreached);
  line.flag("--quiet", a.quiet);
  line.value("--color", a.colour, {"auto", "always", "never"});
  line.flag("--ascii", a.ascii);
  if (const std::optional<int> done = line.parse(std::move(words))) return done;

  a.options.threads = static_cast<unsigned>(threads);
  a.options.swarm = static_cast<unsigned>(swarm);
  a.options.repeat = static_cast<unsigned>(repeat);
  if (swarm != 0 && repeat != 0) return usage_error("only one of --swarm and --repeat", "spoor check");
  if (filter_option.empty() && swarm + repeat != 0) filter_option = swarm != 0 ? "--swarm" : "--repeat";
  if (const std::string mistake = property_mistake(a.options.property); !mistake.empty()) {
    return usage_error(mistake, "spoor check");
  }
  a.options.order = a.search == "bfs" ? Order::kBreadthFirst : Order::kDepthFirst;
  for (const StoreKind kind :
       {StoreKind::kAuto, StoreKind::kExact, StoreKind::kTree, StoreKind::kCompact, StoreKind::kBitstate}) {
    if (a.store == to_string(kind)) a.options.store = kind;
  }
  for (const CoverageEffort effort : {CoverageEffort::kOff, CoverageEffort::kQuick, CoverageEffort::kFull}) {
    if (coverage == to_string(effort)) a.options.coverage = effort;
  }
  a.has_threads = a.options.threads != 0;
  if (!a.has_threads) {
    // Which states a filter confuses depends on who meets them first: one thread repeats itself.
    a.options.threads = a.options.store == StoreKind::kBitstate && a.options.swarm == 0
                            ? 1
                            : std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads);
  }
  const bool keeps_states = a.options.store != StoreKind::kCompact && a.options.store != StoreKind::kBitstate;
  if (!(a.checkpoint + a.resume).empty() && (a.options.order != Order::kBreadthFirst || !keeps_states)) {
    return usage_error("a checkpoint needs --search bfs and --store auto, exact or tree", "spoor check");
  }
  if (a.checkpoint.empty() && a.checkpoint_every_s != 0) {
    return usage_error("--checkpoint-every needs --checkpoint, the file to write", "spoor check");
  }
  if (a.checkpoint_every_s == 0) a.checkpoint_every_s = kCheckpointEvery_s;
  a.options.end_states = !a.no_end_states;
  a.options.model.deadlocks_only = a.options.property == "deadlock";
  const bool has_limit = limits.memory_bytes != 0;
  if (!has_limit) limits.memory_bytes = available_memory();
  if (a.options.store == StoreKind::kBitstate) return size_filter(a.options, has_limit);
  if (!filter_option.empty()) {
    return usage_error(filter_option + " needs --store bitstate", "spoor check");
  }
  return std::nullopt;
}

// A trace that does not replay is a bug of ours, and nobody must take it for a verdict.
void prove(const ReplayResult& result) {
  if (const auto* error = std::get_if<ReplayError>(&result)) {
    throw std::logic_error("a trace does not replay: " + error->message());
  }
}

// REQUIRES: replay() has found that the violation is real.
ShownFinding show(const TransitionSystem& system, const Finding& finding) {
  return {finding.kind, system.message(finding), system.place(finding)};
}

// What must be the same for a search to go on where another one has left off. Limits, threads, the
// store and the way the model is executed need not be.
std::string identity(const CheckArguments& a, const LoadedModel& model) {
  const ModelOptions& m = a.options.model;
  return fmt::format(
      "spoor {} model {} defines {} reduce {} strict {} lose {} end-states {} all-errors {} {}", kVersion,
      model.sha256, fmt::join(m.defines, "\x1f"), m.reduce, m.strict, m.lose_messages, a.options.end_states,
      a.options.all_errors, a.options.property.empty() ? "safety" : a.options.property);
}

// `spent_s`: on other properties.
SearchOptions search_options(const CheckArguments& a, const LoadedModel& model, double spent_s,
                             ProgressLine& progress) {
  SearchOptions options;
  options.order = a.options.order;
  options.store = a.options.store;
  options.filter = a.options.filter;
  options.filter.counts_met = a.options.coverage != CoverageEffort::kOff;  // which is estimated from that
  options.limits = a.options.limits;
  if (options.limits.seconds != 0) options.limits.seconds = std::max(1e-9, options.limits.seconds - spent_s);
  options.all_errors = a.options.all_errors;
  options.reduce = model.reductions.order;
  if (a.options.model.deadlocks_only) options.counted = FindingKinds::none().with(FindingKind::kDeadlock);
  if (!a.options.end_states) options.counted = options.counted.without(FindingKind::kDeadlock);
  options.interrupt = &catch_interrupts();
  options.threads = model.has_embedded_code ? 1 : a.options.threads;
  options.checkpoint = {a.checkpoint, a.resume, identity(a, model), a.checkpoint_every_s};
  options.progress = &progress;
  options.progress_interval_s = progress.is_enabled() ? 0.5 : 0;
  return options;
}

CheckReport empty_report(const CheckArguments& a, const LoadedModel& model, const Property& property) {
  CheckReport report;
  report.model = a.model;
  report.model_sha256 = model.sha256;
  report.options = a.options;
  report.property = property.name;
  report.property_position = model.claim.position;
  report.reductions = model.reductions;
  report.why_fewer_reductions = model.why_fewer_reductions;
  report.warnings = model.warnings;
  return report;
}

SwarmOptions swarm_options(const CheckArguments& a, unsigned threads) {
  const bool is_swarm = a.options.swarm != 0;
  return {is_swarm ? a.options.swarm : a.options.repeat, is_swarm ? threads : 1, is_swarm, !is_swarm};
}

// `trial`: null, or the layer through which the search looks at the model.
CheckReport check_safety(const CheckArguments& a, const LoadedModel& model, const Property& property,
                         double spent_s, const ReductionCheck* trial) {
  ProgressLine progress(!a.quiet);
  CheckReport report = empty_report(a, model, property);
  const TransitionSystem* const searched = trial != nullptr ? trial : model.system.get();
  const SearchOptions options = search_options(a, model, spent_s, progress);
  if (a.options.swarm + a.options.repeat != 0) {
    SwarmResult all = search_swarm(*searched, options, swarm_options(a, options.threads));
    report.result = std::move(all.result);
    report.swarm = {std::move(all.members), all.seen, all.has_stopped_growing};
  } else {
    report.result = search(*searched, options);
  }
  report.execution = model.execution();
  if (trial != nullptr && trial->fault()) return report;
  progress.say("how much was that? (an interrupt ends this)");
  report.coverage = coverage_of(report, model, options);
  progress.clear();
  if (trial != nullptr) report.reduction_trials = {trial->checked_states(), trial->checked_pairs()};
  for (const Violation& violation : report.result.violations) {
    prove(replay(*model.reference, {violation.steps, violation.finding}));
    report.violations.push_back({show(*model.reference, violation.finding),
                                 show_trace(*model.reference, violation.steps, violation.finding)});
  }
  report.unreached = unreached_statements(*model.system, report.result.executed);
  // A search that keeps only the deadlocks may pass over statements.
  report.with_unreached = !a.no_unreached && !a.options.model.deadlocks_only;
  report.peak_memory_bytes = peak_memory();
  return report;
}

RunsOptions runs_options(const CheckArguments& a) {
  return {a.options.model.is_fair, a.options.check_reduction, a.has_threads ? a.options.threads : 1};
}

CheckReport check_runs(const CheckArguments& a, const LoadedModel& model, const Property& property,
                       double spent_s) {
  ProgressLine progress(!a.quiet);
  CheckReport report = empty_report(a, model, property);
  const RunsOptions how = runs_options(a);
  const auto judge = runs_of(*model.reference, *model.reference_propositions, model.claim, how.is_fair);
  if (!model.claim.automaton.is_empty() && model.claim.kind != ClaimKind::kProgress) {
    report.claim =
        ShownClaim{model.claim.automaton.states.size(), ltl::to_text(model.claim.automaton.strength)};
  }
  const SearchOptions options = search_options(a, model, spent_s, progress);
  report.result = search_runs(model, how, options, report.why_fewer_reductions);
  report.execution = model.execution();
  for (const Violation& violation : report.result.violations) {
    prove(replay(*judge, {violation.steps, violation.finding, violation.loop}));
    report.violations.push_back({show(*judge, violation.finding),
                                 show_run(*judge, violation.steps, violation.finding, violation.loop)});
  }
  report.coverage = coverage_of(report, model, options);
  report.with_unreached = false;  // a claim does not follow all runs
  report.peak_memory_bytes = peak_memory();
  return report;
}

// Does the formula hold only because a premise of it never happens? Then it holds as well with `false` in
// the place of what the premise should lead to.
void look_for_vacuity(const CheckArguments& a, const SourceModel& text, const LoadedModel& model,
                      ClaimChoice claim, double spent_s, CheckReport& report) {
  if (!std::holds_alternative<Holds>(report.result.outcome)) return;
  const auto& premises = model.claim.premises;
  for (std::uint32_t i = 0; i < premises.size(); ++i) {
    claim.without_conclusion = i;
    InputError unused;
    const std::optional<LoadedModel> variant = text.load(a.options.model, a.options.exec, claim, unused);
    if (!variant) continue;  // too large an automaton: nothing is known
    ProgressLine progress(!a.quiet);
    SearchOptions options = search_options(a, *variant, spent_s, progress);
    options.all_errors = false;
    RunsOptions how = runs_options(a);
    how.check_reduction = false;
    const bool holds =
        variant->claim.automaton.is_empty() ||
        std::holds_alternative<Holds>(search_runs(*variant, how, options, unused.message).outcome);
    if (holds) report.vacuous.push_back({premises[i].text, premises[i].position});
  }
}

// Writes the trace of the first violation where the user wants it; returns what went wrong, or "".
std::string write_traces(const CheckArguments& a, const std::vector<CheckReport>& reports,
                         const SourceSet& sources) {
  const auto found = std::find_if(reports.begin(), reports.end(),
                                  [](const CheckReport& report) { return !report.violations.empty(); });
  if (found == reports.end()) return {};
  const CheckReport& report = *found;
  const ShownTrace& trace = report.violations.front().trace;
  if (!a.trail_path.empty()) {
    if (!has_trail(trace)) return "a graph has no processes, so SPIN has no trail for it";
    const std::string reason = write_file_atomically(a.trail_path, write_trail(trace));
    if (!reason.empty()) return fmt::format("cannot write '{}': {}", a.trail_path, reason);
  }
  if (!a.trace_path.empty()) {
    TraceFileHeader header = {a.model, report.model_sha256, a.options.model};
    if (report.property != "safety") header.options.reduce = to_text(report.reductions);
    const std::string reason = write_file_atomically(a.trace_path, write_trace_file(header, trace, sources));
    if (!reason.empty()) return fmt::format("cannot write '{}': {}", a.trace_path, reason);
  }
  return {};
}

int report_fault(const ReductionFault& fault, const LoadedModel& model, bool colour, bool json) {
  InputError error;
  error.sources = model.system->sources();
  std::string message = "the reduction is wrong: " + fault.reason;
  if (!fault.step.empty()) message += fmt::format("; the step: {}", fault.step);
  if (!fault.other.empty()) message += fmt::format("; the other: {}", fault.other);
  std::string state;
  for (const std::string& value : fault.state) state += (state.empty() ? "in the state: " : ", ") + value;
  error.diagnostics.error("R101", {fault.position, 1}, std::move(message), state);
  report_input_error(error, colour, json);
  return kReductionFault;
}

// Who wrote a never claim must not take `holds` for an answer to it; nor who thinks that there is one.
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
              "accept labels are looked at instead, as SPIN does"});
}

// What of the options does not go with the properties; empty: everything does.
std::string misfit(const CheckArguments& a, const std::vector<Property>& properties) {
  const auto is_about_runs = [](const Property& property) { return property.is_about_runs(); };
  if (std::none_of(properties.begin(), properties.end(), is_about_runs)) {
    return a.options.model.is_fair ? "--fair is about infinite runs, and no property here is" : "";
  }
  const std::string hint = properties.size() > 1 ? "; --property safety leaves the formulas out" : "";
  if (!(a.checkpoint + a.resume).empty())
    return "a search for infinite runs cannot be kept in a checkpoint" + hint;
  if (a.options.swarm + a.options.repeat != 0)
    return "--swarm and --repeat do not look for infinite runs" + hint;
  return {};
}

int exit_code(const Outcome& outcome) {
  if (std::holds_alternative<Violated>(outcome)) return kViolated;
  return std::holds_alternative<Unknown>(outcome) ? kUndecided : kHolds;
}

}  // namespace

int run_check(Arguments arguments) {
  CheckArguments a;
  if (const std::optional<int> done = parse(std::move(arguments), a)) return *done;
  InputError error;
  const bool colour = wants_colour(a.colour, stderr);
  const auto wrong_input = [&] { return report_input_error(error, colour, a.json); };

  const std::unique_ptr<SourceModel> text = read_model(a.model, a.options.model, a.options.formula, error);
  if (text == nullptr) return wrong_input();
  const auto properties = choose_properties(a.options.property, *text, error.message);
  if (!properties) return wrong_input();
  error.message = misfit(a, *properties);
  if (!error.message.empty()) return wrong_input();
  warn_of_never_claims(a.options.property, *text);

  // What is wrong with a formula is said before hours are spent on something else.
  for (const Property& property : *properties) {
    const bool is_sure = properties->size() == 1 || !property.is_about_runs();
    if (!is_sure && !text->can_be_checked(a.options.model, property.claim, error)) return wrong_input();
  }

  std::vector<CheckReport> reports;
  SourceSet sources;
  const auto spent_s = [&] {  // on searches; compilers have a time of their own
    double seconds = 0;
    for (const CheckReport& report : reports) seconds += report.result.statistics.elapsed_s;
    return seconds;
  };
  for (const Property& property : *properties) {
    const std::optional<LoadedModel> model =
        text->load(a.options.model, a.options.exec, property.claim, error);
    if (!model) return wrong_input();
    if (model->has_embedded_code && !(a.checkpoint + a.resume).empty()) {
      return usage_error("a model with embedded C cannot be kept in a checkpoint", "spoor check");
    }
    if (!a.quiet && reports.empty()) print_warnings(*model, colour);
    sources = model->system->sources();
    std::optional<ReductionCheck> trial;
    if (a.options.check_reduction && !property.is_about_runs()) trial.emplace(*model->system);
    try {
      reports.push_back(property.is_about_runs()
                            ? check_runs(a, *model, property, spent_s())
                            : check_safety(a, *model, property, spent_s(), trial ? &*trial : nullptr));
    } catch (const ReductionDisagrees& reason) {
      ReductionFault fault;
      fault.reason = reason.what();
      return report_fault(fault, *model, colour, a.json);
    } catch (const NotSupported& reason) {
      error.message = reason.what();
      return wrong_input();
    } catch (const CheckpointError& reason) {
      error.message = fmt::format("cannot resume: '{}' {}", a.resume, reason.what());
      return wrong_input();
    }
    if (property.is_about_runs())
      look_for_vacuity(a, *text, *model, property.claim, spent_s(), reports.back());
    if (trial && trial->fault()) return report_fault(*trial->fault(), *model, colour, a.json);
    if (reports.back().result.limit == LimitHit::kInterrupted) break;
  }

  if (a.json) {
    fmt::print("{}", json_report(reports, sources));
  } else {
    TextOptions options;
    options.colour = wants_colour(a.colour, stdout);
    options.ascii = a.ascii;
    options.full_trace = a.full_trace;
    options.all_unreached = a.unreached;
    options.quiet = a.quiet;
    fmt::print("{}", text_report(reports, sources, options));
  }
  if (const std::string& reason = reports.front().result.checkpoint_error; !reason.empty()) {
    fmt::print(stderr, "spoor: the checkpoint '{}' {}\n", a.checkpoint, reason);
  }
  error.message = write_traces(a, reports, sources);
  if (!error.message.empty()) return report_input_error(error, colour, false);
  return exit_code(worst(reports).result.outcome);
}

}  // namespace spoor::cli
