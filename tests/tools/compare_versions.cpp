// Compares versions of models for tests/suites/test_elements.py; see tests/unit/version_pair.h.
//
//   spoor_compare_versions MOST_STATES < pairs
//
// Each line of the input: the file of the old version, a tab, the file of the new one, and after more tabs
// what is defined for the old and for the new one (NAME=VALUE, comma-separated, may be empty). Each pair is
// compared without reductions (none), with all but stubborn sets (all), and with these (stubborn). One line
// per pair and reductions:
//
//   OLD NEW REDUCTIONS VERDICT states untouched compared differing changed-elements elements
//
// The verdict is ok, invalid (one of them is no model) or VIOLATION, which is followed by lines that say
// where.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <utility>

#include "version_pair.h"

namespace {

using spoor::exec::VersionPair;
using spoor::exec::VersionReductions;

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::stringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t most_states = argc > 1 ? static_cast<std::size_t>(std::atoll(argv[1])) : 300;
  bool is_right = true;
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::string> parts = split(line, '\t');
    if (parts.size() < 2) continue;
    parts.resize(4);
    const std::string texts[2] = {read(parts[0]), read(parts[1])};
    const std::pair<const char*, VersionReductions> kinds[] = {
        {"none", {}}, {"all", {true, true, true}}, {"stubborn", {true, true, true, true}}};
    for (const auto& [name, reductions] : kinds) {
      const auto before = spoor::exec::version_of(texts[0], reductions, split(parts[2], ','));
      const auto after = spoor::exec::version_of(texts[1], reductions, split(parts[3], ','));
      std::cout << parts[0] << ' ' << parts[1] << ' ' << name;
      if (before == nullptr || after == nullptr) {
        std::cout << " invalid\n";
        continue;
      }
      const VersionPair pair(*before, *after);
      const VersionPair::Figures figures = pair.compare(most_states);
      std::size_t changed = 0;
      for (const bool is_changed : pair.comparison().is_changed) changed += is_changed ? 1 : 0;
      std::cout << (figures.violation.empty() ? " ok " : " VIOLATION ") << figures.states << ' '
                << figures.untouched << ' ' << figures.compared << ' ' << figures.differing << ' ' << changed
                << ' ' << before->elements().size() << '\n'
                << figures.violation;
      is_right &= figures.violation.empty();
    }
  }
  return is_right ? 0 : 1;
}
