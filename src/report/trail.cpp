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
// (merged) before the statement that fails. An end with an error is preferred; for a trail with a cycle, an
// end where the cycle began. Otherwise the first end that was found is used.
//
// A verifier of SPIN clears variables that are not read again, so a cycle of it need not lead back to the
// same state here. After a second round it does (check/property_check.cpp has the reason): where one round
// does not close, the cycle's lines are followed twice.
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
      path_.push_back({move.step, move.actions, move.place.cycle_action});
      const bool at_end = move.place.line == trail_.lines.size();
      if (at_end && (trail_.cycle_start ? closes_cycle(move.place.state) : move.shows_error)) {
        has_closed_ = true;
        return found(path_);
      }
      if (at_end && !fallback_) fallback_ = path_;
      if (move.place.state.empty() || !enter(std::move(move.place))) path_.pop_back();
      if (found_) return found(path_);
    }
    if (fallback_) return found(*fallback_);
    return failure();
  }

  // The run ends as the trail says: with an error, or where its cycle began.
  bool has_closed() const { return has_closed_ || found_; }

 private:
  static constexpr std::uint32_t kNoProcess = UINT32_MAX;

  // A position in the search for the rest of the trail.
  struct Place {
    std::vector<std::byte> state;
    std::size_t line = 0;                     // the next line to match
    std::uint32_t last_process = kNoProcess;  // of the last action
    std::size_t skipped = 0;                  // actions without a line since the last one with a line
    // In the step that led here: the action that has the first line of the cycle.
    std::optional<std::size_t> cycle_action = std::nullopt;
  };
  struct Move {
    StepId step;
    std::size_t actions = 0;
    bool shows_error = false;
    Place place;  // with an empty state: the step has no successor
  };
  struct Frame {
    std::vector<std::byte> state;
    std::vector<Move> moves;
    std::size_t next = 0;
  };
  // A step of the path.
  struct Taken {
    StepId step;
    std::size_t actions = 0;
    std::optional<std::size_t> cycle_action;  // see Place
  };

  FollowResult found(const std::vector<Taken>& path) const {
    FollowResult result;
    std::size_t actions = 0;
    for (const Taken& taken : path) {
      result.steps.push_back(taken.step);
      if (taken.cycle_action) result.loop = actions + *taken.cycle_action;
      actions += taken.actions;
    }
    const bool stands_still = trail_.cycle_start == trail_.lines.size();
    if (stands_still) result.loop = actions;
    return result;
  }

  // Is this the state in which the cycle began, or, for a run that stands still, one without successors?
  bool closes_cycle(const std::vector<std::byte>& state) const {
    if (trail_.cycle_start == trail_.lines.size()) {
      Expansion expansion;
      if (!state.empty()) system_.expand(state, expansion);
      return expansion.successors.empty();
    }
    for (std::size_t i = 0; i < path_.size(); ++i) {
      if (path_[i].cycle_action == 0u) return state == frames_[i].state;
    }
    return false;
  }

  // Opens a frame for the place unless it failed before. Sets found_ when the trail ends here with an
  // error of the state itself.
  bool enter(Place place) {
    furthest_ = std::max(furthest_, place.line);
    const bool at_end = place.line == trail_.lines.size();
    if (at_end && place.line == 0) fallback_ = path_;
    if (!tried_.insert(key_of(place)).second) return false;
    Expansion expansion;
    system_.expand(place.state, expansion);
    if (at_end && !(trail_.cycle_start && trail_.is_merged)) {
      found_ = std::any_of(expansion.findings.begin(), expansion.findings.end(),
                           [](const Finding& f) { return f.step == Finding::kStateItself; });
      if (found_) return true;
      if (!trail_.is_merged) return false;
    }
    Frame frame;
    frame.state = place.state;
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
    for (std::size_t i = 0; i < taken.actions.size(); ++i) {
      std::vector<Place> next;
      for (const Place& way : ways) match(way, taken.actions[i], i, !taken.findings.empty(), next);
      drop_repeated(next);
      ways = std::move(next);
      if (ways.empty()) return;
    }
    for (Place& way : ways) {
      way.state = taken.target;
      frame.moves.push_back({step, taken.actions.size(), !taken.findings.empty(), std::move(way)});
    }
  }

  // Appends to `next` the positions of the match after this action. `index`: of the action in its step.
  void match(const Place& way, const Action& action, std::size_t index, bool step_fails,
             std::vector<Place>& next) const {
    const auto process = static_cast<std::uint32_t>(action.process);
    const bool at_end = way.line == trail_.lines.size();
    if (!at_end && trail_.lines[way.line].process == process &&
        trail_.lines[way.line].transition == action.transition) {
      const bool begins_cycle = trail_.cycle_start == way.line;
      next.push_back({{}, way.line + 1, process, 0, begins_cycle ? std::optional(index) : way.cycle_action});
    }
    const bool merged_on = trail_.is_merged && process == way.last_process && way.skipped < longest_skip_;
    const bool past_the_error = at_end && way.line > 0 && step_fails;
    if (merged_on || past_the_error)
      next.push_back({{}, way.line, process, way.skipped + 1, way.cycle_action});
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
            {},
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
  std::vector<Taken> path_;  // the steps that lead to the last frame
  std::unordered_set<std::string> tried_;
  std::optional<std::vector<Taken>> fallback_;
  std::size_t furthest_ = 0;
  bool found_ = false;
  bool has_closed_ = false;
};

// The cycle's first round as a part of the way to it.
Trail with_second_round(const Trail& trail) {
  Trail longer = trail;
  const auto begin = static_cast<std::ptrdiff_t>(*trail.cycle_start);
  longer.lines.insert(longer.lines.end(), trail.lines.begin() + begin, trail.lines.end());
  longer.cycle_start = trail.lines.size();
  return longer;
}

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
  Follower follower(system, trail);
  FollowResult result = follower.run();
  const bool has_cycle = trail.cycle_start && *trail.cycle_start < trail.lines.size();
  if (!has_cycle || follower.has_closed() || !result.error.empty()) return result;
  const Trail longer = with_second_round(trail);
  Follower twice(system, longer);
  FollowResult second = twice.run();
  return twice.has_closed() ? second : result;
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
