// The messages of the C preprocessor as diagnostics.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/diagnostic.h"
#include "base/source.h"
#include "base/subprocess.h"

namespace spoor::promela {

// Reports how the preprocessor ended and every error that it printed. `index_of` gives the index in
// `sources` of a file that the preprocessor names, adding it where it is new. When the preprocessor
// failed in any way, `diagnostics` has at least one error afterwards.
void report_preprocessor(const ChildResult& child,
                         const std::function<std::uint32_t(const std::string&)>& index_of,
                         const SourceSet& sources, Diagnostics& diagnostics);

}  // namespace spoor::promela
