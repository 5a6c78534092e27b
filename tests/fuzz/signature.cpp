// Any bytes as a key and as a signature: they are refused with a reason, or are the one text of what they
// mean; and no bytes are the signature of a text by a key that has not made it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/signature.h"

namespace {

template <class Decode>
void read(const Decode& decode, std::string_view text) {
  try {
    decode(text);
  } catch (const spoor::SignatureError& error) {
    if (error.what() == std::string_view()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace spoor;
  static const SecretKey kKey = SecretKey::generate();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(
      [](std::string_view bytes) {
        if (encoded(decoded_public_key(bytes)) != bytes) std::abort();
      },
      text);
  read(
      [](std::string_view bytes) {
        const Signature signature = decoded_signature(bytes);
        if (encoded(signature) != bytes || is_signed("text", signature, kKey.public_key())) std::abort();
      },
      text);
  read(
      [](std::string_view bytes) {
        const SecretKey key = decoded_secret_key(bytes);
        if (!is_signed("text", sign("text", key), key.public_key())) std::abort();
      },
      text);
  return 0;
}
