// Any transition system, written out as a graph.
//
// The states are numbered in breadth-first order, so the initial state is 0. The header of an .aut
// file holds the number of transitions, which is only known at the end: the states are therefore
// found first and expanded a second time for writing, which needs no room for the transitions. A
// label is what the step does, "A[0]: x = 1"; several actions are joined with "; ". Steps that fail
// without a successor are no transitions.
//
// Cost: every state is kept, and every step is explained; meant for graphs that a person or another
// tool will look at, not for hundreds of millions of states.
//
// Tested by: tests/unit/test_graph.cpp
#pragma once

#include <atomic>
#include <cstdint>
#include <ostream>
#include <string>

#include "model/system.h"

namespace spoor {

struct ExportLimits {
  std::uint64_t states = 0;  // 0: no limit
  const std::atomic<bool>* interrupt = nullptr;
};

struct ExportResult {
  // False: a limit was hit or there was an interrupt, and what was written, if anything, is not the
  // whole graph.
  bool is_complete = false;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
};

ExportResult export_aut(const TransitionSystem& system, std::ostream& out, const ExportLimits& limits = {});

// "A[0]: q!1; B[1]: q?1"
std::string label_of(const Explanation& explanation);

}  // namespace spoor
