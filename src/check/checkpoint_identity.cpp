#include "check/checkpoint_identity.h"

#include <fmt/format.h>

#include "version.h"

namespace spoor {

std::string checkpoint_identity(const CheckOptions& options, const std::string& model_sha256) {
  const ModelOptions& m = options.model;
  const std::string property = options.property.empty() ? "safety" : options.property;
  return fmt::format(
      "spoor {} model {} defines {} reduce {} strict {} lose {} end-states {} all-errors {} {}", kVersion,
      model_sha256, fmt::join(m.defines, "\x1f"), m.reduce, m.strict, m.lose_messages, options.end_states,
      options.all_errors,
      options.invariant.empty() ? property : property + " invariant " + options.invariant);
}

}  // namespace spoor
