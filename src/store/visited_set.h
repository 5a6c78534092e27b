// What a search expects of a store of visited states.
//
// A store hands out indexes, 0, 1, 2, ... in the order of insertion, so that a search can keep what it
// knows about a state in a plain array, and with one thread an index means the same in every run.
// Several threads insert each through its own Writer; then the order is that of each writer, and
// between their indexes there may be gaps.
//
// Confusing and forgetting. A store that confuses states takes two for one (kConfusesStates): a state can
// be missed, and the verdict is at best "probably". A store that forgets states (kForgetsStates) gives
// up some to make room for others: a state that is met again may then be new again. Nothing is missed, so the
// verdict can be Holds; states are expanded more than once. What the search still needs it pins: a pinned
// state is not forgotten. The two are independent of each other.
//
// Index and number. An index says where a store keeps a state. A store that never forgets gives each state
// one index that never changes, and the index is also the state's number. One that forgets uses an index
// again for another state; the search then numbers the states in the order in which they are found
// (search/state_numbers.h), and observers see only the numbers.
//
// A state is looked up in three strides, so that a batch of states can be taken through each of them
// together and no one waits for memory: its key is computed (a hash, or what a tree folds to), what
// says where the state is gets prefetched, then the state itself, and only then is it looked up.
//
// A store may want to compute more than a key before the lookup. It then has a type `Code`, computes keys
// and codes of a batch in `prepare`, and takes the code in `insert`. One that can look for many states at
// once faster than one by one has `prefetch_states`.
//
// A room is where a store puts a state back together, or remembers where it found one. Successors
// resemble the state they come from, and a store may use what is in the room to compute their keys
// faster.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

namespace spoor {

using StateIndex = std::uint32_t;   // where a store keeps a state
using StateNumber = std::uint32_t;  // which state it is; never used for another
inline constexpr StateIndex kNoState = UINT32_MAX;

// How many indexes a store may hand out: what 32 bits can say, and fewer in tests.
struct IndexLimit {
  std::uint64_t count = kNoState;
};

// There is memory for another state, but no index. Code that handles a lack of memory handles this as well;
// code that distinguishes the two catches this first.
class IndexesExhausted : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "no index is left for another state"; }
};

// Of a store that forgets states: all of them are pinned, and there is no room for another.
class PathDoesNotFit : public std::bad_alloc {
 public:
  const char* what() const noexcept override { return "the path of the search does not fit into the store"; }
};

struct Insertion {
  StateIndex index = kNoState;
  std::uint32_t is_new = 0;  // a truth value; with this size the whole is one register
};

class Shape;
struct CacheFigures;

// A state as a store keeps it: its code in a shape (shape.h), or all its bytes.
struct KeptState {
  const Shape* shape = nullptr;  // null: these are all its bytes
  std::span<const std::byte> bytes;
};

// For stores that need none.
struct NoDecodeBuffer {
  static std::uint64_t memory_bytes() { return 0; }
};

// [begin, end)
struct IndexRange {
  StateIndex begin = 0;
  StateIndex end = 0;
};

// What a store promises, by constants of its class:
//
//   kConfusesStates  two states can be taken for one another; the store states the probability that it
//                    missed a state
//   kForgetsStates   a state that is not pinned can be given up when another is inserted; where all are
//                    pinned, insert throws PathDoesNotFit
//   kKeepsBytes      a state can be had back from its index; otherwise the search must keep the bytes of the
//                    states that it has yet to expand
//   kNamesStates     a known state has the index that it got when it was new; otherwise its index is
//                    kNoState: the store cannot tell which state it is, or whether it was ever there
//   kIsShared        several threads may use the store at once; each calls enter() first, safe_point() now
//                    and then, where it holds on to nothing of the store but indexes, and leave() before it
//                    rests
//
// A store whose keys need nothing but the state has a function `key`, the others have `keys`.
template <class Store>
concept VisitedSet = requires(Store store, const Store constant, typename Store::DecodeBuffer room,
                              typename Store::Writer writer, std::uint64_t key, std::uint64_t hint,
                              std::span<const std::byte> bytes) {
  { Store::kConfusesStates } -> std::convertible_to<bool>;
  { Store::kForgetsStates } -> std::convertible_to<bool>;
  { Store::kKeepsBytes } -> std::convertible_to<bool>;
  { Store::kNamesStates } -> std::convertible_to<bool>;
  { Store::kIsShared } -> std::convertible_to<bool>;
  store.enter();
  store.safe_point();
  store.leave();
  { room.memory_bytes() } -> std::convertible_to<std::uint64_t>;
  constant.prefetch(key);
  // Returns a hint for `insert`, which only the store can read: where the state probably is or would go.
  { constant.prefetch_state(key) } -> std::same_as<std::uint64_t>;
  // The state with these bytes and this key, which is added if it is not there. `hint`: what
  // prefetch_state has said of the key, however long ago, or 0. Throws std::bad_alloc where memory runs
  // out and IndexesExhausted where indexes do; the store is then as before.
  { store.insert(writer, key, bytes, hint) } -> std::same_as<Insertion>;
  // The next states get indexes in one of the writers' vacant ranges, or from the bound on.
  { constant.vacant(writer) } -> std::same_as<IndexRange>;
  { constant.index_bound() } -> std::convertible_to<std::uint64_t>;
  { constant.size() } -> std::convertible_to<std::uint64_t>;
  { constant.memory_bytes() } -> std::convertible_to<std::uint64_t>;
}
&&(
    requires(std::span<const std::byte> bytes) {
      // Equal bytes have equal keys.
      { Store::key(bytes) } -> std::same_as<std::uint64_t>;
    } ||
    requires(Store store, typename Store::Writer writer, const typename Store::DecodeBuffer room,
             std::span<const std::span<const std::byte>> states, std::uint64_t* keys) {
      // The keys of some states, one each. `room`: that of the state which they are the successors
      // of, or any other.
      store.keys(writer, states, room, keys);
    }) &&
    (!Store::kKeepsBytes ||
     requires(const Store constant, typename Store::DecodeBuffer room, StateIndex index) {
       // REQUIRES: index < size(). The bytes stay valid until the room is used again, while other states are
       // inserted, too.
       { constant.get(index, room) } -> std::same_as<std::span<const std::byte>>;
     }) &&
    (!Store::kNamesStates ||
     requires(const Store constant, std::span<const std::byte> bytes, StateIndex index) {
       // Are these the bytes of this state, as far as the store can tell?
       { constant.is_state(index, bytes) } -> std::same_as<bool>;
     }) &&
    (!Store::kForgetsStates ||
     requires(Store store, StateIndex index) {
       // Between the two the state at this index is not forgotten. A state is pinned once at most.
       store.pin(index);
       store.unpin(index);
       // What the whole search occupies; now and then.
       store.note_memory(std::uint64_t{});
       { store.figures() } -> std::same_as<CacheFigures>;
     }) &&
    (!Store::kConfusesStates || requires(const Store constant) {
      { constant.omission_probability() } -> std::convertible_to<double>;
    });

// For searches that keep something about every state: an index always means the same state.
template <class Store>
concept RememberingSet = VisitedSet<Store> && !Store::kForgetsStates;

}  // namespace spoor
