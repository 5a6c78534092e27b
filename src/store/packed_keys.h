// A growing array of 64-bit keys that takes as few bytes per key as the keys need so far.
//
// A key consists of three fields, of 28, 28 and 8 bits from the lowest on. In a tree store they are
// small numbers (two references and a kind of state), so most of the 64 bits are zero: nine million
// states of a model may need 16 + 15 + 0 bits, which are 4 bytes and not 8. The array keeps the
// widest value of each field it has seen. Keys stand in blocks of 1024, each written with the
// widths that were enough when it began. When a wider key arrives, the widths grow and the block that
// it belongs to, which is not full yet, is written anew; the first copy is left where it is. That
// happens at most 64 times in the life of a writer, however long. Where keys use all bits (hashes),
// this is a plain array.
//
// Several threads. A block belongs to one Writer, which fills it from left to right. A key counts when
// `keep` is called; until then the next one takes its place. All that is known of a block is one word,
// its head: where it is and the widths of its keys. So a block that was written anew is put in the
// place of the old one by one store, and a thread that still has the old head finds in the old copy what
// was there. A key is read by the load of 8 bytes that *ends* with it: what else is loaded are keys that
// were kept earlier, never one that its writer is just writing.
//
// Invariants:
//   1. Each field of each key of a block fits the block's widths; a key occupies whole bytes.
//   2. Before and behind each block are 8 bytes of padding; those before it are never written.
//   3. What was kept is not written again.
//
// Cost: one load of the block's head (a byte per 128 keys: in a cache up to a hundred million of
// them), one of the key.
// Thread safety: one writer per thread. A thread may read a key if it has learnt its number through a
// release and an acquire. make_room() only when no other thread uses the array.
// Tested by: tests/unit/test_store_tree.cpp, tests/unit/test_store_threads.cpp
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "store/byte_space.h"
#include "store/pages.h"
#include "store/visited_set.h"

namespace spoor {

class PackedKeys {
 public:
  static constexpr unsigned kFieldBits = 28;  // of the lower two fields
  static constexpr std::uint32_t kBlock = 1024;

 private:
  static constexpr std::uint64_t kFieldMask = (std::uint64_t{1} << kFieldBits) - 1;

  static constexpr std::uint64_t low(std::uint64_t key) { return key & kFieldMask; }
  static constexpr std::uint64_t middle(std::uint64_t key) { return key >> kFieldBits & kFieldMask; }
  static constexpr std::uint64_t high(std::uint64_t key) { return key >> 2 * kFieldBits; }

  struct Widths {
    std::uint8_t low = 1, middle = 1, high = 0;

    bool fit(std::uint64_t key) const {
      return (PackedKeys::low(key) >> low | PackedKeys::middle(key) >> middle |
              PackedKeys::high(key) >> high) == 0;
    }
    unsigned bytes() const { return (unsigned{low} + middle + high + 7) / 8; }
    Widths with(const Widths& other) const;
    static Widths of(std::uint64_t key);
  };

  // 6 bits: the width of the low field; 6 bits: of the middle field; 4 bits: the bytes of a key, and
  // the high field has what is left of them; 48 bits: the address of the load that gives key 0. Keys of
  // 8 bytes have all fields in full and are what is loaded.
  class Head {
   public:
    Head() = default;
    explicit Head(std::uint64_t word) : word_(word) {}
    Head(const Widths& widths, std::byte* begin);

    std::uint64_t word() const { return word_; }
    const std::byte* load_of(std::uint64_t i) const { return first() + i * bytes(); }
    std::uint64_t get(std::uint64_t i) const {
      std::uint64_t word;
      if (has_all_bits()) {
        std::memcpy(&word, first() + i * sizeof word, sizeof word);
        return word;
      }
      std::memcpy(&word, load_of(i), sizeof word);
      // Above each field stand those that follow; taking them away is cheaper than a mask.
      const std::uint64_t all = word >> (-8 * bytes() & 63);
      const std::uint64_t upper = all >> low();
      const std::uint64_t high = upper >> middle();
      return (all - (upper << low())) | (upper - (high << middle())) << kFieldBits | high << 2 * kFieldBits;
    }
    // Also writes to the places of later keys, and to the padding.
    void set(std::uint64_t i, std::uint64_t key) const {
      const std::uint64_t word = PackedKeys::low(key) | PackedKeys::middle(key) << low() |
                                 PackedKeys::high(key) << (low() + middle());
      std::memcpy(const_cast<std::byte*>(load_of(i)) + sizeof word - bytes(), &word, sizeof word);
    }

   private:
    const std::byte* first() const { return reinterpret_cast<const std::byte*>(word_ >> 16); }
    bool has_all_bits() const { return (word_ & 8 << 12) != 0; }
    std::uint64_t low() const { return word_ & 63; }
    std::uint64_t middle() const { return word_ >> 6 & 63; }
    std::uint64_t bytes() const { return word_ >> 12 & 15; }

    std::uint64_t word_ = 0;
  };

 public:
  class Writer {
   public:
    // Numbers that it has and has not used yet: [next, end).
    std::uint32_t next() const { return next_; }
    std::uint32_t end() const { return end_; }

   private:
    friend class PackedKeys;
    std::uint32_t next_ = 0;
    std::uint32_t end_ = 0;
    Widths widths_;  // of its block
    Head head_;
  };

  explicit PackedKeys(IndexLimit limit = {})
      : heads_(kFirstHeads * sizeof(std::atomic<std::uint64_t>)), most_blocks_(limit.count / kBlock) {}

  // REQUIRES: the key was kept, and this thread knows of it.
  std::uint64_t operator[](std::uint64_t index) const {
    return Head(head(index / kBlock).load(std::memory_order_acquire)).get(index % kBlock);
  }
  void prefetch(std::uint64_t index) const {
    __builtin_prefetch(Head(head(index / kBlock).load(std::memory_order_acquire)).load_of(index % kBlock));
  }

  // Gives the writer the numbers of the next block. False: first there must be room for it.
  // REQUIRES: it has used all that it had. Throws std::bad_alloc, IndexesExhausted, and is then unchanged.
  bool begin_block(Writer& writer);
  void make_room();

  // Puts a key to the writer's next number. REQUIRES: it has one. Throws std::bad_alloc, and what was
  // kept is then unchanged.
  void write(Writer& writer, std::uint64_t key) {
    if (!writer.widths_.fit(key)) [[unlikely]]
      widen(writer, key);
    writer.head_.set(writer.next_ % kBlock, key);
  }
  // The number of the key that was written last, which stays now.
  static std::uint32_t keep(Writer& writer) { return writer.next_++; }

  // The end of all numbers that writers have.
  std::uint64_t bound() const { return std::uint64_t{blocks_.load(std::memory_order_relaxed)} * kBlock; }
  std::uint64_t memory_bytes() const {
    return space_bytes_.load(std::memory_order_relaxed) + head_bytes_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kFirstHeads = 64;

  // The heads of all blocks; moved by a thread that is alone.
  std::atomic<std::uint64_t>& head(std::uint64_t block) const {
    static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
    return reinterpret_cast<std::atomic<std::uint64_t>*>(heads_.data())[block];
  }
  std::uint32_t room() const {
    return static_cast<std::uint32_t>(heads_.size() / sizeof(std::atomic<std::uint64_t>));
  }
  // REQUIRES: the mutex is locked.
  Head new_block(const Widths& widths);
  void widen(Writer& writer, std::uint64_t key);

  ZeroedPages heads_;
  std::atomic<std::uint32_t> blocks_ = 0;  // that have begun
  std::atomic<std::uint64_t> space_bytes_ = 0;
  std::atomic<std::uint64_t> head_bytes_ = kFirstHeads * sizeof(std::atomic<std::uint64_t>);
  std::mutex mutex_;  // guards the rest, and that blocks begin
  Widths widths_;     // that were enough for all keys so far
  ByteSpace space_;
  std::uint64_t end_ = 0;
  const std::uint64_t most_blocks_;
};

}  // namespace spoor
