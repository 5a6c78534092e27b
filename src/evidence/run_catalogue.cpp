#include "evidence/run_catalogue.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/framed_file.h"
#include "evidence/ledger.h"

namespace spoor {
namespace {

constexpr int kBusyMs = 5000;
constexpr std::int64_t kMostRuns = 10'000;
constexpr int kAttempts = 3;  // the second and third after a damaged database was set aside

// The whole schema.
constexpr const char* kTable =
    "CREATE TABLE runs (id INTEGER PRIMARY KEY, time TEXT, version TEXT, model TEXT, model_sha256 TEXT, "
    "property TEXT, options TEXT, verdict TEXT, states INTEGER, transitions INTEGER, seconds REAL, "
    "threads INTEGER, locations INTEGER, changed INTEGER, recorded INTEGER, expanded INTEGER, recording TEXT)";
constexpr const char* kInsert =
    "INSERT INTO runs (time, version, model, model_sha256, property, options, verdict, states, transitions, "
    "seconds, threads, locations, changed, recorded, expanded, recording) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
constexpr const char* kSelect =
    "SELECT time, version, model, model_sha256, property, options, verdict, states, transitions, "
    "seconds, threads, locations, changed, recorded, expanded, recording "
    "FROM runs WHERE ?1 = '' OR model = ?1 ORDER BY id DESC LIMIT ?2";

// What went wrong, as the predicate of a sentence about the catalogue.
class CatalogueFailure : public std::runtime_error {
 public:
  CatalogueFailure(bool is_useless, const std::string& what)
      : std::runtime_error(what), is_useless_(is_useless) {}
  // Also for a later check: the file is to be set aside.
  bool is_useless() const { return is_useless_; }

 private:
  bool is_useless_;
};

[[noreturn]] void fail(sqlite3* database) {
  const int code = database != nullptr ? sqlite3_errcode(database) & 0xff : SQLITE_NOMEM;
  const std::string message = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  switch (code) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: throw CatalogueFailure(false, "is locked by another process");
    case SQLITE_FULL:
    case SQLITE_IOERR:
    case SQLITE_NOMEM:
    case SQLITE_PROTOCOL:
    case SQLITE_INTERRUPT: throw CatalogueFailure(false, "cannot be used: " + message);
    default: throw CatalogueFailure(true, "cannot be used: " + message);
  }
}

class Statement {
 public:
  Statement(sqlite3* database, const char* text) : database_(database) {
    if (sqlite3_prepare_v2(database, text, -1, &statement_, nullptr) != SQLITE_OK) fail(database);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // The next parameter. Texts must live until `step`.
  void bind(const std::string& text) {
    sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()), nullptr);
  }
  void bind(std::uint64_t number) {
    sqlite3_bind_int64(statement_, ++bound_,
                       static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX)));
  }
  void bind(double number) { sqlite3_bind_double(statement_, ++bound_, number); }
  void bind_nothing() { sqlite3_bind_null(statement_, ++bound_); }

  // True: there is a row. False: there is no further one.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) fail(database_);
    read_ = 0;
    return code == SQLITE_ROW;
  }

  // The next column. Values of another type than the expected one are converted by SQLite.
  bool is_nothing() const { return sqlite3_column_type(statement_, read_) == SQLITE_NULL; }
  std::string text() {
    const int column = read_++;
    const void* const bytes = sqlite3_column_blob(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return bytes == nullptr ? ""
                            : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
  }
  std::uint64_t number() {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(sqlite3_column_int64(statement_, read_++), 0));
  }
  double real() { return sqlite3_column_double(statement_, read_++); }

 private:
  sqlite3* database_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0, read_ = 0;
};

class Database {
 public:
  Database(const std::string& path, int flags) {
    if (sqlite3_open_v2(path.c_str(), &database_, flags | SQLITE_OPEN_NOFOLLOW, nullptr) != SQLITE_OK) {
      const std::unique_ptr<sqlite3, int (*)(sqlite3*)> closed(database_, sqlite3_close);
      fail(database_);
    }
    sqlite3_busy_timeout(database_, kBusyMs);
    sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  }
  ~Database() { sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  operator sqlite3*() const { return database_; }

  void execute(const char* text) {
    if (sqlite3_exec(database_, text, nullptr, nullptr, nullptr) != SQLITE_OK) fail(database_);
  }

  // False: there is nothing in it. Throws where it has another schema than ours.
  bool has_table() {
    Statement schema(database_, "SELECT count(*), max(sql) FROM sqlite_master");
    schema.step();
    const std::uint64_t count = schema.number();
    if (count == 0) return false;
    if (count != 1 || schema.text() != kTable)
      throw CatalogueFailure(true, "is of another program, or of another version of spoor");
    return true;
  }

 private:
  sqlite3* database_ = nullptr;
};

// ---- the file -------------------------------------------------------------------------------------------

// Which file stands under a name; nothing: none.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

// SQLite would follow, or wait for, what is not a regular file.
void require_regular_files(const std::string& path) {
  for (const std::string_view suffix : kCatalogueSuffixes) {
    struct stat status {};
    if (::lstat((path + std::string(suffix)).c_str(), &status) == 0 && !S_ISREG(status.st_mode))
      throw CatalogueFailure(true, "is not a regular file");
  }
}

// Where the folder's name leads, because SQLite refuses any symbolic link on the way; or empty.
std::string catalogue_path(const std::string& folder) {
  std::error_code failure;
  const std::filesystem::path whole = std::filesystem::canonical(folder, failure);
  return failure ? "" : (whole / kCatalogueName).string();
}

// Renames the file that was found to be useless, unless another process has done so; returns the reason why
// it cannot be renamed, or nothing. A file that is found in its place afterwards is another one.
std::string set_aside(const std::string& folder, const std::string& path,
                      const std::optional<FileIdentity>& useless) {
  const OpenFile lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (lock < 0 || ::flock(lock, LOCK_EX) != 0) return std::strerror(errno);
  if (identity_of(path) != useless) return {};
  // The database comes last: as long as it has its name, this is repeated after a failure.
  for (auto suffix = kCatalogueSuffixes.rbegin(); suffix != kCatalogueSuffixes.rend(); ++suffix) {
    const std::string name = path + std::string(*suffix);
    if (::rename(name.c_str(), (name + ".damaged").c_str()) != 0 && errno != ENOENT)
      return std::strerror(errno);
  }
  return {};
}

// ---- rows -----------------------------------------------------------------------------------------------

void insert(Database& database, const CataloguedRun& run) {
  Statement row(database, kInsert);
  for (const std::string* text :
       {&run.time, &run.version, &run.model, &run.model_sha256, &run.property, &run.options, &run.verdict})
    row.bind(*text);
  row.bind(run.states);
  row.bind(run.transitions);
  row.bind(run.seconds);
  row.bind(run.threads);
  const ReusedByRun reuse = run.reuse.value_or(ReusedByRun());
  for (const std::uint64_t number : {reuse.locations, reuse.changed, reuse.recorded, reuse.expanded}) {
    if (run.reuse) {
      row.bind(number);
    } else {
      row.bind_nothing();
    }
  }
  row.bind(run.recording);
  row.step();
}

CataloguedRun read_run(Statement& row) {
  CataloguedRun run;
  for (std::string* text :
       {&run.time, &run.version, &run.model, &run.model_sha256, &run.property, &run.options, &run.verdict})
    *text = row.text();
  run.states = row.number();
  run.transitions = row.number();
  run.seconds = row.real();
  run.threads = row.number();
  const bool has_reused = !row.is_nothing();
  ReusedByRun reuse;
  for (std::uint64_t* number : {&reuse.locations, &reuse.changed, &reuse.recorded, &reuse.expanded})
    *number = row.number();
  if (has_reused) run.reuse = reuse;
  run.recording = row.text();
  return run;
}

void add(const std::string& path, std::span<const CataloguedRun> runs) {
  require_regular_files(path);
  Database database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  database.execute("PRAGMA synchronous = OFF");
  database.execute("BEGIN IMMEDIATE");
  if (!database.has_table()) database.execute(kTable);
  for (const CataloguedRun& run : runs) insert(database, run);
  database.execute(
      fmt::format("DELETE FROM runs WHERE id <= (SELECT max(id) FROM runs) - {}", kMostRuns).c_str());
  database.execute("COMMIT");
}

}  // namespace

std::string add_to_catalogue(const std::string& folder, std::span<const CataloguedRun> runs) {
  const std::string path = catalogue_path(folder);
  if (runs.empty() || path.empty() || !is_writable_folder(folder)) return {};
  std::string line;
  for (int attempt = 1;; ++attempt) {
    const std::optional<FileIdentity> found = identity_of(path);
    try {
      add(path, runs);
      return line;
    } catch (const CatalogueFailure& failure) {
      line = fmt::format("the catalogue '{}' {}", path, failure.what());
      if (!failure.is_useless() || attempt == kAttempts) return line + "; this run is not in it";
      if (const std::string reason = set_aside(folder, path, found); !reason.empty())
        return line + fmt::format("; this run is not in it, and it cannot be set aside: {}", reason);
      line += fmt::format("; it was set aside as '{}.damaged'", path);
    }
  }
}

CatalogueListing list_catalogue(const std::string& folder, const std::string& model, std::uint64_t most) {
  CatalogueListing listing;
  const std::string path = catalogue_path(folder);
  if (path.empty() || !identity_of(path)) return listing;
  try {
    require_regular_files(path);
    Database database(path, SQLITE_OPEN_READWRITE);  // a killed process may have left something to undo
    database.execute("BEGIN");
    if (!database.has_table()) return listing;
    Statement total(database, "SELECT count(*) FROM runs WHERE ?1 = '' OR model = ?1");
    total.bind(model);
    total.step();
    listing.total = total.number();
    Statement rows(database, kSelect);
    rows.bind(model);
    rows.bind(most);
    while (rows.step()) listing.runs.push_back(read_run(rows));
  } catch (const CatalogueFailure& failure) {
    listing.error = fmt::format("the catalogue '{}' {}{}", path, failure.what(),
                                failure.is_useless() ? "; it is a cache, and may be deleted" : "");
  }
  return listing;
}

}  // namespace spoor
