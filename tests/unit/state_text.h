// States written as text, for the tests of stores.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace spoor {

inline std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

inline std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace spoor
