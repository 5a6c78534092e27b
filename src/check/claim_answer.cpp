#include "check/claim_answer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "evidence/ledger.h"

namespace spoor {
namespace {

std::string file_of(const LoadedModel& model, const ClaimChoice& claim, const CheckContext& context) {
  const std::string premise =
      claim.without_conclusion ? std::to_string(*claim.without_conclusion) : std::string();
  return claim_file(context.control.recording,
                    fmt::format("{} {} {} {}", static_cast<int>(claim.kind), model.claim.name,
                                context.options.model.is_fair, premise));
}

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

std::optional<SearchResult> ClaimAnswer::result() const {
  if (is_violated() != false) return std::nullopt;
  return version_.result();
}

void ClaimAnswer::keep(const SearchResult& result) {
  // With a limit on the depth there are fewer reductions, and other figures.
  if (records_ == RecordingChoice::kNothing || has_depth_limit_ || version_.answer() != nullptr) return;
  RecordingHead head = version_.head_of(result);
  if (!head.answer || result.executed.size() != model_.system->statements().size()) return;
  head.elements = elements_after(*model_.system, result.executed);
  const std::vector<std::uint32_t> of_atoms = *model_.propositions->elements_of_atoms();
  head.elements.insert(head.elements.end(), of_atoms.begin(), of_atoms.end());
  std::ranges::sort(head.elements);
  head.elements.erase(std::unique(head.elements.begin(), head.elements.end()), head.elements.end());
  try {
    save(head, {{}, {}, {}, {}}, version_.path());
    figures_.is_recorded = true;
    figures_.file = version_.path();
  } catch (const FramedFileError& error) {
    figures_.why_not_recorded = std::string("not recorded: the recording ") + error.what();
  }
}

}  // namespace spoor
