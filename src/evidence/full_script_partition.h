// Cuts a script (full_script.h) into regions that several workers certify at the same time: Algorithm 3.2 of
// Taleghani's thesis.
//
// A region is a connected piece of the search tree. To make k of them, the algorithm looks k - 1 times for
// the subtree whose size is closest to an equal share of what is left, takes it out, and subtracts its size
// from the states above it. The last region is the rest, which has the initial state.
//
// The worker of a region goes from the initial state to the root of the region first, by the steps of the
// script (initialization path), and then follows the region's part of the script. Where a step leads to the
// root of another region it executes the step, compares, and goes on behind that region. All workers share
// one map of fingerprints (full_script_fingerprints.h).
//
// Example: 0 -> 1 -> 2 -> 3, with sizes 3, 2, 1, 0, and two regions. An equal share is 1.5 transitions; 1 and
// 2 are equally close, and the first is taken. The regions are that of 1, with the path 0 -> 1, and that of
// 0.
//
// The division reads the script twice and executes nothing. The first reading sees to it that numbers, sizes
// and returns are in order, and keeps the states whose subtrees may be worth a region: those of at least a
// 256th of a task, and of them only those whose sizes differ by as much from the last one that was kept
// above. So the size of a region may differ by a 256th of a task from the closest one; and there are at most
// some 500 candidates per task, however large the script is. (The thesis keeps the sizes of all states.) The
// second reading finds where the regions begin and end, and the paths to their roots.
//
// Why the certificate is as good as a serial one. Every state of the script is in one region, and is entered
// there under its number. Each region's states were computed from the initial state, whether the path to its
// root is the one that the script says or not: that the root is the state which the region above has reached
// is compared by fingerprints, as a use of its number. So all that is said of a number, in all regions, was
// compared with the one state that was entered under it, as in a serial certification. What the script says
// of sizes decides only where it is cut; a wrong size is refused all the same.
//
// Rival: regions whose roots stand in the file (certificate.h), with sums, need no paths and no shared map.
//
// Cost: two readings of the script, 1 to 3 % of a certification with one worker.
// Thread safety: one thread divides. Tested by: tests/unit/test_full_script_partition.cpp
#pragma once

#include <cstddef>
#include <vector>

#include "evidence/full_script.h"
#include "evidence/full_script_walk.h"

namespace spoor {

// Regions 1, 2, ... in the order of their roots; region 0 has the initial state. At most `tasks`; fewer where
// there are no subtrees of a useful size. Where the script is out of order, ScriptWork::failure says it, and
// there are none. Throws FramedFileError. REQUIRES: tasks > 0.
std::vector<ScriptRegion> divide_script(ScriptWork& work, ScriptParts& parts, unsigned tasks);

}  // namespace spoor
