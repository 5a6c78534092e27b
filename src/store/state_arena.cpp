#include "store/state_arena.h"

#include <algorithm>
#include <new>

namespace spoor {

void StateArena::begin_piece(Writer& writer, std::uint64_t units) {
  if (units > UINT32_MAX / kUnit) throw std::bad_alloc();
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

void StateArena::count_memory(Writer& writer) {
  used_.fetch_add(writer.at_ - writer.counted_, std::memory_order_relaxed);
  writer.counted_ = writer.at_;
}

void StateArena::begin_block(Writer& writer) {
  const std::uint32_t block = blocks_begun_.fetch_add(1, std::memory_order_relaxed);
  if (block >= kNoState / kBlock) {
    blocks_begun_.fetch_sub(1, std::memory_order_relaxed);
    throw std::bad_alloc();
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
    std::uint32_t length;
    std::memcpy(&length, at, sizeof length);
    if (length != kLink) return;
    std::memcpy(&cursor.position, at + sizeof length, sizeof cursor.position);
  }
}

std::span<const std::byte> StateArena::get(StateIndex index, Cursor& cursor) const {
  const bool is_at_hand = cursor.index <= index && index < cursor.index / kBlock * kBlock + kBlock;
  if (!is_at_hand || cursor.index % kBlock == 0) {
    cursor.index = index / kBlock * kBlock;
    cursor.position = blocks_[index / kBlock];
  }
  for (;;) {
    follow_links(cursor);
    const Record found = record(cursor.position);
    cursor.position += units_for(found.bytes.size());
    if (cursor.index++ == index) return found.bytes;
  }
}

std::uint64_t StateArena::memory_bytes() const {
  return used_.load(std::memory_order_relaxed) * kUnit + blocks_.memory_bytes();
}

}  // namespace spoor
