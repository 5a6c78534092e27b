// Bytes in chunks of a megabyte: entries are added at the end, and read where they are.
//
// No entry is cut in two, so that reading one needs no copy; nothing that was written is moved, so that a
// gigabyte of entries needs a gigabyte and not two. A chunk is a record of a file as it is. Who only writes
// gives each chunk away when it is complete, and keeps a megabyte.
//
// An entry has a place, a number of 32 bits: the chunk and the offset in it. So there are at most 4 GiB of
// entries; Full, which is a lack of memory like any other, is thrown where there would be more.
//
// Tested by: tests/unit/test_recording.cpp
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace spoor {

class Chunks {
 public:
  using Place = std::uint32_t;
  static constexpr unsigned kOffsetBits = 20;
  static constexpr std::size_t kChunkBytes = std::size_t{1} << kOffsetBits;  // or more, for a long entry
  static constexpr std::size_t kMostChunks = std::size_t{1} << (32 - kOffsetBits);

  class Full : public std::bad_alloc {
   public:
    const char* what() const noexcept override { return "more than 4 GiB of entries"; }
  };

  // So many bytes behind an entry can be read, whatever they are.
  static constexpr std::size_t kReadable = 8;

  Chunks() = default;
  // Chunks are given away when they are complete; entries that were written cannot be read.
  using Receiver = std::function<void(std::string_view)>;
  explicit Chunks(Receiver receiver) : receiver_(std::move(receiver)) {}
  // And the last one is. REQUIRES: there is a receiver.
  void give_rest() {
    if (chunks_.empty() || chunks_.back().size == 0) return;
    receiver_(chunk(0));
    chunks_.back().size = 0;
    ++given_;
  }

  // Room for the next entry, which has at most so many bytes. Throws Full, std::bad_alloc.
  std::uint8_t* begin_entry(std::size_t most) {
    if (chunks_.empty() || chunks_.back().size + most > chunks_.back().capacity ||
        chunks_.back().size >= kChunkBytes) [[unlikely]]
      add_chunk(most);
    return chunks_.back().bytes.get() + chunks_.back().size;
  }
  // It ends here.
  void end_entry(const std::uint8_t* end) {
    chunks_.back().size = static_cast<std::size_t>(end - chunks_.back().bytes.get());
  }
  static Place place(std::size_t chunk, std::size_t offset) {
    return static_cast<Place>(chunk << kOffsetBits | offset);
  }
  // Of the entry that begins here, in the last chunk.
  Place place_of(const std::uint8_t* begin) const {
    return place(chunks_.size() - 1, static_cast<std::size_t>(begin - chunks_.back().bytes.get()));
  }
  const std::uint8_t* at(Place place) const {
    return chunks_[place >> kOffsetBits].bytes.get() + (place & (kChunkBytes - 1));
  }

  // Those that were given away are counted.
  std::size_t size() const { return given_ + chunks_.size(); }
  std::string_view chunk(std::size_t i) const {
    return {reinterpret_cast<const char*>(chunks_[i].bytes.get()), chunks_[i].size};
  }
  // A chunk that was written before. False: it cannot have been.
  bool append_chunk(std::string_view bytes) {
    if (chunks_.size() == kMostChunks) return false;
    Chunk& chunk = allocate(bytes.size());
    std::memcpy(chunk.bytes.get(), bytes.data(), bytes.size());
    chunk.size = bytes.size();
    chunk.capacity = 0;  // what comes next goes to a new one
    return true;
  }

  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = 0;
    for (const Chunk& chunk : chunks_) bytes += chunk.size;
    return bytes;
  }

 private:
  struct Chunk {
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t size = 0, capacity = 0;
  };

  Chunk& allocate(std::size_t capacity) {
    return chunks_.emplace_back(
        Chunk{std::make_unique_for_overwrite<std::uint8_t[]>(capacity + kReadable), 0, capacity});
  }
  // An entry may be longer than a chunk usually is, as long as it begins within its first megabyte.
  void add_chunk(std::size_t most) {
    if (size() == kMostChunks) throw Full();
    if (receiver_) {
      give_rest();
      if (!chunks_.empty() && most <= chunks_.back().capacity) return;
      chunks_.clear();
    }
    allocate(std::max(kChunkBytes, most));
  }

  Receiver receiver_;
  std::size_t given_ = 0;
  std::vector<Chunk> chunks_;
};

}  // namespace spoor
