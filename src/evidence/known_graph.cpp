#include "evidence/known_graph.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/bytes.h"

namespace spoor {
namespace {

constexpr unsigned kNumberBits = 32;
constexpr std::uint64_t kNumberMask = (std::uint64_t{1} << kNumberBits) - 1;

}  // namespace

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
                       const TransitionSystem& after, unsigned threads)
    : recording_(recording),
      before_(before),
      after_(after),
      to_after_(compare_elements(before.elements(), after.elements())),
      to_before_(compare_elements(after.elements(), before.elements())),
      new_states_(threads) {}

std::unique_ptr<const KnownGraph> KnownGraph::make(const Recording& recording, const TransitionSystem& before,
                                                   const TransitionSystem& after, unsigned threads,
                                                   std::string& why_not) {
  std::unique_ptr<KnownGraph> graph(new KnownGraph(recording, before, after, threads));
  why_not = graph->why_not_usable();
  if (!why_not.empty()) return nullptr;
  return graph;
}

std::string KnownGraph::why_not_usable() {
  if (before_.layout() == nullptr || after_.layout() == nullptr)
    return "states of this model cannot be compared with those of another version";
  const auto to_after = before_.layout()->translator_to(*after_.layout(), to_after_);
  const auto to_before = after_.layout()->translator_to(*before_.layout(), to_before_);
  if (to_after == nullptr || to_before == nullptr)
    return "the states of the two versions have nothing to do with each other";
  is_identity_ = to_after->is_identity() && to_before->is_identity();
  is_undone_ = to_before->is_undone_by(*to_after);

  const std::vector<std::uint32_t> statements = before_.layout()->statements_in(*after_.layout(), to_after_);
  std::vector<bool> is_known;  // are all statements of a set?
  for (const std::vector<std::uint32_t>& set : recording_.executed) {
    std::vector<std::uint32_t>& mapped = executed_.emplace_back();
    is_known.push_back(true);
    for (const std::uint32_t statement : set) {
      if (statement >= statements.size()) return "the recording is of another model";
      if (statements[statement] == ElementComparison::kNothing) {
        is_known.back() = false;
      } else {
        mapped.push_back(statements[statement]);
      }
    }
    std::ranges::sort(mapped);
    mapped.erase(std::unique(mapped.begin(), mapped.end()), mapped.end());
  }
  const std::vector<bool> is_dangerous = changed_sets(before_, to_after_);
  figures_.locations = is_dangerous.size();
  figures_.changed = static_cast<std::size_t>(std::ranges::count(is_dangerous, true));
  figures_.recorded = recording_.states.size();
  read_states(is_known, is_dangerous);
  return {};
}

// In batches: the place of each in the table is asked for before it is needed.
void KnownGraph::read_states(const std::vector<bool>& is_known, const std::vector<bool>& is_dangerous) {
  constexpr std::size_t kBatch = 32;
  // At most four of five slots are used.
  const std::uint64_t count = recording_.states.size();
  slots_ = std::bit_ceil(count + count / 4 + 1);
  table_ = ZeroedPages(slots_ * sizeof(Slot));
  Slot* const table = reinterpret_cast<Slot*>(table_.data());
  const std::uint64_t mask = slots_ - 1;
  struct Waiting {
    std::uint64_t hash = 0;
    std::uint32_t number = 0;
  };
  std::array<Waiting, kBatch> batch;
  std::size_t waiting = 0;
  const auto insert_batch = [&] {
    for (std::size_t i = 0; i < waiting; ++i) {
      std::uint64_t at = batch[i].hash & mask;
      while (table[at] != 0) at = (at + 1) & mask;
      table[at] = (batch[i].hash & ~kNumberMask) | (batch[i].number + 1);
    }
    waiting = 0;
  };
  PackedStates::Cursor cursor;
  std::vector<std::uint32_t> sets;
  is_usable_.resize(recording_.states.bound());
  for (std::uint32_t number = 0; number < bound(); ++number) {
    const StateBytes bytes = recording_.states.get(number, cursor);
    if (bytes.empty()) continue;
    batch[waiting] = {hash_state(bytes), number};
    __builtin_prefetch(table + (batch[waiting].hash & mask));
    if (++waiting == kBatch) insert_batch();
    if (!recording_.steps.executes_only(number, is_known)) continue;
    sets.clear();
    before_.element_sets_of(bytes, sets);
    if (std::ranges::any_of(sets, [&](std::uint32_t set) { return is_dangerous[set]; })) continue;
    is_usable_[number] = true;
    ++figures_.usable;
  }
  insert_batch();
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

void KnownGraph::require_states() const {
  PackedStates::Cursor cursor;
  for (StateIndex number = 0; number < bound(); ++number) {
    const StateBytes bytes = recording_.states.get(number, cursor);
    // Usable states are read, too: where a trace passes them.
    if (!bytes.empty() && !before_.is_well_formed(bytes)) throw_damaged();
  }
}

StateIndex KnownGraph::find(StateBytes old, Workspace& own) const {
  const std::uint64_t hash = hash_state(old);
  const std::uint64_t mask = slots_ - 1;
  const Slot* const table = reinterpret_cast<const Slot*>(table_.data());
  for (std::uint64_t at = hash & mask; table[at] != 0; at = (at + 1) & mask) {
    if ((table[at] ^ hash) >> kNumberBits != 0) continue;
    const auto number = static_cast<StateIndex>((table[at] & kNumberMask) - 1);
    if (equal_bytes(recording_.states.get(number, own.compared), old)) return number;
  }
  return kNoState;
}

StateIndex KnownGraph::number_of(StateBytes bytes, Workspace& own) const {
  if (is_identity_) {
    if (const StateIndex known = find(bytes, own); known != kNoState) return known;
  } else if (own.to_before->translate(bytes, own.translated)) {
    const StateIndex known = find(own.translated, own);
    const auto comes_back = [&] {
      return is_undone_ ||
             (own.to_after->translate(own.translated, own.back) && equal_bytes(own.back, bytes));
    };
    if (known != kNoState && comes_back()) return known;
  }
  const StateIndex added = new_states_.insert(own.writer, ExactStore::key(bytes), bytes).index;
  if (added >= kNoState - bound()) throw IndexesExhausted();
  return bound() + added;
}

}  // namespace spoor
