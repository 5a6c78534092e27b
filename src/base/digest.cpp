#include "base/digest.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/framed_file.h"

namespace spoor {
namespace {

class Hasher {
 public:
  Hasher() : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free) {
    check(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }
  void add(std::string_view bytes) {
    check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
  }
  std::string finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int length = 0;
    check(EVP_DigestFinal_ex(context_.get(), digest.data(), &length) == 1);
    std::string hex;
    for (unsigned int i = 0; i < length; ++i) hex += fmt::format("{:02x}", digest[i]);
    return hex;
  }

 private:
  // OpenSSL fails here only when memory is exhausted or the installation is broken.
  static void check(bool ok) {
    if (!ok) throw std::runtime_error("OpenSSL cannot compute SHA-256");
  }
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.finish();
}

std::optional<std::string> sha256_of_file(const std::string& path, std::string& error) {
  const auto fail = [&](const char* why) {
    error = why;
    return std::nullopt;
  };
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (file < 0 || ::fstat(file, &status) != 0) return fail(std::strerror(errno));
  if (!S_ISREG(status.st_mode)) return fail("it is not a regular file");
  Hasher hasher;
  std::vector<char> buffer(1 << 16);
  while (true) {
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got == 0) return hasher.finish();
    if (got < 0 && errno != EINTR) return fail(std::strerror(errno));
    if (got > 0) hasher.add({buffer.data(), static_cast<std::size_t>(got)});
  }
}

std::string sha256(const SourceSet& sources, std::optional<std::uint32_t> without) {
  Hasher hasher;
  for (std::uint32_t i = 0; i < sources.size(); ++i) {
    if (i != without) hasher.add(sources.file(i).text);
  }
  return hasher.finish();
}

}  // namespace spoor
