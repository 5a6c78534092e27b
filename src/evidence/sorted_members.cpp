#include "evidence/sorted_members.h"

#include <optional>
#include <queue>

#include "base/files.h"

namespace spoor {
namespace {

// Of compression: a set is smaller by a sixth than with the level of other certificates.
constexpr int kClosedSetLevel = 16;

std::unique_ptr<FramedWriter> nameless_file(const std::string& folder, int level) {
  FileFormat format = kCertificateFormat;
  format.level = level;
  return std::make_unique<FramedWriter>(FramedWriter::Unnamed{folder}, format);
}

// Reads a run that was written.
class RunReader {
 public:
  RunReader(const FramedWriter& run, bool has_ranks)
      : file_(run, kCertificateFormat), has_ranks_(has_ranks) {}

  // Goes to the next member, the first one at first. False: there are no more.
  bool next() {
    while (!chunk_ || !chunk_->next()) {
      if (!file_.read(record_, kMostGroupBytes)) return false;
      chunk_.emplace(record_.content, has_ranks_);
    }
    return true;
  }
  const ChunkDecoder& at() const { return *chunk_; }

 private:
  FramedReader file_;
  bool has_ranks_;
  FileRecord record_;
  std::optional<ChunkDecoder> chunk_;
};

void merge_runs(const std::vector<std::unique_ptr<FramedWriter>>& runs, bool has_ranks, ChunkWriter& to) {
  std::vector<std::unique_ptr<RunReader>> readers;
  const auto comes_later = [](const RunReader* a, const RunReader* b) {
    return comes_before(b->at().state(), a->at().state());
  };
  std::priority_queue<RunReader*, std::vector<RunReader*>, decltype(comes_later)> queue(comes_later);
  for (const std::unique_ptr<FramedWriter>& run : runs) {
    readers.push_back(std::make_unique<RunReader>(*run, has_ranks));
    if (readers.back()->next()) queue.push(readers.back().get());
  }
  while (!queue.empty()) {
    RunReader* const first = queue.top();
    queue.pop();
    to.add(first->at().state(), first->at().references(), first->at().encoded_ranks());
    if (first->next()) queue.push(first);
  }
  to.finish();
}

}  // namespace

SortedMembers::SortedMembers(const std::string& path, std::size_t run_bytes, bool has_ranks)
    : folder_(folder_of(path)), run_bytes_(run_bytes), has_ranks_(has_ranks) {}

SortedMembers::~SortedMembers() = default;

void SortedMembers::add(std::string_view member, std::uint64_t references, std::string_view step_ranks) {
  members_.push_back({bytes_.size(), member.size(), step_ranks.size(), references});
  bytes_ += member;
  bytes_ += step_ranks;
  if (bytes_.size() + members_.size() * sizeof(Member) >= run_bytes_) write_run();
}

void SortedMembers::write_run() {
  std::ranges::sort(members_,
                    [&](const Member& a, const Member& b) { return comes_before(view(a), view(b)); });
  runs_.push_back(nameless_file(folder_, FileFormat().level));
  ChunkWriter chunks(*runs_.back(), kMostChunkStates, has_ranks_);
  for (const Member& member : members_) {
    const std::string_view ranks =
        std::string_view(bytes_).substr(member.begin + member.size, member.ranks_size);
    chunks.add(view(member), member.references, ranks);
  }
  chunks.finish();
  runs_.back()->finish();
  members_.clear();
  bytes_.clear();
}

void SortedMembers::finish() {
  if (!members_.empty()) write_run();
  chunks_ = nameless_file(folder_, kClosedSetLevel);
  ChunkWriter chunks(*chunks_, kMostChunkStates, has_ranks_);
  merge_runs(runs_, has_ranks_, chunks);
  chunks_->finish();
  runs_.clear();
  entries_ = std::move(chunks.entries());
}

}  // namespace spoor
