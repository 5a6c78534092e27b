#include "graph/export.h"

#include <span>
#include <unordered_map>
#include <vector>

#include "graph/aut.h"

namespace spoor {
namespace {

std::string key_of(StateBytes state) { return {reinterpret_cast<const char*>(state.data()), state.size()}; }

StateBytes bytes_of(const std::string& key) { return std::as_bytes(std::span(key)); }

class Exporter {
 public:
  Exporter(const TransitionSystem& system, const ExportLimits& limits) : system_(system), limits_(limits) {}

  ExportResult run(std::ostream& out) {
    find_states();
    if (!is_cut_) write(out);
    return {!is_cut_, order_.size(), transitions_};
  }

 private:
  void find_states() {
    number(system_.initial_state());
    Expansion expansion;
    for (std::size_t i = 0; i < order_.size() && !is_cut_; ++i) {
      expansion.clear();
      system_.expand(bytes_of(*order_[i]), expansion);
      transitions_ += expansion.successors.size();
      for (const Successor& successor : expansion.successors) number(expansion.state(successor));
      if (is_interrupted() || (limits_.states != 0 && order_.size() > limits_.states)) {
        is_cut_ = true;
      }
    }
  }

  void write(std::ostream& out) {
    write_aut_header(out, 0, transitions_, order_.size());
    Expansion expansion;
    for (std::size_t i = 0; i < order_.size() && !is_cut_; ++i) {
      const StateBytes state = bytes_of(*order_[i]);
      expansion.clear();
      system_.expand(state, expansion);
      for (const Successor& successor : expansion.successors) {
        write_aut_transition(out, i, label_of(system_.explain(state, successor.step)),
                             number(expansion.state(successor)));
      }
      is_cut_ = is_interrupted();
    }
  }

  std::uint64_t number(StateBytes state) {
    const auto [found, is_new] = numbers_.emplace(key_of(state), order_.size());
    if (is_new) order_.push_back(&found->first);
    return found->second;
  }

  bool is_interrupted() const {
    return limits_.interrupt != nullptr && limits_.interrupt->load(std::memory_order_relaxed);
  }

  const TransitionSystem& system_;
  const ExportLimits& limits_;
  std::unordered_map<std::string, std::uint64_t> numbers_;
  std::vector<const std::string*> order_;  // keys of numbers_, which do not move
  std::uint64_t transitions_ = 0;
  bool is_cut_ = false;
};

}  // namespace

ExportResult export_aut(const TransitionSystem& system, std::ostream& out, const ExportLimits& limits) {
  return Exporter(system, limits).run(out);
}

std::string label_of(const Explanation& explanation) {
  std::string label;
  for (const Action& action : explanation.actions) {
    if (!label.empty()) label += "; ";
    if (action.process >= 0) {
      label += action.process_name + "[" + std::to_string(action.process) + "]: ";
    }
    label += action.statement;
  }
  return label;
}

}  // namespace spoor
