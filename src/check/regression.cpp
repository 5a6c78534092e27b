#include "check/regression.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "version.h"

namespace spoor {
namespace {

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
  regression->why_not_ = regression->use_recording();
  if (!regression->why_not_.empty()) regression->recorded_.reset();
  const RecordedSystem* const recorded = regression->recorded_.get();
  regression->recorder_.emplace(recorded != nullptr ? recorded->bytes_reader() : nullptr);
  return regression;
}

Regression::Regression(const SourceModel& source, const LoadedModel& model, const CheckContext& context)
    : source_(source),
      model_(model),
      file_(context.control.recording),
      wanted_(context.options),
      options_(options_text(context.options, model)) {}

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

// The same elements, states and statements: then a search of the same order has the same figures.
void Regression::take_answer(const RecordingHead& head, const ElementComparison& comparison) {
  const TransitionSystem& before = *old_model_->system;
  const TransitionSystem& after = *model_.system;
  if (!head.answer || head.answer->order != static_cast<std::uint64_t>(wanted_.order) ||
      wanted_.limits.depth != 0 || std::ranges::count(comparison.is_changed, true) != 0)
    return;
  const auto translator = before.layout()->translator_to(*after.layout(), comparison);
  if (translator == nullptr || !translator->is_identity()) return;
  const std::vector<std::uint32_t> statements = before.layout()->statements_in(*after.layout(), comparison);
  SearchResult result;
  result.executed.resize(after.statements().size());
  for (const std::uint32_t statement : head.answer->executed) {
    if (statement >= statements.size() || statements[statement] == ElementComparison::kNothing) return;
    result.executed[statements[statement]] = 1;
  }
  result.outcome = Holds{};
  Statistics& figures = result.statistics;
  figures.states = head.answer->states;
  figures.transitions = head.answer->transitions;
  figures.matched = head.answer->matched;
  figures.inner_steps = head.answer->inner_steps;
  figures.depth = head.answer->depth;
  result.store = wanted_.store == StoreKind::kAuto ? StoreKind::kExact : wanted_.store;
  answer_ = std::move(result);
}

std::string Regression::use_recording() {
  std::error_code ignored;
  if (!std::filesystem::exists(file_, ignored)) return {};
  try {
    const RecordingHead head = load_recording_head(file_);
    if (head.options != options_) return "the recording is of a check with other options";
    if (std::string reason = read_old_version(head.text); !reason.empty()) return reason;
    if (old_model_->system->layout() == nullptr) return "states of the recorded model cannot be compared";
    take_answer(head, compare_elements(old_model_->system->elements(), model_.system->elements()));
    if (answer_) {
      figures_.locations = old_model_->system->element_set_count();
      figures_.recorded = head.states;
      return {};
    }
    recording_ = load_recording(file_);
  } catch (const FramedFileError& error) {
    const std::string reason = fmt::format("the recording '{}' {}", file_, error.what());
    if (error.reason() == FramedFileError::Reason::kSystem) return reason;
    // The name is one of the ledger's own, so nobody else needs the file.
    const std::string aside = file_ + ".damaged";
    std::filesystem::rename(file_, aside, ignored);
    return ignored ? reason : reason + fmt::format("; it was set aside as '{}'", aside);
  }
  std::string why_not;
  recorded_ = RecordedSystem::make(recording_, *old_model_->system, *model_.system,
                                   {std::max(1u, wanted_.threads), wanted_.model.deadlocks_only}, why_not);
  if (recorded_ == nullptr) return why_not;
  const RecordedSystem::Figures figures = recorded_->figures();
  // Of a small model nothing is lost by trying.
  constexpr std::uint64_t kSmall = 1000;
  if (figures.recorded > kSmall && figures.usable < figures.recorded / 2)
    return fmt::format("of the {} recorded states {} are of use after this edit, which is too few",
                       figures.recorded, figures.usable);
  return {};
}

const TransitionSystem& Regression::system() const {
  return recorded_ != nullptr ? *recorded_ : *model_.system;
}

void Regression::finish(CheckReport& report) {
  ReuseFigures& reuse = report.reuse.emplace();
  reuse.why_not = why_not_;
  if (recorded_ != nullptr) figures_ = recorded_->figures();
  reuse.is_used = recorded_ != nullptr || answer_;
  reuse.locations = figures_.locations;
  reuse.changed = figures_.changed;
  reuse.recorded = figures_.recorded;
  reuse.expanded = figures_.expanded;
  if (answer_) return;  // the file is as good as one that this check could write
  if (recorded_ != nullptr) {
    for (Violation& violation : report.result.violations)
      violation.steps = recorded_->steps_below(violation.steps);
  }
  Recording made;
  if (!recorder_->take(made)) return;
  made.text = *source_.standalone_text();
  made.model_sha256 = model_.sha256;
  made.options = options_;
  if (std::holds_alternative<Holds>(report.result.outcome)) {
    const Statistics& figures = report.result.statistics;
    RecordedAnswer& answer = made.answer.emplace();
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
  }
  try {
    save(made, file_);
  } catch (const FramedFileError& error) {
    reuse.why_not_recorded = fmt::format("the recording '{}' {}", file_, error.what());
  }
}

}  // namespace spoor
