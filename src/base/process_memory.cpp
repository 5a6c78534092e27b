#include "base/process_memory.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <unistd.h>

namespace spoor {
namespace {

std::uint64_t control_group_limit() {
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    std::uint64_t limit = 0;
    if (file >> limit && limit != 0) return limit;  // "max" is no number
  }
  return UINT64_MAX;
}

}  // namespace

std::uint64_t available_memory() {
  std::uint64_t limit = control_group_limit();
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page_size = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page_size > 0) {
    limit = std::min(limit, static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size));
  }
  for (const int resource : {RLIMIT_AS, RLIMIT_DATA}) {
    struct rlimit allowed {};
    if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &allowed) == 0 &&
        allowed.rlim_cur != RLIM_INFINITY) {
      limit = std::min<std::uint64_t>(limit, allowed.rlim_cur);
    }
  }
  return limit / 10 * 9;
}

// getrusage counts what the process was before it became this program: the memory of whoever started it.
std::uint64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
  }
  struct rusage usage {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace spoor
