#include "evidence/recorded_system.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/packed_numbers.h"

namespace spoor {
namespace {

// Names of stored steps: in a group that no model has.
constexpr std::uint64_t kStoredGroup = StepId::kMostGroups - 1;
StepId stored_step(std::uint64_t ordinal) {
  return StepId(StepId::first_of(kStoredGroup).number() + ordinal);
}
bool is_stored(StepId step) { return step != StepId::stutter() && step.group() == kStoredGroup; }

StateIndex number_in(StateBytes state) {
  StateIndex number = kNoState;
  std::memcpy(&number, state.data(), sizeof number);
  return number;
}
StateBytes as_state(const StateIndex& number) {
  return {reinterpret_cast<const std::byte*>(&number), sizeof number};
}

// While it lives, this thread takes part in the use of the store.
class Entered {
 public:
  explicit Entered(ExactStore& store) : store_(store) { store.enter(); }
  ~Entered() { store_.leave(); }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;

 private:
  ExactStore& store_;
};

}  // namespace

struct RecordedSystem::Workspace {
  Expansion inner;
  ExactStore::Writer writer;
  ExactStore::DecodeBuffer old_room, new_room;
  std::unique_ptr<StateTranslator> to_after, to_before;  // null: bytes are the same
  std::vector<std::byte> translated, back;
  RecordedState stored;
};

RecordedSystem::RecordedSystem(const Recording& recording, const TransitionSystem& before,
                               const TransitionSystem& after, Use use)
    : LayerOver(after),
      recording_(recording),
      before_(before),
      use_(use),
      to_after_(compare_elements(before.elements(), after.elements())),
      to_before_(compare_elements(after.elements(), before.elements())),
      old_states_(1),
      new_states_(use.threads) {}

std::unique_ptr<const RecordedSystem> RecordedSystem::make(const Recording& recording,
                                                           const TransitionSystem& before,
                                                           const TransitionSystem& after, Use use,
                                                           std::string& why_not) {
  std::unique_ptr<RecordedSystem> system(new RecordedSystem(recording, before, after, use));
  why_not = system->read_recording();
  if (!why_not.empty()) return nullptr;
  return system;
}

std::string RecordedSystem::read_recording() {
  const TransitionSystem& after = below();
  if (before_.layout() == nullptr || after.layout() == nullptr)
    return "states of this model cannot be compared with those of another version";
  const auto to_after = before_.layout()->translator_to(*after.layout(), to_after_);
  const auto to_before = after.layout()->translator_to(*before_.layout(), to_before_);
  if (to_after == nullptr || to_before == nullptr)
    return "the states of the two versions have nothing to do with each other";
  is_identity_ = to_after->is_identity() && to_before->is_identity();

  const std::vector<std::uint32_t> statements = before_.layout()->statements_in(*after.layout(), to_after_);
  std::vector<bool> is_executed_known;
  for (const std::vector<std::uint32_t>& set : recording_.executed) {
    std::vector<std::uint32_t>& mapped = executed_.emplace_back();
    bool is_known = true;
    for (const std::uint32_t statement : set) {
      if (statement >= statements.size()) return "the recording is of another model";
      is_known &= statements[statement] != ElementComparison::kNothing;
      mapped.push_back(statements[statement]);
    }
    is_executed_known.push_back(is_known);
  }
  std::vector<bool> is_dangerous(before_.element_set_count());
  for (std::uint32_t set = 0; set < is_dangerous.size(); ++set) {
    is_dangerous[set] = std::ranges::any_of(before_.element_set(set), [&](std::uint32_t element) {
      return static_cast<bool>(to_after_.is_changed[element]);
    });
    figures_.changed += is_dangerous[set] ? 1 : 0;
  }
  figures_.locations = is_dangerous.size();
  figures_.recorded = recording_.states;

  ExactStore::Writer writer;
  RecordReader bytes_of_states(recording_.bytes), steps(recording_.steps);
  places_.reserve(recording_.states);
  is_expanded_.resize(recording_.states);
  std::vector<std::uint32_t> sets;
  RecordedState stored;
  old_states_.enter();
  for (std::uint32_t number = 0; number < recording_.states; ++number) {
    const StateBytes bytes = std::as_bytes(std::span(bytes_of_states.bytes()));
    if (!before_.is_well_formed(bytes)) return "the recording has states that the model cannot have";
    if (old_states_.insert(writer, ExactStore::key(bytes), bytes).index != number)
      return "the recording has a state twice";
    if (number % 1024 == 0) old_states_.safe_point();
    sets.clear();
    before_.element_sets_of(bytes, sets);
    const std::uint64_t place = recording_.steps.size() - steps.rest().size();
    read(steps, number, recording_.states, stored);
    const bool is_usable = stored.is(RecordedState::kExpanded) && !stored.is(RecordedState::kSpecial) &&
                           is_executed_known[stored.executed] && is_executed_known[stored.tried_executed] &&
                           std::ranges::none_of(sets, [&](std::uint32_t set) { return is_dangerous[set]; });
    places_.push_back(is_usable ? place : kUnusable);
    figures_.usable += is_usable ? 1 : 0;
  }
  old_states_.leave();
  return {};
}

RecordedSystem::Figures RecordedSystem::figures() const {
  Figures figures = figures_;
  figures.expanded = expanded_.load(std::memory_order_relaxed) + new_states_.size();
  return figures;
}

std::shared_ptr<void> RecordedSystem::make_workspace() const {
  auto own = std::make_shared<Workspace>();
  if (!is_identity_) {
    own->to_after = before_.layout()->translator_to(*below().layout(), to_after_);
    own->to_before = below().layout()->translator_to(*before_.layout(), to_before_);
  }
  return own;
}

RecordedSystem::Workspace& RecordedSystem::workspace_of(Expansion& out) const {
  if (!out.scratch.workspace) out.scratch.workspace = make_workspace();
  return *static_cast<Workspace*>(out.scratch.workspace.get());
}

StateBytes RecordedSystem::bytes_of(StateIndex number, Workspace& own) const {
  if (number >= recording_.states) return new_states_.get(number - recording_.states, own.new_room);
  const StateBytes bytes = old_states_.get(number, own.old_room);
  if (is_identity_) return bytes;
  if (!own.to_after->translate(bytes, own.translated))
    throw std::logic_error("a recorded state that was reached is not one of the new version");
  return own.translated;
}

StateIndex RecordedSystem::number_of(StateBytes bytes, Workspace& own) const {
  const auto find = [&](StateBytes old) { return old_states_.find(ExactStore::key(old), old); };
  if (is_identity_) {
    if (const StateIndex known = find(bytes); known != kNoState) return known;
  } else if (own.to_before->translate(bytes, own.translated)) {
    const StateIndex known = find(own.translated);
    if (known != kNoState && own.to_after->translate(own.translated, own.back) &&
        std::ranges::equal(own.back, bytes))
      return known;
  }
  const StateIndex added = new_states_.insert(own.writer, ExactStore::key(bytes), bytes).index;
  if (added >= kNoState - recording_.states) throw IndexesExhausted();
  return recording_.states + added;
}

std::vector<std::byte> RecordedSystem::initial_state() const {
  const std::shared_ptr<void> own = make_workspace();
  const Entered entered(new_states_);
  const StateIndex number = number_of(below().initial_state(), *static_cast<Workspace*>(own.get()));
  const StateBytes state = as_state(number);
  return {state.begin(), state.end()};
}

std::function<StateBytes(StateBytes)> RecordedSystem::bytes_reader() const {
  return [this, own = make_workspace()](StateBytes state) {
    return bytes_of(number_in(state), *static_cast<Workspace*>(own.get()));
  };
}

std::vector<std::byte> RecordedSystem::bytes_of(StateBytes state) const {
  const std::shared_ptr<void> own = make_workspace();
  const StateBytes bytes = bytes_of(number_in(state), *static_cast<Workspace*>(own.get()));
  return {bytes.begin(), bytes.end()};
}

void RecordedSystem::expand(StateBytes state, Expansion& out) const {
  const StateIndex number = number_in(state);
  if (!expand_stored(number, out)) expand_below(number, out);
}

bool RecordedSystem::expand_stored(StateIndex number, Expansion& out) const {
  if (!is_usable(number) || out.asked.columns.has_any_of_steps()) return false;
  RecordedState& stored = workspace_of(out).stored;
  read_stored(number, stored);
  if (stored.is(RecordedState::kReduced) && !out.asked.may_reduce) return false;
  const auto add = [&](std::uint32_t ordinal) {
    const StateIndex target = stored.targets[ordinal];
    out.successors.push_back(
        {stored_step(ordinal), static_cast<std::uint32_t>(out.arena.size()), sizeof target});
    out.arena.append(as_state(target));
  };
  const bool tries = stored.is(RecordedState::kTwice) && out.asked.may_reduce;
  if (tries) {
    for (const std::uint32_t ordinal : stored.tried) add(ordinal);
  } else {
    for (std::uint32_t i = 0; i < stored.targets.size(); ++i) add(i);
  }
  out.inner_steps = tries ? stored.tried_inner_steps : stored.inner_steps;
  const bool is_reduced = tries || stored.is(RecordedState::kReduced);
  out.is_reduced = is_reduced && !use_.deadlocks_only;
  out.is_reduced_for_deadlocks = is_reduced && use_.deadlocks_only;
  if (std::uint8_t* const flags = out.executed_flags(statements().size())) {
    for (const std::uint32_t statement : executed_[tries ? stored.tried_executed : stored.executed])
      flags[statement] = 1;
  }
  return true;
}

void RecordedSystem::read_stored(StateIndex number, RecordedState& stored) const {
  RecordReader reader(std::string_view(recording_.steps).substr(places_[number]));
  read(reader, number, recording_.states, stored);
}

void RecordedSystem::expand_below(StateIndex number, Expansion& out) const {
  if (number < recording_.states && std::atomic_ref(is_expanded_[number]).exchange(1) == 0)
    expanded_.fetch_add(1, std::memory_order_relaxed);
  Workspace& own = workspace_of(out);
  const Entered entered(new_states_);
  const StateBytes translated = bytes_of(number, own);
  const std::vector<std::byte> bytes(translated.begin(), translated.end());
  ask_below(out, {}, own.inner);
  below().expand(bytes, own.inner);
  answer_above(own.inner, out);
  out.scratch.workspace_bytes = own.inner.memory_bytes();
  if (out.was_cut) return;
  for (std::size_t i = 0; i < own.inner.successors.size(); ++i) {
    const Successor& successor = own.inner.successors[i];
    const StateIndex target = number_of(own.inner.state(successor), own);
    out.successors.push_back({successor.step, static_cast<std::uint32_t>(out.arena.size()), sizeof target});
    out.arena.append(as_state(target));
    copy_columns(own.inner, i, out);
  }
  out.findings.insert(out.findings.end(), own.inner.findings.begin(), own.inner.findings.end());
}

StepId RecordedSystem::real_step(StateBytes bytes, StateIndex number, std::uint64_t ordinal,
                                 std::vector<std::byte>& target) const {
  RecordedState stored;
  read_stored(number, stored);
  Expansion again;
  again.asked.may_reduce = stored.is(RecordedState::kReduced);
  below().expand(bytes, again);
  if (ordinal >= again.successors.size())
    throw std::logic_error("an untouched state does not have the steps that were recorded");
  const StateBytes reached = again.state(again.successors[ordinal]);
  target.assign(reached.begin(), reached.end());
  return again.successors[ordinal].step;
}

Explanation RecordedSystem::explain(StateBytes state, StepId step) const {
  const std::vector<std::byte> bytes = bytes_of(state);
  std::vector<std::byte> ignored;
  const StepId real = is_stored(step) ? real_step(bytes, number_in(state), step.ordinal(), ignored) : step;
  Explanation explanation = below().explain(bytes, real);
  if (explanation.target.empty()) return explanation;
  const std::shared_ptr<void> own = make_workspace();
  const Entered entered(new_states_);
  const StateIndex number = number_of(explanation.target, *static_cast<Workspace*>(own.get()));
  const StateBytes target = as_state(number);
  explanation.target.assign(target.begin(), target.end());
  return explanation;
}

std::vector<StepId> RecordedSystem::steps_below(const std::vector<StepId>& steps) const {
  std::vector<StepId> below_steps;
  std::vector<std::byte> bytes = below().initial_state();
  const std::shared_ptr<void> own = make_workspace();
  for (const StepId step : steps) {
    if (is_stored(step)) {
      StateIndex number = kNoState;
      {
        const Entered entered(new_states_);
        number = number_of(bytes, *static_cast<Workspace*>(own.get()));
      }
      std::vector<std::byte> target;
      below_steps.push_back(real_step(bytes, number, step.ordinal(), target));
      bytes = std::move(target);
      continue;
    }
    below_steps.push_back(step);
    Expansion out;
    if (!below().step(bytes, step, out) || out.successors.empty()) break;
    const StateBytes target = out.state(out.successors[0]);
    bytes.assign(target.begin(), target.end());
  }
  return below_steps;
}

}  // namespace spoor
