// Where the result of a command goes.
#pragma once

#include <string>
#include <string_view>

namespace spoor::cli {

// Writes to the file, or to the standard output when the path is empty. Says on stderr what went
// wrong; returns the exit code.
int write_output(const std::string& path, std::string_view contents);

}  // namespace spoor::cli
