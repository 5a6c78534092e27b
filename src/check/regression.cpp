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

bool is_recorded(const SourceModel& source, const LoadedModel& model, const CheckContext& context) {
  const CheckOptions& options = context.options;
  const CheckControl& control = context.control;
  const StoreTraits& store = traits_of(options.store);
  const bool store_keeps =
      store.keeps_states && store.names_states && !store.confuses_states && !store.forgets_states;
  const bool is_one_search = options.swarm + options.repeat == 0 && !options.check_reduction &&
                             control.checkpoint.save.empty() && control.checkpoint.resume.empty();
  // Where the search cannot reduce, the model does not leave out steps, whatever its reductions are called.
  const bool reduces_as_named = !model.reductions.order || can_reduce(options.order, options.store);
  return !control.recording.empty() && store_keeps && is_one_search && reduces_as_named &&
         !model.has_embedded_code && !model.reductions.stubborn && model.system->layout() != nullptr &&
         source.standalone_text();
}

}  // namespace

std::unique_ptr<Regression> Regression::begin(const SourceModel& source, const LoadedModel& model,
                                              const CheckContext& context) {
  if (!is_recorded(source, model, context)) return nullptr;
  std::unique_ptr<Regression> regression(new Regression(source, model, context));
  regression->why_not_ = regression->use_recording();
  if (!regression->why_not_.empty()) regression->recorded_.reset();
  if (regression->recorded_ == nullptr) {
    regression->recorder_.emplace();
  } else {
    regression->recorder_.emplace([&own = *regression](StateBytes state) -> StateBytes {
      own.bytes_ = own.recorded_->bytes_of(state);
      return own.bytes_;
    });
  }
  return regression;
}

Regression::Regression(const SourceModel& source, const LoadedModel& model, const CheckContext& context)
    : source_(source),
      model_(model),
      file_(context.control.recording),
      threads_(std::max(1u, context.options.threads)),
      options_(options_text(context.options, model)) {}

std::string Regression::use_recording() {
  std::error_code ignored;
  if (!std::filesystem::exists(file_, ignored)) return {};
  try {
    recording_ = load_recording(file_);
  } catch (const FramedFileError& error) {
    return fmt::format("the recording '{}' {}", file_, error.what());
  }
  if (recording_.options != options_) return "the recording is of a check with other options";
  ModelOptions plain;  // the text has been preprocessed
  InputError error;
  old_source_ = source_.other_version(recording_.text, plain, error);
  ModelOptions options;
  options.reduce = to_text(model_.reductions);
  if (old_source_ != nullptr)
    old_model_ = old_source_->load(options, ExecutionChoice::kInterpreter, {}, error);
  if (!old_model_) return "the recording is not of a model that this version of spoor can read";
  std::string why_not;
  recorded_ = RecordedSystem::make(recording_, *old_model_->system, *model_.system, threads_, why_not);
  if (recorded_ == nullptr) return why_not;
  const RecordedSystem::Figures figures = recorded_->figures();
  // Of a small model nothing is lost by trying.
  constexpr std::uint64_t kSmall = 1000;
  if (figures.recorded > kSmall && figures.usable < figures.recorded / 2)
    return fmt::format("{} of {} locations are changed, and most states are at one of them", figures.changed,
                       figures.locations);
  return {};
}

const TransitionSystem& Regression::system() const {
  return recorded_ != nullptr ? *recorded_ : *model_.system;
}

void Regression::finish(CheckReport& report) {
  ReuseFigures& reuse = report.reuse.emplace();
  reuse.why_not = why_not_;
  if (recorded_ != nullptr) {
    const RecordedSystem::Figures figures = recorded_->figures();
    reuse.is_used = true;
    reuse.locations = figures.locations;
    reuse.changed = figures.changed;
    reuse.recorded = figures.recorded;
    reuse.expanded = figures.expanded;
    for (Violation& violation : report.result.violations)
      violation.steps = recorded_->steps_below(violation.steps);
  }
  Recording made;
  if (!recorder_->take(made)) return;
  made.text = *source_.standalone_text();
  made.model_sha256 = model_.sha256;
  made.options = options_;
  made.holds = std::holds_alternative<Holds>(report.result.outcome);
  try {
    save(made, file_);
  } catch (const FramedFileError& error) {
    reuse.why_not_recorded = fmt::format("the recording '{}' {}", file_, error.what());
  }
}

}  // namespace spoor
