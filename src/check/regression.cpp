#include "check/regression.h"

#include <algorithm>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "base/process_time.h"
#include "search/stops_after_states.h"
#include "version.h"

namespace spoor {
namespace {

// The recording of so few states is read and walked in no time.
constexpr std::uint64_t kSmall = 1000;

// Shares of the steps. Measured in multiples of a full check: 0.4 to read the recording and walk it, of which
// 0.15 to 0.3 are spent before it is known what the edit touches. To execute a step takes 1.4 times (the
// lab's alarm clock) to 2.3 times (elevator) as long as in a search, because states are decoded, translated
// and looked up once more. So a walk that executes 0.28 to 0.46 of the steps takes as long as a full check.
//
// Of the steps that the edit touches; by then a recording that is not used has cost what it costs, and a walk
// that executes 0.35 to 0.57 of the steps is the better choice. States that are new come on top.
constexpr double kMostTouched = 0.4;
// Of the steps so far, when a part of the walk is done. The rest takes as long as a full check at 0.43 to
// 0.7; the larger one, because a walk begins with more touched states than it has later (alarm clock: over
// 0.5 at first, less in the end, and the whole walk is as fast as a full check).
constexpr double kMostExecuted = 0.7;

// One state of so many is searched before a recording is read, to find errors near the initial state: 3 % of
// a full check, where reading takes 15 to 30 %.
constexpr std::uint64_t kEarlyPart = 32;

constexpr const char* kNoMemory = "there is not enough memory for the recording";

// What must be equal for a recording to be of use, apart from the model.
std::string options_text(const CheckOptions& options, const LoadedModel& model) {
  return fmt::format("spoor {} reductions {} strict {} lose {} deadlocks-only {} end-states {}", kVersion,
                     to_text(model.reductions), options.model.strict, options.model.lose_messages,
                     options.model.deadlocks_only, options.end_states);
}

}  // namespace

std::string Regression::why_not_recorded(const SourceModel& source, const LoadedModel& model,
                                         const CheckContext& context) {
  const CheckOptions& options = context.options;
  const CheckpointOptions& checkpoint = context.control.checkpoint;
  const StoreTraits& store = traits_of(options.store);
  if (!store.keeps_states || !store.names_states || store.confuses_states || store.forgets_states)
    return "not recorded: the store does not keep states";
  if (options.swarm + options.repeat != 0 || options.check_reduction ||
      !(checkpoint.save + checkpoint.resume).empty())
    return "not recorded: only a single search without checkpoints is";
  // Where the search cannot reduce, the model does not leave out steps, whatever its reductions are called.
  if (model.reductions.stubborn || (model.reductions.order && !can_reduce(options.order, options.store)))
    return "not recorded: the steps that are left out depend on more than the model's elements";
  if (!source.standalone_text()) return "not recorded: a formula is given, or the model is a graph";
  if (model.system->layout() == nullptr) return "not recorded: the model has embedded C";
  return {};
}

std::unique_ptr<Regression> Regression::begin(const SourceModel& source, const LoadedModel& model,
                                              const CheckContext& context) {
  if (context.control.recording.empty() || !why_not_recorded(source, model, context).empty()) return nullptr;
  std::unique_ptr<Regression> regression(new Regression(source, model, context));
  if (context.control.may_use_recording)
    regression->figures_.why_not = regression->attempt([&] { return regression->read_head(); });
  return regression;
}

Regression::Regression(const SourceModel& source, const LoadedModel& model, const CheckContext& context)
    : source_(source),
      model_(model),
      file_(context.control.recording),
      wanted_(context.options),
      options_(options_text(context.options, model)),
      may_record_(context.control.may_record),
      cpu_before_s_(process_cpu_s()) {}

std::string Regression::read_old_version(const std::string& text) {
  ModelOptions options = wanted_.model;
  options.defines.clear();  // the text has been preprocessed
  options.reduce = to_text(model_.reductions);
  InputError error;
  old_source_ = source_.other_version(text, options, error);
  if (old_source_ != nullptr)
    old_model_ = old_source_->load(options, ExecutionChoice::kInterpreter, {}, error);
  return old_model_ ? "" : "the recording is not of a model that this version of spoor can read";
}

// No state that was searched has an element that is changed, and the initial state is the same: then the
// graph is the same, and a search of the same order has the same figures.
std::optional<SearchResult> Regression::answer_of(const RecordingHead& head,
                                                  const ElementComparison& comparison) const {
  const TransitionSystem& before = *old_model_->system;
  const TransitionSystem& after = *model_.system;
  if (!head.answer || head.answer->order != static_cast<std::uint64_t>(wanted_.order) ||
      wanted_.limits.depth != 0)
    return std::nullopt;
  const bool is_changed = std::ranges::any_of(head.elements, [&](std::uint32_t element) {
    return element >= comparison.is_changed.size() || comparison.is_changed[element];
  });
  if (is_changed) return std::nullopt;
  const auto translator = before.layout()->translator_to(*after.layout(), comparison);
  std::vector<std::byte> initial;
  if (translator == nullptr || !translator->translate(before.initial_state(), initial) ||
      initial != after.initial_state())
    return std::nullopt;
  const std::vector<std::uint32_t> statements = before.layout()->statements_in(*after.layout(), comparison);
  SearchResult result;
  result.executed.resize(after.statements().size());
  for (const std::uint32_t statement : head.answer->executed) {
    if (statement >= statements.size() || statements[statement] == ElementComparison::kNothing)
      return std::nullopt;
    result.executed[statements[statement]] = 1;
  }
  result.outcome = Holds{};
  Statistics& figures = result.statistics;
  figures.states = head.answer->states;
  figures.transitions = head.answer->transitions;
  figures.matched = head.answer->matched;
  figures.inner_steps = head.answer->inner_steps;
  figures.depth = head.answer->depth;
  return result;
}

std::string Regression::attempt(const std::function<std::string()>& read) const {
  try {
    return read();
  } catch (const FramedFileError& error) {
    return set_aside(error);
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  }
}

std::string Regression::read_head() {
  std::error_code ignored;
  if (!std::filesystem::exists(file_, ignored)) return {};
  old_file_.emplace(file_, kRecordingFormat);
  const RecordingHead head = load_recording_head(*old_file_);
  if (head.options != options_) return "the recording is of a check with other options";
  if (std::string reason = read_old_version(head.text); !reason.empty()) return reason;
  const TransitionSystem& before = *old_model_->system;
  if (before.layout() == nullptr) return "states of the recorded model cannot be compared";
  const ElementComparison comparison = compare_elements(before.elements(), model_.system->elements());
  const std::vector<bool> is_changed = changed_sets(before, comparison);
  figures_.locations = is_changed.size();
  figures_.changed = static_cast<std::uint64_t>(std::ranges::count(is_changed, true));
  figures_.recorded = head.state_count;
  stored_answer_ = answer_of(head, comparison);
  may_be_of_use_ = !stored_answer_;
  return {};
}

// An error near the initial state is found in less time than the recording is read in. Only an answer that
// was not cut short counts: it is that of a full check.
std::optional<SearchResult> Regression::find_early(const SearchOptions& options) const {
  if (options.all_errors || figures_.recorded <= kSmall) return std::nullopt;
  StopsAfterStates stop(std::max<std::uint64_t>(kSmall, figures_.recorded / kEarlyPart));
  SearchOptions first = options;
  first.observer = &stop;
  first.progress = nullptr;
  first.progress_interval_s = 0;
  SearchResult result = search(*model_.system, first);
  if (result.limit || !std::holds_alternative<Violated>(result.outcome)) return std::nullopt;
  return result;
}

std::string Regression::set_aside(const FramedFileError& error) const {
  const std::string reason = fmt::format("the recording '{}' {}", file_, error.what());
  if (error.reason() == FramedFileError::Reason::kSystem) return reason;
  // The name is one of the ledger's own, so nobody else needs the file.
  const std::string aside = file_ + ".damaged";
  std::error_code failure;
  std::filesystem::rename(file_, aside, failure);
  return failure ? reason : reason + fmt::format("; it was set aside as '{}'", aside);
}

std::string Regression::read_graph() {
  recording_ = load_recording(*old_file_, {.reachable = true});
  std::string why_not;
  const double least_usable = recording_.states.size() <= kSmall ? 0 : 1 - kMostTouched;
  graph_ = KnownGraph::make(recording_, *old_model_->system, *model_.system, std::max(1u, wanted_.threads),
                            why_not, least_usable);
  if (graph_ == nullptr) return why_not;
  const KnownGraph::Figures& figures = graph_->figures();
  if (figures.recorded <= kSmall) return {};
  if (recording_.answer && recording_.answer->states < figures.recorded / 2)
    return fmt::format("of the {} recorded states {} could be reached, which is too few", figures.recorded,
                       recording_.answer->states);
  return {};
}

std::string Regression::read_reachable_sets() {
  // A state below a pruned one may be deeper than the limit.
  if (wanted_.limits.depth != 0) return "a search with a limit on its depth is not pruned";
  recording_ = load_recording(*old_file_, {.steps = true});
  std::string why_not;
  pruned_ = PrunedSystem::make(recording_, *old_model_->system, *model_.system, why_not);
  if (pruned_ == nullptr) {
    recording_ = {};
    return why_not;
  }
  return {};
}

std::optional<SearchResult> Regression::answer(const SearchOptions& options) {
  const auto take = [&](SearchResult result) {
    result.store = wanted_.store == StoreKind::kAuto ? StoreKind::kExact : wanted_.store;
    result.statistics.elapsed_s = began_.elapsed_s();
    result.statistics.cpu_s = process_cpu_s() - cpu_before_s_;
    return result;
  };
  if (stored_answer_) return take(*stored_answer_);
  const bool prunes = wanted_.reuse == ReuseTechnique::kPrune;
  if (may_be_of_use_ && !prunes) {
    if (std::optional<SearchResult> found = find_early(options)) {
      figures_.why_not = "not needed: the error is near the initial state";
      is_found_early_ = true;
      return take(std::move(*found));
    }
  }
  if (may_be_of_use_) {
    figures_.why_not = attempt([&] { return prunes ? read_reachable_sets() : read_graph(); });
    if (!figures_.why_not.empty()) graph_.reset();
  }
  if (graph_ != nullptr) {
    try {
      if (options.order == Order::kBreadthFirst && options.limits.depth == 0) {
        walk_.emplace(*graph_, *model_.system,
                      WalkOptions{options.reduce, wanted_.model.deadlocks_only,
                                  may_record_ && graph_->is_identity(), kMostExecuted, options.limits});
        if (std::optional<SearchResult> found = walk_->run()) return take(std::move(*found));
        if (walk_->has_executed_too_many())
          figures_.why_not = "too many states are touched by this edit, or new";
        if (walk_->has_reached_limit()) figures_.why_not = "a limit was reached before it could be";
        walk_.reset();
        if (!figures_.why_not.empty()) graph_.reset();
      }
      if (graph_ != nullptr) {
        graph_->require_states();
        recorded_.emplace(*graph_, *model_.system, wanted_.model.deadlocks_only);
      }
    } catch (const FramedFileError& error) {
      figures_.why_not = set_aside(error);
      walk_.reset();
      graph_.reset();
    } catch (const std::bad_alloc&) {
      figures_.why_not = kNoMemory;
      walk_.reset();
      graph_.reset();
    }
  }
  if (may_record_ && pruned_ == nullptr) {
    recorder_.emplace(system(), std::filesystem::path(file_).parent_path().string(),
                      recorded_ ? recorded_->bytes_reader() : nullptr);
  }
  return std::nullopt;
}

const TransitionSystem& Regression::system() const {
  if (recorded_) return *recorded_;
  if (pruned_ != nullptr) return *pruned_;
  return *model_.system;
}

// What the recording of this check is about.
RecordingHead Regression::head_of(const CheckReport& report) const {
  RecordingHead head;
  head.text = *source_.standalone_text();
  head.model_sha256 = model_.sha256;
  head.options = options_;
  if (!std::holds_alternative<Holds>(report.result.outcome)) return head;
  const Statistics& figures = report.result.statistics;
  RecordedAnswer& answer = head.answer.emplace();
  answer.order = static_cast<std::uint64_t>(wanted_.order);
  answer.states = figures.states;
  answer.transitions = figures.transitions;
  answer.matched = figures.matched;
  answer.inner_steps = figures.inner_steps;
  answer.depth = figures.depth;
  const std::vector<std::uint8_t>& executed = report.result.executed;
  for (std::uint32_t i = 0; i < executed.size(); ++i) {
    if (executed[i] != 0) answer.executed.push_back(i);
  }
  return head;
}

// The graph is read from the file that was just written: with this technique time is not the point.
void Regression::add_reachable_sets() const {
  try {
    FramedReader file(file_, kRecordingFormat);
    const Recording made = load_recording(file);
    const ReachableSets reachable = reachable_sets(made, *model_.system);
    go_to_states(file);
    save(made, {made.executed, made.states.shapes_text(), {{&file}}, {{&file}}, &reachable}, file_);
  } catch (const std::bad_alloc&) {
    return;  // the recording is as good as that of another check
  }
}

void Regression::finish(CheckReport& report) {
  ReuseFigures& reuse = report.reuse.emplace();
  reuse = figures_;
  reuse.is_used = graph_ != nullptr || pruned_ != nullptr || stored_answer_;
  if (pruned_ != nullptr) {
    reuse.pruned = pruned_->pruned();
    reuse.expanded =
        report.result.statistics.states - std::min(reuse.pruned, report.result.statistics.states);
    return;
  }
  if (is_found_early_) return;
  if (walk_) reuse.expanded = walk_->expanded();
  // Where the file is as good as one that this check could write, or nearly so, it stays.
  if (stored_answer_ || (walk_ && !graph_->is_identity())) return;
  if (recorded_) {
    reuse.expanded = recorded_->expanded();
    for (Violation& violation : report.result.violations)
      violation.steps = recorded_->steps_below(violation.steps);
  }
  if (!may_record_) return;
  const bool is_cut = std::holds_alternative<Unknown>(report.result.outcome);
  if (!walk_) {
    reuse.why_not_recorded = recorder_->why_not();
    if (!reuse.why_not_recorded.empty()) return;
    // What a check that a limit or an error has ended knows does not replace what is worth more: when the
    // error is mended, the next version is compared with the one before it.
    const bool is_whole = std::holds_alternative<Holds>(report.result.outcome);
    if (!is_whole && recorder_->state_count() < figures_.recorded) return;
  }
  try {
    if (walk_) {
      walk_->save(head_of(report), std::move(recording_.states), *old_file_, file_);
    } else {
      recorder_->save(head_of(report), file_);
      if (wanted_.reuse == ReuseTechnique::kPrune && !is_cut) add_reachable_sets();
    }
    reuse.is_recorded = true;
  } catch (const FramedFileError& error) {
    reuse.why_not_recorded = fmt::format("the recording '{}' {}", file_, error.what());
  } catch (const std::bad_alloc&) {
    reuse.why_not_recorded = fmt::format("not recorded: {}", kNoMemory);
  }
}

}  // namespace spoor
