#include "check/front_end.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/aut_front_end.h"
#include "check/promela_front_end.h"

namespace spoor {

FrontEnds front_ends() {
  static const AutFrontEnd aut;
  static const PromelaFrontEnd promela;  // last: it recognises every name
  static const FrontEnd* const table[] = {&aut, &promela};
  return table;
}

std::unique_ptr<SourceModel> read_model(const std::string& path, const ModelOptions& options,
                                        const std::string& formula, InputError& error, FrontEnds languages) {
  const auto found = std::find_if(languages.begin(), languages.end(),
                                  [&](const FrontEnd* language) { return language->recognises(path); });
  if (found == languages.end()) {
    error.message = fmt::format("'{}' is in no language that is known here", path);
    return nullptr;
  }
  return (*found)->read(path, options, formula, error);
}

std::optional<LoadedModel> load_model(const std::string& path, const ModelOptions& options,
                                      ExecutionChoice execution, InputError& error, FrontEnds languages) {
  const std::unique_ptr<SourceModel> model = read_model(path, options, "", error, languages);
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
