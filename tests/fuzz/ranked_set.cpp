// A graph with marks, and any claim of ranks for its states: what is confirmed is a proof by the definition,
// what is a proof is confirmed, and a graph with a bad cycle has none. The judge of ranked_sets.h decides.
//
// The input: the rule and the marks; a graph (for each node a number of edges, and for each edge a byte with
// its target and its marks); a byte that says whether the ranks are those that the recorder computes, whether
// numbers of references are made right, and how many members a chunk has; unless they are computed, ranks:
// of the initial state, and for each node a number of members, each with its own, those of its targets and a
// number of references; then changes of the bytes of the chunk, three each (a place, and what is combined
// with it by exclusive or), under a right digest.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/run_graph.h"
#include "unit/ranked_sets.h"

namespace {

using namespace spoor;
using namespace spoor::ranked;

class Input {
 public:
  explicit Input(std::string_view text) : text_(text) {}
  std::uint8_t byte() {
    if (text_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(text_.front());
    text_.remove_prefix(1);
    return byte;
  }
  std::size_t left() const { return text_.size(); }
  // Mostly small; the last ones are the largest that there are.
  Rank rank() {
    const std::uint8_t chosen = byte();
    return chosen < 0xf0 ? chosen % 8 : UINT32_MAX - (0xff - chosen);
  }

 private:
  std::string_view text_;
};

Graph read_graph(Input& input) {
  const std::uint8_t kind = input.byte();
  const CycleRule rule = (kind & 1) != 0 ? CycleRule::kEveryStep : CycleRule::kTogether;
  const Marks all = rule == CycleRule::kEveryStep ? 1 : Marks{0b1011} >> (kind >> 1) % 5;
  Edges edges(1 + input.byte() % 6);
  for (std::vector<Edge>& own : edges) {
    for (int more = input.byte() % 4; more > 0; --more) {
      const std::uint8_t edge = input.byte();
      own.push_back({static_cast<std::uint32_t>(edge % 8 % edges.size()), Marks{edge} >> 3 & 15});
    }
  }
  return {std::move(edges), all, rule};
}

std::set<std::uint32_t> reached(const Graph& graph) {
  std::set<std::uint32_t> nodes = reached_from(graph.edges(), 0, [](const Edge&) { return true; });
  nodes.insert(0);
  return nodes;
}

// The claim of the recorder; nothing: it finds a bad cycle.
std::optional<Claim> computed(const Graph& graph) {
  RunGraph steps;
  const std::set<std::uint32_t> nodes = reached(graph);
  for (const std::uint32_t node : nodes) {
    std::vector<RunStep> own;
    for (const Edge& edge : graph.edges()[node]) own.push_back({edge.target, edge.marks});
    steps.add(node, own);
  }
  const std::optional<std::vector<Rank>> ranks = ranks_of(steps, RankRule(graph));
  if (!ranks) return std::nullopt;
  Claim claim = {(*ranks)[0], {}};
  for (const std::uint32_t node : nodes) {
    Member& member = claim.members.emplace_back(Member{text_of(node), (*ranks)[node], 0, {}});
    for (const Edge& edge : graph.edges()[node]) member.targets.push_back((*ranks)[edge.target]);
  }
  return claim;
}

Claim read_claim(Input& input, const Graph& graph) {
  Claim claim = {input.rank(), {}};
  std::set<std::string> known;
  for (std::uint32_t node = 0; node < graph.edges().size(); ++node) {
    for (int more = input.byte() % 3; more > 0; --more) {
      Member member = {text_of(node), input.rank(), 0, {}};
      for (std::size_t i = 0; i < graph.edges()[node].size(); ++i) member.targets.push_back(input.rank());
      member.references = input.byte() % 4;
      if (known.insert(bytes_of(member)).second) claim.members.push_back(std::move(member));
    }
  }
  return claim;
}

void repair_references(const Graph& graph, Claim& claim) {
  for (Member& member : claim.members) {
    member.references = member.state == text_of(0) && member.rank == claim.initial_rank ? 1 : 0;
    for (const Member& source : claim.members) {
      const std::vector<Edge>& edges = graph.edges()[number_of(source.state)];
      for (std::size_t i = 0; i < edges.size(); ++i) {
        if (text_of(edges[i].target) == member.state && source.targets[i] == member.rank) ++member.references;
      }
    }
  }
}

// What the members of a chunk claim; nothing: it is damaged.
std::optional<Claim> read_back(const Graph& graph, std::string_view record, std::uint64_t initial_rank) {
  Claim claim = {initial_rank, {}};
  try {
    for (ChunkDecoder chunk(record, true); chunk.next();) {
      Member& member = claim.members.emplace_back();
      member.state = chunk.state().substr(0, chunk.state().size() - kRankBytes);
      member.rank = rank_of_member(chunk.state());
      member.references = chunk.references();
      if (graph.is_well_formed(std::as_bytes(std::span(member.state))))
        member.targets.assign(graph.edges()[number_of(member.state)].size(), member.rank);
      for (const StepRank& other : chunk.step_ranks()) {
        if (other.step < member.targets.size()) {
          member.targets[other.step] = other.rank;
        } else {
          member.targets.push_back(other.rank);  // of a step that there is not
        }
      }
    }
    return claim;
  } catch (const FramedFileError&) {
    return std::nullopt;
  }
}

std::string chunk_of(std::string record, Input& input) {
  while (input.left() >= 3) {
    const std::size_t place = input.byte() | std::size_t{input.byte()} << 8;
    record[place % record.size()] = static_cast<char>(record[place % record.size()] ^ input.byte());
  }
  return record;
}

// A file with this one chunk, which is as its index and its claim say.
RankFile file_with(const Graph& graph, const std::string& record, const Claim& claim) {
  FramedWriter chunks = certified::unnamed_certificate();
  chunks.add(kChunkRecord, record);
  chunks.finish();
  CertificateClaim head;
  head.states = claim.members.size();
  for (const Member& member : claim.members) {
    if (graph.is_well_formed(std::as_bytes(std::span(member.state))))
      head.steps += graph.edges()[number_of(member.state)].size();
  }
  RankFile file;
  write_closed_set(*file.file, head, {{head.states, 0, leaf_digest(record), bytes_of(claim.members.front())}},
                   chunks, static_cast<Rank>(claim.initial_rank));
  return file;
}

void check(const Graph& graph, const RankFile& file, bool is_right, std::uint64_t draws) {
  if (is_right && has_bad_cycle(graph)) std::abort();
  if (file.is_confirmed(graph) != is_right) std::abort();
  if (is_right && file.certify(graph, 1, draws).answer != Answer::kNotRefuted) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input(std::string_view(reinterpret_cast<const char*>(data), size));
  const Graph graph = read_graph(input);
  const std::optional<Claim> right = computed(graph);
  if (right.has_value() == has_bad_cycle(graph)) std::abort();
  const std::uint8_t mode = input.byte();
  Claim claim = (mode & 1) != 0 && right ? *right : read_claim(input, graph);
  if ((mode & 2) != 0 || ((mode & 1) != 0 && right)) repair_references(graph, claim);
  if (claim.members.empty()) return 0;
  check(graph, file_of(graph, claim, 1 + (mode >> 2) % 4), is_proof(graph, claim), 1 + size % 30);

  ChunkEncoder encoder(true);
  std::ranges::sort(claim.members,
                    [](const Member& a, const Member& b) { return comes_before(bytes_of(a), bytes_of(b)); });
  for (const Member& member : claim.members) {
    std::vector<StepRank> others;
    for (std::uint32_t i = 0; i < member.targets.size(); ++i) {
      if (member.targets[i] != member.rank) others.push_back({i, static_cast<Rank>(member.targets[i])});
    }
    encoder.add(bytes_of(member), member.references,
                encoded_step_ranks(static_cast<Rank>(member.rank), others));
  }
  const std::string record = chunk_of(encoder.take(), input);
  const std::optional<Claim> changed = read_back(graph, record, claim.initial_rank);
  // A chunk that is damaged behind its first members is refused with any index.
  const bool is_right = changed && is_proof(graph, *changed);
  check(graph, file_with(graph, record, changed ? *changed : claim), is_right, 1 + size % 30);
  return 0;
}
