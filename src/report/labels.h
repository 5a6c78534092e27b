// Short names for what a report points at: processes and places in the source.
#pragma once

#include <string>

#include "base/source.h"
#include "model/system.h"

namespace spoor {

// "A[2]", as remote references in Promela write it; "-" where there is no process.
std::string process_label(const Action& action);

// "leader.pml:12"; empty where the position is unknown.
std::string place_label(const SourceSet& sources, Position position);

}  // namespace spoor
