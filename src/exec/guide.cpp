#include "exec/guide.h"

#include <algorithm>
#include <utility>

#include "exec/condition_distance.h"

namespace spoor::exec {
namespace {

using promela::StatementOp;

class AssertionDistance : public Heuristic {
 public:
  AssertionDistance(const Machine& machine, const std::vector<std::vector<Guide::AssertionPlace>>& assertions)
      : assertions_(assertions), distance_(machine) {}

  std::uint32_t estimate(StateBytes state, const Expansion&) override {
    distance_.load(state);
    std::uint32_t least = kFar;
    for (int pid = 0; pid < distance_.view().process_count(); ++pid) {
      const std::uint32_t type = distance_.view().process_type(pid);
      for (const Guide::AssertionPlace& assertion : assertions_[type]) {
        const std::uint32_t way =
            distance_.statements_between(type, distance_.view().location(pid), assertion.location);
        if (way >= least) continue;
        const std::uint32_t missing =
            assertion.condition == promela::kNone ? 0 : distance_.until(assertion.condition, false, pid);
        least = std::min(least, way + missing);
      }
    }
    return least;
  }

 private:
  const std::vector<std::vector<Guide::AssertionPlace>>& assertions_;
  ConditionDistance distance_;
};

class AtomDistance : public Heuristic {
 public:
  AtomDistance(const Machine& machine, std::vector<WantedAtoms> wanted)
      : atoms_(machine.program().claim.atoms), wanted_(std::move(wanted)), distance_(machine) {}

  std::uint32_t estimate(StateBytes state, const Expansion&) override {
    distance_.load(state);
    std::uint32_t least = kFar;
    for (const WantedAtoms& condition : wanted_) {
      std::uint32_t missing = 0;
      for (std::size_t i = 0; i < atoms_.size() && missing < least; ++i) {
        if ((condition.mask >> i & 1) != 0)
          missing += distance_.until(atoms_[i], (condition.value >> i & 1) != 0, -1);
      }
      least = std::min(least, missing);
    }
    return least;
  }

 private:
  const std::vector<promela::ExprId>& atoms_;
  const std::vector<WantedAtoms> wanted_;
  ConditionDistance distance_;
};

void add_assertions(const promela::Program& program, const promela::Transition& transition,
                    std::uint32_t location, std::vector<Guide::AssertionPlace>& out) {
  const promela::Statement& statement = program.statements[transition.statement];
  if (statement.op == StatementOp::kAssert) out.push_back({location, statement.expr});
  if (statement.op != StatementOp::kDStep) return;
  const std::vector<promela::DStepNode>& nodes = program.dsteps[statement.dstep].nodes;
  const bool has_assertion = std::ranges::any_of(nodes, [&](const promela::DStepNode& node) {
    return node.kind == promela::DStepNode::Kind::kStatement &&
           program.statements[node.statement].op == StatementOp::kAssert;
  });
  if (has_assertion) out.push_back({location, promela::kNone});
}

}  // namespace

Guide::Guide(const Machine& machine) : machine_(machine) {
  const promela::Program& program = machine.program();
  for (const promela::ProcessType& process : program.processes) {
    std::vector<AssertionPlace>& found = assertions_.emplace_back();
    for (std::uint32_t location = 0; location < process.locations.size(); ++location) {
      for (const promela::Transition& transition : process.locations[location].transitions)
        add_assertions(program, transition, location, found);
    }
  }
}

void Guide::places(StateBytes state, std::vector<ProcessPlace>& out) const {
  const promela::Program& program = machine_.program();
  out.clear();
  std::size_t at = program.globals_size;
  const auto count = std::to_integer<std::uint32_t>(state[0]);
  for (std::uint32_t pid = 0; pid < count; ++pid) {
    const auto type = std::to_integer<std::uint32_t>(state[at]);
    auto location = std::to_integer<std::uint32_t>(state[at + 1]);
    if (program.location_bytes == 2) location |= std::to_integer<std::uint32_t>(state[at + 2]) << 8;
    out.push_back({type, location});
    at += program.processes[type].size;
  }
}

std::uint32_t Guide::process_of(StateBytes state, StepId step) const {
  return std::to_integer<std::uint32_t>(state[0]) - 1 - static_cast<std::uint32_t>(step.group());
}

std::uint64_t Guide::group_of(StateBytes state, std::uint32_t process) const {
  return std::to_integer<std::uint64_t>(state[0]) - 1 - process;
}

std::unique_ptr<Heuristic> Guide::distance_to_assertions() const {
  const bool has_any = std::ranges::any_of(assertions_, [](const auto& places) { return !places.empty(); });
  if (!has_any) return nullptr;
  return std::make_unique<AssertionDistance>(machine_, assertions_);
}

std::unique_ptr<Heuristic> Guide::distance_to_atoms(std::span<const WantedAtoms> wanted) const {
  if (machine_.program().claim.atoms.empty()) return nullptr;
  return std::make_unique<AtomDistance>(machine_, std::vector<WantedAtoms>(wanted.begin(), wanted.end()));
}

}  // namespace spoor::exec
