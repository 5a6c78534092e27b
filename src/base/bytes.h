// Comparing byte strings that are short and mostly equal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace spoor {

// In words of eight bytes, the last of which may overlap the one before; a call of memcmp would cost
// more than the comparison.
inline bool equal_bytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  const auto differ_at = [&](std::size_t at) {
    std::uint64_t left, right;
    std::memcpy(&left, a.data() + at, sizeof left);
    std::memcpy(&right, b.data() + at, sizeof right);
    return left != right;
  };
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  if (size < kWord) return size == 0 || std::memcmp(a.data(), b.data(), size) == 0;
  for (std::size_t at = 0; at + kWord <= size; at += kWord) {
    if (differ_at(at)) return false;
  }
  return !differ_at(size - kWord);
}

}  // namespace spoor
