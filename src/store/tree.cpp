#include "store/tree.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace spoor {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

std::uint32_t word_at(const std::byte* at) {
  std::uint32_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

std::uint32_t middle_of(std::uint32_t begin, std::uint32_t end) {
  return begin + (end - begin + 1) / 2;
}

// A size with at most four significant bits, and its number among all of these.
struct SizeClass {
  std::uint32_t code;
  std::uint64_t words;
};

// For `length` bytes and the length itself; four words at least, so that both halves are nodes.
SizeClass size_class(std::size_t length) {
  const std::uint64_t words = std::max<std::uint64_t>((length + kWord - 1) / kWord + 1, 4);
  unsigned dropped = words < 16 ? 0 : static_cast<unsigned>(std::bit_width(words)) - 4;
  std::uint64_t significant = (words + (std::uint64_t{1} << dropped) - 1) >> dropped;
  if (significant == 16) {
    significant = 8;
    ++dropped;
  }
  return {static_cast<std::uint32_t>(dropped * 8 + significant), significant << dropped};
}

}  // namespace

// Computes the number of a range of words whose changes, as against the source, are known.
class TreeStore::Folding {
 public:
  Folding(TreeStore& store, const Room& source)
      : store_(store),
        next_(store.changes_.data()),
        words_(source.words_.data()),
        nodes_(source.nodes_.data()) {}

  // Ranges must be asked for from left to right.
  std::uint32_t fold(std::uint32_t begin, std::uint32_t end) {
    const bool is_word = end - begin == 1;
    if (next_->at >= end) return is_word ? words_[begin] : nodes_[middle_of(begin, end)];
    if (is_word) return next_++->value;
    const std::uint32_t middle = middle_of(begin, end);
    const std::uint32_t left = fold(begin, middle);
    return store_.node(left, fold(middle, end));
  }

 private:
  TreeStore& store_;
  const Change* next_;  // the last one is beyond all words
  const std::uint32_t* words_;
  const std::uint32_t* nodes_;
};

std::uint32_t TreeStore::kind_for(std::size_t length) {
  const SizeClass size = size_class(length);
  std::uint32_t& kind = kind_of_code_[size.code];
  if (kind == kNoKind) {
    changes_.reserve(size.words + 1);
    sizes_.push_back(static_cast<std::uint32_t>(size.words));
    kind = static_cast<std::uint32_t>(sizes_.size() - 1);
  }
  return kind;
}

std::uint32_t TreeStore::node(std::uint32_t left, std::uint32_t right) {
  const Insertion insertion = nodes_.insert(std::uint64_t{left} << 32 | right);
  if (insertion.index >= kMaxNodes) throw std::bad_alloc();
  return insertion.index;
}

std::uint64_t TreeStore::key(std::span<const std::byte> bytes, const Room& source) {
  if (bytes.size() > UINT32_MAX / 2) throw std::bad_alloc();
  const std::uint32_t kind = kind_for(bytes.size());
  const std::uint32_t size = sizes_[kind];
  changes_.clear();
  if (source.kind_ == kind) {
    note_changes(bytes, size, source);
  } else {
    note_all(bytes, size);
  }
  changes_.push_back({UINT32_MAX, 0});

  Folding folding(*this, source);
  const std::uint32_t middle = middle_of(0, size);
  const std::uint64_t left = folding.fold(0, middle);
  const std::uint64_t right = folding.fold(middle, size);
  return std::uint64_t{kind} << 2 * kReferenceBits | left << kReferenceBits | right;
}

void TreeStore::note_changes(std::span<const std::byte> bytes, std::uint32_t size,
                             const Room& source) {
  const std::uint32_t* const words = source.words_.data();
  const auto whole = static_cast<std::uint32_t>(bytes.size() / kWord);
  const auto note = [&](std::uint32_t at, std::uint32_t value) {
    if (value != words[at]) changes_.push_back({at, value});
  };
  std::uint32_t at = 0;
  for (; at + 2 <= whole; at += 2) {
    if (std::memcmp(bytes.data() + at * kWord, words + at, 2 * kWord) == 0) continue;
    note(at, word_at(bytes.data() + at * kWord));
    note(at + 1, word_at(bytes.data() + (at + 1) * kWord));
  }
  if (at < whole) {
    note(at, word_at(bytes.data() + at * kWord));
    ++at;
  }
  if (const std::size_t rest = bytes.size() % kWord; rest != 0) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at * kWord, rest);
    note(at++, value);
  }
  if (source.length_ == bytes.size()) return;
  for (; at + 1 < size; ++at) note(at, 0);
  note(at, static_cast<std::uint32_t>(bytes.size()));
}

void TreeStore::note_all(std::span<const std::byte> bytes, std::uint32_t size) {
  for (std::uint32_t at = 0; at + 1 < size; ++at) {
    const std::size_t begin = std::min(at * kWord, bytes.size());
    const std::size_t count = std::min(bytes.size() - begin, kWord);
    std::uint32_t value = 0;
    if (count != 0) std::memcpy(&value, bytes.data() + begin, count);
    changes_.push_back({at, value});
  }
  changes_.push_back({size - 1, static_cast<std::uint32_t>(bytes.size())});
}

std::span<const std::byte> TreeStore::get(StateIndex index, Room& room) const {
  const std::uint64_t key = roots_[index];
  const auto kind = static_cast<std::uint32_t>(key >> 2 * kReferenceBits);
  const std::uint32_t size = sizes_[kind];
  if (room.kind_ != kind) {
    room.kind_ = kNoKind;
    room.words_.reserve(size);
    room.nodes_.reserve(size);
    room.kind_ = kind;
    std::fill_n(room.nodes_.data(), size, UINT32_MAX);  // no node has this number
  }
  const std::uint32_t middle = middle_of(0, size);
  unfold(static_cast<std::uint32_t>(key >> kReferenceBits & (kMaxNodes - 1)), 0, middle, room);
  unfold(static_cast<std::uint32_t>(key & (kMaxNodes - 1)), middle, size, room);
  room.length_ = room.words_[size - 1];
  return std::as_bytes(std::span(room.words_.data(), size)).first(room.length_);
}

void TreeStore::unfold(std::uint32_t reference, std::uint32_t begin, std::uint32_t end,
                       Room& room) const {
  if (end - begin == 1) {
    room.words_[begin] = reference;
    return;
  }
  const std::uint32_t middle = middle_of(begin, end);
  if (room.nodes_[middle] == reference) return;
  room.nodes_[middle] = reference;
  const std::uint64_t pair = nodes_[reference];
  unfold(static_cast<std::uint32_t>(pair >> 32), begin, middle, room);
  unfold(static_cast<std::uint32_t>(pair), middle, end, room);
}

bool TreeStore::is_state(StateIndex index, std::span<const std::byte> bytes) const {
  Room room;
  const std::span<const std::byte> known = get(index, room);
  return known.size() == bytes.size() &&
         (bytes.empty() || std::memcmp(known.data(), bytes.data(), bytes.size()) == 0);
}

}  // namespace spoor
