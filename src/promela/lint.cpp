// Runs the passes and sorts their warnings by position.
//
// Tested by: tests/unit/test_lint.cpp
#include "promela/lint.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "promela/lint_passes.h"

namespace spoor::promela {

void lint(const Model& model, Diagnostics& diagnostics) {
  Diagnostics found;
  lint_usage(model, found);
  lint_flow(model, found);
  lint_values(model, found);

  std::vector<Diagnostic> sorted = found.all();
  const auto key = [](const Diagnostic& d) {
    const Position& p = d.range.begin;
    return std::tie(p.file, p.line, p.column, d.code, d.message);
  };
  std::sort(sorted.begin(), sorted.end(),
            [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  // The body of an inline or a macro is in the tree once per use.
  const auto last = std::unique(sorted.begin(), sorted.end(),
                                [&](const Diagnostic& a, const Diagnostic& b) { return key(a) == key(b); });
  for (auto d = sorted.begin(); d != last; ++d) {
    diagnostics.warning(d->code, d->range, d->message, d->hint);
  }
}

}  // namespace spoor::promela
