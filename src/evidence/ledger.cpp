#include "evidence/ledger.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <tuple>
#include <vector>

#include "base/digest.h"
#include "evidence/run_catalogue.h"

namespace spoor {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultLedger = ".spoor";
constexpr std::size_t kDigits = 32;
constexpr std::string_view kRecording = ".recording", kPart = ".part", kDamaged = ".damaged";
constexpr std::time_t kDaySeconds = 24 * 60 * 60;

// What a file of the ledger is, by its name.
enum class LedgerEntry { kForeign, kKept, kRecording, kPart, kDamaged };

LedgerEntry entry_named(std::string_view name) {
  const bool is_damaged = name.ends_with(kDamaged);
  if (name.starts_with(kCatalogueName)) {
    std::string_view rest = name.substr(kCatalogueName.size());
    if (is_damaged) rest.remove_suffix(kDamaged.size());
    if (std::ranges::count(kCatalogueSuffixes, rest) == 0) return LedgerEntry::kForeign;
    return is_damaged ? LedgerEntry::kDamaged : LedgerEntry::kKept;
  }
  const std::size_t digits = std::min(name.find_first_not_of("0123456789abcdef"), name.size());
  if (digits != kDigits || !name.substr(digits).starts_with(kRecording)) return LedgerEntry::kForeign;
  const std::string_view rest = name.substr(digits + kRecording.size());
  if (rest.empty()) return LedgerEntry::kRecording;
  if (rest == kDamaged) return LedgerEntry::kDamaged;
  const bool is_part = rest.ends_with(kPart) && rest.find_first_not_of("-.0123456789abcdefprt") == rest.npos;
  return is_part ? LedgerEntry::kPart : LedgerEntry::kForeign;
}

struct LedgerFile {
  std::string path;
  std::uint64_t bytes = 0;
  timespec changed = {};
  bool is_useless = false;  // goes before those that are not
};

// By something else than a file.
bool is_taken(const fs::path& file) {
  std::error_code failure;
  const fs::file_type type = fs::symlink_status(file, failure).type();
  return type != fs::file_type::regular && type != fs::file_type::not_found;
}

}  // namespace

LedgerChoice choose_ledger(const std::string& given, const std::string& model) {
  LedgerChoice choice = {given, true};
  const char* const environment = std::getenv("SPOOR_LEDGER");
  if (choice.folder.empty() && environment != nullptr) choice.folder = environment;
  if (choice.folder.empty()) choice = {fs::path(model).parent_path() / kDefaultLedger, false};
  if (choice.folder == kNoLedger) choice.folder.clear();
  return choice;
}

std::string make_ledger(const std::string& folder) {
  std::error_code failure, ignored;
  if (fs::is_directory(folder, ignored)) return {};
  // Another process may make the folder at the same time.
  if (!fs::create_directories(folder, failure) && !fs::is_directory(folder, ignored))
    return failure ? failure.message() : "it is not a folder";
  std::ofstream(fs::path(folder) / ".gitignore") << "*\n";
  return {};
}

std::string ledger_name(const std::string& model) {
  std::error_code failure;
  const fs::path whole = fs::weakly_canonical(model, failure);
  if (failure) return model;
  return whole.is_absolute() ? whole.string() : (fs::current_path(failure) / whole).string();
}

std::string ledger_file(const std::string& folder, const std::string& model, const std::string& kind,
                        std::string& error) {
  const std::string name = sha256(ledger_name(model) + '\n' + kind).substr(0, kDigits);
  const fs::path file = fs::path(folder) / (name + std::string(kRecording));
  if (is_taken(file)) {
    error = file.filename().string() + " is not a regular file";
    return {};
  }
  return file;
}

std::string claim_file(const std::string& recording, const std::string& claim) {
  const fs::path beside(recording);
  const std::string name = sha256(beside.stem().string() + '\n' + claim).substr(0, kDigits);
  const fs::path file = beside.parent_path() / (name + std::string(kRecording));
  return is_taken(file) ? std::string() : file.string();
}

bool is_writable_folder(const std::string& folder) {
  std::error_code ignored;
  return fs::is_directory(folder, ignored) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

void mark_as_used(const std::string& recording) {
  ::utimensat(AT_FDCWD, recording.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
}

void bound_ledger(const std::string& folder, std::uint64_t most_bytes) {
  std::vector<LedgerFile> files;
  std::uint64_t sum = 0;
  const std::time_t now = std::time(nullptr);
  std::error_code failure;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure)) {
    const LedgerEntry entry = entry_named(at->path().filename().string());
    LedgerFile file = {at->path().string()};
    struct stat status {};
    if (entry == LedgerEntry::kForeign || ::lstat(file.path.c_str(), &status) != 0 ||
        !S_ISREG(status.st_mode))
      continue;
    file.bytes = static_cast<std::uint64_t>(status.st_size);
    file.changed = status.st_mtim;
    sum += file.bytes;
    const bool is_left = entry == LedgerEntry::kPart && now - status.st_mtim.tv_sec > kDaySeconds;
    file.is_useless = entry == LedgerEntry::kDamaged || is_left;
    if (file.is_useless || entry == LedgerEntry::kRecording) files.push_back(std::move(file));
  }
  std::ranges::sort(files, {}, [](const LedgerFile& file) {
    return std::tuple(!file.is_useless, file.changed.tv_sec, file.changed.tv_nsec);
  });
  for (const LedgerFile& file : files) {
    if (sum <= most_bytes) return;
    if (::unlink(file.path.c_str()) == 0 || errno == ENOENT) sum -= file.bytes;
  }
}

}  // namespace spoor
