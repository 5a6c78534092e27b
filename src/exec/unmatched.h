// States without the bytes that do not count: c_track "UnMatched" and "StackOnly".
//
// Such data travel with a state but are no part of its identity: two states that differ only there are
// one. SPIN keeps them on its search stack and restores them when it backtracks. Here a search keeps
// states and nothing else, so this layer stands between the two: below it a state has the bytes, above
// it they are cut out, and what they were at the first arrival is remembered under a hash of 128 bits
// of the rest. When the state is expanded, it is completed with them.
//
// "First" is the first time that a step was seen to lead to the state. The step of the search's tree is
// that one, so a trace from a search is executed here as it would be in SPIN. What follows when the
// future of a state depends on data that it is said not to depend on is open, in SPIN as well.
//
// Cost: about 60 bytes and the data per state, counted as working memory. Thread safety: as for every
// system; the table has one lock.
// Tested by: tests/suites/test_embedded_c.py
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/layer.h"
#include "model/propositions.h"
#include "model/system.h"

namespace spoor::exec {

// What is remembered; layers over several views of one model share it.
class UnmatchedData;
std::shared_ptr<UnmatchedData> make_unmatched_data();

class UnmatchedLayer : public LayerOver<TransitionSystem>, public Propositions {
 public:
  // The bytes [offset, offset + count) of the states of `below` are cut out. `below` must outlive this
  // unless it is owned by it.
  UnmatchedLayer(std::shared_ptr<const TransitionSystem> below, std::uint32_t offset, std::uint32_t count,
                 std::shared_ptr<UnmatchedData> data);

  std::vector<std::byte> initial_state() const override;
  void expand(StateBytes state, Expansion& out) const override;
  // REQUIRES: what is below has propositions.
  AtomValues atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                         std::vector<Finding>& findings) const override;
  Explanation explain(StateBytes state, StepId step) const override;
  const Propositions* propositions() const override {
    return owned_->propositions() != nullptr ? this : nullptr;
  }

 private:
  // Cuts the bytes out of a state and remembers them; returns the length of what is left.
  std::size_t cut(std::byte* state, std::size_t length) const;
  std::vector<std::byte> whole(StateBytes state) const;

  StateBytes state_below(StateBytes state, std::vector<std::byte>& room) const override {
    room = whole(state);
    return room;
  }

  const std::shared_ptr<const TransitionSystem> owned_;  // what is below
  const std::uint32_t offset_, count_;
  const std::shared_ptr<UnmatchedData> data_;
};

}  // namespace spoor::exec
