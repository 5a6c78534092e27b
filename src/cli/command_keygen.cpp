// spoor keygen NAME
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/signature.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"

namespace spoor::cli {

int run_keygen(Arguments arguments) {
  std::string name;
  CommandLine line("keygen", "Make a pair of keys for signatures: NAME.key, which is secret, and NAME.pub.");
  line.argument("name", name);
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;

  const SecretKey key = SecretKey::generate();
  if (const std::string error = write_new_keys(name, key); !error.empty()) {
    fmt::print(stderr, "spoor: {}\n", error);
    return kWrongInput;
  }
  fmt::print("{0}.key: the secret key, for you alone\n{0}.pub: the public key, {1}\n", name,
             to_text(key.public_key()));
  return kHolds;
}

}  // namespace spoor::cli
