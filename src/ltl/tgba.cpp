#include "ltl/tgba.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace spoor::ltl {
namespace {

// Tarjan's algorithm without recursion: an automaton can be a chain of many thousands of states.
class Tarjan {
 public:
  explicit Tarjan(const Tgba& automaton) : automaton_(automaton) {
    const std::size_t count = automaton.states.size();
    number_.assign(count, 0);
    low_.assign(count, 0);
    found_.of.assign(count, kNone);
    for (std::uint32_t s = 0; s < count; ++s) {
      if (number_[s] == 0) visit(s);
    }
    summarize();
  }
  Components take() { return std::move(found_); }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Frame {
    std::uint32_t state;
    std::size_t next;
  };

  void visit(std::uint32_t root) {
    std::vector<Frame> path{{root, 0}};
    enter(root);
    while (!path.empty()) {
      Frame& top = path.back();
      const std::uint32_t s = top.state;
      if (top.next < automaton_.states[s].size()) {
        const std::uint32_t t = automaton_.states[s][top.next++].target;
        if (number_[t] == 0) {
          enter(t);
          path.push_back({t, 0});
        } else if (found_.of[t] == kNone) {
          low_[s] = std::min(low_[s], number_[t]);
        }
        continue;
      }
      path.pop_back();
      if (!path.empty()) low_[path.back().state] = std::min(low_[path.back().state], low_[s]);
      if (low_[s] == number_[s]) close(s);
    }
  }

  void enter(std::uint32_t s) {
    number_[s] = low_[s] = ++last_;
    open_.push_back(s);
  }

  void close(std::uint32_t root) {
    const auto component = static_cast<std::uint32_t>(found_.marks.size());
    found_.marks.push_back(0);
    std::uint32_t s = kNone;
    do {
      s = open_.back();
      open_.pop_back();
      found_.of[s] = component;
    } while (s != root);
  }

  void summarize() {
    found_.is_cyclic.assign(found_.count(), false);
    found_.is_accepting.assign(found_.count(), false);
    for (std::uint32_t s = 0; s < automaton_.states.size(); ++s) {
      for (const Arc& arc : automaton_.states[s]) {
        if (found_.of[arc.target] != found_.of[s]) continue;
        found_.is_cyclic[found_.of[s]] = true;
        found_.marks[found_.of[s]] |= arc.marks;
      }
    }
    for (std::size_t c = 0; c < found_.count(); ++c) {
      found_.is_accepting[c] = found_.is_cyclic[c] && found_.marks[c] == automaton_.all_marks();
    }
  }

  const Tgba& automaton_;
  Components found_;
  std::vector<std::uint32_t> number_, low_, open_;
  std::uint32_t last_ = 0;
};

// The sets of one accepting component that must be kept: not those that the marks of another set imply.
std::uint64_t needed_sets(const std::vector<std::uint64_t>& marks, std::uint32_t sets) {
  std::uint64_t needed = 0;
  for (std::uint32_t i = 0; i < sets; ++i) {
    bool is_everywhere = true;
    for (const std::uint64_t m : marks) is_everywhere = is_everywhere && (m >> i & 1) != 0;
    if (!is_everywhere) needed |= 1ull << i;
  }
  for (std::uint32_t i = 0; i < sets; ++i) {
    for (std::uint32_t j = 0; j < sets && (needed >> i & 1) != 0; ++j) {
      if (i == j || (needed >> j & 1) == 0) continue;
      bool implied = true;
      for (const std::uint64_t m : marks) implied = implied && ((m >> j & 1) <= (m >> i & 1));
      if (implied) needed &= ~(1ull << i);
    }
  }
  return needed;
}

// Renames the sets inside every accepting component so that the automaton uses as few as possible.
void simplify_sets(Tgba& automaton) {
  const Components parts = components_of(automaton);
  std::vector<std::vector<std::uint64_t>> marks_of(parts.count());
  bool has_rejecting_cycle = false;
  const auto is_inside = [&](std::uint32_t s, const Arc& arc) { return parts.of[s] == parts.of[arc.target]; };
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    for (const Arc& arc : automaton.states[s]) {
      if (is_inside(s, arc)) marks_of[parts.of[s]].push_back(arc.marks);
    }
  }
  std::uint32_t most = 0;
  std::vector<std::uint64_t> needed(parts.count(), 0);
  for (std::size_t c = 0; c < parts.count(); ++c) {
    has_rejecting_cycle = has_rejecting_cycle || (parts.is_cyclic[c] && !parts.is_accepting[c]);
    if (!parts.is_accepting[c]) continue;
    std::sort(marks_of[c].begin(), marks_of[c].end());
    marks_of[c].erase(std::unique(marks_of[c].begin(), marks_of[c].end()), marks_of[c].end());
    needed[c] = needed_sets(marks_of[c], automaton.sets);
    most = std::max(most, static_cast<std::uint32_t>(__builtin_popcountll(needed[c])));
  }
  const std::uint32_t sets = std::max<std::uint32_t>(most, has_rejecting_cycle ? 1 : 0);
  const std::uint64_t all = sets == 64 ? ~0ull : (1ull << sets) - 1;
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    const std::uint32_t c = parts.of[s];
    for (Arc& arc : automaton.states[s]) {
      if (!is_inside(s, arc) || !parts.is_accepting[c]) {
        arc.marks = 0;
        continue;
      }
      std::uint64_t renamed = all;
      std::uint32_t to = 0;
      for (std::uint32_t i = 0; i < automaton.sets; ++i) {
        if ((needed[c] >> i & 1) == 0) continue;
        if ((arc.marks >> i & 1) == 0) renamed &= ~(1ull << to);
        ++to;
      }
      arc.marks = renamed;
    }
  }
  automaton.sets = sets;
}

// Arcs that leave a component get the marks of those that stay in it: no run takes them twice.
void spread_marks(Tgba& automaton) {
  const Components parts = components_of(automaton);
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    std::uint64_t marks = 0;
    for (const Arc& arc : automaton.states[s]) {
      if (parts.of[arc.target] == parts.of[s]) marks |= arc.marks;
    }
    for (Arc& arc : automaton.states[s]) arc.marks = marks;
  }
}

}  // namespace

void normalize(Tgba& automaton, Bdds& bdds) {
  for (auto& arcs : automaton.states) {
    std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
      return std::tie(a.target, a.marks, a.label) < std::tie(b.target, b.marks, b.label);
    });
    std::vector<Arc> joined;
    for (const Arc& arc : arcs) {
      if (arc.label == Bdds::kFalse) continue;
      const bool same =
          !joined.empty() && joined.back().target == arc.target && joined.back().marks == arc.marks;
      if (same) {
        joined.back().label = bdds.either(joined.back().label, arc.label);
      } else {
        joined.push_back(arc);
      }
    }
    arcs = std::move(joined);
  }
}

Components components_of(const Tgba& automaton) { return Tarjan(automaton).take(); }

Tgba trimmed(const Tgba& automaton, Bdds& bdds, bool by_state) {
  const Components parts = components_of(automaton);
  std::vector<bool> is_useful(parts.count(), false);
  for (std::size_t c = 0; c < parts.count(); ++c) is_useful[c] = parts.is_accepting[c];
  // A component comes after all components that it leads to, so one pass in that order is enough.
  std::vector<std::vector<std::uint32_t>> members(parts.count());
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) members[parts.of[s]].push_back(s);
  for (std::size_t c = 0; c < parts.count(); ++c) {
    for (const std::uint32_t s : members[c]) {
      for (const Arc& arc : automaton.states[s]) {
        if (is_useful[parts.of[arc.target]]) is_useful[c] = true;
      }
    }
  }
  constexpr std::uint32_t kNone = UINT32_MAX;
  std::vector<std::uint32_t> number(automaton.states.size(), kNone);
  std::vector<std::uint32_t> order{automaton.initial};
  number[automaton.initial] = 0;
  Tgba result;
  result.sets = automaton.sets;
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::vector<Arc> arcs;
    for (const Arc& arc : automaton.states[order[i]]) {
      if (!is_useful[parts.of[arc.target]] || arc.label == Bdds::kFalse) continue;
      if (number[arc.target] == kNone) {
        number[arc.target] = static_cast<std::uint32_t>(order.size());
        order.push_back(arc.target);
      }
      arcs.push_back({number[arc.target], arc.label, arc.marks});
    }
    result.states.push_back(std::move(arcs));
  }
  simplify_sets(result);
  if (by_state) spread_marks(result);
  normalize(result, bdds);
  return result;
}

Components cycles_avoiding(const Tgba& automaton, const Components& parts, std::uint32_t set) {
  Tgba avoiding = automaton;
  for (std::uint32_t s = 0; s < avoiding.states.size(); ++s) {
    std::erase_if(avoiding.states[s], [&](const Arc& arc) {
      return (arc.marks >> set & 1) != 0 || parts.of[arc.target] != parts.of[s];
    });
  }
  return components_of(avoiding);
}

Tgba with_more_marks(const Tgba& automaton, bool by_state) {
  Tgba result = automaton;
  const Components parts = components_of(automaton);
  for (std::uint32_t set = 0; set < automaton.sets; ++set) {
    const Components cycles = cycles_avoiding(automaton, parts, set);
    for (std::uint32_t s = 0; s < result.states.size(); ++s) {
      if (!parts.is_accepting[parts.of[s]]) continue;
      const bool is_free = !cycles.is_cyclic[cycles.of[s]];
      for (Arc& arc : result.states[s]) {
        if (parts.of[arc.target] != parts.of[s] && !by_state) continue;
        if (is_free || (!by_state && cycles.of[arc.target] != cycles.of[s])) {
          arc.marks |= 1ull << set;
        }
      }
    }
  }
  return result;
}

bool is_state_based(const Tgba& automaton) {
  if (automaton.sets > 1) return false;
  return std::all_of(automaton.states.begin(), automaton.states.end(), [](const auto& arcs) {
    return std::all_of(arcs.begin(), arcs.end(),
                       [&](const Arc& arc) { return arc.marks == arcs.front().marks; });
  });
}

bool is_deterministic(const Tgba& automaton, Bdds& bdds) {
  for (const auto& arcs : automaton.states) {
    Bdd seen = Bdds::kFalse;
    for (const Arc& arc : arcs) {
      if (bdds.overlap(seen, arc.label)) return false;
      seen = bdds.either(seen, arc.label);
    }
  }
  return true;
}

Tgba merged(const Tgba& automaton, const std::vector<std::uint32_t>& to, Bdds& bdds) {
  Tgba result = automaton;
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    for (Arc& arc : result.states[s]) arc.target = to[arc.target];
  }
  for (std::uint32_t s = 0; s < automaton.states.size(); ++s) {
    if (to[s] == s) continue;
    auto& into = result.states[to[s]];
    into.insert(into.end(), result.states[s].begin(), result.states[s].end());
    result.states[s].clear();
  }
  result.initial = to[automaton.initial];
  normalize(result, bdds);
  return result;
}

std::optional<std::vector<Bdd>> letter_classes(std::initializer_list<const Tgba*> automata, Bdds& bdds,
                                               std::size_t max_classes) {
  std::set<Bdd> labels;
  for (const Tgba* automaton : automata) {
    for (const auto& arcs : automaton->states) {
      for (const Arc& arc : arcs) labels.insert(arc.label);
    }
  }
  std::vector<Bdd> classes{Bdds::kTrue};
  for (const Bdd label : labels) {
    const std::size_t count = classes.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Bdd outside = bdds.without(classes[i], label);
      const Bdd inside = bdds.both(classes[i], label);
      if (outside == Bdds::kFalse || inside == Bdds::kFalse) continue;
      classes[i] = inside;
      classes.push_back(outside);
      if (classes.size() > max_classes) return std::nullopt;
    }
  }
  return classes;
}

}  // namespace spoor::ltl
