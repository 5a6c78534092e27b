#include "version_pair.h"

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "promela/compile.h"
#include "promela/parse.h"
#include "promela/reduce.h"

namespace spoor::exec {

namespace {

// An expansion that grows beyond all bounds is not worth a comparison.
class SmallExpansions : public ExpansionBudget {
 public:
  bool is_exhausted(std::uint64_t bytes) override {
    return bytes > (std::uint64_t{64} << 20) || ++asked_ > 200;
  }

 private:
  std::uint64_t asked_ = 0;
};

struct Answer {
  std::vector<std::vector<std::byte>> successors;
  std::vector<std::pair<Problem, std::int64_t>> findings;  // with the successor; -1: failed, -2: the state
  bool is_reduced = false;
  bool was_cut = false;
};

Answer expand(const Interpreter& system, StateBytes state, bool may_reduce) {
  Expansion out;
  SmallExpansions budget;
  out.asked.budget = &budget;
  out.asked.may_reduce = may_reduce;
  system.expand(state, out);
  Answer answer;
  answer.is_reduced = out.is_reduced;
  answer.was_cut = out.was_cut;
  for (const Successor& successor : out.successors) {
    const StateBytes bytes = out.state(successor);
    answer.successors.emplace_back(bytes.begin(), bytes.end());
  }
  for (const Finding& finding : out.findings) {
    std::int64_t where = finding.step == Finding::kStateItself ? -2 : -1;
    for (std::size_t i = 0; i < out.successors.size(); ++i) {
      if (out.successors[i].step == finding.step) where = static_cast<std::int64_t>(i);
    }
    answer.findings.emplace_back(problem_of(finding.identity), where);
  }
  return answer;
}

std::string text_of(const Interpreter& system, StateBytes state) {
  std::string text;
  for (const std::string& line : system.describe(state)) text += "    " + line + "\n";
  return text;
}

std::string text_of(const Interpreter& system, const Answer& answer) {
  std::string text = answer.is_reduced ? "  (reduced)\n" : "";
  for (const auto& successor : answer.successors) text += "  successor\n" + text_of(system, successor);
  for (const auto& [problem, where] : answer.findings)
    text += "  finding " + describe(problem, "..") + " at " + std::to_string(where) + "\n";
  return text;
}

}  // namespace

std::unique_ptr<Interpreter> version_of(const std::string& text, VersionReductions reductions,
                                        const std::vector<std::string>& defines) {
  promela::ParseOptions options;
  options.defines = defines;
  promela::ParseResult parsed = promela::parse_text("test.pml", text, options);
  if (parsed.diagnostics.has_errors()) return nullptr;
  auto program =
      std::make_shared<promela::Program>(promela::compile(parsed.model, parsed.sources, parsed.diagnostics));
  if (parsed.diagnostics.has_errors() || program->has_embedded_code) return nullptr;
  if (reductions.merge) promela::merge_statements(*program);
  if (reductions.dead) promela::clear_dead_variables(*program);
  if (reductions.order) promela::find_ample_locations(*program);
  program->uses_stubborn_sets = reductions.stubborn;
  return std::make_unique<Interpreter>(program);
}

VersionPair::VersionPair(const Interpreter& before, const Interpreter& after)
    : before_(before),
      after_(after),
      comparison_(compare_elements(before.elements(), after.elements())),
      translator_(before.layout()->translator_to(*after.layout(), comparison_)),
      back_(after.layout()->translator_to(*before.layout(),
                                          compare_elements(after.elements(), before.elements()))),
      is_undone_(translator_ != nullptr && translator_->is_undone_by(*back_)) {}

bool VersionPair::is_touched(StateBytes state) const {
  std::vector<std::uint32_t> sets;
  before_.element_sets_of(state, sets);
  return std::any_of(sets.begin(), sets.end(), [&](std::uint32_t set) {
    const auto elements = before_.element_set(set);
    return std::any_of(elements.begin(), elements.end(),
                       [&](std::uint32_t element) { return comparison_.is_changed[element]; });
  });
}

std::optional<std::vector<std::byte>> VersionPair::translate(StateBytes state) const {
  std::vector<std::byte> translated;
  if (translator_ == nullptr || !translator_->translate(state, translated)) return std::nullopt;
  return translated;
}

bool VersionPair::is_lost(StateBytes state, StateBytes translated) const {
  std::vector<std::byte> there_and_back;
  return is_undone_ &&
         (!back_->translate(translated, there_and_back) ||
          !std::equal(state.begin(), state.end(), there_and_back.begin(), there_and_back.end()));
}

std::string VersionPair::difference(StateBytes state, StateBytes translated, bool may_reduce) const {
  const Answer was = expand(before_, state, may_reduce);
  const Answer is = expand(after_, translated, may_reduce);
  if (was.was_cut || is.was_cut) return {};
  bool is_same = was.findings == is.findings && was.is_reduced == is.is_reduced &&
                 was.successors.size() == is.successors.size();
  for (std::size_t i = 0; is_same && i < was.successors.size(); ++i)
    is_same = translate(was.successors[i]) == is.successors[i];
  if (is_same) return {};
  return "state\n" + text_of(before_, state) + "old version\n" + text_of(before_, was) + "new version\n" +
         text_of(after_, is);
}

VersionPair::Figures VersionPair::compare(std::size_t most_states) const {
  Figures figures;
  const auto text = [](StateBytes state) {
    return std::string(reinterpret_cast<const char*>(state.data()), state.size());
  };
  std::deque<std::vector<std::byte>> todo = {before_.initial_state()};
  std::unordered_set<std::string> seen = {text(todo.front())};
  for (; !todo.empty() && figures.states < most_states; todo.pop_front()) {
    const std::vector<std::byte>& state = todo.front();
    ++figures.states;
    const bool touched = is_touched(state);
    if (!touched) ++figures.untouched;
    if (const auto translated = translate(state)) {
      if (is_lost(state, *translated)) figures.violation = "not translated back\n" + text_of(before_, state);
      std::string found = difference(state, *translated, false);
      if (found.empty()) found = difference(state, *translated, true);
      if (!touched) {
        ++figures.compared;
        if (!found.empty() && figures.violation.empty()) figures.violation = found;
      } else if (!found.empty()) {
        ++figures.differing;
      }
    }
    const Answer answer = expand(before_, state, false);
    for (const auto& successor : answer.successors) {
      if (seen.insert(text(successor)).second) todo.push_back(successor);
    }
  }
  return figures;
}

}  // namespace spoor::exec
