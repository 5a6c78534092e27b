#include "evidence/recording.h"

#include <algorithm>

#include "base/digest.h"
#include "base/packed_numbers.h"

namespace spoor {
namespace {

constexpr char kHead = 'a', kExecuted = 'x', kShapes = 'h', kStates = 's', kSteps = 'e';

std::vector<FileDigest> digests_of(const std::string& options) { return {{"search", sha256(options)}}; }

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

// The chunks, of which the first are those that `before`, if it is not null, has next.
void add_chunks(FramedWriter& file, char kind, const Chunks& chunks, FramedReader* before) {
  std::size_t i = 0;
  while (before != nullptr && before->copy_record(kind, file)) ++i;
  for (; i < chunks.size(); ++i) file.add(kind, chunks.chunk(i));
}

std::string encoded_head(const RecordingHead& head) {
  std::string to;
  put_bytes(to, head.text);
  put_bytes(to, head.model_sha256);
  put_bytes(to, head.options);
  put(to, head.state_count);
  put_ascending(to, head.elements);
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
  head.state_count = static_cast<std::uint32_t>(states);
  read_ascending(reader, UINT32_MAX, head.elements);
  if (reader.number() == 0) return;
  RecordedAnswer& answer = head.answer.emplace();
  for (std::uint64_t* const number : {&answer.order, &answer.states, &answer.transitions, &answer.matched,
                                      &answer.inner_steps, &answer.depth})
    *number = reader.number();
  read_ascending(reader, UINT32_MAX, answer.executed);
}

}  // namespace

void save(const Recording& recording, const std::string& path, FramedReader* before) {
  if (before != nullptr) {
    before->rewind();
    FileRecord record;
    while (before->read(record) && record.kind != kShapes) continue;
  }
  FramedWriter file(path, kRecordingFormat, digests_of(recording.options));
  file.add(kHead, encoded_head(recording));
  std::string sets;
  for (const std::vector<std::uint32_t>& set : recording.executed) put_ascending(sets, set);
  file.add(kExecuted, sets);
  file.add(kShapes, recording.states.shapes_text());
  add_chunks(file, kStates, recording.states.codes(), before);
  add_chunks(file, kSteps, recording.steps, before);
  file.finish();
}

Recording load_recording(FramedReader& file) {
  Recording recording;
  FileRecord record;
  while (file.read(record)) {
    switch (record.kind) {
      case kHead: read_head(record.content, recording); break;
      case kExecuted: {
        for (RecordReader reader(record.content); !reader.is_at_end();)
          read_ascending(reader, UINT32_MAX, recording.executed.emplace_back());
        break;
      }
      case kShapes: recording.states.read_shapes(record.content); break;
      case kStates: recording.states.read_codes(record.content); break;
      case kSteps:
        if (!recording.steps.append_chunk(record.content)) throw_damaged();
        break;
      default: throw_damaged();
    }
  }
  return recording;
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

void EntryWriter::add(std::uint32_t number, const RecordedState& state) {
  const EntryHead head = {state.targets.size(), state.flags, state.executed, state.inner_steps};
  std::string more;
  if (state.is(RecordedState::kTwice)) {
    put(more, state.tried_executed);
    put(more, state.tried_inner_steps);
    put_ascending(more, state.tried);
  }
  std::uint8_t* to = begin(number, head, more.size());
  to = put_targets(to, number, head.steps, [&](std::uint64_t i) { return state.targets[i]; });
  end(std::copy(more.begin(), more.end(), to));
}

bool find_steps(const StepNames& all, const StepNames& some, std::vector<std::uint32_t>& ordinals) {
  ordinals.clear();
  for (std::uint32_t i = 0; i < all.size() && ordinals.size() < some.size(); ++i) {
    if (all[i] == some[ordinals.size()]) ordinals.push_back(i);
  }
  return ordinals.size() == some.size();
}

void read(const Chunks& steps, Chunks::Place place, std::uint32_t number, RecordedState& state) {
  const std::uint32_t header = steps.header_of(place);
  const std::uint8_t* at = steps.at(place);
  const EntryHead head = EntryHead::read(at);
  state.flags = head.flags;
  state.executed = state.tried_executed = header + head.executed;
  state.inner_steps = state.tried_inner_steps = head.inner_steps;
  state.targets.clear();
  state.tried.clear();
  for (std::uint64_t left = head.steps; left > 0; --left)
    state.targets.push_back(number + static_cast<std::uint32_t>(signed_number_at(at)));
  if (!state.is(RecordedState::kTwice)) return;
  state.tried_executed = header + static_cast<std::uint32_t>(number_at(at));
  state.tried_inner_steps = number_at(at);
  std::uint32_t next = 0;
  for (std::uint64_t left = number_at(at); left > 0; --left) {
    state.tried.push_back(next + static_cast<std::uint32_t>(number_at(at)));
    next = state.tried.back() + 1;
  }
}

namespace {

// RecordReader for entries, of which there are many: it looks for the end only where that is near.
class EntryChecker {
 public:
  explicit EntryChecker(std::string_view text)
      : at_(reinterpret_cast<const std::uint8_t*>(text.data())), end_(at_ + text.size()) {}

  const std::uint8_t* at() const { return at_; }
  bool is_at_end() const { return at_ == end_; }
  std::uint8_t byte() {
    if (at_ == end_) throw_damaged();
    return *at_++;
  }
  std::uint64_t number() {
    if (at_ != end_ && *at_ < 0x80) [[likely]]
      return *at_++;
    RecordReader rest({reinterpret_cast<const char*>(at_), static_cast<std::size_t>(end_ - at_)});
    const std::uint64_t number = rest.number();
    at_ = end_ - rest.rest().size();
    return number;
  }
  std::uint64_t signed_number() {
    const std::uint64_t value = number();
    return value >> 1 ^ -(value & 1);
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace

StepIndex::StepIndex(const Recording& recording, const std::vector<bool>& is_known)
    : places_(recording.states.bound(), kNowhere) {
  const std::uint64_t bound = places_.size();
  for (std::size_t i = 0; i < recording.steps.size(); ++i) {
    const std::string_view chunk = recording.steps.chunk(i);
    const std::uint64_t header = recording.steps.header(i);
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(chunk.data());
    EntryChecker entries(chunk.substr(recording.steps.first_offset()));
    const auto is_set_known = [&](std::uint64_t set) {
      if (set >= is_known.size() || header + set >= is_known.size()) throw_damaged();
      return static_cast<bool>(is_known[header + set]);
    };
    for (std::uint64_t number = 0; !entries.is_at_end();) {
      number += entries.signed_number();
      if (number >= bound) throw_damaged();
      const auto offset = static_cast<std::size_t>(entries.at() - begin);
      if (offset >= Chunks::kChunkBytes) throw_damaged();
      const std::uint64_t first = entries.number();
      const std::uint64_t steps = first / EntryHead::kBits;
      std::uint8_t flags = RecordedState::kExpanded;
      if ((first & EntryHead::kHasFlags) != 0) flags = entries.byte();
      bool is_of_use = is_set_known(entries.number());
      if ((first & EntryHead::kHasInner) != 0) entries.number();
      for (std::uint64_t left = steps; left > 0; --left) {
        if (number + entries.signed_number() >= bound) throw_damaged();
      }
      if ((flags & RecordedState::kTwice) != 0) {
        is_of_use &= is_set_known(entries.number());
        entries.number();
        std::uint64_t next = 0;
        for (std::uint64_t left = entries.number(); left > 0; --left) {
          const std::uint64_t distance = entries.number();
          if (next > steps || distance >= steps - next) throw_damaged();
          next += distance + 1;
        }
      }
      constexpr std::uint8_t kLookedAt = RecordedState::kExpanded | RecordedState::kSpecial;
      is_of_use &= (flags & kLookedAt) == RecordedState::kExpanded;
      places_[number] = is_of_use ? Chunks::place(i, offset) : kNowhere;
    }
  }
}

}  // namespace spoor
