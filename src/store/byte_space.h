// A space of byte positions that grows at its end and never moves.
//
// Positions are numbered through, 0, 1, 2, ...; behind them stand granules of one megabyte, several
// of them in one piece where there is much already or a record is long. A record never crosses from
// one piece to the next, so that it can be handed out as one span; what is left at the end of a piece
// stays unused. Addresses stay valid as long as the space lives. Used as an arena (records are only
// added) and as a stack (positions are given back in reverse order and granules are kept for the
// next use).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "store/pages.h"

namespace spoor {

class ByteSpace {
 public:
  static constexpr std::uint64_t kGranule = std::uint64_t{1} << 20;
  static constexpr std::uint64_t kLargestPiece = 64;  // granules, unless a record needs more

  // The first position from `position` on where `size` bytes stand in one piece; memory is there.
  // Throws std::bad_alloc.
  std::uint64_t place(std::uint64_t position, std::size_t size) {
    while (!fits(position, size)) {
      position = (position / kGranule + 1) * kGranule;
      if (position / kGranule >= granules_.size()) {
        position = granules_.size() * kGranule;
        add_piece(size);
      }
    }
    high_water_ = std::max(high_water_, position + size);
    return position;
  }

  std::byte* at(std::uint64_t position) const {
    return granules_[position / kGranule].begin + position % kGranule;
  }

  // What was ever used; granules beyond it were never touched and cost nothing.
  std::uint64_t memory_bytes() const { return high_water_ + granules_.capacity() * sizeof(Granule); }

 private:
  struct Granule {
    std::byte* begin = nullptr;
    std::byte* piece_end = nullptr;  // of the piece that the granule is part of
  };

  bool fits(std::uint64_t position, std::size_t size) const {
    if (position / kGranule >= granules_.size()) return false;
    const Granule& granule = granules_[position / kGranule];
    const auto room = static_cast<std::uint64_t>(granule.piece_end - granule.begin);
    return position % kGranule + size <= room;
  }

  void add_piece(std::size_t size) {
    // The more there is, the larger the next piece: large pieces get huge pages.
    const std::uint64_t wanted = std::min<std::uint64_t>(granules_.size() / 4 * 2, kLargestPiece);
    const std::uint64_t needed = (size + kGranule - 1) / kGranule;
    const std::uint64_t count = std::max<std::uint64_t>({1, wanted, needed});
    // The owner first, then all granules or none: should the second throw, nothing points to pages
    // that are gone.
    const ZeroedPages& piece = pieces_.emplace_back(count * kGranule);
    const std::size_t first = granules_.size();
    granules_.resize(first + count);
    for (std::uint64_t i = 0; i < count; ++i) {
      granules_[first + i] = {piece.data() + i * kGranule, piece.data() + piece.size()};
    }
  }

  std::vector<Granule> granules_;
  std::vector<ZeroedPages> pieces_;
  std::uint64_t high_water_ = 0;
};

}  // namespace spoor
