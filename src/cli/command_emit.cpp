// spoor emit FILE: the C that the native tier compiles.
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "check/promela_front_end.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/output.h"
#include "cli/terminal.h"

namespace spoor::cli {

int run_emit(Arguments arguments) {
  std::string path, output;
  ModelOptions options;
  CommandLine line("emit", "Write the C code that a check of the model compiles and runs.");
  line.argument("model", path);
  line.model_options(options);
  line.reductions(options);
  line.value("--output", output);
  if (const std::optional<int> done = line.parse(std::move(arguments))) return *done;
  InputError error;
  const std::optional<std::string> text = load_c_text(path, options, error);
  if (!text) return report_input_error(error, wants_colour("auto", stderr), false);
  return write_output(output, *text);
}

}  // namespace spoor::cli
