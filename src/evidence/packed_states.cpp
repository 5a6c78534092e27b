#include "evidence/packed_states.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "base/packed_numbers.h"

namespace spoor {
namespace {

StateBytes as_bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

constexpr std::size_t kWordBytes = 8, kHalfWord = 4;

#if defined(__x86_64__)
// All bits of the bytes that have one.
std::uint64_t bytes_in_use(std::uint64_t word) {
  constexpr std::uint64_t kLow = 0x7f7f7f7f7f7f7f7f, kHighest = 0x8080808080808080;
  const std::uint64_t highest = (((word & kLow) + kLow) | word) & kHighest;
  return (highest >> 7) * 0xff;
}
constexpr std::uint64_t kLowest = 0x0101010101010101;

// The bytes in which two codes differ, behind a byte of flags for each word. `before` becomes `code`.
SPOOR_GATHERS std::uint8_t* put_difference(std::uint8_t* to, std::size_t words, const std::uint64_t* code,
                                           std::uint64_t* before) {
  std::uint8_t* flags = to;
  to += words;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t difference = code[i] ^ before[i];
    const std::uint64_t used = bytes_in_use(difference);
    const std::uint64_t together = _pext_u64(difference, used);
    *flags++ = static_cast<std::uint8_t>(_pext_u64(used, kLowest));
    std::memcpy(to, &together, kWordBytes);
    to += static_cast<unsigned>(__builtin_popcountll(used)) / 8;
    before[i] = code[i];
  }
  return to;
}
// REQUIRES: eight bytes behind the difference can be read.
SPOOR_GATHERS const std::uint8_t* apply_difference(const std::uint8_t* at, std::size_t words,
                                                   std::uint64_t* code) {
  const std::uint8_t* flags = at;
  at += words;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t used = _pdep_u64(*flags++, kLowest) * 0xff;
    std::uint64_t together = 0;
    std::memcpy(&together, at, kWordBytes);
    code[i] ^= _pdep_u64(together, used);
    at += static_cast<unsigned>(__builtin_popcountll(used)) / 8;
  }
  return at;
}
#else
// There are no codes.
std::uint8_t* put_difference(std::uint8_t* to, std::size_t, const std::uint64_t*, std::uint64_t*) {
  return to;
}
const std::uint8_t* apply_difference(const std::uint8_t* at, std::size_t, std::uint64_t*) { return at; }
#endif

}  // namespace

std::uint8_t* PackedStates::begin_entry(std::size_t bytes) {
  std::uint8_t* const at = codes_.begin_entry(2 * kMostNumberBytes + bytes);
  if (bound_ % kBlock == 0) {
    if (is_kept_) places_.push_back(codes_.place_of(at));
    shape_before_ = kNoShape;
  }
  return at;
}

void PackedStates::end_entry(std::uint8_t* end) {
  codes_.end_entry(end);
  ++bound_;
}

void PackedStates::add_gap() {
  end_entry(put_at(begin_entry(0), kGap));
  shape_before_ = kNoShape;
}

SPOOR_GATHERS void PackedStates::add_codes(std::uint32_t number, std::span<const KeptState> codes) {
  const Shape& shape = *shapes_[number].shape;
  const std::size_t words = shape.code_words(), bytes = shape.code_bytes();
  const std::uint64_t kind = kFirstShape + 2 * std::uint64_t{number};
  Words code;
  code[words - 1] = 0;  // the last word of a code may be half a word
  for (const KeptState& state : codes) {
    // A difference may be written with up to eight bytes more than it has, and has a byte per word beside.
    std::uint8_t* to = begin_entry(words * (kWordBytes + 1) + kWordBytes);
    if (shape_before_ == number) {
      for (std::size_t at = 0; at < bytes; at += kHalfWord)
        std::memcpy(reinterpret_cast<std::byte*>(code.data()) + at, state.bytes.data() + at, kHalfWord);
      to = put_difference(put_at(to, kind + 1), words, code.data(), code_before_.data());
    } else {
      to = put_at(to, kind);
      std::memcpy(to, state.bytes.data(), bytes);
      to += bytes;
      code_before_[words - 1] = 0;
      std::memcpy(code_before_.data(), state.bytes.data(), bytes);
      shape_before_ = number;
    }
    end_entry(to);
  }
  size_ += static_cast<std::uint32_t>(codes.size());
}

void PackedStates::add(StateBytes state) {
  Words words;
  const auto newest = newest_.find(state.size());
  if (newest != newest_.end()) {
    const Shape& shape = *shapes_[newest->second].shape;
    if (shape.code_bytes() < state.size() && shape.pack(state.data(), words.data()))
      return add_codes(
          newest->second,
          std::array{KeptState{&shape, std::as_bytes(std::span(words)).first(shape.code_bytes())}});
  }
  if (learner_ == nullptr) learner_ = std::make_unique<Shapes>();
  const Shape* const before = learner_->newest(state.size());
  learner_->learn(state, size_);
  if (const Shape* const learned = learner_->newest(state.size()); learned != before) {
    std::vector<std::byte> base, varying;
    learned->describe(base, varying);
    newest_[state.size()] = add_shape(std::move(base), std::move(varying));
  }
  std::uint8_t* const at = put_at(put_at(begin_entry(state.size()), kWhole), state.size());
  if (!state.empty()) std::memcpy(at, state.data(), state.size());
  end_entry(at + state.size());
  shape_before_ = kNoShape;
  ++size_;
}

void PackedStates::add_kept(std::span<const KeptState> states) {
  while (!states.empty()) {
    const Shape* const shape = states[0].shape;
    const auto has_other = [&](const KeptState& state) { return state.shape != shape; };
    const auto run =
        states.first(static_cast<std::size_t>(std::ranges::find_if(states, has_other) - states.begin()));
    if (shape != nullptr) {
      add_codes(number_of(*shape), run);
    } else {
      for (const KeptState& state : run) add(state.bytes);
    }
    states = states.subspan(run.size());
  }
}

std::uint32_t PackedStates::number_of(const Shape& foreign) {
  if (&foreign == last_foreign_) return last_number_;
  auto known = numbers_of_foreign_.find(&foreign);
  if (known == numbers_of_foreign_.end()) {
    std::vector<std::byte> base, varying;
    foreign.describe(base, varying);
    known = numbers_of_foreign_.emplace(&foreign, add_shape(std::move(base), std::move(varying))).first;
  }
  last_foreign_ = &foreign;
  return last_number_ = known->second;
}

std::uint32_t PackedStates::add_shape(std::vector<std::byte> base, std::vector<std::byte> varying) {
  const auto number = static_cast<std::uint32_t>(shapes_.size());
  auto shape = std::make_unique<const Shape>(number, base, varying);
  newest_[base.size()] = number;
  if (keyed_by_.size() <= base.size()) keyed_by_.resize(base.size() + 1);
  keyed_by_[base.size()] = shape->has_short_codes() ? shape.get() : nullptr;
  shapes_.push_back({std::move(base), std::move(varying), std::move(shape)});
  return number;
}

KeptState PackedStates::get_kept(std::uint32_t number, Cursor& cursor) const {
  const bool is_at_hand = cursor.next <= number && number < cursor.next / kBlock * kBlock + kBlock;
  if (!is_at_hand) {
    const Chunks::Place place = places_[number / kBlock];
    cursor.next = number / kBlock * kBlock;
    cursor.chunk = place >> Chunks::kOffsetBits;
    cursor.offset = place & (Chunks::kChunkBytes - 1);
  }
  for (;; ++cursor.next) {
    while (cursor.offset == codes_.chunk(cursor.chunk).size()) {
      ++cursor.chunk;
      cursor.offset = 0;
    }
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(codes_.chunk(cursor.chunk).data());
    const std::uint8_t* at = begin + cursor.offset;
    const std::uint64_t kind = number_at(at);
    const std::uint64_t length = kind == kWhole ? number_at(at) : 0;
    const auto* const whole = reinterpret_cast<const std::byte*>(at);
    const Shape* shape = nullptr;
    if (kind >= kFirstShape) {
      shape = shapes_[(kind - kFirstShape) / 2].shape.get();
      if ((kind - kFirstShape) % 2 != 0) {
        at = apply_difference(at, shape->code_words(), cursor.code.data());
      } else {
        cursor.code[shape->code_words() - 1] = 0;
        std::memcpy(cursor.code.data(), at, shape->code_bytes());
        at += shape->code_bytes();
      }
    }
    cursor.offset = static_cast<std::size_t>(at - begin) + length;
    if (cursor.next != number) continue;
    ++cursor.next;
    if (shape == nullptr) return {nullptr, {whole, length}};
    return {shape, std::as_bytes(std::span(cursor.code)).first(shape->code_bytes())};
  }
}

namespace {

StateBytes decoded(const KeptState& kept, std::vector<std::byte>& room) {
  if (kept.shape == nullptr) return kept.bytes;
  room.resize(kept.shape->length());
  kept.shape->unpack(kept.bytes.data(), room.data());
  return room;
}

// Each word goes through one multiplication, and the last of them decides the upper bits.
std::uint64_t hash_code(const Shape& shape, const std::uint64_t* words) {
  std::uint64_t hash = shape.length();
  for (std::size_t i = 0; i < shape.code_words(); ++i) {
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash * 0xbf58476d1ce4e5b9;
}

}  // namespace

StateBytes PackedStates::get(std::uint32_t number, Cursor& cursor) const {
  return decoded(get_kept(number, cursor), cursor.room);
}

void PackedStates::prepare(StateBytes bytes, Sought& sought) const {
  const Shape* const shape = keyed_by(bytes.size());
  sought.bytes = bytes;
  sought.code.set(shape != nullptr && shape->pack(bytes.data(), sought.code.words.data()) ? shape : nullptr);
  sought.key = sought.code.shape != nullptr ? hash_code(*shape, sought.code.words.data()) : hash_state(bytes);
}

std::uint64_t PackedStates::key(const KeptState& kept, Cursor& cursor) const {
  if (kept.shape != nullptr && keyed_by(kept.shape->length()) == kept.shape) [[likely]]
    return hash_code(*kept.shape, cursor.code.data());
  Sought state;
  prepare(decoded(kept, cursor.room), state);
  return state.key;
}

bool PackedStates::is_same(std::uint32_t number, const Sought& sought, Cursor& cursor) const {
  const KeptState kept = get_kept(number, cursor);
  if (kept.shape != nullptr && kept.shape == sought.code.shape) [[likely]]
    return kept.shape->is_same(kept.bytes.data(), sought.code.words.data());
  return equal_bytes(decoded(kept, cursor.room), sought.bytes);
}

std::string PackedStates::shapes_text() const {
  std::string text;
  for (const OwnShape& shape : shapes_) {
    put_bytes(text, as_text(std::span(shape.base)));
    put_bytes(text, as_text(std::span(shape.varying)));
  }
  return text;
}

void PackedStates::read_shapes(std::string_view text) {
  for (RecordReader reader(text); !reader.is_at_end();) {
    const StateBytes base = as_bytes_of(reader.bytes());
    const StateBytes varying = as_bytes_of(reader.bytes());
    if (base.size() != varying.size() || base.size() < Shape::kShortest || base.size() > Shape::kLongest ||
        shapes_.size() == Shapes::kMost)
      throw_damaged();
    if (!Shape::can_be_used())
      throw FramedFileError(FramedFileError::Reason::kVersion, "was made on another kind of processor");
    add_shape({base.begin(), base.end()}, {varying.begin(), varying.end()});
  }
}

namespace {

void skip_difference(RecordReader& reader, const Shape& shape) {
  std::size_t bytes = 0;
  for (std::size_t left = shape.code_words(); left > 0; --left)
    bytes += static_cast<unsigned>(std::popcount(reader.byte()));
  reader.skip(bytes);
}

}  // namespace

void PackedStates::read_codes(std::string_view chunk) {
  const std::size_t number = codes_.size();
  if (!codes_.append_chunk(chunk)) throw_damaged();
  RecordReader reader(chunk);
  while (!reader.is_at_end()) {
    const std::size_t offset = chunk.size() - reader.rest().size();
    if (offset >= Chunks::kChunkBytes || bound_ == UINT32_MAX - 1) throw_damaged();
    if (bound_ % kBlock == 0) {
      places_.push_back(Chunks::place(number, offset));
      shape_read_ = kNoShape;
    }
    const std::uint64_t kind = reader.number();
    std::uint64_t shape = kNoShape;
    if (kind == kWhole) {
      reader.bytes();
    } else if (kind >= kFirstShape) {
      shape = (kind - kFirstShape) / 2;
      if (shape >= shapes_.size()) throw_damaged();
      if ((kind - kFirstShape) % 2 == 0) {
        reader.skip(shapes_[shape].shape->code_bytes());
      } else {
        if (shape != shape_read_) throw_damaged();
        skip_difference(reader, *shapes_[shape].shape);
      }
    }
    shape_read_ = static_cast<std::uint32_t>(shape);
    ++bound_;
    size_ += kind == kGap ? 0 : 1;
  }
}

}  // namespace spoor
