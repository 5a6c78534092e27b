#include "evidence/full_script_certifier.h"

#include <optional>

#include "evidence/full_script_fingerprints.h"
#include "evidence/full_script_regions.h"

namespace spoor {
namespace {

using Answer = CertifierResult::Answer;

// Expands states, and compares what the script says of them.
class FullExplorer {
 public:
  static constexpr bool kExecutesCut = true;

  FullExplorer(ScriptWork& work, const KeyedHash& hash, ScriptFingerprints& fingerprints)
      : work_(work), hash_(hash), fingerprints_(fingerprints) {
    expander_.ask_for_labels();
  }

  void start() {
    steps_.clear();
    bytes_.clear();
    frames_.clear();
    current_ = work_.initial_state;
  }
  bool follow(std::uint32_t step) {
    path_.clear();
    path_.asked.budget = &work_.budget;
    if (!work_.system.step(current_, work_.steps[step].name, path_) || path_.successors.empty())
      return fail("the step does not exist");
    const StateBytes target = path_.state(path_.successors[0]);
    current_.assign(target.begin(), target.end());
    return true;
  }
  bool take(std::uint32_t step) {
    Frame& frame = frames_.back();
    const KnownSteps::Step& wanted = work_.steps[step];
    const std::size_t count = steps_.size() - frame.first;
    // In the order of the expansion, as our searches take them, the first that is looked at is the right one.
    for (std::size_t i = 0; i < count; ++i) {
      Step& found = steps_[frame.first + (frame.taken + i) % count];
      if (found.name != wanted.name) continue;
      if (found.key != wanted.key) return fail("the step has another statement than the script says");
      if (found.is_taken) return fail("the step is taken twice");
      found.is_taken = true;
      ++frame.taken;
      target_ = StateBytes(bytes_).subspan(found.offset, found.length);
      return true;
    }
    return fail("the step does not exist");
  }
  bool define(std::uint32_t number, const ScriptTarget& target, std::uint64_t more_uses) {
    if (frames_.empty()) target_ = current_;
    if (target.uses > ScriptFingerprints::kMostUses - more_uses)
      return fail("has an impossible number of uses");
    const std::uint64_t uses = target.uses + more_uses;
    return uses == 0 || answered(fingerprints_.define(number, hash_(target_), uses));
  }
  bool use(std::uint32_t number) { return answered(fingerprints_.use(number, hash_(target_))); }
  bool pass(std::uint32_t number) {
    frames_.back().has_new = true;
    return use(number);
  }
  bool enter(const ScriptTarget& target) {
    if (!frames_.empty()) current_.assign(target_.begin(), target_.end());
    if (!expander_.expand(current_, target.in_full)) return fail(expander_.failure());
    const Expansion& expansion = expander_.expansion();
    frames_.push_back({steps_.size(), bytes_.size(), 0, expansion.is_reduced, false});
    for (std::size_t i = 0; i < expansion.successors.size(); ++i) {
      const Successor& successor = expansion.successors[i];
      const StateBytes state = expansion.state(successor);
      const std::uint32_t label = i < expansion.labels.size() ? expansion.labels[i] : UINT32_MAX;
      steps_.push_back({successor.step, bytes_.size(), successor.length, work_.steps.key_of(label), false});
      bytes_.insert(bytes_.end(), state.begin(), state.end());
    }
    if (frames_.size() > 1) frames_[frames_.size() - 2].has_new = true;
    return true;
  }
  bool leave() {
    const Frame& frame = frames_.back();
    if (frame.taken != steps_.size() - frame.first)
      return fail(fmt::format("the state is left when {} of its {} steps were taken", frame.taken,
                              steps_.size() - frame.first));
    if (frame.is_reduced && !frame.has_new)
      return fail("steps are left out, and none of those that are taken leads to a new state");
    steps_.resize(frame.first);
    bytes_.resize(frame.bytes);
    frames_.pop_back();
    return true;
  }

  const CertificateFailure& failure() const { return failure_; }
  std::uint64_t memory_bytes() const {
    return steps_.capacity() * sizeof(Step) + bytes_.capacity() + frames_.capacity() * sizeof(Frame) +
           current_.capacity() + expander_.expansion().memory_bytes();
  }
  std::uint64_t shared_bytes() const { return fingerprints_.memory_bytes(); }
  std::uint64_t compared() const { return expander_.compared(); }

 private:
  // Of a state on the path. Its bytes are in `bytes_`.
  struct Step {
    StepId name;
    std::size_t offset = 0;  // of the target
    std::uint32_t length = 0;
    std::uint32_t key : 31 = 0;
    std::uint32_t is_taken : 1 = 0;
  };
  struct Frame {
    std::size_t first = 0, bytes = 0;  // of its steps, of their targets
    std::size_t taken = 0;
    bool is_reduced = false, has_new = false;
  };

  bool fail(CertificateFailure failure) {
    failure_ = std::move(failure);
    return false;
  }
  bool fail(std::string reason) {
    return fail(CertificateFailure{Answer::kRefuted, std::move(reason), {}, {}});
  }

  bool answered(ScriptFingerprints::Answer answer) {
    switch (answer) {
      case ScriptFingerprints::Answer::kRight: return true;
      case ScriptFingerprints::Answer::kOther:
        return fail("leads to another state than the one with this number");
      case ScriptFingerprints::Answer::kUnknown:
        return fail("leads to a state that has no more uses, as the script says");
      case ScriptFingerprints::Answer::kTooMany: return fail("is used more often than the script says");
    }
    return false;
  }

  ScriptWork& work_;
  const KeyedHash& hash_;
  ScriptFingerprints& fingerprints_;
  MemberExpander expander_{work_.system, work_.options, work_.budget};
  Expansion path_;
  std::vector<Step> steps_;         // of the states on the path
  std::vector<std::byte> bytes_;    // the targets of their steps
  std::vector<Frame> frames_;       // the path
  std::vector<std::byte> current_;  // the state that is entered
  StateBytes target_;               // of the step that was taken last
  CertificateFailure failure_;
};

class FullChecker {
 public:
  using Explorer = FullExplorer;

  void begin(bool is_shared) { fingerprints_.emplace(is_shared); }
  Explorer make_explorer(ScriptWork& work) { return FullExplorer(work, hash_, *fingerprints_); }
  void end(CertifierResult& result) {
    if (!fingerprints_) return;
    result.most_fingerprints = fingerprints_->most_entries();
    const auto rest = fingerprints_->first_rest();
    if (!rest || result.answer != Answer::kConfirmed) return;
    result.answer = Answer::kRefuted;
    result.reason =
        rest->left > 0
            ? fmt::format("state {}: the script says that it is used {} times more", rest->number, rest->left)
            : fmt::format("state {}: is used more often than the script says", rest->number);
  }

 private:
  const KeyedHash hash_ = KeyedHash::with_random_key();
  std::optional<ScriptFingerprints> fingerprints_;
};

}  // namespace

CertifierResult certify_full_script(const TransitionSystem& system, const FullScriptClaim& claim,
                                    FramedReader& file, const CertifierOptions& options) {
  FullChecker checker;
  return certify_regions(system, claim, file, options, checker);
}

}  // namespace spoor
