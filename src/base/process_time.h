// The processor time that was used, by all threads of this process or by the calling one.
#pragma once

#include <ctime>

namespace spoor {

inline double cpu_s_of(clockid_t clock) {
  std::timespec time{};
  ::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}
inline double process_cpu_s() { return cpu_s_of(CLOCK_PROCESS_CPUTIME_ID); }
inline double thread_cpu_s() { return cpu_s_of(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace spoor
