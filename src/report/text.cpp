// The report of a check as text: the verdict first, the evidence next, the figures last.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "base/quantities.h"
#include "estimate/dillinger.h"
#include "estimate/stern.h"
#include "report/coverage_words.h"
#include "report/ending.h"
#include "report/labels.h"
#include "report/report.h"
#include "report/table.h"
#include "report/text_columns.h"

namespace spoor {
namespace {

constexpr std::size_t kShortTrace = 30;      // actions shown of a long trace
constexpr std::size_t kShortUnreached = 20;  // lines shown of a long list

enum class Colour { kRed, kGreen, kYellow };

std::string paint(const std::string& text, Colour colour, bool enabled) {
  if (!enabled) return text;
  static constexpr const char* kCodes[] = {"31;1", "32;1", "33;1"};
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<int>(colour)], text);
}

std::string describe(const ShownFinding& finding, const SourceSet& sources) {
  const std::string place = place_label(sources, finding.position);
  const std::string message = escape_controls(finding.message);
  return place.empty() ? message : fmt::format("{} at {}", message, place);
}

// The interval of the estimated coverage, if there is one.
std::optional<Interval> interval_of(const CheckReport& report) {
  if (!report.coverage || !report.coverage->chosen) return std::nullopt;
  return report.coverage->chosen->interval;
}

// Of a complete search that may have missed most states (LimitHit::kCoverage).
std::string too_few_seen(const CheckReport& report) {
  const std::optional<Interval> interval = interval_of(report);
  if (!interval) return "nothing shows how many states were missed";
  if (interval->low == interval->high) {
    return fmt::format("only {:.3g} % of the states were seen (--accept-coverage: {:.3g} %)",
                       100 * interval->low, 100 * report.options.accept_coverage);
  }
  return fmt::format("perhaps too few states were seen, {:.3g} to {:.3g} % (--accept-coverage: {:.3g} %)",
                     100 * interval->low, 100 * interval->high, 100 * report.options.accept_coverage);
}

// The memory limit ends a search that evicts states only if something else grows.
std::string path_beside_cache(const CheckReport& report) {
  if (!report.result.cache) return {};
  return fmt::format(" by what cannot be evicted: a path of {}, and parts that states share",
                     counted(report.result.statistics.depth + 1, "state"));
}

std::string why_undecided(LimitHit limit, const CheckReport& report) {
  switch (limit) {
    case LimitHit::kTime:
      return fmt::format("the time limit of {} was reached", human_seconds(report.options.limits.seconds));
    case LimitHit::kMemory:
      return fmt::format("the memory limit of {} was reached{}",
                         human_bytes(report.options.limits.memory_bytes), path_beside_cache(report));
    case LimitHit::kOutOfMemory: return "the system has no more memory";
    case LimitHit::kStateNumbers:
      return fmt::format("the store cannot number more than {} states",
                         with_separators(report.result.statistics.states));
    case LimitHit::kPath:
      return fmt::format("the path of the search alone, {}, does not fit into the cache",
                         counted(report.result.cache ? report.result.cache->kept : 0, "state"));
    case LimitHit::kDepth:
      return fmt::format("the depth limit of {} was reached", with_separators(report.options.limits.depth));
    case LimitHit::kInterrupted: return "the search was interrupted";
    case LimitHit::kObserver: return "the search was stopped";
    case LimitHit::kNotPossible:
      return "this claim cannot be checked: " + escape_controls(report.why_not_checked);
    case LimitHit::kExpansions:
      return fmt::format("the limit of {} was reached",
                         counted(report.hunt ? report.hunt->most_expansions : 0, "expansion"));
    case LimitHit::kCoverage: return too_few_seen(report);
  }
  return {};
}

// For a store that may have missed states.
std::string chance_of_omission(double probability, const CheckReport& report) {
  const std::optional<Interval> interval = interval_of(report);
  if (probability >= 1 && interval && report.options.accept_coverage > 0) {
    return fmt::format("{:.3g} to {:.3g} % of the states were seen, with 90 % confidence",
                       100 * interval->low, 100 * interval->high);
  }
  if (probability >= 1) return "the filter is too full to bound the chance that a state was missed";
  return fmt::format("the chance that a state was missed is at most {:.2g}", probability);
}

bool is_about_runs(const CheckReport& report) {
  return report.property != "safety" && report.property != "deadlock";
}

// The search has left out states that make no difference to the verdict.
bool is_reduced(const CheckReport& report) { return report.reductions != Reductions{}; }

// It has left out states below those that the recording of an earlier check vouches for.
bool is_pruned(const CheckReport& report) { return report.reuse && report.reuse->pruned != 0; }

// The number of states is a bound: only those that the edit touches were looked at.
bool is_bound(const CheckReport& report) { return report.reuse && report.reuse->is_bound; }

// Where nothing wrong was found: of the states that this is said of. `what`: "error".
std::string states_enough(const CheckReport& report, const std::string& what, const std::string& states) {
  const char* const were = report.result.statistics.states == 1 ? "was" : "were";
  if (report.result.has_revisits())
    return fmt::format(": no {}; {} were visited, some more than once{}", what, states,
                       is_reduced(report) ? ", with reductions" : "");
  if (is_pruned(report)) return fmt::format(": no {}; {} {} enough, with a recording", what, states, were);
  if (is_bound(report))
    return fmt::format(": no {} in what the edit can influence; the rest is as it was", what);
  if (is_reduced(report)) return fmt::format(": no {}; {} {} enough, with reductions", what, states, were);
  return fmt::format(": no {} in {}, all that can be reached", what, states);
}

std::string verdict_line(const CheckReport& report, const SourceSet& sources, bool colour) {
  const std::string states =
      report.swarm ? fmt::format("about {} states",
                                 with_separators(static_cast<unsigned long long>(report.swarm->seen)))
                   : counted(report.result.statistics.states, "state");
  return std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, Holds>) {
          if (report.is_trivial) {
            return paint("holds trivially", Colour::kYellow, colour) + ": the formula is true in every model";
          }
          const bool is_vacuous = !report.vacuous.empty();
          const char* const what = is_about_runs(report) ? "run that violates it" : "error";
          return paint(is_vacuous ? "holds vacuously" : "holds",
                       is_vacuous ? Colour::kYellow : Colour::kGreen, colour) +
                 states_enough(report, what, states);
        } else if constexpr (std::is_same_v<T, HoldsProbably>) {
          return paint("probably holds", Colour::kGreen, colour) +
                 fmt::format(": no error in {}; {}", states,
                             chance_of_omission(value.omission_probability, report));
        } else if constexpr (std::is_same_v<T, Unknown>) {
          const std::string line =
              paint("unknown", Colour::kYellow, colour) + ": " + why_undecided(value.limit, report);
          if (value.limit == LimitHit::kNotPossible) return line;
          if (report.hunt)
            return line + fmt::format("; no error in about {} states, which were expanded {} times",
                                      with_separators(std::llround(report.hunt->seen)),
                                      with_separators(report.hunt->counts.expansions));
          return line + fmt::format("; no error in the {} {}", states,
                                    report.result.has_revisits() ? "visited, some more than once" : "seen");
        } else {
          static_assert(std::is_same_v<T, Violated>);
          const std::size_t count = report.violations.size();
          std::string line = paint("violated", Colour::kRed, colour);
          if (count > 0) line += ": " + describe(report.violations.front().finding, sources);
          if (count > 1) line += fmt::format(" (and {} more)", count - 1);
          return line;
        }
      },
      report.result.outcome);
}

std::string trace_section(const CheckReport& report, std::size_t index, const SourceSet& sources,
                          const TextOptions& options) {
  const ShownViolation& violation = report.violations[index];
  std::string text = "\n";
  if (report.violations.size() > 1) {
    text += fmt::format("{}. {}: {}\n", index + 1, to_string(violation.finding.kind),
                        describe(violation.finding, sources));
  }
  if (violation.trace.actions.empty()) {
    text += "  in the initial state\n";
  } else {
    TableOptions table;
    table.ascii = options.ascii;
    table.max_actions = options.full_trace ? 0 : kShortTrace;
    text += trace_table(violation.trace, sources, table);
  }
  const bool may_be_shorter = report.options.order == Order::kBreadthFirst && !is_about_runs(report) &&
                              !report.swarm && !report.hunt && !violation.is_shortest;
  if (may_be_shorter) text += "there may be a shorter trace: --reduce none finds the shortest\n";
  text += waiting_table(violation.trace, sources);
  if (options.final_state) text += final_state_lines(violation.trace, options.full_trace);
  return text;
}

// What a recording of an earlier check was good for.
std::string reuse_lines(const ReuseFigures& reuse, std::uint64_t states) {
  std::string text;
  if (reuse.is_used && reuse.pruned != 0) {
    text += fmt::format("ledger: {} of {} changed; {} explored, {} of the recorded ones {} all below {}\n",
                        with_separators(reuse.changed), counted(reuse.locations, "location"),
                        counted(reuse.expanded, "state"), with_separators(reuse.pruned),
                        reuse.pruned == 1 ? "stands for" : "stand for", reuse.pruned == 1 ? "it" : "them");
  } else if (reuse.is_used) {
    text += fmt::format("ledger: {} of {} changed; {} of {} explored\n", with_separators(reuse.changed),
                        counted(reuse.locations, "location"), with_separators(reuse.expanded),
                        counted(states, "state"));
  }
  for (const std::string& reason : {reuse.why_not, reuse.why_not_recorded}) {
    if (!reason.empty()) text += fmt::format("ledger: {}\n", reason);
  }
  return text;
}

std::string certificate_line(const CertificateFigures& certificate, const SearchResult& result) {
  if (!certificate.why_not.empty())
    return fmt::format("no certificate: {}\n", escape_controls(certificate.why_not));
  const std::string file = escape_controls(certificate.file);
  const bool is_set = lists_states(certificate.kind);
  const std::uint64_t count = is_set ? result.statistics.states : result.statistics.transitions;
  std::string figures = certificate.bytes == 0 ? "the trace" : human_bytes(certificate.bytes);
  // Of repeated visits it has nothing.
  if (certificate.bytes != 0 && !result.has_revisits())
    figures += fmt::format(", {:.3g} bytes per {}",
                           static_cast<double>(certificate.bytes) / static_cast<double>(count),
                           is_set ? "state" : "transition");
  const std::string& key = certificate.signed_by;
  return fmt::format("certificate: {}, {}\n{}", file, figures,
                     key.empty() ? "" : fmt::format("signed by {}\n", key));
}

std::string figures(const CheckReport& report) {
  const Statistics& statistics = report.result.statistics;
  // Two searches that leave out steps may have different states: then it is no bound.
  const bool is_exact_bound = is_bound(report) && !report.reductions.order;
  std::string text = report.swarm ? "\nin all searches " : is_exact_bound ? "\nat most " : "\n";
  text += report.result.has_revisits() ? counted(statistics.states, "visit of a state", "visits of states")
                                       : counted(statistics.states, "state");
  if (is_bound(report) && !is_exact_bound)
    text += statistics.states == 1 ? " is enough" : " are enough, with reductions";
  if (!is_bound(report))
    text += fmt::format(", {}, depth {}", counted(statistics.transitions, "transition"),
                        with_separators(statistics.depth));
  text +=
      fmt::format("; {}, {}\n", human_seconds(statistics.elapsed_s), human_bytes(report.peak_memory_bytes));
  if (report.claim) {
    text += fmt::format("the claim has {} and is {}\n", counted(report.claim->states, "state"),
                        report.claim->strength);
  }
  if (!report.why_fewer_reductions.empty()) {
    text += fmt::format("reductions: {}; {}\n", to_text(report.reductions), report.why_fewer_reductions);
  }
  if (report.reuse) text += reuse_lines(*report.reuse, statistics.states);
  if (report.certificate) text += certificate_line(*report.certificate, report.result);
  if (report.options.store == StoreKind::kAuto && report.result.store == StoreKind::kTree) {
    text += "memory got tight, so the states were moved to the tree store (--store tree)\n";
  }
  return text;
}

std::string found_line(const char* what, const FoundTrace& found) {
  return fmt::format("{}: {} by {}, after {} and {}\n", what, counted(found.length, "step"), found.method,
                     counted(found.counts.expansions, "expansion"), human_seconds(found.elapsed_s));
}

// How a hunt has found its trace, and what it cost.
std::string hunt_lines(const CheckReport& report) {
  const HuntFigures& hunt = *report.hunt;
  std::string text = "\n";
  if (!report.violations.empty()) {
    const ShownViolation& violation = report.violations.front();
    text +=
        fmt::format("{}, {}{}\n", counted(violation.trace.steps.size(), "step"),
                    counted(violation.trace.actions.size(), "action"),
                    violation.is_shortest ? "; no trace has fewer steps" : "; there may be a shorter trace");
    text += found_line("first", hunt.first);
    if (hunt.best.length < hunt.first.length) text += found_line("best", hunt.best);
  }
  text +=
      fmt::format("{}, {} taken, seed {}; {}, {}\n", counted(hunt.counts.expansions, "expansion"),
                  counted(hunt.counts.taken, "state"), hunt.seed,
                  human_seconds(report.result.statistics.elapsed_s), human_bytes(report.peak_memory_bytes));
  return text;
}

std::string or_unknown(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : "no estimate";
}

// The figures of a filter (store/filter.h). Estimates of the coverage exist for classic filters only.
std::string filter_lines(const FilterFigures& filter) {
  const FilterOptions& options = filter.options;
  std::string text = fmt::format(
      "filter: {}, 2^{} bits ({}), {}, seed {}; {:.3g} of the bits are set, hash factor {}\n"
      "new states expected before the next is missed: {}\n",
      to_string(options.kind), std::countr_zero(options.bits), human_bytes(options.bits / 8),
      counted(options.hashes, "hash function"), options.seed, filter.fraction_set,
      or_unknown(filter.hash_factor, "{:.4g}"), or_unknown(filter.uninterrupted, "{:.4g}"));
  if (options.kind == FilterKind::kBlocked) {
    return text + "coverage: no estimate (only possible with --filter classic)\n";
  }
  return text + fmt::format("coverage, estimated: {} (Stern), {} (Dillinger)\n",
                            or_unknown(coverage_by(Stern(), filter), "{:.6f}"),
                            or_unknown(coverage_by(Dillinger(), filter), "{:.6f}"));
}

std::string cache_line(const CacheFigures& cache) {
  if (cache.evicted == 0) return "cache: no state was evicted\n";
  return fmt::format("cache: {} at most, {} evicted ({})\n", counted(cache.kept, "state"),
                     with_separators(cache.evicted), to_string(cache.policy));
}

std::string swarm_line(const SwarmFigures& swarm) {
  std::uint64_t sum = 0;
  for (const SwarmMember& member : swarm.members) sum += member.filter.states;
  if (swarm.members.empty()) return "no search was completed\n";
  return fmt::format("{}, with {} each on average{}\n", counted(swarm.members.size(), "search", "searches"),
                     counted(sum / swarm.members.size(), "state"),
                     swarm.has_stopped_growing ? "; the last two found almost no new states" : "");
}

// Only where states may be missing. The estimates from the filter alone are among its figures.
std::string coverage_line(const CheckReport& report) {
  const Coverage& coverage = *report.coverage;
  const bool is_all_there_is =
      report.options.coverage == CoverageEffort::kFull || report.result.limit == LimitHit::kInterrupted;
  const char* const hint = is_all_there_is ? "" : "; --coverage full is more exact";
  if (!coverage.chosen)
    return fmt::format("coverage: the share of states seen cannot be estimated{}\n", hint);
  if (coverage.method == "exhaustive" || coverage.method == "omission_bound" || !coverage.chosen->interval)
    return {};
  const Interval& interval = *coverage.chosen->interval;
  if (coverage.method == "count") {
    return fmt::format("coverage: {:.3g} % of the states were seen ({})\n", 100 * coverage.chosen->coverage,
                       method_in_words(coverage.method));
  }
  return fmt::format(
      "coverage: about {:.3g} % of the states were seen, with 90 % confidence {:.3g} to {:.3g} % ({}{})\n",
      100 * coverage.chosen->coverage, 100 * interval.low, 100 * interval.high,
      method_in_words(coverage.method), hint);
}

// The interpreter is slower, so the reason for its use is shown: the first line of it, because messages of a
// compiler are long.
std::string execution_line(const Execution& execution) {
  const std::string& reason = execution.no_native_code;
  if (execution.tier != Execution::Tier::kInterpreter || reason.empty()) return {};
  return fmt::format("interpreted, without native code: {}\n",
                     escape_controls(reason.substr(0, reason.find('\n'))));
}

// Statements of one source line share a line: "  leader.pml:12  x = 1; skip".
std::string unreached_section(const CheckReport& report, const SourceSet& sources, bool all) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const Element*>> lines;
  for (const Element& element : report.unreached) {
    lines[{element.position.file, element.position.line}].push_back(&element);
  }
  std::vector<std::pair<std::string, std::string>> rows;
  std::size_t width = 0;
  for (const auto& [line, elements] : lines) {
    std::string texts;
    for (const Element* element : elements) {
      texts += (texts.empty() ? "" : "; ") + escape_controls(element->text);
    }
    rows.emplace_back(place_label(sources, elements.front()->position), std::move(texts));
    width = std::max(width, display_width(rows.back().first));
  }
  std::string text = fmt::format("\nnever reached: {} on {}\n", counted(report.unreached.size(), "statement"),
                                 counted(rows.size(), "line"));
  const std::size_t shown = all ? rows.size() : std::min(rows.size(), kShortUnreached);
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("  {}  {}\n", pad_right(rows[i].first, width), rows[i].second);
  }
  if (shown < rows.size()) {
    text += fmt::format("  and {} more (--unreached lists all)\n", counted(rows.size() - shown, "line"));
  }
  return text;
}

// After an incomplete search many statements are unreached, and the list is not meaningful.
bool is_complete(const CheckReport& report) {
  if (report.result.limit) return false;
  return !std::holds_alternative<Violated>(report.result.outcome) || report.options.all_errors;
}

// Labels, which are claims only where one asks for them. Without --property nothing else is left out.
std::string not_checked_lines(const CheckReport& report, const SourceSet& sources) {
  std::string text;
  for (const NotChecked& left : report.not_checked) {
    if (report.hunt) {
      text += fmt::format("\nnot hunted: {} at {} (spoor check --property {} decides it)\n", left.property,
                          place_label(sources, left.position), left.property);
      continue;
    }
    text += fmt::format("\nnot checked: {}, {}at {} (--property {} does)\n",
                        counted(left.labels, left.property + " label"), left.labels > 1 ? "the first " : "",
                        place_label(sources, left.position), left.property);
  }
  return text;
}

// The vacuous premises of a formula that holds.
std::string vacuity_lines(const CheckReport& report, const SourceSet& sources) {
  std::string text;
  for (const Premise& premise : report.vacuous) {
    const std::string place = place_label(sources, premise.position);
    text += fmt::format("\n{}{} is never true there, so the right side of its -> was never required\n",
                        place.empty() ? "" : place + ": ", escape_controls(premise.text));
  }
  return text;
}

std::string one_report(const CheckReport& report, bool is_alone, const SourceSet& sources,
                       const TextOptions& options) {
  std::string text = verdict_line(report, sources, options.colour) + "\n";
  if (!is_alone) text = report.property + ": " + text;
  if (options.quiet || !report.why_not_checked.empty() || report.is_trivial) return text;
  text += vacuity_lines(report, sources);
  for (std::size_t i = 0; i < report.violations.size(); ++i) {
    text += trace_section(report, i, sources, options);
  }
  text += report.hunt ? hunt_lines(report) : figures(report);
  if (report.swarm) text += swarm_line(*report.swarm);
  if (report.result.filter) text += filter_lines(*report.result.filter);
  if (const auto& cache = report.result.cache) text += cache_line(*cache);
  if (report.coverage) text += coverage_line(report);
  text += execution_line(report.execution);
  if (const auto& checked = report.reduction_check) {
    text += fmt::format("reduction checked at {}: {} of steps commute\n", counted(checked->states, "state"),
                        counted(checked->pairs, "pair"));
  }
  const bool undecided_too = report.result.limit && std::holds_alternative<Violated>(report.result.outcome);
  if (undecided_too && !report.hunt) {
    text += fmt::format("the search is incomplete: {}\n", why_undecided(*report.result.limit, report));
  }
  const bool list_unreached =
      report.with_unreached && !report.unreached.empty() && (options.all_unreached || is_complete(report));
  if (list_unreached) text += unreached_section(report, sources, options.all_unreached);
  return text;
}

}  // namespace

std::string text_report(const std::vector<CheckReport>& reports, const SourceSet& sources,
                        const TextOptions& options) {
  std::string text;
  for (const CheckReport& report : reports) {
    if (!text.empty() && !options.quiet) text += "\n";
    text += one_report(report, reports.size() == 1, sources, options);
  }
  // A user who names a property knows that it is the only one.
  const CheckReport& first = reports.front();
  if (!options.quiet && first.options.property.empty()) text += not_checked_lines(first, sources);
  return text;
}

}  // namespace spoor
