#include "evidence/full_script_fingerprints.h"

#include <algorithm>

namespace spoor {

ScriptFingerprints::Slot* ScriptFingerprints::Shard::find(std::uint32_t number) {
  if (slots.empty()) return nullptr;
  std::size_t at = home(number);
  while (slots[at].number != number && slots[at].number != kNone) at = (at + 1) & (slots.size() - 1);
  return &slots[at];
}

void ScriptFingerprints::Shard::insert(const Slot& slot) {
  // At most three quarters are used.
  if (4 * (count + 1) > 3 * slots.size()) grow();
  *find(slot.number) = slot;
  ++count;
}

// Those that lie behind it move up, so that there are no gaps on their way.
void ScriptFingerprints::Shard::erase(Slot* slot) {
  const std::size_t mask = slots.size() - 1;
  std::size_t gap = static_cast<std::size_t>(slot - slots.data());
  for (std::size_t at = (gap + 1) & mask; slots[at].number != kNone; at = (at + 1) & mask) {
    if (((at - home(slots[at].number)) & mask) < ((at - gap) & mask)) continue;
    slots[gap] = slots[at];
    gap = at;
  }
  slots[gap] = {};
  --count;
}

void ScriptFingerprints::Shard::grow() {
  constexpr std::size_t kFirst = 64;
  std::vector<Slot> old(std::max(kFirst, 2 * slots.size()));
  old.swap(slots);
  for (const Slot& slot : old) {
    if (slot.number != kNone) *find(slot.number) = slot;
  }
  bytes.store(slots.size() * sizeof(Slot), std::memory_order_relaxed);
}

ScriptFingerprints::Answer ScriptFingerprints::add(std::uint32_t number, Fingerprint fingerprint,
                                                   std::int32_t change) {
  Shard& shard = shard_of(number);
  std::unique_lock<std::mutex> guard;
  if (is_shared_) guard = std::unique_lock(shard.lock);
  const auto low = static_cast<std::uint64_t>(fingerprint),
             high = static_cast<std::uint64_t>(fingerprint >> 64);
  Slot* const slot = shard.find(number);
  if (slot == nullptr || slot->number == kNone) {
    if (change < 0 && !is_shared_) return Answer::kUnknown;
    if (change == 0) return Answer::kRight;
    shard.insert({low, high, number, change});
    note_insertion();
    return Answer::kRight;
  }
  if (slot->low != low || slot->high != high) return Answer::kOther;
  if (slot->left == INT32_MIN) return Answer::kTooMany;
  slot->left += change;
  if (change >= 0 && slot->left < 0) return Answer::kTooMany;
  if (slot->left != 0) return Answer::kRight;
  shard.erase(slot);
  count_.fetch_sub(1, std::memory_order_relaxed);
  return Answer::kRight;
}

void ScriptFingerprints::note_insertion() {
  const std::uint64_t now = count_.fetch_add(1, std::memory_order_relaxed) + 1;
  std::uint64_t most = most_.load(std::memory_order_relaxed);
  while (most < now && !most_.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
  }
}

ScriptFingerprints::Answer ScriptFingerprints::define(std::uint32_t number, Fingerprint fingerprint,
                                                      std::uint64_t uses) {
  return add(number, fingerprint, static_cast<std::int32_t>(uses));
}

ScriptFingerprints::Answer ScriptFingerprints::use(std::uint32_t number, Fingerprint fingerprint) {
  return add(number, fingerprint, -1);
}

std::optional<ScriptFingerprints::Rest> ScriptFingerprints::first_rest() const {
  std::optional<Rest> first;
  for (const Shard& shard : shards_) {
    for (const Slot& slot : shard.slots) {
      if (slot.number != kNone && (!first || slot.number < first->number)) first = {slot.number, slot.left};
    }
  }
  return first;
}

std::uint64_t ScriptFingerprints::memory_bytes() const {
  std::uint64_t bytes = 0;
  for (const Shard& shard : shards_) bytes += shard.bytes.load(std::memory_order_relaxed);
  return bytes;
}

}  // namespace spoor
