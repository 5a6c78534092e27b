// Wrong certificates: whatever is changed, a certificate is confirmed only where it is right.
//
// Right certificates of many small systems are changed at random, in the ways in which a liar or an accident
// would change them, and the certifier's answer is compared with that of a judge who keeps sets of states
// (certificates.h). Systems with errors get certificates of liars who hide them.
//
// For campaigns: certificate_attacks.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "exec/interpreter.h"
#include "graph/fixed.h"
#include "unit/certificate_attacks.h"
#include "unit/instrumented.h"
#include "unit/random_fixed_graph.h"
#include "unit/reducing_graph.h"
#include "version_pair.h"

namespace spoor::certified {
namespace {

using Answer = CertifierResult::Answer;
// How many certificates were tried, and what became of them.
struct Tally {
  std::uint64_t tried = 0, damaged = 0, refuted = 0, not_confirmed = 0, equivalent = 0;

  void print(const char* what) const {
    std::printf("%s: %llu tried, %llu refuted, %llu not confirmed, %llu damaged, %llu right in another way\n",
                what, static_cast<unsigned long long>(tried), static_cast<unsigned long long>(refuted),
                static_cast<unsigned long long>(not_confirmed), static_cast<unsigned long long>(damaged),
                static_cast<unsigned long long>(equivalent));
  }
};

// Certifies, and compares with the judge. `holds`: the system has no error that can be reached.
void expect_rightly_answered(const TransitionSystem& system, const Certificate& certificate,
                             const CertifierOptions& options, bool holds, Tally& tally) {
  ++tally.tried;
  std::optional<CertifierResult> result;
  try {
    result = certify(system, certificate, options);
  } catch (const FramedFileError&) {
    ++tally.damaged;
  }
  const Judgement judgement = judge(system, certificate, options.reduces, options.counted);
  const bool is_confirmed = result && result->answer == Answer::kConfirmed;
  ASSERT_EQ(is_confirmed, judgement.is_right())
      << (result ? result->reason : "damaged") << "; followed " << judgement.is_followed << ", closed "
      << judgement.is_closed << ", error " << judgement.has_error << ", counts "
      << judgement.counts_are_right;
  if (!result) return;
  if (is_confirmed) {
    ASSERT_TRUE(holds);
    ++tally.equivalent;
    return;
  }
  ASSERT_NE(result->reason, "");
  ASSERT_NE(result->answer, Answer::kLimit);
  const bool is_about_error = result->answer == Answer::kNotConfirmed;
  ASSERT_TRUE(judgement.has_error || !is_about_error);
  ++(is_about_error ? tally.not_confirmed : tally.refuted);
}

// ---- another producer --------------------------------------------------------------------------------

// Writes a certificate of any tree, cut anywhere. States in `hidden` are passed over, as if they were known.
class Producer {
 public:
  Producer(const TransitionSystem& system, Random& random, bool reduces, std::set<Bytes> hidden = {})
      : system_(system), random_(random), reduces_(reduces), known_(std::move(hidden)), hidden_(known_) {}

  Script make() {
    const Bytes initial = system_.initial_state();
    known_.insert(initial);
    ++references_[initial];
    cut_part_ = 1 + random_() % 8;
    give_region(*visit(initial));
    std::shuffle(script_.begin(), script_.end(), random_);
    return script_;
  }
  // References to hidden states, which no state's number has.
  std::uint64_t lost_references() const {
    std::uint64_t lost = 0;
    for (const Bytes& state : hidden_) {
      const auto found = references_.find(state);
      lost += found == references_.end() ? 0 : found->second;
    }
    return lost;
  }

 private:
  struct Node {
    Bytes state;
    ScriptState written;
    std::vector<std::unique_ptr<Node>> children;
  };

  std::unique_ptr<Node> visit(const Bytes& state) {
    auto node = std::make_unique<Node>();
    node->state = state;
    for (const bool in_full : {false, true}) {
      const Expanded expanded = expand(system_, state, reduces_ && !in_full);
      const bool has_new =
          std::ranges::any_of(expanded.targets, [&](const Bytes& t) { return !known_.contains(t); });
      if (expanded.is_reduced && !has_new) continue;
      node->written.in_full = in_full;
      for (const Bytes& target : expanded.targets) {
        const bool is_new = known_.insert(target).second;
        // The last child of a reduced state stays with it.
        const bool is_cut = is_new && !expanded.is_reduced && random_() % cut_part_ == 0;
        node->written.flags.push_back(is_new && !is_cut);
        if (!is_new || is_cut) ++references_[target];
        if (!is_new) continue;
        std::unique_ptr<Node> child = visit(target);
        if (is_cut) {
          pieces_.push_back(std::move(child));
        } else {
          node->children.push_back(std::move(child));
        }
      }
      break;
    }
    return node;
  }
  void give_region(Node& root) {
    give(root);
    // Their references are complete now.
    for (const std::unique_ptr<Node>& piece : pieces_) give(*piece);
  }
  void give(Node& root) {
    ScriptRegion& region = script_.emplace_back();
    region.root = text_of(root.state);
    std::vector<Node*> stack = {&root};
    while (!stack.empty()) {
      Node& node = *stack.back();
      stack.pop_back();
      node.written.references = references_[node.state];
      region.states.push_back(node.written);
      for (const auto& child : node.children) stack.push_back(child.get());
    }
  }

  const TransitionSystem& system_;
  Random& random_;
  const bool reduces_;
  std::set<Bytes> known_;
  const std::set<Bytes> hidden_;
  std::uint64_t cut_part_ = 1;
  std::map<Bytes, std::uint64_t> references_;
  std::vector<std::unique_ptr<Node>> pieces_;
  Script script_;
};

// ---- changes -----------------------------------------------------------------------------------------

struct Mutant {
  Script script;
  const Script& other;  // another certificate of the same system
  const TransitionSystem& system;
  bool reduces;
  Random& random;

  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random() % bound); }
  ScriptRegion& region() { return script[below(script.size())]; }
  ScriptState* state_of(ScriptRegion& region) {
    return region.states.empty() ? nullptr : &region.states[below(region.states.size())];
  }
  ScriptState* state() { return script.empty() ? nullptr : state_of(region()); }
};

// How many states belong to the subtree that begins with this one: it ends where as many were taken from the
// stack as were put onto it.
std::size_t subtree(const ScriptRegion& region, std::size_t begin) {
  std::size_t open = 1, at = begin;
  for (; open > 0 && at < region.states.size(); ++at)
    open += static_cast<std::size_t>(std::ranges::count(region.states[at].flags, true)) - 1;
  return at - begin;
}

void flip_flag(Mutant& m) {
  ScriptState* const state = m.state();
  if (state == nullptr || state->flags.empty()) return;
  const std::size_t i = m.below(state->flags.size());
  state->flags[i] = !state->flags[i];
}
void change_count(Mutant& m) {
  ScriptState* const state = m.state();
  if (state == nullptr) return;
  switch (m.below(5)) {
    case 0: ++state->references; break;
    case 1: state->references -= state->references == 0 ? 0 : 1; break;
    case 2: state->references = m.below(4); break;
    case 3: state->references += std::uint64_t{1} << 39; break;
    case 4: state->references = (std::uint64_t{1} << 40) + m.below(2) - 1; break;
  }
}
void move_count(Mutant& m) {
  ScriptState *const from = m.state(), *const to = m.state();
  if (from == nullptr || to == nullptr || from->references == 0) return;
  const std::uint64_t part = 1 + m.below(from->references);
  from->references -= part;
  to->references += part;
}
void drop_state(Mutant& m) {
  ScriptRegion& region = m.region();
  if (region.states.empty()) return;
  region.states.erase(region.states.begin() + static_cast<std::ptrdiff_t>(m.below(region.states.size())));
}
void copy_state(Mutant& m) {
  ScriptRegion& region = m.region();
  const ScriptState* const copied = m.state();
  if (copied == nullptr) return;
  const ScriptState state = *copied;
  region.states.insert(region.states.begin() + static_cast<std::ptrdiff_t>(m.below(region.states.size() + 1)),
                       state);
}
void insert_state(Mutant& m) {
  ScriptRegion& region = m.region();
  ScriptState state;
  for (std::size_t left = m.below(5); left > 0; --left) state.flags.push_back(m.below(3) == 0);
  state.references = m.below(3);
  region.states.insert(region.states.begin() + static_cast<std::ptrdiff_t>(m.below(region.states.size() + 1)),
                       state);
}
void swap_states(Mutant& m) {
  ScriptState *const a = m.state(), *const b = m.state();
  if (a != nullptr && b != nullptr) std::swap(*a, *b);
}
void swap_flags(Mutant& m) {
  ScriptState *const a = m.state(), *const b = m.state();
  if (a != nullptr && b != nullptr) std::swap(a->flags, b->flags);
}
void drop_region(Mutant& m) {
  m.script.erase(m.script.begin() + static_cast<std::ptrdiff_t>(m.below(m.script.size())));
}
void copy_region(Mutant& m) { m.script.push_back(m.region()); }
void copy_region_without_references(Mutant& m) {
  m.script.push_back(m.region());
  for (ScriptState& state : m.script.back().states) state.references = 0;
}
void swap_regions(Mutant& m) { std::swap(m.region(), m.region()); }
void empty_region(Mutant& m) { m.script.push_back({m.region().root, {}}); }
void other_root(Mutant& m) {
  ScriptRegion& region = m.region();
  switch (m.below(4)) {
    case 0: region.root = m.region().root; break;
    case 1: region.root = text_of(m.system.initial_state()); break;
    case 2: region.root.resize(m.below(region.root.size() + 2)); break;
    case 3:
      if (!region.root.empty()) region.root[m.below(region.root.size())] = static_cast<char>(m.below(256));
      break;
  }
}
void cut_region(Mutant& m) {
  ScriptRegion& region = m.region();
  region.states.resize(m.below(region.states.size() + 1));
}
void cut_script(Mutant& m) { m.script.resize(1 + m.below(m.script.size())); }
void glue(Mutant& m) {
  const std::size_t from = m.below(m.other.size());
  m.script.insert(m.script.end(), m.other.begin() + static_cast<std::ptrdiff_t>(from), m.other.end());
}
// All of both: every state twice, all references but that of the beginning as well.
void glue_all_and_repair(Mutant& m) {
  m.script.insert(m.script.end(), m.other.begin(), m.other.end());
  for (ScriptRegion& region : m.script) {
    if (bytes_of(region.root) != m.system.initial_state() || region.states.empty()) continue;
    if (region.states[0].references > 0) --region.states[0].references;
    return;
  }
}
void change_in_full(Mutant& m) {
  if (ScriptState* const state = m.state()) state->in_full = !state->in_full;
}

// What the states of a region are, as the certifier would compute them.
std::vector<Bytes> states_of(const Mutant& m, const ScriptRegion& region) {
  std::vector<Bytes> states, stack = {bytes_of(region.root)};
  if (stack[0] != m.system.initial_state() && !m.system.is_well_formed(stack[0])) return {};
  for (const ScriptState& written : region.states) {
    if (stack.empty()) return {};
    states.push_back(std::move(stack.back()));
    stack.pop_back();
    const Expanded expanded = expand(m.system, states.back(), m.reduces && !written.in_full);
    if (expanded.targets.size() != written.flags.size()) return {};
    for (std::size_t i = 0; i < written.flags.size(); ++i) {
      if (written.flags[i]) stack.push_back(expanded.targets[i]);
    }
  }
  return states;
}

// All numbers of references are made right, as far as there are members for them.
void repair_counts(Mutant& m) {
  std::map<Bytes, std::uint64_t> found;
  std::map<Bytes, ScriptState*> members;
  ++found[m.system.initial_state()];
  for (ScriptRegion& region : m.script) {
    const std::vector<Bytes> states = states_of(m, region);
    if (states.size() != region.states.size()) return;
    for (std::size_t s = 0; s < states.size(); ++s) {
      ScriptState& written = region.states[s];
      members[states[s]] = &written;
      const Expanded expanded = expand(m.system, states[s], m.reduces && !written.in_full);
      for (std::size_t i = 0; i < written.flags.size(); ++i) {
        if (!written.flags[i]) ++found[expanded.targets[i]];
      }
      written.references = 0;
    }
  }
  for (const auto& [state, count] : found) {
    if (const auto member = members.find(state); member != members.end()) member->second->references = count;
  }
}

// A subtree is not there, and the flag that led to it is cleared; the rest is right.
void hide_subtree(Mutant& m) {
  ScriptRegion& region = m.region();
  if (region.states.size() < 2) return;
  const std::size_t child = 1 + m.below(region.states.size() - 1);
  // The flag that led to it: of the states before, the last of those whose subtree it ends.
  std::vector<std::pair<std::size_t, std::size_t>> stack;  // state, flag
  for (std::size_t s = 0; s < child; ++s) {
    if (s > 0) {
      if (stack.empty()) return;
      stack.pop_back();
    }
    for (std::size_t i = 0; i < region.states[s].flags.size(); ++i) {
      if (region.states[s].flags[i]) stack.emplace_back(s, i);
    }
  }
  if (stack.empty()) return;
  region.states[stack.back().first].flags[stack.back().second] = false;
  const auto begin = region.states.begin() + static_cast<std::ptrdiff_t>(child);
  region.states.erase(begin, begin + static_cast<std::ptrdiff_t>(subtree(region, child)));
}
void hide_subtree_and_repair(Mutant& m) {
  hide_subtree(m);
  repair_counts(m);
}
// A region is not there, and its references are given to others.
void hide_region_and_repair(Mutant& m) {
  drop_region(m);
  repair_counts(m);
}
// The same, but the subtree is a region of its own: this is right, unless steps are left out.
void cut_off_and_repair(Mutant& m) {
  if (m.script.empty()) return;
  const std::size_t which = m.below(m.script.size());
  const ScriptRegion before = m.script[which];
  const std::vector<Bytes> states = states_of(m, before);
  if (states.size() < 2) return;
  const std::size_t child = 1 + m.below(states.size() - 1);
  ScriptRegion piece{text_of(states[child]), {}};
  const auto begin = before.states.begin() + static_cast<std::ptrdiff_t>(child);
  piece.states.assign(begin, begin + static_cast<std::ptrdiff_t>(subtree(before, child)));
  Script only = {before};
  Mutant one{only, m.other, m.system, m.reduces, m.random};
  // Hides exactly this subtree: tries until the piece that is gone is this one.
  for (int tries = 0; tries < 20; ++tries) {
    one.script = only;
    hide_subtree(one);
    const ScriptRegion& rest = one.script[0];
    if (rest.states.size() + piece.states.size() != before.states.size()) continue;
    Script whole = m.script;
    whole[which] = rest;
    whole.push_back(piece);
    m.script = whole;
    repair_counts(m);
    return;
  }
}

using Change = void (*)(Mutant&);
constexpr Change kChanges[] = {flip_flag,
                               change_count,
                               move_count,
                               drop_state,
                               copy_state,
                               insert_state,
                               swap_states,
                               swap_flags,
                               drop_region,
                               copy_region,
                               swap_regions,
                               empty_region,
                               other_root,
                               cut_region,
                               cut_script,
                               glue,
                               change_in_full,
                               hide_subtree,
                               hide_subtree_and_repair,
                               hide_region_and_repair,
                               cut_off_and_repair,
                               glue_all_and_repair,
                               copy_region_without_references,
                               repair_counts};

// What the certificate says of itself, or of a region.
void change_sizes(Certificate& certificate, Random& random) {
  const auto change = [&](std::uint64_t& number) {
    switch (random() % 4) {
      case 0: ++number; break;
      case 1: --number; break;
      case 2: number = random() % 100; break;
      case 3: number ^= std::uint64_t{1} << random() % 64; break;
    }
  };
  CertificateClaim& claim = certificate.claim;
  std::vector<std::uint64_t*> numbers = {&claim.states, &claim.steps, &claim.regions};
  for (RegionGroup& group : certificate.groups) {
    for (RegionHead& head : group.heads) {
      numbers.push_back(&head.steps);
      // Sizes that are moved to the next region fit the columns.
      if (&head == &group.heads.back()) continue;
      RegionHead& next = *(&head + 1);
      if (random() % 8 == 0 && next.states > 0) ++head.states, --next.states;
      if (random() % 8 == 0 && next.flag_bytes > 0) ++head.flag_bytes, --next.flag_bytes;
    }
    if (!group.flags.empty() && random() % 4 == 0)
      group.flags[random() % group.flags.size()] ^= static_cast<char>(1 << random() % 8);
  }
  change(*numbers[random() % numbers.size()]);
  if (random() % 8 == 0) certificate.groups.emplace_back();
}

// Right certificates of a system, two made in different ways, and wrong ones.
void attack(const TransitionSystem& system, bool reduces, bool holds, std::uint64_t mutants, Random& random,
            Tally& tally) {
  const Script one = Producer(system, random, reduces).make();
  const Script other = Producer(system, random, reduces).make();
  CertifierOptions options;
  options.reduces = reduces;
  for (std::uint64_t i = 0; i < mutants; ++i) {
    const Script& original = random() % 2 == 0 ? one : other;
    Mutant mutant{original, other, system, reduces, random};
    const std::uint64_t changes = random() % 8 == 0 ? 2 + random() % 2 : random() % 9 == 0 ? 0 : 1;
    for (std::uint64_t change = 0; change < changes && !mutant.script.empty(); ++change)
      kChanges[random() % std::size(kChanges)](mutant);
    if (changes != 0 && mutant.script == original) continue;  // nothing was there to be changed
    Certificate certificate = certificate_of(mutant.script, 1 + random() % 4);
    if (changes == 0) change_sizes(certificate, random);
    options.workers = 1 + (i % 16 == 0 ? random() % 3 : 0);
    expect_rightly_answered(system, certificate, options, holds, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
}

bool holds(const TransitionSystem& system) {
  return std::holds_alternative<Holds>(search(system, {}).outcome);
}

constexpr std::uint64_t kMutants = 60;  // of a system

TEST(CertificateAttacks, OnRandomGraphs) {
  Tally tally;
  for (std::uint64_t i = 0; i < rounds(60); ++i) {
    Random random(first_seed() + i);
    SCOPED_TRACE("graph " + std::to_string(first_seed() + i));
    const FixedGraphOptions options = faultless_fixed_graph(first_seed() + i, 4 + i % 30);
    const FixedGraph graph(options);
    attack(graph, false, true, kMutants, random, tally);
    const ReducingGraph reducing(options, i);
    attack(reducing, true, true, kMutants, random, tally);
    if (HasFatalFailure()) return;
  }
  tally.print("random graphs");
  EXPECT_GT(tally.refuted, tally.tried / 2);
  EXPECT_GT(tally.equivalent, tally.tried / 50);
}

TEST(CertificateAttacks, OnRandomGraphsWithErrors) {
  Tally tally;
  for (std::uint64_t i = 0; i < rounds(30); ++i) {
    Random random(first_seed() + i);
    SCOPED_TRACE("graph " + std::to_string(first_seed() + i));
    const FixedGraph graph(random_fixed_graph(first_seed() + i, 4 + i % 20));
    attack(graph, false, holds(graph), kMutants, random, tally);
    if (HasFatalFailure()) return;
  }
  tally.print("random graphs with errors");
  EXPECT_GT(tally.not_confirmed, 0u);
}

constexpr const char* kModels[] = {
    "byte x; chan q = [1] of { byte };\n"
    "active proctype P() { do :: x < 3 -> x++ :: q!x :: atomic { x > 2 -> x = 0 } od }\n"
    "active proctype Q() { byte y; do :: q?y :: y > 1 -> y = 0 od }\n",
    "byte turn, flag[2], inside;\n"
    "active [2] proctype P() { do :: flag[_pid] = 1; turn = 1 - _pid;\n"
    "  (flag[1 - _pid] == 0 || turn == _pid); inside++; assert(inside == 1); inside--; flag[_pid] = 0 od }\n",
    "chan c = [0] of { byte }; byte got;\n"
    "active proctype A() { byte i; end: do :: i < 3 -> i++; c!i :: i == 3 -> i = 0 od }\n"
    "active proctype B() { byte b; end: do :: c?b; d_step { got = b; b = 0 } :: timeout -> got = 0 od }\n",
    "byte n; proctype W(byte k) { byte i = k; i = i + 1; n = n + i }\n"
    "init { atomic { run W(1); run W(2) }; (_nr_pr == 1); assert(n == 5) }\n",
};

TEST(CertificateAttacks, OnPromelaModels) {
  Tally tally;
  for (std::uint64_t i = 0; i < rounds(2); ++i) {
    for (const char* const text : kModels) {
      for (const bool reduces : {false, true}) {
        Random random(first_seed() + i);
        const auto system = exec::version_of(text, {reduces, reduces, reduces});
        ASSERT_NE(system, nullptr) << text;
        ASSERT_TRUE(holds(*system)) << text;
        attack(*system, reduces, true, kMutants, random, tally);
        if (HasFatalFailure()) return;
      }
    }
  }
  tally.print("Promela models");
}

// ---- liars -------------------------------------------------------------------------------------------

// Whatever the liar makes of it, the model has an error, so nothing may be confirmed.
void expect_found_out(const TransitionSystem& system, Script script, std::uint64_t lost, Random& random,
                      Tally& tally) {
  CertifierOptions options;
  for (int attempt = 0; attempt < 4; ++attempt) {
    Mutant mutant{script, script, system, false, random};
    // References that no member has are left out, given to one state, or to many.
    for (std::uint64_t left = attempt == 0 ? 0 : lost; left > 0;) {
      const std::uint64_t part = attempt == 1 ? left : 1 + random() % left;
      if (ScriptState* const state = mutant.state()) state->references += part;
      left -= part;
    }
    if (attempt == 3) hide_subtree_and_repair(mutant);
    expect_rightly_answered(system, certificate_of(mutant.script), options, false, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Says that the states with errors are known, so that they are never looked at.
void lie_about_targets(const TransitionSystem& system, Random& random, Tally& tally) {
  std::set<Bytes> hidden = states_with_errors(system);
  if (hidden.empty() || hidden.contains(system.initial_state())) return;
  Producer producer(system, random, false, hidden);
  const Script script = producer.make();
  expect_found_out(system, script, producer.lost_references(), random, tally);
}

TEST(CertificateAttacks, ALiarSaysThatAStateWithAnErrorIsKnown) {
  Tally tally;
  for (std::uint64_t i = 0; i < rounds(60); ++i) {
    Random random(first_seed() + i);
    lie_about_targets(FixedGraph(random_fixed_graph(first_seed() + i, 4 + i % 40)), random, tally);
    if (HasFatalFailure()) return;
  }
  for (const char* const text :
       {"byte x; active [2] proctype P() { byte t; t = x; x = t + 1; assert(x < 2 || t == 1) }\n",
        "chan a = [1] of { byte }; chan b = [1] of { byte };\n"
        "active proctype P() { byte v; a!1; b?v; a!2 }\n"
        "active proctype Q() { byte v; b!1; a?v; b!2; b!3 }\n"}) {
    for (const bool reduces : {false, true}) {
      const auto system = exec::version_of(text, {reduces, reduces, false});
      ASSERT_NE(system, nullptr);
      ASSERT_FALSE(holds(*system)) << text;
      for (std::uint64_t i = 0; i < rounds(5); ++i) {
        Random random(first_seed() + i);
        lie_about_targets(*system, random, tally);
        if (HasFatalFailure()) return;
      }
    }
  }
  tally.print("liars about targets");
  EXPECT_EQ(tally.equivalent, 0u);
  EXPECT_GT(tally.refuted, kIsInstrumented ? 10u : 50u);
}

// A graph with an error, and the graph of which the liar says that it is this one: a transition leads
// elsewhere, or does not exist, so that the state was left before all of its transitions were taken.
TEST(CertificateAttacks, ALiarExecutesAnotherModel) {
  Tally tally;
  for (std::uint64_t i = 0; i < rounds(150); ++i) {
    const std::uint64_t seed = first_seed() + i;
    Random random(seed);
    FixedGraphOptions honest = faultless_fixed_graph(seed, 4 + i % 40);
    if (honest.edges.empty()) continue;
    // States have the same bytes in both graphs if both mention the same states: one that cannot be reached
    // leads to all of them.
    const std::uint32_t nowhere = 1000;
    for (std::uint32_t state = 0; state < 50; ++state) honest.edges.emplace_back(nowhere, state);
    FixedGraphOptions lying = honest;
    const auto target = [&](const auto& edge) { return edge.first != nowhere && edge.second != 0; };
    std::vector<std::size_t> candidates;
    for (std::size_t e = 0; e < honest.edges.size(); ++e) {
      if (target(honest.edges[e])) candidates.push_back(e);
    }
    if (candidates.empty()) continue;
    const std::uint32_t wrong = honest.edges[candidates[random() % candidates.size()]].second;
    honest.planted.push_back({wrong, {FindingKind::kAssertion, 0, Finding::kStateItself}, false});
    const bool removes = random() % 2 == 0;
    for (std::size_t e = lying.edges.size(); e-- > 0;) {
      if (!target(lying.edges[e]) || lying.edges[e].second != wrong) continue;
      if (removes) {
        lying.edges.erase(lying.edges.begin() + static_cast<std::ptrdiff_t>(e));
      } else {
        lying.edges[e].second = random() % 2 == 0 ? 0 : lying.edges[e].first;
      }
    }
    const FixedGraph real(honest), told(lying);
    if (holds(real)) continue;
    for (const std::uint64_t least_steps : {std::uint64_t{2}, RegionCut::kOneRegion}) {
      const Recorded recorded = record_script(told, least_steps);
      ASSERT_EQ(recorded.why_not, "");
      ASSERT_EQ(certify(told, recorded.certificate).answer, Answer::kConfirmed);
      expect_rightly_answered(real, recorded.certificate, {}, false, tally);
      if (HasFatalFailure()) return;
    }
  }
  tally.print("liars with another model");
  EXPECT_EQ(tally.equivalent, 0u);
  EXPECT_GT(tally.refuted, kIsInstrumented ? 10u : 50u);
}

// ---- bytes -------------------------------------------------------------------------------------------

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// As certify_model does it: the claim, then the groups.
std::optional<CertifierResult> certify_file(const TransitionSystem& system, const std::string& path) {
  try {
    FramedReader reader(path, kCertificateFormat);
    FileRecord record;
    if (!reader.read(record, kMostGroupBytes) || record.kind != kClaimRecord) throw_damaged();
    return certify(system, decoded_claim(record.content), reader, {});
  } catch (const FramedFileError&) {
    return std::nullopt;
  }
}

// Checksums protect the file; a liar makes them right.
TEST(CertificateAttacks, OnTheBytesOfTheFile) {
  Tally files, records;
  const std::string path = certificate_folder() + "/mutant";
  for (std::uint64_t i = 0; i < rounds(15); ++i) {
    Random random(first_seed() + i);
    const FixedGraph graph(faultless_fixed_graph(first_seed() + i, 30));
    const Recorded recorded = record_script(graph, 1 + random() % 20);
    const std::string bytes = file_bytes(certificate_folder() + "/recorded");
    for (int mutant = 0; mutant < 60; ++mutant) {
      const std::string changed = mutated(bytes, random);
      std::ofstream(path, std::ios::binary) << changed;
      const std::optional<CertifierResult> result = certify_file(graph, path);
      ++files.tried;
      if (!result) ++files.damaged;
      ASSERT_TRUE(!result || changed == bytes);
    }
    const Certificate& good = recorded.certificate;
    for (int mutant = 0; mutant < 120; ++mutant) {
      CertificateClaim claim = good.claim;
      std::vector<std::pair<char, std::string>> groups;
      for (const RegionGroup& group : good.groups) groups.emplace_back(kGroupRecord, encoded_group(group));
      std::string& record = groups[random() % groups.size()].second;
      record = mutated(record, random);
      ++records.tried;
      Certificate decoded{claim, {}};
      try {
        for (const auto& [kind, content] : groups) decoded.groups.push_back(decoded_group(content));
      } catch (const FramedFileError&) {
        ++records.damaged;
        EXPECT_ANY_THROW(CertificateFile(claim, groups).certify(graph));
        continue;
      }
      --records.tried;
      expect_rightly_answered(graph, decoded, {}, true, records);
      if (HasFatalFailure()) return;
    }
  }
  files.print("bytes of files");
  records.print("bytes of records");
  EXPECT_EQ(files.damaged, files.tried);
}

}  // namespace
}  // namespace spoor::certified
