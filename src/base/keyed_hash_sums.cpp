#include "base/keyed_hash_sums.h"

#include <cstring>

namespace spoor {

#if defined(__x86_64__)

namespace {

using Lanes [[gnu::vector_size(64), gnu::may_alias]] = std::uint64_t;
static_assert(sizeof(Lanes) == KeyedHashSums::kLanes * sizeof(std::uint64_t));

// `out`: the lower halves of all lanes, then the upper ones.
[[gnu::target("avx512f")]] void compute(const std::uint64_t* words, std::size_t count,
                                        const std::array<std::uint64_t, 2>& key, std::uint64_t* out) {
  Lanes v0 = Lanes{} + (key[0] ^ 0x736f6d6570736575), v1 = Lanes{} + (key[1] ^ 0x646f72616e646f6d ^ 0xee);
  Lanes v2 = Lanes{} + (key[0] ^ 0x6c7967656e657261), v3 = Lanes{} + (key[1] ^ 0x7465646279746573);
  // The steps behind the last word are the end: a constant is mixed in, and four rounds give one half.
  for (std::size_t step = 0; step < count + 2; ++step) {
    const bool is_end = step >= count;
    Lanes word{};
    if (!is_end) word = *reinterpret_cast<const Lanes*>(words + step * KeyedHashSums::kLanes);
    if (step == count) v2 ^= 0xee;
    if (step == count + 1) v1 ^= 0xdd;
    v3 ^= word;
    for (int round = is_end ? 4 : 2; round > 0; --round) {
      v0 += v1;
      v2 += v3;
      v1 = (v1 << 13 | v1 >> 51) ^ v0;
      v3 = (v3 << 16 | v3 >> 48) ^ v2;
      v0 = v0 << 32 | v0 >> 32;
      v2 += v1;
      v0 += v3;
      v1 = (v1 << 17 | v1 >> 47) ^ v2;
      v3 = (v3 << 21 | v3 >> 43) ^ v0;
      v2 = v2 << 32 | v2 >> 32;
    }
    v0 ^= word;
    if (is_end) *reinterpret_cast<Lanes*>(out + (step - count) * KeyedHashSums::kLanes) = v0 ^ v1 ^ v2 ^ v3;
  }
}

}  // namespace

bool KeyedHashSums::has_vectors() { return __builtin_cpu_supports("avx512f") != 0; }

#else

namespace {
void compute(const std::uint64_t*, std::size_t, const std::array<std::uint64_t, 2>&, std::uint64_t*) {}
}  // namespace

bool KeyedHashSums::has_vectors() { return false; }

#endif

KeyedHashSums::KeyedHashSums(const KeyedHash& hash, bool uses_vectors)
    : hash_(hash), uses_vectors_(uses_vectors), key_{} {
  std::memcpy(key_.data(), hash.key().data(), sizeof key_);
}

// The words of a string: its bytes, the lowest first; in the last one its length is the uppermost byte.
void KeyedHashSums::add(std::size_t sum, std::span<const std::byte> bytes, std::uint64_t times) {
  const std::size_t whole = bytes.size() / sizeof(std::uint64_t);
  if (!uses_vectors_ || whole >= kMostWords) {
    sums_[sum] += hash_(bytes) * times;
    return;
  }
  Batch& batch = batches_[whole % kBatches];
  if (batch.count != whole + 1) {
    give(batch);
    batch.count = whole + 1;
  }
  std::uint64_t* to = batch.words.data() + batch.lanes;
  const std::byte* at = bytes.data();
  for (std::size_t i = 0; i < whole; ++i, at += sizeof *to, to += kLanes) std::memcpy(to, at, sizeof *to);
  std::uint64_t last = 0;
  const std::size_t rest = bytes.size() % sizeof last;
  if (whole != 0 && rest != 0) {  // with bytes of the word before, because a copy of a fixed size is faster
    std::memcpy(&last, at + rest - sizeof last, sizeof last);
    last >>= 8 * (sizeof last - rest);
  } else if (rest != 0) {
    std::memcpy(&last, at, rest);
  }
  *to = last | std::uint64_t{bytes.size()} << 56;
  batch.times[batch.lanes] = times;
  batch.sums[batch.lanes] = sum;
  if (++batch.lanes == kLanes) give(batch);
}

void KeyedHashSums::give(Batch& batch) {
  if (batch.lanes == 0) return;
  alignas(64) std::array<std::uint64_t, 2 * kLanes> out;
  compute(batch.words.data(), batch.count, key_, out.data());
  for (std::size_t lane = 0; lane < batch.lanes; ++lane)
    sums_[batch.sums[lane]] += (Fingerprint{out[kLanes + lane]} << 64 | out[lane]) * batch.times[lane];
  batch.lanes = 0;
}

Fingerprint KeyedHashSums::operator[](std::size_t sum) {
  for (Batch& batch : batches_) give(batch);
  return sums_[sum];
}

}  // namespace spoor
