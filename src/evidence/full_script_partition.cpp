#include "evidence/full_script_partition.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace spoor {
namespace {

using Kind = ScriptInstruction::Kind;

constexpr std::uint64_t kPartsOfTask = 256;
constexpr std::size_t kNobody = SIZE_MAX;

// A state whose subtree may become a region. Candidate 0 is the initial state.
struct Candidate {
  std::uint32_t root = 0, end = 0;
  ScriptTarget target;
  std::uint64_t size = 0;       // without regions that were taken out
  std::size_t above = kNobody;  // the nearest candidate above
  bool is_left = true;
};

// The first reading.
class CandidateReading {
 public:
  CandidateReading(ScriptWork& work, ScriptParts& parts, unsigned tasks)
      : work_(work),
        reader_(parts),
        least_(std::max<std::uint64_t>(1, work.claim.initial.size / (tasks * kPartsOfTask))) {}

  // Empty: something is wrong, or a limit was reached.
  std::vector<Candidate> read() {
    push(work_.claim.initial, true);
    ScriptInstruction instruction;
    for (std::uint32_t since_poll = 0; !path_.empty();) {
      if (++since_poll % 4096 == 0 && poll()) return {};
      if (!reader_.next(instruction)) return fail("the script ends before all states were left");
      if (instruction.kind == Kind::kBacktrack) {
        if (const Frame& frame = path_.back(); passed_ - frame.passed != frame.size)
          return fail(fmt::format("its subtree has {} transitions, and the script says {}",
                                  passed_ - frame.passed, frame.size));
        if (path_.back().is_candidate) candidates_[path_.back().candidate].end = next_;
        path_.pop_back();
        continue;
      }
      ++passed_;
      if (instruction.kind == Kind::kKnown) {
        if (instruction.number >= next_) return fail("leads to a state with a number that is not known yet");
        continue;
      }
      if (next_ >= work_.claim.common.states) return fail("the script has more states than it says");
      const Candidate& above = candidates_[path_.back().candidate];
      const std::uint64_t size = instruction.target.size;
      push(instruction.target, size >= least_ && size < above.size && above.size - size >= least_);
    }
    if (reader_.next(instruction)) return fail("the script goes on when all states were left");
    return std::move(candidates_);
  }

 private:
  struct Frame {
    std::uint64_t passed = 0, size = 0;
    std::size_t candidate = 0;  // this state, or the nearest above
    std::uint32_t number = 0;
    bool is_candidate = false;
  };

  void push(const ScriptTarget& target, bool is_candidate) {
    std::size_t nearest = path_.empty() ? kNobody : path_.back().candidate;
    if (is_candidate) {
      candidates_.push_back({next_, 0, target, target.size, nearest, true});
      nearest = candidates_.size() - 1;
    }
    path_.push_back({passed_, target.size, nearest, next_++, is_candidate});
  }
  bool poll() {
    return work_.budget.poll(work_.memory_bytes + path_.capacity() * sizeof(Frame) +
                             candidates_.capacity() * sizeof(Candidate) + reader_.memory_bytes());
  }
  std::vector<Candidate> fail(std::string reason) {
    CertificateFailure failure = {CertifierResult::Answer::kRefuted, std::move(reason), {}, {}};
    if (!path_.empty()) failure.place.state = std::uint64_t{path_.back().number} + 1;
    work_.fail(reader_.place(), std::move(failure));
    return {};
  }

  ScriptWork& work_;
  ScriptReader reader_;
  const std::uint64_t least_;
  std::vector<Candidate> candidates_;
  std::vector<Frame> path_;
  std::uint64_t passed_ = 0;
  std::uint32_t next_ = 0;
};

// Takes out the subtree that is closest in size to an equal share of what is left, as often as there are
// tasks. A thousand tasks have half a million candidates, which are looked at for each of them.
std::vector<ScriptRegion> choose_regions(ScriptWork& work, std::vector<Candidate>& candidates,
                                         unsigned tasks) {
  const std::uint64_t candidate_bytes = candidates.capacity() * sizeof candidates[0];
  std::vector<ScriptRegion> regions(1);
  std::uint64_t left = candidates[0].size;
  for (unsigned more = tasks; more > 1; --more) {
    if (work.budget.poll(work.memory_bytes + candidate_bytes + regions.capacity() * sizeof regions[0]))
      return {};
    // From an equal share, times the number of shares.
    const auto distance = [&](const Candidate& candidate) {
      const std::uint64_t shares = candidate.size * more;
      return shares > left ? shares - left : left - shares;
    };
    Candidate* closest = nullptr;
    for (std::size_t i = 1; i < candidates.size(); ++i) {
      Candidate& candidate = candidates[i];
      if (candidate.is_left && candidate.size > 0 &&
          (closest == nullptr || distance(candidate) < distance(*closest)))
        closest = &candidate;
    }
    if (closest == nullptr) break;
    ScriptRegion& region = regions.emplace_back();
    region.root = closest->root;
    region.end = closest->end;
    region.target = closest->target;
    region.steps = closest->size;
    const std::uint64_t taken = closest->size;
    left -= taken;
    for (std::size_t above = closest->above; above != kNobody; above = candidates[above].above)
      candidates[above].size -= taken;
    for (Candidate& candidate : candidates)
      candidate.is_left &= candidate.root < region.root || candidate.root >= region.end;
  }
  regions[0].target = candidates[0].target;
  regions[0].end = candidates[0].end;
  regions[0].steps = left;
  std::sort(regions.begin() + 1, regions.end(),
            [](const ScriptRegion& a, const ScriptRegion& b) { return a.root < b.root; });
  return regions;
}

// The second reading: where regions begin and end. REQUIRES: the first one has found nothing wrong. The paths
// to roots may be long where the file is short.
void find_places(ScriptWork& work, ScriptParts& parts, std::vector<ScriptRegion>& regions) {
  ScriptReader reader(parts);
  std::uint64_t path_bytes = 0, since_poll = 0;
  std::vector<std::uint32_t> path;
  std::vector<std::size_t> depths = {0}, inside = {0};  // of the roots above, and their regions
  std::size_t next_region = 1;
  std::uint32_t next = 1;
  ScriptInstruction instruction;
  while (reader.next(instruction)) {
    if (++since_poll % 4096 == 0 && work.budget.poll(work.memory_bytes + path_bytes)) return;
    const auto here = [&] { return ScriptPosition{reader.place(), reader.part_begin()}; };
    if (instruction.kind == Kind::kBacktrack) {
      if (path.empty()) return;
      if (inside.size() > 1 && depths.back() == path.size()) {
        regions[inside.back()].last = here();
        inside.pop_back();
        depths.pop_back();
      }
      path.pop_back();
    } else if (instruction.kind == Kind::kNew) {
      path.push_back(instruction.step);
      if (next_region < regions.size() && regions[next_region].root == next) {
        regions[inside.back()].cut.push_back(next_region);
        regions[next_region].first = here();
        regions[next_region].path = path;
        path_bytes += path.size() * sizeof path[0];
        if (work.budget.poll(work.memory_bytes + path_bytes)) return;
        inside.push_back(next_region++);
        depths.push_back(path.size());
      }
      ++next;
    }
  }
}

}  // namespace

std::vector<ScriptRegion> divide_script(ScriptWork& work, ScriptParts& parts, unsigned tasks) {
  std::vector<ScriptRegion> regions;
  if (tasks == 1) {
    ScriptRegion& all = regions.emplace_back();
    all.target = work.claim.initial;
    return regions;
  }
  {
    std::vector<Candidate> candidates = CandidateReading(work, parts, tasks).read();
    if (candidates.empty()) return regions;
    regions = choose_regions(work, candidates, tasks);
  }
  if (regions.empty()) return regions;
  find_places(work, parts, regions);
  if (work.budget.is_over()) return {};
  for (const ScriptRegion& region : regions)
    work.memory_bytes += region.path.capacity() * sizeof region.path[0];
  // The file has been changed in the meantime.
  if (std::any_of(regions.begin() + 1, regions.end(),
                  [](const ScriptRegion& region) { return !region.last; }))
    throw_damaged();
  return regions;
}

}  // namespace spoor
