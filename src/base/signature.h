// Signatures of files: who has made a certificate or a trace. Ed25519 (RFC 8032), from libsodium.
//
// A certificate proves what it claims, whoever made it. A signature says something else: that the holder of a
// key has vouched for this file, so that nobody can pass one file off as another, and a refused file can be
// held against the one who signed it.
//
// The signature of FILE stands beside it, in FILE.sig. So the file has the same bytes with a signature and
// without one, traces can be signed as well as certificates, and a signature can be made later, on a machine
// that has the key. What is signed is a short text with the digest of the file (signed_text); so any program
// that knows Ed25519 can check it.
//
// Key files are text: a line that says what they are, and a line of base64. A secret key is the seed of 32
// bytes from which the key pair is computed; a file with both halves could have halves that do not fit, and a
// signature with such a pair gives the secret away. A signature has the public key beside it, for messages
// only: what is checked is the key that the user names.
//
// The answer is about the file as it is while it is read. The certifier reads it again and believes nothing
// of it, so a file that is exchanged in between cannot be confirmed unless it proves its claim, too.
//
// Invariants:
//   1. A secret key is in guarded memory (sodium_malloc), which is wiped when it is released; no copy of it
//      leaves this file but to a file with mode 0600.
//   2. Files of keys and signatures are read up to kMostKeyFileBytes, whatever their size.
//   3. Key files are never overwritten; a signature replaces nothing but a signature.
//
// Tested by: tests/unit/test_signature.cpp, tests/suites/test_signatures.py, tests/fuzz/signature.cpp
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace spoor {

inline constexpr std::size_t kMostKeyFileBytes = 512;

// The error as the predicate of a sentence about a file: "is not a public key".
class SignatureError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct PublicKey {
  std::array<unsigned char, 32> bytes{};
  friend bool operator==(const PublicKey&, const PublicKey&) = default;
};
std::string to_text(const PublicKey& key);  // base64

struct Signature {
  PublicKey signer;  // as the file says
  std::array<unsigned char, 64> bytes{};
};

class SecretKey {
 public:
  static SecretKey generate();
  const PublicKey& public_key() const { return public_key_; }

 private:
  friend Signature sign(const std::string&, const SecretKey&);
  friend SecretKey decoded_secret_key(std::string_view);
  friend std::string write_new_keys(const std::string&, const SecretKey&);
  struct Wipe {
    void operator()(unsigned char* bytes) const;
  };
  SecretKey();  // its seed is yet to be filled in
  void find_public_key();

  std::unique_ptr<unsigned char[], Wipe> seed_;
  PublicKey public_key_;
};

// What is signed of a file with this digest (SHA-256, hexadecimal).
std::string signed_text(std::string_view sha256);
Signature sign(const std::string& text, const SecretKey& key);
bool is_signed(const std::string& text, const Signature& signature, const PublicKey& by);

// The contents of the files. What decodes them throws SignatureError.
std::string encoded(const PublicKey& key);
std::string encoded(const Signature& signature);
SecretKey decoded_secret_key(std::string_view text);
PublicKey decoded_public_key(std::string_view text);
Signature decoded_signature(std::string_view text);

// Files. All of them throw SignatureError, about the file `path` where nothing else is said.
SecretKey read_secret_key(const std::string& path);
PublicKey read_public_key(const std::string& path);
// Makes NAME.key and NAME.pub. Returns an error as a sentence; empty: both are written.
std::string write_new_keys(const std::string& name, const SecretKey& key);

std::string signature_file(const std::string& path);  // PATH.sig
// Why the signature of `path` cannot be written, as a sentence; empty: it can.
std::string why_not_signable(const std::string& path);
// Signs a file: writes its signature beside it.
void sign_file(const std::string& path, const SecretKey& key);
// Why the file is not signed by the holder of the key, as a sentence; empty: it is. Throws only if the file
// itself cannot be read.
std::string why_not_signed(const std::string& path, const PublicKey& by);

}  // namespace spoor
