#include "evidence/certifier.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/process_time.h"
#include "evidence/certifier_checkpoint.h"
#include "evidence/certifier_ranks.h"
#include "evidence/membership_sums.h"
#include "evidence/task_schedule.h"

namespace spoor {
namespace {

using Answer = CertifierResult::Answer;
using Place = CertificatePlace;
using Failure = CertificateFailure;

constexpr std::string_view kRegion = "region";

// States that are yet to be expanded; the last one is taken first.
class StateStack {
 public:
  void push(StateBytes state) {
    ends_.push_back(bytes_.size());
    bytes_.insert(bytes_.end(), state.begin(), state.end());
  }
  // Takes the last one; its bytes replace those of `state`.
  void pop(std::vector<std::byte>& state) {
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(ends_.back());
    state.assign(begin, bytes_.end());
    bytes_.erase(begin, bytes_.end());
    ends_.pop_back();
  }
  bool is_empty() const { return ends_.empty(); }
  std::size_t size() const { return ends_.size(); }
  void clear() { bytes_.clear(), ends_.clear(); }
  std::uint64_t memory_bytes() const { return bytes_.capacity() + ends_.capacity() * sizeof(std::size_t); }

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::size_t> ends_;  // where each begins
};

// A region of a group, with its parts of the columns.
struct Region {
  std::uint64_t number = 0;  // in the file, from 1
  const RegionHead* head = nullptr;
  std::span<const std::uint8_t> flags;
  std::span<const std::uint64_t> references;
  std::span<const std::uint32_t> in_full;  // ordinals in the group
  std::uint32_t first = 0;                 // ordinal of its first state in the group
};

// `memory_bytes`: to which its own are added as long as it is there.
struct Group {
  Group(RegionGroup decoded, std::atomic<std::uint64_t>& memory)
      : content(std::move(decoded)), memory_bytes(memory) {
    regions.reserve(content.heads.size());
    bytes = content.flags.capacity() + content.references.capacity() * sizeof content.references[0] +
            content.in_full.capacity() * sizeof content.in_full[0] +
            content.heads.capacity() * sizeof content.heads[0] + regions.capacity() * sizeof regions[0];
    memory_bytes += bytes;
  }
  ~Group() { memory_bytes -= bytes; }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;

  const RegionGroup content;
  std::vector<Region> regions;
  std::atomic<std::uint64_t>& memory_bytes;
  std::uint64_t bytes = 0;
};

// What the workers share.
struct Work {
  Work(const TransitionSystem& searched, const CertificateClaim& claimed, FramedReader& from,
       const CertifierOptions& wanted, const KeyedHash& keyed)
      : system(searched), claim(claimed), file(from), options(wanted), hash(keyed), budget(wanted.limits) {}

  const TransitionSystem& system;
  const CertificateClaim& claim;
  FramedReader& file;
  const CertifierOptions& options;
  const std::vector<std::byte> initial_state = system.initial_state();
  const KeyedHash hash;
  Budget budget;

  std::atomic<std::uint64_t> memory_bytes = 0;
  std::atomic<bool> is_over = false;

  std::mutex lock;  // of what follows
  std::shared_ptr<const Group> group;
  // The group behind it, which one worker reads while the others certify. Only that one uses the file and
  // counts regions and states.
  std::shared_ptr<const Group> next;
  std::exception_ptr next_error;  // instead
  bool reads_ahead = options.workers > 1;
  bool is_reading = false, is_read = false;  // the next one; it may be that there is none
  std::condition_variable was_read;
  // Regions of the group, as they are taken: the largest first, so that no worker is left with a large one at
  // the end. A part of the work takes them in the order of the file.
  std::vector<const Region*> order;
  bool has_file_order = false;
  std::size_t taken = 0;
  std::uint64_t regions = 0, states = 0;
  std::optional<Failure> failure;
  std::exception_ptr error;
  TaskSchedule schedule{options.tasks};
  // What an earlier run has done, and what is done by now.
  const CertifierProgress progress_before = options.checkpoint != nullptr && options.checkpoint->resumed()
                                                ? *options.checkpoint->resumed()
                                                : first();
  CertifierProgress progress = progress_before;

  CertifierProgress first() const {
    CertifierProgress none;
    none.key = hash.key();
    return none;
  }
  // The region is done, in so many seconds.
  void finish(std::uint64_t region, const RegionTotals& totals, double seconds) {
    const std::lock_guard guard(lock);
    schedule.add(totals.steps, seconds);
    progress.note_done(region);
    progress.totals.add(totals);
    if (options.checkpoint != nullptr && options.checkpoint->is_due()) save();
  }
  // REQUIRES: the lock, or that no worker is at work.
  void save() {
    CertifierProgress now = progress;
    note_times(now);
    options.checkpoint->save(now);
  }
  void note_times(CertifierProgress& now) const {
    now.elapsed_s += budget.elapsed_s();
    now.cpu_s += process_cpu_s() - cpu_before_s;
  }
  const double cpu_before_s = process_cpu_s();

  bool has_region() const { return group != nullptr && taken != order.size(); }
  void set_order() {
    order.clear();
    for (const Region& region : group->regions) order.push_back(&region);
    if (!has_file_order)
      std::ranges::stable_sort(order, std::greater(),
                               [](const Region* region) { return region->head->steps; });
  }
  void begin_again() {
    file.rewind();
    FileRecord claim_record;
    file.read(claim_record, kMostGroupBytes);
    group.reset();
    next.reset();
    next_error = nullptr;
    is_read = false;
    taken = regions = states = 0;
  }
  void fail(Failure why) {
    const std::lock_guard guard(lock);
    // Of several the one that comes first in the file, whichever worker was faster.
    if (!failure ||
        std::pair(why.place.part, why.place.state) < std::pair(failure->place.part, failure->place.state))
      failure = std::move(why);
    end();
  }
  // REQUIRES: the lock. Nobody takes another region, nor waits for one.
  void end() {
    is_over = true;
    was_read.notify_all();
  }
};

// Reads the next group. Null: there is none. REQUIRES: nobody else does.
std::shared_ptr<const Group> next_group(Work& work) {
  FileRecord record;
  if (!work.file.read(record, kMostGroupBytes)) return nullptr;
  if (record.kind != kGroupRecord) throw_damaged();
  auto group = std::make_shared<Group>(decoded_group(record.content), work.memory_bytes);
  const RegionGroup& content = group->content;
  const std::span<const std::uint8_t> flags(reinterpret_cast<const std::uint8_t*>(content.flags.data()),
                                            content.flags.size());
  const std::span<const std::uint64_t> references(content.references);
  std::size_t flag = 0, state = 0;
  for (const RegionHead& head : content.heads) {
    const auto full = std::ranges::lower_bound(content.in_full, state);
    group->regions.push_back({++work.regions, &head, flags.subspan(flag, head.flag_bytes),
                              references.subspan(state, head.states), std::span(full, content.in_full.end()),
                              static_cast<std::uint32_t>(state)});
    flag += head.flag_bytes;
    state += head.states;
  }
  work.states += state;
  return group;
}

// One worker: goes through regions, and tells a sink (membership_sums.h) of members and references.
class RegionWalker {
 public:
  explicit RegionWalker(Work& work) : work_(work) {}
  ~RegionWalker() { work_.memory_bytes -= noted_bytes_; }
  RegionWalker(const RegionWalker&) = delete;
  RegionWalker& operator=(const RegionWalker&) = delete;

  // False: it fails (Work::failure), or a limit was reached.
  template <class Sink>
  bool walk(const Region& region, Sink& sink) {
    place_ = {region.number, 0, 0};
    stack_.clear();
    const StateBytes root = std::as_bytes(std::span(region.head->root));
    if (!std::ranges::equal(root, work_.initial_state) && !work_.system.is_well_formed(root))
      return fail("its root is no state of the model");
    stack_.push(root);
    const std::uint8_t* flags = region.flags.data();
    const std::uint8_t* const flags_end = flags + region.flags.size();
    auto in_full = region.in_full.begin();
    std::uint64_t steps = 0;
    for (; !stack_.is_empty(); ++place_.state) {
      const std::uint64_t ordinal = place_.state;
      // So a stack is never larger than the file says.
      if (ordinal + stack_.size() > region.references.size())
        return fail("the region has more states than it says");
      if (++since_poll_ == kPollEvery && !poll()) return false;
      stack_.pop(state_);
      const bool wants_full =
          in_full != region.in_full.end() && *in_full == region.first + ordinal && (++in_full, true);
      const std::uint64_t count = region.references[ordinal];
      if (count >= kMostReferences) return fail("has an impossible number of references");
      sink.add_member(state_, count, shown());
      if (!expander_.expand(state_, wants_full)) return !work_.budget.is_over() && fail(expander_.failure());
      const Expansion& expansion = expander_.expansion();
      const std::size_t successors = expansion.successors.size();
      if (static_cast<std::size_t>(flags_end - flags) < flag_bytes(successors))
        return fail("the region ends before all of its transitions were taken");
      bool has_new = false;
      for (std::size_t i = 0; i < successors; ++i) {
        const StateBytes target = expansion.state(expansion.successors[i]);
        if ((flags[i >> 3] >> (i & 7) & 1) != 0) {
          has_new = true;
          stack_.push(target);
        } else {
          place_.step = i + 1;
          sink.add_reference(target, shown());
        }
      }
      place_.step = 0;
      if ((successors & 7) != 0 && flags[successors >> 3] >> (successors & 7) != 0)
        return fail("more transitions are marked than there are");
      flags += flag_bytes(successors);
      steps += successors;
      if (expansion.is_reduced && !has_new)
        return fail("steps are left out, and none of those that are taken leads to a new state");
    }
    if (place_.state != region.references.size() || flags != flags_end)
      return fail("the region goes on when all of its states were expanded");
    if (steps != region.head->steps) return fail("the region has another number of transitions than it says");
    return true;
  }

  std::uint64_t compared() const { return expander_.compared(); }

 private:
  static constexpr unsigned kPollEvery = 256;

  Place shown() const { return {place_.part, place_.state + 1, place_.step}; }
  bool fail(Failure failure) {
    failure.place = shown();
    work_.fail(std::move(failure));
    return false;
  }
  bool fail(std::string reason) { return fail(Failure{Answer::kRefuted, std::move(reason), {}, {}}); }

  bool poll() {
    since_poll_ = 0;
    const std::uint64_t bytes =
        stack_.memory_bytes() + expander_.expansion().memory_bytes() + state_.capacity();
    work_.memory_bytes += bytes - noted_bytes_;
    noted_bytes_ = bytes;
    return !work_.budget.poll(work_.memory_bytes) && !work_.is_over;
  }

  Work& work_;
  MemberExpander expander_{work_.system, work_.options, work_.budget};
  StateStack stack_;
  std::vector<std::byte> state_;
  Place place_;  // of what is looked at; its state counts from 0
  unsigned since_poll_ = 0;
  std::uint64_t noted_bytes_ = 0;
};

// Reads the group behind the current one. Afterwards others know that it is there, or why it is not.
void read_ahead(Work& work, std::unique_lock<std::mutex>& guard) {
  work.is_reading = true;
  guard.unlock();
  std::shared_ptr<const Group> next;
  std::exception_ptr error;
  const double begin_s = work.schedule.now_s();
  try {
    next = next_group(work);
  } catch (...) {
    error = std::current_exception();
  }
  const double seconds = work.schedule.now_s() - begin_s;
  guard.lock();
  work.schedule.add_reading(seconds);
  work.next = std::move(next);
  work.next_error = error;
  work.is_reading = false;
  work.is_read = true;
  work.was_read.notify_all();
}

// Goes on to the group that was read. False: there is none, or something is wrong. REQUIRES: the lock.
bool advance(Work& work) {
  work.is_read = false;
  work.group = std::move(work.next);
  work.taken = 0;
  if (work.next_error) {
    work.end();
    std::rethrow_exception(std::exchange(work.next_error, nullptr));
  }
  if (work.group == nullptr) {
    work.is_read = true;  // nobody reads again
    return false;
  }
  work.set_order();
  const char* const wrong = work.group->regions.empty()         ? "it has a group without regions"
                            : work.states > work.claim.states   ? "it has more states than it says"
                            : work.regions > work.claim.regions ? "it has more regions than it says"
                                                                : nullptr;
  if (wrong != nullptr) {
    work.failure = {Answer::kRefuted, wrong, {}, {}};
    work.end();
    return false;
  }
  return !work.budget.poll(work.memory_bytes);
}

// Takes regions until there are none, or something fails. `certify`: of one region; false: it fails.
template <class Certify>
void take_regions(Work& work, Certify&& certify) {
  try {
    while (!work.is_over && !work.budget.is_over()) {
      std::shared_ptr<const Group> group;
      const Region* region = nullptr;
      {
        std::unique_lock guard(work.lock);
        if ((work.reads_ahead || !work.has_region()) && !work.is_reading && !work.is_read) {
          read_ahead(work, guard);
          continue;
        }
        if (!work.has_region()) {
          // Who reads tells when it is done. By then another worker may have gone on to that group, and may
          // have ended everything there.
          work.was_read.wait(guard, [&] { return work.is_read || work.has_region() || work.is_over; });
          if (!work.has_region() && !work.is_over && !advance(work)) return;
          continue;
        }
        group = work.group;
        region = work.order[work.taken++];
      }
      if (!certify(*region)) return;
    }
  } catch (const std::bad_alloc&) {
    work.budget.end(LimitHit::kOutOfMemory);
  } catch (...) {
    const std::lock_guard guard(work.lock);
    if (!work.error) work.error = std::current_exception();
    work.end();
  }
}

// One worker's part: regions that are not done, each again where its task throws.
class RegionTask {
 public:
  static constexpr unsigned kMostAttempts = 3;

  explicit RegionTask(Work& work) : work_(work) {}

  bool operator()(const Region& region) {
    if (work_.progress_before.has(region.number)) return true;
    for (unsigned attempt = 1;; ++attempt) {
      try {
        return certify(region);
      } catch (const std::logic_error&) {  // compiled code and interpreter disagree
        throw;
      } catch (const NotSupported&) {
        throw;
      } catch (const std::bad_alloc&) {
        walker_.reset();
        if (attempt == kMostAttempts) throw;
      } catch (const std::exception& error) {
        walker_.reset();
        if (attempt == kMostAttempts)
          throw RegionError(fmt::format("region {} could not be certified, in {} attempts: {}", region.number,
                                        kMostAttempts, error.what()));
      }
    }
  }

 private:
  bool certify(const Region& region) {
    if (!walker_) walker_.emplace(work_);
    const double begin_s = work_.schedule.now_s();
    const std::uint64_t compared_before = walker_->compared();
    MembershipSums sums(work_.hash);
    if (!walker_->walk(region, sums)) return false;
    const std::uint64_t steps = region.head->steps;
    work_.finish(region.number,
                 {sums.members(), sums.references(), 1, region.references.size(), steps, steps,
                  walker_->compared() - compared_before},
                 work_.schedule.now_s() - begin_s);
    return true;
  }

  Work& work_;
  std::optional<RegionWalker> walker_;
};

// What is wrong, where the sums differ. A limit leaves that open.
Failure find_region_difference(Work& work) {
  Failure failure = find_difference(work.hash, [&](auto& sink) {
    work.begin_again();
    sink.add_reference(work.initial_state, {});
    RegionWalker walker(work);
    take_regions(work, [&](const Region& region) { return walker.walk(region, sink); });
    if (work.error) std::rethrow_exception(work.error);
  });
  if (work.budget.is_over()) return {Answer::kRefuted, "its sums differ", {}, {}};
  return failure;
}

KeyedHash hash_for(const CertifierOptions& options) {
  const bool is_resumed = options.checkpoint != nullptr && options.checkpoint->resumed();
  return is_resumed ? KeyedHash(options.checkpoint->resumed()->key) : KeyedHash::with_random_key();
}

// The answer, when the regions were read.
CertifierResult conclude(Work& work) {
  const CertificateClaim& claim = work.claim;
  const RegionTotals& totals = work.progress.totals;
  CertifierResult result;
  result.limit = work.budget.limit();
  result.states = totals.states;
  result.steps = totals.steps;
  result.regions = work.regions;
  result.largest_region = totals.largest;
  result.compared = totals.compared;
  work.schedule.report(result);
  const auto fail = [&](const Failure& failure) { set_failure(failure, kRegion, work.system, result); };
  if (result.limit) {
    result.answer = Answer::kLimit;
  } else if (work.failure) {
    fail(*work.failure);
  } else if (totals.members != totals.references + work.hash(work.initial_state)) {
    fail(find_region_difference(work));
  } else if (result.steps >= kMostReferences) {
    fail({Answer::kRefuted, "it has more transitions than the sums can tell apart", {}, {}});
  } else if (result.states != claim.states || result.steps != claim.steps ||
             result.regions != claim.regions) {
    fail({Answer::kRefuted,
          fmt::format("it has {} states, {} transitions and {} regions, and says {}, {} and {}",
                      result.states, result.steps, result.regions, claim.states, claim.steps, claim.regions),
          {},
          {}});
  }
  work.note_times(work.progress);
  result.memory_bytes = work.budget.peak_bytes();
  result.elapsed_s = work.progress.elapsed_s;
  result.cpu_s = work.progress.cpu_s;
  return result;
}

}  // namespace

CertifierResult certify(const TransitionSystem& system, const CertificateClaim& claim, FramedReader& file,
                        const CertifierOptions& options) {
  Work work(system, claim, file, options, hash_for(options));
  const auto take_part = [&] {
    RegionTask task(work);
    take_regions(work, task);
  };
  {
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < options.workers; ++i) others.emplace_back(take_part);
    take_part();
  }
  const bool has_answer = !work.budget.limit() && !work.error;
  if (options.checkpoint != nullptr && !has_answer) work.save();
  if (work.error) std::rethrow_exception(work.error);
  const CertifierResult result = conclude(work);
  if (options.checkpoint != nullptr && has_answer) options.checkpoint->remove();
  return result;
}

// ---- a part of it ------------------------------------------------------------------------------------

// Work without a checkpoint: what a part has done is told to rank 0.
struct RegionCertifier::Part {
  Part(const TransitionSystem& system, const CertificateClaim& claim, FramedReader& file,
       const CertifierOptions& wanted, const KeyedHash::Key& key)
      : options(wanted), work(system, claim, file, options, KeyedHash(key)), task(work) {
    work.has_file_order = true;
    work.reads_ahead = false;  // one worker
  }

  const CertifierOptions options;
  Work work;
  RegionTask task;
  std::uint64_t next = 1;  // the region that is read next
};

RegionCertifier::RegionCertifier(const TransitionSystem& system, const CertificateClaim& claim,
                                 FramedReader& file, const CertifierOptions& options,
                                 const KeyedHash::Key& key) {
  CertifierOptions own = options;
  own.checkpoint = nullptr;
  part_ = std::make_unique<Part>(system, claim, file, own, key);
}
RegionCertifier::~RegionCertifier() = default;

bool RegionCertifier::certify(std::uint64_t first, std::uint64_t end, RegionTotals& totals) {
  Work& work = part_->work;
  if (work.failure) return false;
  work.is_over = false;
  work.progress = {};
  if (first < part_->next) work.begin_again();
  part_->next = end;
  take_regions(work, [&](const Region& region) {
    if (region.number < first) return true;
    if (region.number < end) return part_->task(region);
    --work.taken;  // it is left for the next time
    return false;
  });
  if (work.error) std::rethrow_exception(std::exchange(work.error, nullptr));
  totals = work.progress.totals;
  return !work.failure && !work.is_over && !work.budget.is_over();
}

std::optional<LimitHit> RegionCertifier::limit() const { return part_->work.budget.limit(); }
bool RegionCertifier::poll() { return part_->work.budget.poll(part_->work.memory_bytes); }
void RegionCertifier::end(LimitHit limit) { part_->work.budget.end(limit); }
void RegionCertifier::stop() { part_->work.is_over = true; }

CertifierResult RegionCertifier::conclude(const CertifierProgress& progress) {
  Work& work = part_->work;
  if (!work.failure && !work.budget.is_over()) {
    work.is_over = false;
    work.begin_again();
    while (next_group(work) != nullptr) {
    }
  }
  work.progress = progress;
  return spoor::conclude(work);
}

}  // namespace spoor
