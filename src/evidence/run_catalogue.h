// The catalogue of a ledger: what was checked when, and with which answer.
//
// One row per property that a check has decided, in an SQLite database (`catalogue.sqlite`; docs/formats.md
// has its table). `spoor history` lists it; no check depends on it.
//
// Why SQLite and not a text file that checks append to: several processes write at once, old rows are
// deleted, a process can be killed in the middle of it, and users can ask questions in SQL. A rollback
// journal and not a write-ahead log, because a catalogue with such a log cannot be read in a folder that is
// read-only; writers wait for each other (kBusyMs), which takes a millisecond per check.
//
// Nothing is synced to the disk (`synchronous = OFF`): after a power failure the file may be damaged, and is
// then replaced; a killed process does no harm, because the next one finds its journal and undoes what it
// had begun.
//
// A catalogue is a cache, and never an error of a check. One that is damaged, that another program or another
// version of spoor has made, or that is read-only in a folder that is not, is set aside: renamed to
// `.damaged`, and a new one is begun. One that another process has locked for too long stays, and the rows
// are lost. In both cases there is one line for the user. Where the folder is read-only, nothing happens.
//
// Invariants:
//   1. Rows are added in one transaction per check: all of them or none.
//   2. There are at most kMostRuns rows; the oldest go first.
//   3. A database is used only if its schema is exactly ours. So no trigger and no view of a foreign file is
//      ever executed, and a change of the table in the code is a new version of the format.
//   4. No symbolic link is followed to the database, nor by SQLite to its journal.
//   5. The database that is renamed is the one that was found to be damaged, and not the one that another
//      process has begun in its place: both processes lock the folder, and compare the file's identity.
//
// Cost: 1 to 3 ms per check.
// Thread safety: any number of threads and processes; each call opens the database for itself.
// Tested by: tests/suites/test_ledger.py
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spoor {

inline constexpr std::string_view kCatalogueName = "catalogue.sqlite";
// The database, and what SQLite may keep beside it.
inline constexpr std::array<std::string_view, 4> kCatalogueSuffixes = {"", "-journal", "-wal", "-shm"};

// What a run has reused of a recording.
struct ReusedByRun {
  std::uint64_t locations = 0;  // of the version that was recorded
  std::uint64_t changed = 0;    // of these
  std::uint64_t recorded = 0;   // states
  std::uint64_t expanded = 0;   // states that the run has expanded itself
};

struct CataloguedRun {
  std::string time;          // UTC, "2026-03-01T12:00:00Z"
  std::string version;       // of spoor
  std::string model;         // its name in the ledger (ledger_name)
  std::string model_sha256;  // or empty
  std::string property;      // "safety", "ltl:p"
  std::string options;       // those that are not the defaults, as on a command line
  std::string verdict;       // as in JSON
  std::uint64_t states = 0, transitions = 0;
  double seconds = 0;
  std::uint64_t threads = 1;
  std::optional<ReusedByRun> reuse;  // nothing: no recording was used
  std::string recording;             // the file that was used or written, without its folder; or empty
};

// Adds the runs of one check. Returns a line for the user, or nothing.
std::string add_to_catalogue(const std::string& folder, std::span<const CataloguedRun> runs);

struct CatalogueListing {
  std::uint64_t total = 0;  // how many there are
  std::vector<CataloguedRun> runs;
  std::string error;  // the catalogue cannot be read: a sentence
};
// The latest runs of this model (empty: of all), at most so many, the newest first. A folder without a
// catalogue has no runs.
CatalogueListing list_catalogue(const std::string& folder, const std::string& model, std::uint64_t most);

}  // namespace spoor
