// Closed sets with ranks, against the judge of ranked_sets.h.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "evidence/lasso_check.h"
#include "evidence/rank_recorder.h"
#include "search/search.h"
#include "unit/instrumented.h"
#include "unit/ranked_sets.h"

namespace spoor::ranked {
namespace {

// What the recorder makes of a search; nothing, if it has none.
std::optional<Claim> recorded(const Graph& graph, const SearchOptions& wanted, const std::string& folder) {
  RankRecorder recorder(folder + "/ranks", graph, 200);
  SearchOptions options = wanted;
  options.observer = &recorder;
  search_cycles(graph, options);
  if (!recorder.why_not().empty()) return std::nullopt;
  recorder.save({});
  FramedReader reader(folder + "/ranks", kCertificateFormat);
  FileRecord record;
  reader.read(record);
  EXPECT_EQ(record.kind, kRankedSetRecord);
  Claim claim;
  claim.initial_rank = decoded_closed_set_claim(record.content, true).initial_rank.value_or(99);
  while (reader.read(record)) {
    if (record.kind != kChunkRecord) continue;
    ChunkDecoder chunk(record.content, true);
    while (chunk.next()) {
      const std::string_view bytes = chunk.state();
      Member member = {std::string(bytes.substr(0, bytes.size() - kRankBytes)),
                       rank_of_member(bytes),
                       chunk.references(),
                       {}};
      member.targets.assign(graph.edges()[number_of(member.state)].size(), member.rank);
      for (const StepRank& other : chunk.step_ranks()) member.targets.at(other.step) = other.rank;
      claim.members.push_back(std::move(member));
    }
  }
  return claim;
}

std::uint64_t graphs() {
  const char* const wanted = std::getenv("SPOOR_RANKED_GRAPHS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : kIsInstrumented ? 40 : 120;
}

TEST(RankRecorder, GraphsHaveRanksExactlyIfTheyHaveNoBadCycle) {
  const TemporaryFolder folder;
  std::uint64_t good = 0, bad = 0, several = 0;
  for (std::uint64_t seed = 0; seed < graphs(); ++seed) {
    const Graph graph = random_system(seed);
    const std::optional<Claim> claim = recorded(graph, {}, folder.path());
    ASSERT_EQ(claim.has_value(), !has_bad_cycle(graph)) << seed;
    ++(claim ? good : bad);
    if (!claim) continue;
    ASSERT_TRUE(is_proof(graph, *claim)) << seed;
    ASSERT_TRUE(file_of(graph, *claim, 3).is_confirmed(graph)) << seed;
    several += std::ranges::any_of(claim->members, [](const Member& m) { return m.rank > 1; }) ? 1 : 0;
  }
  EXPECT_GT(good, graphs() / 5);
  EXPECT_GT(bad, graphs() / 5);
  EXPECT_GT(several, graphs() / 20);
}

TEST(RankRecorder, ThreadsAndRunsMakeNoDifference) {
  const TemporaryFolder folder;
  const auto key = [](const Claim& claim) {
    std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t, std::vector<std::uint64_t>>> all;
    for (const Member& m : claim.members) all.emplace_back(m.state, m.rank, m.references, m.targets);
    return std::pair(claim.initial_rank, all);
  };
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Graph graph = random_system(seed);
    const std::optional<Claim> one = recorded(graph, {}, folder.path());
    if (!one) continue;
    SearchOptions options;
    options.threads = 3;
    const std::optional<Claim> more = recorded(graph, options, folder.path());
    ASSERT_TRUE(more);
    EXPECT_EQ(key(*one), key(*more));
    ++compared;
  }
  EXPECT_GT(compared, 8);
}

// A ring with a way out at each node; mark 1 is missing on the ring.
Graph long_graph(std::uint32_t nodes) {
  Edges edges(nodes + 1);
  for (std::uint32_t node = 0; node < nodes; ++node) edges[node] = {{(node + 1) % nodes, 1}, {nodes, 2}};
  edges[nodes] = {{nodes, 2}};
  return {std::move(edges), 3, CycleRule::kTogether};
}

TEST(RankRecorder, GivesUpWhereItsMemoryIsUsedUp) {
  const TemporaryFolder folder;
  const Graph graph = long_graph(3000);
  for (const unsigned threads : {1u, 3u}) {
    // The graph, its ranks, and what is sorted at once need some 2.4 MB; the steps alone, 24 KB.
    for (const std::uint64_t memory :
         {std::uint64_t{0}, std::uint64_t{8} << 20, std::uint64_t{300'000}, std::uint64_t{20'000}}) {
      RankRecorder recorder(folder.path() + "/ranks", graph, ClosedSetRecorder::kRunBytes, memory);
      SearchOptions options;
      options.observer = &recorder;
      options.threads = threads;
      EXPECT_TRUE(std::holds_alternative<Holds>(search_cycles(graph, options).outcome));
      const std::string& why_not = recorder.why_not();
      if (memory == 0 || memory >= std::uint64_t{8} << 20) {
        EXPECT_EQ(why_not, "");
        recorder.save({});
      } else {
        EXPECT_EQ(why_not.find("it needs "), 0u) << why_not;
        EXPECT_NE(why_not.find(" and more, and --memory leaves "), std::string::npos) << why_not;
      }
    }
  }
}

TEST(RunGraph, RanksAreComputedInTheMemoryThatThereIs) {
  RunGraph graph;
  constexpr StateNumber kStates = 10'000;
  for (StateNumber state = 0; state < kStates; ++state) {
    const RunStep step = {state + 1 < kStates ? state + 1 : state, 0};
    graph.add(state, std::span(&step, 1));
  }
  const RankRule rule(long_graph(3));
  EXPECT_TRUE(ranks_of(graph, rule, MemoryShare(8 << 20)));
  EXPECT_THROW(ranks_of(graph, rule, MemoryShare(60'000)), MemoryShare::Exceeded);   // the ranks alone
  EXPECT_THROW(ranks_of(graph, rule, MemoryShare(400'000)), MemoryShare::Exceeded);  // the path
}

// One change. Returns what kind it was.
unsigned mutate(const Graph& graph, Claim& claim, std::mt19937_64& random) {
  std::vector<Member>& members = claim.members;
  const auto any = [&]() -> Member& { return members[random() % members.size()]; };
  const auto near = [&](std::uint64_t rank) {
    return std::min<std::uint64_t>(UINT32_MAX, rank + random() % 3);
  };
  const auto kind = static_cast<unsigned>(random() % 10);
  switch (kind) {
    case 0: members.erase(members.begin() + static_cast<std::ptrdiff_t>(random() % members.size())); break;
    case 1: any().references += 1 + random() % 2; break;
    case 2: {  // one reference is moved
      Member& from = any();
      if (from.references == 0) break;
      --from.references;
      ++any().references;
      break;
    }
    case 3: any().rank = random() % 4; break;  // of a member alone
    case 4: {                                  // and where it is referred to
      const Member chosen = any();
      const std::uint64_t rank = random() % 5;
      for (Member& member : members) {
        if (member.state == chosen.state) member.rank = rank;
        const auto& edges = graph.edges()[number_of(member.state)];
        for (std::size_t i = 0; i < std::min(edges.size(), member.targets.size()); ++i) {
          if (text_of(edges[i].target) == chosen.state) member.targets[i] = rank;
        }
      }
      if (chosen.state == text_of(0)) claim.initial_rank = rank;
      break;
    }
    case 5: {  // another rank for one target
      Member& member = any();
      if (!member.targets.empty()) member.targets[random() % member.targets.size()] = random() % 4;
      break;
    }
    case 6: {  // all ranks are higher
      const std::uint64_t more = 1 + random() % 4;
      claim.initial_rank += more;
      for (Member& member : members) {
        member.rank += more;
        for (std::uint64_t& target : member.targets) target += more;
      }
      break;
    }
    case 7: {  // a second rank for a state, which nothing refers to
      Member member = any();
      member.rank = near(member.rank);
      member.references = 0;
      for (const Edge& edge : graph.edges()[number_of(member.state)]) {
        const std::size_t at =
            static_cast<std::size_t>(&edge - graph.edges()[number_of(member.state)].data());
        for (Member& other : members) {
          if (other.state == text_of(edge.target) && other.rank == member.targets[at]) ++other.references;
        }
      }
      members.push_back(std::move(member));
      break;
    }
    case 8: claim.initial_rank = random() % 4; break;
    default: any().targets.push_back(random() % 3); break;  // a rank for a step that there is not
  }
  return kind;
}

TEST(RankCertifier, ConfirmsWhatIsAProofAndNothingElse) {
  const TemporaryFolder folder;
  std::uint64_t proofs = 0, others = 0;
  std::map<unsigned, std::pair<std::uint64_t, std::uint64_t>> by_kind;
  for (std::uint64_t seed = 0; seed < graphs(); ++seed) {
    const Graph graph = random_system(seed);
    const std::optional<Claim> right = recorded(graph, {}, folder.path());
    if (!right) continue;
    std::mt19937_64 random(seed);
    for (int mutant = 0; mutant < 40; ++mutant) {
      Claim claim = *right;
      unsigned kind = 0;
      for (auto changes = 1 + random() % 2; changes > 0 && !claim.members.empty(); --changes)
        kind = mutate(graph, claim, random);
      if (claim.members.empty()) continue;
      const bool expected = is_proof(graph, claim);
      ++(expected ? proofs : others);
      ++(expected ? by_kind[kind].first : by_kind[kind].second);
      std::set<std::string> distinct;
      for (const Member& member : claim.members) distinct.insert(bytes_of(member));
      if (distinct.size() != claim.members.size()) continue;  // the form itself has no room for them
      ASSERT_EQ(file_of(graph, claim, 1 + random() % 5).is_confirmed(graph), expected)
          << "seed " << seed << ", mutant " << mutant << ", kind " << kind;
    }
  }
  EXPECT_GT(proofs, graphs());
  EXPECT_GT(others, 5 * graphs());
  EXPECT_GT(by_kind[4].first, graphs() / 20);
  EXPECT_GT(by_kind[6].first, graphs() / 20);
  EXPECT_GT(by_kind[6].second, graphs() / 20);
  EXPECT_GT(by_kind[7].first, graphs() / 100);
  RecordProperty("mutants", std::to_string(proofs + others));
}

// A producer that hides a bad cycle: it makes the certificate of a graph without it.
TEST(RankCertifier, APlantedLiarIsFoundOut) {
  const TemporaryFolder folder;
  std::uint64_t lies = 0;
  for (std::uint64_t seed = 0; seed < 2 * graphs(); ++seed) {
    const Graph graph = random_system(seed);
    if (!has_bad_cycle(graph)) continue;
    for (std::uint32_t node = 0; node < graph.edges().size(); ++node) {
      for (std::size_t i = 0; i < graph.edges()[node].size(); ++i) {
        for (const bool hides_marks : {true, false}) {
          Edges edges = graph.edges();
          if (hides_marks) {
            edges[node][i].marks = 0;
          } else {
            edges[node][i].target = static_cast<std::uint32_t>((node + 1) % edges.size());
          }
          const Graph other(edges, graph.all_marks(), graph.rule());
          const std::optional<Claim> lie = recorded(other, {}, folder.path());
          if (!lie) continue;
          ++lies;
          ASSERT_FALSE(is_proof(graph, *lie));
          ASSERT_FALSE(file_of(graph, *lie, 4).is_confirmed(graph)) << seed;
        }
      }
    }
  }
  EXPECT_GT(lies, graphs() / 4);
}

TEST(RankCertifier, NoRanksWhateverProveAGraphWithABadCycle) {
  std::uint64_t tried = 0;
  for (std::uint64_t seed = 0; seed < graphs(); ++seed) {
    const Graph graph = random_system(seed);
    if (!has_bad_cycle(graph)) continue;
    std::mt19937_64 random(seed);
    for (int guess = 0; guess < 20; ++guess) {
      // One rank for each state, whatever it is, and right numbers.
      std::vector<std::uint64_t> ranks;
      for (std::size_t i = 0; i < graph.edges().size(); ++i) ranks.push_back(random() % 5);
      std::set<std::uint32_t> states = reached_from(graph.edges(), 0, [](const Edge&) { return true; });
      states.insert(0);
      std::vector<std::uint64_t> counts(graph.edges().size());
      ++counts[0];
      for (const std::uint32_t state : states) {
        for (const Edge& edge : graph.edges()[state]) ++counts[edge.target];
      }
      Claim claim = {ranks[0], {}};
      for (const std::uint32_t state : states) {
        Member member = {text_of(state), ranks[state], counts[state], {}};
        for (const Edge& edge : graph.edges()[state]) member.targets.push_back(ranks[edge.target]);
        claim.members.push_back(std::move(member));
      }
      ASSERT_FALSE(file_of(graph, claim, 4).is_confirmed(graph)) << seed;
      ++tried;
    }
  }
  EXPECT_GT(tried, graphs() / 2);
}

TEST(RankCertifier, AnotherRuleOrOtherMarksAreNotProved) {
  const TemporaryFolder folder;
  std::uint64_t refused = 0;
  for (std::uint64_t seed = 0; seed < graphs(); ++seed) {
    const Graph graph = random_system(seed);
    const std::optional<Claim> claim = recorded(graph, {}, folder.path());
    if (!claim) continue;
    for (const Marks all : {Marks{0}, Marks{1}, Marks{2}, Marks{7}}) {
      for (const CycleRule rule : {CycleRule::kTogether, CycleRule::kEveryStep}) {
        const Graph other(graph.edges(), all, rule);
        const bool expected = is_proof(other, *claim);
        ASSERT_EQ(file_of(other, *claim, 3).is_confirmed(other), expected) << seed;
        if (expected) {
          ASSERT_FALSE(has_bad_cycle(other)) << seed;
        }
        refused += expected ? 0 : 1;
      }
    }
  }
  EXPECT_GT(refused, graphs() / 4);
}

TEST(RankCertifier, SaysWhereARankIsWrong) {
  // 0 <-> 1 with mark 0 on one way and mark 1 nowhere; then 2 with mark 1.
  const Graph graph({{{1, 1}}, {{0, 0}, {2, 2}}, {{2, 2}}}, 3, CycleRule::kTogether);
  const auto reason = [&](std::uint64_t first, std::uint64_t second, std::uint64_t third) {
    const Claim claim = {first,
                         {{text_of(0), first, 2, {second}},
                          {text_of(1), second, 1, {first, third}},
                          {text_of(2), third, 2, {third}}}};
    const CertifierResult result = file_of(graph, claim, 2).certify(graph);
    EXPECT_EQ(result.answer == Answer::kConfirmed, is_proof(graph, claim));
    return result.reason;
  };
  EXPECT_EQ(reason(1, 1, 0), "");
  EXPECT_EQ(reason(3, 3, 2), "");
  EXPECT_EQ(reason(1, 1, 1),
            "transition 2 of state 2 of chunk 1: keeps rank 1, and has the mark that this rank excludes");
  EXPECT_EQ(reason(2, 3, 0),
            "transition 1 of state 1 of chunk 1: leads from rank 2 to 3, and must lead to a lower one");
  const Claim outside = {1, {{text_of(0), 1, 1, {1}}, {text_of(1), 1, 1, {0, 0}}, {text_of(2), 0, 2, {0}}}};
  EXPECT_EQ(
      file_of(graph, outside, 2).certify(graph).reason,
      "transition 1 of state 2 of chunk 1: leads to a state that is none of the states of the certificate");
  Claim more = {1, {{text_of(0), 1, 2, {1, 7}}, {text_of(1), 1, 1, {1, 0}}, {text_of(2), 0, 2, {0}}}};
  EXPECT_EQ(file_of(graph, more, 2).certify(graph).reason,
            "state 1 of chunk 1: has a rank for a transition that it does not have");
  more.members.front().targets.pop_back();
  EXPECT_EQ(file_of(graph, more, 1).certify(graph, 3).reason, "");
  EXPECT_EQ(file_of(graph, more, 1, true).certify(graph).answer, Answer::kRefuted);
  more.initial_rank = 0;
  more.members.front().references = 1;
  EXPECT_EQ(file_of(graph, more, 1).certify(graph).reason, "the initial state is none of its states");
}

TEST(RankCertifier, ASampleFindsWrongRanksAndNoOthers) {
  const TemporaryFolder folder;
  std::uint64_t good = 0, refuted = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const Graph graph = random_system(seed);
    const std::optional<Claim> right = recorded(graph, {}, folder.path());
    if (!right) continue;
    EXPECT_EQ(file_of(graph, *right, 3).certify(graph, 1, 800).answer, Answer::kNotRefuted);
    ++good;
    std::mt19937_64 random(seed);
    Claim claim = *right;
    claim.members[random() % claim.members.size()].rank = random() % 4;
    Claim counted = claim;  // a sample does not look at numbers of references
    const bool is_same = is_proof(graph, counted);
    const Answer answer = file_of(graph, claim, 3).certify(graph, 1, 800).answer;
    if (!is_same) {
      EXPECT_EQ(answer, Answer::kRefuted) << seed;
      ++refuted;
    }
  }
  EXPECT_GT(good, 30u);
  EXPECT_GT(refuted, 10u);
}

// ---- chunks ---------------------------------------------------------------------------------------------

TEST(RankedChunk, AnyBytesAreRefusedOrReadInOrder) {
  std::uint64_t refused = 0, read = 0;
  std::mt19937_64 random(1);
  for (int round = 0; round < 4000; ++round) {
    ChunkEncoder encoder(true);
    std::string before;
    for (std::uint32_t i = 0; i < 1 + random() % 8; ++i) {
      Member member = {text_of(i << 8), random() % 3, random() % 4, {}};
      std::vector<StepRank> others;
      for (std::uint32_t step = 0; step < random() % 4; ++step)
        if (random() % 2 == 0) others.push_back({step, static_cast<Rank>(member.rank + 1 + random() % 3)});
      if (i > 0 && !comes_before(before, bytes_of(member))) continue;
      before = bytes_of(member);
      encoder.add(before, member.references, encoded_step_ranks(static_cast<Rank>(member.rank), others));
    }
    std::string record = encoder.take();
    record[random() % record.size()] ^= static_cast<char>(1U << random() % 8);
    try {
      ChunkDecoder decoder(record, true);
      while (decoder.next()) {
        std::optional<std::uint32_t> last;
        for (const StepRank& other : decoder.step_ranks()) {
          ASSERT_TRUE(!last || other.step > *last);
          ASSERT_NE(other.rank, rank_of_member(decoder.state()));
          last = other.step;
        }
      }
      ++read;
    } catch (const FramedFileError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 500u);
  EXPECT_GT(read, 500u);
}

// ---- lassos ---------------------------------------------------------------------------------------------

TEST(LassoCheck, ARunIsBadExactlyIfItsCycleIs) {
  std::uint64_t bad = 0, good = 0;
  for (std::uint64_t seed = 0; seed < 4 * graphs(); ++seed) {
    const Graph graph = random_system(seed);
    std::mt19937_64 random(seed);
    SystemRun run;
    std::vector<std::uint32_t> states = {0};
    std::vector<Marks> marks;
    for (int i = 0; i < 30 && !run.loop; ++i) {
      const std::vector<Edge>& edges = graph.edges()[states.back()];
      if (edges.empty()) break;
      const std::size_t step = random() % edges.size();
      run.steps.push_back(StepId(step));
      marks.push_back(edges[step].marks);
      const auto before = std::ranges::find(states, edges[step].target);
      if (before != states.end() && random() % 2 == 0)
        run.loop = static_cast<std::size_t>(before - states.begin());
      states.push_back(edges[step].target);
    }
    if (!run.loop) {
      EXPECT_FALSE(is_bad_run(graph, run));
      continue;
    }
    const Marks all = graph.all_marks();
    Marks together = 0;
    bool is_in_every = true;
    for (std::size_t i = *run.loop; i < marks.size(); ++i) {
      together |= marks[i];
      is_in_every &= (marks[i] & all) == all;
    }
    const bool expected = graph.rule() == CycleRule::kEveryStep ? is_in_every : (together & all) == all;
    EXPECT_EQ(is_bad_run(graph, run), expected) << seed;
    ++(expected ? bad : good);
  }
  EXPECT_GT(bad, graphs() / 4);
  EXPECT_GT(good, graphs() / 4);
}

}  // namespace
}  // namespace spoor::ranked
