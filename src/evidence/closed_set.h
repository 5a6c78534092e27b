// Closed sets: certificates that list the visited states themselves, sorted and compressed.
//
// The compact form (certificate.h) says how the certifier finds the states; it is small, needs a search with
// one thread, and its regions can be expanded in one order only. A closed set says which states there are.
// Any complete search that keeps its states can leave one, with any number of threads, and every member can
// be looked at alone, by any worker or by an auditor with little time (closed_set_certifier.h).
//
// Members are sorted by length, and then by their bytes as unsigned numbers, the first one first. So states
// that differ in few bytes are neighbours. A member is written as its difference from the one before: how
// many bytes differ, where these are, and by how much they are larger, modulo 256. The first one of each
// length has all its bytes. Each member has a number besides, how often transitions lead to it; the initial
// state has one more. So the certifier needs no table of members (the sums of certifier.h).
//
// Chunks. The set is split into chunks of at most kMostChunkStates members. A chunk can be read without the
// others. Differences and numbers of references are two columns: equal things compress better. An index,
// which comes before the chunks, has for each chunk the number of its members, its first member, its digest
// and its size in the file. The root of a Merkle tree (base/merkle.h) over the digests is in the claim. The
// index has all leaves of the tree, so the root proves each of them, and each proves its chunk; an auditor
// reads the index and a few chunks.
//
// Example: the members 00 00, 00 07 and 01 00 have one length, 2, with 3 members, the first of which is 00
// 00; then 1 byte differs, at 1, by 7; then 2 bytes do, at 0 and at 1 (0 further), by 1 and by f9.
//
// Making one. Workers of the search count references, each in an array of its own. When the search is over,
// the states are taken from its store and sorted (sorted_members.h).
//
// Partial-order reduction. A member of which steps were left out must lead to one that was expanded in full,
// or a step could be left out for ever. A set alone does not show that: it has all successors of its members,
// but says nothing of paths. A number per member that falls along one successor would (with a second sum,
// over pairs of a state and its number); it is not built. So the search leaves out no steps. Merged
// statements and dead variables change what a state is, and nothing here.
//
// Ranks. Where the members are those of infinite runs, a member is a pair of a state and its rank
// (rank_rule.h), written as one: the state's bytes, then the rank in kRankBytes, the lowest first. A
// reference is a pair, too, so each transition needs the rank of its target. A third column of a chunk has,
// for each member, those of its transitions that do not lead to the rank of the member itself. All else,
// order, sums and samples, is as it is without ranks. Two members with one state do no harm.
//
// Invariants, of a file that was read:
//   1. A chunk has its members in ascending order, each once, and at least one.
//   2. Nothing is believed of a size before memory is allocated for it: a record has at most kMostGroupBytes.
//
// Cost: 0.19 to 0.47 bytes per state (garp_ls, pots.pc and pftp of the corpus, without reductions, 440,000 to
// 860,000 states), and up to 0.66 for 100,000 states. Sorting and compression take 1 to 1.5 microseconds per
// state, three to six times as long as a native search. Rival: the order of the search, which needs no
// sorting; but then an auditor cannot look up a state.
// Tested by: tests/unit/test_visited_certificate.cpp, tests/suites/test_closed_set.py,
// tests/fuzz/closed_set.cpp, tests/fuzz/ranked_set.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/framed_file.h"
#include "base/merkle.h"
#include "base/packed_numbers.h"
#include "evidence/certificate.h"
#include "evidence/certificate_recorder.h"
#include "evidence/rank_rule.h"
#include "evidence/reference_counts.h"
#include "model/system.h"

namespace spoor {

inline constexpr std::uint64_t kMostChunkStates = std::uint64_t{1} << 16;

inline constexpr std::size_t kRankBytes = sizeof(Rank);

struct ClosedSetClaim {
  CertificateClaim common;  // its regions are the chunks
  MerkleDigest root{};
  // Of the initial state. Nothing: members have no ranks.
  std::optional<Rank> initial_rank = std::nullopt;
};

struct ChunkEntry {
  std::uint64_t states = 0;
  std::uint64_t stored_bytes = 0;  // of its record in the file
  MerkleDigest digest{};
  std::string first;  // member
};

std::string encoded_closed_set_claim(const ClosedSetClaim& claim);
// Some entries, and as many chunks as a file has are in several records.
std::string encoded_entries(const std::vector<ChunkEntry>& entries);
// Throw FramedFileError (kDamaged). The second appends to the entries.
ClosedSetClaim decoded_closed_set_claim(std::string_view record, bool has_ranks = false);
void decode_entries(std::string_view record, std::vector<ChunkEntry>& entries);

// The order of members.
inline bool comes_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

// The rank of the target of a transition of a member, counted from 0 in the order of its expansion.
struct StepRank {
  std::uint32_t step = 0;
  Rank rank = 0;
};
// A member with this rank; and what its chunk has of the transitions that lead to another one, in order.
void append_rank(std::string& state, Rank rank);
// REQUIRES: the member has at least kRankBytes.
Rank rank_of_member(std::string_view member);
std::string encoded_step_ranks(Rank rank, std::span<const StepRank> others);

// Members of one chunk, in ascending order.
class ChunkEncoder {
 public:
  explicit ChunkEncoder(bool has_ranks = false) : has_ranks_(has_ranks) {}

  // REQUIRES: it comes behind the last one, and there is room (states() < kMostChunkStates). `step_ranks`:
  // encoded, where members have ranks.
  void add(std::string_view state, std::uint64_t references, std::string_view step_ranks = {});
  std::uint64_t states() const { return states_; }
  std::size_t bytes() const;
  // The content of the record; afterwards the encoder is empty.
  std::string take();

 private:
  bool has_ranks_;
  std::uint64_t states_ = 0;
  std::string last_;
  // Numbers of members of one length; lengths, less the one before.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> lengths_;
  std::string states_text_, references_, step_ranks_;
};

// Reads the members of a chunk one by one. All members throw FramedFileError (kDamaged).
class ChunkDecoder {
 public:
  // The record must stay as it is.
  explicit ChunkDecoder(std::string_view record, bool has_ranks = false);

  std::uint64_t states() const { return states_; }
  // Goes to the next member, the first one at first. False: there are no more, and the record is used up.
  bool next();
  std::string_view state() const { return state_; }
  std::uint64_t references() const { return references_of_state_; }
  // Where members have ranks: of the transitions that do not lead to the member's own, in ascending order.
  std::span<const StepRank> step_ranks() const { return step_ranks_of_state_; }
  // The same as in the record.
  std::string_view encoded_ranks() const { return encoded_ranks_; }

 private:
  void read_step_ranks();

  bool has_ranks_;
  std::uint64_t states_ = 0, left_ = 0;
  static constexpr std::string_view kNothing = {};
  RecordReader lengths_{kNothing}, states_text_{kNothing}, references_{kNothing}, step_ranks_{kNothing};
  std::uint64_t left_of_length_ = 0;
  std::string state_;
  std::uint64_t references_of_state_ = 0;
  std::vector<StepRank> step_ranks_of_state_;
  std::string_view encoded_ranks_;
};

// Writes members, which come in ascending order, as the chunks of a file.
class ChunkWriter {
 public:
  // `chunk_states`: of a chunk, at most.
  explicit ChunkWriter(FramedWriter& file, std::uint64_t chunk_states = kMostChunkStates,
                       bool has_ranks = false)
      : file_(file), chunk_states_(chunk_states), chunk_(has_ranks) {}

  void add(std::string_view state, std::uint64_t references, std::string_view step_ranks = {});
  void finish();
  // Their sizes in the file are left to be filled in.
  std::vector<ChunkEntry>& entries() { return entries_; }

 private:
  static constexpr std::size_t kUsualBytes = std::size_t{1} << 20;
  void give();

  FramedWriter& file_;
  const std::uint64_t chunk_states_;
  ChunkEncoder chunk_;
  std::vector<ChunkEntry> entries_;
};

class SortedMembers;  // sorted_members.h

class ClosedSetRecorder : public CertificateRecorder {
 public:
  static constexpr std::size_t kRunBytes = std::size_t{1} << 26;
  // `path`: of the certificate. `run_bytes`: of states that are sorted at once.
  ClosedSetRecorder(std::string path, const TransitionSystem& system, std::size_t run_bytes = kRunBytes);
  ~ClosedSetRecorder() override;

  std::unique_ptr<WorkerObserver> make_worker_observer() override;
  void merge(WorkerObserver& worker) override;
  void on_end(KeptStates& states) override;

  void save(CertificateClaim claim) override;

 private:
  class Worker;

  const std::size_t run_bytes_;
  ReferenceCounts references_;
  std::uint64_t states_ = 0, steps_ = 0;
  const std::string initial_state_;
  std::unique_ptr<SortedMembers> members_;
};

// Writes a closed set, for the recorder and for tests. `claim`: with its figures; how many chunks there are
// is filled in. `entries`, `chunks`: those of a ChunkWriter, whose file is finished. Throws FramedFileError.
void write_closed_set(FramedWriter& file, const CertificateClaim& claim, std::vector<ChunkEntry> entries,
                      const FramedWriter& chunks, std::optional<Rank> initial_rank = std::nullopt);

}  // namespace spoor
