#include "exec/elements.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include <xxhash.h>

#include "exec/canonical_code.h"
#include "exec/stubborn_text.h"
#include "promela/liveness.h"

namespace spoor::exec {

using promela::kNone;
using promela::Location;
using promela::Op;
using promela::ProcessType;
using promela::Statement;
using promela::StatementOp;
using promela::Transition;

class Elements::Builder {
 public:
  Builder(const promela::Program& program, const StubbornTables* stubborn, Elements& out)
      : program_(program), names_(program), out_(out) {
    if (stubborn != nullptr) stubborn_.emplace(*stubborn, names_);
    for (const promela::ExprCode& e : program.exprs) {
      numbers_are_values_ |= e.op == Op::kPcValue || e.op == Op::kRemotePredefined;
      turns_come_back_ |= e.op == Op::kEnabled;
    }
    numbers_are_values_ |= program.has_embedded_code;
    turns_come_back_ |= program.uses_priority;
    for (std::uint32_t i = 0; i < program.processes.size() && !turns_come_back_; ++i)
      turns_come_back_ = offers_inside(i);
  }

  void run(StateBytes initial, const std::vector<ProblemAt>& initial_problems) {
    number_elements();
    describe_program(initial, initial_problems);
    describe_channels(kNoOwner, program_.channels);
    for (std::uint32_t i = 0; i < program_.processes.size(); ++i) {
      if (!has_elements(i)) continue;
      describe_process(i);
      describe_channels(i, program_.processes[i].channels);
      if (is_started(i)) describe_run(i);
      for (std::uint32_t at = 0; at < program_.processes[i].locations.size(); ++at) {
        if (out_.locations_[i][at] != kNone) describe_location(i, at);
      }
    }
    describe_beginning(initial);
    if (claim_element_ != kNone) describe_claim();
    number_equal_keys();
    make_sets();
  }

 private:
  struct Process {
    std::uint32_t header = kNone, run = kNone;
  };

  bool has_elements(std::uint32_t process) const {
    return program_.processes[process].kind != promela::BodyKind::kNever;
  }
  bool is_started(std::uint32_t process) const {
    return program_.processes[process].kind == promela::BodyKind::kProctype;
  }
  bool is_trace(std::uint32_t process) const { return process == program_.trace_process; }

  // Can the statement begin a handshake?
  bool may_offer(const Statement& statement, std::uint32_t process) const {
    if (statement.op != StatementOp::kSend) return false;
    const std::set<ChannelName> channels = names_.channels(statement.chan, process);
    return std::any_of(channels.begin(), channels.end(), [&](const ChannelName& name) {
      const auto& declared =
          name.first == kNoOwner ? program_.channels : program_.processes[name.first].channels;
      return program_.channel_types[declared[name.second].type].is_rendezvous();
    });
  }

  // Can a handshake begin in the middle of an indivisible sequence of this process? Then the sender of an
  // earlier one may be the receiver.
  bool offers_inside(std::uint32_t process) const {
    const ProcessType& type = program_.processes[process];
    if (!has_elements(process) || is_trace(process)) return false;
    std::vector<bool> is_inside(type.locations.size());
    for (const Location& location : type.locations) {
      for (const Transition& t : location.transitions) {
        if (t.stays_atomic) is_inside[t.target] = true;
      }
    }
    for (std::size_t i = 0; i < is_inside.size(); ++i) {
      if (!is_inside[i]) continue;
      for (const Transition& t : type.locations[i].transitions) {
        if (may_offer(program_.statements[t.statement], process)) return true;
      }
    }
    return false;
  }

  // ---- Which elements there are, so that they can name each other -------------------------------

  void number_elements() {
    const auto next = [this] {
      out_.elements_.emplace_back();
      needs_.emplace_back();
      return static_cast<std::uint32_t>(out_.elements_.size() - 1);
    };
    const auto number_channels = [&](std::uint32_t owner, std::size_t count) {
      for (std::uint32_t i = 0; i < count; ++i) channels_[{owner, i}] = next();
    };
    program_element_ = next();
    beginning_element_ = next();
    number_channels(kNoOwner, program_.channels.size());
    processes_.resize(program_.processes.size());
    out_.locations_.resize(program_.processes.size());
    for (std::uint32_t i = 0; i < program_.processes.size(); ++i) {
      const ProcessType& type = program_.processes[i];
      out_.locations_[i].assign(type.locations.size(), kNone);
      number_channels(i, type.channels.size());
      if (!has_elements(i)) continue;
      processes_[i].header = next();
      if (is_started(i)) processes_[i].run = next();
      std::vector<bool> reachable = promela::reachable_locations(program_, type);
      // A trace assertion is put at its end when it has nothing more to say.
      if (is_trace(i) && type.end < reachable.size()) reachable[type.end] = true;
      for (std::size_t at = 0; at < reachable.size(); ++at) {
        if (reachable[at]) out_.locations_[i][at] = next();
      }
    }
    if (program_.claim.kind != promela::ClaimCode::Kind::kNone) claim_element_ = next();
  }

  // ---- What they mean ---------------------------------------------------------------------------

  // Elements of different kinds or process types never have the same meaning.
  CanonicalCode begin(const char* kind, std::uint32_t owner) const {
    CanonicalCode code(program_, names_, owner);
    code.text(kind);
    code.text(owner != kNoOwner ? program_.processes[owner].name : "");
    return code;
  }

  void finish(std::uint32_t index, const CanonicalCode& code) {
    Element& element = out_.elements_[index];
    std::string bytes = code.bytes();
    for (const auto& [process, location] : code.locations()) {
      const std::uint32_t named = out_.locations_[process][location];
      bytes.push_back(named == kNone ? '0' : '1');
      if (named != kNone) element.names.push_back(named);
    }
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    element.meaning = {hash.low64, hash.high64};
    for (std::size_t i = 0; i < code.parts().size(); ++i) {
      const auto [name, begin] = code.parts()[i];
      const std::size_t end = i + 1 < code.parts().size() ? code.parts()[i + 1].begin : code.bytes().size();
      element.parts.push_back({name, XXH3_64bits(bytes.data() + begin, end - begin)});
    }
    for (const ChannelName& channel : code.channels()) needs_[index].push_back(channels_.at(channel));
    for (const std::uint32_t process : code.started()) needs_[index].push_back(processes_[process].run);
  }

  static void names(CanonicalCode& code, const std::vector<std::string>& names) {
    code.number(names.size());
    for (const std::string& name : names) code.text(name);
  }

  void describe_program(StateBytes initial, const std::vector<ProblemAt>& initial_problems) {
    Element& element = out_.elements_[program_element_];
    element.key = element.text = "program";
    CanonicalCode code = begin("program", kNoOwner);
    code.part("use of priorities");
    code.number(program_.uses_priority ? 1 : 0);
    code.part("use of _last");
    code.number(program_.last_offset != kNone ? 1 : 0);
    code.part("set of hidden variables that are cleared");
    names(code, names_.variables(kNoOwner, program_.scratch));
    code.part("trace assertion");
    code.text(program_.trace_process != kNone ? program_.processes[program_.trace_process].name : "");
    // The initial state has these findings, and no other state has.
    code.part("error in the initial values");
    code.number(initial_problems.size());
    for (const ProblemAt& problem : initial_problems)
      code.number(static_cast<std::uint64_t>(problem.problem));
    if (!initial_problems.empty())
      code.text(std::string(reinterpret_cast<const char*>(initial.data()), initial.size()));
    code.part("embedded C");
    code.number(program_.has_embedded_code ? 1 : 0);
    if (program_.has_embedded_code) describe_foreign(code);
    code.part("order of steps that the claim can see");
    code.number(stubborn_ ? 1 : 0);
    if (stubborn_) code.text(stubborn_->of_program());
    finish(program_element_, code);
    if (program_.trace_process == kNone) return;
    needs_[program_element_].push_back(processes_[program_.trace_process].header);
  }

  // Values by name, processes by number: layout and numbers of locations are no difference.
  void describe_beginning(StateBytes initial) {
    Element& element = out_.elements_[beginning_element_];
    element.key = element.text = "initial state";
    CanonicalCode code = begin("initial state", kNoOwner);
    StateView view(program_);
    view.load(initial);
    const auto values = [&](const std::vector<promela::VariableInfo>& variables, std::uint32_t base) {
      const std::vector<std::string> variable_names = distinct_names(variables);
      code.number(variables.size());
      for (std::size_t i = 0; i < variables.size(); ++i) {
        code.text(variable_names[i]);
        code.number(static_cast<std::uint32_t>(view.get(base + variables[i].offset, variables[i].type)));
      }
    };
    code.part("value of a global variable");
    values(program_.variables, 0);
    code.part("process");
    code.number(static_cast<std::uint64_t>(view.process_count()));
    for (int pid = 0; pid < view.process_count(); ++pid) {
      code.text(view.process(pid).name);
      code.number(program_.uses_priority ? view.priority(pid) : 0);
      code.location(view.process_type(pid), view.location(pid));
    }
    code.part("value of a local variable");
    for (int pid = 0; pid < view.process_count(); ++pid)
      values(view.process(pid).variables, view.process_offset(pid));
    finish(beginning_element_, code);
  }

  void describe_claim() {
    Element& element = out_.elements_[claim_element_];
    element.key = element.text = "claim";
    element.position = program_.claim.range.begin;
    CanonicalCode code = begin("claim", kNoOwner);
    code.part("atom");
    code.number(program_.claim.atoms.size());
    for (const promela::ExprId atom : program_.claim.atoms) code.expression(atom);
    finish(claim_element_, code);
  }

  // Embedded C can use all of what is declared.
  void describe_foreign(CanonicalCode& code) const {
    const promela::ForeignCode& foreign = program_.foreign;
    const auto variables = [&](const std::vector<promela::ForeignVariable>& list) {
      code.number(list.size());
      for (const promela::ForeignVariable& variable : list) {
        code.text(variable.declaration);
        code.number(variable.is_hidden ? 1 : 0);
      }
    };
    for (const auto* list : {&foreign.before, &foreign.after}) {
      code.number(list->size());
      for (const promela::ForeignText& part : *list) code.text(part.code);
    }
    names(code, foreign.records);
    variables(foreign.globals);
    for (std::uint32_t i = 0; i < foreign.locals.size(); ++i) {
      code.text(program_.processes[i].name);
      variables(foreign.locals[i]);
    }
    code.number(foreign.data.size());
    for (const promela::ForeignData& data : foreign.data) {
      code.number(static_cast<std::uint64_t>(data.kind));
      code.text(data.text);
      code.text(data.size);
      code.text(data.process != kNone ? program_.processes[data.process].name : "");
    }
  }

  void describe_channels(std::uint32_t owner, const std::vector<promela::ChannelInfo>& channels) {
    for (std::uint32_t i = 0; i < channels.size(); ++i) {
      const promela::ChannelType& type = program_.channel_types[channels[i].type];
      Element& element = out_.elements_[channels_.at({owner, i})];
      element.text = "chan " + channels[i].name;
      element.key = owner == kNoOwner ? element.text
                                      : "chan " + program_.processes[owner].name + ":" + channels[i].name;
      CanonicalCode code = begin("chan", owner);
      // Numbers are given out over the globals first.
      code.part("place among the channels");
      code.number(owner == kNoOwner ? i : program_.channels.size() + i);
      code.part("capacity");
      code.number(type.capacity);
      code.part("list of fields");
      code.number(type.fields.size());
      for (const promela::ChannelField& field : type.fields) code.type(field);
      finish(channels_.at({owner, i}), code);
    }
  }

  void describe_process(std::uint32_t process) {
    const ProcessType& type = program_.processes[process];
    const std::uint32_t index = processes_[process].header;
    Element& element = out_.elements_[index];
    element.key = element.text = "proctype " + type.name;
    element.position = type.position;
    CanonicalCode code = begin("proctype", process);
    code.part("kind of body");
    code.number(static_cast<std::uint64_t>(type.kind));
    code.number(type.deterministic ? 1 : 0);
    code.part("provided clause");
    code.expression(type.provided);
    code.part("list of xr and xs");
    code.number(type.claims.size());
    for (const promela::ChannelClaimCode& claim : type.claims) {
      code.number(claim.receive ? 1 : 0);
      code.expression(claim.chan);
    }
    code.part("number of local channels");
    code.number(type.channels.size());
    if (is_trace(process)) {
      code.part("set of traced channels");
      for (const auto* watched : {&program_.traced_sends, &program_.traced_receives}) {
        code.number(watched->size());
        for (const promela::ExprId channel : *watched) code.expression(channel);
      }
      code.location(process, type.end);
      for (const std::uint32_t location : out_.locations_[process]) {
        if (location != kNone) needs_[index].push_back(location);
      }
    } else {
      needs_[index].push_back(program_element_);
    }
    finish(index, code);
  }

  void describe_run(std::uint32_t process) {
    const ProcessType& type = program_.processes[process];
    const std::uint32_t index = processes_[process].run;
    Element& element = out_.elements_[index];
    element.key = element.text = "run " + type.name;
    element.position = type.position;
    CanonicalCode code = begin("run", process);
    code.part("list of parameters and variables");
    code.number(type.parameters.size());
    const std::vector<std::string> variables = distinct_names(type.variables);
    code.number(variables.size());
    for (std::size_t i = 0; i < variables.size(); ++i) {
      code.text(variables[i]);
      code.type(type.variables[i].type);
    }
    code.part("initial value");
    code.initializers(type.initializers);
    code.part("number of global channels");
    code.number(type.channels.empty() ? 0 : program_.channels.size());
    describe_target(code, process, type.start);
    if (program_.has_embedded_code) {
      code.part("embedded C");
      const std::uint32_t fragment = program_.foreign.at_start[process];
      code.text(fragment != kNone ? program_.foreign.fragments[fragment].code : "");
    }
    finish(index, code);
    needs_[index].push_back(processes_[process].header);
    needs_[index].push_back(out_.locations_[process][type.start]);
  }

  void describe_target(CanonicalCode& code, std::uint32_t process, std::uint32_t location) const {
    const Location& target = program_.processes[process].locations[location];
    code.part("set of dead variables behind it");
    code.location(process, location);
    names(code, names_.variables(process, target.dead));
    code.part("label behind it");
    // The receiver of a handshake, when it is asked whether it matches, may ask where the sender is by now.
    code.number((target.is_accept ? 1U : 0U) + (target.is_progress ? 2U : 0U));
    if (numbers_are_values_) code.number(location);
  }

  void describe_location(std::uint32_t process, std::uint32_t at) {
    const ProcessType& type = program_.processes[process];
    const Location& location = type.locations[at];
    const std::uint32_t index = out_.locations_[process][at];
    Element& element = out_.elements_[index];
    element.position = location.position;
    element.key = type.name + location.path + ":" + first_statement(location);
    CanonicalCode code = begin("location", process);
    code.part("label");
    code.number((location.is_end ? 1U : 0U) + (location.is_accept ? 2U : 0U) +
                (location.is_progress ? 4U : 0U));
    code.part("partial-order reduction");
    code.number(location.is_ample ? 1 : 0);
    code.part("use of variables and channels later on");
    if (stubborn_ && !is_trace(process)) code.text(stubborn_->of_location(process, at));
    code.part("number of the location");
    if (numbers_are_values_) code.number(at);
    code.part("number of ways out");
    code.number(location.transitions.size());
    std::vector<std::uint32_t> escapes = {0};
    for (const Transition& t : location.transitions) {
      const Statement& statement = program_.statements[t.statement];
      if (!element.text.empty()) element.text += " | ";
      element.text += statement.text;
      code.part("statement");
      code.statement(t.statement);
      code.part("unless clause");
      // The number of an escape only says which transitions belong together.
      const auto known = std::find(escapes.begin(), escapes.end(), t.escape);
      code.number(static_cast<std::uint64_t>(known - escapes.begin()));
      if (known == escapes.end()) escapes.push_back(t.escape);
      code.part("extent of the indivisible sequence");
      code.number(t.stays_atomic ? 1 : 0);
      if (statement.op == StatementOp::kEnd) continue;
      describe_target(code, process, t.target);
      const bool may_go_on = t.stays_atomic || (turns_come_back_ && may_offer(statement, process));
      if (may_go_on && !is_trace(process)) needs_[index].push_back(out_.locations_[process][t.target]);
    }
    finish(index, code);
    if (!is_trace(process)) needs_[index].push_back(processes_[process].header);
  }

  // Of the ordinary ones, where there are any.
  std::string first_statement(const Location& location) const {
    const auto& transitions = location.transitions;
    if (transitions.empty()) return {};
    const auto is_ordinary = [](const Transition& t) { return t.escape == 0; };
    const auto found = std::find_if(transitions.begin(), transitions.end(), is_ordinary);
    const Statement& s =
        program_.statements[(found != transitions.end() ? *found : transitions[0]).statement];
    if (s.op != StatementOp::kDStep) return s.text;
    for (const promela::DStepNode& node : program_.dsteps[s.dstep].nodes) {
      if (node.statement != kNone) return "d_step " + program_.statements[node.statement].text;
    }
    return s.text;
  }

  void number_equal_keys() {
    std::unordered_map<std::string, int> seen;
    for (Element& element : out_.elements_) {
      const int before = seen[element.key]++;
      if (before > 0) element.key += "#" + std::to_string(before);
    }
  }

  // ---- Sets -------------------------------------------------------------------------------------

  void make_sets() {
    std::map<std::vector<std::uint32_t>, std::uint32_t> known;
    std::size_t entries = 0;
    std::vector<std::uint32_t> seen_by(out_.elements_.size(), kNone);
    for (std::uint32_t i = 0; i < program_.processes.size(); ++i) {
      const ProcessType& type = program_.processes[i];
      out_.blocks_.push_back({type.size, std::vector<std::uint32_t>(type.locations.size(), kNone)});
      if (!has_elements(i) || is_trace(i)) continue;
      for (std::size_t at = 0; at < type.locations.size(); ++at) {
        const std::uint32_t element = out_.locations_[i][at];
        if (element == kNone) continue;
        std::vector<std::uint32_t> set = entries < kMostEntries ? closure(element, seen_by) : everything();
        const auto [entry, is_new] = known.emplace(set, static_cast<std::uint32_t>(out_.sets_.size()));
        if (is_new) {
          entries += set.size();
          out_.sets_.push_back(std::move(set));
        }
        out_.blocks_[i].sets[at] = entry->second;
      }
    }
    if (claim_element_ != kNone) out_.claim_ = closure(claim_element_, seen_by);
  }

  std::vector<std::uint32_t> closure(std::uint32_t first, std::vector<std::uint32_t>& seen_by) const {
    std::vector<std::uint32_t> found = {first};
    seen_by[first] = first;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const std::uint32_t needed : needs_[found[i]]) {
        if (needed == kNone || seen_by[needed] == first) continue;
        seen_by[needed] = first;
        found.push_back(needed);
      }
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  std::vector<std::uint32_t> everything() const {
    std::vector<std::uint32_t> all(out_.elements_.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }

  const promela::Program& program_;
  const CodeNames names_;
  Elements& out_;
  std::optional<StubbornText> stubborn_;
  bool numbers_are_values_ = false;  // locations have numbers that something reads
  bool turns_come_back_ = false;     // the sender of a handshake may be looked at again in the same step
  std::uint32_t program_element_ = 0;
  std::uint32_t beginning_element_ = 0;
  std::uint32_t claim_element_ = kNone;
  std::map<ChannelName, std::uint32_t> channels_;
  std::vector<Process> processes_;
  std::vector<std::vector<std::uint32_t>> needs_;  // by element
};

Elements::Elements(const promela::Program& program, StateBytes initial,
                   const std::vector<ProblemAt>& initial_problems, const StubbornTables* stubborn)
    : globals_size_(program.globals_size), location_bytes_(program.location_bytes) {
  Builder(program, stubborn, *this).run(initial, initial_problems);
}

void Elements::sets_of(StateBytes state, std::vector<std::uint32_t>& out) const {
  if (state.empty()) return;
  const auto byte = [&](std::size_t at) { return static_cast<std::uint32_t>(state[at]); };
  std::size_t at = globals_size_;
  for (std::uint32_t left = byte(0); left > 0; --left) {
    if (at + 1 + location_bytes_ > state.size() || byte(at) >= blocks_.size()) return;
    const Block& block = blocks_[byte(at)];
    const std::uint32_t location = byte(at + 1) + (location_bytes_ == 2 ? byte(at + 2) << 8 : 0);
    if (location >= block.sets.size() || block.sets[location] == kNone) return;
    out.push_back(block.sets[location]);
    at += block.bytes;
  }
}

std::optional<TransitionSystem::SetPlaces> Elements::set_places(StateBytes like) const {
  if (like.empty()) return std::nullopt;
  TransitionSystem::SetPlaces found;
  found.structure.push_back(0);
  std::uint32_t at = globals_size_;
  for (auto left = static_cast<std::uint32_t>(like[0]); left > 0; --left) {
    if (at + 1 + location_bytes_ > like.size() || static_cast<std::size_t>(like[at]) >= blocks_.size())
      return std::nullopt;
    const Block& block = blocks_[static_cast<std::size_t>(like[at])];
    found.structure.push_back(at);
    found.places.push_back({at + 1, location_bytes_, block.sets});
    at += block.bytes;
  }
  return found;
}

// A process comes to a location by a step that leads there, and begins at its first.
void Elements::sets_after(const promela::Program& program, std::span<const std::uint8_t> executed,
                          std::vector<std::uint32_t>& out) const {
  const auto is_executed = [&](promela::StatementId statement) {
    return statement >= executed.size() || executed[statement] != 0;
  };
  std::vector<bool> has_set(sets_.size());
  for (std::size_t process = 0; process < blocks_.size(); ++process) {
    const promela::ProcessType& type = program.processes[process];
    const auto add = [&](std::uint32_t location) {
      const std::vector<std::uint32_t>& sets = blocks_[process].sets;
      if (location < sets.size() && sets[location] != kNone) has_set[sets[location]] = true;
    };
    add(type.start);
    for (const promela::Location& location : type.locations) {
      for (const promela::Transition& transition : location.transitions) {
        if (is_executed(transition.statement)) add(transition.target);
      }
    }
  }
  for (std::uint32_t set = 0; set < has_set.size(); ++set) {
    if (has_set[set]) out.push_back(set);
  }
}

}  // namespace spoor::exec
