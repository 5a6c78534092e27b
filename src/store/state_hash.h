// The hash by which the exact store looks for a state: fast, and good enough for looking.
//
// A round of the AES cipher mixes 16 bytes and adds 16 others in one instruction. A state is taken in pieces
// of 32 bytes, a half for each of two lanes, which do not wait for each other; at the end both go together
// through three rounds more. The loop that packs a state has such pieces at hand (shape.h): hashing there
// takes 23 instructions less, for a state of 74 bytes, than a loop of its own with one lane. Two states that
// differ have the same hash by chance (2^-64), or if the second of two differences undoes what a single round
// has made of the first, byte by byte: four certain bytes in the lane's next piece, whose values depend on
// all that went before.
//
// It only ever decides where to look; equality is decided on the bytes. Stores that rely on a hash
// (compact.h, bitstate.h) use XXH3, and so does this where the processor has no such instruction, or the
// state is shorter than half a piece. Within one run it is always the same.
//
// Tested by: tests/unit/test_shape.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace spoor {

#if defined(__x86_64__)

inline const bool kHasAesRounds = __builtin_cpu_supports("aes") && __builtin_cpu_supports("avx");

#define SPOOR_HASHES [[gnu::target("avx,aes"), gnu::always_inline]] inline

// The two lanes. REQUIRES: kHasAesRounds.
class HashLanes {
 public:
  static constexpr std::size_t kHalf = sizeof(__m128i);
  static constexpr std::size_t kPiece = 2 * kHalf;

  SPOOR_HASHES explicit HashLanes(std::size_t size)
      : left_(_mm_set_epi64x(0x082efa98ec4e6c89, static_cast<long long>(size))),  // digits of pi
        right_(_mm_set_epi64x(0x13198a2e03707344, 0x243f6a8885a308d3)) {}

  // Pieces that overlap count twice, which does no harm.
  SPOOR_HASHES void add(const std::byte* piece) { add(piece, piece + kHalf); }
  SPOOR_HASHES void add(const std::byte* left, const std::byte* right) {
    left_ = _mm_aesenc_si128(left_, _mm_loadu_si128(reinterpret_cast<const __m128i*>(left)));
    right_ = _mm_aesenc_si128(right_, _mm_loadu_si128(reinterpret_cast<const __m128i*>(right)));
  }
  SPOOR_HASHES std::uint64_t finish() const {
    const __m128i key = _mm_set_epi64x(0x452821e638d01377, static_cast<long long>(0xbe5466cf34e90c6c));
    // Each lane by itself first: what was added last has been through no round yet.
    const __m128i both = _mm_aesenc_si128(_mm_aesenc_si128(left_, key), _mm_aesenc_si128(right_, key));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_aesenc_si128(_mm_aesenc_si128(both, key), key)));
  }

 private:
  __m128i left_, right_;
};

// REQUIRES: kHasAesRounds, and at least 16 bytes.
[[gnu::target("avx,aes")]] inline std::uint64_t aes_hash(const std::byte* bytes, std::size_t size) {
  HashLanes lanes(size);
  if (size < HashLanes::kPiece) {
    lanes.add(bytes, bytes + size - HashLanes::kHalf);
    return lanes.finish();
  }
  std::size_t offset = 0;
  for (; offset + HashLanes::kPiece <= size; offset += HashLanes::kPiece) lanes.add(bytes + offset);
  if (offset < size) lanes.add(bytes + size - HashLanes::kPiece);
  return lanes.finish();
}

#else

inline constexpr bool kHasAesRounds = false;
inline std::uint64_t aes_hash(const std::byte*, std::size_t) { return 0; }

#endif

inline constexpr std::size_t kShortestForAes = 16;

[[gnu::always_inline]] inline std::uint64_t hash_state(std::span<const std::byte> bytes) {
  return kHasAesRounds && bytes.size() >= kShortestForAes ? aes_hash(bytes.data(), bytes.size())
                                                          : hash_bytes(bytes);
}

}  // namespace spoor
