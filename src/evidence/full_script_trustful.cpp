#include "evidence/full_script_trustful.h"

#include <algorithm>
#include <stdexcept>

#include "evidence/full_script_regions.h"

namespace spoor {
namespace {

using Answer = CertifierResult::Answer;

// Executes single steps.
class SteppingExplorer {
 public:
  static constexpr bool kExecutesCut = false;

  explicit SteppingExplorer(ScriptWork& work) : work_(work) {
    expansion_.asked.budget = other_.asked.budget = &work.budget;
  }

  void start() {
    ends_.clear();
    bytes_.clear();
    target_ = work_.initial_state;
  }
  bool follow(std::uint32_t step) {
    from_.swap(target_);
    return execute(from_, step);
  }
  bool take(std::uint32_t step) {
    const std::size_t begin = ends_.size() > 1 ? ends_[ends_.size() - 2] : 0;
    return execute(StateBytes(bytes_).subspan(begin, ends_.back() - begin), step);
  }
  bool define(std::uint32_t, const ScriptTarget&, std::uint64_t) {
    expansion_.clear();
    if (work_.options.examiner != nullptr) work_.options.examiner->examine(target_, expansion_);
    return examine_findings();
  }
  bool use(std::uint32_t) { return true; }
  bool pass(std::uint32_t) { return true; }
  bool enter(const ScriptTarget&) {
    bytes_.insert(bytes_.end(), target_.begin(), target_.end());
    ends_.push_back(bytes_.size());
    return true;
  }
  bool leave() {
    ends_.pop_back();
    bytes_.resize(ends_.empty() ? 0 : ends_.back());
    return true;
  }

  const CertificateFailure& failure() const { return failure_; }
  std::uint64_t memory_bytes() const {
    return bytes_.capacity() + ends_.capacity() * sizeof(std::size_t) + expansion_.memory_bytes();
  }
  std::uint64_t shared_bytes() const { return 0; }
  std::uint64_t compared() const { return compared_; }

 private:
  bool fail(std::string reason) {
    failure_ = {Answer::kRefuted, std::move(reason), {}, {}};
    return false;
  }
  bool execute(StateBytes state, std::uint32_t step) {
    const StepId name = work_.steps[step].name;
    expansion_.clear();
    if (!work_.system.step(state, name, expansion_))
      return !work_.budget.is_over() && fail("the step does not exist");
    if (!examine_findings()) return false;
    if (expansion_.successors.empty()) return fail("the step leads nowhere");
    const StateBytes target = expansion_.state(expansion_.successors[0]);
    target_.assign(target.begin(), target.end());
    if (work_.options.second != nullptr && secret_.next() % work_.options.second_part == 0)
      compare(state, name);
    return true;
  }
  bool examine_findings() {
    for (const Finding& finding : expansion_.findings) {
      if (!work_.options.counted.contains(finding.kind)) continue;
      failure_ = {Answer::kRefuted, "", finding, {}};
      return false;
    }
    return true;
  }
  void compare(StateBytes state, StepId name) {
    other_.clear();
    ++compared_;
    if (!work_.options.second->step(state, name, other_) || other_.successors.empty() ||
        !std::ranges::equal(other_.state(other_.successors[0]), target_))
      throw std::logic_error("compiled code and interpreter disagree about a step of a state");
  }

  ScriptWork& work_;
  Expansion expansion_, other_;
  SecretNumbers secret_;
  std::vector<std::byte> bytes_;   // of the states on the path
  std::vector<std::size_t> ends_;  // where each ends
  std::vector<std::byte> target_;  // of the step that was executed last
  std::vector<std::byte> from_;    // where it began, on the way to the root of a region
  CertificateFailure failure_;
  std::uint64_t compared_ = 0;
};

struct TrustfulChecker {
  using Explorer = SteppingExplorer;

  void begin(bool) {}
  Explorer make_explorer(ScriptWork& work) { return SteppingExplorer(work); }
  void end(CertifierResult&) {}
};

}  // namespace

CertifierResult certify_trustful_script(const TransitionSystem& system, const FullScriptClaim& claim,
                                        FramedReader& file, const CertifierOptions& options) {
  TrustfulChecker checker;
  return certify_regions(system, claim, file, options, checker);
}

}  // namespace spoor
