// The terminal and signals.
#pragma once

#include <atomic>
#include <cstdio>
#include <span>
#include <string>

#include "search/observer.h"

namespace spoor::cli {

// `choice` is auto, always or never.
bool wants_colour(const std::string& choice, std::FILE* stream);

// After this call the first SIGINT or SIGTERM only sets the flag that it returns; the second one ends
// the program as usual.
const std::atomic<bool>& catch_interrupts();
// Only the flag: signals still end the program.
const std::atomic<bool>& interrupt_flag();

// Shows the figures of a running search on one line of stderr, when that is a terminal, and the estimated
// share of the states that it has seen (estimate/frontier.h).
class ProgressLine : public ProgressListener {
 public:
  explicit ProgressLine(bool enabled);
  ~ProgressLine() override { clear(); }
  void on_progress(const Statistics& statistics, std::span<const Level> levels) override;
  void show_message(const char* message);
  void clear();
  bool is_enabled() const { return enabled_; }

 private:
  bool enabled_;
  bool is_shown_ = false;
};

}  // namespace spoor::cli
