#include "base/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace spoor {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "spoor-work-";
constexpr std::string_view kPattern = "XXXXXX";
constexpr std::time_t kYoung = 60;  // seconds

// Is the folder one of this user, without a living owner, and older than kYoung?
bool is_abandoned(const fs::path& folder) {
  const std::string name = folder.filename().string();
  if (!name.starts_with(kPrefix) || name.size() != kPrefix.size() + kPattern.size()) return false;
  struct stat status {};
  if (::lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid())
    return false;
  if (std::time(nullptr) - status.st_mtime < kYoung) return false;
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_free = ::flock(file, LOCK_EX | LOCK_NB) == 0;
  ::close(file);
  return is_free;
}

void remove_abandoned(const fs::path& base) {
  std::error_code error, of_folder;
  for (fs::directory_iterator i(base, error), end; !error && i != end; i.increment(error)) {
    if (is_abandoned(i->path())) fs::remove_all(i->path(), of_folder);
  }
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  const char* const wanted = std::getenv("TMPDIR");
  const std::string base = wanted != nullptr && wanted[0] == '/' ? wanted : "/tmp";
  remove_abandoned(base);
  std::string name = base + "/" + std::string(kPrefix) + std::string(kPattern);
  if (::mkdtemp(name.data()) == nullptr) return;
  path_ = name;
  lock_ = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ >= 0) ::flock(lock_, LOCK_EX);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (!path_.empty()) fs::remove_all(path_, error);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace spoor
