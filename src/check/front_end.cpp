#include "check/front_end.h"

#include <algorithm>

#include "check/aut_front_end.h"
#include "check/promela_front_end.h"

namespace spoor {

std::span<const FrontEnd* const> front_ends() {
  static const AutFrontEnd aut;
  static const PromelaFrontEnd promela;  // last: it recognises every name
  static const FrontEnd* const table[] = {&aut, &promela};
  return table;
}

std::unique_ptr<SourceModel> read_model(const std::string& path, const ModelOptions& options,
                                        const std::string& formula, InputError& error) {
  const auto table = front_ends();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const FrontEnd* end) { return end->recognises(path); });
  return (*found)->read(path, options, formula, error);
}

std::optional<LoadedModel> load_model(const std::string& path, const ModelOptions& options,
                                      ExecutionChoice execution, InputError& error) {
  const std::unique_ptr<SourceModel> model = read_model(path, options, "", error);
  if (model == nullptr) return std::nullopt;
  return model->load(options, execution, {}, error);
}

std::vector<Diagnostic> warnings_of(const Diagnostics& diagnostics) {
  std::vector<Diagnostic> warnings;
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity == Severity::kWarning) warnings.push_back(diagnostic);
  }
  return warnings;
}

}  // namespace spoor
