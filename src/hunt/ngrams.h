// What follows what in good paths: frequencies of actions after the one, two and three actions before
// them.
//
// This is the probabilistic model of N-gram GP, as Staunton and Clark (GECCO 2011) use it for paths. An
// action is a statement, without the process that executes it, so what one of 128 philosophers has shown
// is known of all. A path is a string of actions, and the model counts for each context, that is for each
// sequence of three, two, one and no actions, how often each action came behind it. From these counts
// other paths are drawn: at each state one of the actions that some process offers, by its frequency.
//
// What the paper leaves open, and what is done here:
//   - A path has fewer than three actions at first. It begins with three actions that nobody executes, so
//     the beginning is a context like others.
//   - A context that was never seen, or after which only actions were seen that no process offers now,
//     says nothing. The next shorter one is asked: three actions, two, one, none; if all of them say
//     nothing, every step is as likely as any other.
//   - The share of actions that are not offered goes to those that are, in proportion to their counts.
//   - Of several steps with the chosen action, by several processes or of one, one is drawn uniformly.
//
// A context of two actions is the sum of those of three that end with it, so the longest ones are all that
// a file needs to have (ngram_file.h).
//
// Cost: one entry per context and action that were seen; to draw a step, a pass over the enabled steps and
// four lookups at most. Tested by: tests/unit/test_ngrams.cpp
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <unordered_map>
#include <vector>

namespace spoor {

class Ngrams {
 public:
  using Action = std::uint32_t;
  static constexpr unsigned kLongest = 3;
  static constexpr unsigned kActionBits = 21;
  // In front of a path; an action that no step has (ngram_file.h). Others are below.
  static constexpr Action kBeginning = (Action{1} << kActionBits) - 1;
  static constexpr Action kUnknown = kBeginning - 1;

  // The last actions of a path, the latest in the lowest bits.
  class Context {
   public:
    void add(Action action) { actions_ = (actions_ << kActionBits | action) & kMask; }
    // The last `length` of them.
    std::uint64_t last(unsigned length) const {
      return actions_ & ((std::uint64_t{1} << (kActionBits * length)) - 1);
    }

   private:
    static constexpr std::uint64_t kMask = (std::uint64_t{1} << (kActionBits * kLongest)) - 1;
    std::uint64_t actions_ = kMask;  // kBeginning, as often as fits
  };
  struct Follower {
    Action action = 0;
    std::uint64_t count = 0;
    friend bool operator==(const Follower&, const Follower&) = default;
  };

  bool is_empty() const { return followers_[0].empty(); }
  void clear();
  void learn(std::span<const Action> path);
  // `context`: kLongest actions, as Context has them.
  void add(std::uint64_t context, Action action, std::uint64_t count);
  // What follows the last `length` actions, in the order in which it was seen first.
  std::span<const Follower> after(const Context& context, unsigned length) const;
  // Of the longest contexts, ascending.
  std::vector<std::uint64_t> contexts() const;
  std::span<const Follower> after(std::uint64_t context) const;
  std::uint64_t memory_bytes() const;

 private:
  using Table = std::unordered_map<std::uint64_t, std::vector<Follower>>;
  std::array<Table, kLongest + 1> followers_;  // by the length of the context
  std::uint64_t entries_ = 0;
};

// Draws steps. Not part of Ngrams, so that several threads can draw from one.
class NgramSampler {
 public:
  explicit NgramSampler(const Ngrams& ngrams) : ngrams_(ngrams) {}

  // One of the enabled steps, of which `actions` has the action each. REQUIRES: there is one.
  std::size_t choose(const Ngrams::Context& context, std::span<const Ngrams::Action> actions,
                     std::mt19937_64& random);

 private:
  const Ngrams& ngrams_;
  // How many enabled steps have an action; only those entries that `turn_` stands at are of this choice.
  struct Offer {
    std::uint64_t turn = 0;
    std::uint32_t steps = 0;
  };
  std::vector<Offer> offers_;
  std::uint64_t turn_ = 0;
};

}  // namespace spoor
