// Full and trustful scripts as tests make, change and judge them.
//
// `judge_script` says whether a script is right in the simplest way: it keeps the bytes of all states by
// their numbers, and counts. It shares nothing with the certifier but the decoding.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "evidence/full_script.h"
#include "evidence/full_script_certifier.h"
#include "evidence/full_script_recorder.h"
#include "evidence/full_script_trustful.h"
#include "search/search.h"
#include "unit/certificates.h"

namespace spoor::scripts {

using certified::Bytes;
using certified::certificate_folder;
using Kind = ScriptInstruction::Kind;

struct FullScript {
  FullScriptClaim claim;
  std::vector<NamedStep> steps;
  std::vector<ScriptInstruction> instructions;

  friend bool operator==(const FullScript&, const FullScript&) = default;
};

inline FullScript read_script(FramedReader& reader) {
  FullScript script;
  FileRecord record;
  reader.read(record);
  script.claim = decoded_script_claim(record.content);
  while (reader.read(record)) {
    if (record.kind == kStepNamesRecord) {
      decode_steps(record.content, script.steps);
      continue;
    }
    ScriptPartReader part(record.content, script.steps.size(), script.claim.is_trustful);
    for (ScriptInstruction instruction; part.next(instruction); instruction = {})
      script.instructions.push_back(instruction);
  }
  return script;
}

// A script in a file without a name, not compressed.
class ScriptFile {
 public:
  // `per_part`: instructions.
  explicit ScriptFile(const FullScript& script, std::size_t per_part = 7)
      : writer_(certified::unnamed_certificate()) {
    writer_.add(kScriptClaimRecord, encoded_script_claim(script.claim));
    std::string names;
    for (const NamedStep& step : script.steps) put_step(names, step);
    if (!names.empty()) writer_.add(kStepNamesRecord, names);
    ScriptPartWriter part(script.claim.is_trustful);
    for (const ScriptInstruction& instruction : script.instructions) {
      if (part.add(instruction, per_part)) writer_.add(kScriptPartRecord, part.take());
    }
    if (!part.is_empty()) writer_.add(kScriptPartRecord, part.take());
    writer_.finish();
  }
  // Any records behind the claim.
  ScriptFile(const FullScriptClaim& claim, const std::vector<std::pair<char, std::string>>& records)
      : writer_(certified::unnamed_certificate()) {
    writer_.add(kScriptClaimRecord, encoded_script_claim(claim));
    for (const auto& [kind, content] : records) writer_.add(kind, content);
    writer_.finish();
  }
  CertifierResult certify(const TransitionSystem& system, const CertifierOptions& options = {}) const {
    FramedReader reader(writer_, kCertificateFormat);
    FileRecord record;
    reader.read(record);
    const FullScriptClaim claim = decoded_script_claim(record.content);
    return claim.is_trustful ? certify_trustful_script(system, claim, reader, options)
                             : certify_full_script(system, claim, reader, options);
  }
  FullScript read() const {
    FramedReader reader(writer_, kCertificateFormat);
    return read_script(reader);
  }

 private:
  FramedWriter writer_;
};

inline CertifierResult certify_script(const TransitionSystem& system, const FullScript& script,
                                      const CertifierOptions& options = {}, std::size_t per_part = 7) {
  return ScriptFile(script, per_part).certify(system, options);
}

struct RecordedScript {
  SearchResult result;
  std::string why_not;
  FullScript script;
};
// What a search leaves.
inline RecordedScript record_full_script(const TransitionSystem& system, bool is_trustful = false,
                                         bool reduces = false, SearchOptions options = {},
                                         Order order = Order::kDepthFirst) {
  const std::string path = certificate_folder() + "/full";
  FullScriptRecorder recorder(path, system, is_trustful, 50);
  options.order = order;
  options.observer = &recorder;
  options.reduce = options.reduces_to_new = reduces;
  RecordedScript recorded{search(system, options), recorder.why_not(), {}};
  if (!recorded.why_not.empty()) return recorded;
  recorder.save({});
  FramedReader reader(path, kCertificateFormat);
  recorded.script = read_script(reader);
  return recorded;
}

// ---- the judge ---------------------------------------------------------------------------------------

struct JudgedStep {
  StepId name;
  std::string key;
  Bytes target;
  bool is_taken = false;
};
struct JudgedState {
  std::uint32_t number = 0;
  ScriptTarget said;
  std::vector<JudgedStep> steps;
  bool is_reduced = false, has_new = false;
  std::uint64_t begun = 0;  // transitions that were taken before
};

inline std::vector<JudgedStep> steps_of(const TransitionSystem& system, const Bytes& state, bool may_reduce,
                                        FindingKinds counted, bool& is_reduced, bool& has_error) {
  Expansion out;
  out.asked.may_reduce = may_reduce;
  out.asked.columns.labels = true;
  system.expand(state, out);
  std::vector<JudgedStep> steps;
  for (std::size_t i = 0; i < out.successors.size(); ++i) {
    const StateBytes bytes = out.state(out.successors[i]);
    std::string key;
    if (i < out.labels.size() && out.labels[i] < system.statements().size())
      key = system.statements()[out.labels[i]].key;
    steps.push_back({out.successors[i].step, std::move(key), Bytes(bytes.begin(), bytes.end()), false});
  }
  for (const Finding& finding : out.findings) has_error |= counted.contains(finding.kind);
  is_reduced = out.is_reduced;
  return steps;
}

struct ScriptJudgement {
  bool is_followed = true;  // every instruction can be followed, and says what is so
  bool has_error = false;   // some state that was entered

  bool is_right() const { return is_followed && !has_error; }
};

// Of a trustful script: what goes wrong on its steps, and nothing else.
inline ScriptJudgement judge_trustful(const TransitionSystem& system, const FullScript& script,
                                      FindingKinds counted) {
  ScriptJudgement judgement;
  struct Place {
    Bytes state;
    std::uint64_t size = 0, begun = 0;
  };
  std::vector<Place> path = {{system.initial_state(), script.claim.initial.size, 0}};
  std::uint64_t taken = 0;
  for (const ScriptInstruction& instruction : script.instructions) {
    const bool is_step = instruction.kind == Kind::kNew && instruction.step < script.steps.size();
    if (path.empty() || (!is_step && instruction.kind != Kind::kBacktrack)) return {false, false};
    if (instruction.kind == Kind::kBacktrack) {
      if (path.back().size != taken - path.back().begun) return {false, false};
      path.pop_back();
      continue;
    }
    Expansion out;
    system.expand(path.back().state, out);
    const StepId name = script.steps[instruction.step].name;
    for (const Finding& finding : out.findings)
      judgement.has_error |= finding.step == name && counted.contains(finding.kind);
    const auto found = std::ranges::find(out.successors, name, &Successor::step);
    if (found == out.successors.end()) return {false, judgement.has_error};
    const StateBytes target = out.state(*found);
    path.push_back({Bytes(target.begin(), target.end()), instruction.target.size, ++taken});
  }
  const CertificateClaim& claim = script.claim.common;
  judgement.is_followed = path.empty() && claim.states == taken + 1 && claim.steps == taken;
  return judgement;
}

inline ScriptJudgement judge_script(const TransitionSystem& system, const FullScript& script,
                                    bool reduces = false, FindingKinds counted = FindingKinds::all()) {
  if (script.claim.is_trustful) return judge_trustful(system, script, counted);
  ScriptJudgement judgement;
  const auto wrong = [&] {
    judgement.is_followed = false;
    return judgement;
  };
  std::vector<Bytes> states;  // by their numbers
  std::vector<std::uint64_t> uses, said_uses;
  std::vector<JudgedState> path;
  std::uint64_t taken = 0;
  const auto enter = [&](const Bytes& state, const ScriptTarget& said) {
    JudgedState& entered = path.emplace_back();
    entered.number = static_cast<std::uint32_t>(states.size());
    entered.said = said;
    entered.begun = taken;
    entered.steps =
        steps_of(system, state, reduces && !said.in_full, counted, entered.is_reduced, judgement.has_error);
    states.push_back(state);
    uses.push_back(0);
    said_uses.push_back(said.uses);
  };
  enter(system.initial_state(), script.claim.initial);
  for (const ScriptInstruction& instruction : script.instructions) {
    if (path.empty()) return wrong();
    JudgedState& top = path.back();
    if (instruction.kind == Kind::kBacktrack) {
      for (const JudgedStep& step : top.steps) {
        if (!step.is_taken) return wrong();
      }
      if (top.is_reduced && !top.has_new) return wrong();
      if (top.said.size != taken - top.begun) return wrong();
      path.pop_back();
      continue;
    }
    if (instruction.step >= script.steps.size()) return wrong();
    const NamedStep& named = script.steps[instruction.step];
    JudgedStep* found = nullptr;
    for (JudgedStep& step : top.steps) {
      if (step.name == named.name && step.key == named.key && !step.is_taken) found = &step;
    }
    if (found == nullptr) return wrong();
    found->is_taken = true;
    ++taken;
    if (instruction.kind == Kind::kKnown) {
      if (instruction.number >= states.size() || states[instruction.number] != found->target) return wrong();
      ++uses[instruction.number];
      continue;
    }
    top.has_new = true;
    const Bytes target = found->target;
    enter(target, instruction.target);
  }
  const CertificateClaim& claim = script.claim.common;
  if (!path.empty() || uses != said_uses || claim.states != states.size() || claim.steps != taken)
    return wrong();
  return judgement;
}

}  // namespace spoor::scripts
