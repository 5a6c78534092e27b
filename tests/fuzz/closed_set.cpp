// Any bytes as a chunk, with and without ranks, an index and a claim of a closed set; and a right closed set
// with changed bytes, under right digests and checksums. The reader refuses them or gives members in
// ascending order, and what is confirmed has as many states as the model.
//
// The input: as raw bytes; and as changes of the right chunk, three bytes each (a place, and what is added).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/closed_set.h"
#include "evidence/closed_set_certifier.h"
#include "exec/interpreter.h"
#include "promela/compile.h"
#include "promela/parse.h"

namespace {

constexpr const char* kModel = R"(
byte x; chan q = [2] of { byte };
active proctype P() { do :: x < 4 -> x++ :: q!x :: atomic { x > 2 -> x = 0 } od }
active proctype Q() { byte y; do :: q?y :: y > 2 -> y = 0 od }
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

// All states of the model, as one chunk.
struct RightSet {
  std::string record, first;
  spoor::CertificateClaim claim;
};

const RightSet& right_set() {
  static const RightSet made = [] {
    using Bytes = std::vector<std::byte>;
    RightSet set;
    std::map<std::string, std::uint64_t, decltype(&spoor::comes_before)> counts(&spoor::comes_before);
    std::vector<Bytes> todo = {interpreter().initial_state()};
    counts[std::string(spoor::as_text(std::span<std::byte>(todo.front())))] = 1;
    while (!todo.empty()) {
      const Bytes state = std::move(todo.back());
      todo.pop_back();
      spoor::Expansion out;
      interpreter().expand(state, out);
      for (const spoor::Successor& successor : out.successors) {
        const spoor::StateBytes target = out.state(successor);
        ++set.claim.steps;
        if (counts[std::string(spoor::as_text(target))]++ == 0)
          todo.emplace_back(target.begin(), target.end());
      }
    }
    spoor::ChunkEncoder encoder;
    for (const auto& [state, count] : counts) encoder.add(state, count);
    set.claim.states = counts.size();
    set.first = counts.begin()->first;
    set.record = encoder.take();
    return set;
  }();
  return made;
}

spoor::CertifierResult::Answer certify(const std::string& record, std::uint64_t draws) {
  using namespace spoor;
  FramedWriter chunks(FramedWriter::Unnamed{"/tmp"}, kCertificateFormat);
  chunks.add(kChunkRecord, record);
  chunks.finish();
  FramedWriter file(FramedWriter::Unnamed{"/tmp"}, kCertificateFormat);
  ChunkEntry entry = {right_set().claim.states, 0, leaf_digest(record), right_set().first};
  write_closed_set(file, right_set().claim, {entry}, chunks);
  FramedReader reader(file, kCertificateFormat);
  FileRecord claim_record;
  reader.read(claim_record);
  const ClosedSetClaim claim = decoded_closed_set_claim(claim_record.content);
  return draws == 0 ? certify_closed_set(interpreter(), claim, reader, {}).answer
                    : sample_closed_set(interpreter(), claim, reader, {}, draws).answer;
}

// Ranks of the transitions of members, whatever the bytes are.
void read_ranked(std::string_view record) {
  using namespace spoor;
  try {
    decoded_closed_set_claim(record, true);
  } catch (const FramedFileError&) {
  }
  try {
    ChunkDecoder chunk(record, true);
    while (chunk.next() && chunk.state().size() < (std::size_t{1} << 16)) {
      const Rank own = rank_of_member(chunk.state());
      const StepRank* last = nullptr;
      for (const StepRank& other : chunk.step_ranks()) {
        if (other.rank == own || (last != nullptr && other.step <= last->step)) std::abort();
        last = &other;
      }
      if (encoded_step_ranks(own, chunk.step_ranks()).size() > chunk.encoded_ranks().size()) std::abort();
    }
  } catch (const FramedFileError&) {
  }
}

// Its members, or nothing where it is refused.
std::string members_of(std::string_view record) {
  std::string members;
  try {
    spoor::ChunkDecoder chunk(record);
    std::string before;
    for (std::uint64_t i = 0; chunk.next(); ++i) {
      if (i > 0 && !spoor::comes_before(before, chunk.state())) std::abort();
      before = chunk.state();
      members += before + '/' + std::to_string(chunk.references()) + '\n';
      if (members.size() > (std::size_t{1} << 22)) break;
    }
  } catch (const spoor::FramedFileError&) {
    return "";
  }
  return members;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spoor;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  members_of(text);
  read_ranked(text);
  try {
    std::vector<ChunkEntry> entries;
    decode_entries(text, entries);
  } catch (const FramedFileError&) {
  }
  try {
    decoded_closed_set_claim(text);
  } catch (const FramedFileError&) {
  }
  std::string changed = right_set().record;
  for (std::size_t i = 0; i + 3 <= size; i += 3)
    changed[(data[i] | std::size_t{data[i + 1]} << 8) % changed.size()] ^= static_cast<char>(data[i + 2]);
  const bool is_right = members_of(changed) == members_of(right_set().record);
  try {
    if ((certify(changed, 0) == CertifierResult::Answer::kConfirmed) != is_right) std::abort();
    if (certify(changed, 1 + size % 50) != CertifierResult::Answer::kNotRefuted && is_right) std::abort();
  } catch (const FramedFileError&) {
    if (is_right) std::abort();
  }
  return 0;
}
