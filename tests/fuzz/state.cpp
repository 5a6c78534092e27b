// Damaged states of a model: they are refused, or can be expanded, described and executed step by step.
//
// The input: a first byte of 255, and the rest is the state; else it says how many steps are walked from the
// initial state, the next bytes choose them, and the rest are pairs of a place in that state and the byte to
// be put there. A place behind the end makes the state longer.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "exec/interpreter.h"
#include "promela/compile.h"
#include "promela/parse.h"

namespace {

// What states are made of: types of all widths, channels of both kinds, records, processes that come and go.
constexpr const char* kModel = R"(
typedef Pair { byte a; unsigned u : 3; chan c };
mtype = { ping, pong };
bit flag; short s; int i; bool several[5]; Pair pair;
chan q = [3] of { byte, mtype, bit }; chan r = [0] of { int };
proctype Child(byte n; chan answers) {
  byte mine[4];
  chan own = [2] of { short };
  do
  :: mine[n] > 3 -> break
  :: own!s :: own?i :: answers!n, ping, 1
  :: atomic { r?i; if :: i > 2 -> s = i / mine[0] :: else fi }
  od
}
active proctype Main() {
  mtype m; byte x;
  do
  :: q?x, m, flag
  :: r!i
  :: _nr_pr < 4 -> run Child(x, q)
  :: d_step { i++; several[x] = !several[x] }
  :: timeout -> pair.u = pair.u + 1
  od unless { s == 7 }
}
)";

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

std::vector<std::byte> state_from(const std::uint8_t* data, std::size_t size) {
  const auto* const bytes = reinterpret_cast<const std::byte*>(data);
  if (size == 0) return {};
  if (data[0] == 255) return {bytes + 1, bytes + size};
  std::vector<std::byte> state = interpreter().initial_state();
  std::size_t at = 1;
  for (int left = data[0] % 32; left > 0 && at < size; --left) {
    spoor::Expansion out;
    interpreter().expand(state, out);
    if (out.successors.empty()) break;
    const spoor::StateBytes next = out.state(out.successors[data[at++] % out.successors.size()]);
    state.assign(next.begin(), next.end());
  }
  for (; at + 1 < size; at += 2) {
    if (data[at] >= state.size()) state.resize(data[at] + std::size_t{1});
    state[data[at]] = bytes[at + 1];
  }
  return state;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto& system = interpreter();
  const std::vector<std::byte> state = state_from(data, size);
  if (!system.is_well_formed(state)) return 0;
  spoor::Expansion out, one;
  system.expand(state, out);
  system.describe(state);
  for (const spoor::Successor& successor : out.successors) {
    if (!system.is_well_formed(out.state(successor))) std::abort();
    one.clear();
    if (!system.step(state, successor.step, one) || one.successors.size() != 1) std::abort();
  }
  return 0;
}
