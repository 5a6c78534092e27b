// The functions that each line of store/stores.inc stands for; defined in generated/search/with_NAME.cpp.
#pragma once

#include <cstdint>

#include "model/omega.h"
#include "model/system.h"
#include "search/search.h"

namespace spoor {

constexpr std::uint64_t bit_of(Order order) { return std::uint64_t{1} << static_cast<unsigned>(order); }

template <StoreKind kStore>
SearchResult search_by(const TransitionSystem& system, const SearchOptions& options);
template <StoreKind kStore>
SearchResult search_cycles_by(const OmegaSystem& system, const SearchOptions& options);
template <StoreKind kStore>
StoreTraits traits_by();

// As long as all is well with the exact store, and then with the tree (auto_store.cpp).
SearchResult search_with_auto(const TransitionSystem& system, const SearchOptions& options);

}  // namespace spoor
