// Digests that identify a model in reports and files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.h"

namespace spoor {

// SHA-256 in lower-case hexadecimal.
std::string sha256(std::string_view bytes);
// The same of a regular file, or nothing with the reason in `error`.
std::optional<std::string> sha256_of_file(const std::string& path, std::string& error);

// The digest of a model: of its text followed by that of each included file, in the order of the
// set. For a model in one file this is what sha256sum prints. `without`: a file that is not the model's.
std::string sha256(const SourceSet& sources, std::optional<std::uint32_t> without = std::nullopt);

}  // namespace spoor
