// Confirms a certificate (certificate.h): every state that can be reached was looked at, and none has an
// error.
//
// The idea. The certifier expands states: the root of each region, and the targets of the transitions that
// the certificate calls new. Call these states members. A target that is not new is a reference. If every
// reference is a member, and so is the initial state, then the members have all successors of members, and so
// all states that can be reached are among them. The certifier has seen the errors of all members; so if
// there is none, the model has none. Nothing depends on how the certificate was made.
//
// Whether every reference is a member is decided without a table of members. Let H be a keyed hash with 128
// bits (base/keyed_hash.h), with a key that is drawn when the file is complete, and c(v) the number that the
// file has for member v. The certifier adds up
//
//     A = sum of c(v) * H(v) over the members        B = sum of H(t) over the references
//
// modulo 2^128, where the initial state is one more reference. It accepts only if A == B.
//
// Why that is right. A - B = sum of d(x) * H(x) over all states x, where d(x) is fixed before the key is
// drawn. If a reference x is no member, then d(x) <= -1, and |d(x)| <= 2^40, because a certificate with more
// transitions is refused. For a random function H, d(x) * H(x) takes the one value that makes the sum zero
// with a probability of at most 2^-(128-40); so a lie passes with 2^-88, plus the probability that SipHash
// can be told from a random function. Members that are listed twice, or cannot be reached, do no harm.
//
// An error of a member does not refute the model: where the certificate has roots of its own choice, the
// member may be a state that no run meets. It is then *not confirmed*.
//
// Roots are bytes from a file. They are expanded only if they are laid out as states (is_well_formed). All
// other states are computed.
//
// A wrong sum says that something is missing, not what: membership_sums.h finds that, and compares some
// members with what a second system says of them (the interpreter, where native code does the work).
//
// A region whose task throws (no memory, a failure of compiled code) is done again from its root, with a new
// worker: its sums count only when it is complete. After three attempts the certification ends with an error.
// Where compiled code and interpreter disagree nothing is tried again: one of them is wrong. A crash of
// compiled code ends the process, because its memory cannot be trusted any more; a checkpoint
// (certifier_checkpoint.h) has what was done before.
//
// Several workers take regions as they become free. The file has groups of regions, and a worker that takes
// one reads the next group first, unless that was done: so no worker waits for the file, but at the
// beginning, for a first group that is small.
//
// Cost: as much as expanding all states, and a hash per transition; no table; the memory is the stack of one
// region per worker. Invariant: what is confirmed does not depend on the number of workers, nor on the order
// of regions.
// Tested by: tests/unit/test_certificate.cpp, tests/unit/test_certificate_attacks.cpp,
// tests/suites/test_certify.py
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/keyed_hash.h"
#include "evidence/certificate.h"
#include "evidence/rank_rule.h"
#include "model/budget.h"
#include "model/state_examiner.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor {

class CertifierCheckpoint;

struct CertifierOptions {
  bool reduces = false;  // steps may be left out (SearchOptions::reduce)
  // Members of a closed set have ranks, which prove that there is no bad cycle; null: they have none.
  const RankRule* ranks = nullptr;
  FindingKinds counted = FindingKinds::all();
  unsigned workers = 1;
  // How many regions a script as published is cut into (full_script_partition.h); 0: one per worker. Other
  // forms have their regions in the file: these are given to so many workers on paper (task_schedule.h).
  unsigned tasks = 0;
  // Asked about each state of a trustful script; null: nothing is asked.
  const StateExaminer* examiner = nullptr;
  Limits limits;
  // Expands some members, too; null: none. One of so many.
  const TransitionSystem* second = nullptr;
  std::uint64_t second_part = 100;
  // What is done is saved there, and what an earlier run has done is not done again (compact certificates);
  // null: there is none.
  CertifierCheckpoint* checkpoint = nullptr;
};

struct CertifierResult {
  enum class Answer : std::uint8_t {
    kConfirmed,
    kRefuted,       // the certificate does not prove what it claims
    kNotConfirmed,  // a member has an error, and may be a state that cannot be reached
    kNotRefuted,    // a sample of members has no defect (closed_set_certifier.h)
    kLimit
  };
  Answer answer = Answer::kConfirmed;
  std::string reason;              // a sentence; empty where it is confirmed
  std::optional<Finding> finding;  // of the member
  std::optional<LimitHit> limit;
  std::uint64_t states = 0, steps = 0, regions = 0;
  std::uint64_t largest_region = 0;  // its steps
  std::uint64_t sample = 0;          // members that were drawn; 0: all were examined
  std::uint64_t compared = 0;        // members that the second system has expanded
  // Of full scripts: fingerprints that were kept at once, at most.
  std::uint64_t most_fingerprints = 0;
  // Of scripts as published: the steps of all initialization paths, and of the longest.
  std::uint64_t path_steps = 0, longest_path = 0;
  // Of CertifierOptions::tasks: the steps of the largest one; the processor time of the longest one, and what
  // is not divided: the cutting of a script as published, the reading of the file of another form.
  std::uint64_t largest_task = 0;
  double longest_task_s = 0, division_s = 0;
  std::uint64_t memory_bytes = 0;                    // of stacks and expansions, at most
  std::uint64_t processes = 0, exchanged_bytes = 0;  // of several processes (certifier_ranks.h)
  double elapsed_s = 0, cpu_s = 0;
};

// A region could not be certified, in several attempts, for a reason that is not the certificate's.
class RegionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads the groups of a file of which the claim was read. Throws FramedFileError where it is not readable,
// and RegionError.
CertifierResult certify(const TransitionSystem& system, const CertificateClaim& claim, FramedReader& file,
                        const CertifierOptions& options);

}  // namespace spoor
