#include "search/reduction_plan.h"

#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "search/core.h"
#include "search/path.h"
#include "search/worker.h"
#include "store/exact.h"

namespace spoor {
namespace {

using Store = ExactStore;

// What was decided of a state.
enum Colour : std::uint8_t { kNew = 0, kOnPath = 1, kFull = 2 };  // bits

class PlanMaker {
 public:
  PlanMaker(SearchCore<Store>& core, std::vector<std::uint8_t>& colours)
      : core_(core), worker_(core), path_(core, worker_), colours_(colours) {}

  void run() {
    worker_.begin();
    const std::vector<std::byte> initial = core_.system().initial_state();
    enter(worker_.start(initial), 0);
    while (!path_.empty() && !core_.is_over()) {
      auto& top = path_.top();
      if (top.pending > 0) {
        const auto arrival = path_.follow();
        if (arrival.found.is_new) {
          enter(arrival.found.index, arrival.attempt);
        } else {
          top.note.closes_cycle |= colours_[arrival.found.index] == kOnPath;  // and not full
        }
      } else if (!is_full(top.state) && top.note.closes_cycle) {
        worker_.take_back(top.note.followed);
        path_.expand_again_in_full();
        note_expansion(true);
      } else {
        colours_[top.state] &= static_cast<std::uint8_t>(~kOnPath);
        path_.leave();
      }
    }
    worker_.rest();
  }

 private:
  struct Note {
    std::uint32_t followed = 0;  // how many steps there were
    bool closes_cycle = false;   // of states none of which is full
  };

  bool is_full(StateIndex state) const { return (colours_[state] & kFull) != 0; }

  void enter(StateIndex state, std::uint32_t attempt) {
    if (colours_.size() <= state) colours_.resize(state + std::size_t{1} + state / 2, kNew);
    if (!path_.enter(state, {}, attempt, false)) return;
    colours_[state] = kOnPath;
    note_expansion(!worker_.expansion().is_reduced && !worker_.expansion().is_reduced_for_deadlocks);
    path_.poll(colours_.capacity());
  }

  void note_expansion(bool is_in_full) {
    auto& top = path_.top();
    top.note.followed = top.pending;
    if (is_in_full) colours_[top.state] |= kFull;
  }

  SearchCore<Store>& core_;
  SearchWorker<Store> worker_;
  SearchPath<Store, Note> path_;
  std::vector<std::uint8_t>& colours_;  // by state
};

// The model with the steps of the plan.
class PlannedSystem : public TransitionSystem {
 public:
  PlannedSystem(const TransitionSystem& model, Store& store, const std::vector<std::uint8_t>& colours)
      : model_(model), store_(store), colours_(colours) {}

  void expand(StateBytes state, Expansion& out) const override {
    model_.expand(state, out);
    if (!out.is_reduced || out.was_cut) return;
    if (!is_full(state)) {  // that the condition for this is met has been seen to
      out.is_reduced = false;
      out.is_reduced_for_deadlocks = true;
      return;
    }
    out.forget_last();
    out.may_reduce = false;
    model_.expand(state, out);
    out.may_reduce = true;
  }

  std::vector<std::byte> initial_state() const override { return model_.initial_state(); }
  Explanation explain(StateBytes state, std::uint32_t attempt) const override { return model_.explain(state, attempt); }
  std::vector<std::string> describe(StateBytes state) const override { return model_.describe(state); }
  std::string message(const Finding& finding) const override { return model_.message(finding); }
  Position place(const Finding& finding) const override { return model_.place(finding); }
  const std::vector<Element>& elements() const override { return model_.elements(); }
  void elements_of(StateBytes state, std::vector<std::uint32_t>& out) const override { model_.elements_of(state, out); }
  const std::vector<Element>& statements() const override { return model_.statements(); }
  const SourceSet& sources() const override { return model_.sources(); }

 private:
  bool is_full(StateBytes state) const {
    Store::Writer writer;
    const Insertion found = store_.insert(writer, Store::key(state), state);
    if (found.is_new) throw std::logic_error("a state that the plan of the reduction does not know");
    return (colours_[found.index] & kFull) != 0;
  }

  const TransitionSystem& model_;
  Store& store_;
  const std::vector<std::uint8_t>& colours_;
};

SearchOptions for_plan(const SearchOptions& wanted) {
  SearchOptions options;
  options.order = Order::kDepthFirst;
  options.store = StoreKind::kExact;
  options.limits = wanted.limits;
  options.limits.depth = 0;
  options.reduce = true;
  options.counted = FindingKinds::none();
  options.interrupt = wanted.interrupt;
  options.progress = wanted.progress;
  options.progress_interval_s = wanted.progress_interval_s;
  return options;
}

}  // namespace

struct ReductionPlan::Content {
  Content(const TransitionSystem& model, const SearchOptions& wanted)
      : options(for_plan(wanted)), core(model, options), system(model, core.store(), colours) {}

  const SearchOptions options;
  std::vector<std::uint8_t> colours;
  SearchCore<Store> core;
  PlannedSystem system;
  SearchResult result;
};

ReductionPlan::ReductionPlan() = default;
ReductionPlan::~ReductionPlan() = default;

std::optional<LimitHit> ReductionPlan::make(const TransitionSystem& model, const SearchOptions& options) {
  content_ = std::make_unique<Content>(model, options);
  {
    PlanMaker maker(content_->core, content_->colours);
    try {
      maker.run();
    } catch (const std::bad_alloc&) {
      content_->core.end(LimitHit::kOutOfMemory);
    }
  }
  content_->result = content_->core.finish();
  return content_->result.limit;
}

const TransitionSystem& ReductionPlan::system() const { return content_->system; }
std::uint64_t ReductionPlan::states() const { return content_->result.statistics.states; }
std::uint64_t ReductionPlan::memory_bytes() const { return content_->core.store().memory_bytes() + content_->colours.capacity(); }
double ReductionPlan::elapsed_s() const { return content_->result.statistics.elapsed_s; }

}  // namespace spoor
