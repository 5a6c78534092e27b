// N-grams on disk: what was learned on one model guides the hunt on another.
//
// What 8 philosophers have taught is of use for 128 of them, and what yesterday's version has taught for
// today's. So actions have names in the file that both have in common: the name of the process type, the
// text of the statement with every number in it replaced by #, and which of the equal ones it is, in the
// order of the source. The names are those of statements, not of places, so an edit elsewhere does not
// change them; and a macro for the number of processes, which is in the text of many statements, does not
// either.
//
// An action that the other model does not have is forgotten: as a follower it is left out, and a context
// that has it matches by its shorter ends only.
//
// The file is a hint. What it says can make a hunt slow, never wrong: each trace is replayed.
//
// Tested by: tests/unit/test_ngrams.cpp, tests/fuzz/ngrams.cpp
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/framed_file.h"
#include "hunt/ngrams.h"
#include "model/system.h"

namespace spoor {

inline constexpr FileFormat kNgramFormat{"spoor-ng", 1, "file of n-grams"};

// Of all labels of the system's steps. No name is there twice.
std::vector<std::string> action_names(const TransitionSystem& system);

std::string encoded_ngrams(const Ngrams& ngrams, const std::vector<std::string>& names);
// Throws FramedFileError (kDamaged).
Ngrams decoded_ngrams(std::string_view record, const std::vector<std::string>& names);

// Both throw FramedFileError.
void save_ngrams(const std::string& path, const Ngrams& ngrams, const std::vector<std::string>& names);
Ngrams load_ngrams(const std::string& path, const std::vector<std::string>& names);

}  // namespace spoor
