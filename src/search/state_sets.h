// Sets of states that several threads unite, and in each of them what is left to be done.
//
// The idea. Union-find: a set is a tree of states, by links to parents, and known by its root. Beside that,
// the states of a set stand in a circle, each with a link to the next; a thread that passes a finished
// state removes it. A set has a list of its workers. When nothing is left in its circle it is dead, and stays
// so.
//
// Locks. What belongs to a set as a whole (its workers, marks and circle) is changed by the thread that has
// locked its root; to unite two sets, both are locked, the one with the lower number first. A thread that
// gets the lock of a state that is no longer a root searches for the new root. Roots are looked for without
// locks: a link to a parent may be outdated, but it leads to the same root in the end.
//
// Rivals. Bloemen, Laarman and van de Pol lock single links of the circle, so that workers on one large set
// do not wait for each other. A lock is held for some hundred nanoseconds here, and taken a few times per
// state, each of which costs a microsecond or more to expand; with dozens of threads theirs would be
// better.
//
// A node of zeroes is a set of one state without workers: numbers of states are kept as their
// difference (exclusive or) from the state's own.
//
// Invariants:
//   1. A state that was given a parent keeps one; its parents' numbers are smaller.
//   2. A root's cursor is in the circle, and so is every state of the set that is not finished.
//   3. A dead set has no unfinished state, and is never united with another.
//   4. A thread that sees, with or without the lock, that a root has a worker finds the worker's states
//      below it.
//
// Cost: 24 bytes per state. Thread safety: all members may be called from several threads.
// Citation: see shared_components.h.
// examples/self/sets.pml is a model of how sets are united and claimed; with
// -DHASTY it shows how sets that are not connected could be united.
// Tested by: tests/unit/test_cycles.cpp, tests/suites/test_self.py
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <optional>
#include <stdexcept>
#include <thread>
#include <utility>

#include "model/system.h"
#include "store/stable_array.h"
#include "store/visited_set.h"

namespace spoor {

// Called where the interleaving of threads matters; does nothing. Tests have others.
struct NoPause {
  static void here() {}
};

template <class Pause = NoPause>
class StateSets {
 public:
  static constexpr unsigned kMostWorkers = 60;
  enum class Claim : std::uint8_t {
    kDead,   // there is nothing left to do
    kMine,   // the worker has been there, and is not yet done with the set
    kJoined  // the worker is one of the set's workers from now on
  };

  // All of these throw std::bad_alloc where memory runs out, and IndexesExhausted where numbers do.
  Claim claim(StateIndex state, unsigned worker) {
    const std::uint64_t bit = std::uint64_t{1} << worker;
    const std::uint64_t seen = word(root_of(state)).load(std::memory_order_acquire);
    if ((seen & kDead) != 0) return Claim::kDead;
    if ((seen & bit) != 0) return Claim::kMine;
    Pause::here();
    const StateIndex root = lock_root(state);
    const std::uint64_t before = word(root).load(std::memory_order_relaxed);
    if ((before & kDead) == 0) word(root).fetch_or(bit, std::memory_order_relaxed);
    unlock(root);
    if ((before & kDead) != 0) return Claim::kDead;
    return (before & bit) != 0 ? Claim::kMine : Claim::kJoined;
  }

  bool are_together(StateIndex a, StateIndex b) {
    for (;;) {
      const StateIndex first = root_of(a);
      Pause::here();
      const StateIndex second = root_of(b);
      if (first == second) return true;
      if (is_root(first)) return false;  // and was when the other one was found
    }
  }

  void unite(StateIndex a, StateIndex b) {
    for (;;) {
      StateIndex upper = root_of(a), lower = root_of(b);
      if (upper == lower) return;
      if (upper > lower) std::swap(upper, lower);
      lock(upper);
      lock(lower);
      const bool are_roots = is_root(upper) && is_root(lower);
      const bool is_dead = ((word(upper).load() | word(lower).load()) & kDead) != 0;
      if (are_roots && !is_dead) hang(lower, upper);
      unlock(lower);
      unlock(upper);
      if (!are_roots) continue;
      if (is_dead) throw std::logic_error("a set that is dead is united with another");
      return;
    }
  }

  // To those of the state's set; returns all that it has.
  Marks add_marks(StateIndex state, Marks marks) {
    const Marks known = marks_of(root_of(state)).load(std::memory_order_relaxed);
    if ((known | marks) == known) return known;
    const StateIndex root = lock_root(state);
    const Marks all = marks_of(root).load(std::memory_order_relaxed) | marks;
    marks_of(root).store(all, std::memory_order_relaxed);
    unlock(root);
    return all;
  }

  // Is this the first time?
  bool begin_expansion(StateIndex state) {
    return (word(state).fetch_or(kExpanded, std::memory_order_relaxed) & kExpanded) == 0;
  }
  // All steps of the state were followed.
  void finish(StateIndex state) { word(state).fetch_or(kFinished, std::memory_order_acq_rel); }
  bool is_finished(StateIndex state) {
    return (word(state).load(std::memory_order_acquire) & kFinished) != 0;
  }

  // A state of the same set that is not finished: this one, or else another one each time. Where there is
  // none the set is dead from now on.
  std::optional<StateIndex> pick(StateIndex state) {
    if (!is_finished(state)) return state;
    Pause::here();
    const StateIndex root = lock_root(state);
    if ((word(root).load(std::memory_order_relaxed) & kDead) != 0) {
      unlock(root);
      return std::nullopt;
    }
    const StateIndex cursor = link(root).load(std::memory_order_relaxed) ^ root;
    for (;;) {
      const StateIndex next = next_of(cursor);
      if (!is_finished(next)) {
        link(root).store(next ^ root, std::memory_order_relaxed);
        unlock(root);
        return next;
      }
      if (next == cursor) break;
      set_next(cursor, next_of(next));
    }
    word(root).fetch_or(kDead, std::memory_order_release);
    unlock(root);
    return std::nullopt;
  }

  StateIndex root_of(StateIndex state) {
    for (;;) {
      const std::uint32_t up = link(state).load(std::memory_order_acquire);
      if ((up & kHasParent) == 0) return state;
      const StateIndex parent = up & ~kHasParent;
      const std::uint32_t further = link(parent).load(std::memory_order_acquire);
      if ((further & kHasParent) == 0) return parent;
      link(state).store(further, std::memory_order_release);  // half as far the next time
      state = further & ~kHasParent;
    }
  }

  std::uint64_t memory_bytes() const { return nodes_.memory_bytes(); }

 private:
  struct Node {
    std::uint64_t word = 0;  // of a root, its workers; and flags
    Marks marks = 0;         // of a root
    std::uint32_t link = 0;  // of a root, to its cursor; else to its parent
    std::uint32_t next = 0;  // in the circle
  };
  static constexpr std::uint64_t kFinished = std::uint64_t{1} << 60;
  static constexpr std::uint64_t kExpanded = std::uint64_t{1} << 61;
  static constexpr std::uint64_t kDead = std::uint64_t{1} << 62;  // of a root, and so is:
  static constexpr std::uint64_t kLocked = std::uint64_t{1} << 63;
  static constexpr std::uint64_t kWorkers = (std::uint64_t{1} << kMostWorkers) - 1;
  static constexpr std::uint32_t kHasParent = std::uint32_t{1} << 31;
  static constexpr unsigned kTriesBeforeYield = 64;

  Node& node(StateIndex state) {
    if (state >= kHasParent) throw IndexesExhausted();
    return nodes_.make(state);
  }
  std::atomic_ref<std::uint64_t> word(StateIndex state) { return std::atomic_ref(node(state).word); }
  std::atomic_ref<Marks> marks_of(StateIndex state) { return std::atomic_ref(node(state).marks); }
  std::atomic_ref<std::uint32_t> link(StateIndex state) { return std::atomic_ref(node(state).link); }
  bool is_root(StateIndex state) { return (link(state).load(std::memory_order_acquire) & kHasParent) == 0; }

  // REQUIRES: the root is locked by this thread.
  StateIndex next_of(StateIndex state) { return node(state).next ^ state; }
  void set_next(StateIndex state, StateIndex next) { node(state).next = next ^ state; }

  void lock(StateIndex root) {
    const std::atomic_ref<std::uint64_t> flags = word(root);
    for (unsigned tries = 1; (flags.fetch_or(kLocked, std::memory_order_acquire) & kLocked) != 0; ++tries) {
      if (tries % kTriesBeforeYield == 0) std::this_thread::yield();
    }
  }
  void unlock(StateIndex root) { word(root).fetch_and(~kLocked, std::memory_order_release); }
  StateIndex lock_root(StateIndex state) {
    for (;;) {
      const StateIndex root = root_of(state);
      Pause::here();
      lock(root);
      if (is_root(root)) return root;
      unlock(root);
    }
  }

  // One circle is made of two by exchanging what follows the cursors.
  void hang(StateIndex lower, StateIndex upper) {
    const StateIndex first = link(upper).load(std::memory_order_relaxed) ^ upper;
    const StateIndex second = link(lower).load(std::memory_order_relaxed) ^ lower;
    const StateIndex behind_first = next_of(first);
    set_next(first, next_of(second));
    set_next(second, behind_first);
    marks_of(upper).fetch_or(marks_of(lower).load(std::memory_order_relaxed), std::memory_order_relaxed);
    Pause::here();
    link(lower).store(kHasParent | upper, std::memory_order_release);
    Pause::here();
    // Last, because `claim` looks without a lock: a worker that is told that the set is one of its own must
    // find the state of its path in there.
    word(upper).fetch_or(word(lower).load(std::memory_order_relaxed) & kWorkers, std::memory_order_release);
  }

  StableArray<Node, 12, 19> nodes_;
};

}  // namespace spoor
