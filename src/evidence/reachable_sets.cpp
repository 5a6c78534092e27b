#include "evidence/reachable_sets.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <new>
#include <span>
#include <utility>

#include "base/hash.h"
#include "base/packed_numbers.h"
#include "evidence/recording.h"

namespace spoor {
namespace {

constexpr unsigned kBitsPerWord = 64;
using Words = std::vector<std::uint64_t>;

void set_bit(Words& words, std::size_t bit) {
  words[bit / kBitsPerWord] |= std::uint64_t{1} << bit % kBitsPerWord;
}

// Rows of bits, each once. The first is that of open states, and equal to no other.
class BitRows {
 public:
  explicit BitRows(std::size_t bits)
      : width_(bits / kBitsPerWord + 1), words_(width_), slots_(kFewestSlots) {}

  std::size_t width() const { return width_; }
  std::span<const std::uint64_t> operator[](std::uint32_t row) const {
    return {words_.data() + std::size_t{row} * width_, width_};
  }
  std::uint32_t number_of(const Words& row) {
    if (std::uint64_t{size_} * 2 >= slots_.size()) grow();
    for (std::size_t at = hash(row) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == 0) {
        if (size_ == UINT32_MAX) throw std::bad_alloc();
        words_.insert(words_.end(), row.begin(), row.end());
        return slots_[at] = size_++;
      }
      if (std::ranges::equal((*this)[slots_[at]], row)) return slots_[at];
    }
  }

 private:
  static constexpr std::size_t kFewestSlots = 1024;
  static_assert(ReachableSets::kOpen == 0, "which is also the value of an empty slot");

  static std::uint64_t hash(std::span<const std::uint64_t> row) { return hash_bytes(std::as_bytes(row)); }
  void grow() {
    std::vector<std::uint32_t> larger(2 * slots_.size());
    for (std::uint32_t row = 1; row < size_; ++row) {
      std::size_t at = hash((*this)[row]) & (larger.size() - 1);
      while (larger[at] != 0) at = (at + 1) & (larger.size() - 1);
      larger[at] = row;
    }
    slots_ = std::move(larger);
  }

  std::size_t width_;
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> slots_;  // by hash; 0: empty
  std::uint32_t size_ = 1;
};

// The steps of a state, one after the other.
class StepReader {
 public:
  StepReader() = default;
  StepReader(const RecordedSteps& steps, std::uint32_t state) {
    if (steps[state] == RecordedSteps::kNowhere) return;
    at_ = steps.at(steps[state]);
    left_ = RecordedSteps::read_head(at_).steps;
  }
  bool is_at_end() const { return left_ == 0; }
  std::uint32_t next(std::uint32_t state) {
    --left_;
    return state + static_cast<std::uint32_t>(signed_number_at(at_));
  }

 private:
  const std::uint8_t* at_ = nullptr;
  std::uint64_t left_ = 0;
};

class Computation {
 public:
  Computation(const Recording& recording, const TransitionSystem& system)
      : recording_(recording),
        system_(system),
        locations_(system.element_set_count()),
        rows_(locations_ + system.statements().size()),
        number_of_(recording.states.bound()),
        order_(recording.states.bound()) {}

  ReachableSets run() {
    read_states();
    for (std::uint32_t state = 0; state < order_.size(); ++state) {
      if (order_[state] == kNew) search_from(state);
    }
    return result();
  }

 private:
  // In order_; other values are places in the order of the search: that of a state, or of one that it reaches
  // and that is not finished.
  static constexpr std::uint32_t kNew = 0, kFinished = UINT32_MAX;
  // In number_of_: of a state whose component is being finished.
  static constexpr std::uint32_t kPending = UINT32_MAX;

  struct Frame {
    std::uint32_t state = 0;
    std::uint32_t order = 0;
    StepReader steps;
  };

  // What each state has of its own, in number_of_.
  void read_states() {
    std::vector<Words> executed;  // by set of statements
    for (const std::vector<std::uint32_t>& set : recording_.executed) {
      Words& row = executed.emplace_back(rows_.width());
      for (const std::uint32_t statement : set) {
        if (statement >= system_.statements().size()) throw_damaged();
        set_bit(row, locations_ + statement);
      }
    }
    PackedStates::Cursor cursor;
    std::vector<std::uint32_t> sets;
    Words own(rows_.width());
    for (std::uint32_t state = 0; state < number_of_.size(); ++state) {
      const StateBytes bytes = recording_.states.get(state, cursor);
      number_of_[state] = ReachableSets::kOpen;
      if (bytes.empty() || recording_.steps[state] == RecordedSteps::kNowhere) continue;
      const std::uint8_t* at = recording_.steps.at(recording_.steps[state]);
      own = executed[RecordedSteps::read_head(at).executed];
      sets.clear();
      system_.element_sets_of(bytes, sets);
      for (const std::uint32_t set : sets) set_bit(own, set);
      number_of_[state] = rows_.number_of(own);
    }
  }

  void enter(std::uint32_t state) {
    order_[state] = ++entered_;
    unfinished_.push_back(state);
    path_.push_back({state, entered_, StepReader(recording_.steps, state)});
  }

  void search_from(std::uint32_t first) {
    enter(first);
    while (!path_.empty()) {
      Frame& top = path_.back();
      std::uint32_t& reached = order_[top.state];
      if (!top.steps.is_at_end()) {
        const std::uint32_t target = top.steps.next(top.state);
        if (order_[target] == kNew) {
          enter(target);
        } else {
          reached = std::min(reached, order_[target]);  // which no finished state is below
        }
        continue;
      }
      const std::uint32_t lowest = reached;
      const Frame left = top;
      path_.pop_back();
      if (lowest == left.order) finish_component(left.state);
      if (!path_.empty()) {
        std::uint32_t& above = order_[path_.back().state];
        above = std::min(above, order_[left.state]);
      }
    }
  }

  // Adds a row to the union, where it is not known to be part of it.
  void add_row(std::uint32_t row) {
    if (row >= added_to_.size()) added_to_.resize(std::max<std::size_t>(row + 1, 2 * added_to_.size()));
    if (added_to_[row] == components_) return;
    added_to_[row] = components_;
    const std::span<const std::uint64_t> words = rows_[row];
    for (std::size_t i = 0; i < words.size(); ++i) union_[i] |= words[i];
  }

  // All that was entered behind `first`, and is not finished, is its component.
  void finish_component(std::uint32_t first) {
    const auto begin = static_cast<std::size_t>(
        unfinished_.rend() - std::find(unfinished_.rbegin(), unfinished_.rend(), first) - 1);
    const std::span<const std::uint32_t> members = std::span(unfinished_).subspan(begin);
    ++components_;
    union_.assign(rows_.width(), 0);
    bool is_open = false;
    for (const std::uint32_t state : members) {
      is_open |= number_of_[state] == ReachableSets::kOpen;
      if (!is_open) add_row(number_of_[state]);
      order_[state] = kFinished;
      number_of_[state] = kPending;
    }
    for (std::size_t i = 0; i < members.size() && !is_open; ++i) {
      for (StepReader steps(recording_.steps, members[i]); !steps.is_at_end() && !is_open;) {
        const std::uint32_t below = number_of_[steps.next(members[i])];
        is_open = below == ReachableSets::kOpen;
        if (!is_open && below != kPending) add_row(below);
      }
    }
    const std::uint32_t number = is_open ? ReachableSets::kOpen : rows_.number_of(union_);
    for (const std::uint32_t state : members) number_of_[state] = number;
    unfinished_.resize(begin);
  }

  // Only rows that a state has, in the order of the states.
  ReachableSets result() {
    ReachableSets found;
    std::vector<std::uint32_t> numbers;  // by row; 0: not yet there
    found.sets.emplace_back();
    for (std::uint32_t& number : number_of_) {
      if (number == ReachableSets::kOpen) continue;
      if (number >= numbers.size()) numbers.resize(std::max<std::size_t>(number + 1, 2 * numbers.size()));
      if (numbers[number] == 0) {
        numbers[number] = static_cast<std::uint32_t>(found.sets.size());
        found.sets.push_back(as_set(rows_[number]));
      }
      number = numbers[number];
    }
    found.number_of = std::move(number_of_);
    return found;
  }

  ReachableSets::Set as_set(std::span<const std::uint64_t> row) const {
    ReachableSets::Set set;
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::uint64_t word = row[i]; word != 0; word &= word - 1) {
        const auto bit =
            static_cast<std::uint32_t>(i * kBitsPerWord) + static_cast<std::uint32_t>(std::countr_zero(word));
        if (bit < locations_) {
          set.locations.push_back(bit);
        } else {
          set.statements.push_back(bit - locations_);
        }
      }
    }
    return set;
  }

  const Recording& recording_;
  const TransitionSystem& system_;
  const std::uint32_t locations_;
  BitRows rows_;
  std::vector<std::uint32_t> number_of_;  // by state: the row of what it has itself, then of its component
  std::vector<std::uint32_t> order_;      // by state
  std::uint32_t entered_ = 0;
  std::vector<Frame> path_;
  std::vector<std::uint32_t> unfinished_;  // states, in the order of the search
  Words union_;
  std::vector<std::uint32_t> added_to_;  // by row: the component whose union has had it last
  std::uint32_t components_ = 0;
};

}  // namespace

ReachableSets reachable_sets(const Recording& recording, const TransitionSystem& system) {
  return Computation(recording, system).run();
}

std::string ReachableSets::sets_text() const {
  std::string to;
  for (std::size_t i = 1; i < sets.size(); ++i) {
    put_ascending(to, sets[i].locations);
    put_ascending(to, sets[i].statements);
  }
  return to;
}

Chunks ReachableSets::numbers() const {
  Chunks chunks;
  for (const std::uint32_t number : number_of)
    chunks.end_entry(put_at(chunks.begin_entry(kMostNumberBytes), number));
  return chunks;
}

void ReachableSets::read_sets(std::string_view text) {
  sets.assign(1, {});
  for (RecordReader reader(text); !reader.is_at_end();) {
    Set& set = sets.emplace_back();
    read_ascending(reader, set.locations);
    read_ascending(reader, set.statements);
  }
}

void ReachableSets::read_numbers(std::string_view chunk) {
  for (RecordReader reader(chunk); !reader.is_at_end();) {
    const std::uint64_t number = reader.number();
    if (number >= sets.size()) throw_damaged();
    number_of.push_back(static_cast<std::uint32_t>(number));
  }
}

void ReachableSets::require_complete(std::uint32_t states) const {
  if (number_of.size() != states) throw_damaged();
}

}  // namespace spoor
