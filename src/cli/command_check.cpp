// spoor check FILE
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/files.h"
#include "base/process_memory.h"
#include "base/quantities.h"
#include "base/signature.h"
#include "check/check.h"
#include "check/control.h"
#include "check/property.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "cli/units.h"
#include "evidence/ledger.h"
#include "evidence/run_catalogue.h"
#include "report/history_report.h"
#include "report/report.h"
#include "report/trace_file.h"
#include "report/trail.h"

namespace spoor::cli {
namespace {

constexpr unsigned kMaxThreads = 64;
constexpr unsigned kMostSearches = 100'000;

struct CheckArguments {
  std::string model;
  CheckOptions options;
  std::string search;  // empty: not given
  std::string store = "auto";
  CheckpointOptions checkpoint;
  std::string ledger;  // a folder; empty: none
  bool has_named_ledger = false;
  std::string regression = to_string(ReuseTechnique::kAuto);
  std::uint64_t ledger_bytes = kDefaultLedgerBytes;
  std::string certificate;       // a file; empty: none
  std::string certificate_kind;  // empty: that of the property
  std::string key_file;          // of the key that signs it; empty: none
  bool fresh = false, record = false, no_record = false;
  bool no_end_states = false;
  bool json = false;
  std::string trace_path, trail_path;
  bool full_trace = false, no_final_state = false;
  bool unreached = false, no_unreached = false;
  bool quiet = false;
  std::string colour = "auto";
  bool ascii = false;
};

CertificateKind certificate_kind(const CheckArguments& a) {
  for (const CertificateKind kind :
       {CertificateKind::kClosedSet, CertificateKind::kFull, CertificateKind::kTrustful}) {
    if (a.certificate_kind == to_string(kind)) return kind;
  }
  return CertificateKind::kCompact;
}
bool is_closed_set(const CheckArguments& a) { return certificate_kind(a) == CertificateKind::kClosedSet; }

// `given`: the name of one filter option of the command line, if there is any. A size of 0: not given.
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

// `given`: as above, of the cache.
void cache_options(CommandLine& line, CacheOptions& cache, std::string& given) {
  line.converted(
      "--policy",
      [&](const std::string& text) {
        given = "--policy";
        for (const PolicyRow& row : policies()) {
          if (text == row.name) cache.policy = row.kind;
        }
        return text == to_string(cache.policy);
      },
      fmt::format("one of {}", fmt::join(policy_names(), ", ")));
  line.converted(
      "--cache-states",
      [&](const std::string& text) {
        given = "--cache-states";
        cache.states = parse_count(text).value_or(0);
        return cache.states != 0;
      },
      "a whole number above 0");
}

// Without --search: the first order that can be used.
const char* default_search(StoreKind store, bool is_full_script) {
  if (is_full_script) return row_of(Order::kDepthFirst).name;
  const auto usable =
      std::ranges::find_if(orders(), [&](const OrderRow& row) { return can_search(row.order, store); });
  return usable->name;
}

// Chooses a size where none is given. Returns the exit code where the size does not fit.
std::optional<int> size_filter(CheckOptions& options, bool has_limit) {
  FilterOptions& filter = options.filter;
  const std::uint64_t memory = options.limits.memory_bytes;
  const std::uint64_t fits = filter_bits_within(memory / 2);
  // Less than the largest size that fits: the first access to memory costs a second per two gigabytes.
  if (filter.bits == 0) filter.bits = std::min(fits, FilterOptions::kDefaultBits);
  if (!is_valid(filter)) {
    return usage_error(
        fmt::format("a blocked filter has at least 2^{} bits", FilterOptions::kLeastLogBitsBlocked),
        "spoor check");
  }
  if (filter.bits / 8 < memory) return std::nullopt;
  return usage_error(fmt::format("--bits 2^{} needs {}, but the search may use only {}{}; 2^{} fits",
                                 std::countr_zero(filter.bits), human_bytes(filter.bits / 8),
                                 human_bytes(memory), has_limit ? " (--memory)" : "", std::countr_zero(fits)),
                     "spoor check");
}

// Is the model a file beside which others can be kept? What is read as /dev/stdin is not, whatever it is.
bool is_in_a_folder(const std::string& model) {
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(model, ignored).string();
  return std::filesystem::is_regular_file(model, ignored) && !path.starts_with("/dev/") &&
         !path.starts_with("/proc/");
}

// Why the options about the ledger cannot be followed together; or empty.
std::string ledger_mistake(const CheckArguments& a) {
  if (a.record && a.no_record) return "only one of --record and --no-record";
  if (a.fresh && a.no_record)
    return "--fresh records anew, which --no-record forbids; a check that neither uses nor leaves a "
           "recording has --ledger none";
  if (a.record && a.ledger.empty())
    return "--record needs a ledger, and there is none (--ledger, SPOOR_LEDGER)";
  if (a.options.reuse != ReuseTechnique::kAuto && a.ledger.empty())
    return fmt::format("--regression {} needs a ledger, and there is none (--ledger, SPOOR_LEDGER)",
                       a.regression);
  return {};
}

std::optional<int> parse(Arguments words, CheckArguments& a) {
  Limits& limits = a.options.limits;
  CommandLine line("check", "Check a model for errors.");
  line.argument("model", a.model);
  line.model_options(a.options.model);
  line.value_once(
      "--property", a.options.property,
      "without it safety and all formulas are checked, with it one property; run one check per property");
  line.value_once("--ltl", a.options.formula, "join the formulas with &&, or run one check per formula");
  line.value_once("--invariant", a.options.invariant, "join the conditions with &&");
  line.flag("--fair", a.options.model.is_fair);
  line.flag("--no-end-states", a.no_end_states);
  line.value("--search", a.search, search_names());
  line.value("--store", a.store, store_names());
  std::string filter_option;  // a filter option of the command line, or empty
  filter_options(line, a.options.filter, filter_option);
  std::string cache_option;  // the same of the cache
  cache_options(line, a.options.cache, cache_option);
  std::uint64_t swarm = 0, repeat = 0;
  line.count("--swarm", swarm, 1, kMostSearches);
  line.count("--repeat", repeat, 1, kMostSearches);
  a.options.model.reduce = "default";
  line.reductions(a.options.model);
  line.flag("--check-reduction", a.options.check_reduction);
  line.execution(a.options.exec);
  std::string coverage = to_string(a.options.coverage);
  line.value("--coverage", coverage, {"quick", "full", "off"});
  line.converted(
      "--accept-coverage",
      [&](const std::string& text) {
        a.options.accept_coverage = parse_share(text).value_or(0);
        return parse_share(text).has_value();
      },
      "a share such as 0.95, 95 or 95%");
  line.flag("--all-errors", a.options.all_errors);
  line.duration("--time", limits.seconds);
  line.size("--memory", limits.memory_bytes);
  line.count("--depth", limits.depth, 1, UINT64_MAX);
  std::uint64_t threads = 0;
  line.count("--threads", threads, 1, kMaxThreads);
  line.value("--checkpoint", a.checkpoint.save);
  double checkpoint_every_s = 0;  // 0: not given
  line.duration("--checkpoint-every", checkpoint_every_s);
  line.value("--resume", a.checkpoint.resume);
  line.value("--certificate", a.certificate);
  line.value("--certificate-kind", a.certificate_kind,
             {to_string(CertificateKind::kCompact), to_string(CertificateKind::kClosedSet),
              to_string(CertificateKind::kFull), to_string(CertificateKind::kTrustful)});
  line.value("--sign", a.key_file);
  line.value("--ledger", a.ledger);
  line.size("--ledger-size", a.ledger_bytes);
  line.value("--regression", a.regression, {"auto", "closure", "walk", "prune"});
  line.flag("--fresh", a.fresh);
  line.flag("--record", a.record);
  line.flag("--no-record", a.no_record);
  line.flag("--json", a.json);
  line.value("--trace", a.trace_path);
  line.value("--trail", a.trail_path);
  line.flag("--full-trace", a.full_trace);
  line.flag("--no-final-state", a.no_final_state);
  line.flag("--unreached", a.unreached);
  line.flag("--no-unreached", a.no_unreached);
  line.flag("--quiet", a.quiet);
  line.value("--color", a.colour, {"auto", "always", "never"});
  line.flag("--ascii", a.ascii);
  if (const std::optional<int> done = line.parse(std::move(words))) return done;

  a.options.threads = static_cast<unsigned>(threads);
  a.options.swarm = static_cast<unsigned>(swarm);
  a.options.repeat = static_cast<unsigned>(repeat);
  for (const ReuseTechnique technique :
       {ReuseTechnique::kClosure, ReuseTechnique::kWalk, ReuseTechnique::kPrune}) {
    if (a.regression == to_string(technique)) a.options.reuse = technique;
  }
  const LedgerChoice ledger = choose_ledger(a.ledger, a.model);
  a.has_named_ledger = ledger.is_named;
  if (ledger.is_named || is_in_a_folder(a.model)) a.ledger = ledger.folder;
  if (const std::string mistake = ledger_mistake(a); !mistake.empty())
    return usage_error(mistake, "spoor check");
  if (swarm != 0 && repeat != 0) return usage_error("only one of --swarm and --repeat", "spoor check");
  if (filter_option.empty() && swarm + repeat != 0) filter_option = swarm != 0 ? "--swarm" : "--repeat";
  if (const std::string mistake = property_mistake(a.options.property); !mistake.empty()) {
    return usage_error(mistake, "spoor check");
  }
  if (!a.options.invariant.empty() && !a.options.formula.empty())
    return usage_error("only one of --invariant and --ltl: run one check for each", "spoor check");
  a.options.store = StoreKind::kAuto;
  for (const StoreRow& row : stores()) {
    if (a.store == row.name) a.options.store = row.kind;
  }
  const StoreTraits& store = traits_of(a.options.store);
  const bool is_full_script = !a.certificate.empty() && certificate_kind(a) == CertificateKind::kFull;
  if (a.search.empty()) a.search = default_search(a.options.store, is_full_script);
  for (const OrderRow& row : orders()) {
    if (a.search == row.name) a.options.order = row.order;
  }
  if (!can_search(a.options.order, a.options.store)) {
    return usage_error(fmt::format("--search {} cannot use --store {}; --search {} can", a.search, a.store,
                                   default_search(a.options.store, false)),
                       "spoor check");
  }
  if (!cache_option.empty() && !store.forgets_states)
    return usage_error(cache_option + " needs --store cache", "spoor check");
  for (const CoverageEffort effort : {CoverageEffort::kOff, CoverageEffort::kQuick, CoverageEffort::kFull}) {
    if (coverage == to_string(effort)) a.options.coverage = effort;
  }
  const unsigned cores = std::clamp(std::thread::hardware_concurrency(), 1u, kMaxThreads);
  a.options.coverage_threads = threads != 0 ? a.options.threads : cores;
  if (threads != 0) {
    a.options.cycle_threads = a.options.threads;
  } else {
    // Which states a filter confuses depends on the order of insertion: only one thread gives the same result
    // twice.
    a.options.threads = store.is_filter && a.options.swarm == 0 ? 1 : cores;
  }
  if (is_full_script && a.options.order != Order::kDepthFirst)
    return usage_error(fmt::format("a {} certificate is made by a depth-first search (--search dfs)",
                                   to_string(certificate_kind(a))),
                       "spoor check");
  a.options.model.has_labels = is_published_script(certificate_kind(a));
  if (!a.certificate_kind.empty() && a.certificate.empty())
    return usage_error("--certificate-kind needs --certificate, the file to write", "spoor check");
  // A closed set cannot have partial-order reduction, and so neither has the default.
  if (is_closed_set(a) && a.options.model.reduce == "default") a.options.model.reduce = "merge,dead";
  if (!a.certificate.empty() &&
      (!store.keeps_states || (certificate_kind(a) != CertificateKind::kCompact && store.forgets_states)))
    return usage_error(
        "a certificate needs a --store that keeps all states, or, in the compact form, --store cache",
        "spoor check");
  if (!a.key_file.empty() && a.certificate.empty())
    return usage_error("--sign needs --certificate, the file to sign; spoor sign signs any", "spoor check");
  const bool uses_checkpoint = !a.checkpoint.save.empty() || !a.checkpoint.resume.empty();
  if (uses_checkpoint && !a.certificate.empty())
    return usage_error("a search with a checkpoint has no certificate, which is made of all of it",
                       "spoor check");
  if (uses_checkpoint && (a.options.order != Order::kBreadthFirst || !store.keeps_states)) {
    std::string suitable = "auto";
    for (const StoreRow& row : stores()) {
      if (row.traits.keeps_states && !row.traits.forgets_states) suitable += std::string(", ") + row.name;
    }
    return usage_error("a checkpoint needs --search bfs, and a --store of " + suitable, "spoor check");
  }
  if (a.checkpoint.save.empty() && checkpoint_every_s != 0) {
    return usage_error("--checkpoint-every needs --checkpoint, the file to write", "spoor check");
  }
  if (checkpoint_every_s != 0) a.checkpoint.interval_s = checkpoint_every_s;
  a.options.end_states = !a.no_end_states;
  const bool has_limit = limits.memory_bytes != 0;
  if (!has_limit) limits.memory_bytes = available_memory();
  if (store.is_filter) return size_filter(a.options, has_limit);
  if (!filter_option.empty()) {
    return usage_error(filter_option + " needs --store bitstate", "spoor check");
  }
  return std::nullopt;
}

// Shows the progress of the check on the terminal, and begins to catch interrupts when a search begins.
class CheckProgress : public CheckListener {
 public:
  CheckProgress(bool is_quiet, bool colour) : is_quiet_(is_quiet), colour_(colour), line_(!is_quiet) {}

  void on_progress(const Statistics& statistics, std::span<const Level> levels) override {
    line_.on_progress(statistics, levels);
  }
  void on_model(const LoadedModel& model) override {
    if (!is_quiet_) print_warnings(model, colour_);
  }
  void on_search_begin() override { catch_interrupts(); }
  void on_coverage_begin() override { line_.show_message("estimating coverage (Ctrl-C skips)"); }
  void on_search_end() override { line_.clear(); }
  double interval_s() const { return line_.is_enabled() ? 0.5 : 0; }

 private:
  const bool is_quiet_, colour_;
  ProgressLine line_;
};

// Checks with equal texts share a recording.
std::string kind_of_check(const CheckOptions& options) {
  const ModelOptions& model = options.model;
  return fmt::format("{} {} {} {} {} {}", options.property, model.reduce, model.strict, model.lose_messages,
                     options.end_states, fmt::join(model.defines, "\x1f"));
}

// The certificate of a violation is its trace, too.
std::vector<std::string> trace_files(const CheckArguments& a) {
  std::vector<std::string> files;
  for (const std::string& file : {a.trace_path, a.certificate}) {
    if (!file.empty()) files.push_back(file);
  }
  return files;
}

// Writes the trace of the first violation to the files that the user names; returns the error, or "".
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
  for (const std::string& path : trace_files(a)) {
    TraceFileHeader header = {a.model, report.model_sha256, a.options.model};
    header.options.reduce = to_text(report.violations.front().reductions);
    const std::string reason = write_file_atomically(path, write_trace_file(header, trace, sources));
    if (!reason.empty()) return fmt::format("cannot write '{}': {}", path, reason);
  }
  return {};
}

// Before the search, which may take hours until there is something to be signed. Returns the error, or "".
std::string read_key(const CheckArguments& a, std::optional<SecretKey>& key) {
  if (a.key_file.empty()) return {};
  try {
    key = read_secret_key(a.key_file);
    return why_not_signable(a.certificate);
  } catch (const SignatureError& error) {
    return fmt::format("'{}' {}", a.key_file, error.what());
  }
}

// Signs the certificate, where there is one; returns the error, or "".
std::string sign_certificate(const CheckArguments& a, const CheckReport& report, const SecretKey& key) {
  if (!report.certificate || !report.certificate->why_not.empty()) return {};
  try {
    sign_file(a.certificate, key);
    return {};
  } catch (const SignatureError& error) {
    return fmt::format("the certificate '{}' {}", a.certificate, error.what());
  }
}

int report_fault(const WrongReduction& wrong, bool colour, bool json) {
  const ReductionFault& fault = wrong.fault;
  InputError error;
  error.sources = wrong.sources;
  std::string message = "the reduction is wrong: " + fault.reason;
  if (!fault.step.empty()) message += fmt::format("; the step: {}", fault.step);
  if (!fault.other.empty()) message += fmt::format("; the other: {}", fault.other);
  std::string state;
  for (const std::string& value : fault.state) state += (state.empty() ? "in the state: " : ", ") + value;
  error.diagnostics.error("R101", {fault.position, 1}, std::move(message), state);
  report_input_error(error, colour, json);
  return kReductionFault;
}

// Finds the recording, and whether it may be used and replaced. The default ledger is made only when there is
// something to be kept in it, and where it cannot be made, that is nothing to speak of.
void open_ledger(const CheckArguments& a, CheckControl& control) {
  std::string reason = a.has_named_ledger ? make_ledger(a.ledger) : "";
  if (reason.empty()) control.recording = ledger_file(a.ledger, a.model, kind_of_check(a.options), reason);
  if (!reason.empty()) fmt::print(stderr, "spoor: no ledger in '{}': {}\n", a.ledger, reason);
  control.may_use_recording = !a.fresh;
  control.records = a.no_record                                ? RecordingChoice::kNothing
                    : a.record || needs_steps(a.options.reuse) ? RecordingChoice::kGraph
                                                               : RecordingChoice::kStates;
}

// After the check, when the user has the answer: the runs, and what is to be deleted.
void add_to_ledger(const CheckArguments& a, const std::vector<CheckReport>& reports) {
  std::fflush(stdout);
  if (!a.has_named_ledger && (!make_ledger(a.ledger).empty() || !is_writable_folder(a.ledger))) return;
  for (const CheckReport& report : reports) {
    if (report.reuse && report.reuse->is_used) mark_as_used(report.reuse->file);
  }
  const std::string line = add_to_catalogue(a.ledger, runs_of_check(reports));
  if (!line.empty()) fmt::print(stderr, "spoor: {}\n", line);
  bound_ledger(a.ledger, a.ledger_bytes);
}

int show(const CheckArguments& a, const CheckedModel& checked, const std::optional<SecretKey>& key,
         bool colour) {
  const auto& [reports, sources] = checked;
  if (a.json) {
    fmt::print("{}", json_report(reports, sources));
  } else {
    TextOptions options;
    options.colour = wants_colour(a.colour, stdout);
    options.ascii = a.ascii;
    options.full_trace = a.full_trace;
    options.final_state = !a.no_final_state;
    options.all_unreached = a.unreached;
    options.quiet = a.quiet;
    fmt::print("{}", text_report(reports, sources, options));
  }
  if (const std::string& reason = reports.front().result.checkpoint_error; !reason.empty()) {
    fmt::print(stderr, "spoor: the checkpoint '{}' {}\n", a.checkpoint.save, reason);
  }
  InputError error;
  error.message = write_traces(a, reports, sources);
  if (error.message.empty() && key) error.message = sign_certificate(a, reports.front(), *key);
  if (!error.message.empty()) return report_input_error(error, colour, false);
  return exit_code_of(worst(reports).result.outcome);
}

}  // namespace

int run_check(Arguments arguments) {
  CheckArguments a;
  if (const std::optional<int> done = parse(std::move(arguments), a)) return *done;
  const bool colour = wants_colour(a.colour, stderr);
  InputError key_error;
  std::optional<SecretKey> key;
  key_error.message = read_key(a, key);
  if (!key_error.message.empty()) return report_input_error(key_error, colour, a.json);
  CheckProgress progress(a.quiet, colour);
  CheckControl control = {a.checkpoint, &interrupt_flag(), &progress, progress.interval_s()};
  control.certificate = a.certificate;
  if (!a.certificate_kind.empty()) control.certificate_kind = certificate_kind(a);
  if (!a.ledger.empty()) open_ledger(a, control);
  CheckAnswer answer = check_model(a.model, a.options, control);
  if (const auto* error = std::get_if<InputError>(&answer)) return report_input_error(*error, colour, a.json);
  if (const auto* error = std::get_if<OptionError>(&answer)) {
    return usage_error(error->message, "spoor check");
  }
  if (const auto* wrong = std::get_if<WrongReduction>(&answer)) return report_fault(*wrong, colour, a.json);
  auto& checked = std::get<CheckedModel>(answer);
  for (CheckReport& report : checked.reports) {
    report.with_unreached &= !a.no_unreached;
    if (key && report.certificate && report.certificate->why_not.empty())
      report.certificate->signed_by = to_text(key->public_key());
  }
  const int code = show(a, checked, key, colour);
  if (!a.ledger.empty()) add_to_ledger(a, checked.reports);
  return code;
}

}  // namespace spoor::cli
