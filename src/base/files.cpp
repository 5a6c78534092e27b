#include "base/files.h"

#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <stdlib.h>
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

// The file behind `path`: writing keeps a symbolic link.
std::string resolve_links(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (!resolved) return path;
  std::string result = resolved;
  ::free(resolved);
  return result;
}

}  // namespace

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

std::string write_file_atomically(const std::string& path, std::string_view contents) {
  struct stat status {};
  mode_t mode = mode_of_new_files();
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return "it is a directory";
    if (!S_ISREG(status.st_mode)) return write_directly(path, contents);
    mode = status.st_mode & 07777;
  }
  const std::string target = resolve_links(path);
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
