// A method of a hunt: what it gets, and what it answers.
//
// A method looks for one error. It expands states through the Hunter (hunter.h), which counts and knows when
// the hunt is over, and ends when it has found an error, when it has nothing left to expand, or when its part
// of the hunt is over. It chooses the next state; the rest is shared.
//
// The length of a trace is its number of steps. With `most_steps` only errors with so many steps count, and
// deeper states need not be looked at: that is how a known trace is made shorter.
//
// A method that has seen every state says so: then there is no error. No method keeps anything of a state
// that could take it for another one, except where it only chooses by it.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "model/guidance.h"
#include "search/observer.h"

namespace spoor {

class Hunter;
class Ngrams;

// How a method is to work, this time.
struct MethodOptions {
  static constexpr std::uint32_t kAnyLength = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t expansions = 0;  // at most so many, in this call; 0: as the hunt has
  std::uint32_t most_steps = kAnyLength;
  std::uint64_t seed = 1;
  std::uint64_t width = 0;  // of a beam; 0: 1, 4, 16, ...
  // Expand every new state at once for its estimate, where that is made from the steps. Otherwise the
  // estimate is that of the state before.
  bool is_eager = false;
  Heuristic* heuristic = nullptr;  // null: there is none
  // Expansions may leave out steps that lead to no other errors (partial-order reduction).
  bool may_reduce = false;
  // What another hunt has learned, for a method that can begin with it (ngrams.h); null: nothing.
  const Ngrams* learned = nullptr;
  // Where a method that learns leaves what it has learned; null: nowhere.
  Ngrams* learn_into = nullptr;
  // Called with each error that has a shorter trace than those before, by a method that then goes on. Empty:
  // the first error ends it.
  std::function<void(const Violation&)> on_found = {};
};

struct MethodResult {
  std::optional<Violation> found;
  // Every state that can be reached was expanded, and so was every one within `most_steps`. With `found`:
  // before that.
  bool has_seen_all = false;
  bool has_seen_all_within = false;
  std::uint64_t states = 0;  // distinct ones that were kept
  std::uint64_t depth = 0;   // of the deepest one
};

using Method = MethodResult (*)(Hunter&, const MethodOptions&);

struct MethodRow {
  const char* name = "";
  bool is_eager = false;  // as a method of its own
  const char* help = "";
  Method run = nullptr;
};
std::span<const MethodRow> methods();

#define SPOOR_HUNT_METHOD(function, name, is_eager, help) \
  MethodResult function(Hunter&, const MethodOptions&);
#include "hunt/methods.inc"
#undef SPOOR_HUNT_METHOD

}  // namespace spoor
