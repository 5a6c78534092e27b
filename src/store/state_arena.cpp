#include "store/state_arena.h"

#include <algorithm>
#include <new>

#include "base/bytes.h"

namespace spoor {

void StateArena::begin_piece(Writer& writer, std::uint64_t units) {
  if (units >= kCode / kUnit) throw std::bad_alloc();
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

bool StateArena::is_record_of(const std::byte* at, std::span<const std::byte> state) const {
  const Header header = header_at(at);
  at += sizeof header;
  if ((header.what & kCode) == 0) return equal_bytes({at, header.what}, state);
  const Shape& shape = shapes_[header.what & ~kCode];
  return shape.length() == state.size() && shape.is_code_of(at, state.data());
}

std::uint64_t StateArena::write_long(std::byte* to, std::span<const std::byte> state, StateIndex index) {
  const Shape* const newest = shapes_.newest(state.size());
  std::array<std::uint64_t, Shape::kMostWords> words;
  const bool fits = newest != nullptr && newest->pack(state.data(), words.data());
  // Where nearly all bits vary a code may be longer than the state, and there is room for the state only.
  if (fits && newest->code_bytes() <= state.size()) {
    set_header(to, kCode | newest->number(), index);
    std::memcpy(to + sizeof(Header), words.data(), newest->code_bytes());
    return units_for(newest->code_bytes());
  }
  if (!fits) shapes_.learn(state, index_bound());
  set_header(to, static_cast<std::uint32_t>(state.size()), index);
  if (!state.empty()) std::memcpy(to + sizeof(Header), state.data(), state.size());
  return units_for(state.size());
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

std::span<const std::byte> StateArena::get(StateIndex index, Cursor& cursor) const {
  const bool is_at_hand = cursor.index <= index && index < cursor.index / kBlock * kBlock + kBlock;
  if (!is_at_hand || cursor.index % kBlock == 0) {
    cursor.index = index / kBlock * kBlock;
    cursor.position = blocks_[index / kBlock];
  }
  for (;; ++cursor.index) {
    follow_links(cursor);
    const std::byte* const at = address(cursor.position);
    const Header header = header_at(at);
    cursor.position += units_of(header);
    if (cursor.index != index) continue;
    ++cursor.index;
    if ((header.what & kCode) == 0) return {at + sizeof header, header.what};
    const Shape& shape = shapes_[header.what & ~kCode];
    cursor.unpacked.resize(shape.length());
    shape.unpack(at + sizeof header, cursor.unpacked.data());
    return cursor.unpacked;
  }
}

std::uint64_t StateArena::memory_bytes() const {
  return used_.load(std::memory_order_relaxed) * kUnit + blocks_.memory_bytes();
}

}  // namespace spoor
