#include "check/regression.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/process_time.h"
#include "evidence/edit_walks.h"
#include "evidence/ledger.h"
#include "search/stops_after_states.h"
#include "version.h"

namespace spoor {
namespace {

// The recording of so few states is read and walked in no time.
constexpr std::uint64_t kSmall = 1000;
// A full check of so few states takes no longer than a user waits for anyway, and has exact figures.
constexpr std::uint64_t kShort = 100'000;

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

// Shares of the recorded states that a closure check may execute: those that the edit touches, and together
// with those that are new. To read the states takes 0.2 of a full check; to execute one takes twice as long
// as in a search, because it is decoded, and each of its successors is looked up among encoded ones.
constexpr double kMostTouchedStates = 0.25;
constexpr double kMostExpandedStates = 0.35;
// As far as can be told before the recording is read. It is lower, because states are read in vain otherwise.
constexpr double kMostExpectedStates = 0.2;

// A closure check that has expanded less than one of so many recorded states leaves the recording as it is:
// to copy it takes 5 % of a full check, and the next version, which is then compared with the recorded one,
// costs less.
constexpr std::uint64_t kCopiedPart = 64;

// Where states have another layout, a walk translates them and records them anew when the edits since the
// recording touch one of so many: that takes a third to a half of a check. After a closure check it is never
// worth that: where edits add up to more than it may execute, a full check records anew.
constexpr std::uint64_t kTranslatedPart = 12;

// Before a recording is read, one state of so many is searched, to find errors near the initial state, and
// random walks take one step for so many states: each 1.5 % of a full check, where reading takes 15 to 30 %.
constexpr std::uint64_t kEarlyPart = 64;
// More steps say little more, and cost more than an attempt that they prevent.
constexpr std::uint64_t kMostWalkSteps = 100'000;

}  // namespace

std::string Regression::why_not_recorded(const SourceModel& source, const LoadedModel& model,
                                         const CheckContext& context) {
  const CheckOptions& options = context.options;
  // Where the search cannot reduce, the model does not leave out steps, whatever its reductions are called.
  if (model.reductions.stubborn || (model.reductions.order && !can_reduce(options.order, options.store)))
    return "not recorded: the steps that are left out depend on more than the model's elements";
  return why_not_compared(source, model, context);
}

std::unique_ptr<Regression> Regression::begin(const SourceModel& source, const LoadedModel& model,
                                              const CheckContext& context) {
  if (context.control.recording.empty() || !why_not_recorded(source, model, context).empty()) return nullptr;
  std::unique_ptr<Regression> regression(new Regression(source, model, context));
  if (context.control.may_use_recording) regression->read_head();
  return regression;
}

Regression::Regression(const SourceModel& source, const LoadedModel& model, const CheckContext& context)
    : source_(source),
      model_(model),
      wanted_(context.options),
      cpu_before_s_(process_cpu_s()),
      version_(source, model, context.options, {}, context.control.recording),
      latest_(source, model, context.options, {},
              claim_file(context.control.recording, "the answer about a version that was not recorded")),
      records_(version_.possible(context.control.records)) {}

void Regression::read_head() {
  std::string why_not = version_.attempt([&] { return version_.read(); });
  if (version_.is_known()) figures_ = version_.figures();
  if (version_.answer() != nullptr) {
    answered_by_ = &version_;
  } else if (!latest_.path().empty() && latest_.attempt([&] { return latest_.read(); }).empty() &&
             latest_.is_known() && latest_.answer() != nullptr) {
    answered_by_ = &latest_;
    figures_ = latest_.figures();
    figures_.recorded = latest_.answer()->states;
    why_not.clear();
  }
  figures_.why_not = std::move(why_not);
}

// An error near the initial state is found in less time than the recording is read in. Only an answer that
// was not cut short counts: it is that of a full check.
std::optional<SearchResult> Regression::find_early(const SearchOptions& options) {
  if (options.all_errors || figures_.recorded <= kSmall) return std::nullopt;
  StopsAfterStates stop(std::max<std::uint64_t>(kSmall, figures_.recorded / kEarlyPart));
  SearchOptions first = options;
  first.threads = 1;  // each of several would search so many
  first.observer = &stop;
  first.progress = nullptr;
  first.progress_interval_s = 0;
  SearchResult result = search(*model_.system, first);
  if (result.limit || !std::holds_alternative<Violated>(result.outcome)) return std::nullopt;
  return result;
}

bool Regression::is_large() const { return figures_.recorded > kShort; }

// In a short check with the default technique only a walk is.
bool Regression::is_worth_reading() const {
  return wanted_.reuse != ReuseTechnique::kAuto || is_large() || version_.head().has_steps;
}

// Too much of a recording without steps is touched, or nothing of it is met. Its head tells, so that nothing
// is read in vain.
std::string Regression::why_not_read() const {
  if (has_stored_answer() || !version_.is_known() || !is_worth_reading() || version_.head().has_steps ||
      figures_.recorded <= kSmall)
    return {};
  const double share = version_.touched_share();
  if (share <= kMostTouchedStates) return {};
  return fmt::format("about {:.0f} % of the recorded states are touched by this edit, which is too many",
                     100 * share);
}

namespace {
constexpr const char* kMayFail = "the edit may lead to an error";
constexpr const char* kTooManyNew = "too many states are new";
}  // namespace

// Is a closure check not worth reading the states for? Empty: it is, as far as walks can tell.
std::string Regression::why_not_by_walks(const SearchOptions& options) {
  if (figures_.recorded <= kSmall) return {};
  const StateSample& sample = version_.head().sample;
  const std::unique_ptr<StateTranslator> back = version_.translator_back();
  EditWalkOptions how;
  how.steps = std::clamp(figures_.recorded / kEarlyPart, kSmall, kMostWalkSteps);
  how.reduces = options.reduce;
  how.counted = options.counted;
  const EditWalks walks = walk_edited(*model_.system, sample, back.get(), how);
  const double share = walks.share_of_new(sample);
  figures_.walks = WalkFigures{walks.steps, walks.different, walks.known, share, walks.has_error};
  if (walks.has_error) return kMayFail;
  if (version_.touched_share() + share / (1 - share) > kMostExpectedStates) return kTooManyNew;
  return {};
}

std::string Regression::use_recording(const SearchOptions& options, std::optional<SearchResult>& found) {
  const bool may_close =
      wanted_.reuse != ReuseTechnique::kWalk && (wanted_.reuse == ReuseTechnique::kClosure || is_large());
  std::string why_not = may_close ? why_not_by_walks(options) : "the recording has no steps";
  if (!why_not.empty() && !version_.head().has_steps) return why_not;
  recording_ = load_states(version_.file());
  if (why_not.empty()) {
    why_not = check_closure(options, found);
    if (found) return {};
    closure_.reset();
    graph_.reset();
  }
  if (!recording_.has_steps) return why_not;
  load_steps(version_.file(), recording_);
  why_not = read_graph();
  return why_not.empty() ? use_graph(options, found) : why_not;
}

std::string Regression::check_closure(const SearchOptions& options, std::optional<SearchResult>& found) {
  if (!recording_.answer || !recording_.is_closed || options.limits.depth != 0)
    return "the recorded check did not see all states";
  const TransitionSystem& before = *version_.model().system;
  const std::uint64_t recorded = recording_.states.size();
  KnownGraphOptions how;
  how.needs_steps = false;
  how.reads_later = true;
  std::string why_not;
  graph_ = KnownGraph::make(recording_, before, *model_.system, how, why_not);
  if (graph_ == nullptr) return why_not;
  const auto most_new = static_cast<std::uint64_t>(
      std::max(0.0, kMostExpandedStates - version_.touched_share()) * static_cast<double>(recorded));
  closure_.emplace(
      *graph_, before, *model_.system,
      ClosureOptions{options.reduce && recording_.is_ordered, records_ != RecordingChoice::kNothing,
                     std::max<std::uint64_t>(kSmall, most_new), options.limits.after(spent_s()),
                     options.counted});
  if (recorded > kSmall && closure_->may_fail_early()) return kMayFail;
  graph_->read_states();
  switch (closure_->run()) {
    case ClosureCheck::Answer::kHolds: found = closure_->result(); return {};
    case ClosureCheck::Answer::kError: return kMayFail;
    case ClosureCheck::Answer::kTooMany: return kTooManyNew;
    case ClosureCheck::Answer::kLimit: return "a limit was reached before it could be";
  }
  return {};
}

std::string Regression::read_graph() {
  std::string why_not;
  KnownGraphOptions how;
  how.threads = std::max(1u, wanted_.threads);
  how.least_usable = recording_.states.size() <= kSmall ? 0 : 1 - kMostTouched;
  graph_ = KnownGraph::make(recording_, *version_.model().system, *model_.system, how, why_not);
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
  recording_ = load_recording(version_.file(), {.steps = true});
  std::string why_not;
  pruned_ = PrunedSystem::make(recording_, *version_.model().system, *model_.system, why_not);
  if (pruned_ == nullptr) {
    recording_ = {};
    return why_not;
  }
  return {};
}

std::string Regression::use_graph(const SearchOptions& options, std::optional<SearchResult>& found) {
  if (options.order == Order::kBreadthFirst && options.limits.depth == 0) {
    walk_.emplace(
        *graph_, *model_.system,
        WalkOptions{options.reduce, wanted_.model.deadlocks_only, records_ != RecordingChoice::kNothing,
                    kMostExecuted, options.limits.after(spent_s()), options.counted});
    found = walk_->run();
    if (found) return {};
    if (walk_->has_reached_limit()) return "a limit was reached before it could be";
    if (walk_->has_executed_too_many()) return "too many states are touched by this edit, or new";
    walk_.reset();
  }
  graph_->require_states();
  recorded_.emplace(*graph_, *model_.system, wanted_.model.deadlocks_only);
  return {};
}

std::optional<SearchResult> Regression::answer(const SearchOptions& options) {
  const auto take = [&](SearchResult result) {
    result.store = wanted_.store == StoreKind::kAuto ? StoreKind::kExact : wanted_.store;
    result.statistics.elapsed_s = began_.elapsed_s();
    result.statistics.cpu_s = process_cpu_s() - cpu_before_s_;
    return result;
  };
  if (has_stored_answer()) return take(answered_by_->result());
  const bool prunes = wanted_.reuse == ReuseTechnique::kPrune;
  figures_.why_not += why_not_read();
  if (version_.is_known() && figures_.recorded != 0 && is_worth_reading() && figures_.why_not.empty()) {
    if (!prunes) {
      if (std::optional<SearchResult> found = find_early(options)) {
        figures_.why_not = "not needed: the error is near the initial state";
        is_found_early_ = true;
        return take(std::move(*found));
      }
    }
    std::optional<SearchResult> found;
    figures_.why_not =
        version_.attempt([&] { return prunes ? read_reachable_sets() : use_recording(options, found); });
    if (found) return take(std::move(*found));
    if (!figures_.why_not.empty()) {
      closure_.reset();
      walk_.reset();
      graph_.reset();
      recording_ = {};
    }
  }
  if (records_ != RecordingChoice::kNothing && pruned_ == nullptr) {
    recorder_.emplace(system(), std::filesystem::path(version_.path()).parent_path().string(),
                      records_ == RecordingChoice::kGraph || recorded_.has_value(),
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
  RecordingHead head = version_.head_of(report.result);
  if (head.answer && head.answer->is_violated) head.answer.reset();
  if (head.answer) head.answer->is_bound = report.reuse->is_bound;
  return head;
}

// The graph is read from the file that was just written: with this technique time is not the point.
void Regression::add_reachable_sets() const {
  try {
    FramedReader file(version_.path(), kRecordingFormat);
    const Recording made = load_recording(file);
    const ReachableSets reachable = reachable_sets(made, *model_.system);
    go_to_states(file);
    save(made, {made.executed, made.states.shapes_text(), {{&file}}, {{&file}}, &reachable}, version_.path());
  } catch (const std::bad_alloc&) {
    return;  // the recording is as good as that of another check
  }
}

void Regression::save_recording(const CheckReport& report, bool is_whole) {
  RecordingHead head = head_of(report);
  const std::uint64_t expanded = report.reuse->expanded;
  const bool is_moved = graph_ != nullptr && !graph_->is_identity();
  const bool stays = closure_ ? is_moved || expanded < figures_.recorded / kCopiedPart
                              : is_moved && expanded < figures_.recorded / kTranslatedPart;
  if (stays && !latest_.path().empty()) {
    head.elements = closure_ ? closure_->elements() : elements_after(*model_.system, report.result.executed);
    return save(head, {{}, {}, {}, {}}, latest_.path());
  }
  if (closure_)
    return closure_->save(std::move(head), std::move(recording_.states), version_.file(), version_.path());
  if (walk_)
    return walk_->save(std::move(head), std::move(recording_.states), version_.file(), version_.path());
  head.elements = elements_after(*model_.system, report.result.executed);
  // Without steps, the states of a search that has not seen all are of no use.
  if (!recorder_->with_steps() && !is_whole) return save(head, {{}, {}, {}, {}}, version_.path());
  recorder_->save(std::move(head), version_.path());
  const bool is_cut = std::holds_alternative<Unknown>(report.result.outcome);
  if (wanted_.reuse == ReuseTechnique::kPrune && !is_cut) add_reachable_sets();
}

void Regression::finish(CheckReport& report) {
  ReuseFigures& reuse = report.reuse.emplace();
  reuse = figures_;
  reuse.file = has_stored_answer() ? answered_by_->path() : version_.path();
  reuse.is_used = graph_ != nullptr || pruned_ != nullptr || has_stored_answer();
  if (pruned_ != nullptr) {
    reuse.pruned = pruned_->pruned();
    reuse.expanded =
        report.result.statistics.states - std::min(reuse.pruned, report.result.statistics.states);
    return;
  }
  if (is_found_early_) return;
  reuse.is_bound = closure_.has_value() || (has_stored_answer() && answered_by_->answer()->is_bound);
  if (closure_) reuse.expanded = closure_->expanded();
  if (walk_) reuse.expanded = walk_->expanded();
  if (has_stored_answer()) return;  // the file is as good as one that this check could write
  if (recorded_) {
    reuse.expanded = recorded_->expanded();
    for (Violation& violation : report.result.violations)
      violation.steps = recorded_->steps_below(violation.steps);
  }
  if (records_ == RecordingChoice::kNothing) return;
  const bool is_whole = std::holds_alternative<Holds>(report.result.outcome);
  if (recorder_) {
    reuse.why_not_recorded = recorder_->why_not();
    if (!reuse.why_not_recorded.empty()) return;
    // What a check that a limit or an error has ended knows does not replace what is worth more: when the
    // error is mended, the next version is compared with the one before it.
    if (!is_whole && recorder_->state_count() < figures_.recorded) return;
  }
  try {
    save_recording(report, is_whole);
    reuse.is_recorded = true;
  } catch (const FramedFileError& error) {
    reuse.why_not_recorded = fmt::format("the recording '{}' {}", version_.path(), error.what());
  } catch (const std::bad_alloc&) {
    reuse.why_not_recorded = "not recorded: there is not enough memory for the recording";
  }
}

}  // namespace spoor
