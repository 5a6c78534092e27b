#include "base/signature.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/files.h"
#include "base/framed_file.h"

namespace spoor {
namespace {

static_assert(sizeof(PublicKey::bytes) == crypto_sign_PUBLICKEYBYTES);
static_assert(sizeof(Signature::bytes) == crypto_sign_BYTES);
constexpr std::size_t kSeedBytes = crypto_sign_SEEDBYTES;
constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;

struct TextKind {
  std::string_view header, name;
};
constexpr TextKind kSecretText = {"spoor-secret-key 1", "secret key"};
constexpr TextKind kPublicText = {"spoor-public-key 1", "public key"};
constexpr TextKind kSignatureText = {"spoor-signature 1", "signature"};
constexpr std::array<TextKind, 3> kKinds = {kSecretText, kPublicText, kSignatureText};

struct WipeMemory {
  void operator()(void* bytes) const { sodium_free(bytes); }
};
template <class T>
using Guarded = std::unique_ptr<T[], WipeMemory>;

void require_sodium() {
  if (sodium_init() < 0) throw std::runtime_error("the system has no source of random numbers");
}

template <class T>
Guarded<T> guarded(std::size_t size) {
  require_sodium();
  Guarded<T> bytes(static_cast<T*>(sodium_malloc(size)));
  if (bytes == nullptr) throw std::bad_alloc();
  return bytes;
}

// With the zero at the end of C strings.
constexpr std::size_t base64_size(std::size_t bytes) { return sodium_base64_ENCODED_LEN(bytes, kBase64); }

template <std::size_t N>
std::string base64(const std::array<unsigned char, N>& bytes) {
  std::array<char, base64_size(N)> text{};
  return sodium_bin2base64(text.data(), text.size(), bytes.data(), N, kBase64);
}

// Takes the first line off a text, which ends with the end of a line.
std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

[[noreturn]] void throw_damaged_text(const TextKind& kind) {
  throw SignatureError(fmt::format("is damaged: a {} has another form", kind.name));
}

void take_header(std::string_view& text, const TextKind& kind) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (line == kind.header && take_line(text)) return;
  const auto name_of = [](std::string_view header) { return header.substr(0, header.find(' ')); };
  for (const TextKind& other : kKinds) {
    if (name_of(line) != name_of(other.header)) continue;
    if (other.header != kind.header)
      throw SignatureError(fmt::format("is a {}, not a {}", other.name, kind.name));
    if (line != kind.header)
      throw SignatureError(fmt::format("is a {} of another version of the format", kind.name));
  }
  throw SignatureError(fmt::format("is not a {}", kind.name));
}

// libsodium (1.0.18) reads some bytes that are not base64 as if they were: what was read is written again.
void take_base64(std::string_view& text, unsigned char* to, std::size_t size, const TextKind& kind) {
  const std::optional<std::string_view> line = take_line(text);
  std::size_t got = 0;
  if (!line || line->size() + 1 != base64_size(size) ||
      sodium_base642bin(to, size, line->data(), line->size(), nullptr, &got, nullptr, kBase64) != 0 ||
      got != size)
    throw_damaged_text(kind);
  const Guarded<char> again = guarded<char>(base64_size(size));
  sodium_bin2base64(again.get(), base64_size(size), to, size, kBase64);
  if (sodium_memcmp(again.get(), line->data(), line->size()) != 0) throw_damaged_text(kind);
}

// A file as it begins; in memory that is wiped, because it may be a secret.
struct FileText {
  Guarded<char> bytes = guarded<char>(kMostKeyFileBytes + 1);
  std::size_t size = 0;

  std::string_view view() const { return {bytes.get(), size}; }
};

[[noreturn]] void throw_system(int error, std::string_view what) {
  throw SignatureError(fmt::format("cannot be {}: {}", what, std::strerror(error)));
}

FileText read_text(const std::string& path) {
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file < 0) throw_system(errno, "read");
  FileText text;
  while (text.size <= kMostKeyFileBytes) {
    const ssize_t got = ::read(file, text.bytes.get() + text.size, kMostKeyFileBytes + 1 - text.size);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) throw_system(errno, "read");
    if (got > 0) text.size += static_cast<std::size_t>(got);
  }
  return text;
}

std::string digest_of_file(const std::string& path) {
  std::string error;
  std::optional<std::string> digest = sha256_of_file(path, error);
  if (!digest) throw SignatureError("cannot be read: " + error);
  return *std::move(digest);
}

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(std::filesystem::symlink_status(path, error));
}

// Returns an error; empty: it is written. Nothing is left of a file that could not be written.
std::string write_new(const std::string& path, std::string_view text, mode_t mode) {
  const OpenFile file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (file < 0) return std::strerror(errno);
  if (::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0)
    return {};
  std::string error = std::strerror(errno);
  ::unlink(path.c_str());
  return error;
}

}  // namespace

void SecretKey::Wipe::operator()(unsigned char* bytes) const { sodium_free(bytes); }

SecretKey::SecretKey() : seed_(guarded<unsigned char>(kSeedBytes).release()) {}

void SecretKey::find_public_key() {
  const Guarded<unsigned char> both = guarded<unsigned char>(crypto_sign_SECRETKEYBYTES);
  crypto_sign_seed_keypair(public_key_.bytes.data(), both.get(), seed_.get());
}

SecretKey SecretKey::generate() {
  SecretKey key;
  randombytes_buf(key.seed_.get(), kSeedBytes);
  key.find_public_key();
  return key;
}

std::string to_text(const PublicKey& key) { return base64(key.bytes); }

std::string signed_text(std::string_view sha256) {
  return fmt::format("{}\nsha256 {}\n", kSignatureText.header, sha256);
}

Signature sign(const std::string& text, const SecretKey& key) {
  const Guarded<unsigned char> both = guarded<unsigned char>(crypto_sign_SECRETKEYBYTES);
  Signature signature;
  crypto_sign_seed_keypair(signature.signer.bytes.data(), both.get(), key.seed_.get());
  crypto_sign_detached(signature.bytes.data(), nullptr, reinterpret_cast<const unsigned char*>(text.data()),
                       text.size(), both.get());
  return signature;
}

bool is_signed(const std::string& text, const Signature& signature, const PublicKey& by) {
  return crypto_sign_verify_detached(signature.bytes.data(),
                                     reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                                     by.bytes.data()) == 0;
}

std::string encoded(const PublicKey& key) {
  return fmt::format("{}\n{}\n", kPublicText.header, base64(key.bytes));
}

std::string encoded(const Signature& signature) {
  return fmt::format("{}\n{}\n{}\n", kSignatureText.header, base64(signature.signer.bytes),
                     base64(signature.bytes));
}

SecretKey decoded_secret_key(std::string_view text) {
  take_header(text, kSecretText);
  SecretKey key;
  take_base64(text, key.seed_.get(), kSeedBytes, kSecretText);
  if (!text.empty()) throw_damaged_text(kSecretText);
  key.find_public_key();
  return key;
}

PublicKey decoded_public_key(std::string_view text) {
  take_header(text, kPublicText);
  PublicKey key;
  take_base64(text, key.bytes.data(), key.bytes.size(), kPublicText);
  if (!text.empty()) throw_damaged_text(kPublicText);
  return key;
}

Signature decoded_signature(std::string_view text) {
  take_header(text, kSignatureText);
  Signature signature;
  take_base64(text, signature.signer.bytes.data(), signature.signer.bytes.size(), kSignatureText);
  take_base64(text, signature.bytes.data(), signature.bytes.size(), kSignatureText);
  if (!text.empty()) throw_damaged_text(kSignatureText);
  return signature;
}

SecretKey read_secret_key(const std::string& path) { return decoded_secret_key(read_text(path).view()); }

PublicKey read_public_key(const std::string& path) { return decoded_public_key(read_text(path).view()); }

std::string write_new_keys(const std::string& name, const SecretKey& key) {
  const std::string secret_file = name + ".key", public_file = name + ".pub";
  for (const std::string& file : {secret_file, public_file}) {
    if (exists(file)) return fmt::format("'{}' exists, and keys are not overwritten", file);
  }
  const std::size_t header = kSecretText.header.size();
  const std::size_t size = header + 1 + base64_size(kSeedBytes);  // whose last byte becomes the end of a line
  const Guarded<char> text = guarded<char>(size);
  std::memcpy(text.get(), kSecretText.header.data(), header);
  text[header] = '\n';
  sodium_bin2base64(text.get() + header + 1, base64_size(kSeedBytes), key.seed_.get(), kSeedBytes, kBase64);
  text[size - 1] = '\n';
  if (const std::string error = write_new(secret_file, {text.get(), size}, 0600); !error.empty())
    return fmt::format("cannot write '{}': {}", secret_file, error);
  if (const std::string error = write_new(public_file, encoded(key.public_key()), 0666); !error.empty()) {
    ::unlink(secret_file.c_str());
    return fmt::format("cannot write '{}': {}", public_file, error);
  }
  return {};
}

std::string signature_file(const std::string& path) { return path + ".sig"; }

std::string why_not_signable(const std::string& path) {
  const std::string file = signature_file(path);
  if (!exists(file)) return {};
  try {
    decoded_signature(read_text(file).view());
    return {};
  } catch (const SignatureError& error) {
    return fmt::format("the signature cannot be written: '{}' {}", file, error.what());
  }
}

void sign_file(const std::string& path, const SecretKey& key) {
  if (const std::string reason = why_not_signable(path); !reason.empty())
    throw SignatureError("is not signed: " + reason);
  const Signature signature = sign(signed_text(digest_of_file(path)), key);
  const std::string error = write_file_atomically(signature_file(path), encoded(signature));
  if (!error.empty())
    throw SignatureError(fmt::format("is not signed: cannot write '{}': {}", signature_file(path), error));
}

std::string why_not_signed(const std::string& path, const PublicKey& by) {
  const std::string digest = digest_of_file(path), file = signature_file(path);
  if (!exists(file)) return fmt::format("it is not signed: there is no '{}'", file);
  try {
    const Signature signature = decoded_signature(read_text(file).view());
    if (is_signed(signed_text(digest), signature, by)) return {};
    if (signature.signer != by)
      return fmt::format("it is signed by another key: {}", to_text(signature.signer));
    return fmt::format("the signature '{}' is wrong: it is one of other contents", file);
  } catch (const SignatureError& error) {
    return fmt::format("the signature '{}' {}", file, error.what());
  }
}

}  // namespace spoor
