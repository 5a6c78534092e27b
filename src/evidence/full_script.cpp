#include "evidence/full_script.h"

#include <utility>

namespace spoor {
namespace {

// An instruction is one number: 0 is a backtrack, else 1 + 3 * step + one of these.
constexpr std::uint64_t kToKnown = 0, kToNew = 1, kToNewInFull = 2, kCases = 3;

constexpr std::uint64_t kTrustful = 1, kInitialInFull = 2;

}  // namespace

std::string encoded_script_claim(const FullScriptClaim& claim) {
  std::string record;
  put_bytes(record, encoded_claim(claim.common));
  put(record, (claim.is_trustful ? kTrustful : 0) | (claim.initial.in_full ? kInitialInFull : 0));
  put(record, claim.initial.uses);
  put(record, claim.initial.size);
  return record;
}

FullScriptClaim decoded_script_claim(std::string_view record) {
  RecordReader reader(record);
  FullScriptClaim claim;
  claim.common = decoded_claim(reader.bytes());
  const std::uint64_t flags = reader.number();
  if (flags > (kTrustful | kInitialInFull)) throw_damaged();
  claim.is_trustful = (flags & kTrustful) != 0;
  claim.initial.in_full = (flags & kInitialInFull) != 0;
  claim.initial.uses = reader.number();
  claim.initial.size = reader.number();
  if (!reader.is_at_end()) throw_damaged();
  return claim;
}

void put_step(std::string& record, const NamedStep& step) {
  put(record, step.name.number());
  put_bytes(record, step.key);
}

void decode_steps(std::string_view record, std::vector<NamedStep>& steps) {
  for (RecordReader reader(record); !reader.is_at_end();) {
    if (steps.size() == kMostNamedSteps) throw_damaged();
    const StepId name(reader.number());
    steps.push_back({name, std::string(reader.bytes())});
  }
}

bool ScriptPartWriter::add(const ScriptInstruction& instruction, std::size_t most) {
  using Kind = ScriptInstruction::Kind;
  const std::uint64_t first = 1 + kCases * std::uint64_t{instruction.step};
  switch (instruction.kind) {
    case Kind::kBacktrack: put(codes_, 0); break;
    case Kind::kKnown:
      put(codes_, first + kToKnown);
      put_signed(numbers_, std::int64_t{instruction.number} - std::int64_t{last(instruction.step)});
      last(instruction.step) = instruction.number;
      break;
    case Kind::kNew:
      put(codes_, first + (instruction.target.in_full ? kToNewInFull : kToNew));
      if (!is_trustful_) put(uses_, instruction.target.uses);
      put(sizes_, instruction.target.size);
      break;
  }
  return ++count_ >= most;
}

std::string ScriptPartWriter::take() {
  std::string record;
  put(record, count_);
  for (std::string* const column : {&codes_, &numbers_, &uses_, &sizes_}) {
    put_bytes(record, *column);
    column->clear();
  }
  count_ = 0;
  forget();
  return record;
}

ScriptPartReader::ScriptPartReader(std::string_view record, std::size_t steps, bool is_trustful)
    : steps_(steps), is_trustful_(is_trustful), codes_({}), numbers_({}), uses_({}), sizes_({}) {
  RecordReader reader(record);
  left_ = reader.count();
  for (RecordReader* const column : {&codes_, &numbers_, &uses_, &sizes_})
    *column = RecordReader(reader.bytes());
  if (!reader.is_at_end()) throw_damaged();
}

bool ScriptPartReader::next(ScriptInstruction& instruction) {
  using Kind = ScriptInstruction::Kind;
  if (left_ == 0) {
    for (const RecordReader* const column : {&codes_, &numbers_, &uses_, &sizes_}) {
      if (!column->is_at_end()) throw_damaged();
    }
    return false;
  }
  --left_;
  const std::uint64_t code = codes_.number();
  if (code == 0) {
    instruction.kind = Kind::kBacktrack;
    return true;
  }
  const std::uint64_t step = (code - 1) / kCases, which = (code - 1) % kCases;
  if (step >= steps_) throw_damaged();
  instruction.step = static_cast<std::uint32_t>(step);
  if (which == kToKnown) {
    if (is_trustful_) throw_damaged();
    instruction.kind = Kind::kKnown;
    std::uint32_t& before = last(instruction.step);
    const std::uint64_t number = before + static_cast<std::uint64_t>(numbers_.signed_number());
    if (number >= kMostScriptStates) throw_damaged();
    instruction.number = before = static_cast<std::uint32_t>(number);
    return true;
  }
  instruction.kind = Kind::kNew;
  instruction.target.in_full = which == kToNewInFull;
  instruction.target.uses = is_trustful_ ? 0 : uses_.number();
  instruction.target.size = sizes_.number();
  return true;
}

bool ScriptReader::read_part() {
  {
    const std::lock_guard guard(parts_.lock);
    parts_.file.seek(at_);
    if (!parts_.file.read(record_, kMostPartBytes)) return false;
    part_begin_ = std::exchange(at_, parts_.file.position());
  }
  if (record_.kind != kScriptPartRecord) throw_damaged();
  part_ = ScriptPartReader(record_.content, parts_.steps, parts_.is_trustful);
  if (part_.left() == 0) throw_damaged();
  ++place_.part;
  place_.instruction = 0;
  return true;
}

bool ScriptReader::next(ScriptInstruction& instruction) {
  while (!part_.next(instruction)) {
    if (!read_part()) return false;
  }
  ++place_.instruction;
  return true;
}

void ScriptReader::go_behind(const ScriptPlace& place, const FilePosition& begin) {
  if (place.part != place_.part || place.instruction < place_.instruction) {
    at_ = begin;
    place_ = {place.part - 1, 0};
    if (!read_part()) throw_damaged();
  }
  ScriptInstruction skipped;
  while (place_.instruction < place.instruction) {
    if (!part_.next(skipped)) throw_damaged();
    ++place_.instruction;
  }
}

}  // namespace spoor
