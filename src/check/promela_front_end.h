// Promela: text -> Program -> TransitionSystem, by the stages of promela/ and exec/.
//
// Recognises every file that no other front end does, because Promela files have many extensions or none.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "check/front_end.h"
#include "promela/program.h"

namespace spoor {

class PromelaFrontEnd : public FrontEnd {
 public:
  // The name of a formula of the command line.
  static constexpr char kGivenFormula[] = "given";

  bool recognises(const std::string&) const override { return true; }
  std::unique_ptr<SourceModel> read(const std::string& path, const ModelOptions& options,
                                    const std::string& formula, InputError& error) const override;
};

// Reads a Promela model up to its control-flow graphs, also with embedded C. Nothing, with the reasons in
// `error`, when the model cannot be used; the same below.
std::optional<promela::Program> load_program(const std::string& path, const ModelOptions& options,
                                             InputError& error);

// The C that the native tier compiles. If the model has embedded C, that and a form feed come first.
std::optional<std::string> load_c_text(const std::string& path, const ModelOptions& options,
                                       InputError& error);

}  // namespace spoor
