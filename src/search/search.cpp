#include "search/search.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <variant>
#include <vector>

#include "model/budget.h"
#include "search/stops_after_states.h"
#include "search/store_table.h"
#include "store/visited_set.h"

namespace spoor {
namespace {

void refuse_checkpoint_of_cycles(const SearchOptions& options) {
  if (!(options.checkpoint.save + options.checkpoint.resume).empty())
    throw std::invalid_argument("a search for cycles has no checkpoints");
}

}  // namespace

std::span<const StoreRow> stores() {
  static const std::vector<StoreRow> rows = {
#define SPOOR_STORE(Kind, name, help) \
  {StoreKind::k##Kind,                \
   #name,                             \
   help,                              \
   traits_by<StoreKind::k##Kind>(),   \
   search_by<StoreKind::k##Kind>,     \
   search_cycles_by<StoreKind::k##Kind>},
#include "store/stores.inc"
#undef SPOOR_STORE
  };
  return rows;
}

std::span<const OrderRow> orders() {
  static const std::vector<OrderRow> rows = {
#define SPOOR_SEARCH(Kind, name, title, help) {Order::k##Kind, #name, title, help},
#include "search/searches.inc"
#undef SPOOR_SEARCH
  };
  return rows;
}

namespace {

const StoreRow& row_of(StoreKind store) {
  const StoreKind used = store == StoreKind::kAuto ? StoreKind::kExact : store;
  const auto row = std::ranges::find(stores(), used, &StoreRow::kind);
  if (row == stores().end()) throw std::logic_error("unknown store");
  return *row;
}

}  // namespace

const OrderRow& row_of(Order order) {
  const auto row = std::ranges::find(orders(), order, &OrderRow::order);
  if (row == orders().end()) throw std::logic_error("unknown order of search");
  return *row;
}

const StoreTraits& traits_of(StoreKind store) { return row_of(store).traits; }

bool can_search(Order order, StoreKind store) { return (traits_of(store).orders & bit_of(order)) != 0; }
bool can_reduce(Order order, StoreKind store) { return (traits_of(store).reducing & bit_of(order)) != 0; }

const char* to_string(StoreKind store) { return store == StoreKind::kAuto ? "auto" : row_of(store).name; }
const char* to_string(Order order) { return row_of(order).title; }

SearchResult search(const TransitionSystem& system, const SearchOptions& options) {
  return options.store == StoreKind::kAuto ? search_with_auto(system, options)
                                           : row_of(options.store).search(system, options);
}

SearchResult search_cycles(const OmegaSystem& system, const SearchOptions& options) {
  refuse_checkpoint_of_cycles(options);
  const StoreRow& store = row_of(options.store);
  if (options.reduce && !store.traits.keeps_states) {
    throw std::invalid_argument("a reduced search for cycles needs a store that keeps its states");
  }
  SearchOptions with_store = options;
  with_store.store = store.kind;
  const bool has_first = !store.traits.keeps_states && !options.all_errors && options.observer == nullptr;
  if (!has_first || options.first_states == 0) return store.search_cycles(system, with_store);

  const Budget budget(options.limits);
  StopsAfterStates first_states(options.first_states);
  SearchOptions first = options;
  first.store = StoreKind::kExact;
  first.threads = 1;
  first.observer = &first_states;
  first.progress = nullptr;
  first.limits = budget.part();
  SearchResult result = row_of(first.store).search_cycles(system, first);
  if (std::holds_alternative<Violated>(result.outcome)) return result;
  const double spent_s = budget.elapsed_s();
  with_store.limits = options.limits.after(spent_s);
  result = store.search_cycles(system, with_store);
  result.statistics.elapsed_s += spent_s;
  return result;
}

LimitHit limit_of(const std::bad_alloc& error) {
  if (dynamic_cast<const PathDoesNotFit*>(&error) != nullptr) return LimitHit::kPath;
  return dynamic_cast<const IndexesExhausted*>(&error) != nullptr ? LimitHit::kStateNumbers
                                                                  : LimitHit::kOutOfMemory;
}

}  // namespace spoor
