// One store with every search.
//
// What the user chooses, a store and an order, is looked up in tables (search.cpp); what follows from the
// choice is decided here, once per store, so that every combination is an instantiation of its own and
// nothing is asked per state.
//
// The searches for infinite runs are chosen by what is known of the cycles and of the store:
//
//   SharedComponents  several threads, a store that they can share, and no limit on the depth
//   WeakCycles        CycleRule::kEveryStep
//   Components        CycleRule::kTogether
//   NestedDfs         the store does not keep states
//
// Tested by: tests/unit/test_search.cpp, tests/unit/test_cycles.cpp
#pragma once

#include <bit>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "search/components.h"
#include "search/core.h"
#include "search/nested_dfs.h"
#include "search/one_mark.h"
#include "search/search.h"
#include "search/searches.h"
#include "search/shared_components.h"
#include "search/store_table.h"
#include "search/weak_cycles.h"
#include "store/filter.h"
#include "store/visited_set.h"

namespace spoor {

template <class Store>
inline constexpr bool kIsFilter = std::is_constructible_v<Store, const FilterOptions&, unsigned>;

template <VisitedSet Store>
StoreTraits traits_of_class() {
  StoreTraits traits = {Store::kConfusesStates, Store::kForgetsStates, Store::kKeepsBytes,
                        Store::kNamesStates,    Store::kIsShared,      kIsFilter<Store>};
// A class template cannot be enclosed in parentheses. NOLINTBEGIN(bugprone-macro-parentheses)
#define SPOOR_SEARCH(Kind, name, title, help)                               \
  if constexpr (requires { typename Kind<Store>; }) {                       \
    traits.orders |= bit_of(Order::k##Kind);                                \
    if (Kind<Store>::kCanReduce) traits.reducing |= bit_of(Order::k##Kind); \
  }
#include "search/searches.inc"
#undef SPOOR_SEARCH
  // NOLINTEND(bugprone-macro-parentheses)
  return traits;
}

template <class Strategy, class Core>
void explore(Strategy& strategy, Core& core) {
  try {
    strategy.run();
  } catch (const std::bad_alloc& error) {
    // The machine's memory, or the user's ulimit, is a limit like any other.
    core.end(limit_of(error));
  }
}

// Shows the states to the observer, where the store has them.
template <class Store>
void tell_end(SearchCore<Store>& core) {
  if constexpr (Store::kKeepsBytes && Store::kNamesStates && !Store::kForgetsStates) {
    class States : public KeptStates {
     public:
      explicit States(const SearchCore<Store>& core) : core_(core), store_(core.store()) {}
      StateNumber bound() const override { return static_cast<StateNumber>(store_.index_bound()); }
      std::span<const IndexRange> gaps() const override { return core_.gaps(); }
      std::span<const IndexRange> by_level() const override { return core_.by_level(); }
      bool is_complete() const override { return !core_.is_over(); }
      StateBytes get(StateNumber number) override { return store_.get(number, room_); }
      std::size_t as_kept(StateNumber first, std::span<KeptState> room) override {
        if constexpr (requires { store_.as_kept(first, room, room_); }) {
          return store_.as_kept(first, room, kept_room_);
        } else {
          return KeptStates::as_kept(first, room);
        }
      }

     private:
      const SearchCore<Store>& core_;
      const Store& store_;
      typename Store::DecodeBuffer room_, kept_room_;  // the place of one would be no use to the other
    };
    if (core.options().observer == nullptr) return;
    States states(core);
    core.options().observer->on_end(states);
  }
}

// `more`: what the search needs beside the core.
template <class Strategy, VisitedSet Store, class System, class... More>
SearchResult run(const System& system, const SearchOptions& options, const More&... more) {
  SearchCore<Store> core(system, options);
  {
    Strategy strategy(core, more...);
    explore(strategy, core);
  }
  tell_end(core);
  return core.finish();
}

// A filter takes all its memory at once, and may not get it.
template <VisitedSet Store, class Run>
SearchResult run_guarded(const SearchOptions& options, const Run& run) {
  if constexpr (!kIsFilter<Store>) {
    return run();
  } else {
    if (const std::string mistake = mistake_in(options.filter); !mistake.empty())
      throw std::invalid_argument("invalid filter options: " + mistake);
    if (!(options.checkpoint.save + options.checkpoint.resume).empty())
      throw std::invalid_argument("a filter cannot be kept in a checkpoint");
    try {
      return run();
    } catch (const std::bad_alloc&) {
      SearchResult result;
      result.outcome = Unknown{LimitHit::kOutOfMemory};
      result.limit = LimitHit::kOutOfMemory;
      result.store = options.store;
      result.filter = FilterFigures();
      result.filter->options = options.filter;
      return result;
    }
  }
}

template <VisitedSet Store>
SearchResult search_with(const TransitionSystem& system, const SearchOptions& options) {
  return run_guarded<Store>(options, [&]() -> SearchResult {
    switch (options.order) {
// NOLINTBEGIN(bugprone-macro-parentheses)
#define SPOOR_SEARCH(Kind, name, title, help)                             \
  case Order::k##Kind:                                                    \
    if constexpr (requires { typename Kind<Store>; }) {                   \
      return run<Kind<Store>, Store>(system, options);                    \
    } else {                                                              \
      throw std::invalid_argument(title " search cannot use this store"); \
    }
#include "search/searches.inc"
#undef SPOOR_SEARCH
      // NOLINTEND(bugprone-macro-parentheses)
    }
    throw std::logic_error("unknown order of search");
  });
}

template <VisitedSet Store>
SearchResult search_cycles_with(const OmegaSystem& system, const SearchOptions& options) {
  if constexpr (Store::kForgetsStates) {
    throw std::invalid_argument("a search for cycles cannot use a store that forgets states");
  } else if constexpr (Store::kKeepsBytes) {
    if constexpr (Store::kIsShared) {
      // A depth limit cuts paths, and which paths there are depends on the threads.
      if (options.threads > 1 && options.limits.depth == 0) {
        return run<SharedComponents<Store>, Store>(system, options, system);
      }
    }
    switch (system.rule()) {
      case CycleRule::kEveryStep: return run<WeakCycles<Store>, Store>(system, options, system);
      case CycleRule::kTogether: return run<Components<Store>, Store>(system, options, system);
    }
    throw std::logic_error("unknown kind of cycle");
  } else {
    return run_guarded<Store>(options, [&] {
      if (system.rule() == CycleRule::kTogether && std::popcount(system.all_marks()) > 1) {
        const OneMark one(system);
        return run<NestedDfs<Store>, Store>(one, options, one);
      }
      return run<NestedDfs<Store>, Store>(system, options, system);
    });
  }
}

}  // namespace spoor
