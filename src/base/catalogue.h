// The catalogue of diagnostic codes: what `spoor explain CODE` prints.
//
// A code never changes its meaning and is never reused. Letters: P reading a Promela model,
// W warnings about a model, G reading a graph, L formulas and their automata, U using the program.
#pragma once

#include <string_view>
#include <vector>

namespace spoor {

struct CodeEntry {
  std::string_view code;   // "P012"
  std::string_view title;  // one line
  std::string_view text;   // what it means, why it matters, what to do; may have several paragraphs
};

// All codes, in ascending order.
const std::vector<CodeEntry>& catalogue();

// The entry of a code, in upper or lower case; null when there is none.
const CodeEntry* find_code(std::string_view code);

}  // namespace spoor
