// Follows the instructions of a script (full_script.h): what the certification of full and of trustful
// scripts has in common.
//
// A walk executes a region of the script: the states from one of them, its root, down to those that are roots
// of other regions (full_script_partition.h); in a serial certification all of it. The walk sees to the order
// of the instructions: that numbers are in order, that sizes are those of the subtrees, that the region ends
// where its root is left. An explorer executes: it has the states.
//
// An explorer has these members; those that return bool return false where something fails (failure()):
//
//     void start()                                      it is at the initial state
//     bool take(step)                                   it executes a step of the state that was entered last
//     bool define(number, target, more_uses)            where it is now is this state, for the first time
//     bool use(number)                                  where it is now is this state
//     bool pass(number)                                 the same, and it is entered in another region
//     bool enter(target)                                goes on from where it is now
//     bool leave()                                      returns from the state that was entered last
//     bool follow(step)                                 start, then executes a step (initialization paths)
//     std::uint64_t memory_bytes(), shared_bytes()      its own, those of all workers together
//     static constexpr bool kExecutesCut                are steps to the roots of other regions executed?
//
// Thread safety: each worker has a walk, a reader and an explorer of its own; they share ScriptWork.
// Tested by: tests/unit/test_full_script.cpp, tests/unit/test_full_script_attacks.cpp
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/keyed_hash.h"
#include "evidence/certifier.h"
#include "evidence/full_script.h"
#include "evidence/membership_sums.h"
#include "evidence/secret_numbers.h"
#include "model/budget.h"

namespace spoor {

// Where an instruction is, and where its part begins in the file.
struct ScriptPosition {
  ScriptPlace place;
  FilePosition part;
};

// A connected piece of the search tree.
struct ScriptRegion {
  std::uint32_t root = 0;           // its number
  std::uint32_t end = 0;            // states with numbers up to this one are in the subtree of the root
  ScriptTarget target;              // what the script says of the root
  std::vector<std::uint32_t> path;  // steps from the initial state to the root
  // The instruction that enters the root, and the one that leaves it; nothing: all of the script.
  std::optional<ScriptPosition> first, last;
  std::vector<std::size_t> cut;  // regions whose roots are states of this one's tree, in the order of numbers
  std::uint64_t steps = 0;       // transitions of its own
};

// The steps of the table as the certifier's own system knows them.
class KnownSteps {
 public:
  struct Step {
    StepId name;
    std::uint32_t key = 0;  // equal keys have equal numbers
  };
  KnownSteps() = default;
  KnownSteps(const TransitionSystem& system, const std::vector<NamedStep>& steps);

  const Step& operator[](std::uint32_t step) const { return steps_[step]; }
  std::size_t size() const { return steps_.size(); }
  // The number of the key of the statement with this label.
  std::uint32_t key_of(std::uint32_t label) const {
    return label < key_of_label_.size() ? key_of_label_[label] : kNoKey;
  }
  std::uint64_t memory_bytes() const { return steps_.capacity() * sizeof(Step); }

 private:
  static constexpr std::uint32_t kNoKey = 0;  // the empty one

  std::vector<Step> steps_;
  std::vector<std::uint32_t> key_of_label_;
};

// What the workers share.
struct ScriptWork {
  // Reads the table of steps, which is next in the file; then the parts are. Throws FramedFileError.
  ScriptWork(const TransitionSystem& searched, const FullScriptClaim& claimed, FramedReader& file,
             const CertifierOptions& wanted)
      : system(searched), claim(claimed), options(wanted), budget(wanted.limits) {
    read_steps(file);
  }

  const TransitionSystem& system;
  const FullScriptClaim& claim;
  KnownSteps steps;
  const CertifierOptions& options;
  const std::vector<std::byte> initial_state = system.initial_state();
  Budget budget;
  std::atomic<std::uint64_t> memory_bytes = 0;
  std::atomic<bool> is_over = false;

  std::mutex lock;  // of what follows
  std::optional<std::pair<ScriptPlace, CertificateFailure>> failure;
  std::exception_ptr error;

  void fail(const ScriptPlace& place, CertificateFailure why) {
    const std::lock_guard guard(lock);
    // Of several the one that comes first in the script, whichever worker was faster.
    if (!failure || place < failure->first) failure = {place, std::move(why)};
    is_over = true;
  }

 private:
  void read_steps(FramedReader& file);
};

// The answer, where something failed or a limit was reached; false: there is none.
bool set_script_failure(ScriptWork& work, CertifierResult& result);

template <class Explorer>
class RegionWalk {
 public:
  RegionWalk(ScriptWork& work, Explorer& explorer, const std::vector<ScriptRegion>& regions)
      : work_(work), explorer_(explorer), regions_(regions) {}
  ~RegionWalk() { work_.memory_bytes -= noted_bytes_; }
  RegionWalk(const RegionWalk&) = delete;
  RegionWalk& operator=(const RegionWalk&) = delete;

  // False: it fails (ScriptWork::failure), or a limit was reached.
  bool walk(const ScriptRegion& region, ScriptReader& reader) {
    place_ = {};
    frames_.clear();
    explorer_.start();
    for (const std::uint32_t step : region.path) {
      if (!explorer_.follow(step)) return fail();
    }
    if (region.first) {
      reader.go_behind(region.first->place, region.first->part);
      place_ = reader.place();
    }
    passed_ = 0;
    next_ = region.root + 1;
    auto cut = region.cut.begin();
    // The step that leads to the root of a region uses it.
    if (!explorer_.define(region.root, region.target, region.first ? 1 : 0) ||
        !enter(region.root, region.target))
      return fail();
    ScriptInstruction instruction;
    while (!frames_.empty()) {
      if (++since_poll_ == kPollEvery && !poll(reader)) return false;
      if (!reader.next(instruction)) return fail("the script ends before all states were left");
      place_ = reader.place();
      if (instruction.kind == ScriptInstruction::Kind::kBacktrack) {
        if (!leave()) return fail();
        continue;
      }
      ++passed_;
      if (instruction.kind == ScriptInstruction::Kind::kKnown) {
        ++steps_;
        if (instruction.number >= next_) return fail("leads to a state with a number that is not known yet");
        if (!explorer_.take(instruction.step) || !explorer_.use(instruction.number)) return fail();
        continue;
      }
      if (next_ >= work_.claim.common.states) return fail("the script has more states than it says");
      const std::uint32_t number = next_;
      if (cut != region.cut.end() && regions_[*cut].root == number) {
        if constexpr (Explorer::kExecutesCut) {
          ++steps_;
          if (!explorer_.take(instruction.step) || !explorer_.pass(number)) return fail();
        }
        const ScriptRegion& other = regions_[*cut++];
        passed_ += other.target.size;
        next_ = other.end;
        reader.go_behind(other.last->place, other.last->part);
        continue;
      }
      ++steps_;
      ++next_;
      if (!explorer_.take(instruction.step) || !explorer_.define(number, instruction.target, 0) ||
          !enter(number, instruction.target))
        return fail();
    }
    if (region.first) {
      if (next_ != region.end || cut != region.cut.end() || place_ != region.last->place)
        return fail("a region ends elsewhere than it did when it was cut");
    } else if (reader.next(instruction)) {
      place_ = reader.place();
      return fail("the script goes on when all states were left");
    }
    return true;
  }

  // Of all regions that were walked. A step to a root counts where it is executed, or nowhere.
  std::uint64_t states() const { return states_; }
  std::uint64_t steps() const { return steps_; }

 private:
  static constexpr unsigned kPollEvery = 256;
  struct Frame {
    std::uint32_t number = 0;
    std::uint64_t passed = 0;  // transitions of the script when it was entered
    std::uint64_t size = 0;
  };

  bool enter(std::uint32_t number, const ScriptTarget& target) {
    frames_.push_back({number, passed_, target.size});
    ++states_;
    return explorer_.enter(target);
  }
  bool leave() {
    const Frame& frame = frames_.back();
    if (!explorer_.leave()) return false;
    if (passed_ - frame.passed != frame.size) {
      reason_ = fmt::format("its subtree has {} transitions, and the script says {}", passed_ - frame.passed,
                            frame.size);
      return false;
    }
    frames_.pop_back();
    return true;
  }

  // The explorer, or leave(), says why. A limit leaves it open.
  bool fail() {
    if (work_.budget.is_over()) return false;
    CertificateFailure failure = explorer_.failure();
    if (!reason_.empty()) failure = {CertifierResult::Answer::kRefuted, reason_, {}, {}};
    if (!frames_.empty()) failure.place.state = frames_.back().number + 1;
    work_.fail(place_, std::move(failure));
    return false;
  }
  bool fail(std::string reason) {
    reason_ = std::move(reason);
    return fail();
  }

  bool poll(const ScriptReader& reader) {
    since_poll_ = 0;
    const std::uint64_t bytes =
        explorer_.memory_bytes() + frames_.capacity() * sizeof(Frame) + reader.memory_bytes();
    work_.memory_bytes += bytes - noted_bytes_;
    noted_bytes_ = bytes;
    return !work_.budget.poll(work_.memory_bytes + explorer_.shared_bytes()) && !work_.is_over;
  }

  ScriptWork& work_;
  Explorer& explorer_;
  const std::vector<ScriptRegion>& regions_;
  std::vector<Frame> frames_;
  ScriptPlace place_;
  std::uint32_t next_ = 0;    // the number of the next new state
  std::uint64_t passed_ = 0;  // transitions of the script, from the root of the region on
  unsigned since_poll_ = 0;
  std::uint64_t states_ = 0, steps_ = 0, noted_bytes_ = 0;
  std::string reason_;
};

}  // namespace spoor
