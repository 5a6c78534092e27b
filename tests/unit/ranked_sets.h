// Graphs with marks and closed sets with ranks, as tests make and judge them.
//
// The judge has the whole graph before its eyes: what is a proof is decided by the definition, with sets, and
// whether there is a bad cycle by reachability. Neither uses a line of the certifier, of the rule of ranks or
// of the search that computes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/closed_set_certifier.h"
#include "model/omega.h"
#include "unit/certificates.h"
#include "unit/quiet_system.h"

namespace spoor::ranked {

using Answer = CertifierResult::Answer;

struct Edge {
  std::uint32_t target = 0;
  Marks marks = 0;
};
using Edges = std::vector<std::vector<Edge>>;  // by source

inline std::string text_of(std::uint32_t state) {
  std::string text(sizeof state, '\0');
  std::memcpy(text.data(), &state, sizeof state);
  return text;
}
inline std::uint32_t number_of(std::string_view text) {
  std::uint32_t state = 0;
  std::memcpy(&state, text.data(), sizeof state);
  return state;
}

// A graph with marks on its edges; a state is its number.
class Graph : public Quiet<OmegaSystem> {
 public:
  Graph(Edges edges, Marks all, CycleRule rule) : edges_(std::move(edges)), all_(all), rule_(rule) {}

  const Edges& edges() const { return edges_; }
  CycleRule rule() const override { return rule_; }
  Marks all_marks() const override { return all_; }
  Finding cycle() const override { return {FindingKind::kAcceptanceCycle, 0, Finding::kStateItself}; }
  ClaimView look(StateBytes) const override { return {}; }
  std::optional<StepId> step_below(StateBytes, StepId step) const override { return step; }
  bool is_well_formed(StateBytes state) const override {
    return state.size() == sizeof(std::uint32_t) && number_of(as_text(state)) < edges_.size();
  }
  std::vector<std::byte> initial_state() const override {
    const std::string text = text_of(0);
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
  }
  void expand(StateBytes state, Expansion& out) const override {
    std::uint32_t step = 0;
    for (const Edge& edge : edges_.at(number_of(as_text(state)))) {
      const std::string target = text_of(edge.target);
      out.successors.push_back({StepId(step++), static_cast<std::uint32_t>(out.arena.size()),
                                static_cast<std::uint32_t>(target.size())});
      out.arena.append(std::as_bytes(std::span(target)));
      out.marks.push_back(edge.marks);
    }
  }
  Explanation explain(StateBytes, StepId) const override { return {}; }
  std::vector<std::string> describe(StateBytes) const override { return {}; }
  std::string message(const Finding&) const override { return "a cycle"; }

 private:
  Edges edges_;
  Marks all_;
  CycleRule rule_;
};

inline Graph random_system(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const CycleRule rule = random() % 3 == 0 ? CycleRule::kEveryStep : CycleRule::kTogether;
  const Marks all = rule == CycleRule::kEveryStep ? 1 : Marks{0b1011} >> random() % 5;
  const auto nodes = static_cast<std::uint32_t>(2 + random() % 12);
  Edges edges(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (auto more = random() % 4; more > 0; --more) {
      // Mostly ahead, so that there are graphs without a bad cycle.
      const auto target = static_cast<std::uint32_t>(
          random() % 3 == 0 ? random() % nodes : std::min<std::uint64_t>(nodes - 1, node + random() % 3));
      const Marks marks = random() % 3 == 0 ? random() % 16 : Marks{1} << random() % 4;
      edges[node].push_back({target, marks & (random() % 2 == 0 ? 15 : 3)});
    }
  }
  return {std::move(edges), all, rule};
}

// ---- the judge ------------------------------------------------------------------------------------------

inline std::set<std::uint32_t> reached_from(const Edges& edges, std::uint32_t from, const auto& may_take) {
  std::set<std::uint32_t> reached;  // in one step or more
  std::vector<std::uint32_t> todo = {from};
  while (!todo.empty()) {
    const std::uint32_t state = todo.back();
    todo.pop_back();
    for (const Edge& edge : edges[state]) {
      if (may_take(edge) && reached.insert(edge.target).second) todo.push_back(edge.target);
    }
  }
  return reached;
}

inline bool has_bad_cycle(const Graph& graph) {
  const Edges& edges = graph.edges();
  const Marks all = graph.all_marks();
  const bool every = graph.rule() == CycleRule::kEveryStep;
  const auto may_take = [&](const Edge& edge) { return !every || (edge.marks & all) == all; };
  std::set<std::uint32_t> states = reached_from(edges, 0, [](const Edge&) { return true; });
  states.insert(0);
  for (const std::uint32_t state : states) {
    const std::set<std::uint32_t> onward = reached_from(edges, state, may_take);
    if (!onward.contains(state)) continue;
    if (every) return true;
    Marks together = 0;  // of all cycles through the state
    for (const std::uint32_t other : onward) {
      if (!reached_from(edges, other, may_take).contains(state)) continue;
      for (const Edge& edge : edges[other]) {
        if (edge.target == state || reached_from(edges, edge.target, may_take).contains(state))
          together |= edge.marks;
      }
    }
    if ((together & all) == all) return true;
  }
  return false;
}

struct Member {
  std::string state;
  std::uint64_t rank = 0;
  std::uint64_t references = 0;
  std::vector<std::uint64_t> targets;  // ranks of the targets of its steps
};
struct Claim {
  std::uint64_t initial_rank = 0;
  std::vector<Member> members;
};

inline bool may_follow(const Graph& graph, std::uint64_t from, std::uint64_t to, Marks marks) {
  const Marks all = graph.all_marks();
  if (graph.rule() == CycleRule::kEveryStep) return (marks & all) != all || to < from;
  if (to != from) return to < from;
  std::vector<unsigned> places;
  for (unsigned place = 0; place < 64; ++place) {
    if ((all >> place & 1) != 0) places.push_back(place);
  }
  return !places.empty() && (marks >> places[from % places.size()] & 1) == 0;
}

// By the definition.
inline bool is_proof(const Graph& graph, const Claim& claim) {
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> counts, found;
  ++found[{text_of(0), claim.initial_rank}];
  for (const Member& member : claim.members) {
    if (!counts.try_emplace({member.state, member.rank}, member.references).second) return false;
    if (member.state.size() != sizeof(std::uint32_t) || number_of(member.state) >= graph.edges().size())
      return false;
    const std::vector<Edge>& edges = graph.edges()[number_of(member.state)];
    if (member.targets.size() < edges.size()) return false;
    for (std::size_t i = edges.size(); i < member.targets.size(); ++i) {
      if (member.targets[i] != member.rank) return false;  // said of a step that there is not
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
      if (!may_follow(graph, member.rank, member.targets[i], edges[i].marks)) return false;
      ++found[{text_of(edges[i].target), member.targets[i]}];
    }
  }
  for (const auto& [pair, count] : found) {
    if (!counts.contains(pair)) return false;
  }
  return std::ranges::all_of(counts, [&](const auto& entry) { return entry.second == found[entry.first]; });
}

// ---- certificates ---------------------------------------------------------------------------------------

inline std::string bytes_of(const Member& member) {
  std::string bytes = member.state;
  append_rank(bytes, static_cast<Rank>(member.rank));
  return bytes;
}

struct RankFile {
  std::unique_ptr<FramedWriter> file{new FramedWriter(certified::unnamed_certificate())};

  CertifierResult certify(const Graph& graph, unsigned workers = 1, std::uint64_t draws = 0) const {
    FramedReader reader(*file, kCertificateFormat);
    FileRecord record;
    reader.read(record);
    const ClosedSetClaim claim = decoded_closed_set_claim(record.content, true);
    const RankRule rule(graph);
    CertifierOptions options;
    options.workers = workers;
    options.ranks = &rule;
    return draws == 0 ? certify_closed_set(graph, claim, reader, options)
                      : sample_closed_set(graph, claim, reader, options, draws);
  }
  bool is_confirmed(const Graph& graph) const {
    try {
      return certify(graph).answer == Answer::kConfirmed;
    } catch (const FramedFileError&) {
      return false;
    }
  }
};

inline RankFile file_of(const Graph& graph, Claim claim, std::uint64_t chunk_states,
                        bool swaps_chunks = false) {
  std::ranges::sort(claim.members,
                    [](const Member& a, const Member& b) { return comes_before(bytes_of(a), bytes_of(b)); });
  FramedWriter chunks = certified::unnamed_certificate();
  ChunkWriter writer(chunks, chunk_states, true);
  CertificateClaim head;
  for (const Member& member : claim.members) {
    std::vector<StepRank> others;
    for (std::size_t i = 0; i < member.targets.size(); ++i) {
      if (member.targets[i] != member.rank)
        others.push_back({static_cast<std::uint32_t>(i), static_cast<Rank>(member.targets[i])});
    }
    const auto rank = static_cast<Rank>(member.rank);
    writer.add(bytes_of(member), member.references, encoded_step_ranks(rank, others));
    const std::uint32_t state = member.state.size() == 4 ? number_of(member.state) : UINT32_MAX;
    if (state < graph.edges().size()) head.steps += graph.edges()[state].size();
  }
  writer.finish();
  chunks.finish();
  head.states = claim.members.size();
  if (swaps_chunks) std::swap(writer.entries().front(), writer.entries().back());
  RankFile certificate;
  write_closed_set(*certificate.file, head, writer.entries(), chunks, static_cast<Rank>(claim.initial_rank));
  return certificate;
}

}  // namespace spoor::ranked
