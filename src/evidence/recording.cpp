#include "evidence/recording.h"

#include <algorithm>

#include "base/digest.h"
#include "base/packed_numbers.h"

namespace spoor {
namespace {

constexpr char kAbout = 'a', kExecuted = 'x', kStates = 's', kSteps = 'e';

std::vector<FileDigest> digests_of(const std::string& options) { return {{"search", sha256(options)}}; }

// A long text in records of a block each: what is read is never held twice.
void add_in_pieces(FramedWriter& file, char kind, std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at += kMostBlockBytes)
    file.add(kind, text.substr(at, kMostBlockBytes));
}

std::string encoded_about(const Recording& recording) {
  std::string to;
  put_bytes(to, recording.text);
  put_bytes(to, recording.model_sha256);
  put_bytes(to, recording.options);
  put(to, recording.holds ? 1 : 0);
  put(to, recording.states);
  return to;
}

void read_about(std::string_view content, Recording& recording) {
  RecordReader reader(content);
  recording.text = reader.bytes();
  recording.model_sha256 = reader.bytes();
  recording.options = reader.bytes();
  recording.holds = reader.number() != 0;
  const std::uint64_t states = reader.number();
  if (states >= UINT32_MAX) throw_damaged();
  recording.states = static_cast<std::uint32_t>(states);
}

void read_executed(std::string_view content, Recording& recording) {
  RecordReader reader(content);
  std::vector<std::uint32_t>& set = recording.executed.emplace_back();
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    const std::uint64_t last = set.empty() ? 0 : set.back() + std::uint64_t{1};
    const std::uint64_t next = last + reader.number();
    if (next >= UINT32_MAX) throw_damaged();
    set.push_back(static_cast<std::uint32_t>(next));
  }
}

std::string encoded_executed(const std::vector<std::uint32_t>& set) {
  std::string to;
  put(to, set.size());
  std::uint32_t next = 0;
  for (const std::uint32_t statement : set) {
    put(to, statement - next);
    next = statement + 1;
  }
  return to;
}

}  // namespace

void save(const Recording& recording, const std::string& path) {
  FramedWriter file(path, kRecordingFormat, digests_of(recording.options));
  file.add(kAbout, encoded_about(recording));
  for (const std::vector<std::uint32_t>& set : recording.executed) file.add(kExecuted, encoded_executed(set));
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
      case kAbout: read_about(record.content, recording); break;
      case kExecuted: read_executed(record.content, recording); break;
      case kStates: recording.bytes += record.content; break;
      case kSteps: recording.steps += record.content; break;
      default: throw_damaged();
    }
  }
  require_consistent(recording);
  return recording;
}

void require_consistent(const Recording& recording) {
  RecordReader bytes(recording.bytes);
  for (std::uint32_t i = 0; i < recording.states; ++i) bytes.bytes();
  RecordReader steps(recording.steps);
  for (std::uint32_t i = 0; i < recording.states; ++i) {
    const std::uint64_t head = steps.number();
    if ((head & StateFlags::kExpanded) == 0) continue;
    if (steps.number() >= recording.executed.size()) throw_damaged();
    steps.number();  // inner steps
    for (std::uint64_t left = head / StateFlags::kFlags; left > 0; --left) {
      const std::uint64_t target = i + static_cast<std::uint64_t>(steps.signed_number());
      if (target >= recording.states) throw_damaged();
    }
  }
  if (!bytes.is_at_end() || !steps.is_at_end()) throw_damaged();
}

}  // namespace spoor
