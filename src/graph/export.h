// Any transition system, written out as a graph.
//
// The states are numbered in breadth-first order, so the initial state is 0. The header of an .aut
// file has the number of transitions, which is known only at the end: the states are therefore
// found first and expanded a second time for writing, which needs no memory for the transitions. A
// label has the actions of the step, "A[0]: x = 1"; several actions are joined with "; ". Steps that
// fail without a successor are not transitions.
//
// Cost: every state is kept, and every step is explained; meant for graphs that a user or another
// tool reads, not for hundreds of millions of states.
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
  // False: a limit or an interrupt ended the export, and the written graph, if any, is incomplete.
  bool is_complete = false;
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
};

ExportResult export_aut(const TransitionSystem& system, std::ostream& out, const ExportLimits& limits = {});

// "A[0]: q!1; B[1]: q?1"
std::string label_of(const Explanation& explanation);

}  // namespace spoor
