#include "check/aut_front_end.h"

#include <utility>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/files.h"
#include "graph/aut.h"
#include "graph/graph_system.h"

namespace spoor {
namespace {

class AutModel : public SourceModel {
 public:
  AutModel(std::shared_ptr<const GraphSystem> system, Diagnostics diagnostics)
      : system_(std::move(system)),
        diagnostics_(std::move(diagnostics)),
        sha256_(spoor::sha256(system_->sources())) {}

  const std::string& sha256() const override { return sha256_; }
  std::vector<StatedClaim> claims() const override { return {}; }
  std::string why_never(ClaimKind kind) const override {
    switch (kind) {
      case ClaimKind::kNone: break;
      case ClaimKind::kFormula: return "a graph has no formula";
      case ClaimKind::kNever: return "a graph has no never claim";
      case ClaimKind::kAccept:
      case ClaimKind::kProgress: return "a graph has no accept or progress labels";
    }
    return {};
  }
  void warn(const Diagnostic& warning) override {
    diagnostics_.warning(warning.code, warning.range, warning.message, warning.hint);
  }

  std::optional<LoadedModel> load(const ModelOptions&, ExecutionChoice, const ClaimChoice&,
                                  InputError&) const override {
    LoadedModel model;
    model.sha256 = sha256_;
    model.warnings = warnings_of(diagnostics_);
    model.system = system_;
    model.reference = system_.get();
    return model;
  }
  Checkability can_be_checked(const ModelOptions&, const ClaimChoice&, InputError&) const override {
    return Checkability::kPossible;
  }

 private:
  const std::shared_ptr<const GraphSystem> system_;
  Diagnostics diagnostics_;
  const std::string sha256_;
};

}  // namespace

bool AutFrontEnd::recognises(const std::string& path) const { return path.ends_with(".aut"); }

std::unique_ptr<SourceModel> AutFrontEnd::read(const std::string& path, const ModelOptions&,
                                               const std::string& formula, InputError& error) const {
  if (!formula.empty()) {
    error.message = "a graph has no variables, so a formula cannot be checked on it";
    return nullptr;
  }
  std::string reason;
  std::optional<std::string> text = read_file(path, reason);
  if (!text) {
    error.message = fmt::format("cannot read '{}': {}", path, reason);
    return nullptr;
  }
  SourceSet sources;
  sources.add(path, std::move(*text));
  Diagnostics diagnostics;
  std::optional<Graph> graph = read_aut(sources, 0, diagnostics);
  if (!graph || diagnostics.has_errors()) {
    error.diagnostics = std::move(diagnostics);
    error.sources = std::move(sources);
    return nullptr;
  }
  return std::make_unique<AutModel>(std::make_shared<GraphSystem>(std::move(*graph), std::move(sources)),
                                    std::move(diagnostics));
}

}  // namespace spoor
