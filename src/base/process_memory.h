// The memory that this process may use, and has used.
#pragma once

#include <cstdint>

namespace spoor {

// The most memory that this process may reasonably use: the smallest of what the machine, the
// control group and the resource limits allow, less a tenth.
std::uint64_t available_memory();

// The largest amount of memory that this process has held so far, in bytes.
std::uint64_t peak_memory();

}  // namespace spoor
