// Hashing of byte strings: XXH3, 64 bits.
//
// The hash determines only the place of a state in a table; equality is decided on the bytes. It is
// the same on every machine and in every run, so that results that depend on it can be repeated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// Inlined: a state is often under 64 bytes, where the call would cost as much as the hash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace spoor {

inline std::uint64_t hash_bytes(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace spoor
