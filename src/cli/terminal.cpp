#include "cli/terminal.h"

#include <cmath>
#include <csignal>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include "base/quantities.h"
#include "estimate/frontier.h"

namespace spoor::cli {
namespace {

// A signal handler can access only globals.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

// " (perhaps 34 % of all)", or "" without an estimate.
std::string share_seen(const Statistics& statistics, std::span<const Level> levels) {
  Evidence evidence;
  evidence.limited = LimitedSearch{statistics.states, statistics.transitions, {levels.begin(), levels.end()}};
  const Answer answer = Frontier().estimate(evidence);
  return answer.estimate
             ? fmt::format(" (perhaps {:.3g} % of all)", std::round(1000 * answer.estimate->coverage) / 10)
             : "";
}

}  // namespace

bool wants_colour(const std::string& choice, std::FILE* stream) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  const char* no_colour = std::getenv("NO_COLOR");  // see no-color.org
  return ::isatty(::fileno(stream)) != 0 && !(no_colour && *no_colour);
}

const std::atomic<bool>& interrupt_flag() { return interrupted; }

const std::atomic<bool>& catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted.store(true); };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGXFSZ, SIG_IGN);  // reaching the limit on file size is reported as a write error
  return interrupted;
}

ProgressLine::ProgressLine(bool enabled) : enabled_(enabled && ::isatty(STDERR_FILENO) != 0) {}

void ProgressLine::on_progress(const Statistics& statistics, std::span<const Level> levels) {
  if (!enabled_) return;
  const double rate =
      statistics.elapsed_s > 0 ? static_cast<double>(statistics.states) / statistics.elapsed_s : 0;
  fmt::print(stderr, "\r\x1b[K{} states{}, {}/s, depth {}, {}, {}", with_separators(statistics.states),
             share_seen(statistics, levels), with_separators(static_cast<unsigned long long>(rate)),
             with_separators(statistics.depth), human_bytes(statistics.memory_bytes),
             human_seconds(statistics.elapsed_s));
  std::fflush(stderr);
  is_shown_ = true;
}

void ProgressLine::show_message(const char* message) {
  if (!enabled_) return;
  fmt::print(stderr, "\r\x1b[K{}", message);
  std::fflush(stderr);
  is_shown_ = true;
}

void ProgressLine::clear() {
  if (!is_shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  is_shown_ = false;
}

}  // namespace spoor::cli
