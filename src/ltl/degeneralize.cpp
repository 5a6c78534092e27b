#include "ltl/degeneralize.h"

#include <map>
#include <stdexcept>
#include <utility>

namespace spoor::ltl {
namespace {

class Degeneralizer {
 public:
  Degeneralizer(const Tgba& automaton, const std::vector<std::uint32_t>& order, Entry entry, Carrier carrier)
      : automaton_(automaton), parts_(components_of(automaton)), entry_(entry), carrier_(carrier) {
    // An order that lacks a set, or names one that does not exist, would change the language.
    if (order.size() != automaton.sets) throw std::logic_error("order of acceptance sets");
    find_orders(order);
  }

  Tgba build(Bdds& bdds) {
    result_.sets = 1;
    result_.initial = copy(automaton_.initial, entry_level(automaton_.initial));
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const auto [s, level] = copies_[i];
      const std::uint32_t component = parts_.of[s];
      const auto last = static_cast<std::uint32_t>(order_[component].size());
      const bool is_end = parts_.is_accepting[component] && level == last;
      for (const Arc& arc : automaton_.states[s]) {
        const bool stays = parts_.of[arc.target] == component;
        bool completes = false;
        const std::uint32_t to =
            stays ? next_level(component, level, arc.marks, completes) : entry_level(arc.target);
        const bool is_marked = carrier_ == Carrier::kStates ? is_end : stays && completes;
        const std::uint32_t target = copy(arc.target, to);  // may move result_.states
        result_.states[i].push_back({target, arc.label, is_marked ? 1ull : 0ull});
      }
    }
    normalize(result_, bdds);
    return std::move(result_);
  }

 private:
  // For each component, the sets that are not on all of its arcs.
  void find_orders(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint64_t> common(parts_.count(), ~0ull);
    for (std::uint32_t s = 0; s < automaton_.states.size(); ++s) {
      for (const Arc& arc : automaton_.states[s]) {
        if (parts_.of[arc.target] == parts_.of[s]) common[parts_.of[s]] &= arc.marks;
      }
    }
    order_.resize(parts_.count());
    for (std::size_t c = 0; c < parts_.count(); ++c) {
      if (!parts_.is_accepting[c]) continue;
      for (const std::uint32_t set : order) {
        if ((common[c] >> set & 1) == 0) order_[c].push_back(set);
      }
    }
  }

  std::uint32_t entry_level(std::uint32_t s) const {
    const auto last = static_cast<std::uint32_t>(order_[parts_.of[s]].size());
    if (!parts_.is_accepting[parts_.of[s]]) return 0;
    if (entry_ == Entry::kKnown) {
      const auto known = number_.lower_bound({s, 0});
      if (known != number_.end() && known->first.first == s) return known->first.second;
    }
    // With marks on arcs there is no level after the last set.
    const bool at_end = entry_ == Entry::kLast && last > 0;
    return !at_end ? 0 : carrier_ == Carrier::kStates ? last : last - 1;
  }

  std::uint32_t next_level(std::uint32_t component, std::uint32_t level, std::uint64_t marks,
                           bool& completes) const {
    const std::vector<std::uint32_t>& order = order_[component];
    const auto last = static_cast<std::uint32_t>(order.size());
    if (!parts_.is_accepting[component]) return 0;
    const auto advance = [&](std::uint32_t from) {
      while (from < last && (marks >> order[from] & 1) != 0) ++from;
      return from;
    };
    if (carrier_ == Carrier::kStates) return advance(level == last ? 0 : level);
    std::uint32_t to = advance(level);
    completes = to == last;
    if (!completes) return to;
    to = advance(0);
    return to == last ? 0 : to;  // all levels at once: the next round starts at level 0
  }

  std::uint32_t copy(std::uint32_t s, std::uint32_t level) {
    const auto [found, is_new] =
        number_.emplace(std::pair(s, level), static_cast<std::uint32_t>(copies_.size()));
    if (is_new) {
      copies_.emplace_back(s, level);
      result_.states.emplace_back();
    }
    return found->second;
  }

  const Tgba& automaton_;
  Components parts_;
  Entry entry_;
  Carrier carrier_;
  std::vector<std::vector<std::uint32_t>> order_;  // by component
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> number_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> copies_;
  Tgba result_;
};

}  // namespace

Tgba degeneralized(const Tgba& automaton, const std::vector<std::uint32_t>& order, Entry entry,
                   Carrier carrier, Bdds& bdds) {
  return Degeneralizer(automaton, order, entry, carrier).build(bdds);
}

}  // namespace spoor::ltl
