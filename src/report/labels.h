// Short names of processes and source positions for reports.
#pragma once

#include <string>

#include "base/source.h"
#include "model/system.h"

namespace spoor {

// "A[2]", as in Promela's remote references; "-" without a process.
std::string process_label(const Action& action);

// "leader.pml:12"; empty where the position is unknown.
std::string place_label(const SourceSet& sources, Position position);

}  // namespace spoor
