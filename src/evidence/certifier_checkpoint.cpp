#include "evidence/certifier_checkpoint.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/digest.h"
#include "base/packed_numbers.h"

namespace spoor {
namespace {

using Reason = FramedFileError::Reason;

constexpr char kProgressRecord = 'p';
// A range of regions takes two bytes at least.
constexpr std::size_t kMostProgressBytes = std::size_t{1} << 28;
constexpr std::uint64_t kMostRegions = std::uint64_t{1} << 32;
// So that a time has one number, and fits into it (35 years).
constexpr std::uint64_t kMostMicroseconds = std::uint64_t{1} << 50;

void put_sum(std::string& to, Fingerprint sum) {
  char bytes[sizeof sum];
  std::memcpy(bytes, &sum, sizeof sum);
  to.append(bytes, sizeof sum);
}
Fingerprint read_sum(RecordReader& reader) {
  Fingerprint sum = 0;
  if (reader.rest().size() < sizeof sum) throw_damaged();
  std::memcpy(&sum, reader.rest().data(), sizeof sum);
  reader.skip(sizeof sum);
  return sum;
}

std::uint64_t microseconds(double seconds) { return static_cast<std::uint64_t>(std::llround(seconds * 1e6)); }
double read_seconds(RecordReader& reader) {
  const std::uint64_t number = reader.number();
  if (number > kMostMicroseconds) throw_damaged();
  return static_cast<double>(number) * 1e-6;
}

std::vector<FileDigest> digests_of(const std::string& identity) { return {{"identity", sha256(identity)}}; }

void refuse_access_by_others(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;  // reading it will tell
  if (status.st_uid != ::geteuid() || (status.st_mode & 077) != 0)
    throw FramedFileError(
        Reason::kForeign,
        "can be accessed by other users, who could have changed it (its mode must be 0600)");
}

}  // namespace

void RegionTotals::add(const RegionTotals& other) {
  members += other.members;
  references += other.references;
  regions += other.regions;
  states += other.states;
  steps += other.steps;
  largest = std::max(largest, other.largest);
  compared += other.compared;
}

void CertifierProgress::note_done(std::uint64_t region) {
  if (is_done.size() <= region) is_done.resize(region + 1);
  is_done[region] = true;
}

std::string encoded_progress(const CertifierProgress& progress) {
  std::string record(progress.key.begin(), progress.key.end());
  const RegionTotals& totals = progress.totals;
  put_sum(record, totals.members);
  put_sum(record, totals.references);
  for (const std::uint64_t number :
       {totals.regions, totals.states, totals.steps, totals.largest, totals.compared,
        microseconds(progress.elapsed_s), microseconds(progress.cpu_s)})
    put(record, number);
  // The lengths of runs, of regions that are not done and of those that are, in turn.
  const std::vector<bool>& done = progress.is_done;
  for (std::size_t begin = 0, end = 0; begin < done.size(); begin = end) {
    const bool wanted = !done.empty() && done[begin];
    if (begin == 0 && wanted) put(record, 0);
    while (end < done.size() && done[end] == wanted) ++end;
    put(record, end - begin);
  }
  return record;
}

CertifierProgress decoded_progress(std::string_view record, std::uint64_t regions) {
  RecordReader reader(record);
  CertifierProgress progress;
  if (record.size() < progress.key.size()) throw_damaged();
  std::memcpy(progress.key.data(), record.data(), progress.key.size());
  reader.skip(progress.key.size());
  RegionTotals& totals = progress.totals;
  totals.members = read_sum(reader);
  totals.references = read_sum(reader);
  for (std::uint64_t* const number :
       {&totals.regions, &totals.states, &totals.steps, &totals.largest, &totals.compared})
    *number = reader.number();
  progress.elapsed_s = read_seconds(reader);
  progress.cpu_s = read_seconds(reader);
  // The first one has the number 1. A small record can declare many.
  const std::uint64_t bound = std::min(regions, kMostRegions) + 1;
  std::uint64_t done = 0;
  for (bool is_done = false; !reader.is_at_end(); is_done = !is_done) {
    const std::uint64_t length = reader.number();
    if (length > bound - progress.is_done.size()) throw_damaged();
    progress.is_done.insert(progress.is_done.end(), length, is_done);
    done += is_done ? length : 0;
  }
  if (done != totals.regions) throw_damaged();
  return progress;
}

CertifierCheckpoint::CertifierCheckpoint(CheckpointOptions options, std::uint64_t regions)
    : options_(std::move(options)) {
  if (options_.resume.empty()) return;
  refuse_access_by_others(options_.resume);
  FramedReader file(options_.resume, kRegionsFormat);
  if (file.digests() != digests_of(options_.identity))
    throw FramedFileError(Reason::kForeign,
                          "is of another certification: the certificate, the model or an option has changed");
  FileRecord record;
  if (!file.read(record, kMostProgressBytes) || record.kind != kProgressRecord) throw_damaged();
  resumed_ = decoded_progress(record.content, regions);
  if (file.read(record, kMostProgressBytes)) throw_damaged();  // and there is nothing else
  is_saved_ = options_.save == options_.resume;
}

bool CertifierCheckpoint::is_due() const {
  return !options_.save.empty() && Clock::now() - last_ >= std::chrono::duration<double>(options_.interval_s);
}

void CertifierCheckpoint::save(const CertifierProgress& progress) {
  if (options_.save.empty()) return;
  last_ = Clock::now();
  try {
    FramedWriter file(options_.save, kRegionsFormat, digests_of(options_.identity));
    file.add(kProgressRecord, encoded_progress(progress));
    file.finish();
    is_saved_ = true;
    error_.clear();
  } catch (const FramedFileError& error) {
    error_ = error.what();
  }
}

void CertifierCheckpoint::remove() {
  if (std::exchange(is_saved_, false)) ::unlink(options_.save.c_str());
}

}  // namespace spoor
