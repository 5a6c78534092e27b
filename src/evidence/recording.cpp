#include "evidence/recording.h"

#include <algorithm>

#include "base/digest.h"
#include "base/packed_numbers.h"
#include "evidence/step_code.h"

namespace spoor {
namespace {

constexpr char kHead = 'a', kExecuted = 'x', kShapes = 'h', kRanks = 'o', kReachableSets = 'q',
               kReachableNumbers = 'r';

// Whether there is an answer, and which.
constexpr std::uint64_t kNoAnswer = 0, kHolds = 1, kViolated = 2, kHoldsWithBounds = 3;

constexpr std::uint64_t kHasSteps = 1, kIsOrdered = 2, kIsClosed = 4;

std::vector<FileDigest> digests_of(const std::string& options) { return {{"search", sha256(options)}}; }

void add_chunks(FramedWriter& file, char kind, const ChunkSource& source) {
  for (FramedReader* const from : source.files) {
    while (from->copy_record(kind, file)) continue;
  }
  if (source.chunks == nullptr) return;
  for (std::size_t i = source.first; i < source.chunks->size(); ++i) file.add(kind, source.chunks->chunk(i));
}

std::uint64_t kind_of(const std::optional<RecordedAnswer>& answer) {
  if (!answer) return kNoAnswer;
  if (answer->is_violated) return kViolated;
  return answer->is_bound ? kHoldsWithBounds : kHolds;
}

std::string encoded_head(const RecordingHead& head) {
  std::string to;
  put_bytes(to, head.text);
  put_bytes(to, head.model_sha256);
  put_bytes(to, head.options);
  put(to, head.state_count);
  put(to, (head.has_steps ? kHasSteps : 0) | (head.is_ordered ? kIsOrdered : 0) |
              (head.is_closed ? kIsClosed : 0));
  put_ascending(to, head.elements);
  head.sample.put(to);
  put(to, kind_of(head.answer));
  if (!head.answer) return to;
  const RecordedAnswer& answer = *head.answer;
  for (const std::uint64_t number :
       {answer.order, answer.states, answer.transitions, answer.matched, answer.inner_steps, answer.depth})
    put(to, number);
  put_ascending(to, answer.executed);
  return to;
}

void read_head(std::string_view content, RecordingHead& head) {
  RecordReader reader(content);
  head.text = reader.bytes();
  head.model_sha256 = reader.bytes();
  head.options = reader.bytes();
  const std::uint64_t states = reader.number();
  if (states >= UINT32_MAX) throw_damaged();
  head.state_count = static_cast<std::uint32_t>(states);
  const std::uint64_t flags = reader.number();
  head.has_steps = (flags & kHasSteps) != 0;
  head.is_ordered = (flags & kIsOrdered) != 0;
  head.is_closed = (flags & kIsClosed) != 0;
  read_ascending(reader, head.elements);
  head.sample.read(reader);
  const std::uint64_t kind = reader.number();
  if (kind == kNoAnswer) return;
  RecordedAnswer& answer = head.answer.emplace();
  answer.is_violated = kind == kViolated;
  answer.is_bound = kind == kHoldsWithBounds;
  for (std::uint64_t* const number : {&answer.order, &answer.states, &answer.transitions, &answer.matched,
                                      &answer.inner_steps, &answer.depth})
    *number = reader.number();
  read_ascending(reader, answer.executed);
}

}  // namespace

void save(const RecordingHead& head, const RecordingParts& parts, const std::string& path) {
  FramedWriter file(path, kRecordingFormat, digests_of(head.options));
  file.add(kHead, encoded_head(head));
  std::string sets;
  for (const std::vector<std::uint32_t>& set : parts.executed) put_ascending(sets, set);
  file.add(kExecuted, sets);
  if (parts.ranks != nullptr && !parts.ranks->is_empty()) file.add(kRanks, parts.ranks->text());
  file.add(kShapes, parts.shapes);
  add_chunks(file, kStatesRecord, parts.states);
  add_chunks(file, kStepsRecord, parts.steps);
  if (parts.reachable != nullptr) {
    file.add(kReachableSets, parts.reachable->sets_text());
    const Chunks numbers = parts.reachable->numbers();
    add_chunks(file, kReachableNumbers, {{}, &numbers});
  }
  file.finish();
}

void go_to_states(FramedReader& file) {
  file.rewind();
  FileRecord record;
  while (file.read(record) && record.kind != kShapes) continue;
}

void skip_states(FramedReader& file) {
  FileRecord record;
  for (;;) {
    const FilePosition before = file.position();
    if (!file.read(record)) return;
    if (record.kind != kStatesRecord) return file.seek(before);
  }
}

void read_steps(std::string_view chunk, Recording& recording) {
  const std::uint32_t bound = recording.states.bound();
  recording.steps.reserve(bound);
  StepDecoder decoder(chunk, bound, static_cast<std::uint32_t>(recording.executed.size()));
  std::uint32_t number = 0;
  for (RecordedState state; decoder.next(number, state);) recording.steps.add(number, state);
}

namespace {

// Reads records up to the first for which `is_wanted` is false.
template <class IsWanted>
void read_records(FramedReader& file, Recording& recording, UnusedParts unused, const IsWanted& is_wanted) {
  FileRecord record;
  for (;;) {
    const FilePosition before = file.position();
    if (!file.read(record)) return;
    if (!is_wanted(record.kind)) return file.seek(before);
    switch (record.kind) {
      case kHead: read_head(record.content, recording); break;
      case kExecuted: {
        for (RecordReader reader(record.content); !reader.is_at_end();)
          read_ascending(reader, recording.executed.emplace_back());
        break;
      }
      case kRanks: recording.ranks.read(record.content); break;
      case kShapes: recording.states.read_shapes(record.content); break;
      case kStatesRecord: recording.states.read_codes(record.content); break;
      case kStepsRecord:
        if (!unused.steps) read_steps(record.content, recording);
        break;
      case kReachableSets:
        if (!unused.reachable) recording.reachable.emplace().read_sets(record.content);
        break;
      case kReachableNumbers:
        if (recording.reachable) recording.reachable->read_numbers(record.content);
        break;
      default: throw_damaged();
    }
  }
}

// All states have one.
void require_ranks(const Recording& recording) {
  if (!recording.ranks.is_empty() && recording.ranks.bound() != recording.states.bound()) throw_damaged();
}

}  // namespace

Recording load_recording(FramedReader& file, UnusedParts unused) {
  Recording recording;
  read_records(file, recording, unused, [](char) { return true; });
  if (recording.reachable) recording.reachable->require_complete(recording.states.bound());
  require_ranks(recording);
  return recording;
}

Recording load_states(FramedReader& file) {
  Recording recording;
  read_records(file, recording, {}, [](char kind) { return kind != kStepsRecord && kind != kReachableSets; });
  require_ranks(recording);
  return recording;
}

void load_steps(FramedReader& file, Recording& recording) {
  read_records(file, recording, {.reachable = true}, [](char) { return true; });
}

RecordingHead load_recording_head(FramedReader& file) {
  RecordingHead head;
  FileRecord record;
  if (!file.read(record) || record.kind != kHead) throw_damaged();
  read_head(record.content, head);
  file.rewind();
  return head;
}

std::vector<std::uint32_t> elements_after(const TransitionSystem& system,
                                          std::span<const std::uint8_t> executed) {
  std::vector<std::uint32_t> sets, elements;
  system.element_sets_after(executed, sets);
  for (const std::uint32_t set : sets) {
    const std::span<const std::uint32_t> members = system.element_set(set);
    elements.insert(elements.end(), members.begin(), members.end());
  }
  std::ranges::sort(elements);
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}

bool find_steps(const StepNames& all, const StepNames& some, std::vector<std::uint32_t>& ordinals) {
  ordinals.clear();
  for (std::uint32_t i = 0; i < all.size() && ordinals.size() < some.size(); ++i) {
    if (all[i] == some[ordinals.size()]) ordinals.push_back(i);
  }
  return ordinals.size() == some.size();
}

}  // namespace spoor
