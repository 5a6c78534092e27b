#include "store/state_arena.h"

#include <algorithm>
#include <new>

#include "base/bytes.h"
#include "store/difference.h"

namespace spoor {

void StateArena::begin_piece(Writer& writer, std::uint64_t units) {
  if (units >= kDifference / kUnit) throw std::bad_alloc();
  const std::uint64_t needed = (units + kLinkUnits + kGranule - 1) / kGranule;
  // The more there is, the larger the next piece: large pieces get huge pages.
  const std::uint64_t wanted = std::min(writer.granules_ / 4 * 2, kLargestPiece);
  const std::uint64_t count = std::max<std::uint64_t>({1, wanted, needed});

  const std::lock_guard lock(mutex_);
  if (granule_count_ + count > kMaxGranules) throw std::bad_alloc();
  const ZeroedPages& piece = pieces_.emplace_back(count * kGranule * kUnit);
  const std::uint64_t begin = granule_count_ << kGranuleBits;
  const std::uintptr_t origin = reinterpret_cast<std::uintptr_t>(piece.data()) - begin * kUnit;
  for (std::uint64_t i = 0; i < count; ++i) {
    granule(granule_count_++).store(origin, std::memory_order_relaxed);
  }
  if (writer.granules_ != 0) {
    std::byte* const link = address(writer.at_);
    std::memcpy(link, &kLink, sizeof kLink);
    std::memcpy(link + sizeof kLink, &begin, sizeof begin);
  }
  count_memory(writer);
  writer.granules_ += count;
  writer.at_ = writer.counted_ = begin;
  writer.end_ = begin + count * kGranule - kLinkUnits;
}

template <class Take>
bool StateArena::for_each_part(Header header, const std::byte* at, const Take& take) const {
  const auto references_at = [](std::uint32_t what, const std::byte* content) {
    return std::span(content + sizeof(std::uint32_t), (what & ~kPieces) * sizeof(Pieces::Reference));
  };
  if ((header.what & kPieces) != 0) return pieces_of_states_.for_each(references_at(header.what, at), take);
  at += sizeof(std::uint32_t);
  const std::byte* const base = address(number_at<std::uint64_t>(at));
  Patch<Take> patch({at + sizeof(std::uint64_t), header.what & ~kDifference}, take);
  const auto references = references_at(header_at(base).what, base + sizeof header);
  return pieces_of_states_.for_each(references, [&](auto piece) { return patch.add(piece); }) &&
         patch.finish();
}

bool StateArena::is_record_of(const std::byte* at, std::span<const std::byte> state) const {
  const Header header = header_at(at);
  at += sizeof header;
  if ((header.what & kCode) != 0) {
    const Shape& shape = shapes_[header.what & ~kCode];
    return shape.length() == state.size() && shape.is_code_of(at, state.data());
  }
  if (is_whole(header)) return equal_bytes({at, header.what}, state);
  return are_parts_of(header, at, state);
}

bool StateArena::are_parts_of(Header header, const std::byte* at, std::span<const std::byte> state) const {
  if (number_at<std::uint32_t>(at) != state.size()) return false;
  const std::byte* next = state.data();
  return for_each_part(header, at, [&](std::span<const std::byte> part) {
    const bool is_equal = std::memcmp(part.data(), next, part.size()) == 0;
    next += part.size();
    return is_equal;
  });
}

std::uint64_t StateArena::write_long(Writer& writer, std::byte* to, std::span<const std::byte> state) {
  const Shape* const newest = shapes_.newest(state.size());
  std::array<std::uint64_t, Shape::kMostWords> words;
  const bool is_long = state.size() >= Shapes::kShortestLong;
  const bool fits = newest != nullptr && newest->pack(state.data(), words.data());
  // Where nearly all bits vary a code may be longer than the state, and there is room for the state only.
  if (fits && newest->code_bytes() <= (is_long ? Shapes::kLongestCode : state.size())) {
    set_header(to, kCode | newest->number(), writer.next_);
    std::memcpy(to + sizeof(Header), words.data(), newest->code_bytes());
    return units_for(newest->code_bytes());
  }
  const bool is_learned = !fits && shapes_.learn(state, index_bound());
  const bool may_be_whole = is_learned && writer.learned_bytes_ + state.size() <= kMostLearnedBytes;
  if (std::uint64_t units = 0; is_long && !may_be_whole && write_parts(writer, to, state, units))
    return units;
  if (may_be_whole) writer.learned_bytes_ += state.size();
  set_header(to, static_cast<std::uint32_t>(state.size()), writer.next_);
  if (!state.empty()) std::memcpy(to + sizeof(Header), state.data(), state.size());
  return units_for(state.size());
}

// A record that was not kept is not the base: its place is taken by another, with the same index, or has yet
// to be.
bool StateArena::has_base(const Writer& writer) const {
  if (writer.base_index_ == kNoState || writer.base_index_ == writer.next_) return false;
  const Header header = header_at(address(writer.base_position_));
  return (header.what & (kCode | kPieces)) == kPieces && header.index == writer.base_index_;
}

bool StateArena::write_parts(Writer& writer, std::byte* to, std::span<const std::byte> state,
                             std::uint64_t& units) {
  const auto length = static_cast<std::uint32_t>(state.size());
  std::byte* const behind_length = to + sizeof(Header) + sizeof length;
  std::memcpy(to + sizeof(Header), &length, sizeof length);
  writer.difference_.clear();
  if (has_base(writer) && append_difference(writer.base_, state, kLongestDifference, writer.difference_)) {
    const auto size = static_cast<std::uint32_t>(writer.difference_.size());
    set_header(to, kDifference | size, writer.next_);
    std::memcpy(behind_length, &writer.base_position_, sizeof writer.base_position_);
    std::memcpy(behind_length + sizeof writer.base_position_, writer.difference_.data(), size);
    units = units_for(difference_bytes(size));
    return true;
  }
  if (!pieces_of_states_.keep(state, writer.references_)) return false;
  const auto references = std::as_bytes(std::span(writer.references_));
  const auto count = static_cast<std::uint32_t>(writer.references_.size());
  set_header(to, kPieces | count, writer.next_);
  std::memcpy(behind_length, references.data(), references.size());
  units = units_for(pieces_bytes(count));
  writer.base_index_ = kNoState;  // should there be no memory for the next base, there is none
  writer.base_.assign(state.begin(), state.end());
  writer.base_position_ = writer.at_;
  writer.base_index_ = writer.next_;
  return true;
}

void StateArena::count_memory(Writer& writer) {
  used_.fetch_add(writer.at_ - writer.counted_, std::memory_order_relaxed);
  writer.counted_ = writer.at_;
}

void StateArena::begin_block(Writer& writer) {
  const std::uint32_t block = blocks_begun_.fetch_add(1, std::memory_order_relaxed);
  if (block >= most_blocks_) {
    blocks_begun_.fetch_sub(1, std::memory_order_relaxed);
    throw IndexesExhausted();
  }
  blocks_.make(block);  // here, because `keep` must not throw
  count_memory(writer);
  writer.next_ = block * kBlock;
  writer.block_end_ = writer.next_ + kBlock;
}

// The cursor may stand at the end of a piece, and the next may have stayed empty: a record for which
// it was begun was not kept, and the one after that was longer.
void StateArena::follow_links(Cursor& cursor) const {
  for (;;) {
    const std::byte* const at = address(cursor.position);
    std::uint32_t what;
    std::memcpy(&what, at, sizeof what);
    if (what != kLink) return;
    std::memcpy(&cursor.position, at + sizeof what, sizeof cursor.position);
  }
}

[[gnu::always_inline]] inline const std::byte* StateArena::find_record(StateIndex index,
                                                                       Cursor& cursor) const {
  const bool is_at_hand = cursor.index <= index && index < cursor.index / kBlock * kBlock + kBlock;
  if (!is_at_hand || cursor.index % kBlock == 0) {
    cursor.index = index / kBlock * kBlock;
    cursor.position = blocks_[index / kBlock];
  }
  for (;;) {
    follow_links(cursor);
    const std::byte* const at = address(cursor.position);
    cursor.position += units_of(header_at(at));
    if (cursor.index++ == index) return at;
  }
}

std::span<const std::byte> StateArena::get(StateIndex index, Cursor& cursor) const {
  const std::byte* const at = find_record(index, cursor);
  const Header header = header_at(at);
  const std::byte* const content = at + sizeof header;
  if ((header.what & kCode) != 0) [[likely]] {
    const Shape& shape = shapes_[header.what & ~kCode];
    cursor.unpacked.resize(shape.length());
    shape.unpack(content, cursor.unpacked.data());
    return cursor.unpacked;
  }
  if (is_whole(header)) return {content, header.what};
  return get_parts(header, content, cursor);
}

std::size_t StateArena::as_kept(StateIndex first, std::span<KeptState> room, Cursor& cursor) const {
  std::size_t count = 0;
  for (; count < room.size(); ++count) {
    const std::byte* const at = find_record(first + static_cast<StateIndex>(count), cursor);
    const Header header = header_at(at);
    const std::byte* const content = at + sizeof header;
    if ((header.what & kCode) != 0) [[likely]] {
      const Shape& shape = shapes_[header.what & ~kCode];
      room[count] = {&shape, {content, shape.code_bytes()}};
    } else if (is_whole(header)) {
      room[count] = {nullptr, {content, header.what}};
    } else if (count == 0) {
      room[count++] = {nullptr, get_parts(header, content, cursor)};
      break;
    } else {
      break;
    }
  }
  return count;
}

std::span<const std::byte> StateArena::get_parts(Header header, const std::byte* content,
                                                 Cursor& cursor) const {
  cursor.unpacked.resize(number_at<std::uint32_t>(content));
  std::byte* to = cursor.unpacked.data();
  for_each_part(header, content, [&](std::span<const std::byte> part) {
    std::memcpy(to, part.data(), part.size());
    to += part.size();
    return true;
  });
  return cursor.unpacked;
}

std::uint64_t StateArena::units_of_parts(Header header) {
  if ((header.what & kPieces) != 0) return units_for(pieces_bytes(header.what & ~kPieces));
  return units_for(difference_bytes(header.what & ~kDifference));
}

std::uint64_t StateArena::memory_bytes() const {
  return used_.load(std::memory_order_relaxed) * kUnit + blocks_.memory_bytes() + shapes_.memory_bytes() +
         pieces_of_states_.memory_bytes();
}

}  // namespace spoor
