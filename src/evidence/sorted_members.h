// The members of a closed set (closed_set.h) in their order, however many there are.
//
// Members come in any order. Some 64 MiB at a time are sorted and written to a file without a name, in the
// form of chunks; in the end these runs are merged into the chunks of the certificate. So memory does not
// grow with the number of members.
//
// Tested by: tests/unit/test_visited_certificate.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/closed_set.h"
#include "search/observer.h"

namespace spoor {

class SortedMembers {
 public:
  // `path`: of the certificate, in whose folder the files are. `run_bytes`: of what is sorted at once.
  SortedMembers(const std::string& path, std::size_t run_bytes, bool has_ranks = false);
  ~SortedMembers();
  SortedMembers(const SortedMembers&) = delete;
  SortedMembers& operator=(const SortedMembers&) = delete;

  // Each member once. The arguments are those of ChunkEncoder. Throws FramedFileError, std::bad_alloc.
  void add(std::string_view member, std::uint64_t references, std::string_view step_ranks = {});
  // To be called once, after the last one. Throws the same.
  void finish();

  // REQUIRES: finish() was called.
  const FramedWriter& chunks() const { return *chunks_; }
  std::vector<ChunkEntry> take_entries() { return std::move(entries_); }

 private:
  struct Member {
    std::size_t begin = 0, size = 0, ranks_size = 0;
    std::uint64_t references = 0;
  };
  std::string_view view(const Member& member) const {
    return std::string_view(bytes_).substr(member.begin, member.size);
  }
  void write_run();

  const std::string folder_;
  const std::size_t run_bytes_;
  const bool has_ranks_;
  std::string bytes_;  // of members, each with its ranks behind it
  std::vector<Member> members_;
  std::vector<std::unique_ptr<FramedWriter>> runs_;
  std::unique_ptr<FramedWriter> chunks_;
  std::vector<ChunkEntry> entries_;
};

// Of all states, in ascending order.
template <class Take>
void for_each_number(const KeptStates& states, const Take& take) {
  std::vector<IndexRange> gaps(states.gaps().begin(), states.gaps().end());
  gaps.push_back({states.bound(), states.bound()});
  std::ranges::sort(gaps, {}, &IndexRange::begin);
  StateNumber number = 0;
  for (const IndexRange& gap : gaps) {
    for (; number < std::min(gap.begin, states.bound()); ++number) take(number);
    number = std::max(number, gap.end);
  }
}

}  // namespace spoor
