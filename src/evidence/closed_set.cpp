#include "evidence/closed_set.h"

#include "evidence/sorted_members.h"

namespace spoor {
namespace {

constexpr std::size_t kIndexBytes = std::size_t{1} << 20;  // of a record of the index

void put_digest(std::string& to, const MerkleDigest& digest) {
  to.append(reinterpret_cast<const char*>(digest.data()), digest.size());
}

MerkleDigest read_digest(RecordReader& reader) {
  MerkleDigest digest{};
  for (unsigned char& byte : digest) byte = reader.byte();
  return digest;
}

// Throws where the number is none.
Rank as_rank(std::int64_t number) {
  if (number < 0 || number > std::int64_t{UINT32_MAX}) throw_damaged();
  return static_cast<Rank>(number);
}

}  // namespace

// ---- bytes ----------------------------------------------------------------------------------------------

std::string encoded_closed_set_claim(const ClosedSetClaim& claim) {
  std::string record;
  put_bytes(record, encoded_claim(claim.common));
  put_digest(record, claim.root);
  if (claim.initial_rank) put(record, *claim.initial_rank);
  return record;
}

ClosedSetClaim decoded_closed_set_claim(std::string_view record, bool has_ranks) {
  RecordReader reader(record);
  ClosedSetClaim claim;
  claim.common = decoded_claim(reader.bytes());
  claim.root = read_digest(reader);
  if (has_ranks) claim.initial_rank = as_rank(static_cast<std::int64_t>(reader.number()));
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

void append_rank(std::string& state, Rank rank) {
  for (std::size_t i = 0; i < kRankBytes; ++i) state += static_cast<char>(rank >> 8 * i);
}

Rank rank_of_member(std::string_view member) {
  Rank rank = 0;
  for (std::size_t i = 0; i < kRankBytes; ++i)
    rank |= Rank{static_cast<std::uint8_t>(member[member.size() - kRankBytes + i])} << 8 * i;
  return rank;
}

std::string encoded_step_ranks(Rank rank, std::span<const StepRank> others) {
  std::string text;
  put(text, others.size());
  std::uint32_t next = 0;
  for (const StepRank& other : others) {
    put(text, other.step - next);
    put_signed(text, std::int64_t{rank} - std::int64_t{other.rank});
    next = other.step + 1;
  }
  return text;
}

void ChunkEncoder::add(std::string_view state, std::uint64_t references, std::string_view step_ranks) {
  ++states_;
  put(references_, references);
  step_ranks_ += step_ranks;
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

std::size_t ChunkEncoder::bytes() const {
  return states_text_.size() + references_.size() + step_ranks_.size();
}

std::string ChunkEncoder::take() {
  std::string record;
  put(record, states_);
  std::string lengths;
  for (const auto& [more, members] : lengths_) {
    put(lengths, more);
    put(lengths, members);
  }
  for (const std::string* const column : {&lengths, &states_text_, &references_}) put_bytes(record, *column);
  if (has_ranks_) put_bytes(record, step_ranks_);
  *this = ChunkEncoder(has_ranks_);
  return record;
}

ChunkDecoder::ChunkDecoder(std::string_view record, bool has_ranks) : has_ranks_(has_ranks) {
  RecordReader reader(record);
  states_ = left_ = reader.number();
  if (states_ == 0 || states_ > kMostChunkStates) throw_damaged();
  for (RecordReader* const column : {&lengths_, &states_text_, &references_})
    *column = RecordReader(reader.bytes());
  if (has_ranks) step_ranks_ = RecordReader(reader.bytes());
  if (!reader.is_at_end()) throw_damaged();
}

bool ChunkDecoder::next() {
  if (left_ == 0) {
    for (const RecordReader* const column : {&lengths_, &states_text_, &references_, &step_ranks_}) {
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
  if (has_ranks_) read_step_ranks();
  return true;
}

void ChunkDecoder::read_step_ranks() {
  if (state_.size() < kRankBytes) throw_damaged();
  const std::string_view begin = step_ranks_.rest();
  const Rank own = rank_of_member(state_);
  step_ranks_of_state_.clear();
  std::uint64_t next = 0;
  for (std::uint64_t left = step_ranks_.count(); left > 0; --left) {
    const std::uint64_t further = step_ranks_.number();
    if (further >= UINT32_MAX - next) throw_damaged();
    const auto step = static_cast<std::uint32_t>(next + further);
    const std::int64_t less = step_ranks_.signed_number();
    if (less == 0 || less < -std::int64_t{UINT32_MAX} || less > std::int64_t{UINT32_MAX}) throw_damaged();
    step_ranks_of_state_.push_back({step, as_rank(std::int64_t{own} - less)});
    next = std::uint64_t{step} + 1;
  }
  encoded_ranks_ = begin.substr(0, begin.size() - step_ranks_.rest().size());
}

// ---- writing --------------------------------------------------------------------------------------------

void ChunkWriter::add(std::string_view state, std::uint64_t references, std::string_view step_ranks) {
  if (chunk_.states() == 0) entries_.emplace_back().first = state;
  chunk_.add(state, references, step_ranks);
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
                      const FramedWriter& chunks, std::optional<Rank> initial_rank) {
  ClosedSetClaim whole = {claim, {}, initial_rank};
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
  file.add(initial_rank ? kRankedSetRecord : kClosedSetRecord, encoded_closed_set_claim(whole));
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
    attempt(why_not, [&] {
      for (const Insertion& arrival : event.arrivals) references.add(arrival.index);
      steps += event.arrivals.size();
    });
  }

  std::string why_not;
  ReferenceCounts references;
  std::uint64_t steps = 0;
};

ClosedSetRecorder::ClosedSetRecorder(std::string path, const TransitionSystem& system, std::size_t run_bytes)
    : CertificateRecorder(std::move(path)),
      run_bytes_(run_bytes),
      initial_state_(as_text(std::span<const std::byte>(system.initial_state()))) {}

ClosedSetRecorder::~ClosedSetRecorder() = default;

std::unique_ptr<WorkerObserver> ClosedSetRecorder::make_worker_observer() {
  return std::make_unique<Worker>();
}

void ClosedSetRecorder::merge(WorkerObserver& worker) {
  const auto& part = static_cast<Worker&>(worker);
  lacking_ = lacking_.empty() ? part.why_not : lacking_;
  attempt(lacking_, [&] {
    references_.add(part.references);
    steps_ += part.steps;
  });
}

void ClosedSetRecorder::on_end(KeptStates& states) {
  if (!states.is_complete()) return;
  why_not_ = lacking_;
  attempt(why_not_, [&] {
    members_ = std::make_unique<SortedMembers>(path_, run_bytes_);
    for_each_number(states, [&](StateNumber number) {
      const std::string_view state = as_text(states.get(number));
      members_->add(state, references_[number] + (state == initial_state_ ? 1 : 0));
      ++states_;
    });
    members_->finish();
  });
}

void ClosedSetRecorder::save(CertificateClaim claim) {
  claim.states = states_;
  claim.steps = steps_;
  claim.initial_state = initial_state_;
  FramedWriter file(path_, kCertificateFormat, {{"model", claim.model}});
  write_closed_set(file, claim, members_->take_entries(), members_->chunks());
}

}  // namespace spoor
