// Reading a model's text and running the C preprocessor over it.
//
// Promela has no macros of its own: SPIN runs the C preprocessor on every model, and models use
// `#define`, `#include` and `#if` freely. Spoor does the same, with the system's `cpp` in SPIN's
// dialect (gnu99), but the user never sees its output: every byte of the result is mapped to a byte of
// the user's own text (preprocess.cpp describes how).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace spoor::promela {

struct Preprocessed {
  // From `offset` on, the text is a copy of the user's text from `position` on; or, where it is not a
  // copy, all of it has that one position (the name of the macro that it is expanded from).
  struct Anchor {
    std::size_t offset = 0;
    Position position;
    bool is_copy = true;
  };

  std::string text;             // no directives, no linemarkers, no comments
  SourceSet sources;            // the model is file 0, files that it includes follow
  std::vector<Anchor> anchors;  // ascending offsets

  static constexpr std::uint32_t kFormulaFile = 1;  // in `sources`, where there is a formula

  // The user's position of `offset` in `text`. Columns count bytes; a column of 0 means that only the
  // line is known. An offset at or past the end gives the end of the text.
  Position position(std::size_t offset) const;
};

// `name` is the user's name of the file: it appears in diagnostics, and quoted includes are searched in
// its folder first. Each of `defines` is "NAME" or "NAME=VALUE". When `diagnostics` has errors afterwards,
// the text may be incomplete. `formula`: one more unit, on one line, from the command line; it comes last,
// as a file of its own called kFormulaName.
inline constexpr char kFormulaName[] = "command line";
Preprocessed preprocess(const std::string& name, const std::string& text,
                        const std::vector<std::string>& defines, Diagnostics& diagnostics,
                        const std::string& formula = "");

// The bytes of a model's file. A missing, unreadable, empty, binary or oversized file and a folder
// each give a diagnostic of their own and no text.
std::optional<std::string> read_source(const std::string& path, Diagnostics& diagnostics);

// The path of the file whose name comes nearest to a missing file's, in the same folder; or "".
std::string nearest_file(const std::string& path);

}  // namespace spoor::promela
