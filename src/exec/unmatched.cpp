#include "exec/unmatched.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <xxhash.h>

namespace spoor::exec {

class UnmatchedData {
 public:
  void remember(StateBytes matched, const std::byte* bytes, std::size_t count) {
    const XXH128_hash_t key = XXH3_128bits(matched.data(), matched.size());
    const std::lock_guard lock(mutex_);
    if (places_.emplace(key, bytes_.size()).second) bytes_.insert(bytes_.end(), bytes, bytes + count);
  }
  void recall(StateBytes matched, std::byte* bytes, std::size_t count) const {
    const XXH128_hash_t key = XXH3_128bits(matched.data(), matched.size());
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key);
    if (found == places_.end()) throw std::logic_error("a state was expanded that nothing led to");
    std::memcpy(bytes, bytes_.data() + found->second, count);
  }
  std::uint64_t memory_bytes() const {
    constexpr std::uint64_t kNodeBytes = 48;  // key, place and what the table needs for them
    const std::lock_guard lock(mutex_);
    return bytes_.capacity() + places_.size() * kNodeBytes + places_.bucket_count() * sizeof(void*);
  }

 private:
  struct Hash {
    std::size_t operator()(const XXH128_hash_t& key) const { return key.low64; }
  };
  struct Equal {
    bool operator()(const XXH128_hash_t& a, const XXH128_hash_t& b) const {
      return XXH128_isEqual(a, b) != 0;
    }
  };

  mutable std::mutex mutex_;
  std::unordered_map<XXH128_hash_t, std::size_t, Hash, Equal> places_;  // into bytes_
  std::vector<std::byte> bytes_;
};

std::shared_ptr<UnmatchedData> make_unmatched_data() { return std::make_shared<UnmatchedData>(); }

UnmatchedLayer::UnmatchedLayer(std::shared_ptr<const TransitionSystem> below, std::uint32_t offset,
                               std::uint32_t count, std::shared_ptr<UnmatchedData> data)
    : LayerOver(*below), owned_(std::move(below)), offset_(offset), count_(count), data_(std::move(data)) {}

std::size_t UnmatchedLayer::cut(std::byte* state, std::size_t length) const {
  std::vector<std::byte> bytes(state + offset_, state + offset_ + count_);
  std::memmove(state + offset_, state + offset_ + count_, length - offset_ - count_);
  data_->remember({state, length - count_}, bytes.data(), count_);
  return length - count_;
}

std::vector<std::byte> UnmatchedLayer::whole(StateBytes state) const {
  std::vector<std::byte> result(state.size() + count_);
  std::memcpy(result.data(), state.data(), offset_);
  data_->recall(state, result.data() + offset_, count_);
  std::memcpy(result.data() + offset_ + count_, state.data() + offset_, state.size() - offset_);
  return result;
}

std::vector<std::byte> UnmatchedLayer::initial_state() const {
  std::vector<std::byte> state = below().initial_state();
  state.resize(cut(state.data(), state.size()));
  return state;
}

void UnmatchedLayer::expand(StateBytes state, Expansion& out) const {
  below().expand(whole(state), out);
  for (std::size_t i = out.first_successor; i < out.successors.size(); ++i) {
    Successor& successor = out.successors[i];
    successor.length = static_cast<std::uint32_t>(cut(out.arena.data() + successor.offset, successor.length));
  }
  std::uint64_t& bytes = out.scratch.workspace_bytes;
  bytes = std::max(bytes, data_->memory_bytes());
}

AtomValues UnmatchedLayer::atom_values(StateBytes state, std::shared_ptr<void>& workspace,
                                       std::vector<Finding>& findings) const {
  return owned_->propositions()->atom_values(whole(state), workspace, findings);
}

Explanation UnmatchedLayer::explain(StateBytes state, StepId step) const {
  Explanation explanation = below().explain(whole(state), step);
  std::vector<std::byte>& target = explanation.target;
  if (!target.empty()) target.resize(cut(target.data(), target.size()));
  return explanation;
}

}  // namespace spoor::exec
