// What certifiers of all forms share: the keyed sums that prove that every reference is a member, how a
// difference of sums is named, and the expansion of a member (its errors, its spot check).
//
// The proof is in certifier.h: a reference is a state that must be a member, and A = sum of count(v) * H(v)
// over members equals B = sum of H(t) over references only if that is so. A wrong sum says that something is
// missing, not what. So the file is read again: first with sums of 4,096 classes of states (by their hashes),
// then with a table of one class that differs; the message names a reference that is no member, or a member
// with a wrong number.
//
// A sink is anything with add_member and add_reference: MembershipSums, ClassSums, ClassTable. The places of
// members and references are told for messages only.
//
// Tested by: tests/unit/test_certificate.cpp, tests/suites/test_certify.py
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/keyed_hash.h"
#include "base/keyed_hash_sums.h"
#include "evidence/certifier.h"
#include "evidence/secret_numbers.h"
#include "model/budget.h"
#include "model/system.h"

namespace spoor {

// Numbers of references must be smaller.
inline constexpr std::uint64_t kMostReferences = std::uint64_t{1} << 40;

// Where in the certificate something is. Counted from 1, for people; part 0: nowhere; state 0: all of it.
struct CertificatePlace {
  std::uint64_t part = 0;  // a region, or a chunk
  std::uint64_t state = 0, step = 0;
};

struct CertificateFailure {
  CertifierResult::Answer answer = CertifierResult::Answer::kRefuted;
  std::string reason;
  std::optional<Finding> finding;
  CertificatePlace place;
};
// `part`: what a part of the certificate is called.
void set_failure(const CertificateFailure& failure, std::string_view part, const TransitionSystem& system,
                 CertifierResult& result);

// Of the members and references that were seen.
class MembershipSums {
 public:
  explicit MembershipSums(const KeyedHash& hash) : sums_(hash) {}

  void add_member(StateBytes member, std::uint64_t count, const CertificatePlace&) {
    sums_.add(kMembers, member, count);
  }
  void add_reference(StateBytes member, const CertificatePlace&) { sums_.add(kReferences, member); }

  Fingerprint members() { return sums_[kMembers]; }
  Fingerprint references() { return sums_[kReferences]; }

 private:
  static constexpr std::size_t kMembers = 0, kReferences = 1;
  KeyedHashSums sums_;
};

// Differences of sums by classes of states. A class without a lie has the difference 0.
class ClassSums {
 public:
  static constexpr std::size_t kClasses = 4096;
  static std::size_t class_of(Fingerprint hash) { return static_cast<std::size_t>(hash >> 116); }
  explicit ClassSums(const KeyedHash& hash) : hash_(hash) {}

  void add_member(StateBytes member, std::uint64_t count, const CertificatePlace&) {
    const Fingerprint hash = hash_(member);
    sums_[class_of(hash)] += hash * count;
  }
  void add_reference(StateBytes member, const CertificatePlace&) {
    const Fingerprint hash = hash_(member);
    sums_[class_of(hash)] -= hash;
  }
  // The first class with a difference; kClasses: there is none.
  std::size_t differing() const;

 private:
  const KeyedHash hash_;
  std::vector<Fingerprint> sums_ = std::vector<Fingerprint>(kClasses);
};

// All states of one class, with what the file says of them and what was found.
class ClassTable {
 public:
  ClassTable(const KeyedHash& hash, std::size_t wanted) : hash_(hash), wanted_(wanted) {}

  void add_member(StateBytes member, std::uint64_t count, const CertificatePlace& place);
  void add_reference(StateBytes member, const CertificatePlace& place);
  CertificateFailure failure() const;

 private:
  using Hash = std::pair<std::uint64_t, std::uint64_t>;
  struct HashOfHash {
    std::size_t operator()(const Hash& hash) const { return hash.second; }
  };
  struct State {
    bool is_member = false;
    std::uint64_t claimed = 0, found = 0;
    CertificatePlace place;  // of the member; if there is none, of a reference
  };
  const KeyedHash hash_;
  const std::size_t wanted_;
  std::unordered_map<Hash, State, HashOfHash> states_;
};

// `walk(sink)`: tells a sink of all members and references again.
template <class Walk>
CertificateFailure find_difference(const KeyedHash& hash, const Walk& walk) {
  ClassSums sums(hash);
  walk(sums);
  ClassTable table(hash, sums.differing());
  walk(table);
  return table.failure();
}

// Expands members. Where there is a second system, it expands some of them, too, and the answers are
// compared; the producer cannot know which they are.
class MemberExpander {
 public:
  MemberExpander(const TransitionSystem& system, const CertifierOptions& options, Budget& budget);
  // Expansions have labels from now on.
  void ask_for_labels() { expansion_.asked.columns.labels = true; }

  // False: the member does not count (failure(), without a place), or a limit has ended the expansion
  // (Budget::is_over).
  bool expand(StateBytes state, bool in_full);
  const CertificateFailure& failure() const { return failure_; }
  const Expansion& expansion() const { return expansion_; }
  std::uint64_t compared() const { return compared_; }

 private:
  bool fail(CertificateFailure failure);
  void compare(StateBytes state);

  const TransitionSystem& system_;
  const CertifierOptions& options_;
  Budget& budget_;
  Expansion expansion_;
  SecretNumbers secret_;              // which say which members are compared
  std::unique_ptr<Expansion> other_;  // of the second system; null: there is none
  CertificateFailure failure_;
  std::uint64_t compared_ = 0;
};

}  // namespace spoor
