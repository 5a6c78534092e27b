// Confirms a closed set (closed_set.h): every state that can be reached was looked at, and none has an error.
//
// In full. Every member is expanded, all its successors are references, and the initial state is one more. If
// every reference is a member, the members have all states that can be reached. That is so if the sums over
// members and references are equal, as in the compact form; the proof is in certifier.h. Nothing in it needs
// an order, so workers take chunks as they become free. Members are bytes from a file: they are expanded only
// if they are laid out as states (is_well_formed). An error of a member does not refute the model, because
// the member may be a state that no run meets: the set is then *not confirmed*. What the claim, the index and
// the chunks say of each other has to agree, too, so that there is one way to read the file.
//
// A random sample, for an auditor with little time: N members, drawn when the file is complete, each time
// among all that the index says there are. A member is *good* if its chunk is the one of the index, it is
// laid out as a state, has no error, and all its successors are in the chunks where they belong. So are the
// initial state and what the index says; these are always looked at. If a share e of the members is not good,
// all N draws miss them with a probability of (1-e)^N: with N = 459 a share of 1 % is found with a
// probability of 99 %. That is evidence, not proof: one transition that leads outside, to an error, may be
// left of a million, and it is one in a million that a draw finds it. So the answer is *not refuted*, never
// *confirmed*.
//
// What a liar can do to a sample. It could say that chunks of bad members have few and those of good ones
// many: but it is the numbers in the index that are drawn from, and a chunk that is read must have the number
// that was said. It could repeat good members: a chunk is in ascending order, and between the first members
// of chunks, too. It could sort states into the wrong chunks: then they are not found there. Numbers of
// references are not looked at, because members of the sample are looked up, and not counted.
//
// With ranks (rank_rule.h) a member is a pair of a state and its rank, and so is a reference, whose rank the
// chunk says. Nothing else is new: a member is good if the rule allows the ranks that its transitions lead
// to.
//
// Successors of the sample are sorted, so that each chunk is read twice at most, once for members and once
// for successors, and members are compared while they are decoded.
//
// Invariant: the answer in full does not depend on the number of workers.
// Cost: in full, 1.37 to 2.45 times as fast as a depth-first search of the same model, 0.79 to 1.05 times as
// fast as a breadth-first one (native code, one thread, AVX-512): every member and every successor is hashed.
// Memory is a chunk per worker and the index. Of a sample: N expansions, and the decoding of the chunks that
// they lead to.
// Tested by: tests/unit/test_visited_certificate.cpp, tests/suites/test_closed_set.py,
// tests/fuzz/closed_set.cpp
#pragma once

#include <cstdint>

#include "base/framed_file.h"
#include "evidence/certifier.h"
#include "evidence/closed_set.h"
#include "model/system.h"

namespace spoor {

// `file`: its claim was read. Both throw FramedFileError where it is not readable.
CertifierResult certify_closed_set(const TransitionSystem& system, const ClosedSetClaim& claim,
                                   FramedReader& file, const CertifierOptions& options);
// Draws so many members. REQUIRES: at least one.
CertifierResult sample_closed_set(const TransitionSystem& system, const ClosedSetClaim& claim,
                                  FramedReader& file, const CertifierOptions& options, std::uint64_t draws);

}  // namespace spoor
