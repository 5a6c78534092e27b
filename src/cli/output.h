// Printing the result of a command and the errors of its input.
#pragma once

#include <string>
#include <string_view>

#include "check/loaded_model.h"

namespace spoor::cli {

// Writes to the file, or to the standard output when the path is empty. Prints an error on stderr;
// returns the exit code.
int write_output(const std::string& path, std::string_view contents);

// Shows the error on stderr, and as JSON on stdout when wanted; returns the exit code.
int report_input_error(const InputError& error, bool colour, bool json);

// Warnings go to stderr.
void print_warnings(const LoadedModel& model, bool colour);

}  // namespace spoor::cli
