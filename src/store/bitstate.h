// The bitstate visited set: of a state only a few bits are kept, in a filter of fixed size.
//
// The idea (supertrace; a Bloom filter). k hash functions give each state k positions in an array of m
// bits. A state is known if all its bits are set; otherwise they are set now. Example with m = 8, k =
// 2: A sets bits 1 and 4, B sets 4 and 6; C, whose bits are 1 and 6, is taken for known although it is
// new, and what can be reached only through C is never seen. The memory is there from the
// beginning and never grows, and a state costs as little as one likes: the fuller the filter, the
// more is omitted. So a search that finds no error says "probably holds", with the figures of
// filter.h. An error that it does find is real: its trace is replayed.
//
// Two ways to place the bits.
//   classic  each bit anywhere in the array: k cache misses per state. What is known about Bloom
//            filters, the estimates of coverage in particular, is about these.
//   blocked  all bits in one line of 512: one miss per state. As all misses are prefetched, this
//            gains little: with m = 2^30 a search takes 6 % less time on bench/models/phils.pml, 9 %
//            on leader.pml, nothing on rw.pml. States gather unevenly in the lines, which costs
//            accuracy: with 3 hash functions and 16 bits per state, 0.0054 of the new states are
//            taken for known, where a classic filter has 0.0050; with 100 bits per state, 4.1e-5
//            where it has 2.6e-5. (Putze, Sanders, Singler, "Cache-, hash- and space-efficient Bloom
//            filters", JEA 2009.) So classic is the default.
//
// Positions. The key is XXH3 of the state, 64 bits. Position i is taken from the upper bits of
// mum(key ^ s_i, c_i): the halves of the 128-bit product, folded by exclusive or, which is how wyhash
// mixes; s_i comes from the seed, c_i is a constant. So each position has a word of its own. Double
// hashing (position i = a + i b) saves a multiplication of a nanosecond and has more collisions than
// the theory of independent positions predicts (Dillinger and Manolios, "Bloom filters in
// probabilistic verification", FMCAD 2004). 64 bits to begin with are enough: two states of n have the
// same key with a probability of about n^2/2^65, far below what the filter confuses; and another seed
// gives other positions to all states that do not share their key.
//
// What the search must do. A known state has no number: it may be one that was never there. So the
// search keeps, for each state, by which step it was found (incoming_steps.h), and a step to a known state
// never satisfies the proviso of a reduced expansion.
//
// Several threads. Two threads with the same state must not both believe that they found it, so a thread
// that sets the bits of a state holds the lock of its key: one of 256. The bits themselves are shared with
// states of other keys and set by atomic or; a thread that set at least one missing bit has found its state.
// So each bit in the filter is of a state that was found, as with one thread, and what the filter
// confuses depends on which thread is first, but not on how long a thread is delayed. (Without locks, by a
// race for one of the missing bits, a state was lost where another state set just this bit meanwhile: once
// in m such meetings, but a thread that loses its processor there meets thousands.) One thread alone
// needs none of this.
//
// Rivals. compact.h keeps 64 bits of each state, and its omissions are rare enough for a useful bound
// at any size; as long as there is memory for it, it is the better choice. A Bloom filter that clears
// bits, or counts, has no use here: a search forgets nothing.
//
// Invariants:
//   1. Bits are never cleared; the bits of every state that was inserted are set.
//   2. One writer alone numbers new states 0, 1, 2, ...; of several each owns blocks of 256 numbers.
//   3. With one thread the answers depend on the states, their order and the options, on nothing else.
//
// Cost: m/8 bytes, all of them from the beginning.
// Thread safety: with `threads` > 1 all members may be called from several threads, each with its own
// Writer; figures() and size() are then approximate.
// Citation: G. Holzmann, "An analysis of bitstate hashing", Formal Methods in System Design 13, 1998.
// Tested by: tests/unit/test_bitstate.cpp
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>

#include "base/hash.h"
#include "base/state_sketch.h"
#include "store/filter.h"
#include "store/pages.h"
#include "store/visited_set.h"

namespace spoor {

class BitstateStore {
  // Of one writer, and read by all.
  struct alignas(64) Tally {
    std::atomic<std::uint64_t> states = 0;
    std::atomic<std::uint64_t> bits_set = 0;

    void add(std::uint64_t bits) {  // by the writer only
      states.store(states.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      bits_set.store(bits_set.load(std::memory_order_relaxed) + bits, std::memory_order_relaxed);
    }
  };

  struct alignas(64) Lock {
    std::mutex mutex;
  };

  // Of one writer, where it counts different states.
  struct Counters {
    StateSketch met;
    DistinctCounter seen;
  };

 public:
  static constexpr bool kConfusesStates = true;
  static constexpr bool kForgetsStates = false;
  static constexpr bool kKeepsBytes = false;
  static constexpr bool kNamesStates = false;
  static constexpr bool kIsShared = true;
  using DecodeBuffer = NoDecodeBuffer;

  class Writer {
   private:
    friend class BitstateStore;
    Tally* tally_ = nullptr;
    Counters* counters_ = nullptr;
    StateIndex next_ = 0;
    StateIndex block_end_ = 0;
  };

  // `threads`: how many will use it at the same time. Throws std::bad_alloc, and
  // std::invalid_argument for options that are not valid.
  explicit BitstateStore(const FilterOptions& options, unsigned threads = 1, IndexLimit limit = {});

  // Nothing is ever moved, so no thread has to wait.
  static void enter() {}
  static void leave() {}
  static void safe_point() {}

  static std::uint64_t key(std::span<const std::byte> state) { return hash_bytes(state); }

  // Always inline, and what it calls too: g++ takes a function that only prefetches for one without
  // effect, and drops calls of it. (Seen as 9 million transitions per second instead of 13.)
  [[gnu::always_inline]] void prefetch(std::uint64_t key) const {
    if (options_.kind == FilterKind::kBlocked) {
      __builtin_prefetch(words_ + line(word_of(key, 0)) / kWordBits);
      return;
    }
    with_hashes([&](auto hashes) __attribute__((always_inline)) {
      for (unsigned i = 0; i < hashes; ++i) {
        __builtin_prefetch(words_ + (word_of(key, i) >> shift_) / kWordBits);
      }
    });
  }
  static std::uint64_t prefetch_state(std::uint64_t) { return 0; }

  // The number of a known state is kNoState.
  [[gnu::always_inline]] inline Insertion insert(Writer& writer, std::uint64_t key,
                                                 std::span<const std::byte>, std::uint64_t /* hint */ = 0) {
    if (writer.tally_ == nullptr) [[unlikely]]
      join(writer);
    if (writer.counters_ != nullptr) [[unlikely]]
      writer.counters_->met.add(key);
    Positions positions;
    if (is_known(key, positions)) return {};
    return add(writer, key, positions);
  }

  // Would `insert` take it for known?
  bool contains(std::uint64_t key) const {
    Positions positions;
    return is_known(key, positions);
  }

  static IndexRange vacant(const Writer& writer) { return {writer.next_, writer.block_end_}; }
  std::uint64_t index_bound() const {
    return std::uint64_t{blocks_begun_.load(std::memory_order_relaxed)} * kBlock;
  }

  // `is_complete`: the search went on until nothing was left to do.
  FilterFigures figures(bool is_complete) const;
  double omission_probability() const { return omission_bound(options_, size()); }

  std::uint64_t size() const;
  std::uint64_t memory_bytes() const { return sizeof(*this) + memory_.size(); }

 private:
  using Word = std::atomic<std::uint64_t>;
  static_assert(Word::is_always_lock_free && sizeof(Word) == 8);
  using Positions = std::array<std::uint64_t, FilterOptions::kMostHashes>;

  static constexpr unsigned kWordBits = 64;
  static constexpr unsigned kLineLogBits = 9;
  static_assert(kLineBits == 1 << kLineLogBits);
  static constexpr StateIndex kBlock = 256;
  static constexpr std::uint64_t kLocks = 256;
  // Odd, with bits set here and there: digits of pi.
  static constexpr std::array<std::uint64_t, FilterOptions::kMostHashes> kFactors = {
      0x243f6a8885a308d3, 0x13198a2e03707345, 0xa4093822299f31d1, 0x082efa98ec4e6c89,
      0x452821e638d01377, 0xbe5466cf34e90c6d, 0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917};

  // The usual number of hash functions is a constant to the compiler: a fifth fewer instructions.
  template <class Use>
  [[gnu::always_inline]] auto with_hashes(const Use& use) const -> decltype(use(0u)) {
    if (options_.hashes == 3) return use(std::integral_constant<unsigned, 3>());
    return use(options_.hashes);
  }

  // The positions of the key, and whether all their bits are set.
  [[gnu::always_inline]] bool is_known(std::uint64_t key, Positions& positions) const {
    return with_hashes([&](auto hashes) {
      find_positions(key, hashes, positions);
      std::uint64_t all = 1;
      for (unsigned i = 0; i < hashes; ++i) all &= bit_at(positions[i]);
      return all != 0;
    });
  }

  std::uint64_t word_of(std::uint64_t key, unsigned i) const {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{key ^ seeds_[i]} * kFactors[i];
    return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
  }
  // Its first bit.
  std::uint64_t line(std::uint64_t word) const { return (word >> shift_) & ~std::uint64_t{kLineBits - 1}; }

  template <class Count>
  [[gnu::always_inline]] void find_positions(std::uint64_t key, Count hashes, Positions& positions) const {
    if (options_.kind == FilterKind::kClassic) {
      for (unsigned i = 0; i < hashes; ++i) positions[i] = word_of(key, i) >> shift_;
      return;
    }
    // Seven places within a line are in one word, and the eighth in the lower bits of the other.
    const std::uint64_t first = word_of(key, 0);
    const std::uint64_t begin = line(first);
    std::uint64_t places = word_of(key, 1);
    for (unsigned i = 0; i < hashes; ++i) {
      positions[i] = begin + ((i == 7 ? first : places) & (kLineBits - 1));
      places >>= kLineLogBits;
    }
  }

  static std::uint64_t bit(std::uint64_t position) { return std::uint64_t{1} << position % kWordBits; }
  std::uint64_t bit_at(std::uint64_t position) const {
    return words_[position / kWordBits].load(std::memory_order_relaxed) >> position % kWordBits & 1;
  }

  // A state that was not known a moment ago.
  [[gnu::noinline]] Insertion add(Writer& writer, std::uint64_t key, const Positions& positions) {
    // Before any bit is set, because it may throw.
    if (writer.next_ == writer.block_end_) [[unlikely]]
      begin_block(writer);
    const unsigned bits = locks_ != nullptr ? set_together(key, positions) : set_alone(positions);
    if (bits == 0) return {};
    writer.tally_->add(bits);
    if (writer.counters_ != nullptr) [[unlikely]]
      writer.counters_->seen.add(key);
    return {writer.next_++, true};
  }
  // How many bits were set now; 0: another thread has found the state.
  unsigned set_alone(const Positions& positions) {
    return with_hashes([&](auto hashes) {
      unsigned bits = 0;
      for (unsigned i = 0; i < hashes; ++i) {
        Word& word = words_[positions[i] / kWordBits];
        const std::uint64_t before = word.load(std::memory_order_relaxed);
        word.store(before | bit(positions[i]), std::memory_order_relaxed);
        bits += (before & bit(positions[i])) == 0 ? 1 : 0;
      }
      return bits;
    });
  }
  unsigned set_together(std::uint64_t key, const Positions& positions) {
    const std::lock_guard lock(locks_[key % kLocks].mutex);
    unsigned bits = 0;
    for (unsigned i = 0; i < options_.hashes; ++i) {
      if (bit_at(positions[i]) == 0 && set(positions[i])) ++bits;
    }
    return bits;
  }
  // Was it missing?
  bool set(std::uint64_t position) {
    Word& word = words_[position / kWordBits];
    return (word.fetch_or(bit(position), std::memory_order_relaxed) & bit(position)) == 0;
  }

  void join(Writer& writer);
  void begin_block(Writer& writer);
  std::uint64_t bits_set() const;
  Counters counted() const;
  double mean_rate_of_lines() const;

  FilterOptions options_;
  unsigned shift_;  // leaves of a word as many bits as a position has
  std::array<std::uint64_t, FilterOptions::kMostHashes> seeds_;
  ZeroedPages memory_;
  Word* words_;
  std::unique_ptr<Lock[]> locks_;  // of keys; none for one thread
  std::atomic<std::uint32_t> blocks_begun_ = 0;
  mutable std::mutex mutex_;  // guards the rest
  std::deque<Tally> tallies_;
  std::deque<Counters> counters_;  // of each writer, where they count
  const std::uint64_t most_blocks_;
};

static_assert(VisitedSet<BitstateStore>);

}  // namespace spoor
