// Systems with as many states as a test of searches wants, and options for it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/hash.h"
#include "search/observer.h"
#include "search/search.h"
#include "unit/quiet_system.h"

namespace spoor {

// A system with base^digits states and as many successors per state as there are digits: state
// spaces of any size that need no memory of their own.
class Counters : public QuietSystem {
 public:
  Counters(std::size_t digits, unsigned base) : digits_(digits), base_(base) {}

  std::vector<std::byte> initial_state() const override { return std::vector<std::byte>(digits_); }
  void expand(StateBytes state, Expansion& out) const override {
    for (std::size_t i = 0; i < digits_; ++i) {
      const auto offset = static_cast<std::uint32_t>(out.arena.size());
      out.arena.append(state);
      std::byte& digit = out.arena[offset + i];
      digit = static_cast<std::byte>((std::to_integer<unsigned>(digit) + 1) % base_);
      out.successors.push_back({StepId(i), offset, static_cast<std::uint32_t>(digits_)});
    }
    out.inner_steps = 2;
  }

 private:
  std::size_t digits_;
  unsigned base_;
};

// Counters with defects: some states are deadlocks, some steps fail.
class FaultyCounters : public Counters {
 public:
  FaultyCounters(std::size_t digits, unsigned base, std::uint64_t rarity)
      : Counters(digits, base), rarity_(rarity) {}

  void expand(StateBytes state, Expansion& out) const override {
    Counters::expand(state, out);
    const std::uint64_t hash = hash_bytes(state);
    if (hash % rarity_ == 0) {
      out.findings.push_back({FindingKind::kDeadlock, 0, Finding::kStateItself});
    }
    if (hash % rarity_ == 1) {
      out.findings.push_back({FindingKind::kAssertion, static_cast<std::uint32_t>(hash >> 62), StepId(1)});
    }
  }

 private:
  std::uint64_t rarity_;
};

// Every store of the table.
inline std::vector<StoreKind> all_stores() {
  std::vector<StoreKind> kinds;
  for (const StoreRow& row : stores()) kinds.push_back(row.kind);
  return kinds;
}

// Those that forget no state, as a breadth-first search and searches for cycles need them.
inline std::vector<StoreKind> remembering_stores() {
  std::vector<StoreKind> kinds = all_stores();
  std::erase_if(kinds, [](StoreKind kind) { return traits_of(kind).forgets_states; });
  return kinds;
}

// Every order of the table that can use the store.
inline std::vector<Order> all_orders(StoreKind store = StoreKind::kExact) {
  std::vector<Order> all;
  for (const OrderRow& row : orders()) {
    if (can_search(row.order, store)) all.push_back(row.order);
  }
  return all;
}

inline SearchOptions options_for(Order order, bool all_errors, StoreKind store = StoreKind::kExact) {
  SearchOptions options;
  options.store = store;
  options.filter.bits = 1 << 16;  // for small systems
  options.filter.hashes = 6;
  options.order = order;
  options.all_errors = all_errors;
  return options;
}

// Does the trace lead to the finding? For systems that explain nothing.
inline bool shows(const TransitionSystem& system, const Violation& violation) {
  std::vector<StepId> steps = violation.steps;
  if (violation.finding.step != Finding::kStateItself) steps.pop_back();
  std::vector<std::byte> at = system.initial_state();
  Expansion expansion;
  for (const StepId step : steps) {
    expansion.clear();
    system.expand(at, expansion);
    const auto taken = std::ranges::find(expansion.successors, step, &Successor::step);
    if (taken == expansion.successors.end()) return false;
    const StateBytes target = expansion.state(*taken);
    at.assign(target.begin(), target.end());
  }
  expansion.clear();
  system.expand(at, expansion);
  return std::ranges::any_of(expansion.findings, [&](const Finding& finding) {
    return finding.kind == violation.finding.kind && finding.identity == violation.finding.identity;
  });
}

}  // namespace spoor
