#include "store/pieces.h"

#include <algorithm>
#include <cstring>

#include "store/state_hash.h"

namespace spoor {
Pieces::Pieces() : segments_(kMostSegments * sizeof(std::uintptr_t)) {}

Pieces::Piece Pieces::piece_of(std::span<const std::byte> bytes, bool is_list) {
  const auto header = static_cast<std::uint8_t>(bytes.size() | (is_list ? kIsList : 0));
  return {bytes, header, hash_state(bytes)};
}

std::size_t Pieces::leaf_length(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
  constexpr unsigned kShift = 61;
  constexpr std::uint64_t kEnd = 3;  // not 0: a long row of zeros is cut into the longest pieces
  const std::size_t most = std::min(bytes.size(), kLongestLeaf);
  for (std::size_t length = kShortestLeaf; length < most; ++length) {
    std::uint64_t window;
    std::memcpy(&window, bytes.data() + length - sizeof window, sizeof window);
    if (window * kOdd >> kShift == kEnd) return length;
  }
  return most;
}

std::size_t Pieces::list_length(std::span<const Reference> list) {
  constexpr std::uint32_t kOdd = 0x9e3779b1u;
  constexpr unsigned kShift = 30;
  const std::size_t most = std::min(list.size(), kLongestList);
  for (std::size_t length = kShortestList; length < most; ++length) {
    if (list[length - 1] * kOdd >> kShift == 1) return length;
  }
  return most;
}

bool Pieces::keep(std::span<const std::byte> bytes, std::vector<Reference>& list) {
  struct Presence {
    explicit Presence(std::atomic<std::uint32_t>& threads) : threads_(threads) { ++threads_; }
    ~Presence() { --threads_; }
    std::atomic<std::uint32_t>& threads_;
  };
  const Presence presence(inside_);
  return keep_all(bytes, list);
}

bool Pieces::keep_all(std::span<const std::byte> bytes, std::vector<Reference>& list) {
  list.clear();
  while (!bytes.empty()) {
    const std::size_t length = leaf_length(bytes);
    list.push_back(keep(piece_of(bytes.first(length), false)));
    if (list.back() == 0) return false;
    bytes = bytes.subspan(length);
  }
  while (list.size() > kMostReferences) {
    std::size_t kept = 0;
    for (std::span<const Reference> rest = list; !rest.empty(); ++kept) {
      const std::size_t length = list_length(rest);
      const Reference reference = keep(piece_of(std::as_bytes(rest.first(length)), true));
      if (reference == 0) return false;
      rest = rest.subspan(length);
      list[kept] = reference;  // a place that has been read
    }
    list.resize(kept);
  }
  return true;
}

Pieces::Reference Pieces::find(const Table& table, const Piece& piece) const {
  for (std::uint64_t i = table.home(piece.hash);; i = table.after(i)) {
    const Reference known = table[i].load(std::memory_order_acquire);
    if (known == 0) return 0;
    const std::byte* const at = address(known);
    if (static_cast<std::uint8_t>(*at) == piece.header &&
        std::memcmp(at + 1, piece.bytes.data(), piece.bytes.size()) == 0) {
      return known;
    }
  }
}

Pieces::Reference Pieces::keep(const Piece& piece) {
  Shard& shard = shards_[piece.hash >> (64 - kShardBits)];
  if (const Table* const table = shard.table.load(); table != nullptr) {
    if (const Reference known = find(*table, piece); known != 0) return known;
  }
  const std::lock_guard lock(shard.mutex);
  if (shard.tables.empty() || shard.count * 5 >= shard.tables.back()->count * 4) add_table(shard);
  const Table& table = *shard.tables.back();
  if (const Reference known = find(table, piece); known != 0) return known;  // another thread was faster
  const std::uint64_t units = (1 + piece.bytes.size() + kUnit - 1) / kUnit;
  if (shard.next + units > shard.end && !add_segment(shard)) return 0;
  const auto reference = static_cast<Reference>(shard.next);
  auto* const to = const_cast<std::byte*>(address(reference));
  *to = std::byte{piece.header};
  std::memcpy(to + 1, piece.bytes.data(), piece.bytes.size());
  shard.next += units;
  ++shard.count;
  bytes_.fetch_add(units * kUnit, std::memory_order_relaxed);
  table.empty_slot(piece.hash).store(reference, std::memory_order_release);
  return reference;
}

void Pieces::add_table(Shard& shard) {
  const Table* const old = shard.tables.empty() ? nullptr : shard.tables.back().get();
  auto table = std::make_unique<const Table>(old == nullptr ? kFirstSlots : old->count / 4 * 5);
  for (std::uint64_t i = 0; old != nullptr && i < old->count; ++i) {
    const Reference reference = (*old)[i].load(std::memory_order_relaxed);
    if (reference == 0) continue;
    bool is_list;
    const std::span<const std::byte> bytes = content(reference, is_list);
    table->empty_slot(piece_of(bytes, is_list).hash).store(reference, std::memory_order_relaxed);
  }
  bytes_.fetch_add(table->memory.size(), std::memory_order_relaxed);
  shard.tables.push_back(std::move(table));
  // In the one order of all of these: a thread that is not inside yet will see the new table.
  shard.table.store(shard.tables.back().get());
  if (inside_.load() != 1) return;
  for (; shard.tables.size() > 1; shard.tables.erase(shard.tables.begin())) {
    bytes_.fetch_sub(shard.tables.front()->memory.size(), std::memory_order_relaxed);
  }
}

bool Pieces::add_segment(Shard& shard) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = memory_.size();
  if (number == kMostSegments) return false;
  memory_.emplace_back(kSegment * kUnit);
  segment(number).store(reinterpret_cast<std::uintptr_t>(memory_.back().data()), std::memory_order_relaxed);
  shard.next = number << kSegmentBits | (number == 0 ? 1 : 0);  // no piece has the reference 0
  shard.end = (number + 1) << kSegmentBits;
  return true;
}

}  // namespace spoor
