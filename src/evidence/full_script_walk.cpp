#include "evidence/full_script_walk.h"

namespace spoor {

KnownSteps::KnownSteps(const TransitionSystem& system, const std::vector<NamedStep>& steps) {
  std::unordered_map<std::string, std::uint32_t> numbers = {{"", kNoKey}};
  const auto number_of = [&](const std::string& key) {
    return numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second;
  };
  for (const Element& statement : system.statements()) key_of_label_.push_back(number_of(statement.key));
  for (const NamedStep& step : steps) steps_.push_back({step.name, number_of(step.key)});
}

// A small file can have a large table: it is compressed.
void ScriptWork::read_steps(FramedReader& file) {
  // A step with its key, here and among the keys that are compared.
  constexpr std::uint64_t kStepBytes = sizeof(NamedStep) + sizeof(KnownSteps::Step) + 80;
  std::vector<NamedStep> named;
  FileRecord record;
  std::uint64_t key_bytes = 0;
  for (FilePosition parts = file.position(); file.read(record, kMostPartBytes); parts = file.position()) {
    if (record.kind != kStepNamesRecord) {
      file.seek(parts);
      break;
    }
    decode_steps(record.content, named);
    key_bytes += record.content.size();
    if (budget.poll(2 * key_bytes + named.capacity() * kStepBytes)) return;
  }
  steps = KnownSteps(system, named);
  memory_bytes += steps.memory_bytes();
}

bool set_script_failure(ScriptWork& work, CertifierResult& result) {
  if (work.error) std::rethrow_exception(work.error);
  result.limit = work.budget.limit();
  if (result.limit) {
    result.answer = CertifierResult::Answer::kLimit;
    return true;
  }
  if (!work.failure) return false;
  const auto& [place, failure] = *work.failure;
  result.answer = CertifierResult::Answer::kRefuted;
  result.finding = failure.finding;
  result.reason = failure.finding ? work.system.message(*failure.finding) : failure.reason;
  const char* const what = failure.finding ? " has an error" : "";
  if (failure.place.state != 0)
    result.reason = fmt::format("state {}{}: {}", failure.place.state - 1, what, result.reason);
  if (place.part != 0)
    result.reason =
        fmt::format("instruction {} of part {}: {}", place.instruction, place.part, result.reason);
  return true;
}

}  // namespace spoor
