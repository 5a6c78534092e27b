// Digests that outlive a run: what identifies a model in reports and evidence.
#pragma once

#include <string>
#include <string_view>

#include "base/source.h"

namespace spoor {

// SHA-256 in lower-case hexadecimal.
std::string sha256(std::string_view bytes);

// The digest of a model: of its text followed by that of each included file, in the order of the
// set. For a model in one file this is what sha256sum prints.
std::string sha256(const SourceSet& sources);

}  // namespace spoor
