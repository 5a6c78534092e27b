#include "check/vacuity.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "check/claim_answer.h"
#include "check/claim_search.h"
#include "check/property_check.h"

namespace spoor {
namespace {

bool holds_without_conclusion(const SourceModel& source, const LoadedModel& variant, const ClaimChoice& claim,
                              const CheckContext& context) {
  if (variant.claim.automaton.is_empty()) return true;
  const std::unique_ptr<ClaimAnswer> known = ClaimAnswer::begin(source, variant, claim, context);
  if (known != nullptr && known->is_violated()) return !*known->is_violated();
  const SearchListening listening(context.control);
  SearchOptions options = search_options(variant, context);
  options.all_errors = false;
  RunsOptions how = runs_options(context.options);
  how.check_reduction = false;
  std::string unused;
  std::unique_ptr<ReductionPlan> plan;
  std::optional<SearchResult> result;
  if (known != nullptr) {
    result = known->result(how, options);
    options.limits = options.limits.after(known->spent_s());
  }
  if (!result) result = search_runs(variant, how, options, unused, known != nullptr ? &plan : nullptr);
  if (known != nullptr) known->keep(*result, plan.get());
  return std::holds_alternative<Holds>(result->outcome);
}

}  // namespace

std::vector<Premise> vacuous_premises(const SourceModel& source, ClaimChoice claim,
                                      const std::vector<Premise>& premises, const CheckContext& context) {
  std::vector<Premise> vacuous;
  for (std::uint32_t i = 0; i < premises.size(); ++i) {
    claim.without_conclusion = i;
    InputError unused;
    const std::optional<LoadedModel> variant =
        source.load(context.options.model, context.options.exec, claim, unused);
    if (!variant) continue;  // the automaton is too large: vacuity is not decided
    if (holds_without_conclusion(source, *variant, claim, context)) vacuous.push_back(premises[i]);
  }
  return vacuous;
}

}  // namespace spoor
