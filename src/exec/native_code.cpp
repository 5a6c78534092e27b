#include "exec/native_code.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/files.h"
#include "base/subprocess.h"

namespace spoor::exec {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kNativeVersion = 3;
constexpr std::uintmax_t kCacheLimit = std::uintmax_t{256} << 20;
// -O1 takes half the time of -O2 and gives nearly all of its speed; signed arithmetic wraps around.
const std::vector<std::string> kFlags = {"-O1", "-std=gnu11", "-fPIC", "-shared", "-fwrapv", "-fno-strict-aliasing", "-fno-semantic-interposition", "-w"};

// A program's path along PATH; empty when there is none.
std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  const char* const path = std::getenv("PATH");
  std::string_view rest = path != nullptr ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const std::string candidate = fmt::format("{}/{}", rest.substr(0, colon), name);
    if (::access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string_view::npos ? "" : rest.substr(colon + 1);
  }
  return {};
}

// Makes the folder if need be; false unless it is ours alone.
bool is_private_folder(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    fs::create_directories(path.parent_path(), error);
    ::mkdir(path.c_str(), 0700);
  }
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return false;
  return S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string cache_folder() {
  const char* const xdg = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  fs::path base;
  if (xdg != nullptr && xdg[0] == '/') {
    base = xdg;
  } else if (home != nullptr && home[0] == '/') {
    base = fs::path(home) / ".cache";
  } else {
    return {};
  }
  const fs::path folder = base / "spoor" / "native";
  return is_private_folder(folder) ? folder.string() : std::string();
}

// A folder that disappears with its contents.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    const char* const base = std::getenv("TMPDIR");
    std::string name = fmt::format("{}/spoor-XXXXXX", base != nullptr && base[0] == '/' ? base : "/tmp");
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::unique_ptr<NativeCode> NativeCode::load(const std::string& path, std::string& reason) {
  std::unique_ptr<NativeCode> code(new NativeCode);
  code->library_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (code->library_ == nullptr) {
    const char* const message = ::dlerror();
    reason = message != nullptr ? message : "cannot be loaded";
    return nullptr;
  }
  const auto number = [&](const char* name) -> std::uint32_t {
    const void* const symbol = ::dlsym(code->library_, name);
    return symbol != nullptr ? *static_cast<const std::uint32_t*>(symbol) : 0;
  };
  code->work_bytes_ = number("spoor_work_bytes");
  code->expand_ = reinterpret_cast<Expand>(::dlsym(code->library_, "spoor_expand"));
  if (number("spoor_native_version") != kNativeVersion || code->expand_ == nullptr || code->work_bytes_ < sizeof(NativeIo)) {
    reason = "it is not the code of a model";
    return nullptr;
  }
  return code;
}

NativeCode::~NativeCode() {
  if (library_ != nullptr) ::dlclose(library_);
}

NativeCompiler::NativeCompiler() : cache_(cache_folder()) {
  const char* const wanted = std::getenv("CC");
  std::istringstream words(wanted != nullptr && wanted[0] != '\0' ? wanted : "cc");
  compiler_.assign(std::istream_iterator<std::string>(words), {});
  if (!compiler_.empty()) compiler_.front() = find_program(compiler_.front());
  if (compiler_.empty() || compiler_.front().empty()) {
    compiler_.clear();
    return;
  }
  std::error_code error;
  const fs::path real = fs::canonical(compiler_.front(), error);
  compiler_stamp_ = fmt::format("{} {} {} {}", real.string(), fmt::join(compiler_, " "), fs::file_size(real, error),
                                fs::last_write_time(real, error).time_since_epoch().count());
}

std::string NativeCompiler::cached_path(const std::string& c_text) const {
  if (cache_.empty() || compiler_.empty()) return {};
  std::string everything = compiler_stamp_ + '\n';
  for (const std::string& flag : kFlags) everything += flag + ' ';
  return fmt::format("{}/{}.so", cache_, sha256(everything + '\n' + c_text));
}

std::unique_ptr<NativeCode> NativeCompiler::from_cache(const std::string& c_text) const {
  const std::string path = cached_path(c_text);
  if (path.empty() || ::access(path.c_str(), R_OK) != 0) return nullptr;
  std::string reason;
  std::unique_ptr<NativeCode> code = NativeCode::load(path, reason);
  std::error_code error;
  if (code != nullptr) {
    fs::last_write_time(path, fs::file_time_type::clock::now(), error);
  } else {
    fs::remove(path, error);  // damaged
  }
  return code;
}

std::unique_ptr<NativeCode> NativeCompiler::compile(const std::string& c_text, const std::atomic<bool>& cancel, std::string& reason) const {
  if (compiler_.empty()) {
    reason = "there is no C compiler (cc) on this machine";
    return nullptr;
  }
  const TemporaryFolder scratch;
  if (scratch.path().empty()) {
    reason = "cannot make a temporary folder";
    return nullptr;
  }
  const std::string source = scratch.path() + "/model.c", object = scratch.path() + "/model.so";
  if (reason = write_file_atomically(source, c_text); !reason.empty()) return nullptr;
  std::vector<std::string> command = compiler_;
  command.insert(command.end(), kFlags.begin(), kFlags.end());
  command.insert(command.end(), {"-o", object, source});
  ChildLimits limits;
  limits.time = std::chrono::minutes(5);
  limits.memory_bytes = std::size_t{8} << 30;
  limits.cancel = &cancel;
  const ChildResult result = run_child(command, "", scratch.path(), limits);
  if (result.end != ChildResult::End::kExited || result.exit_code != 0) {
    reason = fmt::format("{} failed: {}", compiler_.front(), result.errors.substr(0, 2000));
    return nullptr;
  }
  std::unique_ptr<NativeCode> code = NativeCode::load(object, reason);
  if (code != nullptr && !cache_.empty()) {
    std::error_code error;
    const std::string path = cached_path(c_text);
    const std::string new_path = fmt::format("{}.{}", path, ::getpid());
    fs::copy_file(object, new_path, fs::copy_options::overwrite_existing, error);
    if (!error) fs::rename(new_path, path, error);
    trim_cache();
  }
  return code;
}

void NativeCompiler::trim_cache() const {
  struct Entry {
    fs::file_time_type used;
    fs::path path;
    std::uintmax_t bytes;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator i(cache_, error), end; !error && i != end; i.increment(error)) {
    std::error_code of_file;
    const Entry entry{i->last_write_time(of_file), i->path(), i->file_size(of_file)};
    if (of_file) continue;
    total += entry.bytes;
    entries.push_back(entry);
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= kCacheLimit) break;
    total -= entry.bytes;
    fs::remove(entry.path, error);
  }
}

}  // namespace spoor::exec
