// Bytes in chunks of a megabyte: entries are added at the end, and read where they are.
//
// No entry is cut in two, so that reading one needs no copy; nothing that was written is moved, so that a
// gigabyte of entries needs a gigabyte and not two. A chunk is a record of a file as it is.
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

  // A number that each chunk begins with, for its writer to use.
  using Header = std::uint32_t;
  explicit Chunks(bool has_headers = false) : header_bytes_(has_headers ? sizeof(Header) : 0) {}

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
  Header header_of(Place place) const { return header(place >> kOffsetBits); }

  std::size_t size() const { return chunks_.size(); }
  std::string_view chunk(std::size_t i) const {
    return {reinterpret_cast<const char*>(chunks_[i].bytes.get()), chunks_[i].size};
  }
  std::size_t first_offset() const { return header_bytes_; }
  Header header(std::size_t i) const {
    Header header = 0;
    std::memcpy(&header, chunks_[i].bytes.get(), header_bytes_);
    return header;
  }
  void set_header(std::size_t i, Header header) {
    std::memcpy(chunks_[i].bytes.get(), &header, header_bytes_);
  }
  // A chunk that was written before. False: it cannot have been.
  bool append_chunk(std::string_view bytes) {
    if (bytes.size() < header_bytes_ || chunks_.size() == kMostChunks) return false;
    Chunk& chunk = allocate(bytes.size());
    std::memcpy(chunk.bytes.get(), bytes.data(), bytes.size());
    chunk.size = bytes.size();
    chunk.capacity = 0;  // what comes next goes to a new one
    return true;
  }
  // Those of another, which is empty then. Throws Full.
  void append(Chunks&& others) {
    if (chunks_.size() + others.chunks_.size() > kMostChunks) throw Full();
    for (Chunk& chunk : others.chunks_) chunks_.push_back(std::move(chunk));
    others.chunks_.clear();
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
    return chunks_.emplace_back(Chunk{std::make_unique_for_overwrite<std::uint8_t[]>(capacity), 0, capacity});
  }
  // An entry may be longer than a chunk usually is, as long as it begins within its first megabyte.
  void add_chunk(std::size_t most) {
    if (chunks_.size() == kMostChunks) throw Full();
    Chunk& chunk = allocate(std::max(kChunkBytes, header_bytes_ + most));
    std::memset(chunk.bytes.get(), 0, header_bytes_);
    chunk.size = header_bytes_;
  }

  std::size_t header_bytes_;
  std::vector<Chunk> chunks_;
};

}  // namespace spoor
