#include "evidence/closed_set.h"

#include <algorithm>
#include <filesystem>
#include <new>
#include <queue>

namespace spoor {
namespace {

// Of compression: a set is smaller by a sixth than with the level of other certificates.
constexpr int kClosedSetLevel = 16;
constexpr std::size_t kIndexBytes = std::size_t{1} << 20;  // of a record of the index

std::unique_ptr<FramedWriter> nameless_file(const std::string& path, int level) {
  FileFormat format = kCertificateFormat;
  format.level = level;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return std::make_unique<FramedWriter>(FramedWriter::Unnamed{folder.empty() ? "." : folder}, format);
}

void put_digest(std::string& to, const MerkleDigest& digest) {
  to.append(reinterpret_cast<const char*>(digest.data()), digest.size());
}

MerkleDigest read_digest(RecordReader& reader) {
  MerkleDigest digest{};
  for (unsigned char& byte : digest) byte = reader.byte();
  return digest;
}

// The states of a search that are sorted at once.
class StateRun {
 public:
  void add(std::string_view state, std::uint64_t references) {
    states_.push_back({bytes_.size(), state.size(), references});
    bytes_ += state;
  }
  std::size_t bytes() const { return bytes_.size() + states_.size() * sizeof(State); }
  // In the form of chunks.
  void write(FramedWriter& file) {
    std::ranges::sort(states_,
                      [&](const State& a, const State& b) { return comes_before(view(a), view(b)); });
    ChunkWriter chunks(file);
    for (const State& state : states_) chunks.add(view(state), state.references);
    chunks.finish();
    file.finish();
    states_.clear();
    bytes_.clear();
  }

 private:
  struct State {
    std::size_t begin = 0, size = 0;
    std::uint64_t references = 0;
  };
  std::string_view view(const State& state) const {
    return std::string_view(bytes_).substr(state.begin, state.size);
  }

  std::string bytes_;
  std::vector<State> states_;
};

// Reads a run that was written.
class RunReader {
 public:
  explicit RunReader(const FramedWriter& run) : file_(run, kCertificateFormat) {}

  // Goes to the next state, the first one at first. False: there are no more.
  bool next() {
    while (!chunk_ || !chunk_->next()) {
      if (!file_.read(record_, kMostGroupBytes)) return false;
      chunk_.emplace(record_.content);
    }
    return true;
  }
  const ChunkDecoder& at() const { return *chunk_; }

 private:
  FramedReader file_;
  FileRecord record_;
  std::optional<ChunkDecoder> chunk_;
};

void merge_runs(const std::vector<std::unique_ptr<FramedWriter>>& runs, ChunkWriter& to) {
  std::vector<std::unique_ptr<RunReader>> readers;
  const auto comes_later = [](const RunReader* a, const RunReader* b) {
    return comes_before(b->at().state(), a->at().state());
  };
  std::priority_queue<RunReader*, std::vector<RunReader*>, decltype(comes_later)> queue(comes_later);
  for (const std::unique_ptr<FramedWriter>& run : runs) {
    readers.push_back(std::make_unique<RunReader>(*run));
    if (readers.back()->next()) queue.push(readers.back().get());
  }
  while (!queue.empty()) {
    RunReader* const first = queue.top();
    queue.pop();
    to.add(first->at().state(), first->at().references());
    if (first->next()) queue.push(first);
  }
  to.finish();
}

}  // namespace

// ---- bytes ----------------------------------------------------------------------------------------------

std::string encoded_closed_set_claim(const ClosedSetClaim& claim) {
  std::string record;
  put_bytes(record, encoded_claim(claim.common));
  put_digest(record, claim.root);
  return record;
}

ClosedSetClaim decoded_closed_set_claim(std::string_view record) {
  RecordReader reader(record);
  ClosedSetClaim claim;
  claim.common = decoded_claim(reader.bytes());
  claim.root = read_digest(reader);
  if (!reader.is_at_end()) throw_damaged();
  return claim;
}

std::string encoded_entries(const std::vector<ChunkEntry>& entries) {
  std::string record;
  put(record, entries.size());
  for (const ChunkEntry& entry : entries) {
    put(record, entry.states);
    put(record, entry.stored_bytes);
    put_digest(record, entry.digest);
    put_bytes(record, entry.first);
  }
  return record;
}

void decode_entries(std::string_view record, std::vector<ChunkEntry>& entries) {
  RecordReader reader(record);
  for (std::uint64_t left = reader.count(); left > 0; --left) {
    ChunkEntry& entry = entries.emplace_back();
    entry.states = reader.number();
    entry.stored_bytes = reader.number();
    entry.digest = read_digest(reader);
    entry.first = reader.bytes();
  }
  if (!reader.is_at_end()) throw_damaged();
}

void ChunkEncoder::add(std::string_view state, std::uint64_t references) {
  ++states_;
  put(references_, references);
  if (lengths_.empty() || state.size() != last_.size()) {
    lengths_.emplace_back(state.size() - (lengths_.empty() ? 0 : last_.size()), 1);
    states_text_ += state;
    last_ = state;
    return;
  }
  ++lengths_.back().second;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < state.size(); ++i) count += state[i] != last_[i] ? 1 : 0;
  put(states_text_, count);
  std::size_t next = 0;  // the place behind the last difference
  for (std::size_t i = 0; i < state.size(); ++i) {
    if (state[i] == last_[i]) continue;
    put(states_text_, i - next);
    states_text_ += static_cast<char>(state[i] - last_[i]);
    last_[i] = state[i];
    next = i + 1;
  }
}

std::size_t ChunkEncoder::bytes() const { return states_text_.size() + references_.size(); }

std::string ChunkEncoder::take() {
  std::string record;
  put(record, states_);
  std::string lengths;
  for (const auto& [more, members] : lengths_) {
    put(lengths, more);
    put(lengths, members);
  }
  for (const std::string* const column : {&lengths, &states_text_, &references_}) put_bytes(record, *column);
  *this = {};
  return record;
}

ChunkDecoder::ChunkDecoder(std::string_view record) {
  RecordReader reader(record);
  states_ = left_ = reader.number();
  if (states_ == 0 || states_ > kMostChunkStates) throw_damaged();
  for (RecordReader* const column : {&lengths_, &states_text_, &references_})
    *column = RecordReader(reader.bytes());
  if (!reader.is_at_end()) throw_damaged();
}

bool ChunkDecoder::next() {
  if (left_ == 0) {
    for (const RecordReader* const column : {&lengths_, &states_text_, &references_}) {
      if (!column->is_at_end()) throw_damaged();
    }
    return false;
  }
  references_of_state_ = references_.number();
  if (left_of_length_ == 0) {
    const std::uint64_t more = lengths_.number();
    left_of_length_ = lengths_.number();
    if ((more == 0 && left_ != states_) || left_of_length_ == 0 || left_of_length_ > left_ ||
        more > kMostGroupBytes)
      throw_damaged();
    const std::size_t size = state_.size() + more;
    state_ = states_text_.rest().substr(0, size);
    states_text_.skip(size);
  } else {
    const std::uint64_t count = states_text_.number();
    if (count == 0 || count > state_.size()) throw_damaged();
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < count; ++i, ++at) {
      const std::uint64_t further = states_text_.number();
      if (further >= state_.size() - at) throw_damaged();
      at += further;
      const auto before = static_cast<std::uint8_t>(state_[at]);
      const std::uint8_t change = states_text_.byte();
      // The first difference decides on the order.
      if (change == 0 || (i == 0 && change > UINT8_MAX - before)) throw_damaged();
      state_[at] = static_cast<char>(before + change);
    }
  }
  --left_of_length_;
  --left_;
  return true;
}

// ---- writing --------------------------------------------------------------------------------------------

void ChunkWriter::add(std::string_view state, std::uint64_t references) {
  if (chunk_.states() == 0) entries_.emplace_back().first = state;
  chunk_.add(state, references);
  if (chunk_.states() == chunk_states_ || chunk_.bytes() >= kUsualBytes) give();
}

void ChunkWriter::give() {
  ChunkEntry& entry = entries_.back();
  entry.states = chunk_.states();
  const std::string record = chunk_.take();
  if (record.size() > kMostGroupBytes)
    throw FramedFileError(FramedFileError::Reason::kSystem, "has states that are too large for it");
  entry.digest = leaf_digest(record);
  file_.add(kChunkRecord, record);
}

void ChunkWriter::finish() {
  if (chunk_.states() > 0) give();
}

void write_closed_set(FramedWriter& file, const CertificateClaim& claim, std::vector<ChunkEntry> entries,
                      const FramedWriter& chunks) {
  ClosedSetClaim whole = {claim, {}};
  whole.common.regions = entries.size();
  FileRecord record;
  std::vector<MerkleDigest> leaves;
  FramedReader sizes(chunks, kCertificateFormat);
  for (ChunkEntry& entry : entries) {
    const std::uint64_t before = sizes.position().at;
    if (!sizes.read(record)) throw_damaged();
    entry.stored_bytes = sizes.position().at - before;
    leaves.push_back(entry.digest);
  }
  whole.root = merkle_root(leaves);
  file.add(kClosedSetRecord, encoded_closed_set_claim(whole));
  std::vector<ChunkEntry> some;
  for (std::size_t i = 0, bytes = 0; i < entries.size(); ++i) {
    bytes += entries[i].first.size() + sizeof(MerkleDigest);
    some.push_back(std::move(entries[i]));
    if (bytes < kIndexBytes && i + 1 < entries.size()) continue;
    file.add(kIndexRecord, encoded_entries(some));
    some.clear();
    bytes = 0;
  }
  for (FramedReader copied(chunks, kCertificateFormat); copied.copy_record(kChunkRecord, file);) {
  }
  file.finish();
}

// ---- recording ------------------------------------------------------------------------------------------

class ClosedSetRecorder::Worker : public WorkerObserver {
 public:
  bool wants_states() const override { return false; }
  void on_expanded(const ExpandedEvent& event) override {
    if (!why_not.empty()) return;
    try {
      for (const Insertion& arrival : event.arrivals) references.add(arrival.index);
      steps += event.arrivals.size();
    } catch (const std::bad_alloc&) {
      why_not = "there is not enough memory for it";
    }
  }

  std::string why_not;
  ReferenceCounts references;
  std::uint64_t steps = 0;
};

ClosedSetRecorder::ClosedSetRecorder(std::string path, const TransitionSystem& system, std::size_t run_bytes)
    : path_(std::move(path)),
      run_bytes_(run_bytes),
      initial_state_(as_text(std::span<const std::byte>(system.initial_state()))) {}

ClosedSetRecorder::~ClosedSetRecorder() = default;

std::unique_ptr<WorkerObserver> ClosedSetRecorder::make_worker_observer() {
  return std::make_unique<Worker>();
}

void ClosedSetRecorder::merge(WorkerObserver& worker) {
  const auto& part = static_cast<Worker&>(worker);
  lacking_ = lacking_.empty() ? part.why_not : lacking_;
  try {
    references_.add(part.references);
    steps_ += part.steps;
  } catch (const std::bad_alloc&) {
    lacking_ = "there is not enough memory for it";
  }
}

void ClosedSetRecorder::write_states(KeptStates& states) {
  StateRun run;
  std::vector<std::unique_ptr<FramedWriter>> runs;
  const auto give_run = [&] {
    runs.push_back(nameless_file(path_, FileFormat().level));
    run.write(*runs.back());
  };
  const auto add_range = [&](StateNumber begin, StateNumber end) {
    for (StateNumber number = begin; number < end; ++number, ++states_) {
      const std::string_view state = as_text(states.get(number));
      run.add(state, references_[number] + (state == initial_state_ ? 1 : 0));
      if (run.bytes() >= run_bytes_) give_run();
    }
  };
  std::vector<IndexRange> gaps(states.gaps().begin(), states.gaps().end());
  std::ranges::sort(gaps, {}, &IndexRange::begin);
  StateNumber begin = 0;
  for (const IndexRange& gap : gaps) {
    add_range(begin, std::min(gap.begin, states.bound()));
    begin = std::max(begin, gap.end);
  }
  add_range(begin, states.bound());
  if (run.bytes() > 0) give_run();
  chunks_ = nameless_file(path_, kClosedSetLevel);
  ChunkWriter chunks(*chunks_);
  merge_runs(runs, chunks);
  chunks_->finish();
  entries_ = std::move(chunks.entries());
}

void ClosedSetRecorder::on_end(KeptStates& states) {
  if (!states.is_complete()) return;
  why_not_ = lacking_;
  if (!why_not_.empty()) return;
  try {
    write_states(states);
  } catch (const std::bad_alloc&) {
    why_not_ = "there is not enough memory for it";
  } catch (const FramedFileError& error) {
    why_not_ = error.what();
  }
}

void ClosedSetRecorder::save(CertificateClaim claim) {
  claim.states = states_;
  claim.steps = steps_;
  claim.initial_state = initial_state_;
  FramedWriter file(path_, kCertificateFormat, {{"model", claim.model}});
  write_closed_set(file, claim, std::move(entries_), *chunks_);
}

}  // namespace spoor
