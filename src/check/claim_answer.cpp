#include "check/claim_answer.h"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/process_time.h"
#include "evidence/claim_recording.h"
#include "evidence/ledger.h"
#include "search/stops_after_states.h"

namespace spoor {
namespace {

std::string file_of(const LoadedModel& model, const ClaimChoice& claim, const CheckContext& context) {
  const std::string premise =
      claim.without_conclusion ? std::to_string(*claim.without_conclusion) : std::string();
  return claim_file(context.control.recording,
                    fmt::format("{} {} {} {}", static_cast<int>(claim.kind), model.claim.name,
                                context.options.model.is_fair, premise));
}

// Shares of the recorded states. The same bound as in check/regression.cpp; for claims it was not measured by
// itself, and what a search of the recorded graph costs is in docs/adr/0022.
constexpr double kMostTouched = 0.4;
// Expanded, whether touched or new, before the search gives up.
constexpr double kMostExpanded = 0.7;
// A graph of so few states is searched in no time.
constexpr std::uint64_t kSmall = 1000;

// Ends a search when the graph has expanded too many states.
class StopsAfterExpansions : public Observer {
 public:
  StopsAfterExpansions(const ClaimGraph& graph, std::uint64_t most) : graph_(graph), most_(most) {}
  std::unique_ptr<WorkerObserver> make_worker_observer() override { return std::make_unique<Worker>(*this); }

 private:
  class Worker : public WorkerObserver {
   public:
    explicit Worker(const StopsAfterExpansions& all) : all_(all) {}
    bool wants_steps() const override { return false; }
    Visit on_state(const StateEvent&) override {
      return all_.graph_.expanded() > all_.most_ ? Visit::kStop : Visit::kExpand;
    }

   private:
    const StopsAfterExpansions& all_;
  };

  const ClaimGraph& graph_;
  const std::uint64_t most_;
};

}  // namespace

std::unique_ptr<ClaimAnswer> ClaimAnswer::begin(const SourceModel& source, const LoadedModel& model,
                                                const ClaimChoice& claim, const CheckContext& context) {
  if (context.control.recording.empty() || !why_not_compared(source, model, context).empty() ||
      model.propositions == nullptr || !model.propositions->elements_of_atoms())
    return nullptr;
  std::unique_ptr<ClaimAnswer> answer(new ClaimAnswer(source, model, claim, context));
  if (answer->version_.path().empty()) return nullptr;
  return answer;
}

ClaimAnswer::ClaimAnswer(const SourceModel& source, const LoadedModel& model, const ClaimChoice& claim,
                         const CheckContext& context)
    : model_(model),
      has_depth_limit_(context.options.limits.depth != 0),
      cpu_before_s_(process_cpu_s()),
      version_(source, model, context.options, claim, file_of(model, claim, context)),
      records_(version_.possible(context.control.records)) {
  if (!context.control.may_use_recording || version_.path().empty()) return;
  const std::string why_not = version_.attempt([&] { return version_.read(); });
  if (version_.is_known()) figures_ = version_.figures();
  figures_.why_not = why_not;
  figures_.is_used = is_violated() == false;
  figures_.file = version_.path();
}

std::optional<bool> ClaimAnswer::is_violated() const {
  if (version_.answer() == nullptr) return std::nullopt;
  return version_.answer()->is_violated;
}

std::optional<SearchResult> ClaimAnswer::result(const RunsOptions& how, const SearchOptions& wanted) {
  if (is_violated() == false) return version_.result();
  const bool can_be_graph = !how.is_fair && !how.check_reduction && !model_.claim.has_inner_labels &&
                            how.threads <= 1 && !has_depth_limit_;
  if (!can_be_graph) return std::nullopt;
  const auto left = [&] {  // of the time
    SearchOptions options = wanted;
    options.limits = wanted.limits.after(spent_s());
    return options;
  };
  std::optional<SearchResult> found;
  if (has_graph()) found = search_first(how, left());
  if (!found && has_graph()) found = search_recorded(how, left());
  if (!found && records_graph()) found = search_and_remember(how, left());
  if (!found) return std::nullopt;
  found->statistics.elapsed_s = spent_s();
  found->statistics.cpu_s = process_cpu_s() - cpu_before_s_;
  return found;
}

std::optional<SearchResult> ClaimAnswer::search_first(const RunsOptions& how, const SearchOptions& wanted) {
  if (wanted.all_errors || figures_.recorded <= kSmall) return std::nullopt;
  StopsAfterStates stop(kFirstStates);
  SearchOptions options = wanted;
  options.reduce = false;
  options.observer = &stop;
  options.threads = 1;
  const auto runs = runs_of(*model_.system, *model_.propositions, model_.claim, how.is_fair);
  SearchResult result = search_runs(*runs, how, options);
  if (!std::holds_alternative<Violated>(result.outcome)) return std::nullopt;
  figures_.why_not = "not needed: the error is near the initial state";
  return result;
}

std::string ClaimAnswer::read_graph() {
  recording_ = load_recording(version_.file(), {.reachable = true});
  recording_.answer.reset();  // its figures are those of the product, and not of the graph
  std::string why_not;
  const double least_usable = recording_.states.size() <= kSmall ? 0 : 1 - kMostTouched;
  known_ = KnownGraph::make(recording_, *version_.model().system, *model_.system, {1, true, least_usable},
                            why_not);
  return why_not;
}

std::optional<SearchResult> ClaimAnswer::search_recorded(const RunsOptions& how,
                                                         const SearchOptions& wanted) {
  std::optional<SearchResult> found;
  figures_.why_not = version_.attempt([&]() -> std::string {
    if (std::string why_not = read_graph(); !why_not.empty()) return why_not;
    graph_ = std::make_unique<const ClaimGraph>(*known_, *model_.system, *model_.propositions, wanted.reduce);
    most_expanded_ = std::max(
        kSmall, static_cast<std::uint64_t>(kMostExpanded * static_cast<double>(recording_.states.size())));
    found = wanted.reduce ? search_plan(how, wanted) : search_graph(how, wanted);
    return found ? "" : "too many states are touched by this edit, or new";
  });
  if (!found) forget_graph();
  figures_.is_used = found.has_value();
  if (found) figures_.expanded = graph_->expanded();
  return found;
}

std::optional<SearchResult> ClaimAnswer::search_plan(const RunsOptions& how, const SearchOptions& wanted) {
  constexpr std::uint64_t kAtOnce = 4096;  // states
  const Budget budget(wanted.limits);
  plan_ = std::make_unique<ReductionPlan>();
  plan_->begin(*graph_, *graph_, wanted);
  std::optional<LimitHit> cut;
  for (std::uint64_t states = kAtOnce; !cut && !plan_->is_complete(); states += kAtOnce) {
    if (graph_->expanded() > most_expanded_) return std::nullopt;
    cut = plan_->advance(states);
  }
  if (cut) {
    SearchResult result;
    result.outcome = Unknown{*cut};
    result.limit = cut;
    return cut == LimitHit::kInterrupted ? std::optional(result) : std::nullopt;
  }
  SearchOptions options = wanted;
  options.threads = 1;
  options.limits = budget.part({.held_bytes = plan_->memory_bytes() + graph_->memory_bytes()});
  const auto runs = runs_of(plan_->system(), plan_->propositions(), model_.claim, how.is_fair);
  SearchResult result = search_runs(*runs, how, options);
  result.statistics.memory_bytes += plan_->memory_bytes() + graph_->memory_bytes();
  return finished(std::move(result));
}

std::optional<SearchResult> ClaimAnswer::search_and_remember(const RunsOptions& how,
                                                             const SearchOptions& wanted) {
  recording_ = {};
  std::string unused;
  known_ = KnownGraph::make(recording_, *model_.system, *model_.system, {}, unused);
  if (known_ == nullptr) return std::nullopt;
  graph_ = std::make_unique<const ClaimGraph>(*known_, *model_.system, *model_.propositions, false);
  most_expanded_ = UINT64_MAX;
  StopsAfterStates stop(kFirstStates);
  SearchOptions options = wanted;
  if (wanted.reduce) options.observer = &stop;
  std::optional<SearchResult> found = search_graph(how, options);
  if (!found) forget_graph();
  return found;
}

std::optional<SearchResult> ClaimAnswer::search_graph(const RunsOptions& how, SearchOptions options) {
  StopsAfterExpansions stop(*graph_, most_expanded_);
  options.reduce = false;
  options.threads = 1;
  if (options.observer == nullptr && most_expanded_ != UINT64_MAX) options.observer = &stop;
  SearchResult result =
      search_runs(*runs_of(*graph_, *graph_, model_.claim, how.is_fair), how, std::move(options));
  if (result.limit == LimitHit::kObserver) return std::nullopt;
  return finished(std::move(result));
}

SearchResult ClaimAnswer::finished(SearchResult result) const {
  for (Violation& violation : result.violations) violation.steps = graph_->steps_below(violation.steps);
  result.executed = executed_so_far(*known_, graph_->executed(), model_.system->statements().size());
  return result;
}

void ClaimAnswer::forget_graph() {
  plan_.reset();
  graph_.reset();
  known_.reset();
  recording_ = {};
}

void ClaimAnswer::keep(const SearchResult& result, const ReductionPlan* plan) {
  // With a limit on the depth there are fewer reductions, and other figures.
  if (records_ == RecordingChoice::kNothing || has_depth_limit_ || version_.answer() != nullptr) return;
  RecordingHead head = version_.head_of(result);
  if (!head.answer || result.executed.size() != model_.system->statements().size()) return;
  // Where the file is worth more than what this check could write, it stays: a graph, and an answer that the
  // next version may not have. Without a plan a graph cannot be written where the states have another layout.
  const bool adds_to_file = figures_.is_used && plan_ == nullptr;
  if (has_graph() && (head.answer->is_violated || (adds_to_file && !known_->is_identity()))) return;
  head.elements = elements_after(*model_.system, result.executed);
  const std::vector<std::uint32_t> of_atoms = *model_.propositions->elements_of_atoms();
  head.elements.insert(head.elements.end(), of_atoms.begin(), of_atoms.end());
  // Where a statement of the recording is several in this version, or none, it is not known which are
  // executed.
  if (known_ != nullptr && !known_->knows_all_statements()) {
    for (std::uint32_t i = 0; i < model_.system->elements().size(); ++i) head.elements.push_back(i);
  }
  std::ranges::sort(head.elements);
  head.elements.erase(std::unique(head.elements.begin(), head.elements.end()), head.elements.end());
  try {
    save_to(head, result, plan);
    figures_.is_recorded = true;
    figures_.file = version_.path();
  } catch (const FramedFileError& error) {
    figures_.why_not_recorded = std::string("not recorded: the recording ") + error.what();
  } catch (const std::bad_alloc&) {
    figures_.why_not_recorded = "not recorded: there is not enough memory for the recording";
  }
}

void ClaimAnswer::save_to(const RecordingHead& head, const SearchResult& result, const ReductionPlan* plan) {
  const bool is_graph = !head.answer->is_violated && records_graph();
  if (is_graph && plan_ != nullptr) {
    save_plan(*plan_, graph_.get(), result.executed, head, version_.path());
  } else if (is_graph && plan != nullptr) {
    save_plan(*plan, nullptr, result.executed, head, version_.path());
  } else if (is_graph && graph_ != nullptr && graph_->visited() >= graph_->states() / 4) {
    save_graph({*known_, *graph_, result.executed, std::move(recording_.states),
                figures_.is_used ? &version_.file() : nullptr},
               head, version_.path());
  } else {  // also where a chain of edits has left many states behind: the next check makes a new graph
    save(head, {{}, {}, {}, {}}, version_.path());
  }
}

}  // namespace spoor
