// The models of tests/models, compiled.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "promela/compile.h"
#include "promela/parse.h"
#include "promela/reduce.h"

namespace spoor {

// Null where the model has errors, or embedded C. `reduce`: with all that reductions change in a program.
inline std::shared_ptr<promela::Program> program_of(promela::ParseResult parsed, bool reduce) {
  if (parsed.diagnostics.has_errors()) return nullptr;
  auto program =
      std::make_shared<promela::Program>(promela::compile(parsed.model, parsed.sources, parsed.diagnostics));
  if (parsed.diagnostics.has_errors() || program->has_embedded_code) return nullptr;
  if (reduce) {
    promela::merge_statements(*program);
    promela::clear_dead_variables(*program);
    promela::find_ample_locations(*program);
    program->uses_stubborn_sets = true;
  }
  return program;
}

// Calls `use` with the name and the program of each model, twice: without reductions and with.
template <class Use>
void for_each_golden_program(const Use& use) {
  for (const auto& file : std::filesystem::directory_iterator(SPOOR_SOURCE_DIR "/tests/models")) {
    if (file.path().extension() != ".pml") continue;
    for (const bool reduce : {false, true}) {
      const auto program = program_of(promela::parse_file(file.path().string(), {}), reduce);
      if (program != nullptr) use(file.path().filename().string(), program);
    }
  }
}

}  // namespace spoor
