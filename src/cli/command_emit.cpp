// spoor emit FILE: the C that the native tier compiles.
#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/load.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "exec/emit.h"

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
  const std::optional<promela::Program> program = load_program(path, options, error);
  if (!program) return report_input_error(error, wants_colour("auto", stderr), false);
  if (const std::optional<std::string> reason = exec::why_not_native(*program)) {
    error.message = fmt::format("this model is interpreted, there is no C for it: {}", *reason);
    return report_input_error(error, wants_colour("auto", stderr), false);
  }
  return write_output(output, exec::emit_c(*program, machine_options(options)));
}

}  // namespace spoor::cli
