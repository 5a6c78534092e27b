// Compiled models: from C text to a function, by way of the system's compiler and a cache on disk.
//
// The name of an object in the cache (native_cache.h) is the digest of everything that it depends on: the C
// text, the compiler (path, size and time of the program) and its flags. Where there is no cache the object
// is made in a private temporary folder and removed once loaded. A crash inside the code names the file that
// is to blame (crash_report.h).
//
// Tested by: tests/suites/test_native.py
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/temporary_folder.h"
#include "exec/native_cache.h"
#include "model/system.h"

namespace spoor::exec {

// Of what passes between us and a library; every library says which it was made for.
inline constexpr std::uint32_t kNativeVersion = 7;

// A question to embedded C (embedded.h): run this fragment in this state. embedded_runtime.inc and
// native_runtime.inc have the same in C.
struct EmbeddedCall {
  std::uint32_t fragment = 0;
  std::int32_t pid = -1, value = 0;
  std::byte *state = nullptr, *process = nullptr;  // `process`: the block of pid; null: none
  char* output = nullptr;                          // where what it prints goes; null: nowhere
  std::uint32_t room = 0;
};
// 0, or the number of the signal that ended the fragment.
using EmbeddedFunction = int (*)(EmbeddedCall* call);

// What passes between us and the emitted code; native_runtime.inc has the same in C.
struct NativeIo {
  std::byte *arena = nullptr, *free = nullptr, *limit = nullptr;
  Successor* next = nullptr;
  StepId step;
  std::uint8_t* executed = nullptr;
  std::uint64_t inner_steps = 0;
  enum Reduce : std::uint32_t { kInFull = 0, kAmple = 1, kAmpleOrAsk = 2, kChosen = 3, kOne = 4 };
  std::uint32_t reduce = kInFull, is_reduced = 0;
  std::uint64_t chosen = 0;  // with kChosen: a bit per process, 0 for all; with kOne: the group of the step
  std::uint64_t retry = 0;   // with kOne: is the step a retry?
  EmbeddedFunction embedded = nullptr;
  std::uint64_t *movers = nullptr, enabled = 0;  // of the next successor; of the state (Expansion::movers)
  std::uint32_t* labels = nullptr;               // of the next successor (Expansion::labels)

  // A state begins at a multiple of this in the arena. So many bytes may be written behind the end of
  // one, and twice as many stay free behind the last.
  static constexpr std::uint32_t kStride = 32;
};

// A loaded shared object.
class Library {
 public:
  // Null, with the reason, when the file cannot be loaded or is not one of ours.
  static std::unique_ptr<Library> load(const std::string& path, std::string& reason);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  void* symbol(const char* name) const;
  std::uint32_t number(const char* name) const;  // 0: there is none
  // The file that a crash inside the library is to be blamed on.
  void blame(const std::string& path) const;

 private:
  Library() = default;

  void* handle_ = nullptr;
};

// A loaded model.
class NativeCode {
 public:
  enum Answer : int { kDone = 0, kGaveUp = 1, kNoRoom = 2, kAsks = 3 /* which processes? */ };
  using Expand = int (*)(NativeIo* work, const std::byte* state, std::uint32_t length);

  // The truth of the claim's atoms; kDone or kGaveUp.
  using Ask = int (*)(NativeIo* work, const std::byte* state, std::uint64_t* values);

  // Null, with the reason, when the library is not a model.
  static std::unique_ptr<NativeCode> from(std::unique_ptr<Library> library, std::string& reason);

  Expand expand() const { return expand_; }
  Ask atom_values() const { return atom_values_; }  // null: there is no claim
  void blame(const std::string& path) const { library_->blame(path); }
  // Bytes of working memory per thread; a NativeIo is its beginning.
  std::size_t work_bytes() const { return work_bytes_; }

 private:
  NativeCode() = default;

  std::unique_ptr<Library> library_;
  Expand expand_ = nullptr;
  Ask atom_values_ = nullptr;
  std::size_t work_bytes_ = 0;
};

// The cache and the compiler.
class NativeCompiler {
 public:
  // Finds the compiler ($CC, which may have arguments, else cc) and the cache; neither needs to be
  // there.
  NativeCompiler();

  // Null when the cache has none.
  std::unique_ptr<NativeCode> from_cache(const std::string& c_text) const;
  // Compiles and loads; null, with the reason, when that fails or `cancel` became true.
  std::unique_ptr<NativeCode> compile(const std::string& c_text, const std::atomic<bool>& cancel,
                                      std::string& reason) const;
  // The same for any library, with more flags and without the cache.
  std::unique_ptr<Library> compile_uncached(const std::string& c_text, const std::vector<std::string>& flags,
                                            const std::atomic<bool>& cancel, std::string& reason) const;

 private:
  // The file of the shared object in `folder`; empty, with the reason, when that fails.
  std::string build(const std::string& c_text, const std::vector<std::string>& flags,
                    const TemporaryFolder& folder, const std::atomic<bool>& cancel,
                    std::string& reason) const;
  std::string name_of(const std::string& c_text) const;  // in the cache

  std::vector<std::string> compiler_;  // path and arguments; empty: none
  std::string compiler_stamp_;         // what distinguishes it from other versions of itself
  NativeCache cache_;
};

}  // namespace spoor::exec
