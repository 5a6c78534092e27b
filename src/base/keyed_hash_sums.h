// Sums of keyed fingerprints (keyed_hash.h), eight byte strings at a time.
//
// A certifier hashes every state and every transition, and wants two sums only (evidence/membership_sums.h).
// A hash is a chain of operations, each of which waits for the one before, so the processor could do several
// hashes in the time of one. So strings are collected until there are eight of the same number of words; then
// eight hashes are computed together, each in a lane of the processor's vectors. The fingerprints are those
// of KeyedHash.
//
// Layout of a batch: the first words of all lanes, then the second ones, and so on, so that a vector is
// loaded as it is. Strings of up to kBatches different numbers of words wait at once; a lane that is not used
// when the sum is wanted is computed, and left out.
//
// Vectors of AVX-512 are used where the processor has them; otherwise, and for more than kMostWords words,
// each string is hashed alone. (With AVX2, which cannot rotate, eight strings took as long as one by one.)
//
// Cost: on the reference machine, with libsodium and here: 24 and 7 ns for 20 bytes, 45 and 19 for 68, 79 and
// 30 for 130.
// Thread safety: none. Tested by: tests/unit/test_keyed_hash_sums.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/keyed_hash.h"

namespace spoor {

class KeyedHashSums {
 public:
  static constexpr std::size_t kLanes = 8, kMostWords = 64, kBatches = 4, kSums = 2;

  // Does the processor have vectors that are worth it?
  static bool has_vectors();

  // REQUIRES: without vectors, or the processor has them.
  explicit KeyedHashSums(const KeyedHash& hash, bool uses_vectors = has_vectors());

  // Adds so many times the fingerprint of the bytes to one of the sums.
  void add(std::size_t sum, std::span<const std::byte> bytes, std::uint64_t times = 1);
  // Of all that were added to it.
  Fingerprint operator[](std::size_t sum);

 private:
  struct alignas(64) Batch {
    std::array<std::uint64_t, kMostWords* kLanes> words = {};
    std::array<std::uint64_t, kLanes> times = {};
    std::array<std::size_t, kLanes> sums = {};
    std::size_t count = 0;  // of words, in each lane
    std::size_t lanes = 0;  // in use
  };

  void give(Batch& batch);

  KeyedHash hash_;
  bool uses_vectors_;
  std::array<std::uint64_t, 2> key_;
  std::array<Fingerprint, kSums> sums_ = {};
  std::array<Batch, kBatches> batches_;
};

}  // namespace spoor
