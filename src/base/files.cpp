#include "base/files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace spoor {
namespace {

// Closes a file descriptor at the end of its scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  // Closing can report a delayed write error, so writers call this.
  bool close() {
    const int fd = fd_;
    fd_ = -1;
    return ::close(fd) == 0;
  }

 private:
  int fd_;
};

std::string reason() { return std::strerror(errno); }

bool write_all(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = ::write(fd, contents.data(), contents.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// The mode that open() gives a new file: temporary files are private, results are not.
mode_t mode_of_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

std::string write_directly(const std::string& path, std::string_view contents) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file.is_open() || !write_all(file.get(), contents) || !file.close()) return reason();
  return {};
}

}  // namespace

std::string behind_links(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as many as the system follows
  fs::path file = path;
  std::error_code error;
  for (int i = 0; i < kMostLinks && fs::is_symlink(file, error); ++i) {
    const fs::path target = fs::read_symlink(file, error);
    if (error) break;
    file = file.parent_path() / target;
  }
  return file.string();
}

std::optional<std::string> read_file(const std::string& path, std::string& error) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
    error = reason();
    return std::nullopt;
  }
  if (S_ISDIR(status.st_mode)) {
    error = "it is a directory";
    return std::nullopt;
  }
  std::string contents;
  std::vector<char> buffer(1 << 16);
  while (true) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got == 0) return contents;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      error = reason();
      return std::nullopt;
    }
    contents.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string write_file_atomically(const std::string& path, std::string_view contents, unsigned wanted_mode) {
  struct stat status {};
  mode_t mode = wanted_mode != 0 ? static_cast<mode_t>(wanted_mode) : mode_of_new_files();
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return "it is a directory";
    if (!S_ISREG(status.st_mode)) return write_directly(path, contents);
    if (wanted_mode == 0) mode = status.st_mode & 07777;
  }
  const std::string target = behind_links(path);
  std::string temporary = target + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (!file.is_open()) return reason();
  if (!write_all(file.get(), contents) || ::fchmod(file.get(), mode) != 0 || ::fsync(file.get()) != 0 ||
      !file.close() || ::rename(temporary.c_str(), target.c_str()) != 0) {
    const std::string why = reason();
    ::unlink(temporary.c_str());
    return why;
  }
  // The new name itself must survive a crash too. A folder that cannot be synced is not an error: the
  // file is written.
  const std::size_t slash = target.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.is_open()) ::fsync(directory.get());
  return {};
}

}  // namespace spoor
