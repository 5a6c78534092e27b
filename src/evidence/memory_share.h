// How much memory a recorder may use, of what the user allows (--memory).
//
// A recorder keeps things while a search runs, and the search counts its own memory only. So the memory is
// divided before: a share is for the recorder, the rest for the search. A recorder that needs more gives up.
// The certificate is lost then, and the verdict is not.
//
// Thread safety: all members may be called from several threads. Tested by:
// tests/unit/test_rank_certificate.cpp, tests/unit/test_revisit_filter.cpp
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "base/quantities.h"

namespace spoor {

class MemoryShare {
 public:
  // What lacks, as the end of "there is no certificate: ".
  class Exceeded : public std::runtime_error {
   public:
    using std::runtime_error::runtime_error;
  };

  // 0: no limit.
  explicit MemoryShare(std::uint64_t most_bytes = 0) : most_(most_bytes) {}

  std::uint64_t most() const { return most_; }
  // What had `before` bytes has `now` so many. Throws Exceeded.
  void change(std::uint64_t before, std::uint64_t now) {
    used_ += now - before;
    require(0);
  }
  // So many bytes more are needed for a while. Throws Exceeded.
  void require(std::uint64_t more) const {
    const std::uint64_t needed = used_ + more;
    if (most_ != 0 && needed > most_)
      throw Exceeded("it needs " + human_bytes(needed) + " and more, and --memory leaves " +
                     human_bytes(most_) + " for it");
  }

 private:
  const std::uint64_t most_;
  std::atomic<std::uint64_t> used_ = 0;
};

}  // namespace spoor
