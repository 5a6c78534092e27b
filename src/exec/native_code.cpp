#include "exec/native_code.h"

#include <dlfcn.h>
#include <unistd.h>

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
#include "base/temporary_folder.h"
#include "exec/crash_report.h"

namespace spoor::exec {
namespace {

namespace fs = std::filesystem;

// -O2 takes half as long again as -O1 (0.17 s instead of 0.11 s for phils), in the background. Signed
// arithmetic wraps around.
std::vector<std::string> make_flags() {
  std::vector<std::string> flags = {"-O2",
                                    "-std=gnu11",
                                    "-fPIC",
                                    "-shared",
                                    "-fwrapv",
                                    "-fno-strict-aliasing",
                                    "-fno-semantic-interposition",
                                    "-w"};
#if defined(__GNUC__) && defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) flags.emplace_back("-mavx2");  // states are copied 32 bytes at a time
#endif
  return flags;
}
const std::vector<std::string> kFlags = make_flags();
constexpr int kMinutes = 5;  // for the compiler

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

}  // namespace

std::unique_ptr<Library> Library::load(const std::string& path, std::string& reason) {
  std::unique_ptr<Library> library(new Library);
  library->handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library->handle_ == nullptr) {
    const char* const message = ::dlerror();
    reason = message != nullptr ? message : "cannot be loaded";
    return nullptr;
  }
  if (library->number("spoor_native_version") != kNativeVersion) {
    reason = "it is not the code of a model";
    return nullptr;
  }
  return library;
}

Library::~Library() {
  if (handle_ == nullptr) return;
  forget_crashes(handle_);
  ::dlclose(handle_);
}

void Library::blame(const std::string& path) const { blame_crashes_on(path, handle_); }

void* Library::symbol(const char* name) const { return ::dlsym(handle_, name); }

std::uint32_t Library::number(const char* name) const {
  const void* const found = symbol(name);
  return found != nullptr ? *static_cast<const std::uint32_t*>(found) : 0;
}

std::unique_ptr<NativeCode> NativeCode::from(std::unique_ptr<Library> library, std::string& reason) {
  if (library == nullptr) return nullptr;
  std::unique_ptr<NativeCode> code(new NativeCode);
  code->work_bytes_ = library->number("spoor_work_bytes");
  code->expand_ = reinterpret_cast<Expand>(library->symbol("spoor_expand"));
  code->atom_values_ = reinterpret_cast<Ask>(library->symbol("spoor_atom_values"));
  code->library_ = std::move(library);
  if (code->expand_ == nullptr || code->work_bytes_ < sizeof(NativeIo)) {
    reason = "it is not the code of a model";
    return nullptr;
  }
  return code;
}

NativeCompiler::NativeCompiler() {
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
  compiler_stamp_ =
      fmt::format("{} {} {} {}", real.string(), fmt::join(compiler_, " "), fs::file_size(real, error),
                  fs::last_write_time(real, error).time_since_epoch().count());
}

std::string NativeCompiler::name_of(const std::string& c_text) const {
  std::string everything = compiler_stamp_ + '\n';
  for (const std::string& flag : kFlags) everything += flag + ' ';
  return sha256(everything + '\n' + c_text);
}

std::unique_ptr<NativeCode> NativeCompiler::from_cache(const std::string& c_text) const {
  if (compiler_.empty()) return nullptr;
  const std::string path = cache_.find(name_of(c_text));
  if (path.empty()) return nullptr;
  std::string reason;
  std::unique_ptr<NativeCode> code = NativeCode::from(Library::load(path, reason), reason);
  if (code != nullptr) code->blame(path);
  return code;
}

std::string NativeCompiler::build(const std::string& c_text, const std::vector<std::string>& flags,
                                  const TemporaryFolder& folder, const std::atomic<bool>& cancel,
                                  std::string& reason) const {
  if (compiler_.empty()) {
    reason = "there is no C compiler (cc) on this machine";
    return {};
  }
  if (folder.path().empty()) {
    reason = "cannot make a temporary folder";
    return {};
  }
  const std::string source = folder.path() + "/model.c", object = folder.path() + "/model.so";
  if (reason = write_file_atomically(source, c_text); !reason.empty()) return {};
  std::vector<std::string> command = compiler_;
  command.insert(command.end(), kFlags.begin(), kFlags.end());
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-o", object, source});
  ChildLimits limits;
  limits.time = std::chrono::minutes(kMinutes);
  limits.memory_bytes = std::size_t{8} << 30;
  limits.cancel = &cancel;
  const ChildResult result = run_child(command, "", folder.path(), limits);
  if (result.end == ChildResult::End::kOutOfTime) {
    reason = fmt::format("{} had not finished after {} minutes", compiler_.front(), kMinutes);
    return {};
  }
  if (result.end != ChildResult::End::kExited || result.exit_code != 0) {
    reason = fmt::format("{} failed: {}", compiler_.front(), result.errors.substr(0, 2000));
    return {};
  }
  return object;
}

std::unique_ptr<NativeCode> NativeCompiler::compile(const std::string& c_text,
                                                    const std::atomic<bool>& cancel,
                                                    std::string& reason) const {
  const TemporaryFolder folder;
  const std::string object = build(c_text, {}, folder, cancel, reason);
  if (object.empty()) return nullptr;
  std::unique_ptr<NativeCode> code = NativeCode::from(Library::load(object, reason), reason);
  if (code == nullptr) return nullptr;
  const std::string path = cache_.add(name_of(c_text), object);
  code->blame(path.empty() ? object : path);
  return code;
}

std::unique_ptr<Library> NativeCompiler::compile_uncached(const std::string& c_text,
                                                          const std::vector<std::string>& flags,
                                                          const std::atomic<bool>& cancel,
                                                          std::string& reason) const {
  const TemporaryFolder folder;
  const std::string object = build(c_text, flags, folder, cancel, reason);
  return object.empty() ? nullptr : Library::load(object, reason);
}

}  // namespace spoor::exec
