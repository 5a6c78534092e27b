#include "graph/random.h"

#include <string>
#include <utility>
#include <vector>

namespace spoor {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014). The distributions of the standard library may differ between
// implementations; these graphs may not.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint32_t below(std::uint64_t bound) {
    // The upper half of a product of 32 by 32 bits; its bias is negligible here.
    return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32);
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace

Graph random_graph(const RandomGraphOptions& options) {
  Random random(options.seed);
  std::vector<std::string> labels;
  for (std::uint32_t i = 0; i < options.labels; ++i) labels.push_back("l" + std::to_string(i));
  std::vector<Edge> edges;
  for (std::uint32_t source = 0; source < options.states; ++source) {
    const std::uint32_t degree = random.below(std::uint64_t{options.degree} * 2 + 1);
    for (std::uint32_t i = 0; i < degree; ++i) {
      const std::uint32_t target = random.below(options.states);
      edges.push_back({source, target, random.below(options.labels), {}});
    }
  }
  return {0, std::move(edges), std::move(labels)};
}

}  // namespace spoor
