#include "hunt/eda.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "hunt/state_tree.h"

namespace spoor {
namespace {

struct SampledPath {
  std::vector<Ngrams::Action> actions;
  std::vector<StepId> steps;
  std::optional<Finding> finding;
  double estimate = 0;  // of its states, on average
  bool is_all = false;  // the initial state is all there is

  std::uint64_t memory_bytes() const {
    return actions.capacity() * sizeof(Ngrams::Action) + steps.capacity() * sizeof(StepId);
  }
};

bool is_better(const SampledPath& a, const SampledPath& b) {
  if (a.finding.has_value() != b.finding.has_value()) return a.finding.has_value();
  return a.finding ? a.steps.size() < b.steps.size() : a.estimate < b.estimate;
}

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

// Draws paths.
class PathSampler {
 public:
  PathSampler(Hunter& hunter, const MethodOptions& options, const EdaOptions& eda, const Ngrams& ngrams)
      : hunter_(hunter),
        options_(options),
        random_choices_(eda.mutation < 1 ? static_cast<std::uint64_t>(eda.mutation * 0x1p64) : UINT64_MAX),
        sampler_(ngrams),
        initial_(hunter.system().initial_state()) {
    expansion_.asked.columns.labels = true;
  }

  // False: the search is over, and the path is not complete.
  bool sample(std::uint64_t seed, SampledPath& path) {
    path = {};
    std::mt19937_64 random(seed);
    state_ = initial_;
    on_way_.clear();
    Ngrams::Context context;
    double estimates = 0;
    std::uint64_t states = 0;
    while (on_way_.insert(hash_bytes(state_)).second) {
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

  std::uint64_t memory_bytes() const {
    constexpr std::uint64_t kBytesPerEntry = 32;  // of the set
    return state_.capacity() + on_way_.size() * kBytesPerEntry + noted_bytes_;
  }
  // What the caller has besides.
  void note_memory(std::uint64_t bytes) { noted_bytes_ = bytes; }
  std::uint64_t states() const { return states_; }
  std::uint64_t depth() const { return depth_; }

 private:
  void end(const Finding& finding, SampledPath& path) {
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
  std::unordered_set<std::uint64_t> on_way_;
  std::uint64_t noted_bytes_ = 0, states_ = 0, depth_ = 0;
};

class Eda {
 public:
  Eda(Hunter& hunter, const MethodOptions& options, const EdaOptions& eda, Ngrams& ngrams)
      : hunter_(hunter),
        options_(options),
        eda_(eda),
        ngrams_(ngrams),
        sampler_(hunter, options, eda, ngrams) {}

  MethodResult run() {
    for (std::uint64_t generation = 0; !hunter_.is_over(); ++generation) {
      const std::uint64_t of_run = generation % eda_.generations;
      if (of_run == 0) {
        if (best_) break;
        begin();
      }
      if (!draw(generation)) break;
      if (best_ && !eda_.goes_on) break;
      learn();
    }
    result_.states = sampler_.states();
    result_.depth = sampler_.depth();
    return std::move(result_);
  }

 private:
  void begin() {
    paths_.clear();
    ngrams_.clear();
    if (eda_.before == nullptr) return;
    for (const std::uint64_t context : eda_.before->contexts()) {
      for (const auto& [action, count] : eda_.before->after(context)) ngrams_.add(context, action, count);
    }
  }
  // The paths of a generation, behind those that are kept. False: the search is over.
  bool draw(std::uint64_t generation) {
    paths_.resize(std::min<std::size_t>(paths_.size(), eda_.kept));
    while (paths_.size() < eda_.paths) {
      SampledPath path;
      sampler_.note_memory(memory_bytes());
      if (!sampler_.sample(seed_of(options_.seed, generation, paths_.size()), path)) return false;
      if (path.is_all) {
        result_.has_seen_all = result_.has_seen_all_within = true;
        return false;
      }
      if (path.finding && (!best_ || path.steps.size() < *best_)) {
        best_ = path.steps.size();
        result_.found = Violation{*path.finding, path.steps};
        if (options_.on_found) options_.on_found(*result_.found);
        if (!eda_.goes_on) return true;
      }
      paths_.push_back(std::move(path));
    }
    return true;
  }
  void learn() {
    std::ranges::stable_sort(paths_, is_better);
    ngrams_.clear();
    for (std::size_t i = 0; i < std::min<std::size_t>(eda_.chosen, paths_.size()); ++i)
      ngrams_.learn(paths_[i].actions);
  }
  std::uint64_t memory_bytes() const {
    std::uint64_t bytes = ngrams_.memory_bytes() + paths_.capacity() * sizeof(SampledPath);
    for (const SampledPath& path : paths_) bytes += path.memory_bytes();
    return bytes;
  }

  Hunter& hunter_;
  const MethodOptions& options_;
  const EdaOptions& eda_;
  Ngrams& ngrams_;
  PathSampler sampler_;
  std::vector<SampledPath> paths_;   // the best ones first, after learn()
  std::optional<std::size_t> best_;  // its length
  MethodResult result_;
};

}  // namespace

MethodResult estimate_distribution(Hunter& hunter, const MethodOptions& options, const EdaOptions& eda,
                                   Ngrams& learned) {
  return Eda(hunter, options, eda, learned).run();
}

MethodResult hunt_eda(Hunter& hunter, const MethodOptions& options) {
  EdaOptions eda;
  eda.goes_on = static_cast<bool>(options.on_found);
  eda.before = options.learned;
  Ngrams learned;
  return estimate_distribution(hunter, options, eda,
                               options.learn_into != nullptr ? *options.learn_into : learned);
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
