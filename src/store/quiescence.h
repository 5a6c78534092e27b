// A moment in which no other thread uses a structure that several threads share.
//
// Lookups and insertions go on without locks; a table that must grow cannot be moved under them. So
// the threads that work on the structure are counted. A thread that needs to be alone says so, and waits
// until every other one has come by a safe point, a place where it holds on to nothing inside the
// structure: it passes one between two batches of work, or when it wants to be alone itself, or it
// has left. Safe points cost one load.
//
// Of several that want to be alone at the same time one gets its turn, and the others are told that
// the structure has changed, so that they look again whether there is anything left to do.
//
// examples/self/store.pml is a model of this protocol and of the insertion into the exact store.
// Tested by: tests/unit/test_store_threads.cpp
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace spoor {

class Quiescence {
 public:
  void enter() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !wanted_.load(std::memory_order_relaxed); });
    ++active_;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    --active_;
    changed_.notify_all();
  }
  // REQUIRES: this thread has entered.
  void safe_point() {
    if (!wanted_.load(std::memory_order_relaxed)) return;
    leave();
    enter();
  }

  // Runs `act` while no other thread that has entered is between two safe points, and returns true;
  // or false, when another thread was alone in the meantime. REQUIRES: this thread has entered.
  template <class Act>
  bool alone(const Act& act) {
    std::unique_lock lock(mutex_);
    if (wanted_.load(std::memory_order_relaxed)) {
      lock.unlock();
      leave();
      enter();
      return false;
    }
    const Turn turn(*this);
    changed_.wait(lock, [&] { return active_ <= 1; });
    act();
    return true;
  }

 private:
  // Ends also when an exception passes. REQUIRES: the mutex is locked.
  class Turn {
   public:
    explicit Turn(Quiescence& owner) : owner_(owner) {
      owner_.wanted_.store(true, std::memory_order_relaxed);
    }
    ~Turn() {
      owner_.wanted_.store(false, std::memory_order_relaxed);
      owner_.changed_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Quiescence& owner_;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint32_t active_ = 0;
  std::atomic<bool> wanted_ = false;
};

}  // namespace spoor
