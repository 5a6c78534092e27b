// Comparing byte strings that are short and mostly equal.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace spoor {

// In pieces of 16 bytes, the last of which may overlap the one before; for the length of a state a
// call of memcmp costs more than the comparison.
inline bool equal_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
#if defined(__SSE2__)
  constexpr std::size_t kPiece = sizeof(__m128i);
  constexpr std::size_t kShort = 128;
  if (size >= kPiece && size <= kShort) {
    const auto compare = [&](std::size_t at) {
      return _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a.data() + at)),
                            _mm_loadu_si128(reinterpret_cast<const __m128i*>(b.data() + at)));
    };
    __m128i equal = compare(size - kPiece);
    for (std::size_t at = 0; at + kPiece < size; at += kPiece) {
      equal = _mm_and_si128(equal, compare(at));
    }
    return _mm_movemask_epi8(equal) == 0xffff;
  }
#endif
  return size == 0 || std::memcmp(a.data(), b.data(), size) == 0;
}

}  // namespace spoor
