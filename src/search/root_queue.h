// States from which searches are yet to begin, shared by several threads.
//
// First in, first out, in portions, so that its lock is taken once for many states. A search that takes long
// is announced as open: a thread that finds the queue empty can begin at the same state and help. Where no
// search is open, the thread waits for the others. When all threads wait, the work is complete, and all
// return.
//
// Thread safety: all members.
// Tested by: tests/unit/test_cycles.cpp
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "store/visited_set.h"

namespace spoor {

class RootQueue {
 public:
  static constexpr std::size_t kPortion = 64;

  // One more thread puts and takes.
  void join() {
    const std::lock_guard lock(mutex_);
    ++members_;
  }

  // Leaves `roots` empty.
  void put(std::vector<StateIndex>& roots) {
    if (roots.empty()) return;
    const std::lock_guard lock(mutex_);
    roots_.insert(roots_.end(), roots.begin(), roots.end());
    roots.clear();
    note_size();
    if (waiting_ != 0) changed_.notify_all();
  }

  // The search from this state takes long; it is over.
  void open(StateIndex root) {
    const std::lock_guard lock(mutex_);
    if (std::find(open_.begin(), open_.end(), root) == open_.end()) open_.push_back(root);
    if (waiting_ != 0) changed_.notify_all();
  }
  void shut(StateIndex root) {
    const std::lock_guard lock(mutex_);
    open_.erase(std::remove(open_.begin(), open_.end(), root), open_.end());
  }

  enum class Taken : std::uint8_t { kNothing, kRoots, kOpen };
  // Some of the oldest are put into `to`, or one that is open. kNothing: there are none, and there will be
  // none.
  Taken take(std::deque<StateIndex>& to) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    if (roots_.empty() && open_.empty() && waiting_ == members_) is_closed_ = true;
    if (is_closed_) changed_.notify_all();
    changed_.wait(lock, [&] { return is_closed_ || !roots_.empty() || !open_.empty(); });
    if (is_closed_) return Taken::kNothing;
    --waiting_;
    if (roots_.empty()) {
      to.push_back(open_.front());
      return Taken::kOpen;
    }
    const std::size_t share = std::max<std::size_t>(1, roots_.size() / members_);
    for (std::size_t left = std::min(kPortion, share); left > 0; --left) {
      to.push_back(roots_.front());
      roots_.pop_front();
    }
    note_size();
    return Taken::kRoots;
  }

  // Ends the waiting of all threads, and lets none begin again.
  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }

  // Is a thread waiting for work?
  bool is_wanting() const { return waiting_.load(std::memory_order_relaxed) != 0; }
  std::uint64_t memory_bytes() const { return size_.load(std::memory_order_relaxed) * sizeof(StateIndex); }

 private:
  void note_size() { size_.store(roots_.size(), std::memory_order_relaxed); }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<StateIndex> roots_;
  std::vector<StateIndex> open_;
  std::atomic<std::uint64_t> size_ = 0;
  unsigned members_ = 0;
  std::atomic<unsigned> waiting_ = 0;
  bool is_closed_ = false;
};

}  // namespace spoor
