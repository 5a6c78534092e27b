// The control-flow graphs of a Promela program as a table or as a Graphviz drawing.
#pragma once

#include <string>

#include "promela/program.h"

namespace spoor {

// One line per transition: "A: 10 -> 2  [id 0]  A e---  leader.pml:2  q!i". The columns after the id are
// A (the sequence stays atomic), D (a d_step), then e, p, a for end, progress and accept labels of the
// source location. Only locations that control can reach are listed.
std::string control_table(const promela::Program& program);

// The same as a `digraph`, one cluster per process type.
std::string control_dot(const promela::Program& program);

}  // namespace spoor
