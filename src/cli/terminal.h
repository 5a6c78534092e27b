// What the program does with the terminal and with signals.
#pragma once

#include <atomic>
#include <cstdio>
#include <span>
#include <string>

#include "search/observer.h"

namespace spoor::cli {

// `choice` is auto, always or never.
bool wants_colour(const std::string& choice, std::FILE* stream);

// From now on the first SIGINT or SIGTERM only sets the flag that this returns; the second one ends
// the program as usual.
const std::atomic<bool>& catch_interrupts();
// The flag alone; signals end the program as before.
const std::atomic<bool>& interrupt_flag();

// Shows the figures of a running search on one line of stderr, when that is a terminal; and how much of the
// states it has probably seen (estimate/frontier.h).
class ProgressLine : public ProgressListener {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine() override { clear(); }
  void on_progress(const Statistics& statistics, std::span<const Level> levels) override;
  void say(const char* what);
  void clear();
  bool is_enabled() const { return enabled_; }

 private:
  bool enabled_;
  bool is_shown_ = false;
};

}  // namespace spoor::cli
