// Running another program to its end, within bounds.
//
// The program is found along PATH and gets its arguments as a vector, without a shell. Input is passed
// as a whole, output is collected as a whole. A program that runs too long or prints too much is
// killed together with all programs that it started.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace spoor {

struct ChildLimits {
  std::chrono::milliseconds time{20'000};
  std::size_t output_bytes = std::size_t{64} << 20;  // standard output and standard error, each
  std::size_t memory_bytes = std::size_t{2} << 30;   // address space; 0: unlimited
  const std::atomic<bool>* cancel = nullptr;         // polled; true: kill the child
};

struct ChildResult {
  enum class End { kExited, kNotStarted, kOutOfTime, kTooMuchOutput, kCancelled };
  End end = End::kNotStarted;
  int exit_code = -1;   // kExited; 128 + n after signal n
  int start_error = 0;  // kNotStarted: an errno value, ENOENT for a missing program
  std::string output;   // as much as was read
  std::string errors;
};

// `arguments[0]` is the program. `directory` is the child's working folder; empty: that of this process.
// Messages are in English (LC_ALL=C), so that programs can parse them.
ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input,
                      const std::string& directory, const ChildLimits& limits);

}  // namespace spoor
