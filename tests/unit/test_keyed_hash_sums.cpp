// The sum of hashes that are computed together is that of hashes one by one.
#include "base/keyed_hash_sums.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace spoor {
namespace {

std::vector<std::byte> random_bytes(std::mt19937& random, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

// Of strings of sizes that `size_of` says, by number.
template <class SizeOf>
void expect_same_sums(int count, const SizeOf& size_of) {
  const KeyedHash hash = KeyedHash::with_random_key();
  for (const bool uses_vectors : {false, KeyedHashSums::has_vectors()}) {
    std::mt19937 random(1);
    KeyedHashSums sums(hash, uses_vectors);
    std::array<Fingerprint, KeyedHashSums::kSums> expected = {};
    for (int i = 0; i < count; ++i) {
      const std::vector<std::byte> bytes = random_bytes(random, size_of(i, random));
      const std::size_t sum = random() % 2;
      const std::uint64_t times = std::uint64_t{random()} << random() % 9;
      sums.add(sum, bytes, times);
      expected[sum] += hash(bytes) * times;
      // Batches that are not full count, and so does what comes after them.
      if (i % 13 == 0) {
        ASSERT_TRUE(sums[sum] == expected[sum]) << i;
      }
    }
    for (const std::size_t sum : {0, 1, 0}) EXPECT_TRUE(sums[sum] == expected[sum]);
  }
}

// The first two of the vectors that the authors of SipHash have published for 128 bits.
TEST(KeyedHashSums, HashesAreThoseOfSipHash) {
  KeyedHash::Key key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<unsigned char>(i);
  const std::array<std::byte, 1> zero = {};
  const auto of = [](std::uint64_t high, std::uint64_t low) { return Fingerprint{high} << 64 | low; };
  EXPECT_TRUE(KeyedHash(key)({}) == of(0x930255c71472f66d, 0xe6a825ba047f81a3));
  EXPECT_TRUE(KeyedHash(key)(zero) == of(0x45fc229b11597634, 0x44af996bd8c187da));
}

TEST(KeyedHashSums, AgreesWithHashesOfAllSizes) {
  expect_same_sums(8 * 700, [](int i, auto&) { return static_cast<std::size_t>(i / 8); });
}

TEST(KeyedHashSums, AgreesWithHashesOfSizesThatChange) {
  expect_same_sums(5000,
                   [](int i, auto& random) { return std::size_t{random() % (i % 3 == 0 ? 600u : 90u)}; });
}

TEST(KeyedHashSums, ASumOfNothingIsZero) { EXPECT_TRUE(KeyedHashSums(KeyedHash::with_random_key())[0] == 0); }

}  // namespace
}  // namespace spoor
