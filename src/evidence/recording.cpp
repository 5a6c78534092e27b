#include "evidence/recording.h"

#include <algorithm>

#include "base/digest.h"
#include "base/packed_numbers.h"

namespace spoor {
namespace {

constexpr char kHead = 'a', kExecuted = 'x', kStates = 's', kSteps = 'e';

std::vector<FileDigest> digests_of(const std::string& options) { return {{"search", sha256(options)}}; }

// A long text in records of a block each: what is read is never held twice.
void add_in_pieces(FramedWriter& file, char kind, std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at += kMostBlockBytes)
    file.add(kind, text.substr(at, kMostBlockBytes));
}

void put_ascending(std::string& to, const std::vector<std::uint32_t>& numbers) {
  put(to, numbers.size());
  std::uint32_t next = 0;
  for (const std::uint32_t number : numbers) {
    put(to, number - next);
    next = number + 1;
  }
}

void read_ascending(RecordReader& reader, std::uint64_t bound, std::vector<std::uint32_t>& numbers) {
  numbers.clear();
  std::uint64_t next = 0;
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    const std::uint64_t distance = reader.number();
    if (distance >= bound - next) throw_damaged();
    numbers.push_back(static_cast<std::uint32_t>(next + distance));
    next += distance + 1;
  }
}

std::string encoded_head(const RecordingHead& head) {
  std::string to;
  put_bytes(to, head.text);
  put_bytes(to, head.model_sha256);
  put_bytes(to, head.options);
  put(to, head.states);
  put(to, head.answer ? 1 : 0);
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
  head.states = static_cast<std::uint32_t>(states);
  if (reader.number() == 0) return;
  RecordedAnswer& answer = head.answer.emplace();
  for (std::uint64_t* const number : {&answer.order, &answer.states, &answer.transitions, &answer.matched,
                                      &answer.inner_steps, &answer.depth})
    *number = reader.number();
  read_ascending(reader, UINT32_MAX, answer.executed);
}

}  // namespace

void save(const Recording& recording, const std::string& path) {
  FramedWriter file(path, kRecordingFormat, digests_of(recording.options));
  file.add(kHead, encoded_head(recording));
  for (const std::vector<std::uint32_t>& set : recording.executed) {
    std::string text;
    put_ascending(text, set);
    file.add(kExecuted, text);
  }
  add_in_pieces(file, kStates, recording.bytes);
  add_in_pieces(file, kSteps, recording.steps);
  file.finish();
}

Recording load_recording(const std::string& path) {
  FramedReader file(path, kRecordingFormat);
  Recording recording;
  FileRecord record;
  while (file.read(record)) {
    switch (record.kind) {
      case kHead: read_head(record.content, recording); break;
      case kExecuted: {
        RecordReader reader(record.content);
        read_ascending(reader, UINT32_MAX, recording.executed.emplace_back());
        break;
      }
      case kStates: recording.bytes += record.content; break;
      case kSteps: recording.steps += record.content; break;
      default: throw_damaged();
    }
  }
  require_consistent(recording);
  return recording;
}

RecordingHead load_recording_head(const std::string& path) {
  FramedReader file(path, kRecordingFormat);
  RecordingHead head;
  FileRecord record;
  if (!file.read(record) || record.kind != kHead) throw_damaged();
  read_head(record.content, head);
  return head;
}

void put(std::string& to, std::uint32_t number, const RecordedState& state) {
  put(to, state.targets.size() * RecordedState::kFlags + state.flags);
  if (!state.is(RecordedState::kExpanded)) return;
  put(to, state.executed);
  put(to, state.inner_steps);
  for (const std::uint32_t target : state.targets)
    put_signed(to, std::int64_t{target} - std::int64_t{number});
  if (!state.is(RecordedState::kTwice)) return;
  put(to, state.tried_executed);
  put(to, state.tried_inner_steps);
  put_ascending(to, state.tried);
}

void read(RecordReader& reader, std::uint32_t number, std::uint64_t bound, RecordedState& state) {
  const auto set_number = [&] {
    const std::uint64_t set = reader.number();
    if (set >= UINT32_MAX) throw_damaged();
    return static_cast<std::uint32_t>(set);
  };
  const std::uint64_t head = reader.number();
  state.flags = head % RecordedState::kFlags;
  state.targets.clear();
  state.tried.clear();
  state.tried_executed = 0;
  if (!state.is(RecordedState::kExpanded)) return;
  state.executed = set_number();
  state.inner_steps = reader.number();
  for (std::uint64_t left = head / RecordedState::kFlags; left > 0; --left) {
    const std::uint64_t target = number + static_cast<std::uint64_t>(reader.signed_number());
    if (target >= bound) throw_damaged();
    state.targets.push_back(static_cast<std::uint32_t>(target));
  }
  if (!state.is(RecordedState::kTwice)) return;
  state.tried_executed = set_number();
  state.tried_inner_steps = reader.number();
  read_ascending(reader, state.targets.size(), state.tried);
}

void require_consistent(const Recording& recording) {
  RecordReader bytes(recording.bytes), steps(recording.steps);
  RecordedState state;
  for (std::uint32_t i = 0; i < recording.states; ++i) {
    bytes.bytes();
    read(steps, i, recording.states, state);
    if (!state.is(RecordedState::kExpanded)) continue;
    if (std::max(state.executed, state.tried_executed) >= recording.executed.size()) throw_damaged();
  }
  if (!bytes.is_at_end() || !steps.is_at_end()) throw_damaged();
}

}  // namespace spoor
