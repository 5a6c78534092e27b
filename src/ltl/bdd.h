// Binary decision diagrams: sets of truth assignments, for labels of edges and for the tableau.
//
// A Bdd is a number; equal sets have equal numbers. Small on purpose: no garbage collection, no
// reordering, no complemented edges. A translation makes some thousands of nodes, and then the
// whole manager is destroyed.
//
// It also limits the time of a translation: nearly all time is spent here, so operations are
// counted, and an operation beyond the granted number throws TooLarge, which translate() catches.
// Unlike a time limit, this count gives the same result in every run.
//
// Not thread-safe. Cost: two machine words per node and one per table entry; each operation is
// memoized.
//
// R. E. Bryant, Graph-based algorithms for Boolean function manipulation, 1986. The irredundant
// sums of products are S. Minato's (1992): cubes that together are exactly the set, none
// superfluous.
//
// Tested by: tests/unit/test_ltl_bdd.cpp
#pragma once

#include <cstdint>
#include <exception>
#include <unordered_map>
#include <vector>

namespace spoor::ltl {

using Bdd = std::uint32_t;

// A stage of the translation needs more memory or time than it may use.
class TooLarge : public std::exception {
 public:
  const char* what() const noexcept override { return "the translation of a formula is too large"; }
};

// A conjunction of literals: (variable, is it positive), ascending in the variable.
using Literals = std::vector<std::pair<std::uint32_t, bool>>;

class Bdds {
 public:
  static constexpr Bdd kFalse = 0;
  static constexpr Bdd kTrue = 1;

  Bdds();

  // Allows so many further operations and new nodes; beyond them TooLarge is thrown.
  void grant(std::size_t operations, std::size_t nodes);
  std::size_t operations_left() const { return operations_; }

  Bdd variable(std::uint32_t index, bool positive = true);
  Bdd negation(Bdd a) { return if_then_else(a, kFalse, kTrue); }
  Bdd both(Bdd a, Bdd b) { return if_then_else(a, b, kFalse); }
  Bdd either(Bdd a, Bdd b) { return if_then_else(a, kTrue, b); }
  Bdd without(Bdd a, Bdd b) { return if_then_else(b, kFalse, a); }
  bool implies(Bdd a, Bdd b) { return if_then_else(a, b, kTrue) == kTrue; }
  bool overlap(Bdd a, Bdd b) { return both(a, b) != kFalse; }
  Bdd if_then_else(Bdd f, Bdd g, Bdd h);

  // The topmost variable of a set that is neither empty nor full, and its two halves.
  std::uint32_t top(Bdd a) const { return nodes_[a].variable; }
  Bdd low(Bdd a) const { return nodes_[a].low; }
  Bdd high(Bdd a) const { return nodes_[a].high; }

  // Cubes whose union is the set, none of them superfluous; equal sets have equal cubes.
  std::vector<Literals> irredundant_cubes(Bdd a);

  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    std::uint32_t variable;
    Bdd low;
    Bdd high;
  };
  struct Key {
    std::uint32_t a, b, c;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = key.a * 0x9e3779b97f4a7c15ull;
      hash = (hash ^ (hash >> 29) ^ key.b) * 0xbf58476d1ce4e5b9ull;
      hash = (hash ^ (hash >> 32) ^ key.c) * 0x94d049bb133111ebull;
      return static_cast<std::size_t>(hash ^ (hash >> 31));
    }
  };

  Bdd node(std::uint32_t variable, Bdd low, Bdd high);
  Bdd cover(Bdd lower, Bdd upper, std::vector<Literals>& cubes);

  std::size_t limit_ = 0;
  std::size_t operations_ = 0;
  std::vector<Node> nodes_;
  std::unordered_map<Key, Bdd, KeyHash> unique_;
  std::unordered_map<Key, Bdd, KeyHash> computed_;
};

}  // namespace spoor::ltl
