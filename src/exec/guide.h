// What a Promela program knows about its states that leads a search to errors (model/guidance.h).
//
// Places are read from the bytes of a state, without a StateView: the block of a process begins with its type
// and its location. Distances are condition_distance.h's.
//
// Tested by: tests/unit/test_guidance.cpp
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "exec/machine.h"
#include "model/guidance.h"
#include "promela/program.h"

namespace spoor::exec {

class Guide : public Guidance {
 public:
  // An assertion: where it stands, and its condition. kNone: it stands inside a d_step, whose statements
  // before it may change the condition.
  struct AssertionPlace {
    std::uint32_t location = 0;
    promela::ExprId condition = promela::kNone;
  };

  // `machine` must outlive this.
  explicit Guide(const Machine& machine);

  void places(StateBytes state, std::vector<ProcessPlace>& out) const override;
  std::uint32_t process_of(StateBytes state, StepId step) const override;
  std::uint64_t group_of(StateBytes state, std::uint32_t process) const override;
  std::unique_ptr<Heuristic> distance_to_assertions() const override;
  std::unique_ptr<Heuristic> distance_to_atoms(std::span<const WantedAtoms> wanted) const override;

 private:
  const Machine& machine_;
  std::vector<std::vector<AssertionPlace>> assertions_;  // by process type
};

}  // namespace spoor::exec
