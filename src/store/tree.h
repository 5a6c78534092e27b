// The tree store: exact, in about ten bytes per state, whatever the length of the states.
//
// The idea (recursive indexing, or tree compression). A state is cut into words of 4 bytes. Two
// neighbouring words are a pair, which gets a number: the same pair, in whatever state, the same
// number. Two neighbouring numbers are again a pair with a number, and so on up to the root, whose
// pair stands for the whole state. Example, four words:
//
//     state 7 1 0 5:  (7 1) is node 0, (0 5) is node 1, the state is the pair (0 1)
//     state 7 1 0 6:  (7 1) is node 0, (0 6) is node 2, the state is the pair (0 2)
//
// States of one model differ from each other in few words, so there are far fewer nodes than
// states, roughly the square root of their number, and a state costs no more than the pair at its
// root. This pair is the state's key; equal keys mean equal states, so nothing is left to compare.
//
// Lengths vary. The vector of words ends in the length and is filled up with zeros before it, to one
// of at most 240 sizes: those with four significant bits, so never by more than an eighth. The
// kind of a state is its size, numbered as they come; it is part of the key, and it alone decides
// the shape of the tree.
//
// Shape. There are fewest nodes where both children of the root have about as many values. Words
// beside each other vary together (a channel, a process), but often one half of a vector hardly
// varies at all, and then the other half has as many values as there are states. So the vector is
// cut into blocks, of a sixth and at least four words, which go to the two children in turn; below,
// each range of words is cut in the middle. Tried out, as against halves: `leader` 2.8 M nodes, with
// blocks of eight words 0.16 M; `phils` 119,000, with six 27,000; `swp` 125,000, with four 26,000.
//
// Successors. A step changes few words. The room holds the words of the state being expanded and the
// numbers of all its nodes; a successor is compared with it word by word, and only the nodes above
// words that differ are looked up: some log2(words) for each. Each lookup needs the result of the
// one below, so a successor alone would wait for memory at every level. All successors of a state
// therefore climb together, level by level: the pairs of a level are formed and their places in the
// table asked for, then the entries that these name, then they are looked up. (Measured on `phils`,
// one by one: half of the time of the search went into waiting for nodes.) Most of the changes of half a
// state have been seen before; what came of them is remembered (change_memo.h), and only the others
// climb. In the same way `get` unfolds only what differs from the state that is in the room already,
// which for neighbours in a breadth-first search is little.
//
// Several threads. States and nodes are in tables that are shared (key_table.h). A node is added before the
// nodes above it are formed, and so is visible to every thread that learns its number. Which thread adds it
// is a matter of chance, and so is its number; that equal pairs have one number is not. Each thread has its
// own room and its own working memory. The shapes are made under a lock, each once, and stay.
//
// Rivals. SPIN's COLLAPSE has the same idea at two levels, cut at processes and channels: larger
// roots. Laarman et al. keep nodes and roots in one table of fixed size, and the place in it is the
// reference; ours must grow and number states densely (key_table.h), at the price of 4.4 to 5.6
// bytes per state, which packing the roots (packed_keys.h) more than saves.
//
// Invariants:
//   1. nodes_[r] is the pair (left << 32 | right) of node r. Which of the numbers in it are words
//      and which are nodes depends on the node's place in the tree only.
//   2. A key is kind << 56 | left << 28 | right, both nodes. Equal keys: equal kinds, so the same
//      shape, so equal words, the length among them, so equal bytes.
//   3. Places in the tree are numbered as in a heap: 1 is the root, the children of i are 2i and
//      2i + 1. In a room, values_[i] is the number of the node
//      (or the word) at place i, all of the same state.
//   4. Items that climb are in the order of their states, and those of a state from left to right;
//      those of one state have places beside each other, none above another.
//   5. A kind that a thread knows has a shape.
//
// Cost: a root, 3 to 8 bytes; a slot, 4.4 to 5.6; and the nodes, 10 to 14 each. Looking up a
// successor: 2 cache misses, as in the exact store, and the nodes, which are mostly in the cache.
// States without a likeness (random bytes) need more memory here than in the exact store. There can
// be 2^28 nodes, counting those that writers have numbers for; where they run out the store throws
// IndexesExhausted, as where the numbers of states do.
// Thread safety: all members but those of one Writer or DecodeBuffer may be called from several threads that
// have entered; memory_bytes() and size() are then approximate.
// Citation: A. Laarman, J. van de Pol, M. Weber, "Parallel recursive state compression for free",
// SPIN 2011; S. Blom, B. Lisser, J. van de Pol, M. Weber, "A database approach to distributed state
// space generation", 2009.
// Tested by: tests/unit/test_store_tree.cpp, tests/unit/test_store_threads.cpp,
// tests/unit/test_search.cpp
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/buffer.h"
#include "store/change_memo.h"
#include "store/key_table.h"
#include "store/quiescence.h"
#include "store/visited_set.h"

namespace spoor {

class TreeStore {
  // A word or node of a state that its source does not have at this place.
  struct Item {
    std::uint32_t state;  // in the batch
    std::uint32_t place;
    std::uint64_t value;  // a pair, where it has yet to be looked up
  };

  // Those of a state that are below the same child of the root.
  struct Half {
    std::uint32_t first;  // item
    std::uint32_t count;
    bool is_small;  // enough to be remembered
    ChangeMemo::Change change;
  };

 public:
  static constexpr bool kConfusesStates = false;
  static constexpr bool kForgetsStates = false;
  static constexpr bool kKeepsBytes = true;
  static constexpr bool kNamesStates = true;
  static constexpr bool kIsShared = true;

  class DecodeBuffer {
   public:
    std::uint64_t memory_bytes() const {
      return (words_.capacity() + values_.capacity()) * sizeof(std::uint32_t);
    }

   private:
    friend class TreeStore;
    std::uint32_t kind_ = UINT32_MAX;  // none: the room is empty
    std::uint32_t length_ = 0;
    std::uint64_t key_ = 0;
    Buffer<std::uint32_t> words_;
    Buffer<std::uint32_t> values_;  // by place
  };

  class Writer {
   public:
    std::uint64_t memory_bytes() const {
      return (items_.capacity() + right_.capacity() + pairs_.capacity()) * sizeof(Item) +
             halves_.capacity() * sizeof(Half) + memo_.memory_bytes();
    }

   private:
    friend class TreeStore;
    KeyTable::Writer roots_;
    KeyTable::Writer nodes_;
    Buffer<Item> items_;  // working memory of keys(), and so is:
    Buffer<Item> right_;  // of one state, those below the right child of the root
    Buffer<Item> pairs_;
    Buffer<Half> halves_;
    ChangeMemo memo_;
  };

  explicit TreeStore(IndexLimit limit = {});

  void enter() { quiescence_.enter(); }
  void leave() { quiescence_.leave(); }
  void safe_point() { quiescence_.safe_point(); }

  void keys(Writer& writer, std::span<const std::span<const std::byte>> states, const DecodeBuffer& source,
            std::uint64_t* keys);

  void prefetch(std::uint64_t key) const { roots_.prefetch(key); }
  std::uint64_t prefetch_state(std::uint64_t key) const { return roots_.hint(key); }

  Insertion insert(Writer& writer, std::uint64_t key, std::span<const std::byte>, std::uint64_t hint = 0) {
    return roots_.insert(writer.roots_, key, hint);
  }

  std::span<const std::byte> get(StateIndex index, DecodeBuffer& room) const {
    return state_of(roots_[index], room);
  }
  // The state with this key, which `keys` has given, whether it was inserted or not.
  std::span<const std::byte> state_of(std::uint64_t key, DecodeBuffer& room) const;
  bool is_state(StateIndex index, std::span<const std::byte> bytes) const;

  std::uint64_t size() const { return roots_.size(); }
  static IndexRange vacant(const Writer& writer) { return KeyTable::vacant(writer.roots_); }
  std::uint64_t index_bound() const { return roots_.bound(); }
  std::uint64_t nodes() const { return nodes_.size(); }
  std::uint64_t memory_bytes() const {
    return sizeof(*this) + roots_.memory_bytes() + nodes_.memory_bytes() +
           shape_bytes_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr unsigned kReferenceBits = PackedKeys::kFieldBits;
  static constexpr std::uint64_t kMaxNodes = std::uint64_t{1} << kReferenceBits;
  static constexpr std::uint32_t kNoKind = UINT32_MAX;

  // Of the trees of a kind.
  struct Shape {
    std::uint32_t words = 0;
    unsigned levels = 0;  // all places are below 2^(levels + 1)
    std::vector<std::uint32_t> place_of_word;
    std::vector<std::uint32_t> word_at;  // by place; kNoWord where there is a node
  };
  static constexpr std::uint32_t kNoWord = UINT32_MAX;

  // The kind of states of this length.
  std::uint32_t kind_for(std::size_t length);
  std::uint32_t add_kind(std::uint32_t code, std::uint32_t words);
  static Shape shape_for(std::uint32_t words);
  const Shape& shape(std::uint32_t kind) const { return *shapes_[kind].load(std::memory_order_acquire); }

  void note_changes(Writer& writer, std::uint32_t state, std::span<const std::byte> bytes,
                    const DecodeBuffer& source) const;
  static void note_half(Writer& writer, std::size_t first, std::uint32_t node, const Shape& shape);
  template <class Put>
  static void take_remembered(Writer& writer, const Put& put_into_key);
  void remember(Writer& writer) const;
  static void note_all(Writer& writer, std::uint32_t state, std::span<const std::byte> bytes,
                       const Shape& shape);
  static void note_item(Writer& writer, const Item& item);
  // Takes all items up to the children of the root; `values`: of the source, by place.
  void climb(Writer& writer, const Shape& shape, const std::uint32_t* values);
  void pair_up(Writer& writer, std::uint32_t level_begin, const std::uint32_t* values) const;
  void look_up_pairs(Writer& writer);
  std::uint64_t key_of(std::uint32_t kind, std::uint64_t left, std::uint64_t right) const {
    return std::uint64_t{kind} << 2 * kReferenceBits | left << kReferenceBits | right;
  }
  void unfold(std::uint32_t reference, std::uint32_t place, const Shape& shape, DecodeBuffer& room) const;

  Quiescence quiescence_;
  KeyTable roots_;
  KeyTable nodes_{quiescence_};
  std::array<std::atomic<const Shape*>, 256> shapes_ = {};  // by kind
  std::array<std::atomic<std::uint32_t>, 256> kind_of_code_;
  std::atomic<std::uint64_t> shape_bytes_ = 0;
  std::mutex mutex_;  // guards the rest, and that kinds are added
  std::vector<std::unique_ptr<const Shape>> made_;
};

static_assert(VisitedSet<TreeStore>);

}  // namespace spoor
