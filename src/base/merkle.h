// Merkle trees: one digest for many pieces, so that each piece can be proved alone (Merkle 1987).
//
// The leaves are the digests of the pieces. Two neighbours make a node above, until one is left, the root;
// the last one of an odd row goes up as it is. Digests of leaves and of nodes begin with different bytes, so
// that no piece can be passed off as two others. BLAKE2b with 256 bits, from libsodium.
//
// Tested by: tests/unit/test_visited_certificate.cpp
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace spoor {

using MerkleDigest = std::array<unsigned char, 32>;

MerkleDigest leaf_digest(std::string_view piece);
// REQUIRES: at least one leaf.
MerkleDigest merkle_root(std::span<const MerkleDigest> leaves);

}  // namespace spoor
