// Certificates: files from which a stranger confirms that a model has no error, without a visited set.
//
// A certificate in the compact form is a search script (Taleghani 2010, chapter 3) without any numbers of
// states. For each transition it has one bit, whether the certifier is to go on with its target (*new*), and
// for each state one number, how often transitions that are not new lead to it (*references*). The certifier
// executes the model itself (certifier.h) and believes nothing: a wrong bit, or a wrong number, makes its
// sums differ.
//
// Regions. The transitions that are new form a tree, with the initial state as its root. It is cut into
// connected pieces, the regions. The root of a region stands in the file as bytes; the transition to it is
// not new, but a reference like any other, so that its number counts it. Regions can therefore be certified
// in any order, by any number of workers, and no path to a root has to be followed.
//
// Order of the states of a region. The certifier keeps a stack, which has the root at first. It takes a state
// from the stack, expands it, and puts the targets of its new transitions onto the stack, in the order of the
// transitions. So the next state is the target of the last new transition. Any tree of transitions will do,
// whatever search has found it; that of a breadth-first search (level_script_recorder.h) is made in less time
// than that of a depth-first search (script_recorder.h), and its flags and numbers are more alike.
//
// Example: 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 0, searched depth-first. 0 -> 2 and 2 -> 0 are not new; both bits of
// 0 together are 01 (the lowest is the first transition), those of 1 and of 2 are 1 and 0. If all of them are
// one region, it has the flags 01, 1, 0 and the references 2 (one by 2 -> 0, one because it is the root), 0,
// 1.
//
// Reductions. Where steps may be left out, the certifier expands with the same reductions, and every state of
// which steps were left out must have a new transition: then a path down the tree leads from it to a state
// that was expanded in full, so no step is postponed for ever. States that the search has expanded in full
// instead are listed in the file; for the certifier that is the safe way.
//
// Invariants, of a file that was read:
//   1. No size that it declares is believed before memory is allocated for it: a record has at most
//      kMostGroupBytes, and what is decoded of it takes 16 times as much at most.
//
// docs/formats.md has the bytes. Rival: full scripts, with the number of each target, are some 8 times as
// large, and the certifier needs a table of all fingerprints.
// Tested by: tests/unit/test_certificate.cpp, tests/unit/test_certificate_attacks.cpp,
// tests/suites/test_certify.py, tests/fuzz/certificate.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/framed_file.h"
#include "base/packed_numbers.h"

namespace spoor {

inline constexpr FileFormat kCertificateFormat = {"spoor-ce", 1, "certificate", false, 6};
inline constexpr char kClaimRecord = 'a', kGroupRecord = 'g';
// Of closed sets.
inline constexpr char kClosedSetRecord = 'b', kRankedSetRecord = 'r', kIndexRecord = 'i', kChunkRecord = 'c';
// Of full and trustful scripts (full_script.h).
inline constexpr char kScriptClaimRecord = 's', kStepNamesRecord = 'n', kScriptPartRecord = 'p';
inline constexpr std::size_t kMostGroupBytes = std::size_t{1} << 24;    // of a group of regions
inline constexpr std::size_t kMostGroupRegions = std::size_t{1} << 18;  // in a group

// Its form: the compact one, below, a closed set (closed_set.h), without or with ranks, or a script as
// published (full_script.h).
enum class CertificateKind : std::uint8_t { kCompact, kClosedSet, kRankedSet, kFull, kTrustful };
const char* to_string(CertificateKind kind);
// A closed set, with or without ranks.
inline bool lists_states(CertificateKind kind) {
  return kind == CertificateKind::kClosedSet || kind == CertificateKind::kRankedSet;
}
inline bool is_published_script(CertificateKind kind) {
  return kind == CertificateKind::kFull || kind == CertificateKind::kTrustful;
}

// What a certificate claims.
struct CertificateClaim {
  std::string tool;      // "spoor 0.1.0"
  std::string model;     // digest of its files
  std::string property;  // "safety"
  // What else states and errors depend on, as names and values, each a line: "reductions merge,dead,order".
  std::string options;
  std::uint64_t states = 0;  // members of all regions
  std::uint64_t steps = 0;   // transitions from them
  std::uint64_t regions = 0;
  std::string initial_state;  // its bytes, for a message; the certifier has its own

  friend bool operator==(const CertificateClaim&, const CertificateClaim&) = default;
};

// Of one region.
struct RegionHead {
  std::uint64_t states = 0;
  std::uint64_t steps = 0;
  std::string root;
  std::size_t flag_bytes = 0;
};

// Several regions, which are compressed together. Flags and references of all of them stand one behind
// another: columns of equal things compress better.
struct RegionGroup {
  std::vector<RegionHead> heads;
  std::vector<std::uint32_t> in_full;  // states, by their ordinals in the group, that were expanded in full
  std::string flags;                   // of each state as many bytes as it needs, one bit per transition
  std::vector<std::uint64_t> references;  // of each state
};

std::string encoded_claim(const CertificateClaim& claim);
std::string encoded_group(const RegionGroup& group);
// Throw FramedFileError (kDamaged).
CertificateClaim decoded_claim(std::string_view record);
RegionGroup decoded_group(std::string_view record);

inline std::size_t flag_bytes(std::size_t steps) { return (steps + 7) / 8; }

}  // namespace spoor
