#include "evidence/packed_states.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/packed_numbers.h"

namespace spoor {
namespace {

StateBytes as_bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace

std::uint8_t* PackedStates::begin_entry(std::size_t bytes) {
  std::uint8_t* const at = codes_.begin_entry(2 * kMostNumberBytes + bytes);
  if (bound_ % kBlock == 0) places_.push_back(codes_.place_of(at));
  return at;
}

void PackedStates::end_entry(std::uint8_t* end) {
  codes_.end_entry(end);
  ++bound_;
}

void PackedStates::add_gap() { end_entry(put_at(begin_entry(0), kGap)); }

void PackedStates::add(StateBytes state) {
  std::array<std::uint64_t, Shape::kMostWords> words;
  const auto newest = newest_.find(state.size());
  if (newest != newest_.end()) {
    const Shape& shape = *shapes_[newest->second].shape;
    if (shape.code_bytes() < state.size() && shape.pack(state.data(), words.data())) {
      std::uint8_t* const at = put_at(begin_entry(shape.code_bytes()), kFirstShape + newest->second);
      std::memcpy(at, words.data(), shape.code_bytes());
      end_entry(at + shape.code_bytes());
      ++size_;
      return;
    }
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
  ++size_;
}

void PackedStates::add_code(const Shape& shape, const std::byte* code) {
  if (&shape != last_foreign_) [[unlikely]] {
    auto known = numbers_of_foreign_.find(&shape);
    if (known == numbers_of_foreign_.end()) {
      std::vector<std::byte> base, varying;
      shape.describe(base, varying);
      known = numbers_of_foreign_.emplace(&shape, add_shape(std::move(base), std::move(varying))).first;
    }
    last_foreign_ = &shape;
    last_number_ = known->second;
  }
  std::uint8_t* const at = put_at(begin_entry(shape.code_bytes()), kFirstShape + last_number_);
  std::memcpy(at, code, shape.code_bytes());
  end_entry(at + shape.code_bytes());
  ++size_;
}

std::uint32_t PackedStates::add_shape(std::vector<std::byte> base, std::vector<std::byte> varying) {
  const auto number = static_cast<std::uint32_t>(shapes_.size());
  auto shape = std::make_unique<const Shape>(number, base, varying);
  newest_[base.size()] = number;
  shapes_.push_back({std::move(base), std::move(varying), std::move(shape)});
  return number;
}

StateBytes PackedStates::get(std::uint32_t number, Cursor& cursor) const {
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
    const Shape* const shape = kind >= kFirstShape ? shapes_[kind - kFirstShape].shape.get() : nullptr;
    cursor.offset = static_cast<std::size_t>(at - begin) + (shape != nullptr ? shape->code_bytes() : length);
    if (cursor.next != number) continue;
    ++cursor.next;
    const auto* const content = reinterpret_cast<const std::byte*>(at);
    if (shape == nullptr) return {content, length};
    cursor.room.resize(shape->length());
    shape->unpack(content, cursor.room.data());
    return cursor.room;
  }
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

void PackedStates::read_codes(std::string_view chunk) {
  const std::size_t number = codes_.size();
  if (!codes_.append_chunk(chunk)) throw_damaged();
  RecordReader reader(chunk);
  while (!reader.is_at_end()) {
    const std::size_t offset = chunk.size() - reader.rest().size();
    if (offset >= Chunks::kChunkBytes || bound_ == UINT32_MAX - 1) throw_damaged();
    if (bound_ % kBlock == 0) places_.push_back(Chunks::place(number, offset));
    const std::uint64_t kind = reader.number();
    if (kind == kWhole) {
      reader.bytes();
    } else if (kind >= kFirstShape) {
      if (kind - kFirstShape >= shapes_.size()) throw_damaged();
      reader.skip(shapes_[kind - kFirstShape].shape->code_bytes());
    }
    ++bound_;
    size_ += kind == kGap ? 0 : 1;
  }
}

}  // namespace spoor
