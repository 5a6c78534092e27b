#include "store/bitstate.h"

#include <bit>
#include <new>
#include <stdexcept>

namespace spoor {
namespace {

// The next of a sequence in which seeds that resemble each other lead to numbers that do not
// (SplitMix64; Steele, Lea, Flood 2014).
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

const FilterOptions& checked(const FilterOptions& options) {
  if (!is_valid(options)) throw std::invalid_argument("invalid filter options: " + mistake_in(options));
  return options;
}

}  // namespace

BitstateStore::BitstateStore(const FilterOptions& options, unsigned threads, IndexLimit limit)
    : options_(checked(options)),
      shift_(64 - static_cast<unsigned>(std::countr_zero(options.bits))),
      memory_(options.bits / 8),
      words_(reinterpret_cast<Word*>(memory_.data())),
      locks_(threads > 1 ? std::make_unique<Lock[]>(kLocks) : nullptr),
      most_blocks_(limit.count / kBlock) {
  std::uint64_t state = options.seed;
  for (std::uint64_t& seed : seeds_) seed = next_random(state);
}

void BitstateStore::join(Writer& writer) {
  const std::lock_guard lock(mutex_);
  if (options_.counts_met) writer.counters_ = &counters_.emplace_back();
  writer.tally_ = &tallies_.emplace_back();
}

void BitstateStore::begin_block(Writer& writer) {
  const std::uint32_t block = blocks_begun_.fetch_add(1, std::memory_order_relaxed);
  if (block >= most_blocks_) {
    blocks_begun_.fetch_sub(1, std::memory_order_relaxed);
    throw IndexesExhausted();
  }
  writer.next_ = block * kBlock;
  writer.block_end_ = writer.next_ + kBlock;
}

std::uint64_t BitstateStore::size() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t states = 0;
  for (const Tally& tally : tallies_) states += tally.states.load(std::memory_order_relaxed);
  return states;
}

BitstateStore::Counters BitstateStore::counted() const {
  const std::lock_guard lock(mutex_);
  Counters all;
  for (const Counters& counters : counters_) {
    all.met.add(counters.met);
    all.seen.add(counters.seen);
  }
  return all;
}

std::uint64_t BitstateStore::bits_set() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bits = 0;
  for (const Tally& tally : tallies_) bits += tally.bits_set.load(std::memory_order_relaxed);
  return bits;
}

double BitstateStore::mean_rate_of_lines() const {
  constexpr unsigned kWords = kLineBits / kWordBits;
  std::array<double, kLineBits + 1> rate_with;  // so many bits set
  for (unsigned set = 0; set <= kLineBits; ++set) {
    rate_with[set] = 1;
    for (unsigned i = 0; i < options_.hashes; ++i) {
      rate_with[set] *= static_cast<double>(set) / kLineBits;
    }
  }
  double sum = 0;
  const std::uint64_t lines = options_.bits / kLineBits;
  for (std::uint64_t i = 0; i < lines; ++i) {
    unsigned set = 0;
    for (unsigned j = 0; j < kWords; ++j) {
      set += static_cast<unsigned>(std::popcount(words_[i * kWords + j].load(std::memory_order_relaxed)));
    }
    sum += rate_with[set];
  }
  return sum / static_cast<double>(lines);
}

FilterFigures BitstateStore::figures(bool is_complete) const {
  FilterFigures figures;
  figures.options = options_;
  figures.is_complete = is_complete;
  figures.states = size();
  figures.bits_set = bits_set();
  if (figures.states == 0) return figures;
  const auto bits = static_cast<double>(options_.bits);
  figures.fraction_set = static_cast<double>(figures.bits_set) / bits;
  figures.hash_factor = bits / static_cast<double>(figures.states);
  double rate = 1;
  if (options_.kind == FilterKind::kBlocked) {
    rate = mean_rate_of_lines();
  } else {
    for (unsigned i = 0; i < options_.hashes; ++i) rate *= figures.fraction_set;
  }
  figures.uninterrupted = 1 / rate - 1;
  if (options_.counts_met) {
    const Counters counters = counted();
    figures.met = counters.met.count.estimate();
    figures.met_sketch = std::make_shared<const StateSketch>(counters.met);
    figures.seen = std::make_shared<const DistinctCounter>(counters.seen);
  }
  return figures;
}

}  // namespace spoor
