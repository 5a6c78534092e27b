// Any bytes as the records of a full or trustful script whose checksums are right; and a right script with
// changed bytes. They are refused, or certified, as a whole and in regions, and what is confirmed has as many
// states as the model, and as many uses of each as were followed. Time and memory stay within the limits.
//
// The input: a byte whose lowest bit says that the script is trustful, and the next that the rest is the
// claim's record; then changes of the right part, three bytes each (a place, and what is combined with it by
// exclusive or); behind a pair of bytes 255, records: each a byte for its length, its bytes, and a byte that
// says how often (a power of two) the last byte is repeated: a small file can have large records.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "evidence/full_script.h"
#include "evidence/full_script_certifier.h"
#include "evidence/full_script_recorder.h"
#include "evidence/full_script_trustful.h"
#include "exec/interpreter.h"
#include "promela/compile.h"
#include "promela/parse.h"
#include "search/search.h"

namespace {

constexpr const char* kModel =
    "byte x; chan q = [2] of { byte };\n"
    "active proctype P() { do :: x < 4 -> x++ :: q!x :: atomic { x > 2 -> x = 0 } od }\n"
    "active proctype Q() { byte y; do :: q?y :: y > 2 -> y = 0 od }\n";

constexpr std::size_t kMostRepeated = 20;  // of a byte, a power of two
constexpr std::uint64_t kMemory = std::uint64_t{64} << 20;

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

// What a search of the model leaves: the table of steps, and one part.
struct RightScript {
  spoor::FullScriptClaim claim;
  std::string steps, part;
};

RightScript make_right_script(bool is_trustful) {
  using namespace spoor;
  const std::string path = (std::filesystem::temp_directory_path() / "spoor-fuzz-full-script").string();
  FullScriptRecorder recorder(path, interpreter(), is_trustful, std::size_t{1} << 20);
  SearchOptions options;
  options.order = Order::kDepthFirst;
  options.observer = &recorder;
  search(interpreter(), options);
  recorder.save({});
  FramedReader reader(path, kCertificateFormat);
  std::filesystem::remove(path);
  RightScript right;
  FileRecord record;
  reader.read(record);
  right.claim = decoded_script_claim(record.content);
  while (reader.read(record)) (record.kind == kStepNamesRecord ? right.steps : right.part) += record.content;
  return right;
}

const RightScript& right_script(bool is_trustful) {
  static const RightScript full = make_right_script(false), trustful = make_right_script(true);
  return is_trustful ? trustful : full;
}

void certify(const RightScript& script, const std::string& part, std::string_view records) {
  using namespace spoor;
  FramedWriter file({std::filesystem::temp_directory_path().string()}, kCertificateFormat);
  file.add(kStepNamesRecord, script.steps);
  if (!part.empty()) file.add(kScriptPartRecord, part);
  while (!records.empty()) {
    std::string record(records.substr(1, static_cast<std::uint8_t>(records[0])));
    records.remove_prefix(std::min(records.size(), 1 + record.size()));
    if (!record.empty() && !records.empty()) {
      record.append((std::size_t{1} << static_cast<std::uint8_t>(records[0]) % (kMostRepeated + 1)) - 1,
                    record.back());
      records.remove_prefix(1);
    }
    file.add(record.size() % 2 == 0 ? kScriptPartRecord : kStepNamesRecord, record);
  }
  file.finish();
  for (const unsigned tasks : {1u, 3u}) {
    FramedReader reader(file, kCertificateFormat);
    CertifierOptions options;
    options.limits.memory_bytes = kMemory;
    options.tasks = tasks;
    const CertifierResult result = script.claim.is_trustful
                                       ? certify_trustful_script(interpreter(), script.claim, reader, options)
                                       : certify_full_script(interpreter(), script.claim, reader, options);
    if (result.answer == CertifierResult::Answer::kConfirmed && result.states != script.claim.common.states)
      std::abort();
    if (result.memory_bytes > 4 * kMemory) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spoor;
  if (size == 0) return 0;
  std::string_view input(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    if ((data[0] & 2) != 0) {
      if (encoded_script_claim(decoded_script_claim(input)).size() > input.size()) std::abort();
      return 0;
    }
    const RightScript& right = right_script((data[0] & 1) != 0);
    std::string part = right.part;
    while (input.size() >= 3) {
      const auto low = static_cast<std::uint8_t>(input[0]), high = static_cast<std::uint8_t>(input[1]);
      if (low == 255 && high == 255) {
        part.clear();
        input.remove_prefix(2);
        break;
      }
      part[(low | std::size_t{high} << 8) % part.size()] ^= input[2];
      input.remove_prefix(3);
    }
    certify(right, part, part.empty() ? input : std::string_view());
  } catch (const FramedFileError&) {
  }
  return 0;
}
