#include "evidence/revisit_filter.h"

#include <algorithm>
#include <new>
#include <tuple>
#include <utility>

#include "base/files.h"
#include "base/framed_file.h"
#include "base/keyed_hash.h"
#include "base/packed_numbers.h"
#include "evidence/chunks.h"

namespace spoor {
namespace {

constexpr char kVisitsRecord = 'v', kExitsRecord = 'e';

FileFormat scratch_format(int level) {
  FileFormat format = kCertificateFormat;
  format.level = level;
  return format;
}

// A visit that has ended.
struct Exit {
  StateNumber visit = 0;
  bool in_full = false;      // although it could have been reduced
  bool was_reduced = false;  // steps were left out
  std::vector<Insertion> arrivals;
};

}  // namespace

// Records of as many visits, so that one can be read without those before it.
class RevisitFilter::Visits {
 public:
  explicit Visits(const std::string& folder)
      : file_(FramedWriter::Unnamed{folder}, scratch_format(FileFormat().level)) {}

  void add(StateBytes state) {
    put_bytes(record_, as_text(state));
    if (++count_ % kPerRecord == 0) give();
  }
  void finish() {
    if (!record_.empty()) give();
    file_.finish();
  }
  std::uint64_t count() const { return count_; }

  // Calls `take(visit, bytes)` for all of them, in order.
  template <class Take>
  void for_each(const Take& take) {
    FramedReader reader(file_, kCertificateFormat);
    StateNumber visit = 0;
    positions_.clear();
    FileRecord record;
    for (FilePosition at = reader.position(); reader.read(record); at = reader.position()) {
      positions_.push_back(at);
      for (RecordReader states(record.content); !states.is_at_end(); ++visit) take(visit, states.bytes());
    }
  }
  // REQUIRES: for_each() was called.
  std::string state(StateNumber visit) const {
    FramedReader reader(file_, kCertificateFormat);
    reader.seek(positions_[visit / kPerRecord]);
    FileRecord record;
    reader.read(record);
    RecordReader states(record.content);
    for (StateNumber left = visit % kPerRecord; left > 0; --left) states.bytes();
    return std::string(states.bytes());
  }

 private:
  static constexpr StateNumber kPerRecord = 256;

  void give() {
    file_.add(kVisitsRecord, record_);
    record_.clear();
  }

  FramedWriter file_;
  std::string record_;
  std::uint64_t count_ = 0;
  std::vector<FilePosition> positions_;  // of records
};

class RevisitFilter::Exits {
 public:
  explicit Exits(const std::string& folder)
      : file_(FramedWriter::Unnamed{folder}, scratch_format(FileFormat::kStored)) {}

  // The entry: four times the number of transitions, plus 1 if it was expanded in full although it could have
  // been reduced, plus 2 if it was reduced; its number, less that of the visit that ended before; of each
  // transition the distance of its target from the visit, twice, plus 1 if the target was new.
  void add(const ExpandedEvent& event) {
    const std::size_t count = event.arrivals.size();
    std::uint8_t* to = chunks_.begin_entry((count + 2) * kMostNumberBytes);
    to = put_at(to, count << 2 | (event.was_reduced ? 2 : 0) | (event.is_again_in_full ? 1 : 0));
    to = put_signed_at(to, std::int64_t{event.source} - last_);
    last_ = event.source;
    for (const Insertion& arrival : event.arrivals)
      to = put_signed_at(to, (std::int64_t{arrival.index} - last_) * 2 + (arrival.is_new ? 1 : 0));
    chunks_.end_entry(to);
    ++count_;
  }
  void finish() {
    chunks_.give_rest();
    file_.finish();
  }
  std::uint64_t count() const { return count_; }

  // Calls `take` for all of them, in order.
  template <class Take>
  void for_each(const Take& take) const {
    FramedReader reader(file_, kCertificateFormat);
    Exit exit;
    std::int64_t visit = 0;
    for (FileRecord record; reader.read(record);) {
      RecordReader entries(record.content);
      while (!entries.is_at_end()) {
        const std::uint64_t head = entries.number();
        visit += entries.signed_number();
        exit.visit = static_cast<StateNumber>(visit);
        exit.in_full = (head & 1) != 0;
        exit.was_reduced = (head & 2) != 0;
        exit.arrivals.resize(head >> 2);
        for (Insertion& arrival : exit.arrivals) {
          const std::int64_t distance = entries.signed_number();
          arrival = {static_cast<StateIndex>(visit + (distance >> 1)), (distance & 1) != 0 ? 1u : 0u};
        }
        take(exit);
      }
    }
  }

 private:
  FramedWriter file_;
  std::int64_t last_ = 0;
  std::uint64_t count_ = 0;
  Chunks chunks_{[this](std::string_view chunk) { file_.add(kExitsRecord, chunk); }};
};

class RevisitFilter::Worker : public WorkerObserver {
 public:
  explicit Worker(RevisitFilter& filter) : filter_(filter) {}

  Visit on_state(const StateEvent& event) override {
    attempt(why_not, [&] {
      if (event.number != filter_.visits_->count()) throw_damaged();
      filter_.visits_->add(event.bytes);
    });
    return Visit::kExpand;
  }
  void on_expanded(const ExpandedEvent& event) override {
    is_complete_ &= event.is_complete;
    for (const Insertion& arrival : event.arrivals) found_ += arrival.is_new ? 1 : 0;
    attempt(why_not, [&] { filter_.exits_->add(event); });
  }
  void end() {
    attempt(why_not, [&] {
      filter_.visits_->finish();
      filter_.exits_->finish();
    });
    // All that was found has begun and ended.
    is_complete_ &= filter_.visits_->count() == found_ && filter_.exits_->count() == found_;
    if (why_not.empty() && !is_complete_) why_not = "the search has not seen all states";
  }

  std::string why_not;

 private:
  RevisitFilter& filter_;
  std::uint64_t found_ = 1;  // the initial one
  bool is_complete_ = true;
};

RevisitFilter::RevisitFilter(const std::string& path, std::unique_ptr<CertificateRecorder> recorder,
                             std::uint64_t sorted_visits, std::uint64_t memory_bytes)
    : CertificateRecorder(path),
      recorder_(std::move(recorder)),
      sorted_visits_(sorted_visits),
      memory_(memory_bytes) {}

RevisitFilter::~RevisitFilter() = default;

std::unique_ptr<WorkerObserver> RevisitFilter::make_worker_observer() {
  visits_ = std::make_unique<Visits>(folder_of(path_));
  exits_ = std::make_unique<Exits>(folder_of(path_));
  return std::make_unique<Worker>(*this);
}

void RevisitFilter::merge(WorkerObserver& worker) {
  auto& part = static_cast<Worker&>(worker);
  part.end();
  why_not_ = part.why_not;
}

// Throws MemoryShare::Exceeded.
void RevisitFilter::divide_memory() {
  // Numbers of first visits, what is kept of them, and what the other recorder keeps; buffers of files.
  constexpr std::uint64_t kPerVisit = sizeof(StateNumber) + 1 + 2, kBuffers = std::uint64_t{8} << 20;
  constexpr std::uint64_t kPerSorted = 2 * 24;  // a vector that grows
  constexpr std::uint64_t kLeastSorted = 1 << 12;
  if (memory_.most() == 0) return;
  const std::uint64_t fixed = visits_->count() * kPerVisit + kBuffers;
  const std::uint64_t left = memory_.most() - std::min(memory_.most(), fixed);
  sorted_visits_ = std::min(sorted_visits_, std::max(kLeastSorted, left / kPerSorted));
  memory_.require(fixed + std::min(sorted_visits_, visits_->count()) * kPerSorted);
}

// Of each visit the first one of its state.
std::vector<StateNumber> RevisitFilter::first_visits() const {
  struct Seen {
    std::uint64_t high = 0, low = 0;  // of the fingerprint
    StateNumber visit = 0;
  };
  std::vector<StateNumber> first(visits_->count());
  const KeyedHash hash = KeyedHash::with_random_key();
  const std::uint64_t classes = 1 + visits_->count() / sorted_visits_;
  std::vector<Seen> seen;
  for (std::uint64_t wanted = 0; wanted < classes; ++wanted) {
    seen.clear();
    visits_->for_each([&](StateNumber visit, std::string_view bytes) {
      const Fingerprint print = hash(std::as_bytes(std::span(bytes)));
      const Seen next = {static_cast<std::uint64_t>(print >> 64), static_cast<std::uint64_t>(print), visit};
      if (static_cast<std::uint64_t>((Fingerprint{next.high} * classes) >> 64) == wanted)
        seen.push_back(next);
    });
    const auto key = [](const Seen& one) { return std::tuple(one.high, one.low, one.visit); };
    std::ranges::sort(seen, {}, key);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const bool is_again = i != 0 && seen[i].high == seen[i - 1].high && seen[i].low == seen[i - 1].low;
      first[seen[i].visit] = is_again ? first[seen[i - 1].visit] : seen[i].visit;
    }
  }
  return first;
}

// The visits that are not cut out.
std::vector<bool> RevisitFilter::kept_visits(const std::vector<StateNumber>& first) const {
  std::vector<bool> kept(first.size());
  StateNumber end = 0;  // behind the last visit so far, which is the last one below the visit that ends
  exits_->for_each([&](const Exit& exit) {
    end = std::max(end, exit.visit + 1);
    bool has_kept = false;
    // The child with the fewest visits: children begin in order, and the next one where the one before has
    // ended.
    StateNumber child = kNoState, fewest = kNoState, next = end;
    for (std::size_t i = exit.arrivals.size(); i-- > 0;) {
      const Insertion& arrival = exit.arrivals[i];
      if (!arrival.is_new) continue;
      has_kept |= kept[arrival.index];
      const StateNumber visits = next - arrival.index;
      next = arrival.index;
      if (visits >= fewest) continue;
      fewest = visits;
      child = arrival.index;
    }
    kept[exit.visit] = first[exit.visit] == exit.visit || has_kept;
    if (!kept[exit.visit] || !exit.was_reduced || has_kept || child == kNoState) return;
    for (StateNumber i = child; i < child + fewest; ++i) kept[i] = true;
  });
  return kept;
}

// Tells the recorder of a search that consists of these visits.
void RevisitFilter::tell(const std::vector<StateNumber>& first, const std::vector<bool>& kept) {
  class States : public KeptStates {
   public:
    explicit States(const Visits& visits) : visits_(visits) {}
    StateNumber bound() const override { return static_cast<StateNumber>(visits_.count()); }
    std::span<const IndexRange> gaps() const override { return {}; }
    std::span<const IndexRange> by_level() const override { return {}; }
    bool is_complete() const override { return true; }
    StateBytes get(StateNumber number) override {
      state_ = visits_.state(number);
      return std::as_bytes(std::span(state_));
    }

   private:
    const Visits& visits_;
    std::string state_;
  };

  const std::unique_ptr<WorkerObserver> worker = recorder_->make_worker_observer();
  std::vector<Insertion> arrivals;
  exits_->for_each([&](const Exit& exit) {
    if (!kept[exit.visit]) return;
    arrivals.clear();
    for (const Insertion& arrival : exit.arrivals) {
      const bool is_kept = kept[arrival.index];
      arrivals.push_back(
          {is_kept ? arrival.index : first[arrival.index], arrival.is_new && is_kept ? 1u : 0u});
    }
    ExpandedEvent event;
    event.source = exit.visit;
    event.arrivals = arrivals;
    event.was_reduced = exit.was_reduced;
    event.is_again_in_full = exit.in_full;
    worker->on_expanded(event);
  });
  recorder_->merge(*worker);
  States states(*visits_);
  recorder_->on_end(states);
}

void RevisitFilter::save(CertificateClaim claim) {
  try {
    divide_memory();
    const std::vector<StateNumber> first = first_visits();
    tell(first, kept_visits(first));
  } catch (const MemoryShare::Exceeded& error) {
    throw FramedFileError(FramedFileError::Reason::kSystem, std::string("cannot be made: ") + error.what());
  } catch (const std::bad_alloc&) {
    throw FramedFileError(FramedFileError::Reason::kSystem,
                          "cannot be made: there is not enough memory for it");
  }
  if (!recorder_->why_not().empty())
    throw FramedFileError(FramedFileError::Reason::kSystem, "cannot be made: " + recorder_->why_not());
  recorder_->save(std::move(claim));
}

}  // namespace spoor
