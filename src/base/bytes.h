// Comparing byte strings that are short and mostly equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace spoor {

// Without a call, which would cost more than the comparison and use the registers of the surrounding
// loop: in pieces of 16 bytes or 8, the last of which may overlap the one before.
[[gnu::always_inline]] inline bool equal_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  const std::byte* const x = a.data();
  const std::byte* const y = b.data();
#if defined(__SSE2__)
  constexpr std::size_t kPiece = sizeof(__m128i);
  if (size >= kPiece) {
    const auto compare = [&](std::size_t at) {
      return _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + at)),
                            _mm_loadu_si128(reinterpret_cast<const __m128i*>(y + at)));
    };
    __m128i equal = compare(size - kPiece);
    std::size_t at = 0;
    for (; at + 2 * kPiece < size; at += 2 * kPiece) {
      equal = _mm_and_si128(equal, _mm_and_si128(compare(at), compare(at + kPiece)));
    }
    if (at + kPiece < size) equal = _mm_and_si128(equal, compare(at));
    return _mm_movemask_epi8(equal) == 0xffff;
  }
#endif
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= size; at += sizeof(std::uint64_t)) {
    std::uint64_t in_x, in_y;
    std::memcpy(&in_x, x + at, sizeof in_x);
    std::memcpy(&in_y, y + at, sizeof in_y);
    if (in_x != in_y) return false;
  }
  for (; at < size; ++at) {
    if (x[at] != y[at]) return false;
  }
  return true;
}

}  // namespace spoor
