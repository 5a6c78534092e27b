// The entries are in tables of lines SPOOR_CODE(code, title, text), one table in each folder that
// reports codes. Including the tables of higher folders is the one exception to the layering of src/:
// they are text, not code, and the alternative (each stage registers its codes at start-up) would
// need a mutable global.
//
// Tested by: tests/unit/test_diagnostic.cpp
#include "base/catalogue.h"

#include <algorithm>
#include <cctype>
#include <string>

#define SPOOR_CODES_OF_PARSER "promela/codes.inc"
#define SPOOR_CODES_OF_COMPILER "promela/compile_codes.inc"
#define SPOOR_CODES_OF_GRAPHS "graph/codes.inc"
#define SPOOR_CODES_OF_LAYERS "layer/codes.inc"
#define SPOOR_CODES_OF_FORMULAS "ltl/codes.inc"

namespace spoor {
namespace {

std::vector<CodeEntry> sorted_entries() {
  std::vector<CodeEntry> entries{
#define SPOOR_CODE(code, title, text) CodeEntry{code, title, text},
#include "base/codes.inc"
#include SPOOR_CODES_OF_PARSER
#include SPOOR_CODES_OF_COMPILER
#include SPOOR_CODES_OF_GRAPHS
#include SPOOR_CODES_OF_LAYERS
#include SPOOR_CODES_OF_FORMULAS
#undef SPOOR_CODE
  };
  std::sort(entries.begin(), entries.end(),
            [](const CodeEntry& a, const CodeEntry& b) { return a.code < b.code; });
  return entries;
}

}  // namespace

const std::vector<CodeEntry>& catalogue() {
  static const std::vector<CodeEntry> entries = sorted_entries();
  return entries;
}

const CodeEntry* find_code(std::string_view code) {
  std::string wanted(code);
  for (char& c : wanted) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto& entries = catalogue();
  const auto found =
      std::lower_bound(entries.begin(), entries.end(), wanted,
                       [](const CodeEntry& entry, const std::string& c) { return entry.code < c; });
  return found != entries.end() && found->code == wanted ? &*found : nullptr;
}

}  // namespace spoor
