// Wrong scripts as published: whatever is changed, a script is confirmed only where it is right, by one
// worker or by several, as a whole or in regions.
//
// Right scripts of many small systems are changed at random, in the ways in which a liar or an accident would
// change them, and the certifier's answer is compared with that of a judge who keeps the bytes of all states
// (full_scripts.h). Systems with errors get scripts of liars who hide them, in each of the three ways of the
// thesis.
//
// For campaigns: certificate_attacks.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "graph/fixed.h"
#include "unit/certificate_attacks.h"
#include "unit/full_scripts.h"
#include "unit/instrumented.h"
#include "unit/random_fixed_graph.h"
#include "unit/reducing_graph.h"
#include "version_pair.h"

namespace spoor::scripts {
namespace {

using certified::first_seed;
using certified::mutated;
using certified::Random;
using certified::rounds;
using certified::states_with_errors;

struct ScriptTally {
  std::uint64_t tried = 0, refuted = 0, damaged = 0, equivalent = 0;

  void print(const char* what) const {
    std::printf("%s: %llu tried, %llu refuted, %llu damaged, %llu right in another way\n", what,
                static_cast<unsigned long long>(tried), static_cast<unsigned long long>(refuted),
                static_cast<unsigned long long>(damaged), static_cast<unsigned long long>(equivalent));
  }
};

// Certifies it as a whole and in regions, and compares with the judge. `holds`: no error can be reached.
void expect_script_rightly_answered(const TransitionSystem& system, const FullScript& script, bool reduces,
                                    bool holds, Random& random, ScriptTally& tally) {
  ++tally.tried;
  const bool is_right = judge_script(system, script, reduces).is_right();
  const ScriptFile file(script, 1 + random() % 20);
  bool is_damaged = false;
  for (const unsigned tasks : {1u, 2 + static_cast<unsigned>(random() % 5)}) {
    CertifierOptions options;
    options.reduces = reduces;
    options.tasks = tasks;
    options.workers = tasks == 1 || random() % 8 != 0 ? 1 : 2 + random() % 2;
    std::optional<CertifierResult> result;
    try {
      result = file.certify(system, options);
    } catch (const FramedFileError&) {
      is_damaged = true;
    }
    const bool is_confirmed = result && result->answer == CertifierResult::Answer::kConfirmed;
    ASSERT_EQ(is_confirmed, is_right) << tasks << " tasks: " << (result ? result->reason : "damaged");
    if (!result) continue;
    ASSERT_NE(result->answer, CertifierResult::Answer::kLimit);
    ASSERT_EQ(result->reason.empty(), is_confirmed);
  }
  ASSERT_TRUE(!is_right || holds || script.claim.is_trustful);
  ++(is_right ? tally.equivalent : is_damaged ? tally.damaged : tally.refuted);
}

// ---- another producer --------------------------------------------------------------------------------

// How a liar writes a step to a state that he hides.
enum class Lie { kNone, kOtherStep, kLeftOut, kOtherTarget };

// Writes a script of any search: steps in any order. `hidden`: states that are never entered.
class ScriptProducer {
 public:
  ScriptProducer(const TransitionSystem& system, Random& random, bool reduces, bool is_trustful,
                 std::set<Bytes> hidden = {}, Lie lie = Lie::kNone)
      : system_(system), random_(random), reduces_(reduces), hidden_(std::move(hidden)), lie_(lie) {
    script_.claim.is_trustful = is_trustful;
  }

  FullScript make() {
    visit(system_.initial_state(), script_.claim.initial);
    script_.claim.initial.uses = uses_[0];
    for (const auto& [at, number] : entered_) script_.instructions[at].target.uses = uses_[number];
    CertificateClaim& claim = script_.claim.common;
    claim.states = numbers_.size();
    claim.steps = script_.claim.initial.size;
    return script_;
  }

 private:
  std::uint32_t index_of(const NamedStep& step) {
    const auto found = std::ranges::find(script_.steps, step);
    if (found != script_.steps.end()) return static_cast<std::uint32_t>(found - script_.steps.begin());
    script_.steps.push_back(step);
    return static_cast<std::uint32_t>(script_.steps.size() - 1);
  }

  void visit(const Bytes& state, ScriptTarget& said) {
    const auto own = static_cast<std::uint32_t>(numbers_.size());
    numbers_[state] = own;
    bool is_reduced = false, ignored = false;
    std::vector<JudgedStep> steps =
        steps_of(system_, state, reduces_, FindingKinds::all(), is_reduced, ignored);
    const bool has_new =
        std::ranges::any_of(steps, [&](const JudgedStep& s) { return !numbers_.contains(s.target); });
    if (is_reduced && !has_new) {
      said.in_full = true;
      steps = steps_of(system_, state, false, FindingKinds::all(), is_reduced, ignored);
    }
    if (random_() % 2 == 0) std::ranges::shuffle(steps, random_);
    std::uint64_t size = 0;
    for (const JudgedStep& step : steps) {
      std::uint32_t index = index_of({step.name, step.key});
      const auto known = numbers_.find(step.target);
      if (hidden_.contains(step.target)) {
        if (lie_ == Lie::kLeftOut) continue;
        if (lie_ == Lie::kOtherStep) index = index_of({StepId(1000), step.key});
        size += add_known(index, static_cast<std::uint32_t>(random_() % numbers_.size()));
      } else if (known != numbers_.end()) {
        size += add_known(index, known->second);
      } else {
        const std::size_t at = script_.instructions.size();
        entered_.emplace_back(at, static_cast<std::uint32_t>(numbers_.size()));
        script_.instructions.push_back({Kind::kNew, index, 0, {}});
        ScriptTarget target;
        visit(step.target, target);
        script_.instructions[at].target = target;
        size += 1 + target.size;
      }
    }
    script_.instructions.push_back({});
    said.size = size;
  }
  std::uint64_t add_known(std::uint32_t index, std::uint32_t number) {
    if (script_.claim.is_trustful) return 0;
    script_.instructions.push_back({Kind::kKnown, index, number, {}});
    ++uses_[number];
    return 1;
  }

  const TransitionSystem& system_;
  Random& random_;
  const bool reduces_;
  const std::set<Bytes> hidden_;
  const Lie lie_;
  std::map<Bytes, std::uint32_t> numbers_;
  std::map<std::uint32_t, std::uint64_t> uses_;
  std::vector<std::pair<std::size_t, std::uint32_t>> entered_;  // instructions, numbers
  FullScript script_;
};

// ---- changes -----------------------------------------------------------------------------------------

struct ScriptMutant {
  FullScript script;
  const FullScript& other;  // another script of the same system
  Random& random;

  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(random() % bound); }
  std::vector<ScriptInstruction>& all() { return script.instructions; }
  auto place(std::size_t at) { return all().begin() + static_cast<std::ptrdiff_t>(at); }
  ScriptInstruction* any() { return all().empty() ? nullptr : &all()[below(all().size())]; }
  // Some instruction of this kind; null: there is none.
  ScriptInstruction* any(Kind kind) {
    std::vector<ScriptInstruction*> found;
    for (ScriptInstruction& instruction : all()) {
      if (instruction.kind == kind) found.push_back(&instruction);
    }
    return found.empty() ? nullptr : found[below(found.size())];
  }
  // Behind the return from the state that this instruction enters.
  std::size_t end_of(std::size_t at) {
    std::size_t open = 0;
    do {
      if (all()[at].kind == Kind::kNew) ++open;
      if (all()[at].kind == Kind::kBacktrack && open > 0) --open;
      ++at;
    } while (open > 0 && at < all().size());
    return at;
  }
  std::optional<std::size_t> any_new() {
    ScriptInstruction* const found = any(Kind::kNew);
    if (found == nullptr) return std::nullopt;
    return static_cast<std::size_t>(found - all().data());
  }
};

void bend(std::uint64_t& number, Random& random) {
  switch (random() % 5) {
    case 0: ++number; break;
    case 1: --number; break;
    case 2: number = random() % 5; break;
    case 3: number ^= std::uint64_t{1} << random() % 64; break;
    case 4: number += std::uint64_t{1} << 32; break;
  }
}

void change_kind(ScriptMutant& m) {
  if (ScriptInstruction* const i = m.any()) i->kind = static_cast<Kind>(m.below(3));
}
void change_step(ScriptMutant& m) {
  if (ScriptInstruction* const i = m.any())
    i->step = static_cast<std::uint32_t>(m.below(m.script.steps.size() + 1));
}
void swap_steps(ScriptMutant& m) {
  ScriptInstruction *const a = m.any(), *const b = m.any();
  if (a != nullptr) std::swap(a->step, b->step);
}
void change_number(ScriptMutant& m) {
  ScriptInstruction* const i = m.any(Kind::kKnown);
  if (i == nullptr) return;
  switch (m.below(4)) {
    case 0: ++i->number; break;
    case 1: --i->number; break;
    case 2: i->number = static_cast<std::uint32_t>(m.below(m.script.claim.common.states)); break;
    case 3: i->number ^= 1u << m.below(32); break;
  }
}
void swap_numbers(ScriptMutant& m) {
  ScriptInstruction *const a = m.any(Kind::kKnown), *const b = m.any(Kind::kKnown);
  if (a != nullptr) std::swap(a->number, b->number);
}
void change_uses(ScriptMutant& m) {
  ScriptInstruction* const i = m.any(Kind::kNew);
  bend(i != nullptr && m.below(6) != 0 ? i->target.uses : m.script.claim.initial.uses, m.random);
}
void change_size(ScriptMutant& m) {
  ScriptInstruction* const i = m.any(Kind::kNew);
  bend(i != nullptr && m.below(6) != 0 ? i->target.size : m.script.claim.initial.size, m.random);
}
void swap_targets(ScriptMutant& m) {
  ScriptInstruction *const a = m.any(Kind::kNew), *const b = m.any(Kind::kNew);
  if (a != nullptr) std::swap(a->target, b->target);
}
void change_in_full_of_script(ScriptMutant& m) {
  ScriptInstruction* const i = m.any(Kind::kNew);
  bool& in_full = i != nullptr ? i->target.in_full : m.script.claim.initial.in_full;
  in_full = !in_full;
}
void drop_instruction(ScriptMutant& m) {
  if (!m.all().empty()) m.all().erase(m.place(m.below(m.all().size())));
}
void copy_instruction(ScriptMutant& m) {
  if (ScriptInstruction* const i = m.any()) {
    const ScriptInstruction copied = *i;
    m.all().insert(m.place(m.below(m.all().size() + 1)), copied);
  }
}
void swap_instructions(ScriptMutant& m) {
  ScriptInstruction *const a = m.any(), *const b = m.any();
  if (a != nullptr) std::swap(*a, *b);
}
void move_some(ScriptMutant& m) {
  std::size_t a = m.below(m.all().size() + 1), b = m.below(m.all().size() + 1),
              c = m.below(m.all().size() + 1);
  if (a > b) std::swap(a, b);
  if (b > c) std::swap(b, c);
  if (a > b) std::swap(a, b);
  std::rotate(m.place(a), m.place(b), m.place(c));
}
void reverse_some(ScriptMutant& m) {
  std::size_t a = m.below(m.all().size() + 1), b = m.below(m.all().size() + 1);
  if (a > b) std::swap(a, b);
  std::reverse(m.place(a), m.place(b));
}
void cut_instructions(ScriptMutant& m) { m.all().resize(m.below(m.all().size() + 1)); }
void glue_instructions(ScriptMutant& m) {
  const std::size_t from = m.below(m.other.instructions.size());
  m.all().insert(m.all().end(), m.other.instructions.begin() + static_cast<std::ptrdiff_t>(from),
                 m.other.instructions.end());
}
void drop_subtree(ScriptMutant& m) {
  if (const auto at = m.any_new()) m.all().erase(m.place(*at), m.place(m.end_of(*at)));
}
void copy_subtree(ScriptMutant& m) {
  if (const auto at = m.any_new()) {
    const std::vector<ScriptInstruction> copied(m.place(*at), m.place(m.end_of(*at)));
    m.all().insert(m.place(m.below(m.all().size() + 1)), copied.begin(), copied.end());
  }
}
// The state below is said to be another one that is known.
void hide_state(ScriptMutant& m) {
  if (const auto at = m.any_new()) {
    ScriptInstruction hidden = m.all()[*at];
    hidden.kind = Kind::kKnown;
    hidden.number = static_cast<std::uint32_t>(m.below(m.script.claim.common.states));
    m.all().erase(m.place(*at), m.place(m.end_of(*at)));
    m.all().insert(m.place(*at), hidden);
  }
}
// A known state is entered again. If all of its steps lead to states that are known by then, that is right.
void enter_again(ScriptMutant& m) {
  ScriptInstruction* const known = m.any(Kind::kKnown);
  if (known == nullptr) return;
  const std::size_t at = static_cast<std::size_t>(known - m.all().data());
  // Where it was entered first, and its own steps.
  std::uint32_t next = 1;
  std::vector<ScriptInstruction> again = {{Kind::kNew, known->step, 0, {}}};
  for (std::size_t i = 0; i < at; ++i) {
    if (m.all()[i].kind != Kind::kNew || next++ != known->number) continue;
    for (std::size_t j = i + 1; j + 1 < m.end_of(i);
         j = m.all()[j].kind == Kind::kNew ? m.end_of(j) : j + 1) {
      ScriptInstruction step = m.all()[j];
      if (step.kind == Kind::kNew) {
        std::uint32_t number = 0;
        for (std::size_t k = 0; k <= j; ++k) number += m.all()[k].kind == Kind::kNew ? 1 : 0;
        step.kind = Kind::kKnown;
        step.number = number;
      }
      again.push_back(step);
    }
  }
  again.push_back({});
  // Later numbers are one higher.
  std::uint32_t own = 1;
  for (std::size_t i = 0; i < at; ++i) own += m.all()[i].kind == Kind::kNew ? 1 : 0;
  for (std::size_t i = at + 1; i < m.all().size(); ++i) {
    if (m.all()[i].kind == Kind::kKnown && m.all()[i].number >= own) ++m.all()[i].number;
  }
  m.all().erase(m.place(at));
  m.all().insert(m.place(at), again.begin(), again.end());
}
void change_step_name(ScriptMutant& m) {
  if (m.script.steps.empty()) return;
  NamedStep& step = m.script.steps[m.below(m.script.steps.size())];
  switch (m.below(4)) {
    case 0: step.name = step.name.next(); break;
    case 1: step.name = m.script.steps[m.below(m.script.steps.size())].name; break;
    case 2: step.key += 'x'; break;
    case 3: step.key = m.script.steps[m.below(m.script.steps.size())].key; break;
  }
}
void change_claim(ScriptMutant& m) {
  CertificateClaim& claim = m.script.claim.common;
  bend(m.below(2) == 0 ? claim.states : claim.steps, m.random);
}
void change_form(ScriptMutant& m) { m.script.claim.is_trustful = !m.script.claim.is_trustful; }

// Sizes, uses and figures are made right, as far as the instructions go.
void repair_script(ScriptMutant& m) {
  std::map<std::uint32_t, std::uint64_t> uses;
  std::vector<ScriptTarget*> by_number = {&m.script.claim.initial};
  std::vector<std::pair<ScriptTarget*, std::uint64_t>> path = {{&m.script.claim.initial, 0}};
  std::uint64_t steps = 0;
  for (ScriptInstruction& instruction : m.all()) {
    if (instruction.kind == Kind::kBacktrack) {
      if (path.empty()) break;
      path.back().first->size = steps - path.back().second;
      path.pop_back();
      continue;
    }
    ++steps;
    if (instruction.kind == Kind::kKnown) {
      ++uses[instruction.number];
      continue;
    }
    by_number.push_back(&instruction.target);
    path.emplace_back(&instruction.target, steps);
  }
  for (std::uint32_t number = 0; number < by_number.size(); ++number)
    by_number[number]->uses = m.script.claim.is_trustful ? 0 : uses[number];
  m.script.claim.common.states = by_number.size();
  m.script.claim.common.steps = steps;
}

using ScriptChange = void (*)(ScriptMutant&);
constexpr ScriptChange kScriptChanges[] = {change_kind,       change_step,      swap_steps,
                                           change_number,     swap_numbers,     change_uses,
                                           change_size,       swap_targets,     change_in_full_of_script,
                                           drop_instruction,  copy_instruction, swap_instructions,
                                           move_some,         reverse_some,     cut_instructions,
                                           glue_instructions, drop_subtree,     copy_subtree,
                                           hide_state,        enter_again,      change_step_name,
                                           change_claim,      change_form};

void attack_scripts(const TransitionSystem& system, bool reduces, bool is_trustful, bool holds,
                    std::uint64_t mutants, Random& random, ScriptTally& tally) {
  const FullScript one = ScriptProducer(system, random, reduces, is_trustful).make();
  const FullScript other = ScriptProducer(system, random, reduces, is_trustful).make();
  for (std::uint64_t i = 0; i < mutants; ++i) {
    const FullScript& original = random() % 2 == 0 ? one : other;
    ScriptMutant mutant{original, &original == &one ? other : one, random};
    for (std::uint64_t change = random() % 8 == 0 ? 3 : 1; change > 0; --change)
      kScriptChanges[random() % std::size(kScriptChanges)](mutant);
    if (random() % 2 == 0) repair_script(mutant);
    if (mutant.script == original) continue;
    expect_script_rightly_answered(system, mutant.script, reduces, holds, random, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
}

constexpr std::uint64_t kScriptMutants = 60;  // of a system

TEST(FullScriptAttacks, OnRandomGraphs) {
  for (const bool is_trustful : {false, true}) {
    ScriptTally tally;
    for (std::uint64_t i = 0; i < rounds(is_trustful ? 15 : 40); ++i) {
      Random random(first_seed() + i);
      SCOPED_TRACE("graph " + std::to_string(first_seed() + i));
      const FixedGraphOptions options = faultless_fixed_graph(first_seed() + i, 4 + i % 30);
      attack_scripts(FixedGraph(options), false, is_trustful, true, kScriptMutants, random, tally);
      if (!is_trustful)
        attack_scripts(certified::ReducingGraph(options, i), true, false, true, kScriptMutants, random,
                       tally);
      if (HasFatalFailure()) return;
    }
    tally.print(is_trustful ? "trustful scripts of random graphs" : "full scripts of random graphs");
    EXPECT_GT(tally.refuted, tally.tried / 2);
    EXPECT_GT(tally.equivalent, tally.tried / 100);
  }
}

TEST(FullScriptAttacks, OnRandomGraphsWithErrors) {
  ScriptTally tally;
  for (std::uint64_t i = 0; i < rounds(20); ++i) {
    Random random(first_seed() + i);
    SCOPED_TRACE("graph " + std::to_string(first_seed() + i));
    const FixedGraph graph(random_fixed_graph(first_seed() + i, 4 + i % 20));
    const bool holds = std::holds_alternative<Holds>(search(graph, {}).outcome);
    attack_scripts(graph, false, i % 4 == 0, holds, kScriptMutants, random, tally);
    if (HasFatalFailure()) return;
  }
  tally.print("scripts of random graphs with errors");
  EXPECT_GT(tally.refuted, tally.tried / 2);
}

TEST(FullScriptAttacks, OnPromelaModels) {
  ScriptTally tally;
  for (std::uint64_t i = 0; i < rounds(2); ++i) {
    for (const char* const text :
         {"byte x; chan q = [1] of { byte };\n"
          "active proctype P() { do :: x < 3 -> x++ :: q!x :: atomic { x > 2 -> x = 0 } od }\n"
          "active proctype Q() { byte y; do :: q?y :: y > 1 -> y = 0 od }\n",
          "byte n; proctype W(byte k) { byte i = k; i = i + 1; n = n + i }\n"
          "init { atomic { run W(1); run W(2) }; (_nr_pr == 1); assert(n == 5) }\n"}) {
      for (const bool reduces : {false, true}) {
        Random random(first_seed() + i);
        const auto system = exec::version_of(text, {reduces, reduces, reduces});
        ASSERT_NE(system, nullptr) << text;
        attack_scripts(*system, reduces, false, true, kScriptMutants, random, tally);
        attack_scripts(*system, reduces, true, true, kScriptMutants / 3, random, tally);
        if (HasFatalFailure()) return;
      }
    }
  }
  tally.print("scripts of Promela models");
}

// ---- liars -------------------------------------------------------------------------------------------

// In each of the three ways, nothing may be confirmed; and each is found as what it is.
void lie_in_scripts(const TransitionSystem& system, Random& random, ScriptTally& tally) {
  const std::set<Bytes> hidden = states_with_errors(system);
  if (hidden.empty() || hidden.contains(system.initial_state())) return;
  for (const auto& [lie, words] : {std::pair(Lie::kOtherStep, "the step does not exist"),
                                   std::pair(Lie::kLeftOut, "the state is left when"),
                                   std::pair(Lie::kOtherTarget, "leads to another state than the one")}) {
    const FullScript script = ScriptProducer(system, random, false, false, hidden, lie).make();
    ASSERT_FALSE(judge_script(system, script).is_followed);
    expect_script_rightly_answered(system, script, false, false, random, tally);
    const CertifierResult result = certify_script(system, script);
    EXPECT_NE(result.reason.find(words), std::string::npos) << result.reason;
  }
}

TEST(FullScriptAttacks, LiarsHideAnErrorInEachOfTheThreeWays) {
  ScriptTally tally;
  for (std::uint64_t i = 0; i < rounds(100); ++i) {
    Random random(first_seed() + i);
    SCOPED_TRACE("graph " + std::to_string(first_seed() + i));
    lie_in_scripts(FixedGraph(random_fixed_graph(first_seed() + i, 4 + i % 40)), random, tally);
    if (HasFatalFailure()) return;
  }
  for (const char* const text :
       {"byte x; active [2] proctype P() { byte t; t = x; x = t + 1; assert(x < 2 || t == 1) }\n",
        "chan a = [1] of { byte }; chan b = [1] of { byte };\n"
        "active proctype P() { byte v; a!1; b?v; a!2 }\n"
        "active proctype Q() { byte v; b!1; a?v; b!2; b!3 }\n"}) {
    const auto system = exec::version_of(text, {});
    ASSERT_NE(system, nullptr);
    for (std::uint64_t i = 0; i < rounds(5); ++i) {
      Random random(first_seed() + i);
      lie_in_scripts(*system, random, tally);
      if (HasFatalFailure()) return;
    }
  }
  tally.print("liars in three ways");
  EXPECT_EQ(tally.equivalent, 0u);
  EXPECT_GT(tally.tried, kIsInstrumented ? 10u : 60u);
}

// ---- bytes -------------------------------------------------------------------------------------------

// A table of steps that is large when it is decompressed, and small in the file.
TEST(FullScriptAttacks, ALargeTableOfStepsEndsWithTheMemory) {
  const FixedGraph graph(faultless_fixed_graph(1, 30));
  const FullScript script = record_full_script(graph).script;
  std::string names;
  for (int i = 0; i < 1000; ++i) put_step(names, {StepId(7), std::string(1000, 'x') + std::to_string(i)});
  const std::vector<std::pair<char, std::string>> records(40, {kStepNamesRecord, names});
  CertifierOptions options;
  options.limits.memory_bytes = 16 << 20;
  const CertifierResult result = ScriptFile(script.claim, records).certify(graph, options);
  EXPECT_EQ(result.limit, LimitHit::kMemory);
  EXPECT_LT(result.memory_bytes, 2 * options.limits.memory_bytes);
}

// One long path, and each region has its own copy of the way to its root.
TEST(FullScriptAttacks, LongPathsToManyRegionsEndWithTheMemory) {
  constexpr std::uint64_t kSteps = 8'000;
  const FixedGraph graph(faultless_fixed_graph(1, 30));
  FullScript script = record_full_script(graph).script;
  script.claim.common.states = kSteps + 1;
  script.claim.initial.size = kSteps;
  script.instructions.assign(2 * kSteps + 1, {});
  for (std::uint64_t i = 0; i < kSteps; ++i)
    script.instructions[i] = {Kind::kNew, 0, 0, {0, kSteps - 1 - i, false}};
  const ScriptFile file(script, 10'000);
  CertifierOptions options;
  options.tasks = 1000;
  EXPECT_EQ(file.certify(graph, options).answer, CertifierResult::Answer::kRefuted);
  options.limits.memory_bytes = 4 << 20;
  const CertifierResult result = file.certify(graph, options);
  EXPECT_EQ(result.limit, LimitHit::kMemory);
  EXPECT_LT(result.memory_bytes, 2 * options.limits.memory_bytes);
}

// Checksums protect the file; a liar makes them right.
TEST(FullScriptAttacks, OnTheBytesOfRecords) {
  ScriptTally tally;
  for (std::uint64_t i = 0; i < rounds(20); ++i) {
    Random random(first_seed() + i);
    const FixedGraph graph(faultless_fixed_graph(first_seed() + i, 30));
    const FullScript script = record_full_script(graph, i % 4 == 0).script;
    std::vector<std::pair<char, std::string>> good(1, {kStepNamesRecord, ""});
    for (const NamedStep& step : script.steps) put_step(good[0].second, step);
    ScriptPartWriter part(script.claim.is_trustful);
    for (const ScriptInstruction& instruction : script.instructions) {
      if (part.add(instruction, 10)) good.emplace_back(kScriptPartRecord, part.take());
    }
    if (!part.is_empty()) good.emplace_back(kScriptPartRecord, part.take());
    for (int mutant = 0; mutant < 60; ++mutant) {
      auto records = good;
      auto& [kind, record] = records[random() % records.size()];
      if (record.empty()) continue;
      switch (random() % 8) {
        case 0: kind = random() % 2 == 0 ? kStepNamesRecord : kScriptPartRecord; break;
        case 1: std::swap(record, records[random() % records.size()].second); break;
        case 2: records.push_back(records[random() % records.size()]); break;
        default: record = mutated(record, random);
      }
      const ScriptFile file(script.claim, records);
      std::optional<FullScript> changed;
      try {
        changed = file.read();
      } catch (const FramedFileError&) {
      }
      if (changed && *changed == script) continue;
      if (changed && std::ranges::is_sorted(records, std::less(),
                                            [](const auto& r) { return r.first != kStepNamesRecord; })) {
        expect_script_rightly_answered(graph, *changed, false, true, random, tally);
      } else {
        ++tally.tried;
        ++tally.damaged;
        for (const unsigned tasks : {1u, 3u}) {
          CertifierOptions options;
          options.tasks = tasks;
          try {
            EXPECT_NE(file.certify(graph, options).answer, CertifierResult::Answer::kConfirmed);
          } catch (const FramedFileError&) {
          }
        }
      }
      if (HasFatalFailure()) return;
    }
  }
  tally.print("bytes of records of scripts");
  EXPECT_GT(tally.damaged, tally.tried / 10);
}

}  // namespace
}  // namespace spoor::scripts
