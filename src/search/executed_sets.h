// Sets of executed statements, each once.
//
// An expansion marks the statements that it executes with flags, one byte per statement. An observer that
// wants to know this per state gets the number of a set: there are few different sets, because what a state
// executes depends on its locations and little else.
//
// Flags are gathered to bits, sixteen at a time: a set of 200 statements is four words, which are hashed and
// compared in less time than the flags would be.
//
// Cost: per state one pass over the flags, which clears them, too. Tested by: tests/unit/test_observer.cpp
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace spoor {

class ExecutedSets {
 public:
  // Of a system with so many statements.
  explicit ExecutedSets(std::size_t statements) : gathered_((statements + kWordBits - 1) / kWordBits) {}

  // The number of the set that these flags (0 or 1) describe, and clears the flags; `add` is called with a
  // set that is new. REQUIRES: there are no more flags than statements.
  template <class Add>
  std::uint32_t take(std::span<std::uint8_t> flags, const Add& add) {
    if (sets_.size() * 2 >= slots_.size()) grow();
    const std::uint64_t hash = gather(flags);
    for (std::size_t at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.number == kNone) {
        slot = {hash, static_cast<std::uint32_t>(sets_.size())};
        add_set();
        add((*this)[slot.number]);
        return slot.number;
      }
      if (slot.hash == hash && is_gathered(slot.number)) return slot.number;
    }
  }

  std::span<const std::uint32_t> operator[](std::uint32_t number) const { return sets_[number]; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(sets_.size()); }

  std::uint64_t memory_bytes() const {
    return bytes_ + slots_.capacity() * sizeof(Slot) + words_.capacity() * sizeof(Word);
  }

 private:
  using Word = std::uint64_t;
  static constexpr std::size_t kWordBits = 64;
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t number = kNone;
  };

  static constexpr std::size_t kAtOnce = 16;
  // Sixteen flags as bits, the first the lowest; and clears them.
  static std::uint64_t take_sixteen(std::uint8_t* flags) {
#if defined(__x86_64__)
    auto* const at = reinterpret_cast<__m128i*>(flags);
    const __m128i bytes = _mm_loadu_si128(at);
    _mm_storeu_si128(at, _mm_setzero_si128());
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_slli_epi16(bytes, 7)));
#else
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < kAtOnce; ++i) bits |= std::uint64_t{flags[i]} << i;
    std::memset(flags, 0, kAtOnce);
    return bits;
#endif
  }

  // The flags as bits, in gathered_, and their hash.
  std::uint64_t gather(std::span<std::uint8_t> flags) {
    constexpr Word kOddFactor = 0x9e3779b97f4a7c15;
    if (flags.size() < kAtOnce) {
      std::array<std::uint8_t, kAtOnce> all = {};
      std::ranges::copy(flags, all.begin());
      std::ranges::fill(flags, std::uint8_t{0});
      if (!gathered_.empty()) gathered_[0] = take_sixteen(all.data());
    } else {
      // The last sixteen first: what of them the others have, too, is zero then.
      const std::size_t last = flags.size() - kAtOnce;
      const Word bits = take_sixteen(flags.data() + last);
      for (std::size_t i = 0; i < gathered_.size(); ++i) {
        Word word = 0;
        for (std::size_t at = i * kWordBits; at < (i + 1) * kWordBits && at <= last; at += kAtOnce)
          word |= take_sixteen(flags.data() + at) << at % kWordBits;
        gathered_[i] = word;
      }
      gathered_[last / kWordBits] |= bits << last % kWordBits;
      if (last % kWordBits > kWordBits - kAtOnce)
        gathered_[last / kWordBits + 1] |= bits >> (kWordBits - last % kWordBits);
    }
    std::uint64_t hash = 0;
    for (const Word word : gathered_) hash = (std::rotl(hash, 29) ^ word) * kOddFactor;
    return hash ^ hash >> 32;
  }
  bool is_gathered(std::uint32_t number) const {
    const Word* const set = words_.data() + number * gathered_.size();
    Word difference = 0;
    for (std::size_t i = 0; i < gathered_.size(); ++i) difference |= set[i] ^ gathered_[i];
    return difference == 0;
  }

  void add_set() {
    words_.insert(words_.end(), gathered_.begin(), gathered_.end());
    std::vector<std::uint32_t>& set = sets_.emplace_back();
    for (std::size_t i = 0; i < gathered_.size(); ++i) {
      for (Word left = gathered_[i]; left != 0; left &= left - 1)
        set.push_back(
            static_cast<std::uint32_t>(i * kWordBits + static_cast<unsigned>(std::countr_zero(left))));
    }
    bytes_ += sizeof(std::vector<std::uint32_t>) + set.capacity() * sizeof(std::uint32_t);
  }
  void grow() {
    constexpr std::size_t kFirst = 64;
    std::vector<Slot> larger(std::max(kFirst, 2 * slots_.size()));
    for (const Slot& slot : slots_) {
      if (slot.number == kNone) continue;
      std::size_t at = slot.hash & (larger.size() - 1);
      while (larger[at].number != kNone) at = (at + 1) & (larger.size() - 1);
      larger[at] = slot;
    }
    slots_ = std::move(larger);
  }

  std::vector<std::vector<std::uint32_t>> sets_;  // statements, ascending
  std::vector<Word> words_;                       // of each set the same as bits
  std::vector<Word> gathered_;                    // of the set that is looked for
  std::vector<Slot> slots_;                       // by hash; at most half of them are used
  std::uint64_t bytes_ = 0;
};

}  // namespace spoor
