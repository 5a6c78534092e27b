#include "evidence/closed_set.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/merkle.h"
#include "base/temporary_folder.h"
#include "evidence/closed_set_certifier.h"
#include "graph/graph_system.h"
#include "search/search.h"

namespace spoor {
namespace {

using SetMembers = std::vector<std::pair<std::string, std::uint64_t>>;  // with their numbers of references

std::string text_of(std::uint32_t state) {
  return std::string(as_text(std::span<const std::byte>(graph_state_bytes(state))));
}

// Every state of 0 to nodes - 1 exists; some have no edges.
Graph random_graph(std::uint64_t seed, std::uint32_t nodes) {
  std::mt19937_64 random(seed);
  std::vector<Edge> edges;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (random() % 40 == 0) continue;
    edges.push_back({node, static_cast<std::uint32_t>(random() % nodes), 0, {}});
    for (auto more = random() % 4; more > 0; --more)
      edges.push_back({node, static_cast<std::uint32_t>(random() % nodes), 0, {}});
  }
  edges.push_back({0, nodes - 1, 0, {}});
  return Graph(0, std::move(edges), {"a"});
}

// A certificate in a file without a name.
struct SetFile {
  std::unique_ptr<FramedWriter> file =
      std::make_unique<FramedWriter>(FramedWriter::Unnamed{"/tmp"}, kCertificateFormat);

  CertifierResult certify(const GraphSystem& system, unsigned workers = 1, std::uint64_t draws = 0) const {
    FramedReader reader(*file, kCertificateFormat);
    FileRecord record;
    reader.read(record);
    CertifierOptions options;
    options.workers = workers;
    const ClosedSetClaim claim = decoded_closed_set_claim(record.content);
    return draws == 0 ? certify_closed_set(system, claim, reader, options)
                      : sample_closed_set(system, claim, reader, options, draws);
  }
  // Refused, however that is said.
  bool is_confirmed(const GraphSystem& system) const {
    try {
      return certify(system).answer == CertifierResult::Answer::kConfirmed;
    } catch (const FramedFileError&) {
      return false;
    }
  }
};

std::uint64_t steps_of(const GraphSystem& system, const SetMembers& members) {
  std::uint64_t steps = 0;
  for (const auto& [state, count] : members) {
    if (!system.is_well_formed(std::as_bytes(std::span(state)))) continue;
    steps += system.graph().edges_of(graph_state(std::as_bytes(std::span(state)))).size();
  }
  return steps;
}

SetFile set_file_of(const GraphSystem& system, const SetMembers& members, std::uint64_t chunk_states) {
  FramedWriter chunks(FramedWriter::Unnamed{"/tmp"}, kCertificateFormat);
  ChunkWriter writer(chunks, chunk_states);
  for (const auto& [state, count] : members) writer.add(state, count);
  writer.finish();
  chunks.finish();
  CertificateClaim claim;
  claim.states = members.size();
  claim.steps = steps_of(system, members);
  SetFile certificate;
  write_closed_set(*certificate.file, claim, writer.entries(), chunks);
  return certificate;
}

// What a right certificate has, found by a search of its own.
SetMembers right_members(const GraphSystem& system) {
  std::map<std::string, std::uint64_t> counts;
  std::vector<std::uint32_t> todo = {system.graph().initial()};
  counts[text_of(todo.front())] = 1;
  while (!todo.empty()) {
    const std::uint32_t state = todo.back();
    todo.pop_back();
    for (const Edge& edge : system.graph().edges_of(state)) {
      if (counts[text_of(edge.target)]++ == 0) todo.push_back(edge.target);
    }
  }
  return {counts.begin(), counts.end()};
}

// Do the members prove what they claim? By the definition.
bool is_proof(const GraphSystem& system, const SetMembers& members) {
  std::map<std::string, std::uint64_t> counts(members.begin(), members.end()), found;
  ++found[text_of(system.graph().initial())];
  for (const auto& [state, count] : members) {
    const StateBytes bytes = std::as_bytes(std::span(state));
    if (!system.is_well_formed(bytes)) return false;
    const auto edges = system.graph().edges_of(graph_state(bytes));
    if (edges.empty()) return false;  // an error
    for (const Edge& edge : edges) ++found[text_of(edge.target)];
  }
  for (const auto& [state, count] : found) {
    if (!counts.contains(state)) return false;
  }
  return std::ranges::all_of(counts, [&](const auto& entry) { return entry.second == found[entry.first]; });
}

TEST(Merkle, EveryLeafAndItsPlaceCount) {
  for (std::size_t count = 1; count < 12; ++count) {
    std::vector<MerkleDigest> leaves;
    for (std::size_t i = 0; i < count; ++i) leaves.push_back(leaf_digest("leaf " + std::to_string(i)));
    std::set<MerkleDigest> roots = {merkle_root(leaves)};
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<MerkleDigest> changed = leaves;
      changed[i] = leaf_digest("other");
      EXPECT_TRUE(roots.insert(merkle_root(changed)).second);
      if (i == 0) continue;
      changed = leaves;
      std::swap(changed[i - 1], changed[i]);
      EXPECT_TRUE(roots.insert(merkle_root(changed)).second);
    }
    std::vector<MerkleDigest> longer = leaves;
    longer.push_back(leaves.back());
    EXPECT_TRUE(roots.insert(merkle_root(longer)).second);
  }
}

TEST(Merkle, ANodeIsNoLeaf) {
  const std::vector<MerkleDigest> leaves = {leaf_digest("a"), leaf_digest("b")};
  std::string both;
  for (const MerkleDigest& leaf : leaves) both.append(leaf.begin(), leaf.end());
  EXPECT_NE(merkle_root(leaves), leaf_digest(both));
  EXPECT_EQ(merkle_root(std::span(leaves).first(1)), leaves.front());
}

std::map<std::string, std::uint64_t, decltype(&comes_before)> random_states(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::map<std::string, std::uint64_t, decltype(&comes_before)> states(&comes_before);
  for (auto left = 1 + random() % 200; left > 0; --left) {
    std::string state(random() % 4 * 7, '\0');
    for (auto changes = random() % 5; changes > 0 && !state.empty(); --changes)
      state[random() % state.size()] = static_cast<char>(random() % 3 == 0 ? random() : random() % 3);
    states[state] = random() % 5 == 0 ? random() : random() % 4;
  }
  return states;
}

TEST(ClosedSetChunk, IsReadAsItWasWritten) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto states = random_states(seed);
    ChunkEncoder encoder;
    for (const auto& [state, count] : states) encoder.add(state, count);
    const std::string record = encoder.take();
    EXPECT_EQ(encoder.states(), 0U);
    ChunkDecoder decoder(record);
    EXPECT_EQ(decoder.states(), states.size());
    for (const auto& [state, count] : states) {
      ASSERT_TRUE(decoder.next());
      EXPECT_EQ(decoder.state(), state);
      EXPECT_EQ(decoder.references(), count);
    }
    EXPECT_FALSE(decoder.next());
  }
}

TEST(ClosedSetChunk, AnyBytesAreRefusedOrInAscendingOrder) {
  std::uint64_t refused = 0, read = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    ChunkEncoder encoder;
    for (const auto& [state, count] : random_states(seed)) encoder.add(state, count);
    const std::string good = encoder.take();
    std::mt19937_64 random(seed);
    for (int i = 0; i < 200; ++i) {
      std::string record = good;
      record[random() % record.size()] ^= static_cast<char>(1U << (random() % 8));
      if (random() % 8 == 0) record.resize(random() % record.size());
      try {
        ChunkDecoder decoder(record);
        std::optional<std::string> before;
        std::uint64_t count = 0;
        for (; decoder.next(); ++count) {
          ASSERT_TRUE(!before || comes_before(*before, decoder.state()));
          before = decoder.state();
        }
        EXPECT_EQ(count, decoder.states());
        ++read;
      } catch (const FramedFileError&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 1000U);
  EXPECT_GT(read, 100U);
}

std::string bytes_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ClosedSetRecorder, TheBytesAreThoseOfTheStatesAndOfNoSearch) {
  const TemporaryFolder folder;
  int complete = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const GraphSystem system(random_graph(seed, 300));
    const SetMembers expected = right_members(system);
    std::optional<std::string> bytes;
    for (const Order order : {Order::kBreadthFirst, Order::kDepthFirst}) {
      for (const unsigned threads : {1U, 4U}) {
        for (const std::size_t run_bytes : {ClosedSetRecorder::kRunBytes, std::size_t{500}}) {
          const std::string path = folder.path() + "/set";
          ClosedSetRecorder recorder(path, system, run_bytes);
          SearchOptions options;
          options.order = order;
          options.threads = threads;
          options.observer = &recorder;
          options.counted = FindingKinds::none();
          search(system, options);
          ASSERT_EQ(recorder.why_not(), "");
          recorder.save({});
          if (!bytes) bytes = bytes_of_file(path);
          EXPECT_EQ(*bytes, bytes_of_file(path));
          FramedReader reader(path, kCertificateFormat);
          FileRecord record;
          reader.read(record);
          const ClosedSetClaim claim = decoded_closed_set_claim(record.content);
          EXPECT_EQ(claim.common.states, expected.size());
          EXPECT_EQ(claim.common.steps, steps_of(system, expected));
          CertifierOptions how;
          how.counted = FindingKinds::none();
          EXPECT_EQ(certify_closed_set(system, claim, reader, how).answer,
                    CertifierResult::Answer::kConfirmed);
        }
      }
    }
    ++complete;
  }
  EXPECT_EQ(complete, 12);
}

TEST(ClosedSetRecorder, HasNothingWhereTheSearchHasNotSeenAll) {
  const TemporaryFolder folder;
  const GraphSystem system(Graph(0, {{0, 1, 0, {}}}, {"a"}));  // 1 has no way on
  ClosedSetRecorder recorder(folder.path() + "/set", system);
  SearchOptions options;
  options.observer = &recorder;
  search(system, options);
  EXPECT_NE(recorder.why_not(), "");
}

// All right, or not by the definition: which of these certificates are confirmed?
TEST(ClosedSetCertifier, ConfirmsWhatIsAProofAndNothingElse) {
  std::uint64_t proofs = 0, others = 0;
  const char* const wanted = std::getenv("SPOOR_CLOSED_SET_GRAPHS");
  const std::uint64_t graphs = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 120;
  for (std::uint64_t seed = 0; seed < graphs; ++seed) {
    std::mt19937_64 random(seed);
    const auto nodes = static_cast<std::uint32_t>(2 + random() % 30);
    const GraphSystem system(random_graph(seed, nodes));
    const SetMembers right = right_members(system);
    for (int mutant = 0; mutant < 40; ++mutant) {
      std::map<std::string, std::uint64_t> members(right.begin(), right.end());
      const auto any = [&] {
        return std::next(members.begin(), static_cast<std::ptrdiff_t>(random() % members.size()));
      };
      for (auto changes = mutant == 0 ? 0 : 1 + random() % 2; changes > 0 && !members.empty(); --changes) {
        switch (random() % 7) {
          case 0: members.erase(any()); break;
          case 1: members[text_of(static_cast<std::uint32_t>(random() % (nodes + 3)))] += random() % 2; break;
          case 2: any()->second += random() % 3; break;
          case 3: --any()->second; break;
          case 4: {  // one reference is moved
            const auto from = any(), to = any();
            --from->second;
            ++to->second;
            break;
          }
          case 5: members["short"] = 0; break;
          default: {  // a state that is not reached, with all that it leads to and right numbers
            const auto added = static_cast<std::uint32_t>(random() % system.graph().state_count());
            if (!members.try_emplace(text_of(added), 0).second) break;
            for (const Edge& edge : system.graph().edges_of(added)) ++members[text_of(edge.target)];
          }
        }
      }
      if (members.empty()) continue;
      SetMembers sorted(members.begin(), members.end());
      std::ranges::sort(sorted, [](const auto& a, const auto& b) { return comes_before(a.first, b.first); });
      const SetFile certificate = set_file_of(system, sorted, 1 + random() % 9);
      const bool expected = is_proof(system, sorted);
      ++(expected ? proofs : others);
      ASSERT_EQ(certificate.is_confirmed(system), expected) << "seed " << seed << ", mutant " << mutant;
    }
  }
  EXPECT_GT(proofs, graphs);
  EXPECT_GT(others, 25 * graphs);
  RecordProperty("mutants", std::to_string(proofs + others));
}

TEST(ClosedSetCertifier, ASampleOfAllMembersFindsEveryDefectButWrongNumbers) {
  std::uint64_t refuted = 0, good = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const auto nodes = static_cast<std::uint32_t>(3 + random() % 20);
    const GraphSystem system(random_graph(seed, nodes));
    SetMembers members = right_members(system);
    const bool is_good = is_proof(system, members);
    ASSERT_EQ(set_file_of(system, members, 4).certify(system, 1, 1500).answer,
              is_good ? CertifierResult::Answer::kNotRefuted : CertifierResult::Answer::kNotConfirmed);
    good += is_good ? 1 : 0;
    if (!is_good || members.size() < 2) continue;
    // A member that is missing is the initial state or a successor.
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(random() % members.size()));
    EXPECT_EQ(set_file_of(system, members, 3).certify(system, 1, 1500).answer,
              CertifierResult::Answer::kRefuted);
    ++refuted;
    members.emplace_back("short", 0);
    EXPECT_EQ(set_file_of(system, members, 3).certify(system, 1, 1500).answer,
              CertifierResult::Answer::kRefuted);
  }
  EXPECT_GT(good, 10U);
  EXPECT_GT(refuted, 10U);
}

// Of 1,000 members in a ring one is missing, so one of 999 leads outside: 500 draws find it with the
// probability 1 - (998/999)^500 = 0.39, and of 60 samples 24 do, 10 to 38 with a probability of 0.9998.
TEST(ClosedSetCertifier, ASampleFindsADefectAsOftenAsItSays) {
  std::vector<Edge> edges;
  for (std::uint32_t node = 0; node < 1000; ++node) edges.push_back({node, (node + 1) % 1000, 0, {}});
  const GraphSystem system(Graph(0, std::move(edges), {"a"}));
  SetMembers members = right_members(system);
  std::ranges::sort(members, [](const auto& a, const auto& b) { return comes_before(a.first, b.first); });
  std::erase_if(members, [](const auto& member) { return member.first == text_of(500); });
  const SetFile certificate = set_file_of(system, members, 64);
  int found = 0;
  for (int i = 0; i < 60; ++i)
    found += certificate.certify(system, 1, 500).answer == CertifierResult::Answer::kRefuted ? 1 : 0;
  EXPECT_GE(found, 8);
  EXPECT_LE(found, 42);
}

TEST(ClosedSetCertifier, WorkersDoNotMatter) {
  const GraphSystem system(random_graph(3, 400));
  SetMembers members = right_members(system);
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(members.size() / 2));
  const SetFile certificate = set_file_of(system, members, 7);
  const CertifierResult one = certificate.certify(system, 1), four = certificate.certify(system, 4);
  EXPECT_NE(one.answer, CertifierResult::Answer::kConfirmed);
  EXPECT_EQ(one.answer, four.answer);
}

// Without errors, and with more than 20 states.
Graph good_graph(std::uint64_t seed) {
  for (;; ++seed) {
    const GraphSystem system(random_graph(seed, 40));
    const SetMembers members = right_members(system);
    if (members.size() > 20 && is_proof(system, members)) return random_graph(seed, 40);
  }
}

// Chunks that are moved, repeated, left out or taken from elsewhere, with an index that says so or does not.
TEST(ClosedSetCertifier, ChunksHaveTheirPlaces) {
  const GraphSystem system(good_graph(1)), other(good_graph(100));
  const auto split = [](const GraphSystem& of, std::vector<ChunkEntry>& entries) {
    FramedWriter chunks(FramedWriter::Unnamed{"/tmp"}, kCertificateFormat);
    ChunkWriter writer(chunks, 5);
    for (const auto& [state, count] : right_members(of)) writer.add(state, count);
    writer.finish();
    chunks.finish();
    entries = writer.entries();
    std::vector<std::string> records;
    FileRecord record;
    for (FramedReader reader(chunks, kCertificateFormat); reader.read(record);)
      records.push_back(record.content);
    return records;
  };
  std::vector<ChunkEntry> entries, foreign_entries;
  const std::vector<std::string> records = split(system, entries), foreign = split(other, foreign_entries);
  CertificateClaim claim;
  claim.states = right_members(system).size();
  claim.steps = steps_of(system, right_members(system));
  ASSERT_GE(records.size(), 3U);
  const auto is_confirmed = [&](const std::vector<std::string>& some, std::vector<ChunkEntry> said,
                                const CertificateClaim& claimed) {
    FramedWriter chunks(FramedWriter::Unnamed{"/tmp"}, kCertificateFormat);
    for (const std::string& record : some) chunks.add(kChunkRecord, record);
    chunks.finish();
    SetFile certificate;
    try {
      write_closed_set(*certificate.file, claimed, std::move(said), chunks);
    } catch (const FramedFileError&) {
      return false;  // fewer chunks than entries
    }
    return certificate.is_confirmed(system);
  };
  ASSERT_TRUE(is_confirmed(records, entries, claim));
  std::uint64_t tried = 0;
  const auto refuses = [&](const std::vector<std::string>& some, const std::vector<ChunkEntry>& said,
                           const CertificateClaim& claimed) {
    ++tried;
    EXPECT_FALSE(is_confirmed(some, said, claimed)) << tried;
  };
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const bool is_said : {false, true}) {
      std::vector<std::string> some = records;
      std::vector<ChunkEntry> said = entries;
      CertificateClaim claimed = claim;
      some.erase(some.begin() + static_cast<std::ptrdiff_t>(i));
      if (is_said) said.erase(said.begin() + static_cast<std::ptrdiff_t>(i));
      claimed.states -= is_said ? entries[i].states : 0;
      refuses(some, said, claimed);
      some = records;
      said = entries;
      claimed = claim;
      some.push_back(records[i]);
      if (is_said) said.push_back(entries[i]);
      claimed.states += is_said ? entries[i].states : 0;
      refuses(some, said, claimed);
      for (std::size_t j = 0; j < i; ++j) {
        some = records;
        said = entries;
        std::swap(some[i], some[j]);
        if (is_said) std::swap(said[i], said[j]);
        refuses(some, said, claim);
      }
      for (std::size_t j = 0; j < foreign.size(); ++j) {
        some = records;
        said = entries;
        some[i] = foreign[j];
        if (is_said) said[i] = foreign_entries[j];
        if (some[i] != records[i]) refuses(some, said, claim);
      }
    }
    for (const int what : {0, 1, 2, 3}) {
      std::vector<ChunkEntry> said = entries;
      CertificateClaim claimed = claim;
      if (what == 0) ++said[i].states, ++claimed.states;
      if (what == 1) said[i].first.back() ^= 1;
      if (what == 2) said[i].digest[i % 32] ^= 1;
      if (what == 3) --said[i].states, --claimed.states;
      refuses(records, said, claimed);
    }
  }
  for (const int what : {0, 1, 2}) {
    CertificateClaim claimed = claim;
    if (what == 0) ++claimed.states;
    if (what == 1) ++claimed.steps;
    if (what == 2) claimed.states = UINT64_MAX;
    refuses(records, entries, claimed);
  }
  EXPECT_GT(tried, 100U);
}

TEST(ClosedSetCertifier, SizesOfChunksAreThoseOfTheFile) {
  const GraphSystem system(good_graph(1));
  const SetFile right = set_file_of(system, right_members(system), 5);
  for (const std::uint64_t more : {0, 1}) {
    FramedReader reader(*right.file, kCertificateFormat);
    SetFile changed;
    std::size_t number = 0;
    for (FileRecord record; reader.read(record); ++number) {
      if (record.kind == kIndexRecord) {
        std::vector<ChunkEntry> entries;
        decode_entries(record.content, entries);
        entries.back().stored_bytes += more;
        record.content = encoded_entries(entries);
      }
      changed.file->add(record.kind, record.content);
    }
    changed.file->finish();
    EXPECT_EQ(changed.is_confirmed(system), more == 0);
    EXPECT_GE(number, 4U);
  }
}

TEST(ClosedSetCertifier, NamesWhatIsMissing) {
  const GraphSystem system(Graph(0, {{0, 1, 0, {}}, {1, 2, 0, {}}, {2, 1, 0, {}}}, {"a"}));
  const auto reason = [&](const SetMembers& members) {
    return set_file_of(system, members, 2).certify(system).reason;
  };
  const std::string a = text_of(0), b = text_of(1), c = text_of(2);
  EXPECT_EQ(reason({{a, 1}, {b, 2}, {c, 1}}), "");
  EXPECT_EQ(
      reason({{a, 1}, {b, 1}}),
      "transition 1 of state 2 of chunk 1: leads to a state that is none of the states of the certificate");
  EXPECT_EQ(reason({{b, 1}, {c, 1}}), "the initial state is none of its states");
  EXPECT_EQ(reason({{a, 1}, {b, 2}, {c, 3}}),
            "state 1 of chunk 2: is referred to 1 times, and the certificate says 3");
  EXPECT_EQ(reason({{a, 1}, {b, 2}, {c, 1}, {text_of(7), 0}}),
            "state 2 of chunk 2: is no state of the model");
}

}  // namespace
}  // namespace spoor
