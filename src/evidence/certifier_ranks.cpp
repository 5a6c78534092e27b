#include "evidence/certifier_ranks.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/packed_numbers.h"

namespace spoor {
namespace {

using Answer = CertifierResult::Answer;

// First bytes of messages.
constexpr char kHello = 'h';    // to rank 0: the digest of the identity
constexpr char kKey = 'k';      // to all others
constexpr char kRange = 'r';    // a range to certify
constexpr char kDone = 'd';     // to rank 0: the range, and its totals
constexpr char kRefused = 'f';  // to rank 0: a region of the range is refused
constexpr char kLimit = 'l';    // to rank 0: a limit was reached
constexpr char kError = 'e';    // to rank 0: an error, as text
constexpr char kStop = 's';     // to all others

constexpr auto kPollEvery = std::chrono::microseconds(200);

struct Range {
  std::uint64_t first = 0, end = 0;
};

std::string to_message(char kind, const Range& range) {
  std::string message(1, kind);
  put(message, range.first);
  put(message, range.end);
  return message;
}
Range read_range(RecordReader& reader) {
  const std::uint64_t first = reader.number();
  return {first, reader.number()};
}

void put_totals(std::string& to, const RegionTotals& totals) {
  for (const Fingerprint sum : {totals.members, totals.references}) {
    put(to, static_cast<std::uint64_t>(sum >> 64));
    put(to, static_cast<std::uint64_t>(sum));
  }
  for (const std::uint64_t number :
       {totals.regions, totals.states, totals.steps, totals.largest, totals.compared})
    put(to, number);
}
RegionTotals read_totals(RecordReader& reader) {
  RegionTotals totals;
  for (Fingerprint* const sum : {&totals.members, &totals.references}) {
    *sum = Fingerprint{reader.number()} << 64;
    *sum |= reader.number();
  }
  for (std::uint64_t* const number :
       {&totals.regions, &totals.states, &totals.steps, &totals.largest, &totals.compared})
    *number = reader.number();
  return totals;
}

// What becomes of a range: the message for rank 0.
std::string certified(RegionCertifier& certifier, const Range& range) {
  try {
    RegionTotals totals;
    if (certifier.certify(range.first, range.end, totals)) {
      std::string message = to_message(kDone, range);
      put_totals(message, totals);
      return message;
    }
    if (const std::optional<LimitHit> limit = certifier.limit())
      return to_message(kLimit, {static_cast<std::uint64_t>(*limit), 0});
    return to_message(kRefused, range);
  } catch (const FramedFileError& error) {
    return kError + std::string("its certificate ") + error.what();
  } catch (const std::exception& error) {
    return kError + std::string(error.what());
  }
}

std::string wait_for_message(Ranks& ranks, RegionCertifier* certifier) {
  std::string message;
  unsigned from = 0;
  while (!ranks.receive(from, message)) {
    if (certifier != nullptr && certifier->poll()) return {};
    std::this_thread::sleep_for(kPollEvery);
  }
  return message;
}

// ---- ranks but 0 -------------------------------------------------------------------------------------

void serve(const TransitionSystem& system, const CertificateClaim& claim, FramedReader& file,
           const CertifierOptions& options, Ranks& ranks, const std::string& identity) {
  ranks.send(0, kHello + sha256(identity));
  const std::string key_message = wait_for_message(ranks, nullptr);
  if (key_message.front() != kKey) return;
  KeyedHash::Key key{};
  std::memcpy(key.data(), key_message.data() + 1, key.size());
  RegionCertifier certifier(system, claim, file, options, key);
  for (;;) {
    const std::string message = wait_for_message(ranks, nullptr);
    if (message.front() != kRange) return;
    RecordReader reader(std::string_view(message).substr(1));
    ranks.send(0, certified(certifier, read_range(reader)));
  }
}

// ---- rank 0 ------------------------------------------------------------------------------------------

// The thread of rank 0 that certifies; the main thread hands it ranges like messages.
class LocalRank {
 public:
  explicit LocalRank(RegionCertifier& certifier) : thread_([this, &certifier] { run(certifier); }) {}
  ~LocalRank() { join(); }

  void give(const Range& range) {
    const std::lock_guard guard(lock_);
    range_ = range;
    changed_.notify_one();
  }
  bool receive(std::string& message) {
    const std::lock_guard guard(lock_);
    if (answer_.empty()) return false;
    message = std::exchange(answer_, {});
    return true;
  }
  void join() {
    {
      const std::lock_guard guard(lock_);
      is_over_ = true;
      changed_.notify_one();
    }
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run(RegionCertifier& certifier) {
    for (;;) {
      std::unique_lock guard(lock_);
      changed_.wait(guard, [&] { return is_over_ || range_; });
      if (is_over_) return;
      const Range range = *std::exchange(range_, std::nullopt);
      guard.unlock();
      std::string answer = certified(certifier, range);
      guard.lock();
      answer_ = std::move(answer);
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::optional<Range> range_;
  std::string answer_;
  bool is_over_ = false;
  std::thread thread_;
};

class Coordinator {
 public:
  Coordinator(const CertificateClaim& claim, const CertifierOptions& options, Ranks& ranks,
              RegionCertifier& certifier, CertifierProgress& progress)
      : claim_(claim), options_(options), ranks_(ranks), certifier_(certifier), progress_(progress) {}

  // Until all is done, or something ends it: `refused`, `error` or a limit of the certifier.
  void run() {
    LocalRank local(certifier_);
    give(0, local);
    for (unsigned rank = 1; rank < ranks_.size(); ++rank) give(rank, local);
    while (busy_ != 0 && !is_over()) {
      unsigned from = 0;
      std::string message;
      if (!local.receive(message) && !ranks_.receive(from, message)) {
        certifier_.poll();
        std::this_thread::sleep_for(kPollEvery);
        continue;
      }
      --busy_;
      if (from != 0) exchanged += message.size();
      take(from, message);
      if (!is_over()) give(from, local);
    }
    certifier_.stop();
    local.join();
    for (unsigned rank = 1; rank < ranks_.size(); ++rank) ranks_.send(rank, std::string(1, kStop));
  }

  std::uint64_t exchanged = 0;  // bytes
  std::optional<Range> refused;
  std::string error;

 private:
  bool is_over() const { return refused || !error.empty() || certifier_.limit(); }

  void give(unsigned rank, LocalRank& local) {
    while (next_ <= claim_.regions && progress_.has(next_)) ++next_;
    if (next_ > claim_.regions) return;
    const std::uint64_t left = claim_.regions - next_ + 1;
    const std::uint64_t wanted = std::max<std::uint64_t>(1, left / (4 * std::uint64_t{ranks_.size()}));
    Range range{next_, next_};
    while (range.end < next_ + wanted && !progress_.has(range.end)) {
      // What is beyond all that was done before need not be looked at one by one.
      range.end = range.end >= progress_.is_done.size() ? next_ + wanted : range.end + 1;
    }
    next_ = range.end;
    ++busy_;
    if (rank == 0) return local.give(range);
    const std::string message = to_message(kRange, range);
    exchanged += message.size();
    ranks_.send(rank, message);
  }

  void take(unsigned from, const std::string& message) {
    RecordReader reader(std::string_view(message).substr(1));
    if (message.front() == kError) {
      error = fmt::format("rank {}: {}", from, message.substr(1));
      return;
    }
    const Range range = read_range(reader);
    switch (message.front()) {
      case kDone: {
        const RegionTotals totals = read_totals(reader);
        for (std::uint64_t i = 0; i < totals.regions; ++i) progress_.note_done(range.first + i);
        progress_.totals.add(totals);
        if (options_.checkpoint != nullptr && options_.checkpoint->is_due())
          options_.checkpoint->save(progress_);
        break;
      }
      case kRefused: refused = range; break;
      case kLimit: certifier_.end(static_cast<LimitHit>(range.first)); break;
      default: error = fmt::format("rank {} has sent what is no message", from);
    }
  }

  const CertificateClaim& claim_;
  const CertifierOptions& options_;
  Ranks& ranks_;
  RegionCertifier& certifier_;
  CertifierProgress& progress_;
  std::uint64_t next_ = 1;
  unsigned busy_ = 0;
};

// Waits until every rank has said what it has. Throws RegionError.
void compare_identities(Ranks& ranks, const std::string& identity, const Limits& limits) {
  const std::string expected = kHello + sha256(identity);
  std::string message;
  for (unsigned left = ranks.size() - 1, from = 0; left > 0; --left) {
    while (!ranks.receive(from, message)) {
      if (limits.is_interrupted()) throw RegionError("it was ended before all ranks had begun");
      std::this_thread::sleep_for(kPollEvery);
    }
    if (message != expected)
      throw RegionError(fmt::format(
          "rank {} has another certificate, model, option or version of spoor than rank 0", from));
  }
}

CertifierResult coordinate(const TransitionSystem& system, const CertificateClaim& claim, FramedReader& file,
                           const CertifierOptions& options, Ranks& ranks, const std::string& identity) {
  compare_identities(ranks, identity, options.limits);
  CertifierCheckpoint* const checkpoint = options.checkpoint;
  CertifierProgress progress;
  if (checkpoint != nullptr && checkpoint->resumed()) {
    progress = *checkpoint->resumed();
  } else {
    progress.key = KeyedHash::with_random_key().key();
  }
  std::string key_message(1, kKey);
  key_message.append(progress.key.begin(), progress.key.end());
  for (unsigned rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, key_message);

  RegionCertifier certifier(system, claim, file, options, progress.key);
  Coordinator coordinator(claim, options, ranks, certifier, progress);
  coordinator.run();
  const bool has_answer = coordinator.error.empty() && !certifier.limit();
  if (checkpoint != nullptr && !has_answer) checkpoint->save(progress);
  if (!coordinator.error.empty()) throw RegionError(coordinator.error);
  if (coordinator.refused && has_answer) {
    RegionTotals ignored;
    if (certifier.certify(coordinator.refused->first, coordinator.refused->end, ignored))
      throw RegionError("a rank refuses a region that rank 0 does not refuse");
  }
  CertifierResult result = certifier.conclude(progress);
  if (checkpoint != nullptr && has_answer) checkpoint->remove();
  result.processes = ranks.size();
  result.exchanged_bytes = coordinator.exchanged;
  return result;
}

}  // namespace

CertifierResult certify_with_ranks(const TransitionSystem& system, const CertificateClaim& claim,
                                   FramedReader& file, const CertifierOptions& options, Ranks& ranks,
                                   const std::string& identity) {
  if (ranks.rank() == 0) return coordinate(system, claim, file, options, ranks, identity);
  serve(system, claim, file, options, ranks, identity);
  return {};
}

}  // namespace spoor
