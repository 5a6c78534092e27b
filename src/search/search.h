// The searches, seen from outside: a system and options in, a typed outcome with figures out.
//
// A search visits every state that can be reached and collects what TransitionSystem::expand
// reports on the way. It knows neither the language nor the property. The order of visiting is a
// choice (search/searches.inc). So is what is kept of the states that were visited (store/stores.inc);
// StoreKind::kAuto is kExact, and from when that takes most of the memory that there may be, kTree.
//
// Without `all_errors` the search ends at its first violation. With it, the search goes on and
// reports every distinct defect, that is every (kind, identity), once.
//
// Figures are SPIN's: `states` counts distinct states, the initial one included; `transitions`
// counts arrivals, that is one for the initial state and one for each successor generated, so that
// transitions == states + matched ("stored + matched").
//
// Limits end a search without an error: the outcome is then Unknown, unless a violation was found
// before. Memory is what the search itself allocates (store, frontier, stack, buffers); kMemory is
// the user's limit on it, kOutOfMemory that the system gave no more. kStateNumbers: the store has as many
// states as it can number, which are 2^32 at most.
//
// Threads. With `threads` a breadth-first search makes use of several, where its store is shared. Verdict and
// figures are the same for any number of them. In a search for cycles the verdict is, and where it is Holds
// so are the figures, apart from the depth.
//
// Thread safety: a search calls Observer and ProgressListener from the calling thread, each WorkerObserver
// from the thread of its worker. `Limits::interrupt` may be set from any thread or from a signal handler.
//
// Tested by: tests/unit/test_search.cpp
#pragma once

#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/level.h"
#include "model/budget.h"
#include "model/omega.h"
#include "model/system.h"
#include "search/observer.h"
#include "store/eviction.h"
#include "store/filter.h"
#include "store/visited_set.h"

namespace spoor {

// One for each line of search/searches.inc.
enum class Order {
#define SPOOR_SEARCH(Kind, name, title, help) k##Kind,
#include "search/searches.inc"
#undef SPOOR_SEARCH
};
const char* to_string(Order order);

// kAuto, and one for each line of store/stores.inc.
enum class StoreKind {
  kAuto,
#define SPOOR_STORE(Kind, name, help) k##Kind,
#include "store/stores.inc"
#undef SPOOR_STORE
};
const char* to_string(StoreKind store);

// A set of finding kinds.
class FindingKinds {
 public:
  static constexpr FindingKinds all() { return FindingKinds(~std::uint32_t{0}); }
  static constexpr FindingKinds none() { return FindingKinds(0); }

  constexpr FindingKinds with(FindingKind kind) const { return FindingKinds(bits_ | bit(kind)); }
  constexpr FindingKinds without(FindingKind kind) const { return FindingKinds(bits_ & ~bit(kind)); }
  constexpr bool contains(FindingKind kind) const { return (bits_ & bit(kind)) != 0; }

 private:
  constexpr explicit FindingKinds(std::uint32_t bits) : bits_(bits) {}
  static constexpr std::uint32_t bit(FindingKind kind) {
    return std::uint32_t{1} << static_cast<unsigned>(kind);
  }

  std::uint32_t bits_;
};

// Where a breadth-first search is kept so that it can be gone on with; see checkpoint.h.
struct CheckpointOptions {
  std::string save;      // the file to write, if any
  std::string resume;    // the file to go on from, if any; may be the same
  std::string identity;  // of the search: one with another identity cannot go on
  double interval_s = 300;
};

struct SearchOptions {
  Order order = Order::kBreadthFirst;
  StoreKind store = StoreKind::kExact;
  FilterOptions filter;  // of kBitstate
  CacheOptions cache;    // of kCache
  Limits limits;
  IndexLimit numbers;  // of states; less than the store has in tests only
  bool all_errors = false;
  bool reduce = false;  // let the system leave out steps (asked.may_reduce)
  // The search keeps a reduced expansion only where one of its steps leads to a new state, as a certificate
  // needs it (evidence/certificate.h). Otherwise a state of the next level, or off the path, will do.
  bool reduces_to_new = false;
  FindingKinds counted = FindingKinds::all();  // findings of other kinds are not even noticed
  unsigned threads = 1;                        // at most; not every search has a use for them
  // kDepthFirst: the steps of a state in a random order, another for each number; 0: as they come.
  std::uint64_t shuffle = 0;
  // search_cycles with a store that does not keep states: so many are first searched in the exact store.
  std::uint64_t first_states = 10'000;
  Observer* observer = nullptr;
  ProgressListener* progress = nullptr;
  CheckpointOptions checkpoint;
  double progress_interval_s = 0;  // between calls of ProgressListener::on_progress; 0: never
};

// What it means to a search that the store, or the system, had nothing left.
LimitHit limit_of(const std::bad_alloc& error);

struct Holds {};
struct Violated {};
struct HoldsProbably {
  double omission_probability = 0;
};
struct Unknown {
  LimitHit limit = LimitHit::kTime;
};
using Outcome = std::variant<Holds, Violated, HoldsProbably, Unknown>;

struct SearchResult {
  Outcome outcome;
  // In the order of discovery. Empty unless the outcome is Violated; one entry without all_errors.
  std::vector<Violation> violations;
  Statistics statistics;
  // One flag per entry of TransitionSystem::statements(): the search executed it.
  std::vector<std::uint8_t> executed;
  // Also set beside Violated, when all errors were wanted and a limit cut the search short.
  std::optional<LimitHit> limit;
  // What was used in the end; never kAuto.
  StoreKind store = StoreKind::kExact;
  // Why the search could not be kept on disk; empty where all went well.
  std::string checkpoint_error;
  // What is to be known of the filter; with kBitstate only.
  std::optional<FilterFigures> filter;
  // Of a breadth-first search that was not resumed: its levels, as far as they are complete.
  std::vector<Level> levels;
  // With a store that forgets states only.
  std::optional<CacheFigures> cache;

  // Can a state have been counted twice?
  bool has_revisits() const { return cache && cache->evicted != 0; }
};

// What a store can do; see store/visited_set.h.
struct StoreTraits {
  bool confuses_states = false;  // the outcome is at best HoldsProbably
  bool forgets_states = false;   // a state can be found, and counted, more than once
  bool keeps_states = false;     // a state can be had back
  bool names_states = false;     // it is known which state was met
  bool is_shared = false;        // by several threads
  bool is_filter = false;        // SearchOptions::filter says how large it is
  std::uint64_t orders = 0;      // a bit for each Order: the searches that can use it
  std::uint64_t reducing = 0;    // those of them that make use of SearchOptions::reduce
};

struct StoreRow {
  StoreKind kind = StoreKind::kExact;
  const char* name = "";
  const char* help = "";  // completes "NAME keeps"
  StoreTraits traits;
  SearchResult (*search)(const TransitionSystem&, const SearchOptions&) = nullptr;
  SearchResult (*search_cycles)(const OmegaSystem&, const SearchOptions&) = nullptr;
};
// All of them, in the order of the list; kAuto is none.
std::span<const StoreRow> stores();
// Of kAuto: those of kExact, which it begins with.
const StoreTraits& traits_of(StoreKind store);

struct OrderRow {
  Order order = Order::kBreadthFirst;
  const char* name = "";   // "bfs"
  const char* title = "";  // "breadth-first"
  const char* help = "";
};
std::span<const OrderRow> orders();
const OrderRow& row_of(Order order);

// Can this search use this store, and is what it expands reduced then (SearchOptions::reduce)?
bool can_search(Order order, StoreKind store);
bool can_reduce(Order order, StoreKind store);

// Throws CheckpointError where the file to resume from is no good, and std::invalid_argument for
// options that do not go together.
SearchResult search(const TransitionSystem& system, const SearchOptions& options);

// Looks for bad cycles, depth-first, and for the findings of all states on the way: by WeakCycles or by
// Components, as the system's rule demands; with several threads by SharedComponents; and where the store
// forgets the states by NestedDfs, with one thread. With the latter a system with several marks has more
// states (one_mark.h), and cycles are found later: unless all errors are wanted or there is an observer, a
// search of `first_states` in the exact store precedes it, so that a cycle near the initial state is found in
// the same order, and with as short a trace, in every store. The order of the options does not matter; kAuto
// is kExact. No checkpoint; else throws std::invalid_argument. With a depth limit one thread does the work.
// With `reduce` the system itself must ensure that no step is ignored (reduction_plan.h), and the store must
// keep the states.
SearchResult search_cycles(const OmegaSystem& system, const SearchOptions& options);

}  // namespace spoor
