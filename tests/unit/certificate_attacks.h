// What the campaigns of wrong certificates have in common, whatever the form of the certificate is.
//
// SPOOR_CERTIFICATE_ROUNDS in the environment multiplies how many there are, for campaigns; with
// SPOOR_CERTIFICATE_SEED they are others.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "unit/certificates.h"
#include "unit/instrumented.h"

namespace spoor::certified {

using Random = std::mt19937_64;

inline std::uint64_t number_in(const char* variable, std::uint64_t usual) {
  const char* wanted = std::getenv(variable);
  return wanted != nullptr ? static_cast<std::uint64_t>(std::atoll(wanted)) : usual;
}
inline std::uint64_t rounds(std::uint64_t usual) {
  return number_in("SPOOR_CERTIFICATE_ROUNDS", 1) * (kIsInstrumented ? (usual + 7) / 8 : usual);
}
inline std::uint64_t first_seed() { return number_in("SPOOR_CERTIFICATE_SEED", 1) * 1'000'000; }

// States from which something wrong is seen.
inline std::set<Bytes> states_with_errors(const TransitionSystem& system) {
  std::set<Bytes> known = {system.initial_state()}, wrong;
  std::vector<Bytes> todo(known.begin(), known.end());
  while (!todo.empty()) {
    const Bytes state = std::move(todo.back());
    todo.pop_back();
    const Expanded expanded = expand(system, state, false);
    if (expanded.has_error) wrong.insert(state);
    for (const Bytes& target : expanded.targets) {
      if (known.insert(target).second) todo.push_back(target);
    }
  }
  return wrong;
}

// One change of some bytes. REQUIRES: there are any.
inline std::string mutated(std::string bytes, Random& random) {
  const std::size_t at = random() % bytes.size();
  switch (random() % 4) {
    case 0: bytes[at] = static_cast<char>(bytes[at] ^ 1 << random() % 8); break;
    case 1: bytes.resize(at); break;
    case 2: bytes.insert(at, 1 + random() % 3, static_cast<char>(random())); break;
    case 3: bytes.erase(at, 1 + random() % 5); break;
  }
  return bytes;
}

}  // namespace spoor::certified
