// States as a language with a heap has them: thousands of bytes, of thousands of lengths, and a step changes
// a few.
//
// A state is a row of objects of 8 to 72 bytes, small numbers for the most part. A step overwrites a few
// fields, and where lengths vary one step of four makes an object or gives one up, at the end or anywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace spoor {

enum class Lengths { kOne, kAtTheEnd, kAnywhere /* what follows moves */ };

class LongStates {
 public:
  LongStates(Lengths lengths, std::size_t length, std::uint64_t seed = 1) : lengths_(lengths), random_(seed) {
    while (first_.size() < length) insert_object(first_, first_.size());
    first_.resize(length);
  }

  const std::vector<std::byte>& first() const { return first_; }

  // One that differs from `state` in some twenty bytes, or by an object.
  void change(std::vector<std::byte>& state) {
    if (lengths_ != Lengths::kOne && random_() % 4 == 0) {
      const bool shrinks = state.size() > first_.size() * 3 / 4 + 72 && random_() % 2 == 0;
      const std::size_t size = 8 * (1 + random_() % 9);
      const std::size_t last = shrinks ? state.size() - size : state.size();
      const std::size_t at = lengths_ == Lengths::kAtTheEnd ? last : random_() % (last / 4) * 4;
      const auto place = state.begin() + static_cast<std::ptrdiff_t>(at);
      if (shrinks) {
        state.erase(place, place + static_cast<std::ptrdiff_t>(size));
      } else {
        insert_object(state, at);
      }
    }
    for (std::uint64_t places = 1 + random_() % 3; places > 0; --places) {
      const std::size_t at = random_() % (state.size() / 4 - 2) * 4;
      for (std::size_t i = 0; i < 8; i += 4) state[at + i] = std::byte(random_() % 8);
    }
  }

 private:
  void insert_object(std::vector<std::byte>& state, std::size_t at) {
    std::array<std::byte, 72> object = {};
    const std::size_t size = 8 * (1 + random_() % 9);
    object[0] = std::byte(random_() % 16);  // its class
    object[1] = std::byte(1);
    for (std::size_t i = 8; i < size; i += 4) object[i] = std::byte(random_() % 3 == 0 ? random_() % 256 : 0);
    state.insert(state.begin() + static_cast<std::ptrdiff_t>(at), object.begin(),
                 object.begin() + static_cast<std::ptrdiff_t>(size));
  }

  const Lengths lengths_;
  std::mt19937_64 random_;
  std::vector<std::byte> first_;
};

}  // namespace spoor
