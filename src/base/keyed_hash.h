// Fingerprints of 128 bits under a secret key: SipHash-2-4, from libsodium.
//
// Without the key, the fingerprint of a byte string cannot be told from a random number, however the string
// was chosen. So two strings that collide can be prepared only by someone who knows the key before. (The
// hashes of base/hash.h have no such property: collisions of XXH3 do not depend on its seed.)
//
// Cost: 20 ns, and 1 ns for every 3 bytes. Thread safety: const members may be called from several threads.
// Tested by: tests/unit/test_keyed_hash_sums.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace spoor {

__extension__ using Fingerprint = unsigned __int128;  // with its arithmetic, modulo 2^128

// A number below `bound`, each with the same probability, that nobody can predict. REQUIRES: bound > 0.
std::uint64_t random_below(std::uint64_t bound);

class KeyedHash {
 public:
  using Key = std::array<unsigned char, 16>;

  explicit KeyedHash(const Key& key) : key_(key) {}
  // Under a key from the system's random numbers. Throws std::runtime_error where there are none.
  static KeyedHash with_random_key();

  Fingerprint operator()(std::span<const std::byte> bytes) const;
  const Key& key() const { return key_; }

 private:
  Key key_;
};

}  // namespace spoor
