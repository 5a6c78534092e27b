#include "store/cache.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "store/ranked_lists.h"

namespace spoor {
namespace {

constexpr unsigned kFirstChainBits = 8;
constexpr std::uint64_t kMostEntries = kNoState - RankedLists::kRanks;

}  // namespace

CacheStore::CacheStore(const CacheOptions& options, std::uint64_t memory_bytes)
    : kind_(options.policy),
      most_(options.states != 0 ? std::min(options.states, kMostEntries) : kMostEntries),
      memory_bytes_(memory_bytes),
      chains_(sizeof(std::uint32_t) << kFirstChainBits),
      shift_(64 - kFirstChainBits),
      policy_(make_policy(options.policy)) {}

Insertion CacheStore::insert(Writer&, std::uint64_t root, std::span<const std::byte>, std::uint64_t) {
  for (std::uint32_t at = chain(root); at != 0;) {
    const Entry& entry = entries_[at - 1];
    if (entry.root() == root) {
      policy_->met(at - 1);
      return {at - 1, 0};
    }
    at = entry.next + 1;
  }
  pass_newest();
  const StateIndex index = make_room();
  Entry& entry = entries_[index];
  std::uint32_t& first = chain(root);
  entry.set_root(root);
  entry.next = first - 1;
  first = index + 1;
  policy_->found(index);
  newest_ = index;
  return {index, 1};
}

bool CacheStore::is_state(StateIndex index, std::span<const std::byte> bytes) const {
  DecodeBuffer room;
  return equal_bytes(get(index, room), bytes);
}

// The index of an entry that is in no chain, and that the policy does not know.
StateIndex CacheStore::make_room() {
  if (!may_grow()) {
    const StateIndex victim = policy_->victim();
    if (victim == kNoState) throw PathDoesNotFit();
    take_out(victim);
    ++evicted_;
    return victim;
  }
  widen_chains();
  policy_->add_index();
  entries_.push_back({});
  return static_cast<StateIndex>(entries_.size() - 1);
}

void CacheStore::take_out(StateIndex index) {
  std::uint32_t* link = &chain(entries_[index].root());
  if (*link == index + 1) {
    *link = entries_[index].next + 1;
    return;
  }
  StateIndex before = *link - 1;
  while (entries_[before].next != index) before = entries_[before].next;
  entries_[before].next = entries_[index].next;
}

// Keeps the chains short: at most two states each on average.
void CacheStore::widen_chains() {
  const std::uint64_t bytes = 2 * chains_.size();
  if (entries_.size() < 2 * chains_.size() / sizeof(std::uint32_t)) return;
  if (memory_bytes_ != 0 && search_bytes_ + bytes > memory_bytes_ / 8 * 7) return;
  chains_ = ZeroedPages(bytes);
  --shift_;
  for (StateIndex i = 0; i < entries_.size(); ++i) {
    std::uint32_t& first = chain(entries_[i].root());
    entries_[i].next = std::exchange(first, i + 1) - 1;
  }
}

}  // namespace spoor
