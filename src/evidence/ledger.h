// The ledger: a folder in which checks leave their recordings for later checks, and a list of their runs.
//
// It is a cache: it may be deleted at any time, and nothing in it is ever taken for the truth. A recording is
// found by the model's path and by what kind of check it was made by, so that each kind of check of each
// model has one, that of its last run. Beside the recordings there is the catalogue of runs
// (run_catalogue.h).
//
//     1f0c...9a.recording                  a recording: 32 hexadecimal digits
//     1f0c...9a.recording.71-0f3c.part     a recording that process 71 writes, or wrote until it was killed
//     1f0c...9a.recording.damaged          a recording that could not be read
//     catalogue.sqlite                     the runs; with -journal while a process writes to it
//     catalogue.sqlite.damaged             a catalogue that could not be used
//     .gitignore                           written when the folder is made: a cache is not to be committed
//
// Several processes may use one ledger at once, because no file of it changes under its name: a recording is
// replaced as a whole (base/framed_file.h), and SQLite locks the catalogue.
//
// The size of the folder is bounded. After a check files are deleted until it fits: first those of killed
// processes and damaged ones, then the recordings that were not used for the longest time. The time of the
// last use is the time of the last change, which a check that uses a recording sets to now. The rival, a
// column of the catalogue, would have to be correct although the catalogue can be damaged or deleted.
//
// Invariants:
//   1. No file is deleted whose name is not one of the names above, and no folder, device or link is.
//   2. Nothing is read or written through a symbolic link inside the folder.
//
// Tested by: tests/suites/test_ledger.py, tests/suites/test_regression.py
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace spoor {

// The value of --ledger and SPOOR_LEDGER for checks without a ledger.
inline constexpr std::string_view kNoLedger = "none";
inline constexpr std::uint64_t kDefaultLedgerBytes = std::uint64_t{2} << 30;

// Which folder to use.
struct LedgerChoice {
  std::string folder;     // empty: none
  bool is_named = false;  // by the user; else it is the default
};
// The folder is the one `given` on the command line, else that of the environment (SPOOR_LEDGER; empty counts
// as not set), else .spoor beside the model.
LedgerChoice choose_ledger(const std::string& given, const std::string& model);

// Makes the folder, if need be. The reason why there is none; empty: there is.
std::string make_ledger(const std::string& folder);

// The name of a model in a ledger: its path, the same from wherever it is checked.
std::string ledger_name(const std::string& model);

// The file for the recording of this kind of check of this model. Empty, with the reason in `error`: its
// place is taken.
std::string ledger_file(const std::string& folder, const std::string& model, const std::string& kind,
                        std::string& error);

// The file for what is kept of the check of one claim, beside that of the recording of the same kind of
// check. Empty: its place is taken.
std::string claim_file(const std::string& recording, const std::string& claim);

bool is_writable_folder(const std::string& folder);

// To be called when a recording was used: it is deleted later than those that were not.
void mark_as_used(const std::string& recording);

// Deletes files, see above, until all of the ledger's own have at most so many bytes together, or there are
// none left to delete. Errors are ignored: what cannot be deleted stays.
void bound_ledger(const std::string& folder, std::uint64_t most_bytes);

}  // namespace spoor
