#include "base/digest.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <sodium/crypto_hash_sha256.h>

#include "base/framed_file.h"

namespace spoor {
namespace {

// That of libsodium, which needs no tables of algorithms at the start of the program, as OpenSSL does: they
// took a millisecond, in which this digests 500 kB (OpenSSL, with instructions for it, 2 MB).
class Hasher {
 public:
  Hasher() { crypto_hash_sha256_init(&state_); }
  void add(std::string_view bytes) {
    crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
  std::string finish() {
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256_final(&state_, digest.data());
    std::string hex;
    for (const unsigned char byte : digest) hex += fmt::format("{:02x}", byte);
    return hex;
  }

 private:
  crypto_hash_sha256_state state_;
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
