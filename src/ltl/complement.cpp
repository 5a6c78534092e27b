#include "ltl/complement.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace spoor::ltl {
namespace {

constexpr std::uint32_t kMaxStates = 16;
constexpr std::size_t kMaxClasses = 64;

using StateSet = std::uint32_t;           // one bit per state
using Ranks = std::vector<std::uint8_t>;  // by state; kUnranked for states outside the set
constexpr std::uint8_t kUnranked = 255;

bool accepts_whatever_follows(const Tgba& automaton, std::uint32_t state) {
  return std::ranges::any_of(automaton.states[state], [&](const Arc& arc) {
    return arc.target == state && arc.label == Bdds::kTrue && arc.marks == automaton.all_marks();
  });
}

class Complement {
 public:
  Complement(const Tgba& automaton, std::vector<Bdd> letters, Bdds& bdds, std::size_t max_arcs)
      : automaton_(automaton), letters_(std::move(letters)), bdds_(bdds), max_arcs_(max_arcs) {
    for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
      if (accepts_whatever_follows(automaton, s)) accepting_all_ |= StateSet{1} << s;
    }
    result_.sets = 1;
  }

  std::optional<Tgba> make() {
    const std::uint32_t count = static_cast<std::uint32_t>(automaton_.states.size());
    result_.initial = number_of({StateSet{1} << automaton_.initial, Ranks(count, kUnranked), 0});
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      const Place from = places_[i];
      for (const Bdd letter : letters_) {
        if (!expand(i, from, letter)) return std::nullopt;
      }
    }
    normalize(result_, bdds_);
    return std::move(result_);
  }

 private:
  struct Place {
    StateSet states = 0;
    Ranks ranks;           // all kUnranked: no ranks are guessed yet
    StateSet watched = 0;  // the states with even ranks since the last reset
    friend auto operator<=>(const Place&, const Place&) = default;
    bool is_ranked() const {
      return std::ranges::any_of(ranks, [](std::uint8_t rank) { return rank != kUnranked; });
    }
  };

  std::uint32_t number_of(const Place& place) {
    const auto [found, is_new] = numbers_.emplace(place, static_cast<std::uint32_t>(places_.size()));
    if (is_new) {
      places_.push_back(place);
      result_.states.emplace_back();
    }
    return found->second;
  }

  bool add(std::uint32_t from, const Place& to, Bdd letter, bool is_marked) {
    const std::uint32_t target = number_of(to);
    result_.states[from].push_back({target, letter, is_marked ? std::uint64_t{1} : 0});
    return ++arcs_ <= max_arcs_;
  }

  // False: there are too many arcs.
  bool expand(std::uint32_t number, const Place& from, Bdd letter) {
    const bool is_ranked = from.is_ranked();
    Place to;
    StateSet still_watched = 0;
    Ranks bounds(from.ranks.size(), kUnranked);
    for (std::uint32_t s = 0; s < automaton_.states.size(); ++s) {
      if ((from.states >> s & 1) == 0) continue;
      for (const Arc& arc : automaton_.states[s]) {
        if (!bdds_.overlap(arc.label, letter)) continue;
        const bool is_marked = arc.marks == automaton_.all_marks();
        std::uint8_t bound = is_ranked ? from.ranks[s] : static_cast<std::uint8_t>(2 * from.ranks.size());
        if (is_marked) bound &= static_cast<std::uint8_t>(~1u);
        bounds[arc.target] = std::min(bounds[arc.target], bound);
        to.states |= StateSet{1} << arc.target;
        if ((from.watched >> s & 1) != 0) still_watched |= StateSet{1} << arc.target;
      }
    }
    if ((to.states & accepting_all_) != 0) return true;
    to.ranks.assign(from.ranks.size(), kUnranked);
    if (!is_ranked || to.states == 0) {
      if (!add(number, to, letter, to.states == 0)) return false;
    }
    if (to.states == 0) return true;
    if (is_ranked) {
      const std::uint8_t highest = highest_of(from.ranks);
      return guess(number, to, bounds, highest, 0, from.watched == 0, still_watched, letter);
    }
    const auto most = static_cast<unsigned>(2 * std::popcount(to.states));
    for (unsigned highest = 1; highest < most; highest += 2) {
      if (!guess(number, to, bounds, static_cast<std::uint8_t>(highest), 0, false, 0, letter)) return false;
    }
    return true;
  }

  static std::uint8_t highest_of(const Ranks& ranks) {
    std::uint8_t highest = 0;
    for (const std::uint8_t rank : ranks) {
      if (rank != kUnranked) highest = std::max(highest, rank);
    }
    return highest;
  }

  // All rankings of the states from `at` on within the bounds.
  bool guess(std::uint32_t from, Place& to, const Ranks& bounds, std::uint8_t highest, std::uint32_t at,
             bool is_marked, StateSet still_watched, Bdd letter) {
    if (at == to.ranks.size()) {
      if (!has_all_odd_ranks(to.ranks, highest)) return ++tried_ <= 50 * max_arcs_;
      to.watched = 0;
      for (std::uint32_t s = 0; s < to.ranks.size(); ++s) {
        const bool is_even = to.ranks[s] != kUnranked && to.ranks[s] % 2 == 0;
        const bool may_be = is_marked || (still_watched >> s & 1) != 0;
        if (is_even && may_be) to.watched |= StateSet{1} << s;
      }
      return add(from, to, letter, is_marked);
    }
    if ((to.states >> at & 1) == 0)
      return guess(from, to, bounds, highest, at + 1, is_marked, still_watched, letter);
    for (std::uint8_t rank = 0; rank <= std::min(bounds[at], highest); ++rank) {
      to.ranks[at] = rank;
      if (!guess(from, to, bounds, highest, at + 1, is_marked, still_watched, letter)) return false;
    }
    return true;
  }

  static bool has_all_odd_ranks(const Ranks& ranks, std::uint8_t highest) {
    for (unsigned odd = 1; odd <= highest; odd += 2) {
      if (std::ranges::find(ranks, static_cast<std::uint8_t>(odd)) == ranks.end()) return false;
    }
    return true;
  }

  const Tgba& automaton_;
  const std::vector<Bdd> letters_;
  Bdds& bdds_;
  const std::size_t max_arcs_;
  StateSet accepting_all_ = 0;
  Tgba result_;
  std::map<Place, std::uint32_t> numbers_;
  std::vector<Place> places_;
  std::size_t arcs_ = 0;
  std::size_t tried_ = 0;
};

}  // namespace

std::optional<Tgba> complement(const Tgba& automaton, Bdds& bdds, std::size_t max_arcs) {
  if (automaton.sets > 1 || automaton.states.size() > kMaxStates) return std::nullopt;
  std::optional<std::vector<Bdd>> letters = letter_classes({&automaton}, bdds, kMaxClasses);
  if (!letters) return std::nullopt;
  return Complement(automaton, std::move(*letters), bdds, max_arcs).make();
}

}  // namespace spoor::ltl
