// spoor sign FILE KEY
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/signature.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"

namespace spoor::cli {

int run_sign(Arguments arguments) {
  std::string file, key_file;
  CommandLine line("sign", "Sign a certificate or a trace: the signature is FILE.sig.");
  line.argument("signed", file);
  line.argument("key", key_file);
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;

  std::string subject = key_file;  // of the sentence that an error completes
  try {
    const SecretKey key = read_secret_key(key_file);
    subject = file;
    sign_file(file, key);
    fmt::print("{}: signed by {}\n", signature_file(file), to_text(key.public_key()));
    return kHolds;
  } catch (const SignatureError& error) {
    fmt::print(stderr, "spoor: '{}' {}\n", subject, error.what());
    return kWrongInput;
  }
}

}  // namespace spoor::cli
