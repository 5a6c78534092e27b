// Any text as a formula: it is read, or refused with a reason; what is printed is read again, and the
// automaton of a small formula and that of its negation share no word.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "ltl/emptiness.h"
#include "ltl/hoa.h"
#include "ltl/parse_formula.h"
#include "ltl/translate.h"
#include "ltl/write.h"

namespace {

using namespace spoor;

std::optional<ltl::Formula> read(ltl::Formulas& formulas, const std::string& text) {
  SourceSet sources;
  sources.add("formula", text);
  Diagnostics diagnostics;
  const auto formula = ltl::parse(formulas, sources, 0, diagnostics);
  if (formula.has_value() == diagnostics.has_errors()) std::abort();
  for (const Diagnostic& diagnostic : diagnostics.all()) render(diagnostic, sources, false);
  return formula;
}

void translate_both(ltl::Formulas& formulas, ltl::Formula formula) {
  Diagnostics diagnostics;
  ltl::TranslateOptions options;
  const auto yes = ltl::translate(formulas, formula, options, {}, diagnostics);
  options.target = ltl::Target::kGeneralized;
  const auto no = ltl::translate(formulas, formulas.negation(formula), options, {}, diagnostics);
  if (!yes || !no) return;
  ltl::to_never_claim(*yes, "f");
  ltl::to_hoa(*no, "f");
  ltl::Bdds bdds;
  if (!ltl::are_disjoint(ltl::to_tgba(*yes, bdds), ltl::to_tgba(*no, bdds), bdds).value_or(true)) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  ltl::Formulas formulas;
  const auto formula = read(formulas, text);
  if (!formula || formulas.size(*formula) > 2000) return 0;
  ltl::Formulas others;
  if (!read(others, ltl::to_text(formulas, *formula)) && formulas.depth(*formula) < 100) std::abort();
  if (formulas.size(*formula) <= 10) translate_both(formulas, *formula);
  return 0;
}
