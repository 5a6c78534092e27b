#include "evidence/membership_sums.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

namespace spoor {

namespace {
using Answer = CertifierResult::Answer;
}  // namespace

void set_failure(const CertificateFailure& failure, std::string_view part, const TransitionSystem& system,
                 CertifierResult& result) {
  result.answer = failure.answer;
  result.finding = failure.finding;
  result.reason = failure.finding ? system.message(*failure.finding) : failure.reason;
  if (failure.place.part == 0) return;
  std::string place = fmt::format("{} {}", part, failure.place.part);
  if (failure.place.state != 0) place = fmt::format("state {} of {}", failure.place.state, place);
  if (failure.place.step != 0) place = fmt::format("transition {} of {}", failure.place.step, place);
  result.reason = fmt::format("{}{}: {}", place, failure.finding ? " has an error" : "", result.reason);
}

std::size_t ClassSums::differing() const {
  const auto found = std::ranges::find_if(sums_, [](Fingerprint sum) { return sum != 0; });
  return static_cast<std::size_t>(found - sums_.begin());
}

void ClassTable::add_member(StateBytes member, std::uint64_t count, const CertificatePlace& place) {
  const Fingerprint hash = hash_(member);
  if (ClassSums::class_of(hash) != wanted_) return;
  State& state = states_[{static_cast<std::uint64_t>(hash >> 64), static_cast<std::uint64_t>(hash)}];
  state.is_member = true;
  state.claimed += count;
  state.place = place;
}

void ClassTable::add_reference(StateBytes member, const CertificatePlace& place) {
  const Fingerprint hash = hash_(member);
  if (ClassSums::class_of(hash) != wanted_) return;
  State& state = states_[{static_cast<std::uint64_t>(hash >> 64), static_cast<std::uint64_t>(hash)}];
  if (state.found++ == 0 && !state.is_member) state.place = place;
}

CertificateFailure ClassTable::failure() const {
  const auto less = [](const auto& a, const auto& b) {
    const auto key = [](const State& s) { return std::tuple(s.is_member, s.place.part, s.place.state); };
    return key(a.second) < key(b.second);
  };
  std::vector<std::pair<Hash, State>> wrong;
  for (const auto& entry : states_) {
    if (entry.second.claimed != entry.second.found) wrong.emplace_back(entry);
  }
  if (wrong.empty()) return {Answer::kRefuted, "its sums differ", {}, {}};
  const State& state = std::ranges::min_element(wrong, less)->second;
  if (!state.is_member) {
    if (state.place.part == 0) return {Answer::kRefuted, "the initial state is none of its states", {}, {}};
    return {
        Answer::kRefuted, "leads to a state that is none of the states of the certificate", {}, state.place};
  }
  return {Answer::kRefuted,
          fmt::format("is referred to {} times, and the certificate says {}", state.found, state.claimed),
          {},
          state.place};
}

MemberExpander::MemberExpander(const TransitionSystem& system, const CertifierOptions& options,
                               Budget& budget)
    : system_(system), options_(options), budget_(budget) {
  if (options.second != nullptr) other_ = std::make_unique<Expansion>();
  expansion_.asked.budget = &budget;
}

bool MemberExpander::fail(CertificateFailure failure) {
  failure_ = std::move(failure);
  return false;
}

bool MemberExpander::expand(StateBytes state, bool in_full) {
  failure_ = {};
  expansion_.clear();
  expansion_.asked.may_reduce = options_.reduces && !in_full;
  system_.expand(state, expansion_);
  if (expansion_.was_cut) {
    if (budget_.is_over()) return false;
    return fail({Answer::kRefuted, "has more successors than can be numbered", {}, {}});
  }
  for (const Finding& finding : expansion_.findings) {
    if (options_.counted.contains(finding.kind)) return fail({Answer::kNotConfirmed, "", finding, {}});
  }
  if (other_ != nullptr && secret_.next() % options_.second_part == 0) compare(state);
  return true;
}

// Has the second system the same answer?
void MemberExpander::compare(StateBytes state) {
  other_->clear();
  other_->asked.may_reduce = expansion_.asked.may_reduce;
  options_.second->expand(state, *other_);
  ++compared_;
  const auto is_same = [&](const Successor& a, const Successor& b) {
    return a.step == b.step && std::ranges::equal(expansion_.state(a), other_->state(b));
  };
  const auto is_same_finding = [](const Finding& a, const Finding& b) {
    return a.kind == b.kind && a.identity == b.identity && a.step == b.step;
  };
  if (!std::ranges::equal(expansion_.successors, other_->successors, is_same) ||
      !std::ranges::equal(expansion_.findings, other_->findings, is_same_finding) ||
      !std::ranges::equal(expansion_.marks, other_->marks) || expansion_.is_reduced != other_->is_reduced)
    throw std::logic_error("compiled code and interpreter disagree about the successors of a state");
}

}  // namespace spoor
