#include "store/packed_keys.h"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace spoor {
namespace {

constexpr std::uint64_t kPadding = sizeof(std::uint64_t);

std::uint8_t bits_of(std::uint64_t field) { return static_cast<std::uint8_t>(std::bit_width(field)); }

}  // namespace

PackedKeys::Widths PackedKeys::Widths::with(const Widths& other) const {
  Widths widths;
  widths.low = std::max(low, other.low);
  widths.middle = std::max(middle, other.middle);
  widths.high = std::max(high, other.high);
  return widths.bytes() == sizeof(std::uint64_t) ? Widths{kFieldBits, kFieldBits, 8} : widths;
}

PackedKeys::Widths PackedKeys::Widths::of(std::uint64_t key) {
  Widths widths;
  widths.low = bits_of(PackedKeys::low(key));
  widths.middle = bits_of(PackedKeys::middle(key));
  widths.high = bits_of(PackedKeys::high(key));
  return widths;
}

PackedKeys::Head::Head(const Widths& widths, std::byte* begin) {
  const std::uint64_t bytes = widths.bytes();
  const auto address = reinterpret_cast<std::uintptr_t>(begin) + bytes - sizeof(std::uint64_t);
  if (address >> 48 != 0) throw std::bad_alloc();  // no system that we know of gives such memory
  word_ = address << 16 | bytes << 12 | std::uint64_t{widths.middle} << 6 | widths.low;
}

bool PackedKeys::begin_block(Writer& writer) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t block = blocks_.load(std::memory_order_relaxed);
  if (block >= most_blocks_) throw IndexesExhausted();
  if (block >= room()) return false;
  const Head fresh = new_block(widths_);
  blocks_.store(block + 1, std::memory_order_relaxed);
  writer.widths_ = widths_;
  writer.head_ = fresh;
  head(block).store(fresh.word(), std::memory_order_release);
  writer.next_ = block * kBlock;
  writer.end_ = writer.next_ + kBlock;
  return true;
}

void PackedKeys::make_room() {
  const std::uint64_t blocks = blocks_.load(std::memory_order_relaxed);
  if (blocks < room()) return;
  ZeroedPages heads(2 * heads_.size());
  std::memcpy(heads.data(), heads_.data(), heads_.size());
  heads_ = std::move(heads);
  head_bytes_.store(heads_.size(), std::memory_order_relaxed);
}

PackedKeys::Head PackedKeys::new_block(const Widths& widths) {
  const std::uint64_t bytes = kPadding + std::uint64_t{kBlock} * widths.bytes() + kPadding;
  const std::uint64_t position = space_.place(end_, bytes);
  const Head fresh(widths, space_.at(position) + kPadding);
  end_ = position + bytes;
  space_bytes_.store(space_.memory_bytes(), std::memory_order_relaxed);
  return fresh;
}

void PackedKeys::widen(Writer& writer, std::uint64_t key) {
  const std::lock_guard lock(mutex_);
  const Widths widths = widths_.with(writer.widths_).with(Widths::of(key));
  const Head fresh = new_block(widths);
  const std::uint32_t kept = writer.next_ % kBlock;
  for (std::uint32_t i = 0; i < kept; ++i) fresh.set(i, writer.head_.get(i));
  writer.widths_ = widths_ = widths;
  writer.head_ = fresh;
  head(writer.next_ / kBlock).store(fresh.word(), std::memory_order_release);
}

}  // namespace spoor
