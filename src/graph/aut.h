// Graphs in the Aldebaran format (.aut), as CADP and mCRL2 read and write it.
//
//   des (0, 3, 2)            initial state, number of transitions, number of states
//   (0, "put !1", 1)         source, label, target; one transition per line
//   (0, i, 0)                a label without quotes; i (CADP) and tau (mCRL2) are internal steps
//   (1, GET !"x, y", 0)
//
// Blanks may stand between any two parts, blank lines and carriage returns are ignored. There are
// no comments. A line is read from both ends: source up to the first comma, target after the last
// one, and the text between is the label, which may contain commas, parentheses and quotes. Labels
// have no meaning for a search; an internal step is a step.
//
// The numbers in the header are not trusted. Memory is allocated for the contents of the file, not
// for the declared numbers; a file with fewer or more transitions than declared is incomplete or
// joined from several files and is refused.
//
// Tested by: tests/unit/test_graph.cpp
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/source.h"
#include "graph/graph.h"

namespace spoor {

// The graph in this file of `sources`, or nothing and the reasons in `diagnostics` (codes G1xx).
std::optional<Graph> read_aut(const SourceSet& sources, std::uint32_t file, Diagnostics& diagnostics);

// States keep their numbers; transitions are grouped by their source.
void write_aut(const Graph& graph, std::ostream& out);

// One line each. Neither CADP nor mCRL2 can write a double quote or a line break inside a label: they
// become an apostrophe and a space.
void write_aut_header(std::ostream& out, std::uint64_t initial, std::uint64_t transitions,
                      std::uint64_t states);
void write_aut_transition(std::ostream& out, std::uint64_t source, std::string_view label,
                          std::uint64_t target);

}  // namespace spoor
