// The coverage that `spoor check` reports by default after a long search, measured on short ones.
//
//   long_search MODEL REDUCE BITS SECONDS,SECONDS,... [-DNAME=VALUE]...
//
// Makes one search with a filter of BITS and three hash functions, and then asks for its coverage as if it
// had taken each of these times: all times of the product are divided by the same number. So the models of
// the lab and of the corpus, whose number of states is known, show what a search of ten minutes would
// report. Once with the count that may follow the first probes, and once without, as where memory is short.
// One line of JSON per answer.
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "check/check_coverage.h"
#include "check/front_end.h"
#include "store/filter.h"

namespace spoor {
namespace {

constexpr std::uint64_t kMemory = std::uint64_t{3} << 30;
constexpr double kMostSeconds = 60;
constexpr unsigned kThreads = 2;

// The end of a line of JSON: the estimate, and its interval.
std::string text_of(const Estimate& estimate) {
  std::string text = fmt::format(R"("estimate":{:.6f})", estimate.coverage);
  if (const auto& interval = estimate.interval)
    return text + fmt::format(R"(,"low":{:.6f},"high":{:.6f})", interval->low, interval->high);
  return text + R"(,"low":null,"high":null)";
}

void print_coverage(CheckReport report, const LoadedModel& model, const SearchOptions& options,
                    double as_if_seconds, bool counts) {
  const double second = report.result.statistics.elapsed_s / as_if_seconds;
  CoverageTimes times;
  times.long_search *= second;
  times.least_for_count *= second;
  times.least_for_probes *= second;
  times.most_for_probes *= second;
  times.counts_after_long_search = counts;
  const Budget clock;
  const std::optional<Coverage> coverage = coverage_of(report, model, options, times);
  const double cost = clock.elapsed_s() / second;
  const Statistics& search = report.result.statistics;
  fmt::print(R"({{"states":{},"search_s":{:.4f},"as_if_s":{},"counts":{},"cost_s":{:.2f},"method":"{}",{}}})"
             "\n",
             search.states, search.elapsed_s, as_if_seconds, counts, cost, coverage ? coverage->method : "",
             coverage && coverage->chosen ? text_of(*coverage->chosen)
                                          : R"("estimate":null,"low":null,"high":null)");
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 4) return 2;
  ModelOptions how;
  how.reduce = words[1];
  for (std::size_t i = 4; i < words.size(); ++i) how.defines.push_back(words[i].substr(2));
  InputError error;
  const std::optional<LoadedModel> model = load_model(words[0], how, ExecutionChoice::kNative, error);
  if (!model) return 2;
  CheckReport report;
  report.property = "safety";
  report.options.all_errors = true;
  report.options.coverage_threads = kThreads;
  SearchOptions options;
  options.store = report.options.store = StoreKind::kBitstate;
  options.filter = {std::strtoull(words[2].c_str(), nullptr, 10), 3, FilterKind::kClassic, 1, true};
  options.limits.memory_bytes = kMemory;
  options.limits.seconds = kMostSeconds;
  options.all_errors = true;
  options.counted = FindingKinds::none();
  options.reduce = model->reductions.order;
  report.result = search(*model->system, options);
  if (report.result.limit) return 3;
  options.limits.seconds = 0;
  std::string text = words[3] + ",";
  for (std::size_t end = text.find(','); end != std::string::npos; end = text.find(',')) {
    for (const bool counts : {true, false})
      print_coverage(report, *model, options, std::strtod(text.c_str(), nullptr), counts);
    text.erase(0, end + 1);
  }
  return 0;
}

}  // namespace
}  // namespace spoor

int main(int count, char** words) { return spoor::run({words + 1, words + count}); }
