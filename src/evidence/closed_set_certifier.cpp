#include "evidence/closed_set_certifier.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/process_time.h"
#include "evidence/membership_sums.h"
#include "evidence/task_schedule.h"

namespace spoor {
namespace {

using SetAnswer = CertifierResult::Answer;

constexpr std::string_view kChunk = "chunk";
constexpr const char* kWrongChunk = "it is not the one that the index says";

StateBytes as_bytes(std::string_view state) { return std::as_bytes(std::span(state)); }

CertificateFailure refuted(std::string reason, CertificatePlace place = {}) {
  return {SetAnswer::kRefuted, std::move(reason), {}, place};
}

// The index, and where the first chunk is.
struct ChunkIndex {
  std::vector<ChunkEntry> entries;
  FilePosition chunks;
  std::uint64_t bytes = 0;  // that it takes
};

// Reads as many entries as the claim says there are.
ChunkIndex read_index(const ClosedSetClaim& claim, FramedReader& file, Budget& budget) {
  ChunkIndex index;
  FileRecord record;
  while (index.entries.size() < claim.common.regions && !budget.poll(index.bytes)) {
    if (!file.read(record, kMostGroupBytes) || record.kind != kIndexRecord) throw_damaged();
    const std::size_t before = index.entries.size();
    decode_entries(record.content, index.entries);
    if (index.entries.size() == before || index.entries.size() > claim.common.regions) throw_damaged();
    index.bytes += record.content.size() + (index.entries.size() - before) * sizeof(ChunkEntry);
  }
  index.chunks = file.position();
  return index;
}

// Why claim and index do not agree; nothing: they do.
std::optional<CertificateFailure> why_wrong(const ClosedSetClaim& claim, const ChunkIndex& index) {
  std::uint64_t states = 0;
  std::vector<MerkleDigest> leaves;
  const ChunkEntry* before = nullptr;
  for (const ChunkEntry& entry : index.entries) {
    if (entry.states == 0 || entry.states > kMostChunkStates)
      return refuted("its index has a chunk of an impossible size");
    if (before != nullptr && !comes_before(before->first, entry.first))
      return refuted("its index is not in ascending order");
    states += entry.states;
    leaves.push_back(entry.digest);
    before = &entry;
  }
  if (leaves.empty()) return refuted("it has no states");
  if (states != claim.common.states)
    return refuted(fmt::format("its index has {} states, and it says {}", states, claim.common.states));
  if (merkle_root(leaves) != claim.root) return refuted("its index is not the one of its digest");
  return std::nullopt;
}

// Reads the members of a chunk and compares them with the index. `take(member, place)` returns false where it
// does not want to go on; a member is a ChunkDecoder.
class CheckedChunk {
 public:
  CheckedChunk(const std::vector<ChunkEntry>& entries, std::size_t number, bool has_ranks)
      : has_ranks_(has_ranks),
        entry_(entries[number]),
        next_(number + 1 < entries.size() ? &entries[number + 1] : nullptr),
        place_{number + 1, 0, 0} {}

  template <class Take>
  std::optional<CertificateFailure> read(std::string_view record, const Take& take) {
    if (leaf_digest(record) != entry_.digest) return refuted(kWrongChunk, place_);
    ChunkDecoder chunk(record, has_ranks_);
    if (chunk.states() != entry_.states) return refuted(kWrongChunk, place_);
    while (chunk.next()) {
      if (++place_.state == 1 && chunk.state() != entry_.first) return refuted(kWrongChunk, place_);
      if (next_ != nullptr && !comes_before(chunk.state(), next_->first))
        return refuted("belongs into a later chunk", place_);
      if (!take(chunk, place_)) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  const bool has_ranks_;
  const ChunkEntry& entry_;
  const ChunkEntry* const next_;
  CertificatePlace place_;
};

struct SetWork {
  SetWork(const TransitionSystem& searched, const ClosedSetClaim& claimed, FramedReader& from,
          const CertifierOptions& wanted)
      : system(searched), claim(claimed), file(from), options(wanted), budget(wanted.limits) {
    index = read_index(claim, file, budget);
    if (!budget.is_over()) failure = why_wrong(claim, index);
    memory_bytes = index.bytes;
  }

  const TransitionSystem& system;
  const ClosedSetClaim& claim;
  FramedReader& file;
  const CertifierOptions& options;
  const std::vector<std::byte> initial_state = system.initial_state();
  // With its rank.
  const std::string initial_member = member_of_initial();
  const KeyedHash hash = KeyedHash::with_random_key();
  Budget budget;
  ChunkIndex index;

  std::mutex lock;  // of what follows
  std::size_t taken = 0;
  std::optional<CertificateFailure> failure;
  std::exception_ptr error;
  TaskSchedule schedule{options.tasks};

  std::atomic<std::uint64_t> memory_bytes = 0;
  std::atomic<bool> is_over = false;

  bool has_ranks() const { return options.ranks != nullptr; }
  void begin_again() {
    file.seek(index.chunks);
    taken = 0;
  }
  void fail(CertificateFailure why) {
    const std::lock_guard guard(lock);
    // Of several the one that comes first in the file, whichever worker was faster.
    const auto key = [](const CertificatePlace& place) { return std::pair(place.part, place.state); };
    if (!failure || key(why.place) < key(failure->place)) failure = std::move(why);
    is_over = true;
  }

 private:
  std::string member_of_initial() const {
    std::string member(as_text(std::span(initial_state)));
    if (options.ranks != nullptr) append_rank(member, claim.initial_rank.value_or(0));
    return member;
  }
};

// The members that the steps of a member lead to: with the ranks that its chunk says they have, if these are
// allowed.
class RankedSteps {
 public:
  // `expansion`: of the member's state. Why a rank is not allowed, with its transition; nothing: all are.
  std::optional<CertificateFailure> read(const ChunkDecoder& member, const Expansion& expansion,
                                         const RankRule& rule) {
    const Rank own = rank_of_member(member.state());
    const std::span<const StepRank> others = member.step_ranks();
    const std::size_t steps = expansion.successors.size();
    if (!others.empty() && others.back().step >= steps)
      return refuted("has a rank for a transition that it does not have");
    bytes_.clear();
    ends_.assign(1, 0);
    auto other = others.begin();
    for (std::size_t i = 0; i < steps; ++i) {
      const Rank rank = other != others.end() && other->step == i ? (other++)->rank : own;
      if (!rule.allows(own, rank, expansion.marks[i])) {
        const CertificatePlace place = {0, 0, i + 1};
        if (rank != own || !rule.may_keep(own, 0))
          return refuted(fmt::format("leads from rank {} to {}, and must lead to a lower one", own, rank),
                         place);
        return refuted(fmt::format("keeps rank {}, and has the mark that this rank excludes", own), place);
      }
      bytes_ += as_text(expansion.state(expansion.successors[i]));
      append_rank(bytes_, rank);
      ends_.push_back(bytes_.size());
    }
    return std::nullopt;
  }
  StateBytes operator[](std::size_t i) const {
    return as_bytes(std::string_view(bytes_).substr(ends_[i], ends_[i + 1] - ends_[i]));
  }
  std::uint64_t memory_bytes() const { return bytes_.capacity() + ends_.capacity() * sizeof(std::size_t); }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

// Expands a member that is laid out as a state, and tells of the members that it leads to.
class MemberWorker {
 public:
  explicit MemberWorker(SetWork& work) : work_(work) {}
  ~MemberWorker() { work_.memory_bytes -= noted_bytes_; }
  MemberWorker(const MemberWorker&) = delete;
  MemberWorker& operator=(const MemberWorker&) = delete;

  // False: it fails (SetWork::failure), or a limit was reached.
  bool expand(const ChunkDecoder& member, const CertificatePlace& place) {
    const StateBytes state =
        as_bytes(member.state()).first(member.state().size() - (work_.has_ranks() ? kRankBytes : 0));
    if (!std::ranges::equal(state, work_.initial_state) && !work_.system.is_well_formed(state))
      return fail(refuted("is no state of the model"), place);
    if (!expander_.expand(state, true)) return !work_.budget.is_over() && fail(expander_.failure(), place);
    ++states_;
    steps_ += expansion().successors.size();
    if (!work_.has_ranks()) return true;
    auto failure = ranked_.read(member, expansion(), *work_.options.ranks);
    if (!failure) return true;
    return fail(*failure, {place.part, place.state, failure->place.step});
  }
  // Where the steps of the member lead.
  std::size_t targets() const { return expansion().successors.size(); }
  StateBytes target(std::size_t i) const {
    return work_.has_ranks() ? ranked_[i] : expansion().state(expansion().successors[i]);
  }
  // `more`: bytes in use besides. False: the work is over.
  bool poll(std::uint64_t more) {
    const std::uint64_t bytes = more + expansion().memory_bytes() + ranked_.memory_bytes();
    work_.memory_bytes += bytes - noted_bytes_;
    noted_bytes_ = bytes;
    return !work_.budget.poll(work_.memory_bytes) && !work_.is_over;
  }
  const Expansion& expansion() const { return expander_.expansion(); }
  bool fail(CertificateFailure failure, const CertificatePlace& place) {
    failure.place = place;
    work_.fail(std::move(failure));
    return false;
  }

  std::uint64_t steps() const { return steps_; }
  void add_figures(CertifierResult& result) const {
    result.states += states_;
    result.steps += steps_;
    result.compared += expander_.compared();
  }

 private:
  SetWork& work_;
  MemberExpander expander_{work_.system, work_.options, work_.budget};
  RankedSteps ranked_;
  std::uint64_t states_ = 0, steps_ = 0, noted_bytes_ = 0;
};

// Takes chunks until there are none, or something fails.
template <class Sink>
void take_chunks(SetWork& work, MemberWorker& worker, Sink& sink) {
  constexpr std::uint64_t kPollEvery = 256;
  const auto add_member = [&](const ChunkDecoder& member, const CertificatePlace& place) {
    const std::uint64_t references = member.references();
    if (place.state % kPollEvery == 0 && !worker.poll(member.state().size())) return false;
    if (references >= kMostReferences)
      return worker.fail(refuted("has an impossible number of references"), place);
    sink.add_member(as_bytes(member.state()), references, place);
    if (!worker.expand(member, place)) return false;
    CertificatePlace step = place;
    for (std::size_t i = 0; i < worker.targets(); ++i) {
      ++step.step;
      sink.add_reference(worker.target(i), step);
    }
    return true;
  };
  try {
    FileRecord record;
    while (!work.is_over && !work.budget.is_over()) {
      std::size_t number = 0;
      bool has_size = false;
      {
        const std::lock_guard guard(work.lock);
        const double begin_s = work.schedule.now_s();
        const std::uint64_t begin = work.file.position().at;
        const bool has_one = work.file.read(record, kMostGroupBytes);
        if (has_one != (work.taken < work.index.entries.size()) || (has_one && record.kind != kChunkRecord))
          throw_damaged();
        if (!has_one) return;
        number = work.taken++;
        has_size = work.index.entries[number].stored_bytes == work.file.position().at - begin;
        work.schedule.add_reading(work.schedule.now_s() - begin_s);
      }
      if (!has_size) worker.fail(refuted(kWrongChunk), {number + 1, 0, 0});
      if (!worker.poll(record.content.capacity())) return;
      const double begin_s = work.schedule.now_s();
      const std::uint64_t steps_before = worker.steps();
      CheckedChunk chunk(work.index.entries, number, work.has_ranks());
      if (auto failure = chunk.read(record.content, add_member)) work.fail(*std::move(failure));
      const std::lock_guard guard(work.lock);
      work.schedule.add(worker.steps() - steps_before, work.schedule.now_s() - begin_s);
    }
  } catch (...) {
    const std::lock_guard guard(work.lock);
    if (!work.error) work.error = std::current_exception();
    work.is_over = true;
  }
}

CertificateFailure find_set_difference(SetWork& work) {
  return find_difference(work.hash, [&](auto& sink) {
    work.begin_again();
    sink.add_reference(as_bytes(work.initial_member), {});
    MemberWorker worker(work);
    take_chunks(work, worker, sink);
    if (work.error) std::rethrow_exception(work.error);
  });
}

void finish(SetWork& work, double cpu_before_s, CertifierResult& result) {
  work.schedule.report(result);
  result.limit = work.budget.limit();
  if (result.limit) {
    result.answer = SetAnswer::kLimit;
  } else if (work.failure) {
    set_failure(*work.failure, kChunk, work.system, result);
  }
  result.memory_bytes = work.budget.peak_bytes();
  result.elapsed_s = work.budget.elapsed_s();
  result.cpu_s = process_cpu_s() - cpu_before_s;
}

// ---- a sample -------------------------------------------------------------------------------------------

// States that must be members, with what leads to them.
class Sought {
 public:
  void add(StateBytes state, const CertificatePlace& place) {
    states_.push_back({bytes_.size(), state.size(), place});
    bytes_ += as_text(state);
  }
  void sort() {
    std::ranges::sort(states_,
                      [&](const State& a, const State& b) { return comes_before(view(a), view(b)); });
  }
  std::size_t size() const { return states_.size(); }
  std::string_view operator[](std::size_t i) const { return view(states_[i]); }
  const CertificatePlace& place(std::size_t i) const { return states_[i].place; }
  std::uint64_t memory_bytes() const { return bytes_.capacity() + states_.capacity() * sizeof(State); }

 private:
  struct State {
    std::size_t begin = 0, size = 0;
    CertificatePlace place;
  };
  std::string_view view(const State& state) const {
    return std::string_view(bytes_).substr(state.begin, state.size);
  }

  std::string bytes_;
  std::vector<State> states_;
};

// Examines members of one certificate.
class SetSampler {
 public:
  explicit SetSampler(SetWork& work) : work_(work), worker_(work) {
    std::uint64_t at = work.index.chunks.at, states = 0;
    for (const ChunkEntry& entry : work.index.entries) {
      begins_.push_back(at);
      firsts_.push_back(states);
      at += entry.stored_bytes;
      states += entry.states;
    }
  }

  // `members`: by number, ascending. Fills in what they lead to.
  bool examine(const std::vector<std::uint64_t>& members) {
    sought_.add(as_bytes(work_.initial_member), {});
    for (std::size_t i = 0; i < members.size();) {
      const std::size_t chunk = chunk_of(members[i]);
      const bool goes_on = read(chunk, [&](const ChunkDecoder& member, const CertificatePlace& place) {
        if (i == members.size() || members[i] != firsts_[chunk] + place.state - 1) return true;
        while (i < members.size() && members[i] == firsts_[chunk] + place.state - 1) ++i;
        return examine(member, place);
      });
      if (!goes_on) return false;
    }
    return true;
  }
  // Looks up all that is sought.
  bool find_sought() {
    sought_.sort();
    for (std::size_t i = 0; i < sought_.size();) {
      const std::vector<ChunkEntry>& entries = work_.index.entries;
      const auto after = std::ranges::upper_bound(entries, sought_[i], comes_before, &ChunkEntry::first);
      if (after == entries.begin()) return fail_sought(i);
      const auto chunk = static_cast<std::size_t>(after - entries.begin()) - 1;
      const auto has_more = [&] {
        return i < sought_.size() && (after == entries.end() || comes_before(sought_[i], after->first));
      };
      const auto take = [&](const ChunkDecoder& member, const CertificatePlace&) {
        if (has_more() && comes_before(sought_[i], member.state())) return fail_sought(i);
        while (has_more() && sought_[i] == member.state()) ++i;
        return true;
      };
      if (!read(chunk, take)) return false;
      if (has_more()) return fail_sought(i);
    }
    return true;
  }
  void add_figures(CertifierResult& result) const {
    worker_.add_figures(result);
    result.regions = read_;
  }

 private:
  std::size_t chunk_of(std::uint64_t member) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(firsts_, member) - firsts_.begin()) - 1;
  }
  bool examine(const ChunkDecoder& member, const CertificatePlace& place) {
    if (!worker_.expand(member, place)) return false;
    CertificatePlace step = place;
    for (std::size_t i = 0; i < worker_.targets(); ++i) {
      ++step.step;
      sought_.add(worker_.target(i), step);
    }
    return worker_.poll(sought_.memory_bytes());
  }
  bool fail_sought(std::size_t i) {
    const CertificatePlace& place = sought_.place(i);
    return worker_.fail(
        refuted(place.part == 0 ? "the initial state is none of its states"
                                : "leads to a state that is none of the states of the certificate"),
        place);
  }
  // Reads a chunk, all of it unless `take` ends that.
  template <class Take>
  bool read(std::size_t chunk, const Take& take) {
    ++read_;
    work_.file.read_apart(begins_[chunk], record_, kMostGroupBytes);
    if (record_.kind != kChunkRecord) throw_damaged();
    bool goes_on = true;
    CheckedChunk checked(work_.index.entries, chunk, work_.has_ranks());
    auto failure =
        checked.read(record_.content, [&](const ChunkDecoder& member, const CertificatePlace& place) {
          return goes_on = take(member, place);
        });
    const bool has_failed = failure.has_value();
    if (has_failed) work_.fail(*std::move(failure));
    return !has_failed && goes_on && worker_.poll(sought_.memory_bytes());
  }

  SetWork& work_;
  MemberWorker worker_;
  std::vector<std::uint64_t> begins_, firsts_;  // of each chunk: where it is, the number of its first member
  FileRecord record_;
  Sought sought_;
  std::uint64_t read_ = 0;
};

}  // namespace

CertifierResult certify_closed_set(const TransitionSystem& system, const ClosedSetClaim& claim,
                                   FramedReader& file, const CertifierOptions& options) {
  const double cpu_before_s = process_cpu_s();
  SetWork work(system, claim, file, options);
  CertifierResult result;
  Fingerprint members = 0, references = work.hash(as_bytes(work.initial_member));
  const auto take_part = [&] {
    MemberWorker worker(work);
    MembershipSums sums(work.hash);
    take_chunks(work, worker, sums);
    const std::lock_guard guard(work.lock);
    members += sums.members();
    references += sums.references();
    worker.add_figures(result);
  };
  if (!work.failure) {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < options.workers; ++i) others.emplace_back(take_part);
    take_part();
  }
  if (work.error) std::rethrow_exception(work.error);
  result.regions = work.taken;
  if (!work.failure && !work.budget.is_over()) {
    if (members != references) {
      work.failure = find_set_difference(work);
    } else if (result.steps >= kMostReferences) {
      work.failure = refuted("it has more transitions than the sums can tell apart");
    } else if (result.steps != claim.common.steps) {
      work.failure =
          refuted(fmt::format("it has {} transitions, and says {}", result.steps, claim.common.steps));
    }
  }
  finish(work, cpu_before_s, result);
  return result;
}

CertifierResult sample_closed_set(const TransitionSystem& system, const ClosedSetClaim& claim,
                                  FramedReader& file, const CertifierOptions& options, std::uint64_t draws) {
  const double cpu_before_s = process_cpu_s();
  SetWork work(system, claim, file, options);
  CertifierResult result;
  result.sample = draws;
  result.answer = SetAnswer::kNotRefuted;
  if (!work.failure && !work.budget.is_over()) {
    std::vector<std::uint64_t> members(draws);
    for (std::uint64_t& member : members) member = random_below(claim.common.states);
    std::ranges::sort(members);
    SetSampler sampler(work);
    if (sampler.examine(members)) sampler.find_sought();
    sampler.add_figures(result);
  }
  finish(work, cpu_before_s, result);
  return result;
}

}  // namespace spoor
