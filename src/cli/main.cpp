// The entry point of the program `spoor`.

#include <fmt/core.h>

#include "version.h"

int main() {
  fmt::print("spoor {}\n", spoor::kVersion);
  return 0;
}
