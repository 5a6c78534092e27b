// What a piece of work may use up, and whether it has: time, memory, and the user's interrupt.
//
// Limits say what may be used. A Budget counts from the moment when it is made: the work polls it now and
// then with the bytes that it occupies, and is over as soon as one of the limits is reached. The reason that
// was first is the one that is told. Every loop that may run for long has one: the searches (search/core.h),
// the probes, the sampling, the swarm, and what runs several of these one after another.
//
// Parts. Work that consists of stages gives each the limits of a part:
//
//   Budget whole(limits);
//   SearchOptions first;
//   first.limits = whole.part({.time = 0.25, .memory = 0.5});  // a quarter of the time, half of the memory
//   search(system, first);
//   second.limits = whole.part();                              // the time that is left, all of the memory
//
// A part never has more time than is left of the whole. It ends with kInterrupted when the whole is over or
// is interrupted. A stage that is not a search of its own, but a part of the same loop, is begun by
// `begin_stage`.
//
// One expansion can take long, too. A Budget is an ExpansionBudget: it adds the bytes of the expansion to
// those that were polled last.
//
// Invariants:
//   1. Once is_over() it stays so, unless a new stage is begun; an interrupt is not forgiven by that.
//   2. No limit on time is 0 (which means: none) because time has run out.
//
// Cost: a look at the clock per poll, some 20 ns. Thread safety: what is marked [any] may be called from
// several threads; the rest while no other thread polls. Tested by: tests/unit/test_budget.cpp
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>

#include "model/system.h"

namespace spoor {

class Budget;

// 0 means: no limit.
struct Limits {
  double seconds = 0;
  std::uint64_t memory_bytes = 0;
  // States this many steps from the initial one (on the path of the search) are not expanded.
  std::uint64_t depth = 0;
  // Set by a signal handler or another thread when the work has to end; null: never.
  const std::atomic<bool>* interrupt = nullptr;
  // Where these are the limits of a part: when the whole is over, so is the part.
  const Budget* whole = nullptr;

  bool is_interrupted() const;  // [any]
  // What is left of them when so much time has been spent.
  Limits after(double spent_s) const;
};

// What ended a piece of work before it had seen everything.
enum class LimitHit : std::uint8_t {
  kTime,
  kMemory,       // the user's limit
  kOutOfMemory,  // the system gave no more
  kStateNumbers,
  kPath,  // the path of the search fills a store that may forget all states but these
  kDepth,
  kInterrupted,
  kObserver,
  kNotPossible,  // the search could not even begin
  kExpansions,   // so many states were expanded as the user allows (a hunt)
  kCoverage      // the search came to its end, and may have missed too many states to mean anything
};
const char* to_string(LimitHit limit);

// Which part of a budget a stage may use.
struct BudgetShare {
  double time = 1;
  double memory = 1;
  std::uint64_t held_bytes = 0;  // of the memory, which earlier stages have not given back
};

class Budget final : public ExpansionBudget {
 public:
  explicit Budget(const Limits& limits = {}) : limits_(limits) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // [any] The work occupies so many bytes now. True: it is over.
  bool poll(std::uint64_t bytes);
  // [any] The same where memory is polled elsewhere.
  bool poll();
  // [any] The bytes of an expansion, in addition to what was polled last.
  bool is_exhausted(std::uint64_t bytes) override;

  // [any] The work is over, for this reason unless there was one before.
  void end(LimitHit limit);
  // [any] The work is over without having reached a limit: it has its answer.
  void stop() { is_over_.store(true, std::memory_order_relaxed); }
  // [any] States were left out because of their depth; the work goes on.
  void note_depth_limit() { is_depth_cut_.store(true, std::memory_order_relaxed); }

  // [any]
  bool is_over() const { return is_over_.load(std::memory_order_relaxed); }
  // [any] Why it is over, or states were left out; nothing while no limit was reached.
  std::optional<LimitHit> limit() const;
  bool is_interrupted() const { return limits_.is_interrupted(); }

  // From now on this share of the limits, counted from the beginning of the work, may be used. What ended the
  // stage before is forgotten, unless it was an interrupt.
  void begin_stage(double share);

  // The limits of a stage that begins now. The budget outlives it.
  Limits part(const BudgetShare& share = {}) const;

  const Limits& limits() const { return limits_; }
  double elapsed_s() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
  // Infinite where there is no limit.
  double left_s() const {
    return limits_.seconds == 0 ? std::numeric_limits<double>::infinity() : limits_.seconds - elapsed_s();
  }
  // [any] The most that was polled.
  std::uint64_t peak_bytes() const { return peak_bytes_.load(std::memory_order_relaxed); }
  void note_memory(std::uint64_t bytes);  // [any]

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint8_t kNoLimit = UINT8_MAX;

  const Limits limits_;
  const Clock::time_point begin_ = Clock::now();
  double share_ = 1;  // of the limits, for this stage
  std::atomic<std::uint64_t> polled_bytes_ = 0;
  std::atomic<std::uint64_t> peak_bytes_ = 0;
  std::atomic<std::uint8_t> limit_ = kNoLimit;  // the first, as a number
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> is_depth_cut_ = false;
};

}  // namespace spoor
