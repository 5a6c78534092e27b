#include "base/signature.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/temporary_folder.h"

namespace spoor {
namespace {

// The bytes 0 to 31; what follows of them was computed by OpenSSL.
constexpr const char* kSecret = "spoor-secret-key 1\nAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n";
constexpr const char* kPublic = "spoor-public-key 1\nA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=\n";
constexpr const char* kSigned =
    "spoor-signature 1\nA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=\n"
    "gH26GnBxlZ0OBnfIG32TLH/rKpyRf4zMCiuz4pSL1ybEjOV7D25l6fRcRhdpcYGzOv6TuESS7CORmTz9+M7PCg==\n";

std::string some_text() {
  std::string digest;
  for (int i = 0; i < 32; ++i) digest += "ab";
  return signed_text(digest);
}

template <class Decode>
std::string refusal(const Decode& decode, const std::string& text) {
  try {
    decode(text);
  } catch (const SignatureError& error) {
    return error.what();
  }
  return "";
}

void write(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }
std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Signature, IsTheOneThatAnotherProgramMakes) {
  const SecretKey key = decoded_secret_key(kSecret);
  EXPECT_EQ(encoded(key.public_key()), kPublic);
  EXPECT_EQ(some_text().size(), 18u + 7 + 64 + 1);
  EXPECT_EQ(encoded(sign(some_text(), key)), kSigned);
  EXPECT_TRUE(is_signed(some_text(), decoded_signature(kSigned), decoded_public_key(kPublic)));
}

TEST(Signature, OfOtherTextOrAnotherKeyIsWrong) {
  const SecretKey key = SecretKey::generate(), other = SecretKey::generate();
  const Signature signature = sign("text", key);
  EXPECT_TRUE(is_signed("text", signature, key.public_key()));
  EXPECT_FALSE(is_signed("test", signature, key.public_key()));
  EXPECT_FALSE(is_signed("text", signature, other.public_key()));
  EXPECT_NE(key.public_key(), other.public_key());
}

TEST(Signature, HasNoBitThatMayBeChanged) {
  const SecretKey key = SecretKey::generate();
  for (std::size_t bit = 0; bit < 512; ++bit) {
    Signature signature = sign("text", key);
    signature.bytes[bit / 8] ^= static_cast<unsigned char>(1u << (bit % 8));
    EXPECT_FALSE(is_signed("text", signature, key.public_key())) << bit;
  }
}

TEST(Signature, KeysOfSmallOrderSignNothing) {
  // With the neutral element as the key, and as the first half of the signature, the equation is true for
  // every text.
  PublicKey neutral;
  neutral.bytes[0] = 1;
  Signature forged;
  forged.bytes[0] = 1;
  EXPECT_FALSE(is_signed("text", forged, neutral));
}

TEST(Signature, TextsOfAnotherFormAreRefusedWithTheReason) {
  EXPECT_EQ(refusal(decoded_public_key, kSecret), "is a secret key, not a public key");
  EXPECT_EQ(refusal(decoded_secret_key, kPublic), "is a public key, not a secret key");
  EXPECT_EQ(refusal(decoded_secret_key, kSigned), "is a signature, not a secret key");
  EXPECT_EQ(refusal(decoded_public_key, "spoor-public-key 2\nx\n"),
            "is a public key of another version of the format");
  EXPECT_EQ(refusal(decoded_public_key, ""), "is not a public key");
  EXPECT_EQ(refusal(decoded_public_key, "spoor-public-key 1"), "is not a public key");
  EXPECT_EQ(refusal(decoded_public_key, "ssh-ed25519 AAAA\n"), "is not a public key");
  const std::string damaged = "is damaged: a public key has another form";
  const std::string good = kPublic;
  EXPECT_EQ(refusal(decoded_public_key, good + "\n"), damaged);
  EXPECT_EQ(refusal(decoded_public_key, good.substr(0, good.size() - 1)), damaged);
  EXPECT_EQ(refusal(decoded_public_key, "spoor-public-key 1\nA6EHvw==\n"), damaged);
  EXPECT_EQ(refusal(decoded_public_key, "spoor-public-key 1\n" + std::string(44, '!') + "\n"), damaged);
  EXPECT_EQ(refusal(decoded_public_key, "spoor-public-key 1\n" + std::string(88, 'A') + "\n"), damaged);
}

// One text for one key: no second form of the same file is accepted.
TEST(Signature, NoOtherTextMeansTheSame) {
  const std::string good = kPublic;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int change = 1; change < 256; ++change) {
      std::string text = good;
      text[at] = static_cast<char>(text[at] ^ change);
      try {
        EXPECT_EQ(encoded(decoded_public_key(text)), text) << at;
      } catch (const SignatureError&) {
      }
    }
  }
}

TEST(Signature, KeyFilesAreNewAndTheSecretOneIsPrivate) {
  const TemporaryFolder folder;
  const std::string name = folder.path() + "/alice";
  const SecretKey key = SecretKey::generate();
  ASSERT_EQ(write_new_keys(name, key), "");
  struct stat status {};
  ASSERT_EQ(::stat((name + ".key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0600u);
  EXPECT_EQ(read_public_key(name + ".pub"), key.public_key());
  EXPECT_EQ(read_secret_key(name + ".key").public_key(), key.public_key());
  EXPECT_NE(write_new_keys(name, SecretKey::generate()), "");
  EXPECT_EQ(read_secret_key(name + ".key").public_key(), key.public_key());
  std::filesystem::remove(name + ".key");
  EXPECT_NE(write_new_keys(name, SecretKey::generate()), "");
  EXPECT_FALSE(std::filesystem::exists(name + ".key"));
}

TEST(Signature, FilesAreSignedUntilTheyChange) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/file", sig = signature_file(file);
  const SecretKey key = SecretKey::generate(), other = SecretKey::generate();
  write(file, "contents");
  const auto why = [&](const SecretKey& by) { return why_not_signed(file, by.public_key()); };
  EXPECT_EQ(why(key), "it is not signed: there is no '" + sig + "'");
  sign_file(file, key);
  EXPECT_EQ(why(key), "");
  EXPECT_EQ(why(other), "it is signed by another key: " + to_text(key.public_key()));
  write(file, "content");
  EXPECT_EQ(why(key), "the signature '" + sig + "' is wrong: it is one of other contents");
  sign_file(file, other);  // a signature is replaced
  EXPECT_EQ(why(other), "");
  write(sig, "mine");  // and nothing else
  EXPECT_EQ(why(other), "the signature '" + sig + "' is not a signature");
  EXPECT_THROW(sign_file(file, other), SignatureError);
  EXPECT_EQ(contents(sig), "mine");
}

// The key that a signature names is for messages: what counts is the one that the user names.
TEST(Signature, TheNameOfTheSignerProvesNothing) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/file";
  const SecretKey key = SecretKey::generate(), liar = SecretKey::generate();
  write(file, "contents");
  std::string error;
  Signature signature = sign(signed_text(sha256_of_file(file, error).value()), liar);
  signature.signer = key.public_key();
  write(signature_file(file), encoded(signature));
  EXPECT_EQ(why_not_signed(file, key.public_key()),
            "the signature '" + signature_file(file) + "' is wrong: it is one of other contents");
}

TEST(Signature, FilesWithoutAnEndAreNotReadToTheirEnd) {
  EXPECT_EQ(refusal(read_public_key, "/dev/zero"), "is not a public key");
  EXPECT_EQ(refusal(read_public_key, "/nowhere/at/all"), "cannot be read: No such file or directory");
  EXPECT_EQ(refusal(read_public_key, "/"), "cannot be read: Is a directory");
  EXPECT_THROW(why_not_signed("/dev/zero", {}), SignatureError);
  EXPECT_THROW(why_not_signed("/nowhere/at/all", {}), SignatureError);
}

TEST(Digest, OfAFileIsThatOfItsBytes) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/file", text(200'000, 'x');
  write(file, text);
  std::string error;
  EXPECT_EQ(sha256_of_file(file, error), sha256(text));
  EXPECT_EQ(sha256_of_file(folder.path(), error), std::nullopt);
  EXPECT_EQ(error, "it is not a regular file");
}

}  // namespace
}  // namespace spoor
