#include "model/budget.h"

#include <algorithm>

namespace spoor {
namespace {

constexpr double kNoTimeLeft = 1e-9;  // 0 would be no limit

}  // namespace

bool Limits::is_interrupted() const {
  if (interrupt != nullptr && interrupt->load(std::memory_order_relaxed)) return true;
  return whole != nullptr && (whole->is_over() || whole->is_interrupted());
}

Limits Limits::after(double spent_s) const {
  Limits left = *this;
  if (seconds != 0) left.seconds = std::max(kNoTimeLeft, seconds - spent_s);
  return left;
}

void Budget::note_memory(std::uint64_t bytes) {
  std::uint64_t peak = peak_bytes_.load(std::memory_order_relaxed);
  while (bytes > peak && !peak_bytes_.compare_exchange_weak(peak, bytes, std::memory_order_relaxed)) {
  }
}

bool Budget::poll() {
  if (is_interrupted()) end(LimitHit::kInterrupted);
  if (limits_.seconds != 0 && elapsed_s() > share_ * limits_.seconds) end(LimitHit::kTime);
  return is_over();
}

bool Budget::poll(std::uint64_t bytes) {
  note_memory(bytes);
  polled_bytes_.store(bytes, std::memory_order_relaxed);
  if (is_interrupted()) end(LimitHit::kInterrupted);
  if (limits_.memory_bytes != 0 &&
      static_cast<double>(bytes) > share_ * static_cast<double>(limits_.memory_bytes)) {
    end(LimitHit::kMemory);
  }
  return poll();
}

bool Budget::is_exhausted(std::uint64_t bytes) {
  const std::uint64_t polled = polled_bytes_.load(std::memory_order_relaxed);
  const bool is_over = poll(polled + bytes);
  polled_bytes_.store(polled, std::memory_order_relaxed);
  return is_over;
}

void Budget::end(LimitHit limit) {
  if (!is_over()) {
    std::uint8_t none = kNoLimit;
    limit_.compare_exchange_strong(none, static_cast<std::uint8_t>(limit), std::memory_order_relaxed);
  }
  is_over_.store(true, std::memory_order_release);
}

std::optional<LimitHit> Budget::limit() const {
  const std::uint8_t limit = limit_.load(std::memory_order_relaxed);
  if (limit != kNoLimit) return static_cast<LimitHit>(limit);
  if (is_depth_cut_.load(std::memory_order_relaxed)) return LimitHit::kDepth;
  return std::nullopt;
}

void Budget::begin_stage(double share) {
  share_ = share;
  if (limit() == LimitHit::kInterrupted) return;
  limit_.store(kNoLimit, std::memory_order_relaxed);
  is_over_.store(false, std::memory_order_relaxed);
}

Limits Budget::part(const BudgetShare& share) const {
  Limits part = limits_;
  part.whole = this;
  part.interrupt = nullptr;  // the whole knows
  if (limits_.seconds != 0)
    part.seconds = std::max(kNoTimeLeft, std::min(share.time * limits_.seconds, left_s()));
  if (limits_.memory_bytes != 0) {
    const auto of_all = static_cast<std::uint64_t>(share.memory * static_cast<double>(limits_.memory_bytes));
    part.memory_bytes = std::max<std::uint64_t>(1, of_all - std::min(of_all, share.held_bytes));
  }
  return part;
}

const char* to_string(LimitHit limit) {
  switch (limit) {
    case LimitHit::kTime: return "time";
    case LimitHit::kMemory: return "memory";
    case LimitHit::kOutOfMemory: return "out-of-memory";
    case LimitHit::kStateNumbers: return "state-numbers";
    case LimitHit::kPath: return "path";
    case LimitHit::kDepth: return "depth";
    case LimitHit::kInterrupted: return "interrupted";
    case LimitHit::kObserver: return "observer";
    case LimitHit::kNotPossible: return "not-possible";
    case LimitHit::kExpansions: return "expansions";
    case LimitHit::kCoverage: return "coverage";
  }
  return "";
}

}  // namespace spoor
