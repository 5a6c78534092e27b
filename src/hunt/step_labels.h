// What a step does, without the number of its process: the words of which paths are made.
//
// The label of a step is the type of the process that begins it, its location before and after, and an
// ordinal among the steps of the same process that agree in these (two messages to receive, the other side of
// a handshake). A step of one run is found again in another one by its process and label, whatever the other
// processes have done meanwhile; a name (model/step_id.h) says where it is in one state only.
//
// Cost: the places of the processes of every successor. Thread safety: none.
// Tested by: tests/unit/test_shorten.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/guidance.h"
#include "model/system.h"

namespace spoor {

struct StepLabel {
  static constexpr std::uint32_t kGone = UINT32_MAX;  // where a process is that has ended

  std::uint32_t type = 0, before = 0, after = 0, ordinal = 0;
  friend auto operator<=>(const StepLabel&, const StepLabel&) = default;
};

struct LabelledStep {
  StepId step;
  std::uint32_t process = 0;
  StepLabel label;
};

class StepLabels {
 public:
  explicit StepLabels(const Guidance& guidance) : guidance_(guidance) {}

  // Replaces the content of `out` by a row for each successor in the last expansion of `expansion`, which is
  // that of this state.
  void label(StateBytes state, const Expansion& expansion, std::vector<LabelledStep>& out) {
    guidance_.places(state, before_);
    out.clear();
    for (const Successor& successor : expansion.last_successors()) {
      LabelledStep& row = out.emplace_back();
      row.step = successor.step;
      row.process = guidance_.process_of(state, successor.step);
      guidance_.places(expansion.state(successor), after_);
      row.label.type = before_[row.process].type;
      row.label.before = before_[row.process].location;
      row.label.after = row.process < after_.size() ? after_[row.process].location : StepLabel::kGone;
      row.label.ordinal =
          static_cast<std::uint32_t>(std::ranges::count_if(out, [&](const LabelledStep& other) {
            return &other != &row && other.process == row.process && other.label.type == row.label.type &&
                   other.label.before == row.label.before && other.label.after == row.label.after;
          }));
    }
  }

 private:
  const Guidance& guidance_;
  std::vector<ProcessPlace> before_, after_;
};

}  // namespace spoor
