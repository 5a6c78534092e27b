// Explicit graphs in the Aldebaran format (graph/aut.h): states and steps, without variables or claims.
#pragma once

#include <memory>
#include <string>

#include "check/front_end.h"

namespace spoor {

class AutFrontEnd : public FrontEnd {
 public:
  bool recognises(const std::string& path) const override;  // the name ends in .aut
  std::unique_ptr<SourceModel> read(const std::string& path, const ModelOptions& options,
                                    const std::string& formula, InputError& error) const override;
};

}  // namespace spoor
