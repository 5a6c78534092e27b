#include "store/shape.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace spoor {

Shape::Shape(std::uint32_t number, std::span<const std::byte> base, std::span<const std::byte> varying)
    : number_(number), length_(base.size()) {
  if (length_ < kShortest || length_ > kLongest || varying.size() != length_) {
    throw std::logic_error("no shape is like this");
  }
  std::size_t offset = 0;
  for (; offset + kPiece <= length_; offset += kPiece) add_piece(base, varying, offset, offset);
  if (offset < length_) add_piece(base, varying, length_ - kPiece, offset);
  add_steps(varying);
}

// `first_own`: of the bytes before that the piece before takes care.
void Shape::add_piece(std::span<const std::byte> base, std::span<const std::byte> varying, std::size_t offset,
                      std::size_t first_own) {
  Piece piece;
  piece.offset = static_cast<std::uint32_t>(offset);
  piece.shuffle.fill(kNothing);
  piece.restore.fill(kNothing);
  const auto moves = [&](std::size_t i) {
    return offset + i >= first_own && varying[offset + i] != std::byte{0};
  };
  std::array<std::size_t, 2> needed = {};
  for (std::size_t i = 0; i < kPiece; ++i) needed[i / kHalf] += moves(i) ? 1 : 0;
  if (rows_ == 0 || filled_[0] + needed[0] > kHalf || filled_[1] + needed[1] > kHalf) {
    ++rows_;
    filled_ = {};
  }
  piece.row = static_cast<std::uint32_t>(rows_ - 1);
  for (std::size_t i = 0; i < kPiece; ++i) {
    piece.fixed[i] = static_cast<std::uint8_t>(~varying[offset + i]);
    piece.base[i] = static_cast<std::uint8_t>(base[offset + i] & ~varying[offset + i]);
    if (!moves(i)) continue;
    const std::size_t half = i / kHalf;
    const std::size_t place = filled_[half]++;
    piece.shuffle[half * kHalf + place] = static_cast<std::uint8_t>(i % kHalf);
    piece.restore[i] = static_cast<std::uint8_t>(place);
  }
  pieces_.push_back(piece);
}

void Shape::add_steps(std::span<const std::byte> varying) {
  std::vector<std::uint64_t> masks(rows_ * kPiece / sizeof(std::uint64_t));
  for (const Piece& piece : pieces_) {
    for (std::size_t i = 0; i < kPiece; ++i) {
      if (piece.restore[i] == kNothing) continue;
      const std::size_t at = piece.row * kPiece + i / kHalf * kHalf + piece.restore[i];
      masks[at / 8] |= static_cast<std::uint64_t>(varying[piece.offset + i]) << (at % 8 * 8);
    }
  }
  std::uint32_t filled = 64;  // bits of the word that is being filled
  for (std::uint32_t i = 0; i < masks.size(); ++i) {
    if (masks[i] == 0) continue;
    const auto bits = static_cast<std::uint32_t>(std::popcount(masks[i]));
    if (filled + bits > 64) {  // what eight bytes give is not torn apart
      ++code_words_;
      filled = 0;
    }
    steps_.push_back({masks[i], i, static_cast<std::uint32_t>(code_words_ - 1), filled});
    filled += bits;
  }
  if (code_words_ <= 1) {
    code_words_ = whole_words_ = 1;
    gathers_.resize(rows_);
    for (const Step& step : steps_) {
      gathers_[step.from / 4].masks[step.from % 4] = step.mask;
      gathers_[step.from / 4].shifts[step.from % 4] = step.shift;
    }
  } else {
    whole_words_ = code_words_ - (filled <= 32 ? 1 : 0);
  }
  code_bytes_ = whole_words_ * sizeof(std::uint64_t) + (whole_words_ < code_words_ ? 4 : 0);
}

Shape::BytePlace Shape::place_of_byte(std::size_t offset) const {
  BytePlace place;
  for (const Piece& piece : pieces_) {
    if (offset < piece.offset || offset >= piece.offset + kPiece) continue;
    const std::size_t i = offset - piece.offset;
    place.base = piece.base[i];
    if (piece.restore[i] == kNothing) continue;  // it does not vary, or the piece before has it
    place.varying = static_cast<std::uint8_t>(~piece.fixed[i]);
    const std::size_t at = piece.row * kPiece + i / kHalf * kHalf + piece.restore[i];
    const auto step = std::ranges::find(steps_, at / 8, &Step::from);
    const std::uint64_t below = (std::uint64_t{1} << (at % 8 * 8)) - 1;
    place.word = step->to;
    place.shift = step->shift + static_cast<std::uint32_t>(std::popcount(step->mask & below));
    break;
  }
  return place;
}

void Shape::describe(std::vector<std::byte>& base, std::vector<std::byte>& varying) const {
  std::vector<std::byte> code(code_bytes_);
  base.resize(length_);
  unpack(code.data(), base.data());
  std::ranges::fill(code, std::byte{0xff});
  varying.resize(length_);
  unpack(code.data(), varying.data());
  for (std::size_t i = 0; i < length_; ++i) varying[i] ^= base[i];
}

#if defined(__x86_64__)

bool Shape::can_be_used() {
  static const bool is_fast = __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx2") &&
                              __builtin_cpu_supports("aes") && !__builtin_cpu_is("znver1") &&
                              !__builtin_cpu_is("znver2");
  return is_fast;
}

namespace {

SPOOR_GATHERS inline __m256i load_piece(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

}  // namespace

SPOOR_GATHERS bool Shape::pack(const std::byte* state, std::uint64_t* words) const {
  Rows rows;
  return pack(state, words, rows);
}

SPOOR_GATHERS void Shape::unpack(const std::byte* code, std::byte* state) const {
  alignas(__m256i) Rows rows;
  for (std::size_t i = 0; i < rows_; ++i) {
    _mm256_store_si256(reinterpret_cast<__m256i*>(rows.data()) + i, _mm256_setzero_si256());
  }
  std::array<std::uint64_t, kMostWords> words;
  words[code_words_ - 1] = 0;
  std::memcpy(words.data(), code, code_bytes_);
  for (const Step& step : steps_) rows[step.from] = _pdep_u64(words[step.to] >> step.shift, step.mask);
  // The last one first: where it overlaps, the one before knows better.
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    const Piece& piece = pieces_[i];
    const __m256i row = load_piece(reinterpret_cast<const __m256i*>(rows.data()) + piece.row);
    const __m256i bytes = _mm256_or_si256(_mm256_shuffle_epi8(row, load_piece(piece.restore.data())),
                                          load_piece(piece.base.data()));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(state + piece.offset), bytes);
  }
}

#else

bool Shape::can_be_used() { return false; }
bool Shape::pack(const std::byte*, std::uint64_t*) const { return false; }
void Shape::unpack(const std::byte*, std::byte*) const {}

#endif

}  // namespace spoor
