#include "base/ranks.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace spoor {
namespace {

constexpr int kTableVersion = 1;
constexpr const char* kLibrary = "libspoor_mpi.so";

class MpiRanks : public Ranks {
 public:
  explicit MpiRanks(const SpoorRankFunctions& functions) : functions_(functions) {
    check(functions_.begin(&rank_, &size_));
  }
  unsigned rank() const override { return static_cast<unsigned>(rank_); }
  unsigned size() const override { return static_cast<unsigned>(size_); }
  void send(unsigned to, std::string_view message) override {
    check(functions_.send(static_cast<int>(to), message.data(), message.size()));
  }
  bool receive(unsigned& from, std::string& message) override {
    int has = 0, sender = 0;
    std::size_t size = 0;
    check(functions_.probe(&has, &sender, &size));
    if (has == 0) return false;
    message.resize(size);
    check(functions_.receive(sender, message.data(), size));
    from = static_cast<unsigned>(sender);
    return true;
  }
  void end() override { check(functions_.end()); }
  [[noreturn]] void abort(int code) override {
    functions_.abort(code);
    std::_Exit(code);
  }

 private:
  static void check(int error) {
    if (error != 0) throw std::runtime_error(fmt::format("MPI has failed (error {})", error));
  }
  const SpoorRankFunctions& functions_;
  int rank_ = 0, size_ = 1;
};

}  // namespace

std::unique_ptr<Ranks> open_ranks(std::string& error) {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return nullptr;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* const where : {".", "../lib", "../lib/spoor"}) {
    const std::string path = (folder / where / kLibrary).string();
    if (!std::filesystem::exists(path, ignored)) continue;
    // Open MPI's own parts look for its symbols.
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    const auto table = library == nullptr
                           ? nullptr
                           : reinterpret_cast<SpoorRankTable>(::dlsym(library, "spoor_rank_functions"));
    if (table == nullptr) {
      const char* const reason = ::dlerror();
      error =
          fmt::format("cannot load '{}': {}", path, reason != nullptr ? reason : "not a library of spoor");
      return nullptr;
    }
    if (table()->version == kTableVersion) return std::make_unique<MpiRanks>(*table());
    error = fmt::format("'{}' is of another version of spoor", path);
    return nullptr;
  }
  error = fmt::format(
      "mpirun has started spoor, and {} is not there: spoor was built without Open MPI "
      "(package libopenmpi-dev)",
      kLibrary);
  return nullptr;
}

}  // namespace spoor
