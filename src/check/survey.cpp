#include "check/survey.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/quantities.h"
#include "base/state_sketch.h"
#include "check/probing.h"
#include "estimate/probes.h"
#include "estimate/structure.h"
#include "search/sampling.h"
#include "search/search.h"

namespace spoor {
namespace {

constexpr double kTimeOfExhaustive = 0.25;
constexpr double kTimeOfTree = 0.05;
constexpr double kTimeOfSampling = 0.15;
constexpr double kMemoryShare = 0.5;
constexpr unsigned kSmallestLogBits = 10;
constexpr std::size_t kProbedRuns = 8;  // probes are made beside one of the last so many runs
constexpr unsigned kHashesOfControl = 3;
constexpr double kBitsThatMissNothing = 64;  // per state; with one hash function
constexpr double kBitsPerState = 16;         // of a recommended filter; with three hash functions

class Surveyor {
 public:
  Surveyor(const LoadedModel& model, const SurveyOptions& options, EstimateReport& report)
      : model_(model), options_(options), report_(report), budget_(options.limits) {}

  void run() {
    report_.reductions = model_.reductions;
    if (options_.bits != 0) {
      add_run(options_.bits);
      probe_largest();
      ask_estimators();
      report_.advice = "Without --bits, spoor estimate also says what a complete check needs.";
      return;
    }
    search_exhaustively();
    if (report_.is_exact) {
      report_.advice = model_.reductions.order || !model_.reductions.dead
                           ? "The number is exact: spoor check can search all states."
                           : "The number is exact: spoor check visits as many at most, and fewer where "
                             "partial-order reduction can leave some out.";
      report_.coverage = full_coverage("exhaustive");
      return;
    }
    measure_tree();
    sample();
    search_with_filters();
    probe_largest();
    ask_estimators();
    compute_needs();
    advise();
  }

 private:
  bool is_interrupted() const { return budget_.is_interrupted(); }

  // `share`: the largest share of the budget that the search may use.
  SearchOptions base_options(StoreKind store, const BudgetShare& share = {}) const {
    SearchOptions options;
    options.store = store;
    options.limits = budget_.part(share);
    options.reduce = model_.reductions.order;
    options.counted = FindingKinds::none();
    options.progress = options_.progress;
    options.progress_interval_s = options_.progress_interval_s;
    return options;
  }

  void search_exhaustively() {
    const SearchResult result =
        search(*model_.system, base_options(StoreKind::kExact, {kTimeOfExhaustive, kMemoryShare}));
    report_.exhaustive = result.statistics;
    report_.is_exact = !result.limit.has_value();
  }

  void measure_tree() {
    if (is_interrupted()) return;
    const SearchResult result =
        search(*model_.system, base_options(StoreKind::kTree, {kTimeOfTree, kMemoryShare}));
    tree_ = result.statistics;
  }

  // The search that the published estimators for incomplete searches need.
  void sample() {
    if (is_interrupted() || model_.reductions.order) return;  // sampling has no reduction
    SearchOptions options = base_options(StoreKind::kExact, {.time = kTimeOfSampling});
    options.shuffle = options_.seed;
    const SampledSearch result = search_and_sample(*model_.system, options);
    if (!result.limit || result.limit == LimitHit::kInterrupted || result.statistics.states == 0) return;
    report_.limited = {{result.statistics.states, result.statistics.transitions, result.levels,
                        result.samples, result.found, result.left},
                       result.statistics.elapsed_s,
                       result.statistics.memory_bytes};
  }

  std::optional<TimedRun> search_with(std::uint64_t bits, unsigned hashes) {
    SearchOptions options = base_options(StoreKind::kBitstate);
    options.filter = {bits, hashes, FilterKind::kClassic, options_.seed, true};
    const SearchResult result = search(*model_.system, options);
    if (!result.filter) return std::nullopt;
    std::optional<FilterRun> run = run_of(*result.filter, result.statistics.transitions);
    if (!run) return std::nullopt;
    run->depth = result.statistics.depth;
    last_met_ = result.filter->met_sketch;
    return TimedRun{*run, result.statistics.elapsed_s};
  }

  // False: a limit ended the search.
  bool add_run(std::uint64_t bits) {
    const std::optional<TimedRun> run = search_with(bits, options_.hashes);
    if (!run) return false;
    report_.runs.push_back(*run);
    met_.push_back(last_met_);
    return true;
  }

  double most_seen() const {
    const std::uint64_t limited = report_.limited ? report_.limited->search.states : 0;
    return static_cast<double>(std::max(report_.exhaustive.states, limited));
  }

  Probed probe_with(std::uint64_t bits, const StateSketch* beside) {
    return probe_growing(*model_.system, base_options(StoreKind::kBitstate),
                         {bits, bits, options_.seed, beside, bits});
  }

  // The probes beside the last search, or beside an earlier one where memory is short: the frontier of a
  // probe is larger than that of a breadth-first search.
  void probe_largest() {
    const std::size_t runs = report_.runs.size();
    for (std::size_t i = runs; i-- > 0 && i + kProbedRuns >= runs && !report_.probes && !is_interrupted();) {
      const Probed probed = probe_with(report_.runs[i].run.filter.bits, met_[i].get());
      report_.probes = probed.figures;
      if (probed.limit == LimitHit::kTime) return;
    }
    if (options_.bits == 0) probe_with_larger_filter();
  }

  // Where the searches that keep the states have seen so many that a larger filter than that of the last
  // search is adequate: probes with that filter, without a search beside them. They replace earlier probes
  // only if they are complete.
  void probe_with_larger_filter() {
    const std::uint64_t last = report_.runs.empty() ? 0 : report_.runs.back().run.filter.bits;
    for (std::uint64_t bits = probe_bits_for(static_cast<std::uint64_t>(most_seen()));
         bits > std::max(last, kFewestProbeBits); bits /= 2) {
      const Probed probed = probe_with(bits, nullptr);
      if (probed.figures) report_.probes = probed.figures;
      if (probed.figures || probed.limit == LimitHit::kTime || is_interrupted()) return;
    }
  }

  void search_with_filters() {
    const std::uint64_t most = filter_bits_within(
        static_cast<std::uint64_t>(static_cast<double>(options_.limits.memory_bytes) * kMemoryShare));
    for (std::uint64_t bits = std::uint64_t{1} << kSmallestLogBits; bits <= most && !is_interrupted();
         bits *= 2) {
      // The next search takes up to twice as long as the last, the search with more hash functions the same
      // again, and the probes twice that.
      const double last_s = report_.runs.empty() ? 0 : report_.runs.back().elapsed_s;
      if (report_.runs.size() >= 2 && 8 * last_s > budget_.left_s()) break;
      if (!add_run(bits)) break;
      // `most_seen`: a filter can see fewer states than an incomplete search without a filter.
      const double seen = std::max(most_seen(), static_cast<double>(report_.runs.back().run.states));
      if (static_cast<double>(bits) > kBitsThatMissNothing * seen) break;
    }
    if (!report_.runs.empty() && options_.hashes < kHashesOfControl && !is_interrupted()) {
      control_ = search_with(report_.runs.back().run.filter.bits, kHashesOfControl);
    }
  }

  void ask_estimators() {
    Evidence evidence;
    for (const TimedRun& timed : report_.runs) evidence.runs.push_back(timed.run);
    if (control_) evidence.control = control_->run;
    evidence.probes = report_.probes;
    if (report_.limited) evidence.limited = report_.limited->search;
    evidence.at_least = most_seen();
    add_estimate(evidence, report_);
  }

  void compute_needs() {
    const std::optional<double> total = report_.total();
    if (!total || report_.exhaustive.states == 0) return;
    const auto need = [&](const char* store, const Statistics& measured) {
      if (measured.states == 0) return;
      const double per_state =
          static_cast<double>(measured.memory_bytes) / static_cast<double>(measured.states);
      const double seconds_each = measured.elapsed_s / static_cast<double>(measured.states);
      add_need(store, *total * per_state, *total * seconds_each);
    };
    need("exact", report_.exhaustive);
    need("tree", tree_);
    if (report_.runs.empty()) return;
    const TimedRun& last = report_.runs.back();
    const double bits = std::exp2(std::ceil(std::log2(kBitsPerState * *total)));
    add_need("bitstate", bits / 8, *total * last.elapsed_s / static_cast<double>(last.run.states));
  }
  void add_need(const char* store, double bytes, double seconds) {
    report_.needs.push_back(
        {store, bytes, seconds, bytes < static_cast<double>(options_.limits.memory_bytes)});
  }

  void advise() {
    const auto fits = [&](const char* store) {
      return std::ranges::any_of(report_.needs,
                                 [&](const StoreNeeds& need) { return need.store == store && need.fits; });
    };
    const unsigned log_bits =
        report_.needs.empty() ? 0
                              : static_cast<unsigned>(std::lround(std::log2(8 * report_.needs.back().bytes)));
    const int most = std::countr_zero(filter_bits_within(options_.limits.memory_bytes / 2));
    if (report_.needs.empty()) {
      report_.advice = "No estimate is possible yet: give more time or memory with --time and --memory.";
    } else if (fits("exact")) {
      report_.advice = "All states fit into memory: use spoor check.";
    } else if (fits("tree")) {
      report_.advice =
          "All states fit into memory with the tree store: use spoor check, which changes to it when needed.";
    } else if (fits("bitstate")) {
      report_.advice = fmt::format(
          "The states do not fit into memory. A filter can see nearly all: spoor check --store bitstate --bits 2^{}.",
          log_bits);
    } else {
      report_.advice = fmt::format(
          "The states do not fit into memory, nor into one filter. Several filters see more: "
          "spoor check --store bitstate --bits 2^{} --swarm 16.",
          most);
    }
  }

  const LoadedModel& model_;
  const SurveyOptions& options_;
  EstimateReport& report_;
  const Budget budget_;
  Statistics tree_;
  std::shared_ptr<const StateSketch> last_met_;
  std::vector<std::shared_ptr<const StateSketch>> met_;  // in the order of the runs of the report
  std::optional<TimedRun> control_;
};

// Warns if the probes, or the search with more hash functions, show a long thin part of the model.
void check_structure(const Evidence& evidence, EstimateReport& report) {
  if (evidence.probes && is_structural(*evidence.probes)) {
    report.warning =
        "the model has a long thin part that ended the search but not the probes: there may be more states";
  }
  const std::optional<double> total = report.total();
  if (!total || !evidence.control) return;
  const std::optional<StructureWarning> found = structure_warning(evidence, *total);
  if (!found) return;
  report.warning = fmt::format(
      "with {} a search of the same size has seen {} states, more than the estimate allows: the model has a long thin part, and there "
      "may be far more states",
      counted(evidence.control->filter.hashes, "hash function"), with_separators(evidence.control->states));
  report.coverage.chosen->coverage = std::min(report.coverage.chosen->coverage, found->coverage);
  if (auto& interval = report.coverage.chosen->interval) {
    interval->low = 0;
    interval->high = std::max(interval->high, report.coverage.chosen->coverage);
  }
}

}  // namespace

std::optional<double> EstimateReport::total() const {
  if (is_exact) return static_cast<double>(exhaustive.states);
  if (!coverage.chosen || coverage.chosen->coverage <= 0) return std::nullopt;
  return static_cast<double>(seen()) / coverage.chosen->coverage;
}

void add_estimate(const Evidence& evidence, EstimateReport& report) {
  report.coverage = choose_estimate(evidence);
  check_structure(evidence, report);
}

void survey(const LoadedModel& model, const SurveyOptions& options, EstimateReport& report) {
  Surveyor(model, options, report).run();
}

}  // namespace spoor
