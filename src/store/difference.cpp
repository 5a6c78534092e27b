#include "store/difference.h"

#include <bit>
#include <cstring>

namespace spoor {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr std::size_t kGap = 4;     // so many equal bytes end an edit: the next one takes three of its own
constexpr std::size_t kAgree = 16;  // so many equal bytes mean that both strings are at the same place

std::uint64_t word_at(const std::byte* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// How many bytes the two have in common from here on, at most `most`.
std::size_t common(const std::byte* a, const std::byte* b, std::size_t most) {
  std::size_t i = 0;
  for (; i + kWord <= most; i += kWord) {
    const std::uint64_t wrong = word_at(a + i) ^ word_at(b + i);
    if (wrong == 0) continue;
    const int bits =
        std::endian::native == std::endian::little ? std::countr_zero(wrong) : std::countl_zero(wrong);
    return i + static_cast<std::size_t>(bits) / 8;
  }
  while (i < most && a[i] == b[i]) ++i;
  return i;
}

class Comparison {
 public:
  Comparison(std::span<const std::byte> base, std::span<const std::byte> target, std::size_t most,
             std::vector<std::byte>& out)
      : base_(base),
        target_(target),
        out_(out),
        end_(out.size() + most),
        is_moved_(base.size() == target.size()) {}

  bool run() {
    for (;;) {
      const std::size_t equal = common(base_.data() + in_base_, target_.data() + in_target_, left());
      pass(equal, equal);
      if (left() == 0) break;
      if (!move_on()) overwrite();
      if (out_.size() > end_) return false;
    }
    if (rest_of_base() + rest_of_target() > 0) add_edit(rest_of_target(), rest_of_base());
    return out_.size() <= end_;
  }

 private:
  std::size_t rest_of_base() const { return base_.size() - in_base_; }
  std::size_t rest_of_target() const { return target_.size() - in_target_; }
  std::size_t left() const { return std::min(rest_of_base(), rest_of_target()); }
  void pass(std::size_t base, std::size_t target) {
    in_base_ += base;
    in_target_ += target;
  }
  // Do they agree when this much of each is passed over?
  bool agree_behind(std::size_t base, std::size_t target) const {
    return base + kAgree <= rest_of_base() && target + kAgree <= rest_of_target() &&
           std::memcmp(base_.data() + in_base_ + base, target_.data() + in_target_ + target, kAgree) == 0;
  }
  // Is this where something was put in or taken out?
  bool move_on() {
    if (is_moved_ || agree_behind(kWord, kWord)) return false;
    const bool is_longer = target_.size() > base_.size();
    const std::size_t fresh = is_longer ? target_.size() - base_.size() : 0;
    const std::size_t omitted = is_longer ? 0 : base_.size() - target_.size();
    if (!agree_behind(omitted, fresh)) return false;
    is_moved_ = true;
    add_edit(fresh, omitted);
    return true;
  }
  void overwrite() {
    std::size_t length = 1;
    for (std::size_t i = 1; i < left() && i < length + kGap; ++i) {
      if (base_[in_base_ + i] != target_[in_target_ + i]) length = i + 1;
    }
    add_edit(length, length);
  }
  void add_number(std::size_t number) {
    for (; number >= 128; number >>= 7) out_.push_back(static_cast<std::byte>(number | 128));
    out_.push_back(static_cast<std::byte>(number));
  }
  // At this place so many bytes of the target replace so many of the base.
  void add_edit(std::size_t fresh, std::size_t omitted) {
    if (out_.size() + fresh > end_) {  // nothing that is too long is written
      out_.resize(end_ + 1);
      return;
    }
    add_number(in_base_ - copied_);
    add_number(fresh);
    add_number(omitted);
    const auto from = target_.begin() + static_cast<std::ptrdiff_t>(in_target_);
    out_.insert(out_.end(), from, from + static_cast<std::ptrdiff_t>(fresh));
    pass(omitted, fresh);
    copied_ = in_base_;
  }

  const std::span<const std::byte> base_, target_;
  std::vector<std::byte>& out_;
  const std::size_t end_;  // of what may be written
  std::size_t in_base_ = 0, in_target_ = 0;
  std::size_t copied_ = 0;  // up to here edits speak of the base
  bool is_moved_;
};

}  // namespace

bool append_difference(std::span<const std::byte> base, std::span<const std::byte> target, std::size_t most,
                       std::vector<std::byte>& out) {
  return Comparison(base, target, most, out).run();
}

}  // namespace spoor
