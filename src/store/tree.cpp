#include "store/tree.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/bytes.h"

namespace spoor {
namespace {

constexpr std::size_t kWord = sizeof(std::uint32_t);

std::uint32_t word_at(const std::byte* at) {
  std::uint32_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The last `rest` bytes, filled up with zeros. Copying a number of bytes that is not known makes the
// load of the word wait for the stores: 3 % of a search through `peterson`.
std::uint32_t last_word(std::span<const std::byte> bytes, std::size_t rest) {
  if (std::endian::native == std::endian::little && bytes.size() >= kWord) {
    return word_at(bytes.data() + bytes.size() - kWord) >> 8 * (kWord - rest);
  }
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + bytes.size() - rest, rest);
  return value;
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

// Words per block, of which the root's children get every other one; both get two words at least.
std::uint32_t block_of(std::uint32_t words) {
  return std::max(std::min(4u, (words + 1) / 2), (words / 6 + 1) / 2 * 2);
}

bool is_right_of_root(std::uint32_t place) { return (place >> (std::bit_width(place) - 2)) == 3; }

}  // namespace

TreeStore::TreeStore(IndexLimit limit) : roots_(quiescence_, limit) {
  for (std::atomic<std::uint32_t>& kind : kind_of_code_) kind.store(kNoKind, std::memory_order_relaxed);
}

std::uint32_t TreeStore::kind_for(std::size_t length) {
  if (length > UINT32_MAX / 4) throw std::bad_alloc();
  const SizeClass size = size_class(length);
  const std::uint32_t kind = kind_of_code_[size.code].load(std::memory_order_acquire);
  if (kind != kNoKind) [[likely]]
    return kind;
  return add_kind(size.code, static_cast<std::uint32_t>(size.words));
}

std::uint32_t TreeStore::add_kind(std::uint32_t code, std::uint32_t words) {
  const std::lock_guard lock(mutex_);
  const std::uint32_t known = kind_of_code_[code].load(std::memory_order_relaxed);
  if (known != kNoKind) return known;  // another thread was faster
  const auto kind = static_cast<std::uint32_t>(made_.size());
  const Shape& shape = *made_.emplace_back(std::make_unique<const Shape>(shape_for(words)));
  shape_bytes_.fetch_add(
      sizeof shape + (shape.place_of_word.capacity() + shape.word_at.capacity()) * sizeof(std::uint32_t),
      std::memory_order_relaxed);
  shapes_[kind].store(&shape, std::memory_order_release);
  kind_of_code_[code].store(kind, std::memory_order_release);
  return kind;
}

TreeStore::Shape TreeStore::shape_for(std::uint32_t words) {
  Shape shape;
  shape.words = words;
  shape.place_of_word.resize(words);
  // The words from left to right in the tree: those of even blocks, those of odd ones.
  const std::uint32_t block = block_of(words);
  std::vector<std::uint32_t> order;
  std::uint32_t halves[3] = {0, 0, words};
  for (std::uint32_t side = 0; side < 2; ++side) {
    halves[side] = static_cast<std::uint32_t>(order.size());
    for (std::uint32_t word = 0; word < words; ++word) {
      if (word / block % 2 == side) order.push_back(word);
    }
  }
  struct Range {
    std::uint32_t place, begin, end;  // a range of `order`
  };
  std::vector<Range> ranges = {{2, halves[0], halves[1]}, {3, halves[1], halves[2]}};
  while (!ranges.empty()) {
    const Range range = ranges.back();
    ranges.pop_back();
    if (range.end - range.begin == 1) {
      shape.place_of_word[order[range.begin]] = range.place;
      if (shape.word_at.size() <= range.place) shape.word_at.resize(range.place + 1, kNoWord);
      shape.word_at[range.place] = order[range.begin];
      continue;
    }
    const std::uint32_t middle = range.begin + (range.end - range.begin + 1) / 2;
    ranges.push_back({2 * range.place, range.begin, middle});
    ranges.push_back({2 * range.place + 1, middle, range.end});
  }
  shape.levels = static_cast<unsigned>(std::bit_width(shape.word_at.size() - 1)) - 1;
  return shape;
}

void TreeStore::keys(Writer& writer, std::span<const std::span<const std::byte>> states,
                     const DecodeBuffer& source, std::uint64_t* keys) {
  // Those that have the shape of the source climb together, the others each by itself.
  constexpr std::uint64_t kLater = UINT64_MAX;
  writer.items_.clear();
  writer.right_.clear();  // an exception may have left something here
  writer.halves_.clear();
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    const bool is_alike = (states[i].size() == source.length_ && source.kind_ != kNoKind) ||
                          kind_for(states[i].size()) == source.kind_;
    keys[i] = is_alike ? source.key_ : kLater;
    if (is_alike) note_changes(writer, i, states[i], source);
  }
  const auto put_into_key = [&](std::uint32_t state, bool is_right, std::uint64_t node) {
    const unsigned shift = is_right ? 0 : kReferenceBits;
    keys[state] = (keys[state] & ~((kMaxNodes - 1) << shift)) | node << shift;
  };
  const auto take_keys = [&] {
    for (const Item& item : writer.items_) put_into_key(item.state, item.place == 3, item.value);
  };
  take_remembered(writer, put_into_key);
  if (!writer.items_.empty()) {
    climb(writer, shape(source.kind_), source.values_.data());
    take_keys();
    remember(writer);
  }
  for (std::uint32_t i = 0; i < states.size(); ++i) {
    if (keys[i] != kLater) continue;
    const std::uint32_t kind = kind_for(states[i].size());
    writer.items_.clear();
    note_all(writer, i, states[i], shape(kind));
    climb(writer, shape(kind), nullptr);
    keys[i] = key_of(kind, 0, 0);
    take_keys();
  }
}

void TreeStore::note_changes(Writer& writer, std::uint32_t state, std::span<const std::byte> bytes,
                             const DecodeBuffer& source) const {
  const Shape& shape = this->shape(source.kind_);
  const std::uint32_t* const words = source.words_.data();
  const std::size_t first = writer.items_.size();
  const auto note = [&](std::uint32_t at, std::uint32_t value) {
    if (value != words[at]) note_item(writer, {state, shape.place_of_word[at], value});
  };
  const auto whole = static_cast<std::uint32_t>(bytes.size() / kWord);
  std::uint32_t at = 0;
  for (; at + 4 <= whole; at += 4) {
    const std::byte* const four = bytes.data() + at * kWord;
    if (std::memcmp(four, words + at, 4 * kWord) == 0) continue;
    for (std::uint32_t i = 0; i < 4; ++i) note(at + i, word_at(four + i * kWord));
  }
  for (; at < whole; ++at) note(at, word_at(bytes.data() + at * kWord));
  if (const std::size_t rest = bytes.size() % kWord; rest != 0) {
    note(at, last_word(bytes, rest));
    ++at;
  }
  if (source.length_ != bytes.size()) {
    for (; at + 1 < shape.words; ++at) note(at, 0);
    note(at, static_cast<std::uint32_t>(bytes.size()));
  }
  note_half(writer, first, source.values_[2], shape);
  const std::size_t first_right = writer.items_.size();
  writer.items_.append({writer.right_.data(), writer.right_.size()});
  writer.right_.clear();
  note_half(writer, first_right, source.values_[3], shape);
}

// All items from `first` on are below a child of the root, which is this node in the source.
void TreeStore::note_half(Writer& writer, std::size_t first, std::uint32_t node, const Shape& shape) {
  const std::size_t count = writer.items_.size() - first;
  if (count == 0) return;
  Half half{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), false,
            ChangeMemo::Change(node)};
  if (count <= ChangeMemo::kMaxWords && shape.word_at.size() <= ChangeMemo::kMaxPlace) {
    half.is_small = true;
    for (std::size_t i = first; i < first + count; ++i) {
      half.change.add(writer.items_[i].place, static_cast<std::uint32_t>(writer.items_[i].value));
    }
    writer.memo_.prefetch(half.change);
  }
  writer.halves_.push_back(half);
}

// Leaves the halves that nothing is known of, and their items.
template <class Put>
void TreeStore::take_remembered(Writer& writer, const Put& put_into_key) {
  Buffer<Item>& items = writer.items_;
  std::size_t kept_items = 0, kept_halves = 0;
  for (const Half& half : writer.halves_) {
    const Item& first = items[half.first];
    const std::uint32_t node = half.is_small ? writer.memo_.find(half.change) : ChangeMemo::kNothing;
    if (node != ChangeMemo::kNothing) {
      put_into_key(first.state, is_right_of_root(first.place), node);
      continue;
    }
    for (std::uint32_t i = 0; i < half.count; ++i) items[kept_items++] = items[half.first + i];
    writer.halves_[kept_halves++] = half;
  }
  items.set_size(kept_items);
  writer.halves_.set_size(kept_halves);
}

// REQUIRES: the items have climbed, so that there is one for each half.
void TreeStore::remember(Writer& writer) const {
  for (std::size_t i = 0; i < writer.halves_.size(); ++i) {
    const Half& half = writer.halves_[i];
    if (!half.is_small) continue;
    writer.memo_.put(half.change, static_cast<std::uint32_t>(writer.items_[i].value));
  }
  // A small part of what all states occupy.
  constexpr std::uint64_t kShare = 32, kAtLeast = std::uint64_t{256} << 10;
  if (writer.memo_.is_used_up()) [[unlikely]] {
    writer.memo_.renew(std::max(memory_bytes() / kShare, kAtLeast));
  }
}

void TreeStore::note_all(Writer& writer, std::uint32_t state, std::span<const std::byte> bytes,
                         const Shape& shape) {
  for (std::uint32_t at = 0; at + 1 < shape.words; ++at) {
    const std::size_t begin = std::min(at * kWord, bytes.size());
    const std::size_t count = std::min(bytes.size() - begin, kWord);
    std::uint32_t value = 0;
    if (count != 0) std::memcpy(&value, bytes.data() + begin, count);
    note_item(writer, {state, shape.place_of_word[at], value});
  }
  note_item(writer, {state, shape.place_of_word[shape.words - 1], static_cast<std::uint32_t>(bytes.size())});
  writer.items_.append({writer.right_.data(), writer.right_.size()});
  writer.right_.clear();
}

void TreeStore::note_item(Writer& writer, const Item& item) {
  (is_right_of_root(item.place) ? writer.right_ : writer.items_).push_back(item);
}

void TreeStore::climb(Writer& writer, const Shape& shape, const std::uint32_t* values) {
  for (unsigned level = shape.levels; level > 1; --level) {
    pair_up(writer, std::uint32_t{1} << level, values);
    look_up_pairs(writer);
  }
}

// Replaces the items by those one level up; what was above the level already stays as it is.
void TreeStore::pair_up(Writer& writer, std::uint32_t level_begin, const std::uint32_t* values) const {
  Buffer<Item>& items = writer.items_;
  writer.pairs_.clear();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item item = items[i];
    if (item.place < level_begin) {
      items[kept++] = item;
      continue;
    }
    std::uint64_t left, right;
    if (item.place % 2 == 1) {
      left = values[item.place - 1];
      right = item.value;
    } else {
      left = item.value;
      const bool has_both =
          i + 1 < items.size() && items[i + 1].state == item.state && items[i + 1].place == item.place + 1;
      right = has_both ? items[++i].value : values[item.place + 1];
    }
    const std::uint64_t pair = left << 32 | right;
    nodes_.prefetch(pair);
    // The item's value is filled in by look_up_pairs, at the place that `state` names for now.
    writer.pairs_.push_back({static_cast<std::uint32_t>(kept), 0, pair});
    items[kept++] = {item.state, item.place / 2, 0};
  }
  items.set_size(kept);
}

void TreeStore::look_up_pairs(Writer& writer) {
  // Most nodes are known, and the first candidate is nearly always the one.
  for (Item& pair : writer.pairs_) pair.place = nodes_.candidate(pair.value);
  for (const Item& pair : writer.pairs_) {
    std::uint32_t number = pair.place;
    if (number == kNoState || nodes_[number] != pair.value) {
      number = nodes_.insert(writer.nodes_, pair.value).index;
      if (number >= kMaxNodes) throw IndexesExhausted();
    }
    writer.items_[pair.state].value = number;
  }
}

std::span<const std::byte> TreeStore::state_of(std::uint64_t key, DecodeBuffer& room) const {
  const auto kind = static_cast<std::uint32_t>(key >> 2 * kReferenceBits);
  const Shape& shape = this->shape(kind);
  if (room.kind_ != kind) {
    room.kind_ = kNoKind;
    room.words_.reserve(shape.words);
    room.values_.reserve(shape.word_at.size());
    room.kind_ = kind;
    // No node has this number, and where a word has, it is there.
    std::fill_n(room.values_.data(), shape.word_at.size(), UINT32_MAX);
    std::fill_n(room.words_.data(), shape.words, UINT32_MAX);
  }
  unfold(static_cast<std::uint32_t>(key >> kReferenceBits & (kMaxNodes - 1)), 2, shape, room);
  unfold(static_cast<std::uint32_t>(key & (kMaxNodes - 1)), 3, shape, room);
  room.key_ = key;
  room.length_ = room.words_[shape.words - 1];
  return std::as_bytes(std::span(room.words_.data(), shape.words)).first(room.length_);
}

void TreeStore::unfold(std::uint32_t reference, std::uint32_t place, const Shape& shape,
                       DecodeBuffer& room) const {
  if (room.values_[place] == reference) return;
  room.values_[place] = reference;
  if (const std::uint32_t word = shape.word_at[place]; word != kNoWord) {
    room.words_[word] = reference;
    return;
  }
  const std::uint64_t pair = nodes_[reference];
  unfold(static_cast<std::uint32_t>(pair >> 32), 2 * place, shape, room);
  unfold(static_cast<std::uint32_t>(pair), 2 * place + 1, shape, room);
}

bool TreeStore::is_state(StateIndex index, std::span<const std::byte> bytes) const {
  DecodeBuffer room;
  const std::span<const std::byte> known = get(index, room);
  return equal_bytes(known, bytes);
}

}  // namespace spoor
