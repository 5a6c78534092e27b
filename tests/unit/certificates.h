// Certificates as tests make, change and judge them.
//
// A script is a certificate whose states are told apart, so that a test can change one of them; it has no
// sizes, which follow from it. `judge` says what a certificate is worth in the simplest way: a set of its
// states and a set of the states that it refers to. It shares nothing with the certifier but the decoding.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/temporary_folder.h"
#include "evidence/certificate.h"
#include "evidence/certifier.h"
#include "evidence/level_script_recorder.h"
#include "evidence/script_recorder.h"
#include "search/search.h"

namespace spoor::certified {

using Bytes = std::vector<std::byte>;

struct ScriptState {
  std::vector<bool> flags;  // of each transition: is its target new?
  std::uint64_t references = 0;
  bool in_full = false;

  friend bool operator==(const ScriptState&, const ScriptState&) = default;
};
struct ScriptRegion {
  std::string root;
  std::vector<ScriptState> states;

  friend bool operator==(const ScriptRegion&, const ScriptRegion&) = default;
};
using Script = std::vector<ScriptRegion>;

struct Certificate {
  CertificateClaim claim;
  std::vector<RegionGroup> groups;
};

inline Bytes bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}
inline std::string text_of(StateBytes bytes) { return std::string(as_text(bytes)); }

// ---- files -------------------------------------------------------------------------------------------

// A folder that all tests share: making one takes longer than a small certificate does.
inline const std::string& certificate_folder() {
  static const TemporaryFolder folder;
  return folder.path();
}

// A file without a name, not compressed.
inline FramedWriter unnamed_certificate() {
  FileFormat format = kCertificateFormat;
  format.level = FileFormat::kStored;
  return {FramedWriter::Unnamed{certificate_folder()}, format};
}

// A certificate in a file without a name, not compressed.
class CertificateFile {
 public:
  explicit CertificateFile(const Certificate& certificate) : writer_(unnamed_certificate()) {
    writer_.add(kClaimRecord, encoded_claim(certificate.claim));
    for (const RegionGroup& group : certificate.groups) writer_.add(kGroupRecord, encoded_group(group));
    writer_.finish();
  }
  CertificateFile(const CertificateClaim& claim, const std::vector<std::pair<char, std::string>>& records)
      : writer_(unnamed_certificate()) {
    writer_.add(kClaimRecord, encoded_claim(claim));
    for (const auto& [kind, content] : records) writer_.add(kind, content);
    writer_.finish();
  }
  CertifierResult certify(const TransitionSystem& system, const CertifierOptions& options = {}) const {
    CertifierResult result;
    read([&](const CertificateClaim& claim, FramedReader& reader) {
      result = spoor::certify(system, claim, reader, options);
    });
    return result;
  }
  // Calls `use` with the claim, and a reader of what follows.
  template <class Use>
  void read(const Use& use) const {
    FramedReader reader(writer_, kCertificateFormat);
    FileRecord record;
    reader.read(record);
    use(decoded_claim(record.content), reader);
  }

 private:
  FramedWriter writer_;
};

inline CertifierResult certify(const TransitionSystem& system, const Certificate& certificate,
                               const CertifierOptions& options = {}) {
  return CertificateFile(certificate).certify(system, options);
}

inline Certificate read_certificate(const std::string& path) {
  FramedReader reader(path, kCertificateFormat);
  FileRecord record;
  reader.read(record);
  Certificate certificate{decoded_claim(record.content), {}};
  while (reader.read(record)) certificate.groups.push_back(decoded_group(record.content));
  return certificate;
}

struct Recorded {
  SearchResult result;
  std::string why_not;  // there is no certificate; empty: there is
  Certificate certificate;
};

// What a search leaves. `least_steps`: of a region.
template <class Recorder>
Recorded record_with(Order order, const TransitionSystem& system, std::uint64_t least_steps, bool reduces,
                     SearchOptions options) {
  const std::string path = certificate_folder() + "/recorded";
  Recorder recorder(path, least_steps);
  options.order = order;
  options.observer = &recorder;
  options.reduce = options.reduces_to_new = reduces;
  Recorded recorded{search(system, options), recorder.why_not(), {}};
  if (!recorded.why_not.empty()) return recorded;
  recorder.save({});
  recorded.certificate = read_certificate(path);
  return recorded;
}
inline Recorded record_script(const TransitionSystem& system, std::uint64_t least_steps, bool reduces = false,
                              SearchOptions options = {}) {
  return record_with<ScriptRecorder>(Order::kDepthFirst, system, least_steps, reduces, options);
}
inline Recorded record_level_script(const TransitionSystem& system, std::uint64_t least_steps,
                                    bool reduces = false, SearchOptions options = {}) {
  return record_with<LevelScriptRecorder>(Order::kBreadthFirst, system, least_steps, reduces, options);
}
// Of both searches.
inline constexpr auto kRecordings = std::array{&record_script, &record_level_script};

// ---- scripts -----------------------------------------------------------------------------------------

struct Expanded {
  std::vector<Bytes> targets;
  bool has_error = false;
  bool is_reduced = false;
};
inline Expanded expand(const TransitionSystem& system, const Bytes& state, bool may_reduce,
                       FindingKinds counted = FindingKinds::all()) {
  Expansion out;
  out.asked.may_reduce = may_reduce;
  system.expand(state, out);
  Expanded result;
  for (const Successor& successor : out.successors) {
    const StateBytes bytes = out.state(successor);
    result.targets.emplace_back(bytes.begin(), bytes.end());
  }
  for (const Finding& finding : out.findings) result.has_error |= counted.contains(finding.kind);
  result.is_reduced = out.is_reduced;
  return result;
}

// Calls `take` for the groups' regions: the head, and what belongs to it of the columns.
template <class Take>
void for_each_region(const std::vector<RegionGroup>& groups, const Take& take) {
  for (const RegionGroup& group : groups) {
    std::size_t flag = 0, state = 0;
    for (const RegionHead& head : group.heads) {
      std::vector<bool> in_full;
      for (std::size_t i = 0; i < head.states; ++i)
        in_full.push_back(std::ranges::count(group.in_full, state + i) != 0);
      take(head, std::string_view(group.flags).substr(flag, head.flag_bytes),
           std::span(group.references).subspan(state, head.states), in_full);
      flag += head.flag_bytes;
      state += head.states;
    }
  }
}

// REQUIRES: the certificate is a right one.
inline Script script_of(const TransitionSystem& system, const std::vector<RegionGroup>& groups,
                        bool reduces = false) {
  Script script;
  for_each_region(groups, [&](const RegionHead& head, std::string_view flags, auto references,
                              const std::vector<bool>& in_full) {
    ScriptRegion& region = script.emplace_back();
    region.root = head.root;
    std::vector<Bytes> stack = {bytes_of(head.root)};
    for (std::size_t i = 0; i < references.size(); ++i) {
      const Bytes state = std::move(stack.back());
      stack.pop_back();
      ScriptState& written = region.states.emplace_back();
      written.references = references[i];
      written.in_full = in_full[i];
      const Expanded expanded = expand(system, state, reduces && !in_full[i]);
      for (std::size_t step = 0; step < expanded.targets.size(); ++step) {
        const bool is_new = (flags[step >> 3] >> (step & 7) & 1) != 0;
        written.flags.push_back(is_new);
        if (is_new) stack.push_back(expanded.targets[step]);
      }
      flags.remove_prefix(flag_bytes(expanded.targets.size()));
    }
  });
  return script;
}

// `per_group`: regions.
inline Certificate certificate_of(const Script& script, std::size_t per_group = 3) {
  Certificate certificate;
  for (const ScriptRegion& region : script) {
    if (certificate.groups.empty() || certificate.groups.back().heads.size() >= per_group)
      certificate.groups.emplace_back();
    RegionGroup& group = certificate.groups.back();
    RegionHead head;
    head.root = region.root;
    head.states = region.states.size();
    for (const ScriptState& state : region.states) {
      if (state.in_full) group.in_full.push_back(static_cast<std::uint32_t>(group.references.size()));
      group.references.push_back(state.references);
      std::string flags(flag_bytes(state.flags.size()), '\0');
      for (std::size_t i = 0; i < state.flags.size(); ++i)
        flags[i >> 3] = static_cast<char>(flags[i >> 3] | (state.flags[i] ? 1 << (i & 7) : 0));
      group.flags += flags;
      head.flag_bytes += flags.size();
      head.steps += state.flags.size();
    }
    certificate.claim.states += head.states;
    certificate.claim.steps += head.steps;
    ++certificate.claim.regions;
    group.heads.push_back(std::move(head));
  }
  return certificate;
}

// ---- the judge ---------------------------------------------------------------------------------------

// What a certificate is worth.
struct Judgement {
  bool is_followed = true;  // as many states, transitions and flags as it says; every root is a state
  bool is_closed = false;   // the initial state and all references are members
  bool has_error = false;   // some member
  bool is_reduced_rightly = true;
  bool counts_are_right = false;

  bool proves() const { return is_followed && is_closed && !has_error && is_reduced_rightly; }
  bool is_right() const { return proves() && counts_are_right; }
};

inline Judgement judge(const TransitionSystem& system, const Certificate& certificate, bool reduces = false,
                       FindingKinds counted = FindingKinds::all()) {
  Judgement judgement;
  std::map<Bytes, std::uint64_t> claimed, found;
  ++found[system.initial_state()];
  std::uint64_t states = 0, steps = 0, regions = 0;
  for_each_region(certificate.groups, [&](const RegionHead& head, std::string_view flags, auto references,
                                          const std::vector<bool>& in_full) {
    ++regions;
    states += head.states;
    std::uint64_t region_steps = 0;
    const Bytes root = bytes_of(head.root);
    if (root != system.initial_state() && !system.is_well_formed(root))
      return void(judgement.is_followed = false);
    std::vector<Bytes> stack = {root};
    for (std::size_t i = 0; i < references.size(); ++i) {
      if (stack.empty()) return void(judgement.is_followed = false);
      const Bytes state = std::move(stack.back());
      stack.pop_back();
      if (references[i] >= std::uint64_t{1} << 40) judgement.is_followed = false;
      claimed[state] += references[i];
      const Expanded expanded = expand(system, state, reduces && !in_full[i], counted);
      judgement.has_error |= expanded.has_error;
      const std::size_t count = expanded.targets.size();
      if (flags.size() < flag_bytes(count)) return void(judgement.is_followed = false);
      bool has_new = false;
      for (std::size_t bit = 0; bit < 8 * flag_bytes(count); ++bit) {
        const bool is_new = (flags[bit >> 3] >> (bit & 7) & 1) != 0;
        if (bit >= count) {
          if (is_new) judgement.is_followed = false;
        } else if (is_new) {
          has_new = true;
          stack.push_back(expanded.targets[bit]);
        } else {
          ++found[expanded.targets[bit]];
        }
      }
      judgement.is_reduced_rightly &= !expanded.is_reduced || has_new;
      flags.remove_prefix(flag_bytes(count));
      region_steps += count;
    }
    steps += region_steps;
    judgement.is_followed &= stack.empty() && flags.empty() && head.steps == region_steps;
  });
  judgement.is_followed &=
      std::ranges::none_of(certificate.groups, [](const RegionGroup& group) { return group.heads.empty(); });
  const CertificateClaim& claim = certificate.claim;
  judgement.is_followed &= claim.states == states && claim.steps == steps && claim.regions == regions;
  judgement.is_closed =
      std::ranges::all_of(found, [&](const auto& state) { return claimed.contains(state.first); });
  std::erase_if(claimed, [](const auto& state) { return state.second == 0; });
  judgement.counts_are_right = claimed == found;
  return judgement;
}

}  // namespace spoor::certified
