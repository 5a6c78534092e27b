#include "version_pair.h"

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "exec/canonical_code.h"
#include "promela/compile.h"
#include "promela/parse.h"
#include "promela/reduce.h"

namespace spoor::exec {

using promela::kNone;

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
  out.budget = &budget;
  out.may_reduce = may_reduce;
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

std::optional<std::size_t> index_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
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
  return std::make_unique<Interpreter>(program);
}

VersionPair::VersionPair(const Interpreter& before, const Interpreter& after)
    : before_(before), after_(after), comparison_(compare_elements(before.elements(), after.elements())) {
  const auto& old_types = before.program().processes;
  const auto& new_types = after.program().processes;
  for (const promela::ProcessType& type : old_types) {
    const auto found = std::find_if(new_types.begin(), new_types.end(),
                                    [&](const promela::ProcessType& t) { return t.name == type.name; });
    type_of_.push_back(found != new_types.end() ? static_cast<std::uint32_t>(found - new_types.begin())
                                                : kNone);
  }
  new_location_.resize(after.elements().size());
  for (std::uint32_t type = 0; type < new_types.size(); ++type) {
    for (std::uint32_t at = 0; at < new_types[type].locations.size(); ++at) {
      const std::uint32_t element = after.element_table().location(type, at);
      if (element != kNone) new_location_[element] = {type, at};
    }
  }
}

bool VersionPair::is_touched(StateBytes state) const {
  std::vector<std::uint32_t> sets;
  before_.element_sets_of(state, sets);
  return std::any_of(sets.begin(), sets.end(), [&](std::uint32_t set) {
    const auto elements = before_.element_set(set);
    return std::any_of(elements.begin(), elements.end(),
                       [&](std::uint32_t element) { return comparison_.is_changed[element]; });
  });
}

bool VersionPair::translate_location(std::uint32_t old_type, std::uint32_t location, std::uint32_t new_type,
                                     std::uint32_t& found) const {
  const std::uint32_t element = before_.element_table().location(old_type, location);
  if (element == kNone || comparison_.counterpart[element] == ElementComparison::kNothing) return false;
  const NewLocation& to = new_location_[comparison_.counterpart[element]];
  found = to.location;
  return to.type == new_type;
}

// An added variable has its initial value, where that is a constant; one that is gone is left out.
bool VersionPair::translate_variables(const StateView& from, std::uint32_t from_base, StateView& to,
                                      std::uint32_t to_base, std::uint32_t old_type,
                                      std::uint32_t new_type) const {
  const promela::Program& old_program = before_.program();
  const promela::Program& new_program = after_.program();
  const bool is_global = old_type == kNone;
  const auto& old_variables = is_global ? old_program.variables : old_program.processes[old_type].variables;
  const auto& new_variables = is_global ? new_program.variables : new_program.processes[new_type].variables;
  const auto& initializers =
      is_global ? new_program.initializers : new_program.processes[new_type].initializers;
  const std::vector<std::string> old_names = distinct_names(old_variables);
  const std::vector<std::string> new_names = distinct_names(new_variables);
  for (std::size_t i = 0; i < new_variables.size(); ++i) {
    const promela::VariableInfo& variable = new_variables[i];
    std::int32_t value = 0;
    if (const auto old = index_of(old_names, new_names[i])) {
      value = from.get(from_base + old_variables[*old].offset, old_variables[*old].type);
    } else {
      for (const promela::Initializer& init : initializers) {
        if (init.offset != variable.offset) continue;
        if (is_global && init.channel != kNone) {
          value = static_cast<std::int32_t>(init.channel + 1);
          continue;
        }
        if (init.value == kNone || new_program.exprs[init.value].op != promela::Op::kConstant) return false;
        value = variable.type.truncate(new_program.exprs[init.value].value);
      }
    }
    to.set(to_base + variable.offset, variable.type, value);
    if (to.get(to_base + variable.offset, variable.type) != value) return false;
  }
  return true;
}

bool VersionPair::translate_channels(const StateView& from, StateView& to) const {
  for (const StateView::Channel& channel : from.channels()) {
    const std::uint32_t length = from.length(channel);
    if (length == 0) continue;
    const auto found = std::find_if(
        to.channels().begin(), to.channels().end(),
        [&](const StateView::Channel& c) { return c.owner == channel.owner && c.index == channel.index; });
    if (found == to.channels().end()) return false;
    const promela::ChannelType& old_type = before_.program().channel_types[channel.type];
    const promela::ChannelType& new_type = after_.program().channel_types[found->type];
    if (length > new_type.capacity || old_type.fields.size() != new_type.fields.size()) return false;
    for (std::uint32_t slot = 0; slot < length; ++slot) {
      std::vector<std::int32_t> message;
      for (std::uint32_t f = 0; f < old_type.fields.size(); ++f)
        message.push_back(from.field(channel, slot, f));
      to.insert(*found, slot, message);
      for (std::uint32_t f = 0; f < message.size(); ++f) {
        if (to.field(*found, slot, f) != message[f]) return false;
      }
    }
  }
  return true;
}

std::optional<std::vector<std::byte>> VersionPair::translate(StateBytes state) const {
  const promela::Program& old_program = before_.program();
  const promela::Program& new_program = after_.program();
  StateView from(old_program);
  from.load(state);
  StateView to(new_program);
  to.reset();
  if (old_program.uses_priority != new_program.uses_priority ||
      (old_program.last_offset == kNone) != (new_program.last_offset == kNone) ||
      (old_program.trace_process == kNone) != (new_program.trace_process == kNone))
    return std::nullopt;
  if (old_program.last_offset != kNone)
    to.set_byte(new_program.last_offset, from.byte(old_program.last_offset));
  std::uint32_t location = 0;
  if (old_program.trace_process != kNone) {
    if (!translate_location(old_program.trace_process, from.get_u16(old_program.event_offset),
                            new_program.trace_process, location))
      return std::nullopt;
    to.set_u16(new_program.event_offset, location);
  }
  if (!translate_variables(from, 0, to, 0, kNone, kNone)) return std::nullopt;
  for (int pid = 0; pid < from.process_count(); ++pid) {
    const std::uint32_t old_type = from.process_type(pid);
    const std::uint32_t new_type = type_of_[old_type];
    if (new_type == kNone || !translate_location(old_type, from.location(pid), new_type, location))
      return std::nullopt;
    to.add_process(new_type);
    to.set_location(pid, location);
    if (old_program.uses_priority) to.set_priority(pid, from.priority(pid));
    if (!translate_variables(from, from.process_offset(pid), to, to.process_offset(pid), old_type, new_type))
      return std::nullopt;
  }
  if (!translate_channels(from, to)) return std::nullopt;
  return std::vector<std::byte>(to.bytes().begin(), to.bytes().end());
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
