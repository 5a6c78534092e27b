// Reading and writing whole files.
//
// A written file appears under its name complete or not at all: the text is written to a temporary
// file in the same folder, synced, and then renamed. A crash, a full disk or a second writer
// therefore never leaves half a trace or half a report.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace spoor {

// The contents of `path`, or nothing with the reason in `error` ("is a directory").
std::optional<std::string> read_file(const std::string& path, std::string& error);

// The file that a path means: what a symbolic link points to, also where that does not exist yet.
std::string behind_links(const std::string& path);

// The folder that a path names a file in: "." where the path names none.
std::string folder_of(const std::string& path);

// Returns an empty string on success, otherwise the reason ("No space left on device"). A path that
// is not a regular file (a pipe, /dev/stdout) is written directly, because it cannot be replaced.
// `mode`: who may use the file; 0: as the user's umask has it, or as the file that is replaced.
std::string write_file_atomically(const std::string& path, std::string_view contents, unsigned mode = 0);

}  // namespace spoor
