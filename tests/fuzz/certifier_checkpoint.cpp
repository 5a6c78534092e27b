// Any bytes as the record of a checkpoint of a certification; and a right checkpoint with changed bytes, in
// its record (under right checksums) or in its file. It is refused, or read and written the same again. A
// certification that continues from it confirms a right certificate exactly if the sums and figures of the
// regions that are said to be done are theirs. Nothing large is made of a small record.
//
// The input: a byte that says what the rest is (0: a record; 1: changes of the record; 2: of the file);
// changes are three bytes each, a place and what is combined with it by exclusive or.
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "evidence/certifier_checkpoint.h"
#include "evidence/certifier_ranks.h"
#include "exec/interpreter.h"
#include "promela/compile.h"
#include "promela/parse.h"
#include "unit/certificates.h"

namespace {

using namespace spoor;

constexpr const char* kModel =
    "byte x; chan q = [2] of { byte };\n"
    "active proctype P() { do :: x < 4 -> x++ :: q!x :: atomic { x > 2 -> x = 0 } od }\n"
    "active proctype Q() { byte y; do :: q?y :: y > 2 -> y = 0 od }\n";
constexpr std::uint64_t kRegionSteps = 150;
constexpr const char* kIdentity = "this";

const exec::Interpreter& interpreter() {
  static const auto made = [] {
    promela::ParseResult parsed = promela::parse_text("fuzz.pml", kModel, {});
    auto program = std::make_shared<promela::Program>(
        promela::compile(parsed.model, parsed.sources, parsed.diagnostics));
    if (parsed.diagnostics.has_errors()) std::abort();
    return std::make_unique<exec::Interpreter>(program);
  }();
  return *made;
}

const certified::Certificate& certificate() {
  static const certified::Certificate made = [] {
    certified::Certificate recorded = certified::record_script(interpreter(), kRegionSteps).certificate;
    if (recorded.claim.regions < 5) std::abort();
    return recorded;
  }();
  return made;
}
const certified::CertificateFile& certificate_file() {
  static const certified::CertificateFile made(certificate());
  return made;
}

// Sums and figures of these regions under this key.
RegionTotals totals_of(const CertifierProgress& progress) {
  RegionTotals sum;
  certificate_file().read([&](const CertificateClaim& claim, FramedReader& reader) {
    RegionCertifier certifier(interpreter(), claim, reader, {}, progress.key);
    for (std::uint64_t region = 1; region <= claim.regions; ++region) {
      RegionTotals totals;
      if (!progress.has(region)) continue;
      if (!certifier.certify(region, region + 1, totals)) std::abort();
      sum.add(totals);
    }
  });
  return sum;
}

CertifierProgress right_progress() {
  CertifierProgress progress;
  for (std::size_t i = 0; i < progress.key.size(); ++i) progress.key[i] = static_cast<unsigned char>(i);
  for (const std::uint64_t region : {1u, 2u, 4u}) progress.note_done(region);
  progress.totals = totals_of(progress);
  progress.elapsed_s = 1.5;
  return progress;
}

// Without the pains that a FramedWriter takes about the disk.
std::string file_of(const std::string& record) {
  std::uint64_t checksum = 0;
  std::string bytes = encoded_header(kRegionsFormat, {{"identity", sha256(kIdentity)}}, checksum);
  bytes += encoded_block({'p', 0, static_cast<std::uint32_t>(record.size())}, record, checksum);
  return bytes + encoded_block({}, {}, checksum);
}

// Nothing: it is refused.
std::unique_ptr<CertifierCheckpoint> opened(const std::string& file) {
  static const TemporaryFolder folder;
  const std::string path = folder.path() + "/checkpoint";
  std::ofstream(path, std::ios::binary) << file;
  ::chmod(path.c_str(), 0600);
  try {
    return std::make_unique<CertifierCheckpoint>(CheckpointOptions{"", path, kIdentity, 300},
                                                 certificate().claim.regions);
  } catch (const FramedFileError&) {
    return nullptr;
  }
}

void resume(CertifierCheckpoint& checkpoint) {
  const CertifierProgress& progress = *checkpoint.resumed();
  const RegionTotals right = totals_of(progress);
  // Of the sums the difference counts.
  const RegionTotals& said = progress.totals;
  const bool is_right = said.members - said.references == right.members - right.references &&
                        said.states == right.states && said.steps == right.steps;
  CertifierOptions options;
  options.checkpoint = &checkpoint;
  const CertifierResult result = certificate_file().certify(interpreter(), options);
  if ((result.answer == CertifierResult::Answer::kConfirmed) != is_right) std::abort();
}

std::string changed(std::string bytes, std::string_view changes) {
  for (; changes.size() >= 3; changes.remove_prefix(3)) {
    const auto low = static_cast<std::uint8_t>(changes[0]), high = static_cast<std::uint8_t>(changes[1]);
    char& byte = bytes[(low | std::size_t{high} << 8) % bytes.size()];
    byte = static_cast<char>(byte ^ changes[2]);
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data + 1), size - 1);
  static const std::string right = encoded_progress(right_progress());
  if (data[0] % 3 == 2) {
    const std::string file = changed(file_of(right), rest);
    const auto checkpoint = opened(file);
    if ((checkpoint != nullptr) != (file == file_of(right))) std::abort();
    return 0;
  }
  const std::string record = data[0] % 3 == 1 ? changed(right, rest) : std::string(rest);
  const std::uint64_t regions = certificate().claim.regions;
  std::optional<CertifierProgress> progress;
  try {
    progress = decoded_progress(record, regions);
  } catch (const FramedFileError&) {
  }
  const auto checkpoint = opened(file_of(record));
  if ((checkpoint != nullptr) != progress.has_value()) std::abort();
  if (!progress) return 0;
  if (progress->is_done.size() > regions + 1 || checkpoint->resumed() != progress ||
      decoded_progress(encoded_progress(*progress), regions) != *progress)
    std::abort();
  resume(*checkpoint);
  return 0;
}
