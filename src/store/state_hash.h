// The hash by which the exact store looks for a state: fast, and good enough for looking.
//
// A round of the AES cipher mixes 16 bytes in one instruction. A state is taken in pieces of 16 bytes, each
// added to what was mixed before, and the end goes through two rounds more. That is 38 instructions
// for a state of 75 bytes, half of what XXH3 takes. Two states that differ have the same hash by
// chance (2^-64), or if the second of two differences undoes what a single round has made of the first,
// byte by byte: four certain bytes in the next piece, whose values depend on all that went before.
//
// It only ever decides where to look; equality is decided on the bytes. Whoever believes a hash (compact.h,
// bitstate.h) uses XXH3, and so does this where the processor has no such instruction, or the state is
// shorter than a piece. Within one run it is always the same.
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

// REQUIRES: kHasAesRounds, and at least 16 bytes. Pieces that overlap count twice, which does no harm.
[[gnu::target("avx,aes")]] inline std::uint64_t aes_hash(const std::byte* bytes, std::size_t size) {
  constexpr std::size_t kPiece = sizeof(__m128i);
  const auto piece = reinterpret_cast<const __m128i*>(bytes);
  const __m128i key = _mm_set_epi64x(0x13198a2e03707344, 0x243f6a8885a308d3);  // digits of pi
  __m128i mixed = _mm_set_epi64x(0x082efa98ec4e6c89, static_cast<long long>(size));
  const std::size_t whole = (size - 1) / kPiece;
  for (std::size_t i = 0; i < whole; ++i) {
    mixed = _mm_aesenc_si128(_mm_xor_si128(mixed, _mm_loadu_si128(piece + i)), key);
  }
  const auto last = reinterpret_cast<const __m128i*>(bytes + size - kPiece);
  mixed = _mm_aesenc_si128(_mm_xor_si128(mixed, _mm_loadu_si128(last)), key);
  mixed = _mm_aesenc_si128(_mm_aesenc_si128(mixed, key), key);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(mixed));
}

#else

inline constexpr bool kHasAesRounds = false;
inline std::uint64_t aes_hash(const std::byte*, std::size_t) { return 0; }

#endif

inline constexpr std::size_t kShortestForAes = 16;

inline std::uint64_t hash_state(std::span<const std::byte> bytes) {
  return kHasAesRounds && bytes.size() >= kShortestForAes ? aes_hash(bytes.data(), bytes.size())
                                                          : hash_bytes(bytes);
}

}  // namespace spoor
