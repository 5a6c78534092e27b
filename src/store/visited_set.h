// What a search expects of a store of visited states.
//
// A store hands out dense indexes, 0, 1, 2, ... in the order of insertion. A breadth-first frontier
// is therefore a range of indexes and no queue, an observer can keep what it knows about a state in
// a plain array, and a state's number means the same in every run. The caller computes the hash, so
// that a batch of states can be hashed, then prefetched in two strides (what says where the state
// is, and the state itself), and only then looked up.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace spoor {

using StateIndex = std::uint32_t;
inline constexpr StateIndex kNoState = UINT32_MAX;

struct Insertion {
  StateIndex index = kNoState;
  bool is_new = false;
};

// kIsExact: two states are never taken for one another and none is forgotten. A store that cannot
// promise this must state the probability that it missed a state; its verdict is at best
// "probably".
template <class Store>
concept VisitedSet = requires(Store store, const Store constant, std::uint64_t hash,
                              std::span<const std::byte> bytes, StateIndex index) {
  { Store::kIsExact } -> std::convertible_to<bool>;
  constant.prefetch(hash);
  constant.prefetch_state(hash);
  { store.insert(hash, bytes) } -> std::same_as<Insertion>;
  { constant.get(index) } -> std::same_as<std::span<const std::byte>>;
  { constant.size() } -> std::convertible_to<std::uint64_t>;
  { constant.memory_bytes() } -> std::convertible_to<std::uint64_t>;
};

}  // namespace spoor
