#include "evidence/pruned_system.h"

#include <algorithm>
#include <utility>

#include "evidence/known_graph.h"

namespace spoor {

struct PrunedSystem::Workspace {
  std::unique_ptr<StateTranslator> to_after, to_before;  // null: bytes are the same
  std::vector<std::byte> translated, back;
  PackedStates::Cursor cursor;
  ExpansionScratch below;  // of the system below
};

namespace {

// While it lives, the expansion has the scratch memory of the system below.
class ScratchBelow {
 public:
  ScratchBelow(Expansion& out, ExpansionScratch& below) : out_(out), below_(below) {
    std::swap(out_.scratch, below_);
  }
  ~ScratchBelow() {
    std::swap(out_.scratch, below_);
    out_.scratch.workspace_bytes = below_.workspace_bytes;
  }
  ScratchBelow(const ScratchBelow&) = delete;
  ScratchBelow& operator=(const ScratchBelow&) = delete;

 private:
  Expansion& out_;
  ExpansionScratch& below_;
};

}  // namespace

PrunedSystem::PrunedSystem(const Recording& recording, const TransitionSystem& before,
                           const TransitionSystem& after)
    : LayerOver(after),
      recording_(recording),
      before_(before),
      to_after_(compare_elements(before.elements(), after.elements())),
      to_before_(compare_elements(after.elements(), before.elements())) {}

std::unique_ptr<const PrunedSystem> PrunedSystem::make(const Recording& recording,
                                                       const TransitionSystem& before,
                                                       const TransitionSystem& after, std::string& why_not) {
  std::unique_ptr<PrunedSystem> system(new PrunedSystem(recording, before, after));
  why_not = system->why_nothing_to_prune();
  if (!why_not.empty()) return nullptr;
  return system;
}

std::string PrunedSystem::why_nothing_to_prune() {
  if (!recording_.reachable) return "the recording does not say what its states reach";
  if (before_.layout() == nullptr || below().layout() == nullptr)
    return "states of this model cannot be compared with those of another version";
  const auto to_after = before_.layout()->translator_to(*below().layout(), to_after_);
  const auto to_before = below().layout()->translator_to(*before_.layout(), to_before_);
  if (to_after == nullptr || to_before == nullptr)
    return "the states of the two versions have nothing to do with each other";
  is_identity_ = to_after->is_identity() && to_before->is_identity();
  figures_.recorded = recording_.states.size();
  if (!choose_sets()) return "the recording is of another model";
  add_states();
  return figures_.prunable == 0 ? "every recorded state can reach something that is changed, or wrong" : "";
}

bool PrunedSystem::choose_sets() {
  const std::vector<bool> is_changed = changed_sets(before_, to_after_);
  figures_.locations = is_changed.size();
  figures_.changed = static_cast<std::size_t>(std::ranges::count(is_changed, true));
  const std::vector<std::uint32_t> numbers = before_.layout()->statements_in(*below().layout(), to_after_);
  for (const ReachableSets::Set& set : recording_.reachable->sets) {
    if (!set.locations.empty() && set.locations.back() >= is_changed.size()) return false;
    if (!set.statements.empty() && set.statements.back() >= numbers.size()) return false;
    const bool is_open = may_prune_.empty();  // the first set is that of open states
    may_prune_.push_back(!is_open && std::ranges::none_of(set.locations, [&](std::uint32_t location) {
      return static_cast<bool>(is_changed[location]);
    }));
    std::vector<std::uint32_t>& statements = statements_.emplace_back();
    if (!may_prune_.back()) continue;
    for (const std::uint32_t statement : set.statements) statements.push_back(numbers[statement]);
    if (!std::ranges::all_of(statements, StateLayout::is_one)) may_prune_.back() = false;
  }
  return true;
}

void PrunedSystem::add_states() {
  const std::vector<std::uint32_t>& set_of = recording_.reachable->number_of;
  figures_.prunable = static_cast<std::uint64_t>(
      std::ranges::count_if(set_of, [&](std::uint32_t set) { return static_cast<bool>(may_prune_[set]); }));
  if (figures_.prunable == 0) return;
  table_ = StateTable(figures_.prunable);
  is_pruned_.resize(set_of.size());
  PackedStates::Cursor cursor;
  for (std::uint32_t state = 0; state < set_of.size(); ++state) {
    if (!may_prune_[set_of[state]]) continue;
    const KeptState kept = recording_.states.get_kept(state, cursor);
    if (!kept.bytes.empty()) table_.add(recording_.states.key(kept, cursor), state);
  }
  table_.finish();
}

PrunedSystem::Workspace& PrunedSystem::workspace_of(Expansion& out) const {
  if (!out.scratch.workspace) {
    auto own = std::make_shared<Workspace>();
    if (!is_identity_) {
      own->to_after = before_.layout()->translator_to(*below().layout(), to_after_);
      own->to_before = below().layout()->translator_to(*before_.layout(), to_before_);
    }
    out.scratch.workspace = std::move(own);
  }
  return *static_cast<Workspace*>(out.scratch.workspace.get());
}

// As in KnownGraph: where the edit adds a variable, an old state stands for the new one with the initial
// value alone, so the translation back must be the state that was looked for.
StateIndex PrunedSystem::find(StateBytes state, Workspace& own) const {
  PackedStates::Sought sought;
  if (!is_identity_ && !own.to_before->translate(state, own.translated)) return kNoState;
  recording_.states.prepare(is_identity_ ? state : own.translated, sought);
  const StateIndex found = table_.find(sought, recording_.states, own.cursor);
  if (is_identity_) return found;
  if (found == kNoState || !own.to_after->translate(own.translated, own.back)) return kNoState;
  return equal_bytes(own.back, state) ? found : kNoState;
}

void PrunedSystem::expand(StateBytes state, Expansion& out) const {
  Workspace& own = workspace_of(out);
  const StateIndex found = find(state, own);
  if (found == kNoState) {
    const ScratchBelow scratch(out, own.below);
    below().expand(state, out);
    return;
  }
  if (std::atomic_ref(is_pruned_[found]).exchange(1) == 0) pruned_.fetch_add(1, std::memory_order_relaxed);
  if (std::uint8_t* const flags = out.executed_flags(statements().size())) {
    for (const std::uint32_t statement : statements_[recording_.reachable->number_of[found]])
      flags[statement] = 1;
  }
}

}  // namespace spoor
