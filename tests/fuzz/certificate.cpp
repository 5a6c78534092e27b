// Any bytes as the records of a certificate whose checksums are right: they are refused, or certified, and
// never confirmed, because the models have an error. Time and memory stay within the limits.
//
// The input: a byte whose lowest bit is the model, the next whether steps may be left out, and the third
// whether the rest is the record of the claim; then groups, each a byte for its length, its bytes, and a byte
// that says how often (a power of two) the last byte is repeated: a small file can have large records.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/certificate.h"
#include "evidence/certifier.h"
#include "exec/interpreter.h"
#include "promela/compile.h"
#include "promela/parse.h"
#include "promela/reduce.h"

namespace {

constexpr const char* kModels[] = {
    "byte x; chan q = [2] of { byte };\n"
    "active proctype P() { do :: x < 9 -> x++ :: q!x :: atomic { x > 3 -> x = 0 } od }\n"
    "active proctype Q() { byte y; do :: q?y :: y > 5 -> y = 0; assert(x < 4) od }\n",
    "byte x; active proctype P() { byte i; i = 1; i = 2; x++; assert(x < 2) }\n"
    "active proctype Q() { byte i; i = 1; i = 2; x++ }\n"};

constexpr std::size_t kMostRepeated = 20;  // of a byte, a power of two
constexpr std::uint64_t kMemory = std::uint64_t{64} << 20;

std::unique_ptr<spoor::exec::Interpreter> model(const char* text, bool reduces) {
  spoor::promela::ParseResult parsed = spoor::promela::parse_text("fuzz.pml", text, {});
  auto program = std::make_shared<spoor::promela::Program>(
      spoor::promela::compile(parsed.model, parsed.sources, parsed.diagnostics));
  if (parsed.diagnostics.has_errors()) std::abort();
  if (reduces) {
    spoor::promela::clear_dead_variables(*program);
    spoor::promela::find_ample_locations(*program);
  }
  return std::make_unique<spoor::exec::Interpreter>(program);
}

const spoor::exec::Interpreter& system_of(bool is_second, bool reduces) {
  static const std::unique_ptr<spoor::exec::Interpreter> systems[] = {
      model(kModels[0], false), model(kModels[1], false), model(kModels[0], true), model(kModels[1], true)};
  return *systems[(reduces ? 2 : 0) + (is_second ? 1 : 0)];
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

// A record from which certification gets as far as it can: the claim is right about its sizes, and an empty
// root is the initial state.
std::string improved(const std::string& record, const spoor::TransitionSystem& system,
                     spoor::CertificateClaim& claim) {
  try {
    spoor::RegionGroup group = spoor::decoded_group(record);
    const std::vector<std::byte> initial = system.initial_state();
    for (spoor::RegionHead& head : group.heads) {
      if (head.root.empty()) head.root = spoor::as_text(std::span(initial));
      claim.states += head.states;
      claim.steps += head.steps;
      ++claim.regions;
    }
    return spoor::encoded_group(group);
  } catch (const spoor::FramedFileError&) {
    return record;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::uint8_t mode = take_byte(input);
  try {
    if ((mode & 4) != 0) {
      if (spoor::encoded_claim(spoor::decoded_claim(input)).size() > input.size()) std::abort();
      return 0;
    }
    const bool reduces = (mode & 2) != 0;
    const spoor::exec::Interpreter& system = system_of((mode & 1) != 0, reduces);
    spoor::CertificateClaim claim;
    spoor::FramedWriter file({std::filesystem::temp_directory_path().string()}, spoor::kCertificateFormat);
    while (!input.empty()) {
      std::string record(take(input, take_byte(input)));
      const std::size_t repeated = std::size_t{1} << take_byte(input) % (kMostRepeated + 1);
      if (!record.empty() && repeated > 1) record.append(repeated, record.back());
      file.add(spoor::kGroupRecord, improved(record, system, claim));
    }
    file.finish();
    spoor::FramedReader reader(file, spoor::kCertificateFormat);
    spoor::CertifierOptions options;
    options.reduces = reduces;
    options.limits.memory_bytes = kMemory;
    options.second = &system;
    options.second_part = 2;
    const spoor::CertifierResult result = certify(system, claim, reader, options);
    if (result.answer == spoor::CertifierResult::Answer::kConfirmed) std::abort();
    if (result.memory_bytes > 4 * kMemory) std::abort();
  } catch (const spoor::FramedFileError&) {
  }
  return 0;
}
