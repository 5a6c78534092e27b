#include "evidence/ledger.h"

#include <filesystem>
#include <system_error>

#include "base/digest.h"

namespace spoor {

namespace fs = std::filesystem;

std::string ledger_file(const std::string& folder, const std::string& model, const std::string& kind,
                        std::string& error) {
  std::error_code failure;
  if (!fs::is_directory(folder, failure) && !fs::create_directories(folder, failure)) {
    error = failure ? failure.message() : "it is not a folder";
    return {};
  }
  fs::path whole = fs::weakly_canonical(model, failure);
  if (failure) whole = model;
  constexpr std::size_t kDigits = 32;
  return fs::path(folder) / (sha256(whole.string() + '\n' + kind).substr(0, kDigits) + ".recording");
}

}  // namespace spoor
