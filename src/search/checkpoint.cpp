#include "search/checkpoint.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "base/packed_numbers.h"

namespace spoor {
namespace {

using Reason = FramedFileError::Reason;

constexpr char kStates = 's', kMark = 'm';
constexpr std::size_t kLongestNumber = 10;  // bytes of a variable-length integer

[[noreturn]] void fail(Reason reason, const std::string& what) { throw CheckpointError(reason, what); }

// ---- marks --------------------------------------------------------------------------------------

std::string to_record(const CheckpointMark& mark) {
  std::string to;
  const Statistics& figures = mark.figures;
  for (const std::uint64_t value : {mark.states, mark.level_begin, mark.depth, figures.states,
                                    figures.transitions, figures.matched, figures.inner_steps, figures.depth,
                                    figures.findings, static_cast<std::uint64_t>(figures.elapsed_s * 1e6),
                                    static_cast<std::uint64_t>(figures.cpu_s * 1e6)}) {
    put(to, value);
  }
  put_bytes(to, as_text(std::span(mark.executed)));
  put(to, mark.violations.size());
  for (const Violation& violation : mark.violations) {
    put(to, static_cast<std::uint64_t>(violation.finding.kind));
    put(to, violation.finding.identity);
    put(to, violation.finding.step.number());
    put(to, violation.steps.size());
    for (const StepId step : violation.steps) put(to, step.number());
  }
  return to;
}

CheckpointMark to_mark(std::string_view payload) {
  RecordReader parser(payload);
  CheckpointMark mark;
  Statistics& figures = mark.figures;
  for (std::uint64_t* const value :
       {&mark.states, &mark.level_begin, &mark.depth, &figures.states, &figures.transitions, &figures.matched,
        &figures.inner_steps, &figures.depth, &figures.findings}) {
    *value = parser.number();
  }
  figures.elapsed_s = static_cast<double>(parser.number()) * 1e-6;
  figures.cpu_s = static_cast<double>(parser.number()) * 1e-6;
  const std::string_view executed = parser.bytes();
  mark.executed.assign(executed.begin(), executed.end());
  for (std::uint64_t left = parser.count(); left > 0; --left) {
    Violation& violation = mark.violations.emplace_back();
    violation.finding.kind = static_cast<FindingKind>(parser.number());
    violation.finding.identity = static_cast<std::uint32_t>(parser.number());
    violation.finding.step = StepId(parser.number());
    for (std::uint64_t steps = parser.count(); steps > 0; --steps) {
      violation.steps.push_back(StepId(parser.number()));
    }
  }
  if (mark.level_begin > mark.states) throw_damaged();
  return mark;
}

// ---- reading ------------------------------------------------------------------------------------

// The first bytes of a checkpoint of version 0.1, which was not a framed file.
bool is_in_format_1(const std::string& path) {
  constexpr std::string_view kOldMagic = "spoor-c1";
  std::array<char, kOldMagic.size()> magic{};
  std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) == kOldMagic;
}

FramedReader open_checkpoint(const std::string& path) {
  try {
    return FramedReader(path, kCheckpointFormat);
  } catch (const FramedFileError& error) {
    if (error.reason() == Reason::kIncomplete) fail(Reason::kIncomplete, "holds no complete checkpoint");
    if (error.reason() != Reason::kForeign || !is_in_format_1(path)) throw;
    fail(Reason::kVersion,
         "is a checkpoint in format 1, of an older version of spoor; this one reads format " +
             std::to_string(kCheckpointFormat.version) + ": begin the search anew");
  }
}

std::vector<FileDigest> digests_of(const std::string& identity) { return {{"search", sha256(identity)}}; }

}  // namespace

CheckpointReader::CheckpointReader(const std::string& path)
    : file_(open_checkpoint(path)), begin_(file_.position()) {
  FileRecord record;
  try {
    while (file_.read(record)) {
      if (record.kind != kMark) continue;
      mark_ = to_mark(record.content);
      end_ = file_.position();
    }
  } catch (const FramedFileError& error) {
    // A file that is still written to, or was when its writer was killed, ends anyhow.
    if (error.reason() == Reason::kSystem) throw;
  }
  if (end_.at == 0) fail(Reason::kIncomplete, "holds no complete checkpoint");
}

bool CheckpointReader::is_of(const std::string& identity) const {
  return file_.digests() == digests_of(identity);
}

void CheckpointReader::each_state(const std::function<void(std::uint64_t, std::span<const std::byte>)>& use) {
  std::uint64_t ordinal = 0;
  std::int64_t parent = 0;
  FileRecord record;
  file_.seek(begin_);
  while (file_.position().at < end_.at && file_.read(record)) {
    if (record.kind == kMark) parent = 0;
    if (record.kind != kStates) continue;
    for (RecordReader parser(record.content); !parser.is_at_end() && ordinal < mark_.states; ++ordinal) {
      parent = static_cast<std::int64_t>(static_cast<std::uint64_t>(parent) +
                                         static_cast<std::uint64_t>(parser.signed_number()));
      // Found from a state before it; the first one counts as found from itself.
      if (parent < 0 || static_cast<std::uint64_t>(parent) >= std::max<std::uint64_t>(ordinal, 1))
        throw_damaged();
      use(static_cast<std::uint64_t>(parent), std::as_bytes(std::span(parser.bytes())));
    }
  }
  if (ordinal != mark_.states) throw_damaged();
}

// ---- writing ------------------------------------------------------------------------------------

CheckpointWriter::CheckpointWriter(const std::string& path, const std::string& identity)
    : file_(path, kCheckpointFormat, digests_of(identity)) {}

CheckpointWriter::CheckpointWriter(std::string path, const CheckpointReader& read)
    : file_(std::move(path), read.end()), states_(read.mark().states) {}

void CheckpointWriter::write_states() {
  if (pending_.empty()) return;
  file_.add(kStates, pending_);
  pending_.clear();
}

void CheckpointWriter::add(std::uint64_t parent, std::span<const std::byte> state) {
  if (pending_.size() + 2 * kLongestNumber + state.size() > kMostBlockBytes) write_states();
  put_signed(pending_, static_cast<std::int64_t>(parent - last_parent_));
  put_bytes(pending_, as_text(state));
  last_parent_ = parent;
  ++states_;
}

void CheckpointWriter::commit(const CheckpointMark& mark) {
  write_states();
  CheckpointMark complete = mark;
  complete.states = states_;
  file_.add(kMark, to_record(complete));
  file_.sync();
  last_parent_ = 0;
}

}  // namespace spoor
