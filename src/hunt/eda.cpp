#include "hunt/eda.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "hunt/state_tree.h"
#include "hunt/states_on_way.h"

namespace spoor {
namespace {

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t generation, std::uint64_t path) {
  const std::uint64_t numbers[] = {seed, generation, path};
  return hash_bytes(std::as_bytes(std::span(numbers)));
}

// Of the successors. Where the system does not know which statement a step is, its ordinal stands for it.
std::span<const Ngrams::Action> names_of_actions(const Expansion& expansion,
                                                 std::vector<Ngrams::Action>& actions) {
  actions.assign(expansion.labels.begin(), expansion.labels.end());
  if (actions.size() != expansion.successors.size()) {
    actions.clear();
    for (const Successor& successor : expansion.successors)
      actions.push_back(static_cast<Ngrams::Action>(successor.step.ordinal()));
  }
  // More statements than there are numbers for them share the last one.
  for (Ngrams::Action& action : actions) action = std::min(action, Ngrams::kUnknown - 1);
  return actions;
}

}  // namespace

// Draws paths.
class Eda::Sampler {
 public:
  Sampler(Hunter& hunter, const MethodOptions& options, const EdaOptions& eda, const Ngrams& ngrams)
      : hunter_(hunter),
        options_(options),
        random_choices_(eda.mutation < 1 ? static_cast<std::uint64_t>(eda.mutation * 0x1p64) : UINT64_MAX),
        sampler_(ngrams),
        initial_(hunter.system().initial_state()),
        on_way_(hunter.runs()) {
    expansion_.asked.columns.labels = true;
  }

  // False: the search is over, and the path is not complete.
  bool sample(std::uint64_t seed, Path& path) {
    path = {};
    std::mt19937_64 random(seed);
    state_ = initial_;
    on_way_.clear();
    Ngrams::Context context;
    double estimates = 0;
    std::uint64_t states = 0;
    while (true) {
      if (const std::optional<std::size_t> place = on_way_.enter(state_)) {
        if (on_way_.is_bad_from(*place)) {
          path.finding = hunter_.runs()->cycle();
          path.loop = place;
        }
        break;
      }
      const auto depth = static_cast<std::uint32_t>(path.steps.size());
      if (!hunter_.expand(state_, expansion_, *this)) return false;
      hunter_.note_taken();
      ++states;
      if (options_.heuristic != nullptr) estimates += options_.heuristic->estimate(state_, expansion_);
      const Finding* const finding = hunter_.finding_of(expansion_);
      if (finding != nullptr && length_of(*finding, depth) <= options_.most_steps) {
        end(*finding, path);
        break;
      }
      if (expansion_.successors.empty() || depth >= options_.most_steps) break;
      const std::span<const Ngrams::Action> actions = names_of_actions(expansion_, actions_);
      const std::size_t chosen = random() < random_choices_
                                     ? static_cast<std::size_t>(random() % actions.size())
                                     : sampler_.choose(context, actions, random);
      on_way_.note_step(expansion_, chosen);
      context.add(actions[chosen]);
      path.actions.push_back(actions[chosen]);
      path.steps.push_back(expansion_.successors[chosen].step);
      const StateBytes target = expansion_.state(expansion_.successors[chosen]);
      state_.assign(target.begin(), target.end());
    }
    path.is_all = states == 1 && !path.finding && expansion_.successors.empty();
    path.estimate = states == 0 ? 0 : estimates / static_cast<double>(states);
    states_ += states;
    depth_ = std::max<std::uint64_t>(depth_, path.steps.size());
    return true;
  }

  std::uint64_t memory_bytes() const { return state_.capacity() + on_way_.memory_bytes() + noted_bytes_; }
  // What the caller has besides.
  void note_memory(std::uint64_t bytes) { noted_bytes_ = bytes; }
  const OmegaSystem* runs() const { return hunter_.runs(); }
  std::uint64_t states() const { return states_; }
  std::uint64_t depth() const { return depth_; }

 private:
  void end(const Finding& finding, Path& path) {
    path.finding = finding;
    if (finding.step == Finding::kStateItself) return;
    path.steps.push_back(finding.step);
    // A step that fails need not have a successor, and has no action then.
    const std::span<const Ngrams::Action> actions = names_of_actions(expansion_, actions_);
    for (std::size_t i = 0; i < actions.size(); ++i) {
      if (expansion_.successors[i].step == finding.step) path.actions.push_back(actions[i]);
    }
  }

  Hunter& hunter_;
  const MethodOptions& options_;
  const std::uint64_t random_choices_;  // of 2^64
  NgramSampler sampler_;
  const std::vector<std::byte> initial_;
  Expansion expansion_;
  std::vector<std::byte> state_;
  std::vector<Ngrams::Action> actions_;
  StatesOnWay on_way_;
  std::uint64_t noted_bytes_ = 0, states_ = 0, depth_ = 0;
};

bool Eda::is_better(const Path& a, const Path& b) {
  if (a.finding.has_value() != b.finding.has_value()) return a.finding.has_value();
  return a.finding ? a.steps.size() < b.steps.size() : a.estimate < b.estimate;
}

MethodResult Eda::run(Hunter& hunter, const MethodOptions& options) {
  MethodResult result;
  hunter.watch_no_cycles();
  Sampler sampler(hunter, options, how_, ngrams_);
  while (!hunter.is_over()) {
    if (!is_drawing_) {
      if (best_ && generation_ == how_.generations && !how_.begins_again) break;
      begin_generation();
    }
    if (!draw(sampler, options, result)) break;
    is_drawing_ = false;
    ++generation_;
    if (best_ && !how_.goes_on) break;
    learn();
  }
  result.states = sampler.states();
  result.depth = sampler.depth();
  return result;
}

void Eda::add(const TransitionSystem& system, const Violation& violation) {
  best_ = std::min(best_.value_or(violation.steps.size()), violation.steps.size());
  Path path;
  path.actions = actions_of(system, violation.steps);
  path.steps = violation.steps;
  path.finding = violation.finding;
  path.loop = violation.loop;
  paths_.insert(paths_.begin(), std::move(path));
}

std::uint64_t Eda::memory_bytes() const {
  std::uint64_t bytes = ngrams_.memory_bytes() + paths_.capacity() * sizeof(Path);
  for (const Path& path : paths_)
    bytes += path.actions.capacity() * sizeof(Ngrams::Action) + path.steps.capacity() * sizeof(StepId);
  return bytes;
}

void Eda::begin_generation() {
  is_drawing_ = true;
  if (generation_ % how_.generations != 0) {
    paths_.resize(std::min<std::size_t>(paths_.size(), how_.kept));
    return;
  }
  if (generation_ != 0) paths_.clear();
  ngrams_.clear();
  if (how_.before == nullptr) return;
  for (const std::uint64_t context : how_.before->contexts()) {
    for (const auto& [action, count] : how_.before->after(context)) ngrams_.add(context, action, count);
  }
}

// The paths of a generation, behind those that are kept. False: the search is over.
bool Eda::draw(Sampler& sampler, const MethodOptions& options, MethodResult& result) {
  while (paths_.size() < how_.paths) {
    Path path;
    sampler.note_memory(memory_bytes());
    if (!sampler.sample(seed_of(options.seed, generation_, paths_.size()), path)) return false;
    if (path.is_all) {
      result.has_seen_all = result.has_seen_all_within = true;
      return false;
    }
    Violation violation{path.finding.value_or(Finding()), path.steps, path.loop};
    if (path.finding && (!best_ || path.steps.size() < *best_) &&
        (!path.loop || is_real_lasso(*sampler.runs(), violation))) {
      best_ = path.steps.size();
      result.found = std::move(violation);
      if (options.on_found) options.on_found(*result.found);
      if (!how_.goes_on) return true;
    }
    paths_.push_back(std::move(path));
  }
  return true;
}

void Eda::learn() {
  std::ranges::stable_sort(paths_, is_better);
  ngrams_.clear();
  const std::size_t chosen = std::min<std::size_t>(how_.chosen, paths_.size());
  for (std::size_t i = 0; i < chosen; ++i) ngrams_.learn(paths_[i].actions);
}

MethodResult hunt_eda(Hunter& hunter, const MethodOptions& options) {
  EdaOptions how;
  how.goes_on = static_cast<bool>(options.on_found);
  how.before = options.learned;
  Eda eda(how);
  MethodResult result = eda.run(hunter, options);
  if (options.learn_into != nullptr) *options.learn_into = eda.ngrams();
  return result;
}

std::vector<Ngrams::Action> actions_of(const TransitionSystem& system, std::span<const StepId> steps) {
  std::vector<Ngrams::Action> actions, offered;
  std::vector<std::byte> state = system.initial_state();
  Expansion expansion;
  expansion.asked.columns.labels = true;
  for (const StepId step : steps) {
    expansion.clear();
    system.expand(state, expansion);
    const auto found = std::ranges::find(expansion.last_successors(), step, &Successor::step);
    if (found == expansion.last_successors().end()) break;  // it fails, and leads nowhere
    const auto ordinal = static_cast<std::size_t>(found - expansion.last_successors().begin());
    actions.push_back(names_of_actions(expansion, offered)[ordinal]);
    const StateBytes target = expansion.state(*found);
    state.assign(target.begin(), target.end());
  }
  return actions;
}

}  // namespace spoor
