// Counting different hashes without keeping them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/distinct_counter.h"
#include "base/hash.h"
#include "base/state_sketch.h"

namespace spoor {
namespace {

std::uint64_t hash_of(std::uint64_t number) { return hash_bytes(std::as_bytes(std::span(&number, 1))); }

// Four standard errors: one test in 16,000 would fail by chance, if the numbers were not always the same.
void expect_near(const DistinctCounter& counter, double expected) {
  EXPECT_NEAR(counter.estimate(), expected, 4 * DistinctCounter::kStandardError * expected + 1);
}

TEST(DistinctCounter, CountsFewAndMany) {
  DistinctCounter counter;
  EXPECT_EQ(counter.estimate(), 0);
  std::uint64_t added = 0;
  for (const std::uint64_t until : {1u, 10u, 1000u, 20'000u, 50'000u, 300'000u, 3'000'000u}) {
    for (; added < until; ++added) counter.add(hash_of(added));
    expect_near(counter, static_cast<double>(until));
  }
}

TEST(DistinctCounter, DoesNotMindRepetitionsAndOrder) {
  DistinctCounter once, often;
  for (std::uint64_t i = 0; i < 5000; ++i) once.add(hash_of(i));
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t i = 5000; i-- > 0;) often.add(hash_of(i));
  }
  EXPECT_EQ(once.estimate(), often.estimate());
}

TEST(DistinctCounter, CountsAUnion) {
  DistinctCounter one, other;
  for (std::uint64_t i = 0; i < 60'000; ++i) one.add(hash_of(i));
  for (std::uint64_t i = 40'000; i < 100'000; ++i) other.add(hash_of(i));
  one.add(other);
  expect_near(one, 100'000);
}

// Its error over many sets is the one that it claims.
TEST(DistinctCounter, ErrsAsMuchAsItSays) {
  double squares = 0;
  constexpr int kRounds = 200;
  constexpr std::uint64_t kCount = 100'000;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    DistinctCounter counter;
    for (std::uint64_t i = 0; i < kCount; ++i) counter.add(hash_of(round << 32 | i));
    const double error = counter.estimate() / kCount - 1;
    squares += error * error;
  }
  EXPECT_NEAR(std::sqrt(squares / kRounds), DistinctCounter::kStandardError, 0.0016);
}

HashSample sample_of(std::uint64_t from, std::uint64_t to) {
  HashSample sample;
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t i = from; i < to; ++i) sample.add(hash_of(i));
  }
  return sample;
}

TEST(HashSample, KeepsTheSmallestOnce) {
  EXPECT_EQ(sample_of(0, 100).hashes().size(), 100u);
  const HashSample many = sample_of(0, 200'000);
  const std::vector<std::uint64_t> hashes = many.hashes();
  EXPECT_GE(hashes.size(), HashSample::kSize);
  std::size_t below = 0;
  for (std::uint64_t i = 0; i < 200'000; ++i) below += hash_of(i) < many.end() ? 1 : 0;
  EXPECT_EQ(below, hashes.size());
}

TEST(HashSample, TellsWhatTwoSetsShare) {
  const SharedPart half = shared_part(sample_of(0, 100'000), sample_of(50'000, 400'000));
  EXPECT_NEAR(half.share, 0.5, 0.06);
  EXPECT_GT(half.sampled, 500u);
  EXPECT_EQ(shared_part(sample_of(0, 1000), sample_of(0, 9000)).share, 1);
  EXPECT_EQ(shared_part(sample_of(0, 1000), sample_of(1000, 9000)).share, 0);
  EXPECT_EQ(shared_part(HashSample(), sample_of(0, 10)).sampled, 0u);
}

TEST(HashSample, OfAUnionIsThatOfAll) {
  HashSample one = sample_of(0, 60'000);
  one.add(sample_of(40'000, 100'000));
  const HashSample all = sample_of(0, 100'000);
  const std::uint64_t end = std::min(one.end(), all.end());
  std::vector<std::uint64_t> first = one.hashes(), second = all.hashes();
  std::erase_if(first, [&](std::uint64_t hash) { return hash >= end; });
  std::erase_if(second, [&](std::uint64_t hash) { return hash >= end; });
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace spoor
