// Threads that do one piece of work after another together.
//
// The caller is one of them. The others are started when there is first something to share, so that
// a small search costs none, and sleep in between.
//
// Tested by: tests/unit/test_search.cpp, tests/unit/test_search_threads.cpp
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace spoor {

class ThreadTeam {
 public:
  explicit ThreadTeam(unsigned size) : size_(size) {}
  ~ThreadTeam() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    begins_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  unsigned size() const { return size_; }

  // Calls work(0), ..., work(size() - 1), each in a thread of its own, and waits for all of them; fewer
  // where the system does not give that many threads.
  // Throws the first exception that one of them threw.
  void run(const std::function<void(unsigned)>& work) {
    if (threads_.empty()) recruit();
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      left_ = size_ - 1;
      ++round_;
    }
    begins_.notify_all();
    attempt(0, work);
    std::unique_lock lock(mutex_);
    ends_.wait(lock, [&] { return left_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void recruit() {
    try {
      while (threads_.size() + 1 < size_) {
        const auto number = static_cast<unsigned>(threads_.size() + 1);
        threads_.emplace_back([this, number] { serve(number); });
      }
    } catch (const std::system_error&) {
      size_ = static_cast<unsigned>(threads_.size() + 1);  // the system gives no more
    }
  }

  void serve(unsigned number) {
    std::unique_lock lock(mutex_);
    for (std::uint64_t seen = 0;;) {
      begins_.wait(lock, [&] { return is_over_ || round_ != seen; });
      if (is_over_) return;
      seen = round_;
      const std::function<void(unsigned)>& work = *work_;
      lock.unlock();
      attempt(number, work);
      lock.lock();
      if (--left_ == 0) ends_.notify_one();
    }
  }

  void attempt(unsigned number, const std::function<void(unsigned)>& work) {
    try {
      work(number);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  unsigned size_;
  std::mutex mutex_;
  std::condition_variable begins_, ends_;
  const std::function<void(unsigned)>* work_ = nullptr;
  unsigned left_ = 0;
  std::uint64_t round_ = 0;
  bool is_over_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace spoor
