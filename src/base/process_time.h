// The processor time that this process has used, of all its threads.
#pragma once

#include <ctime>

namespace spoor {

inline double process_cpu_s() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace spoor
