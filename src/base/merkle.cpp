#include "base/merkle.h"

#include <cstddef>
#include <vector>

#include <sodium.h>

namespace spoor {
namespace {

constexpr unsigned char kLeaf = 0, kNode = 1;

MerkleDigest digest_of(unsigned char kind, std::span<const unsigned char> first,
                       std::span<const unsigned char> second) {
  MerkleDigest digest{};
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, digest.size());
  crypto_generichash_update(&state, &kind, 1);
  crypto_generichash_update(&state, first.data(), first.size());
  crypto_generichash_update(&state, second.data(), second.size());
  crypto_generichash_final(&state, digest.data(), digest.size());
  return digest;
}

}  // namespace

MerkleDigest leaf_digest(std::string_view piece) {
  return digest_of(kLeaf, {reinterpret_cast<const unsigned char*>(piece.data()), piece.size()}, {});
}

MerkleDigest merkle_root(std::span<const MerkleDigest> leaves) {
  std::vector<MerkleDigest> row(leaves.begin(), leaves.end());
  while (row.size() > 1) {
    for (std::size_t i = 0; i < row.size(); i += 2)
      row[i / 2] = i + 1 < row.size() ? digest_of(kNode, row[i], row[i + 1]) : row[i];
    row.resize((row.size() + 1) / 2);
  }
  return row.front();
}

}  // namespace spoor
