#include "check/recorded_version.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "evidence/known_graph.h"
#include "evidence/ledger.h"
#include "ltl/hoa.h"
#include "version.h"

namespace spoor {
namespace {

std::string options_text(const CheckOptions& options, const LoadedModel& model, const ClaimChoice& claim) {
  std::string text =
      fmt::format("spoor {} reductions {} strict {} lose {} deadlocks-only {} end-states {}", kVersion,
                  to_text(model.reductions), options.model.strict, options.model.lose_messages,
                  options.model.deadlocks_only, options.end_states);
  if (claim.kind == ClaimKind::kNone) return text;
  return text + fmt::format(" claim {} fair {} premise {} threads {}", static_cast<int>(claim.kind),
                            options.model.is_fair,
                            claim.without_conclusion ? std::to_string(*claim.without_conclusion) : "none",
                            options.cycle_threads > 1);
}

}  // namespace

std::string why_not_compared(const SourceModel& source, const LoadedModel& model,
                             const CheckContext& context) {
  const CheckOptions& options = context.options;
  const CheckpointOptions& checkpoint = context.control.checkpoint;
  const StoreTraits& store = traits_of(options.store);
  if (!store.keeps_states || !store.names_states || store.confuses_states || store.forgets_states)
    return "not recorded: the store does not keep states";
  if (options.swarm + options.repeat != 0 || options.check_reduction ||
      !(checkpoint.save + checkpoint.resume).empty())
    return "not recorded: only a single search without checkpoints is";
  if (!source.standalone_text())
    return "not recorded: a formula or an invariant is given, or the model is a graph";
  if (model.system->layout() == nullptr) return "not recorded: the model has embedded C";
  return {};
}

RecordedVersion::RecordedVersion(const SourceModel& source, const LoadedModel& model,
                                 const CheckOptions& wanted, const ClaimChoice& claim, std::string file)
    : source_(source),
      model_(model),
      wanted_(wanted),
      claim_(claim),
      path_(std::move(file)),
      options_(options_text(wanted, model, claim)) {}

RecordingChoice RecordedVersion::possible(RecordingChoice wanted) const {
  if (wanted == RecordingChoice::kNothing || path_.empty()) return RecordingChoice::kNothing;
  const std::string folder = std::filesystem::path(path_).parent_path().string();
  return make_ledger(folder).empty() && is_writable_folder(folder) ? wanted : RecordingChoice::kNothing;
}

std::string RecordedVersion::attempt(const std::function<std::string()>& read) const {
  try {
    return read();
  } catch (const FramedFileError& error) {
    return set_aside(error);
  } catch (const std::bad_alloc&) {
    return "there is not enough memory for the recording";
  }
}

std::string RecordedVersion::set_aside(const FramedFileError& error) const {
  const std::string reason = fmt::format("the recording '{}' {}", path_, error.what());
  if (error.reason() == FramedFileError::Reason::kSystem) return reason;
  // The name is one of the ledger's own, so nobody else needs the file.
  const std::string aside = path_ + ".damaged";
  std::error_code failure;
  std::filesystem::rename(path_, aside, failure);
  return failure ? reason : reason + fmt::format("; it was set aside as '{}'", aside);
}

std::string RecordedVersion::read() {
  std::error_code ignored;
  if (!std::filesystem::exists(path_, ignored)) return {};
  file_.emplace(path_, kRecordingFormat);
  head_ = load_recording_head(*file_);
  if (head_.options != options_) return "the recording is of a check with other options";
  if (std::string reason = load(head_.text); !reason.empty()) return reason;
  const TransitionSystem& before = *old_model_->system;
  if (before.layout() == nullptr) return "states of the recorded model cannot be compared";
  comparison_ = compare_elements(before.elements(), model_.system->elements());
  answer_ = answer_of(head_);
  return {};
}

std::string RecordedVersion::load(const std::string& text) {
  constexpr const char* kUnreadable = "the recording is not of a model that this version of spoor can read";
  ModelOptions options = wanted_.model;
  options.defines.clear();  // the text has been preprocessed
  options.reduce = to_text(model_.reductions);
  InputError error;
  old_source_ = source_.other_version(text, options, error);
  if (old_source_ == nullptr) return kUnreadable;
  const std::optional<ClaimChoice> claim = claim_in(*old_source_);
  if (!claim) return "the recorded version does not have this claim";
  old_model_ = old_source_->load(options, ExecutionChoice::kInterpreter, *claim, error);
  return old_model_ ? "" : kUnreadable;
}

bool RecordedVersion::has_same_beginning() const {
  const TransitionSystem& before = *old_model_->system;
  const TransitionSystem& after = *model_.system;
  const auto translator = before.layout()->translator_to(*after.layout(), *comparison_);
  std::vector<std::byte> initial;
  return translator != nullptr && translator->translate(before.initial_state(), initial) &&
         initial == after.initial_state();
}

std::unique_ptr<StateTranslator> RecordedVersion::translator_back() const {
  const TransitionSystem& before = *old_model_->system;
  const TransitionSystem& after = *model_.system;
  return after.layout()->translator_to(*before.layout(),
                                       compare_elements(after.elements(), before.elements()));
}

double RecordedVersion::touched_share() const {
  return head_.sample.share_with(changed_sets(*old_model_->system, *comparison_)).value_or(0);
}

// The claim of the same kind and name.
std::optional<ClaimChoice> RecordedVersion::claim_in(const SourceModel& source) const {
  if (claim_.kind != ClaimKind::kFormula && claim_.kind != ClaimKind::kNever) return claim_;
  for (const StatedClaim& claim : source.claims()) {
    if (claim.kind == claim_.kind && claim.name == model_.claim.name)
      return ClaimChoice{claim.kind, claim.index, claim_.without_conclusion};
  }
  return std::nullopt;
}

bool RecordedVersion::has_same_claim() const {
  const Claim &before = old_model_->claim, &after = model_.claim;
  return before.kind == after.kind && before.has_inner_labels == after.has_inner_labels &&
         before.automaton.is_empty() == after.automaton.is_empty() &&
         (after.automaton.is_empty() ||
          ltl::to_hoa(before.automaton, "") == ltl::to_hoa(after.automaton, ""));
}

ReuseFigures RecordedVersion::figures() const {
  ReuseFigures figures;
  const std::vector<bool> is_changed = changed_sets(*old_model_->system, *comparison_);
  figures.locations = is_changed.size();
  figures.changed = static_cast<std::uint64_t>(std::ranges::count(is_changed, true));
  figures.recorded = head_.state_count;
  return figures;
}

// No state that was searched has an element that is changed, and the initial state is the same: then the
// graph is the same, and a search of the same order has the same figures.
std::optional<RecordedAnswer> RecordedVersion::answer_of(const RecordingHead& head) const {
  const TransitionSystem& before = *old_model_->system;
  const TransitionSystem& after = *model_.system;
  if (!head.answer || wanted_.limits.depth != 0 || !has_same_claim()) return std::nullopt;
  // A bound is one for every order, and no answer where exact figures are wanted.
  if (head.answer->is_bound ? needs_steps(wanted_.reuse)
                            : head.answer->order != static_cast<std::uint64_t>(wanted_.order))
    return std::nullopt;
  const bool is_changed = std::ranges::any_of(head.elements, [&](std::uint32_t element) {
    return element >= comparison_->is_changed.size() || comparison_->is_changed[element];
  });
  if (is_changed) return std::nullopt;
  if (!has_same_beginning()) return std::nullopt;
  const std::vector<std::uint32_t> statements = before.layout()->statements_in(*after.layout(), *comparison_);
  RecordedAnswer answer = *head.answer;
  for (std::uint32_t& statement : answer.executed) {
    if (statement >= statements.size() || !StateLayout::is_one(statements[statement])) return std::nullopt;
    statement = statements[statement];
  }
  return answer;
}

SearchResult RecordedVersion::result() const {
  SearchResult result;
  result.outcome = Holds{};
  result.executed.resize(model_.system->statements().size());
  for (const std::uint32_t statement : answer_->executed) result.executed[statement] = 1;
  Statistics& figures = result.statistics;
  figures.states = answer_->states;
  figures.transitions = answer_->transitions;
  figures.matched = answer_->matched;
  figures.inner_steps = answer_->inner_steps;
  figures.depth = answer_->depth;
  return result;
}

RecordingHead RecordedVersion::head_of(const SearchResult& result) const {
  RecordingHead head;
  head.text = *source_.standalone_text();
  head.model_sha256 = model_.sha256;
  head.options = options_;
  const bool is_violated = std::holds_alternative<Violated>(result.outcome);
  if (result.limit || !(is_violated || std::holds_alternative<Holds>(result.outcome))) return head;
  const Statistics& figures = result.statistics;
  RecordedAnswer& answer = head.answer.emplace();
  answer.is_violated = is_violated;
  answer.order = static_cast<std::uint64_t>(wanted_.order);
  answer.states = figures.states;
  answer.transitions = figures.transitions;
  answer.matched = figures.matched;
  answer.inner_steps = figures.inner_steps;
  answer.depth = figures.depth;
  for (std::uint32_t i = 0; i < result.executed.size(); ++i) {
    if (result.executed[i] != 0) answer.executed.push_back(i);
  }
  return head;
}

}  // namespace spoor
