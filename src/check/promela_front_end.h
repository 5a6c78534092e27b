// Promela: text -> Program -> TransitionSystem, by the stages of promela/ and exec/.
//
// Takes every file that no other front end recognises, because models of Promela have many endings or none.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "check/front_end.h"
#include "promela/program.h"

namespace spoor {

class PromelaFrontEnd : public FrontEnd {
 public:
  // The name of a formula that the user gives beside the model.
  static constexpr char kGivenFormula[] = "given";

  bool recognises(const std::string&) const override { return true; }
  std::unique_ptr<SourceModel> read(const std::string& path, const ModelOptions& options,
                                    const std::string& formula, InputError& error) const override;
};

// Reads a Promela model as far as its control-flow graphs; embedded C is no obstacle. Nothing, with the
// reasons in `error`, when the model cannot be used; the same below.
std::optional<promela::Program> load_program(const std::string& path, const ModelOptions& options,
                                             InputError& error);

// The C that the native tier compiles; before it, and a form feed, the model's own, if it has any.
std::optional<std::string> load_c_text(const std::string& path, const ModelOptions& options,
                                       InputError& error);

}  // namespace spoor
