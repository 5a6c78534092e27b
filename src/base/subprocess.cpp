// The child reads its input from an anonymous file in memory instead of a pipe: so no write is needed
// while its output is read, and a child that ends early cannot raise SIGPIPE here.
//
// The child leads a process group of its own, because the executed programs (compiler drivers) start
// further programs, and a limit that ends only the driver has no effect.
//
// posix_spawn cannot set a limit in the child before it runs, so the memory limit is set from outside
// right after the start: the programs that a driver starts a few hundred microseconds later inherit
// it. If the limit comes too late for them, the time limit still holds.
//
// Thread safety: no global state of the process is used.
//
// Tested by: tests/unit/test_subprocess.cpp
#include "base/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <utility>

namespace spoor {
namespace {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    close();
    fd_ = std::exchange(other.fd_, -1);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

 private:
  int fd_ = -1;
};

FileDescriptor file_in_memory(const std::string& content) {
  FileDescriptor file(memfd_create("input", MFD_CLOEXEC));
  std::size_t done = 0;
  while (file.is_open() && done < content.size()) {
    const ssize_t n = ::write(file.get(), content.data() + done, content.size() - done);
    if (n > 0) {
      done += static_cast<std::size_t>(n);
    } else if (n == 0 || errno != EINTR) {
      file.close();
    }
  }
  if (file.is_open()) ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

struct Pipe {
  FileDescriptor read_end, write_end;
};

bool open_pipe(Pipe& pipe) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  pipe = {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  return true;
}

// Our own environment with LC_ALL=C in it.
std::vector<std::string> english_environment() {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("LC_ALL=")) result.emplace_back(*entry);
  }
  result.emplace_back("LC_ALL=C");
  return result;
}

std::vector<char*> pointers_to(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

// Returns 0 or an errno value.
int spawn(const std::vector<std::string>& arguments, const std::string& directory, int in, int out, int err,
          pid_t& pid) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  std::vector<std::string> argument_copies = arguments;
  std::vector<std::string> environment = english_environment();
  const int error = posix_spawnp(&pid, arguments[0].c_str(), &actions, &attributes,
                                 pointers_to(argument_copies).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Appends what can be read now; closes the descriptor at the end of the stream.
void drain(FileDescriptor& from, std::string& to) {
  std::array<char, 65536> buffer;
  const ssize_t n = ::read(from.get(), buffer.data(), buffer.size());
  if (n > 0) {
    to.append(buffer.data(), static_cast<std::size_t>(n));
  } else if (n == 0 || errno != EINTR) {
    from.close();
  }
}

// Collects both streams until they and the child end or a limit is reached.
ChildResult::End collect(pid_t pid, FileDescriptor& out, FileDescriptor& err, const ChildLimits& limits,
                         ChildResult& result) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + limits.time;
  // Readable once the child has ended. The C library has no usable wrapper for this call.
  FileDescriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  while (out.is_open() || err.is_open() || process.is_open()) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return ChildResult::End::kOutOfTime;
    // poll() ignores negative descriptors, so a closed stream needs no special case.
    std::array<pollfd, 3> events{
        {{out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}, {process.get(), POLLIN, 0}}};
    if (limits.cancel != nullptr && limits.cancel->load()) return ChildResult::End::kCancelled;
    const auto wait_ms = limits.cancel != nullptr ? std::min<decltype(left)>(left, 10) : left;
    const int ready = ::poll(events.data(), events.size(), static_cast<int>(wait_ms));
    if (ready < 0 && errno != EINTR) return ChildResult::End::kOutOfTime;
    if (ready <= 0) continue;
    if (events[0].revents != 0) drain(out, result.output);
    if (events[1].revents != 0) drain(err, result.errors);
    if (events[2].revents != 0) process.close();
    if (std::max(result.output.size(), result.errors.size()) > limits.output_bytes) {
      return ChildResult::End::kTooMuchOutput;
    }
  }
  return ChildResult::End::kExited;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

ChildResult run_child(const std::vector<std::string>& arguments, const std::string& input,
                      const std::string& directory, const ChildLimits& limits) {
  ChildResult result;
  FileDescriptor in = file_in_memory(input);
  Pipe out, err;
  if (!in.is_open() || !open_pipe(out) || !open_pipe(err)) {
    result.start_error = errno;
    return result;
  }
  pid_t pid = 0;
  result.start_error = spawn(arguments, directory, in.get(), out.write_end.get(), err.write_end.get(), pid);
  if (result.start_error != 0) return result;
  if (limits.memory_bytes != 0) {
    const rlimit bound{limits.memory_bytes, limits.memory_bytes};
    ::prlimit(pid, RLIMIT_AS, &bound, nullptr);
  }
  in.close();
  out.write_end.close();
  err.write_end.close();

  result.end = collect(pid, out.read_end, err.read_end, limits, result);
  if (result.end != ChildResult::End::kExited) ::kill(-pid, SIGKILL);
  result.exit_code = wait_for(pid);
  return result;
}

}  // namespace spoor
