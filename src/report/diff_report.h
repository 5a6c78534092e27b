// What differs between two versions of a model (check/version_diff.h) as text and as JSON.
#pragma once

#include <string>

#include "check/version_diff.h"

namespace spoor {

// `quiet`: the first line only.
std::string diff_text(const VersionDiff& diff, bool quiet);
std::string diff_json(const VersionDiff& diff);

}  // namespace spoor
