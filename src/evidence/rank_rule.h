// Ranks: numbers of states which prove that a system has no bad infinite run.
//
// The idea. Every state has a rank, a number. A rank is *allowed* for the target of a step according to the
// rank of its source and the marks of the step (model/omega.h):
//
//   kTogether    with the marks 0 to k-1, a step leads to a lower rank; or to the same rank r, and then the
//                step lacks mark r mod k. Without marks it leads to a lower rank.
//   kEveryStep   a step that has all marks leads to a lower rank; any other step, to any rank.
//
// Sound, if all ranks of reachable steps are allowed. kTogether: along an infinite run ranks never rise, so
// from some point on all are the same number r, and from there on no step has mark r mod k; so the run does
// not have all marks again and again, and is not bad. kEveryStep: a bad run has all marks on each step from
// some point on, and its rank would sink for ever. Weak fairness needs nothing else: its marks ("this process
// moved, or could not") are marks like others.
//
// Complete: ranks_of (run_graph.h) finds allowed ranks wherever there is no bad cycle.
//
// Example with the marks a and b: 0 -> 1 with a, 1 -> 0 with neither, 1 -> 2 with b, 2 -> 2 with b. The
// states 0 and 1 are on a cycle that lacks b, which is mark 1; the cycle of 2 lacks a, mark 0. The ranks 1, 1
// and 0 are allowed. With b on 1 -> 0, too, the cycle of 0 and 1 is bad, and no ranks are.
//
// Citation: progress measures (Klarlund 1991), here one measure per component. Tested by:
// tests/unit/test_rank_certificate.cpp, tests/fuzz/ranked_set.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "model/omega.h"

namespace spoor {

using Rank = std::uint32_t;

class RankRule {
 public:
  explicit RankRule(const OmegaSystem& system)
      : has_cycles_(system.has_cycles()),
        every_(system.rule() == CycleRule::kEveryStep),
        all_(system.all_marks()) {
    for (Marks rest = all_; rest != 0; rest &= rest - 1) marks_.push_back(rest & -rest);
  }

  // Does the rank of the target matter, on a step with these marks?
  bool applies(Marks marks) const { return has_cycles_ && (!every_ || (marks & all_) == all_); }
  // May the target have the rank of the source? REQUIRES: the rule applies. Of several steps together: with
  // the marks of all of them.
  bool may_keep(Rank rank, Marks marks) const {
    return !every_ && !marks_.empty() && (marks & marks_[rank % marks_.size()]) == 0;
  }
  bool allows(Rank from, Rank to, Marks marks) const {
    return !applies(marks) || to < from || (to == from && may_keep(from, marks));
  }

 private:
  bool has_cycles_, every_;
  Marks all_;
  std::vector<Marks> marks_;  // one each
};

}  // namespace spoor
