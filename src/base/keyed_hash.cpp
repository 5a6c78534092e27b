#include "base/keyed_hash.h"

#include <cstring>
#include <stdexcept>

#include <sodium.h>

namespace spoor {

static_assert(sizeof(KeyedHash::Key) == crypto_shorthash_siphashx24_KEYBYTES);
static_assert(sizeof(Fingerprint) == crypto_shorthash_siphashx24_BYTES);

std::uint64_t random_below(std::uint64_t bound) {
  if (sodium_init() < 0) throw std::runtime_error("the system has no source of random numbers");
  const std::uint64_t uneven = -bound % bound;  // so many numbers are too many to divide all of them evenly
  std::uint64_t number = 0;
  do randombytes_buf(&number, sizeof number);
  while (number < uneven);
  return number % bound;
}

KeyedHash KeyedHash::with_random_key() {
  if (sodium_init() < 0) throw std::runtime_error("the system has no source of random numbers");
  Key key;
  randombytes_buf(key.data(), key.size());
  return KeyedHash(key);
}

Fingerprint KeyedHash::operator()(std::span<const std::byte> bytes) const {
  std::array<unsigned char, sizeof(Fingerprint)> out;
  crypto_shorthash_siphashx24(out.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                              key_.data());
  Fingerprint fingerprint = 0;
  std::memcpy(&fingerprint, out.data(), sizeof fingerprint);
  return fingerprint;
}

}  // namespace spoor
