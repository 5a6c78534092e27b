// What is different about a string of bytes: another string, and the places where this one has other bytes.
//
// A difference is a list of edits. Each says how many bytes of the base to copy, how many of those that
// follow to leave out, and what comes in their place; behind the last edit the rest of the base is copied.
// Numbers take 7 bits to a byte. A few fields that were overwritten are an edit each, three bytes longer than
// the field. Where the lengths differ, something was put in or taken out: the search for differences goes on
// beside the base until it meets a place where base and string agree again if one of them is moved on by as
// much as the lengths differ. So one insertion or removal is an edit, wherever it is; several that are far
// apart are not found, and the caller is told that the difference is large.
//
// Rivals. A difference that is shortest (Myers 1986) or finds moved parts (xdelta, rolling hashes) needs
// tables as large as the string; this one looks at each byte once or twice, 0.6 us for 10,000 bytes that are
// mostly equal.
//
// The base may come in parts (Patch), so that a string kept in pieces need not be put together to be
// compared.
//
// Thread safety: none is needed; a Patch belongs to one thread.
// Tested by: tests/unit/test_store_lengths.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace spoor {

// Appends to `out` what makes `target` of `base`. False: that takes more than `most` bytes, or is not found.
bool append_difference(std::span<const std::byte> base, std::span<const std::byte> target, std::size_t most,
                       std::vector<std::byte>& out);

// Makes the target, part by part, of the parts of the base. `Sink`: takes a span of the target and returns
// false where no more is wanted; then so do the members.
template <class Sink>
class Patch {
 public:
  Patch(std::span<const std::byte> difference, Sink sink) : edits_(difference), sink_(sink) { begin_edit(); }

  bool add(std::span<const std::byte> base) {
    while (!base.empty()) {
      if (omitted_ == 0 && copied_ == 0 && !finish_edit()) return false;
      const std::size_t omitted = std::min<std::size_t>(omitted_, base.size());
      omitted_ -= omitted;
      base = base.subspan(omitted);
      const std::size_t copied = omitted_ > 0 ? 0 : std::min<std::size_t>(copied_, base.size());
      if (copied > 0 && !sink_(base.first(copied))) return false;
      copied_ -= copied;
      base = base.subspan(copied);
    }
    return true;
  }
  // After the last part of the base.
  bool finish() {
    while (!is_rest_) {
      if (!finish_edit()) return false;
    }
    return true;
  }

 private:
  std::uint64_t take_number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto digit = static_cast<std::uint64_t>(edits_.front());
      edits_ = edits_.subspan(1);
      number |= (digit & 127) << shift;
      if (digit < 128) return number;
    }
  }
  void begin_edit() {
    is_rest_ = edits_.empty();
    copied_ = is_rest_ ? UINT64_MAX : take_number();
  }
  // All that comes before was copied.
  bool finish_edit() {
    const std::uint64_t count = take_number();
    omitted_ = take_number();
    const std::span<const std::byte> fresh = edits_.first(count);
    edits_ = edits_.subspan(count);
    begin_edit();
    return fresh.empty() || sink_(fresh);
  }

  std::span<const std::byte> edits_;
  Sink sink_;
  std::uint64_t copied_ = 0;   // what is yet to be copied before the edit
  std::uint64_t omitted_ = 0;  // and, before that, left out
  bool is_rest_ = false;       // there is no further edit
};

}  // namespace spoor
