#include "hunt/ngrams.h"

#include <algorithm>

namespace spoor {

void Ngrams::clear() {
  for (Table& table : followers_) table.clear();
  entries_ = 0;
}

void Ngrams::add(std::uint64_t context, Action action, std::uint64_t count) {
  for (unsigned length = 0; length <= kLongest; ++length) {
    const std::uint64_t last = context & ((std::uint64_t{1} << (kActionBits * length)) - 1);
    std::vector<Follower>& seen = followers_[length][last];
    const auto found = std::ranges::find(seen, action, &Follower::action);
    if (found != seen.end()) {
      found->count += count;
    } else {
      seen.push_back({action, count});
      ++entries_;
    }
  }
}

void Ngrams::learn(std::span<const Action> path) {
  Context context;
  for (const Action action : path) {
    add(context.last(kLongest), action, 1);
    context.add(action);
  }
}

std::span<const Ngrams::Follower> Ngrams::after(const Context& context, unsigned length) const {
  const auto found = followers_[length].find(context.last(length));
  return found == followers_[length].end() ? std::span<const Follower>() : std::span(found->second);
}

std::vector<std::uint64_t> Ngrams::contexts() const {
  std::vector<std::uint64_t> all;
  for (const auto& [context, seen] : followers_[kLongest]) all.push_back(context);
  std::ranges::sort(all);
  return all;
}

std::span<const Ngrams::Follower> Ngrams::after(std::uint64_t context) const {
  const auto found = followers_[kLongest].find(context);
  return found == followers_[kLongest].end() ? std::span<const Follower>() : std::span(found->second);
}

std::uint64_t Ngrams::memory_bytes() const {
  constexpr std::uint64_t kBytesPerContext = 80;  // of the map, and the smallest vector
  std::uint64_t bytes = entries_ * sizeof(Follower) * 2;
  for (const Table& table : followers_) bytes += table.size() * kBytesPerContext;
  return bytes;
}

std::size_t NgramSampler::choose(const Ngrams::Context& context, std::span<const Ngrams::Action> actions,
                                 std::mt19937_64& random) {
  if (ngrams_.is_empty() || actions.size() == 1) return random() % actions.size();
  ++turn_;
  for (const Ngrams::Action action : actions) {
    if (action >= offers_.size()) offers_.resize(action + 1);
    Offer& offer = offers_[action];
    offer = {turn_, offer.turn == turn_ ? offer.steps + 1 : 1};
  }
  const auto is_offered = [&](const Ngrams::Follower& follower) {
    return follower.action < offers_.size() && offers_[follower.action].turn == turn_;
  };
  for (unsigned length = Ngrams::kLongest + 1; length-- > 0;) {
    const std::span<const Ngrams::Follower> seen = ngrams_.after(context, length);
    std::uint64_t all = 0;
    for (const Ngrams::Follower& follower : seen) all += is_offered(follower) ? follower.count : 0;
    if (all == 0) continue;
    std::uint64_t left = random() % all;
    const auto chosen = std::ranges::find_if(seen, [&](const Ngrams::Follower& follower) {
      if (!is_offered(follower)) return false;
      if (left < follower.count) return true;
      left -= follower.count;
      return false;
    });
    std::uint64_t step = random() % offers_[chosen->action].steps;
    std::size_t i = 0;
    while (actions[i] != chosen->action || step-- > 0) ++i;
    return i;
  }
  return random() % actions.size();
}

}  // namespace spoor
