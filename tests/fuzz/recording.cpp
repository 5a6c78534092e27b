// Any bytes as the contents of a recording whose checksums are right: the recording is refused, or a system
// that uses it can be searched.
//
// The input: a byte for the number of states, one for the number of sets of statements with one byte per set
// (the statement), then for each state a byte that says how many steps of the model are walked from the
// initial state to it (255: that many bytes of the input are the state), a byte for the length of what the
// states reach (0: nothing is said; the first half are sets, the second half is a chunk of their numbers),
// and the rest is a chunk of steps.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/pruned_system.h"
#include "evidence/reachable_sets.h"
#include "evidence/recorded_system.h"
#include "evidence/recording.h"
#include "evidence/walk.h"
#include "exec/interpreter.h"
#include "promela/compile.h"
#include "promela/parse.h"

namespace {

constexpr const char* kModel = R"(
byte x; chan q = [2] of { byte };
active proctype P() { do :: x < 9 -> x++ :: q!x :: atomic { x > 3 -> x = 0 } od }
active proctype Q() { byte y; do :: q?y :: y > 5 -> y = 0; assert(x < 9) od }
)";
constexpr std::size_t kMostStates = 40;

const spoor::exec::Interpreter& interpreter() {
  static const auto made = [] {
    spoor::promela::ParseResult parsed = spoor::promela::parse_text("fuzz.pml", kModel, {});
    auto program = std::make_shared<spoor::promela::Program>(
        spoor::promela::compile(parsed.model, parsed.sources, parsed.diagnostics));
    if (parsed.diagnostics.has_errors()) std::abort();
    return std::make_unique<spoor::exec::Interpreter>(program);
  }();
  return *made;
}

// The first bytes of the input, which is then shorter.
std::string_view take(std::string_view& input, std::size_t count) {
  const std::string_view taken = input.substr(0, count);
  input.remove_prefix(taken.size());
  return taken;
}
std::uint8_t take_byte(std::string_view& input) {
  const std::string_view taken = take(input, 1);
  return taken.empty() ? 0 : static_cast<std::uint8_t>(taken[0]);
}

std::vector<std::byte> walk(std::size_t steps) {
  std::vector<std::byte> state = interpreter().initial_state();
  for (std::size_t i = 0; i < steps; ++i) {
    spoor::Expansion out;
    interpreter().expand(state, out);
    if (out.successors.empty()) break;
    const spoor::StateBytes next = out.state(out.successors[i % out.successors.size()]);
    state.assign(next.begin(), next.end());
  }
  return state;
}

spoor::Recording recording_from(std::string_view input) {
  spoor::Recording recording;
  const std::size_t states = take_byte(input) % kMostStates;
  for (std::size_t left = take_byte(input) % 8; left > 0; --left)
    recording.executed.push_back({take_byte(input)});
  for (std::size_t i = 0; i < states; ++i) {
    const std::uint8_t steps = take_byte(input);
    if (steps == UINT8_MAX) {
      recording.states.add(std::as_bytes(std::span(take(input, take_byte(input)))));
    } else {
      recording.states.add(walk(steps));
    }
  }
  if (const std::size_t bytes = take_byte(input); bytes != 0) {
    spoor::ReachableSets& sets = recording.reachable.emplace();
    sets.read_sets(take(input, bytes / 2));
    sets.read_numbers(take(input, bytes - bytes / 2));
    sets.require_complete(recording.states.bound());
  }
  read_steps(input, recording);
  return recording;
}

void search(const spoor::TransitionSystem& system) {
  std::vector<std::vector<std::byte>> todo = {system.initial_state()};
  for (std::size_t at = 0; at < todo.size() && at < 2 * kMostStates; ++at) {
    for (const bool may_reduce : {false, true}) {
      spoor::Expansion out;
      out.asked.may_reduce = may_reduce;
      out.asked.columns.executed = true;
      system.expand(todo[at], out);
      for (const spoor::Successor& successor : out.successors) {
        const spoor::StateBytes bytes = out.state(successor);
        todo.emplace_back(bytes.begin(), bytes.end());
      }
    }
  }
}

void search_pruned(const spoor::Recording& recording) {
  std::string why_not;
  const auto pruned = spoor::PrunedSystem::make(recording, interpreter(), interpreter(), why_not);
  if ((pruned == nullptr) != !why_not.empty()) std::abort();
  if (pruned != nullptr) search(*pruned);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    spoor::Recording recording = recording_from(std::string_view(reinterpret_cast<const char*>(data), size));
    search_pruned(recording);
    std::string why_not;
    const auto graph = spoor::KnownGraph::make(recording, interpreter(), interpreter(), {}, why_not);
    if ((graph == nullptr) != !why_not.empty()) std::abort();
    if (graph == nullptr) return 0;
    for (const bool reduces : {false, true}) {
      spoor::WalkOptions options;
      options.reduces = reduces;
      spoor::Walk(*graph, interpreter(), options).run();
    }
    graph->require_states();
    search(spoor::RecordedSystem(*graph, interpreter(), false));
    recording.reachable = spoor::reachable_sets(recording, interpreter());
    if (recording.reachable->number_of.size() != recording.states.bound()) std::abort();
    search_pruned(recording);
  } catch (const spoor::FramedFileError&) {
  }
  return 0;
}
