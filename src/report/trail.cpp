// SPIN's trails.
//
// A trail is a list of lines `depth:process:transition`, one per statement that SPIN's verifier
// executed, where the transition is the number that SPIN gave the statement when it read the model.
// Lines with a negative depth are remarks:
//
// clang-format off
//     -2:n:-2    the run has a never claim (proctype n): it is process 0, the others count from 1
//     -4:-4:-4   the verifier was built with statement merging
//     -1:-1:-1   the cycle of a liveness error begins here
//     -5 .. -8   the verifier permuted its search; replaying needs the verifier itself
// clang-format on
//
// Writing is simple: the interpreter numbers transitions as SPIN does and never merges, so each
// action is one line and no remark is needed.
//
// Following a trail is a search, for two reasons. A line names a transition, but not the choice
// inside it (the partner of a rendezvous, the message of a random receive). And with statement
// merging, SPIN's default, a verifier executes a chain of statements of one process as one step and
// writes only the first. So at each state every step is tried: its actions must agree with the next
// lines, in order, except that in a merged trail an action may have no line when the action before
// it belongs to the same process. The search is depth-first, and tries the agreeing line before the
// skipped one; a position that failed once (state, line, process, actions skipped) is not tried
// again. Trails without merging rarely need a second attempt. Inside one step, the number of
// matches doubles with each action of a loop, which may or may not have a line; matches at the same
// position are joined.
//
// A trail may end inside one of our steps, when an assertion fails inside an atomic sequence, or
// (merged) before the statement that fails. An end with an error is preferred; otherwise the first
// end that was found is used.
//
// Tested by: tests/unit/test_report.cpp, and with the real SPIN in tests/suites/test_traces.py
#include "report/trail.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

namespace spoor {
namespace {

// The three numbers of a line; nothing when it has another form.
struct Numbers {
  long depth, process, transition;
};
std::optional<Numbers> parse_line(std::string_view line) {
  long numbers[3] = {};
  for (int i = 0; i < 3; ++i) {
    const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), numbers[i]);
    if (failure != std::errc()) return std::nullopt;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (i < 2) {
      if (line.empty() || line[0] != ':') return std::nullopt;
      line.remove_prefix(1);
    }
  }
  if (line.find_first_not_of(" \t\r") != std::string_view::npos) return std::nullopt;
  return Numbers{numbers[0], numbers[1], numbers[2]};
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

// Applies one remark or step to the trail; returns the error, or "".
std::string apply(const Numbers& numbers, std::uint32_t text_line, Trail& trail) {
  const auto [depth, process, transition] = numbers;
  if (depth >= 0) {
    constexpr long kLargest = 1L << 30;
    if (process < 0 || transition < 0 || process > kLargest || transition > kLargest) {
      return "a step with a number out of range";
    }
    if (trail.has_claim && process == 0) return {};
    trail.lines.push_back({static_cast<std::uint32_t>(process - (trail.has_claim ? 1 : 0)),
                           static_cast<std::uint32_t>(transition), text_line});
    return {};
  }
  switch (depth) {
    case -1: trail.cycle_start = trail.lines.size(); return {};
    case -2: trail.has_claim = true; return {};
    case -4: trail.is_merged = true; return {};
    case -5:
    case -6:
    case -7:
    case -8: return "a trail of a permuted search, which only the verifier itself can replay";
    default: return "an unknown remark";
  }
}

class Follower {
 public:
  Follower(const TransitionSystem& system, const Trail& trail)
      : system_(system), trail_(trail), longest_skip_(system.statements().size() + 1) {}

  FollowResult run() {
    enter({system_.initial_state(), 0, kNoProcess, 0});
    while (!frames_.empty()) {
      Frame& top = frames_.back();
      if (top.next == top.moves.size()) {
        frames_.pop_back();
        if (!path_.empty()) path_.pop_back();
        continue;
      }
      Move move = std::move(top.moves[top.next++]);
      path_.push_back(move.step);
      const bool at_end = move.place.line == trail_.lines.size();
      if (at_end && move.shows_error) return {path_, {}, 0};
      if (at_end && !fallback_) fallback_ = path_;
      if (move.place.state.empty() || !enter(std::move(move.place))) path_.pop_back();
      if (found_) return {path_, {}, 0};
    }
    if (fallback_) return {*fallback_, {}, 0};
    return failure();
  }

 private:
  static constexpr std::uint32_t kNoProcess = UINT32_MAX;

  // A position in the search for the rest of the trail.
  struct Place {
    std::vector<std::byte> state;
    std::size_t line = 0;                     // the next line to match
    std::uint32_t last_process = kNoProcess;  // of the last action
    std::size_t skipped = 0;                  // actions without a line since the last one with a line
  };
  struct Move {
    StepId step;
    bool shows_error = false;
    Place place;  // with an empty state: the step has no successor
  };
  struct Frame {
    std::vector<Move> moves;
    std::size_t next = 0;
  };

  // Opens a frame for the place unless it failed before. Sets found_ when the trail ends here with an
  // error of the state itself.
  bool enter(Place place) {
    furthest_ = std::max(furthest_, place.line);
    const bool at_end = place.line == trail_.lines.size();
    if (at_end && place.line == 0) fallback_ = path_;
    if (!tried_.insert(key_of(place)).second) return false;
    Expansion expansion;
    system_.expand(place.state, expansion);
    if (at_end) {
      found_ = std::any_of(expansion.findings.begin(), expansion.findings.end(),
                           [](const Finding& f) { return f.step == Finding::kStateItself; });
      if (found_) return true;
      if (!trail_.is_merged) return false;
    }
    Frame frame;
    for (const StepId step : step_ids_of(expansion)) add_moves(place, step, frame);
    std::stable_sort(frame.moves.begin(), frame.moves.end(),
                     [](const Move& a, const Move& b) { return a.place.line > b.place.line; });
    frames_.push_back(std::move(frame));
    return true;
  }

  // Adds a move for every match of the actions of the step with the next lines.
  void add_moves(const Place& from, StepId step, Frame& frame) const {
    Explanation taken = system_.explain(from.state, step);
    std::vector<Place> ways = {{{}, from.line, from.last_process, from.skipped}};
    for (const Action& action : taken.actions) {
      std::vector<Place> next;
      for (const Place& way : ways) match(way, action, !taken.findings.empty(), next);
      drop_repeated(next);
      ways = std::move(next);
      if (ways.empty()) return;
    }
    for (Place& way : ways) {
      way.state = taken.target;
      frame.moves.push_back({step, !taken.findings.empty(), std::move(way)});
    }
  }

  // Appends to `next` the positions of the match after this action.
  void match(const Place& way, const Action& action, bool step_fails, std::vector<Place>& next) const {
    const auto process = static_cast<std::uint32_t>(action.process);
    const bool at_end = way.line == trail_.lines.size();
    if (!at_end && trail_.lines[way.line].process == process &&
        trail_.lines[way.line].transition == action.transition) {
      next.push_back({{}, way.line + 1, process, 0});
    }
    const bool merged_on = trail_.is_merged && process == way.last_process && way.skipped < longest_skip_;
    const bool past_the_error = at_end && way.line > 0 && step_fails;
    if (merged_on || past_the_error) next.push_back({{}, way.line, process, way.skipped + 1});
  }

  // Keeps the first of those at the same position. REQUIRES: no state is set yet.
  static void drop_repeated(std::vector<Place>& ways) {
    std::set<std::tuple<std::size_t, std::uint32_t, std::size_t>> seen;
    std::erase_if(ways, [&](const Place& way) {
      return !seen.emplace(way.line, way.last_process, way.skipped).second;
    });
  }

  static std::string key_of(const Place& place) {
    std::string key(reinterpret_cast<const char*>(place.state.data()), place.state.size());
    return fmt::format("{}:{}:{}:", place.line, place.last_process, place.skipped) + key;
  }

  FollowResult failure() const {
    const TrailLine& line = trail_.lines[furthest_];
    return {{},
            fmt::format("the trail does not fit the model: process {} cannot take transition {} "
                        "here (step {} of {})",
                        line.process, line.transition, furthest_ + 1, trail_.lines.size()),
            line.text_line};
  }

  const TransitionSystem& system_;
  const Trail& trail_;
  // SPIN merges consecutive statements, so no merged sequence is longer than the model.
  const std::size_t longest_skip_;
  std::vector<Frame> frames_;
  std::vector<StepId> path_;  // the steps that lead to the last frame
  std::unordered_set<std::string> tried_;
  std::optional<std::vector<StepId>> fallback_;
  std::size_t furthest_ = 0;
  bool found_ = false;
};

}  // namespace

bool is_trail(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (!is_blank(line)) return parse_line(line).has_value();
  }
  return true;  // SPIN's trail to an error in the initial state
}

std::optional<Trail> parse_trail(std::string_view text, std::string& error, std::uint32_t& line) {
  Trail trail;
  line = 0;
  while (!text.empty()) {
    const std::string_view content = take_line(text);
    ++line;
    if (is_blank(content)) continue;
    const std::optional<Numbers> numbers = parse_line(content);
    error = numbers ? apply(*numbers, line, trail) : "expected three numbers, depth:process:transition";
    if (!error.empty()) return std::nullopt;
  }
  return trail;
}

FollowResult follow_trail(const TransitionSystem& system, const Trail& trail) {
  return Follower(system, trail).run();
}

bool has_trail(const ShownTrace& trace) {
  return std::all_of(trace.actions.begin(), trace.actions.end(), [](const ShownAction& shown) {
    return shown.action.process >= 0 || shown.action.key == stutter_action().key;
  });
}

std::string write_trail(const ShownTrace& trace) {
  std::string text;
  for (std::size_t i = 0; i < trace.actions.size(); ++i) {
    const Action& action = trace.actions[i].action;
    if (i == trace.loop) text += "-1:-1:-1\n";
    if (action.process < 0) continue;  // no process can move: the run stutters
    text += fmt::format("{}:{}:{}\n", i + 1, action.process, action.transition);
  }
  return text;
}

}  // namespace spoor
