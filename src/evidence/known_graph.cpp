#include "evidence/known_graph.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/bytes.h"
#include "evidence/touched_states.h"

namespace spoor {

std::vector<bool> changed_sets(const TransitionSystem& before, const ElementComparison& comparison) {
  std::vector<bool> is_changed(before.element_set_count());
  for (std::uint32_t set = 0; set < is_changed.size(); ++set) {
    is_changed[set] = std::ranges::any_of(before.element_set(set), [&](std::uint32_t element) {
      return static_cast<bool>(comparison.is_changed[element]);
    });
  }
  return is_changed;
}

KnownGraph::KnownGraph(const Recording& recording, const TransitionSystem& before,
                       const TransitionSystem& after, const KnownGraphOptions& options)
    : recording_(recording),
      before_(before),
      after_(after),
      to_after_(compare_elements(before.elements(), after.elements())),
      to_before_(compare_elements(after.elements(), before.elements())),
      asks_steps_(options.needs_steps),
      bound_(recording.states.bound()),
      new_states_(options.threads) {}

std::unique_ptr<KnownGraph> KnownGraph::make(const Recording& recording, const TransitionSystem& before,
                                             const TransitionSystem& after, const KnownGraphOptions& options,
                                             std::string& why_not) {
  std::unique_ptr<KnownGraph> graph(new KnownGraph(recording, before, after, options));
  why_not = graph->why_not_usable(options.least_usable);
  if (!why_not.empty()) return nullptr;
  if (!options.reads_later) graph->read_states();
  return graph;
}

std::string KnownGraph::why_not_usable(double least_usable) {
  if (before_.layout() == nullptr || after_.layout() == nullptr)
    return "states of this model cannot be compared with those of another version";
  const auto to_after = before_.layout()->translator_to(*after_.layout(), to_after_);
  const auto to_before = after_.layout()->translator_to(*before_.layout(), to_before_);
  if (to_after == nullptr || to_before == nullptr)
    return "the states of the two versions have nothing to do with each other";
  is_identity_ = to_after->is_identity() && to_before->is_identity();
  is_undone_ = to_before->is_undone_by(*to_after);
  all_stand_ = to_after->is_undone_by(*to_before);

  const std::vector<std::uint32_t> statements = before_.layout()->statements_in(*after_.layout(), to_after_);
  for (const std::vector<std::uint32_t>& set : recording_.executed) {
    std::vector<std::uint32_t>& mapped = executed_.emplace_back();
    is_known_.push_back(true);
    for (const std::uint32_t statement : set) {
      if (statement >= statements.size()) return "the recording is of another model";
      if (!StateLayout::is_one(statements[statement])) {
        is_known_.back() = false;
      } else {
        mapped.push_back(statements[statement]);
      }
    }
    std::ranges::sort(mapped);
    mapped.erase(std::unique(mapped.begin(), mapped.end()), mapped.end());
  }
  is_dangerous_ = changed_sets(before_, to_after_);
  figures_.locations = is_dangerous_.size();
  figures_.changed = static_cast<std::size_t>(std::ranges::count(is_dangerous_, true));
  figures_.recorded = recording_.states.size();
  if (least_usable > 0) {
    if (const double share = usable_share(); share < least_usable)
      return fmt::format("about {:.0f} % of the recorded {} are of use after this edit, which is too few",
                         100 * share, asks_steps_ ? "steps" : "states");
  }
  return {};
}

bool KnownGraph::is_touched(StateBytes bytes, std::vector<std::uint32_t>& sets) const {
  sets.clear();
  before_.element_sets_of(bytes, sets);
  return std::ranges::any_of(sets, [&](std::uint32_t set) { return is_dangerous_[set]; });
}

bool KnownGraph::can_be_followed(std::uint32_t number) const {
  return !asks_steps_ || recording_.steps.executes_only(number, is_known_);
}

double KnownGraph::usable_share() const {
  constexpr std::uint32_t kEvery = 61;  // a prime: states that are alike may follow each other in a pattern
  PackedStates::Cursor cursor;
  std::vector<std::uint32_t> sets;
  std::uint64_t asked = 0, usable = 0, steps = 0;  // the last: of the usable ones
  for (std::uint64_t at = 0; at < recording_.states.bound(); at += kEvery) {
    const auto number = static_cast<std::uint32_t>(at);
    const StateBytes bytes = recording_.states.get(number, cursor);
    if (bytes.empty()) continue;
    ++asked;
    if (!can_be_followed(number) || is_touched(bytes, sets)) continue;
    ++usable;
    if (!asks_steps_) continue;
    const std::uint8_t* entry = recording_.steps.at(recording_.steps[number]);
    steps += RecordedSteps::read_head(entry).steps;
  }
  if (usable == 0) return 0;
  const double share_of_states = static_cast<double>(usable) / static_cast<double>(asked);
  if (!recording_.answer || recording_.answer->is_bound || !asks_steps_) return share_of_states;
  const double steps_per_usable = static_cast<double>(steps) / static_cast<double>(usable);
  const double steps_per_state =
      static_cast<double>(recording_.answer->transitions) / static_cast<double>(recording_.answer->states);
  return std::min(1.0, share_of_states * steps_per_usable / steps_per_state);
}

void KnownGraph::read_states() {
  table_ = StateTable(recording_.states.size());
  PackedStates::Cursor cursor;
  TouchedStates touched(before_, is_dangerous_);
  is_usable_.resize(recording_.states.bound());
  for (std::uint32_t number = 0; number < bound(); ++number) {
    const KeptState kept = recording_.states.get_kept(number, cursor);
    if (kept.bytes.empty()) continue;
    table_.add(recording_.states.key(kept, cursor), number);
    if (!can_be_followed(number) || touched.has(kept)) continue;
    is_usable_[number] = true;
    ++figures_.usable;
  }
  table_.finish();
}

std::unique_ptr<KnownGraph::Workspace> KnownGraph::make_workspace() const {
  auto own = std::make_unique<Workspace>();
  if (!is_identity_) {
    own->to_after = before_.layout()->translator_to(*after_.layout(), to_after_);
    own->to_before = after_.layout()->translator_to(*before_.layout(), to_before_);
  }
  return own;
}

StateBytes KnownGraph::bytes_of(StateIndex number, Workspace& own) const {
  if (number >= bound()) return new_states_.get(number - bound(), own.new_room);
  const StateBytes bytes = recording_.states.get(number, own.old_room);
  if (!before_.is_well_formed(bytes)) throw_damaged();
  if (is_identity_) return bytes;
  if (!own.to_after->translate(bytes, own.translated)) throw_damaged();
  return own.translated;
}

StateBytes KnownGraph::new_bytes_of(StateIndex number, Workspace& own) const {
  const StateBytes bytes = recording_.states.get(number, own.old_room);
  if (bytes.empty() || !before_.is_well_formed(bytes)) return {};
  // A usable state is well-formed in both versions, or in none: its locations have the same dead variables.
  const auto is_state = [&](StateBytes state) { return is_usable(number) || after_.is_well_formed(state); };
  if (is_identity_) return is_state(bytes) ? bytes : StateBytes();
  if (!own.to_after->translate(bytes, own.translated) || !is_state(own.translated)) return {};
  const bool stands =
      all_stand_ || (own.to_before->translate(own.translated, own.back) && equal_bytes(own.back, bytes));
  return stands ? StateBytes(own.translated) : StateBytes();
}

// A usable state stands for one where the layout is the same.
bool KnownGraph::leaves_out_states(Workspace& own) const {
  PackedStates::Cursor cursor;
  for (StateIndex number = 0; number < bound(); ++number) {
    if (is_identity_ && is_usable(number)) continue;
    if (!recording_.states.get(number, cursor).empty() && new_bytes_of(number, own).empty()) return true;
  }
  return false;
}

void KnownGraph::require_states() const {
  PackedStates::Cursor cursor;
  for (StateIndex number = 0; number < bound(); ++number) {
    const StateBytes bytes = recording_.states.get(number, cursor);
    // Usable states are read, too: where a trace passes them.
    if (!bytes.empty() && !before_.is_well_formed(bytes)) throw_damaged();
  }
}

void KnownGraph::prepare(StateBytes bytes, Sought& sought, Workspace& own) const {
  sought.old.bytes = bytes;
  if (!is_identity_) {
    own.to_before->translate(bytes, sought.translated);
    sought.old.bytes = sought.translated;
  }
  if (sought.old.bytes.empty()) return;
  recording_.states.prepare(sought.old.bytes, sought.old);
  table_.prefetch(sought.old.key);
}

void KnownGraph::find_candidate(Sought& sought) const {
  if (sought.old.bytes.empty()) return;
  sought.place = table_.candidate(sought.old.key);
  const StateIndex number = table_.number_at(sought.place);
  if (number != kNoState) recording_.states.prefetch_place(number);
}

void KnownGraph::prefetch_candidate(const Sought& sought) const {
  const StateIndex number = sought.old.bytes.empty() ? kNoState : table_.number_at(sought.place);
  if (number != kNoState) recording_.states.prefetch_code(number);
}

StateIndex KnownGraph::find_recorded(StateBytes bytes, const Sought& sought, Workspace& own) const {
  if (sought.old.bytes.empty()) return kNoState;
  const StateIndex known = table_.find(sought.old, sought.place, recording_.states, own.compared);
  if (known == kNoState || is_identity_ || is_undone_) return known;
  const bool comes_back = own.to_after->translate(sought.old.bytes, own.back) && equal_bytes(own.back, bytes);
  return comes_back ? known : kNoState;
}

template <class Extent>
void KnownGraph::look_up(const std::byte* arena, std::span<const Extent> extents, StateIndex* numbers,
                         Workspace& own) const {
  AmongNew& news = own.among_new;
  const auto bytes = [&](std::size_t i) { return StateBytes(arena + extents[i].offset, extents[i].length); };
  new_states_.prepare(arena, extents, news.keys.data(), news.codes.data());
  new_states_.prefetch_states(news.keys.data(), extents.size(), news.hints.data());
  std::size_t count = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const StateIndex known = new_states_.find(news.keys[i], bytes(i), news.hints[i], news.codes[i]);
    numbers[i] = bound() + known;
    if (known != kNoState) continue;
    own.sought[count].at = i;
    prepare(bytes(i), own.sought[count++], own);
  }
  const std::span<Sought> sought = std::span(own.sought).first(count);
  for (Sought& state : sought) find_candidate(state);
  for (const Sought& state : sought) prefetch_candidate(state);
  for (const Sought& state : sought) {
    const std::size_t i = state.at;
    numbers[i] = find_recorded(bytes(i), state, own);
    if (numbers[i] != kNoState) continue;
    const StateIndex added =
        new_states_.insert(own.writer, news.keys[i], bytes(i), news.hints[i], news.codes[i]).index;
    if (added >= kNoState - bound()) throw IndexesExhausted();
    numbers[i] = bound() + added;
  }
}

StateIndex KnownGraph::number_of(StateBytes bytes, Workspace& own) const {
  const Successor extent = {StepId(), 0, static_cast<std::uint32_t>(bytes.size())};
  StateIndex number = kNoState;
  look_up(bytes.data(), std::span(&extent, 1), &number, own);
  return number;
}

void KnownGraph::numbers_of(const Expansion& out, std::vector<StateIndex>& numbers, Workspace& own) const {
  numbers.resize(out.successors.size());
  for (std::size_t first = 0; first < numbers.size(); first += kBatch) {
    const std::size_t count = std::min(kBatch, numbers.size() - first);
    look_up(out.arena.data(), std::span(out.successors).subspan(first, count), &numbers[first], own);
  }
}

}  // namespace spoor
