// Numbers that say which states or steps a second system is asked about, too: the producer of a certificate
// must not know them beforehand.
//
// Tested by: tests/unit/test_certificate.cpp, tests/unit/test_full_script.cpp
#pragma once

#include <cstdint>

#include "base/keyed_hash.h"

namespace spoor {

class SecretNumbers {
 public:
  std::uint64_t next() {
    last_ ^= last_ << 13;
    last_ ^= last_ >> 7;
    last_ ^= last_ << 17;
    return last_;
  }

 private:
  std::uint64_t last_ = 1 + random_below(UINT64_MAX - 1);
};

}  // namespace spoor
