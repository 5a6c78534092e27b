// The layer that tries out a reduction: right ones pass, and each way to be wrong is caught.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "layer/reduction_check.h"
#include "search/search.h"
#include "unit/quiet_system.h"

namespace spoor {
namespace {

using Bytes = std::vector<std::byte>;

unsigned at(const Bytes& state, std::size_t i) { return std::to_integer<unsigned>(state[i]); }
void set(Bytes& state, std::size_t i, unsigned value) { state[i] = static_cast<std::byte>(value); }

struct Moved {
  Bytes state;
  bool fails = false;
};
// One step of a process from a state; nothing where it cannot move.
using Move = std::function<std::optional<Moved>(const Bytes&)>;

// Processes that move on a handful of bytes, and a claim about who may move alone: true or not.
class FakeProcesses : public QuietSystem {
 public:
  FakeProcesses(Bytes initial, std::vector<std::vector<Move>> processes, std::size_t alone)
      : initial_(std::move(initial)), processes_(std::move(processes)), alone_(alone) {}

  Bytes initial_state() const override { return initial_; }
  void expand(StateBytes bytes, Expansion& out) const override {
    if (out.asked.may_reduce) {
      add(bytes, alone_, out);
      out.is_reduced = !out.last_successors().empty();
      if (out.is_reduced) return;
    }
    for (std::size_t i = 0; i < processes_.size(); ++i) add(bytes, i, out);
  }
  Explanation explain(StateBytes bytes, StepId step) const override {
    const Bytes state(bytes.begin(), bytes.end());
    Explanation result;
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      for (std::size_t k = 0; k < processes_[i].size(); ++k) {
        if (!processes_[i][k](state) || count++ != step.ordinal()) continue;
        Action action;
        action.process = static_cast<int>(i);
        action.process_name = "P";
        action.transition = static_cast<std::uint32_t>(k);
        action.statement = "move " + std::to_string(k);
        result.actions.push_back(std::move(action));
      }
    }
    return result;
  }
  std::vector<std::string> describe(StateBytes bytes) const override {
    return {std::to_string(bytes.size()) + " bytes"};
  }
  std::string message(const Finding&) const override { return "planted"; }

 private:
  void add(StateBytes bytes, std::size_t process, Expansion& out) const {
    const Bytes state(bytes.begin(), bytes.end());
    for (const Move& move : processes_[process]) {
      const std::optional<Moved> next = move(state);
      if (!next) continue;
      const StepId step(out.last_successors().size());
      const auto offset = static_cast<std::uint32_t>(out.arena.size());
      out.arena.append(next->state);
      if (next->fails) out.findings.push_back({FindingKind::kAssertion, 1, step});
      out.successors.push_back({step, offset, static_cast<std::uint32_t>(next->state.size())});
    }
  }

  Bytes initial_;
  std::vector<std::vector<Move>> processes_;
  std::size_t alone_;
};

// Counts its own byte up to 3, by then doing something to the state.
Move counter(std::size_t own, std::function<void(Bytes&)> also = {}) {
  return [=](const Bytes& state) -> std::optional<Moved> {
    if (at(state, own) >= 3) return std::nullopt;
    Bytes next = state;
    set(next, own, at(state, own) + 1);
    if (also) also(next);
    return Moved{next};
  };
}

SearchResult search_reduced(const TransitionSystem& system) {
  SearchOptions options;
  options.reduce = true;
  options.all_errors = true;
  return search(system, options);
}

std::optional<ReductionFault> fault_of(const FakeProcesses& system) {
  const ReductionCheck layer(system);
  search_reduced(layer);
  return layer.fault();
}

TEST(ReductionCheck, LetsProcessesPassThatShareNothing) {
  const FakeProcesses system(Bytes(2), {{counter(0)}, {counter(1)}}, 0);
  const ReductionCheck layer(system);
  const SearchResult through = search_reduced(layer);
  EXPECT_FALSE(layer.fault());
  EXPECT_GT(layer.checked_states(), 0U);
  EXPECT_GT(layer.checked_pairs(), 0U);
  EXPECT_EQ(through.statistics.states, search_reduced(system).statistics.states);
  EXPECT_LT(through.statistics.states, 16U);
}

TEST(ReductionCheck, CatchesStepsWhoseOrderShows) {
  const auto doubles = [](Bytes& s) { set(s, 2, 2 * at(s, 2)); };
  const auto adds = [](Bytes& s) { set(s, 2, at(s, 2) + 1); };
  const auto fault = fault_of(FakeProcesses(Bytes(3), {{counter(0, adds)}, {counter(1, doubles)}}, 0));
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->reason.find("same state"), std::string::npos) << fault->reason;
  EXPECT_EQ(fault->step, "P[0] move 0");
  EXPECT_EQ(fault->other, "P[1] move 0");
}

TEST(ReductionCheck, CatchesAStepThatStopsAnother) {
  const Move waits = [](const Bytes& s) -> std::optional<Moved> {
    if (at(s, 0) != 0 || at(s, 1) != 0) return std::nullopt;
    Bytes next = s;
    set(next, 1, 1);
    return Moved{next};
  };
  EXPECT_TRUE(fault_of(FakeProcesses(Bytes(2), {{counter(0)}, {waits}}, 0)));
}

TEST(ReductionCheck, CatchesAStepThatIsStoppedByAnother) {
  const Move waits = [](const Bytes& s) -> std::optional<Moved> {
    if (at(s, 0) != 0 || at(s, 1) != 0) return std::nullopt;
    Bytes next = s;
    set(next, 1, 1);
    return Moved{next};
  };
  EXPECT_TRUE(fault_of(FakeProcesses(Bytes(2), {{counter(0)}, {waits}}, 1)));
}

// The two steps commute where the claim is made; the third step of the other process does not.
TEST(ReductionCheck, CatchesWhatOnlyAWalkOfTheOthersShows) {
  const auto later = [](Bytes& s) {
    if (at(s, 1) == 3) set(s, 2, 2 * at(s, 2));
  };
  const Move once = [](const Bytes& s) -> std::optional<Moved> {
    if (at(s, 0) != 0) return std::nullopt;
    Bytes next = s;
    set(next, 0, 1);
    set(next, 2, at(s, 2) + 1);
    return Moved{next};
  };
  EXPECT_TRUE(fault_of(FakeProcesses(Bytes(3), {{once}, {counter(1, later)}}, 0)));
}

TEST(ReductionCheck, CatchesAStepThatOthersMakePossible) {
  const Move needs_the_other = [](const Bytes& s) -> std::optional<Moved> {
    if (at(s, 1) != 2 || at(s, 0) != 0) return std::nullopt;
    Bytes next = s;
    set(next, 0, 9);
    return Moved{next};
  };
  EXPECT_TRUE(fault_of(FakeProcesses(Bytes(2), {{counter(0), needs_the_other}, {counter(1)}}, 0)));
}

TEST(ReductionCheck, CatchesAStepAfterWhichNothingFails) {
  const Move fails_early = [](const Bytes& s) -> std::optional<Moved> {
    if (at(s, 1) != 0) return std::nullopt;
    Bytes next = s;
    set(next, 1, 1);
    return Moved{next, at(s, 0) == 0};
  };
  EXPECT_TRUE(fault_of(FakeProcesses(Bytes(2), {{counter(0)}, {fails_early}}, 0)));
}

TEST(ReductionCheck, AsksNothingOfAnExpansionInFull) {
  const FakeProcesses system(Bytes(2), {{counter(0)}, {counter(1)}}, 0);
  const ReductionCheck layer(system);
  const SearchResult result = search(layer, SearchOptions());
  EXPECT_EQ(layer.checked_states(), 0U);
  EXPECT_EQ(result.statistics.states, 16U);
}

}  // namespace
}  // namespace spoor
