// Reading a model's text and running the C preprocessor over it.
//
// Promela has no macros of its own: SPIN pipes every model through the C preprocessor, and models
// use `#define`, `#include` and `#if` freely. So do we, with the system's `cpp` in the dialect that
// SPIN asks for (gnu99), but the user never sees its output: every byte of the result knows which
// byte of the user's own text it stands for (preprocess.cpp tells how).
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
  // From `offset` on, the text was copied from `position` on; or, where it is not a copy, all of it
  // stands for that one position (the name of the macro that it came out of).
  struct Anchor {
    std::size_t offset = 0;
    Position position;
    bool is_copy = true;
  };

  std::string text;             // no directives, no linemarkers, no comments
  SourceSet sources;            // the model is file 0, files that it includes follow
  std::vector<Anchor> anchors;  // ascending offsets

  static constexpr std::uint32_t kFormulaFile = 1;  // in `sources`, where there is a formula

  // Where the user wrote what stands at `offset` of `text`. Columns count bytes; a column of 0
  // means that only the line is known. An offset at or past the end gives the end of the text.
  Position position(std::size_t offset) const;
};

// `name` is what the user calls the file: it appears in diagnostics, and quoted includes are looked for in
// its folder first. Each of `defines` is "NAME" or "NAME=VALUE". When `diagnostics` has errors afterwards,
// the text may be incomplete. `formula`: one more unit, on one line, which the user gave elsewhere; it
// comes last, as a file of its own called kFormulaName.
inline constexpr char kFormulaName[] = "--ltl";
Preprocessed preprocess(const std::string& name, const std::string& text,
                        const std::vector<std::string>& defines, Diagnostics& diagnostics,
                        const std::string& formula = "");

// The bytes of a model's file. A missing, unreadable, empty, binary or oversized file and a folder
// each give a diagnostic of their own and no text.
std::optional<std::string> read_source(const std::string& path, Diagnostics& diagnostics);

// The path of the file whose name comes nearest to a missing file's, in the same folder; or "".
std::string nearest_file(const std::string& path);

}  // namespace spoor::promela
