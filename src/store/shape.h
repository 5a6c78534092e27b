// How to keep a state in a fraction of its bytes: only the bits in which states differ.
//
// The idea. Most bits of a state never change. Array elements that name channels, types of processes,
// upper bits of counters, message slots that are always empty: of the 93 bytes of a state of eleven
// philosophers 47 bits ever differ, of 229 bytes of a leader election 202. A Shape knows, for states of
// one length, what they look like where they are all the same (`base`) and which bits vary. The code of a
// state is its varying bits, one behind the other. A state that differs from the base in any other bit
// does not fit, and has no code; a store must be able to keep such a state whole.
//
// Nothing has to be known about the language: which bits vary is learned from the states that were met
// (shapes.h). A shape never changes, so the meaning of a code never changes.
//
// How. First the bytes that have a varying bit are brought together, 32 bytes of the state at a time: a
// shuffle puts those of each half into a half of a row, where the shuffles of other pieces have left room.
// On the way the bits that must not differ are compared. Then one instruction (pext) gathers the bits of
// eight bytes of a row. There is no jump that depends on the state, so nothing is ever guessed wrong:
// updating the code of the source state by the words that have changed takes no fewer instructions, and
// was slower by a tenth.
//
// What it brings. A state is one cache line, and memory that was never touched before is dear: on a virtual
// machine a gigabyte takes a second or two of processor time.
//
// Rivals. SPIN's byte mask drops bytes that are constant by declaration, COLLAPSE keeps tables of parts;
// so does the tree (tree.h), which is smaller where states are long and similar, and takes several
// lookups instead of one. Deciding by the declared types of variables how many bits each needs would
// leave a byte to every counter, and would have to be done for every language anew.
//
// Requires an x86 processor whose pext is not microcode: `can_be_used` says so. Elsewhere states are kept
// whole.
//
// Invariants:
//   1. Every varying bit is gathered by exactly one step.
//   2. unpack(pack(s)) == s for every state s that fits; different states have different codes.
//
// Tested by: tests/unit/test_shape.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "store/state_hash.h"

#if defined(__x86_64__)
#include <immintrin.h>
// For functions with the instructions that shapes need.
#define SPOOR_GATHERS [[gnu::target("avx2,bmi,bmi2,aes")]]
#else
#define SPOOR_GATHERS
#endif

namespace spoor {

class Shape {
 public:
  static constexpr std::size_t kShortest = 32;  // bytes of a state
  static constexpr std::size_t kLongest = 4096;
  // Of a code, and there is always one.
  static constexpr std::size_t kMostWords = kLongest / sizeof(std::uint64_t);

  // The code of a state, where that is short.
  struct Code {
    static constexpr std::size_t kMostWords = 4;
    static constexpr std::uint32_t kNone = UINT32_MAX;
    const Shape* shape = nullptr;  // null: it has none
    std::uint32_t number = kNone;  // of the shape
    std::array<std::uint64_t, kMostWords> words;

    void set(const Shape* of_shape) {
      shape = of_shape;
      number = of_shape != nullptr ? of_shape->number() : kNone;
    }
  };

  static bool can_be_used();

  // `number`: to tell several shapes apart. A bit varies where `varying` has a 1. REQUIRES: can_be_used();
  // equal lengths, within the bounds.
  Shape(std::uint32_t number, std::span<const std::byte> base, std::span<const std::byte> varying);

  std::uint32_t number() const { return number_; }
  std::size_t length() const { return length_; }
  // A multiple of 4, at least 8; and the number of words of 8 bytes that they take.
  std::size_t code_bytes() const { return code_bytes_; }
  std::size_t code_words() const { return code_words_; }
  bool has_short_codes() const { return code_words_ <= Code::kMostWords; }
  std::uint64_t memory_bytes() const {
    return sizeof(*this) + pieces_.capacity() * sizeof(Piece) + steps_.capacity() * sizeof(Step) +
           gathers_.capacity() * sizeof(Gather);
  }

  // In all of these `state` has length() bytes. False: it does not fit, and the words are nonsense.
  bool pack(const std::byte* state, std::uint64_t* words) const;
#if defined(__x86_64__)
  // The same for loops: `rows` is working memory.
  using Rows = std::array<std::uint64_t, kLongest / sizeof(std::uint64_t)>;
  SPOOR_GATHERS [[gnu::always_inline]] inline bool pack(const std::byte* state, std::uint64_t* words,
                                                        Rows& rows) const;
  // And the hash of the state by the way, whether it fits or not.
  SPOOR_GATHERS [[gnu::always_inline]] inline bool pack(const std::byte* state, std::uint64_t* words,
                                                        Rows& rows, std::uint64_t& hash) const;
#endif
  // Are these the words of this code? Not a byte behind it is read: there another thread may be writing.
  [[gnu::always_inline]] bool is_same(const std::byte* code, const std::uint64_t* words) const {
    std::uint64_t first;
    std::memcpy(&first, code, sizeof first);
    if (code_words_ == 1 || first != words[0]) [[likely]]
      return first == words[0];
    return is_rest_same(code, words);
  }
  bool is_code_of(const std::byte* code, const std::byte* state) const {
    std::array<std::uint64_t, kMostWords> words;
    return pack(state, words.data()) && is_same(code, words.data());
  }
  void unpack(const std::byte* code, std::byte* state) const;
  // Where a code has the bits of a byte of the state: those that vary, one behind the other in a word.
  struct BytePlace {
    std::uint32_t word = 0, shift = 0;
    std::uint8_t varying = 0, base = 0;  // the bits that vary, and what the others are
  };
  BytePlace place_of_byte(std::size_t offset) const;
  // From which an equal shape can be made.
  void describe(std::vector<std::byte>& base, std::vector<std::byte>& varying) const;

 private:
  static constexpr std::size_t kPiece = 32;
  static constexpr std::size_t kHalf = 16;
  static constexpr std::uint8_t kNothing = 0x80;  // of a shuffle

  // 32 bytes of the state. The last may overlap the one before, and leaves to it what both have.
  struct Piece {
    std::array<std::uint8_t, kPiece> fixed = {};    // 1 where a bit does not vary
    std::array<std::uint8_t, kPiece> base = {};     // and what it is there; 0 elsewhere
    std::array<std::uint8_t, kPiece> shuffle = {};  // for each place of the row: which byte of this half
    std::array<std::uint8_t, kPiece> restore = {};  // for each byte: where it is in its half of the row
    std::uint32_t offset = 0;
    std::uint32_t row = 0;
  };
  // Gathers the varying bits of eight bytes of a row.
  struct Step {
    std::uint64_t mask = 0;
    std::uint32_t from = 0;   // which eight bytes of all rows
    std::uint32_t to = 0;     // which word of the code
    std::uint32_t shift = 0;  // by which they are moved there
  };

  // The same for codes of one word: what the four words of a row give, and where that goes. A word that gives
  // nothing has no bits in its mask.
  struct Gather {
    std::array<std::uint64_t, 4> masks = {};
    std::array<std::uint64_t, 4> shifts = {};
  };

  bool is_rest_same(const std::byte* code, const std::uint64_t* words) const {
    std::uint64_t wrong = 0;
    for (std::size_t i = 1; i < whole_words_; ++i) {
      std::uint64_t word;
      std::memcpy(&word, code + i * sizeof word, sizeof word);
      wrong |= words[i] ^ word;
    }
    if (whole_words_ != code_words_) {  // half a word is left
      std::uint32_t half;
      std::memcpy(&half, code + whole_words_ * sizeof(std::uint64_t), sizeof half);
      wrong |= words[whole_words_] ^ half;
    }
    return wrong == 0;
  }
  void add_piece(std::span<const std::byte> base, std::span<const std::byte> varying, std::size_t offset,
                 std::size_t first_own);
  void add_steps(std::span<const std::byte> varying);

#if defined(__x86_64__)
  SPOOR_GATHERS [[gnu::always_inline]] static inline std::uint64_t gathered(__m256i row,
                                                                            const Gather& gather);
#endif

  std::uint32_t number_;
  std::size_t length_;
  std::size_t code_bytes_ = 0, code_words_ = 0, whole_words_ = 0;
  std::size_t rows_ = 0;
  std::array<std::size_t, 2> filled_ = {};  // of the last row: places in each half
  std::vector<Piece> pieces_;
  std::vector<Step> steps_;
  std::vector<Gather> gathers_;  // of each row; none where codes have several words
};

#if defined(__x86_64__)

SPOOR_GATHERS inline std::uint64_t Shape::gathered(__m256i row, const Gather& gather) {
  const __m128i low = _mm256_castsi256_si128(row), high = _mm256_extracti128_si256(row, 1);
  const auto first = static_cast<std::uint64_t>(_mm_cvtsi128_si64(low));
  const auto second = static_cast<std::uint64_t>(_mm_extract_epi64(low, 1));
  const auto third = static_cast<std::uint64_t>(_mm_cvtsi128_si64(high));
  const auto fourth = static_cast<std::uint64_t>(_mm_extract_epi64(high, 1));
  return _pext_u64(first, gather.masks[0]) << gather.shifts[0] |
         _pext_u64(second, gather.masks[1]) << gather.shifts[1] |
         _pext_u64(third, gather.masks[2]) << gather.shifts[2] |
         _pext_u64(fourth, gather.masks[3]) << gather.shifts[3];
}

SPOOR_GATHERS inline bool Shape::pack(const std::byte* state, std::uint64_t* words, Rows& rows) const {
  std::uint64_t nobody_asks;
  return pack(state, words, rows, nobody_asks);
}

SPOOR_GATHERS inline bool Shape::pack(const std::byte* state, std::uint64_t* words, Rows& rows,
                                      std::uint64_t& hash) const {
  static_assert(kPiece == HashLanes::kPiece && kShortest >= kPiece);
  HashLanes lanes(length_);
  __m256i row = _mm256_setzero_si256(), wrong = row;
  auto* to_row = reinterpret_cast<__m256i*>(rows.data());
  std::uint32_t number = 0;
  const Gather* gather = gathers_.data();
  std::uint64_t only_word = 0;
  for (const Piece& piece : pieces_) {
    if (piece.row != number) {
      number = piece.row;
      if (gather != nullptr) {
        only_word |= gathered(row, *gather++);
      } else {
        _mm256_storeu_si256(to_row++, row);
      }
      row = _mm256_setzero_si256();
    }
    lanes.add(state + piece.offset);
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(state + piece.offset));
    const __m256i fixed =
        _mm256_and_si256(bytes, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(piece.fixed.data())));
    wrong = _mm256_or_si256(
        wrong,
        _mm256_xor_si256(fixed, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(piece.base.data()))));
    row = _mm256_or_si256(
        row, _mm256_shuffle_epi8(bytes,
                                 _mm256_loadu_si256(reinterpret_cast<const __m256i*>(piece.shuffle.data()))));
  }
  hash = lanes.finish();
  if (gather != nullptr) [[likely]] {
    words[0] = only_word | gathered(row, *gather);
    return _mm256_testz_si256(wrong, wrong) != 0;
  }
  _mm256_storeu_si256(to_row, row);
  std::uint64_t word = 0;
  std::uint32_t to = 0;
  for (const Step& step : steps_) {
    if (step.to != to) {
      words[to++] = word;
      word = 0;
    }
    word |= _pext_u64(rows[step.from], step.mask) << step.shift;
  }
  words[to] = word;
  return _mm256_testz_si256(wrong, wrong) != 0;
}

#endif

}  // namespace spoor
