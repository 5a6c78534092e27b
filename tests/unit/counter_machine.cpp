#include "unit/counter_machine.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/files.h"
#include "base/hash.h"
#include "ltl/invariant.h"
#include "ltl/parse_formula.h"
#include "ltl/translate.h"
#include "model/propositions.h"

namespace spoor {
namespace {

constexpr char kGivenName[] = "given";  // of the formula of the command line

struct Instruction {
  char op = 0;               // the first letter of its name
  std::size_t counter = 0;   // of all but goto
  std::uint32_t number = 0;  // where it jumps to, or what the counter must be below
  std::string label;
  std::size_t thread = 0;
};
struct Atom {
  std::size_t counter = 0;
  char comparison = '=';
  std::uint32_t number = 0;
};
struct Program {
  std::vector<std::string> counters, threads;
  std::vector<std::uint32_t> begins;      // of each thread, and the end of the last
  std::vector<Instruction> instructions;  // of all threads
  std::vector<Element> elements;          // one each
  std::vector<std::pair<std::string, std::string>> claims;
  SourceSet sources;

  std::size_t counter(const std::string& name) {
    const auto found = std::ranges::find(counters, name);
    if (found != counters.end()) return static_cast<std::size_t>(found - counters.begin());
    counters.push_back(name);
    return counters.size() - 1;
  }
};

// The whole of the semantics; the rest says what happened in words.
class CounterMachine : public TransitionSystem, public Propositions {
 public:
  CounterMachine(std::shared_ptr<const Program> program, std::vector<Atom> atoms)
      : program_(std::move(program)), atoms_(std::move(atoms)) {
    for (std::uint32_t i = 0; i < program_->instructions.size(); ++i) numbers_.push_back(i);
  }

  std::vector<std::byte> initial_state() const override {
    std::vector<std::byte> state(program_->counters.size());
    for (std::size_t i = 0; i < threads(); ++i) state.push_back(std::byte(program_->begins[i]));
    return state;
  }
  void expand(StateBytes state, Expansion& out) const override {
    bool has_ended = true, can_move = false;
    std::uint8_t* const executed = out.executed_flags(program_->instructions.size());
    for (std::size_t thread = 0; thread < threads(); ++thread) {
      const std::uint32_t at = place_of(state, thread);
      if (at == program_->begins[thread + 1]) continue;
      has_ended = false;
      const Instruction& instruction = program_->instructions[at];
      const std::uint32_t value = std::to_integer<std::uint32_t>(state[instruction.counter]);
      if (instruction.op == 'd' && value == 0) continue;
      can_move = true;
      const StepId step = StepId::first_of(thread);
      if (executed != nullptr) executed[at] = 1;
      if (instruction.op == 'i' && value == 255) {  // no successor
        out.findings.push_back({FindingKind::kRuntimeError, at, step});
        continue;
      }
      if (instruction.op == 'a' && value >= instruction.number) {
        out.findings.push_back({FindingKind::kAssertion, at, step});
      }
      const bool jumps = instruction.op == 'g' || (instruction.op == 'j' && value == 0);
      const int change = instruction.op == 'i' ? 1 : instruction.op == 'd' ? -1 : 0;
      const auto offset = static_cast<std::uint32_t>(out.arena.size());
      out.arena.append(state);
      out.arena[offset + program_->counters.size() + thread] = std::byte(jumps ? instruction.number : at + 1);
      if (change != 0) out.arena[offset + instruction.counter] = std::byte(static_cast<int>(value) + change);
      out.successors.push_back({step, offset, static_cast<std::uint32_t>(state.size())});
      if (out.asked.columns.labels) out.labels.push_back(at);
    }
    if (!has_ended && !can_move) out.findings.push_back({FindingKind::kDeadlock, 0, Finding::kStateItself});
  }
  AtomValues atom_values(StateBytes state, std::shared_ptr<void>&, std::vector<Finding>&) const override {
    AtomValues values;
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      const auto value = std::to_integer<std::uint32_t>(state[atoms_[i].counter]);
      const bool holds = atoms_[i].comparison == '<'   ? value < atoms_[i].number
                         : atoms_[i].comparison == '>' ? value > atoms_[i].number
                                                       : value == atoms_[i].number;
      values.truth |= std::uint64_t{holds} << i;
    }
    return values;
  }
  const Propositions* propositions() const override { return this; }

  Explanation explain(StateBytes state, StepId id) const override {
    const auto thread = static_cast<std::size_t>(id.group());
    const std::uint32_t at = place_of(state, thread);
    Expansion out;
    step(state, id, out);
    Explanation explanation;
    explanation.findings.assign(out.findings.begin(), out.findings.end());
    Action& action = explanation.actions.emplace_back();
    action.process = static_cast<int>(thread);
    action.process_name = program_->threads[thread];
    action.position = program_->elements[at].position;
    action.statement = program_->elements[at].text;
    action.key = program_->elements[at].key;
    action.location = action.transition = at;
    if (out.successors.empty()) return explanation;
    const StateBytes target = out.state(out.successors[0]);
    explanation.target.assign(target.begin(), target.end());
    for (std::size_t i = 0; i < program_->counters.size(); ++i) {
      if (state[i] != target[i]) action.changes.push_back(describe(target)[i]);
    }
    return explanation;
  }
  std::vector<std::string> describe(StateBytes state) const override {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < state.size(); ++i) {
      const std::size_t threads_begin = program_->counters.size();
      const std::string& name =
          i < threads_begin ? program_->counters[i] : program_->threads[i - threads_begin];
      lines.push_back(name + " = " + std::to_string(std::to_integer<int>(state[i])));
    }
    return lines;
  }
  std::string message(const Finding& finding) const override {
    if (finding.kind == FindingKind::kDeadlock) return "no thread can move";
    return program_->elements[finding.identity].text +
           (finding.kind == FindingKind::kAssertion ? " fails" : " is one too many");
  }
  Position place(const Finding& finding) const override {
    return finding.kind == FindingKind::kDeadlock ? Position{}
                                                  : program_->elements[finding.identity].position;
  }
  const std::vector<Element>& elements() const override { return program_->elements; }
  void element_sets_of(StateBytes state, std::vector<std::uint32_t>& out) const override {
    for (std::size_t i = 0; i < threads(); ++i) {
      if (const std::uint32_t at = place_of(state, i); at != program_->begins[i + 1]) out.push_back(at);
    }
  }
  std::span<const std::uint32_t> element_set(std::uint32_t set) const override { return {&numbers_[set], 1}; }
  std::uint32_t element_set_count() const override { return static_cast<std::uint32_t>(numbers_.size()); }
  const std::vector<Element>& statements() const override { return program_->elements; }
  const SourceSet& sources() const override { return program_->sources; }

 private:
  std::size_t threads() const { return program_->threads.size(); }
  std::uint32_t place_of(StateBytes state, std::size_t thread) const {
    return std::to_integer<std::uint32_t>(state[program_->counters.size() + thread]);
  }

  const std::shared_ptr<const Program> program_;
  const std::vector<Atom> atoms_;
  std::vector<std::uint32_t> numbers_;
};

class CounterModel : public SourceModel {
 public:
  explicit CounterModel(Program program)
      : program_(std::make_shared<const Program>(std::move(program))),
        sha256_(spoor::sha256(program_->sources)) {}

  const std::string& sha256() const override { return sha256_; }
  std::vector<StatedClaim> claims() const override {
    std::vector<StatedClaim> claims;
    for (const auto& [name, formula] : program_->claims) {
      const auto index = static_cast<std::uint32_t>(claims.size());
      claims.push_back({ClaimKind::kFormula, name, {}, index, 0, name == kGivenName});
    }
    return claims;
  }
  std::string why_never(ClaimKind kind) const override {
    const bool is_possible = kind == ClaimKind::kNone || kind == ClaimKind::kFormula;
    return is_possible ? "" : "a counter machine has formulas only";
  }
  void warn(const Diagnostic&) override {}

  std::optional<LoadedModel> load(const ModelOptions&, ExecutionChoice, const ClaimChoice& choice,
                                  InputError& error) const override {
    LoadedModel model;
    std::vector<Atom> atoms;
    if (choice.kind == ClaimKind::kFormula && !read_claim(choice.index, model.claim, atoms, error)) return {};
    model.claim.is_invariant = choice.is_invariant;
    const auto system = std::make_shared<CounterMachine>(program_, std::move(atoms));
    model.system = system;
    model.reference = system.get();
    model.propositions = model.reference_propositions = system.get();
    model.sha256 = sha256_;
    model.execution = [] { return Execution{Execution::Tier::kInterpreter, "there is none for counters"}; };
    return model;
  }
  Checkability can_be_checked(const ModelOptions&, const ClaimChoice& choice,
                              InputError& error) const override {
    Claim claim;
    std::vector<Atom> atoms;
    const bool is_possible =
        choice.kind != ClaimKind::kFormula || read_claim(choice.index, claim, atoms, error);
    return is_possible ? Checkability::kPossible : Checkability::kMistake;
  }

 private:
  bool read_claim(std::uint32_t index, Claim& claim, std::vector<Atom>& atoms, InputError& error) const {
    error.sources.add("formula", program_->claims[index].second);
    ltl::Formulas formulas;
    const std::optional<ltl::Formula> formula = ltl::parse(formulas, error.sources, 0, error.diagnostics);
    if (!formula) return false;
    for (std::string text : formulas.atoms()) {
      std::erase(text, ' ');
      const std::size_t at = text.find_first_of("<>=");
      const auto counter = std::ranges::find(program_->counters, text.substr(0, at));
      if (at == std::string::npos || counter == program_->counters.end()) {
        error.message = "'" + text + "' says nothing about a counter";
        return false;
      }
      const auto number =
          static_cast<std::uint32_t>(std::stoul(text.substr(text.find_first_not_of("<>=", at))));
      atoms.push_back({static_cast<std::size_t>(counter - program_->counters.begin()), text[at], number});
    }
    claim.invariant = ltl::invariant_of(formulas, *formula);
    auto automaton = ltl::translate(formulas, formulas.negation(*formula), {}, {}, error.diagnostics);
    if (!automaton) return false;
    claim.kind = ClaimKind::kFormula;
    claim.name = program_->claims[index].first;
    claim.automaton = std::move(*automaton);
    return true;
  }

  const std::shared_ptr<const Program> program_;
  const std::string sha256_;
};

// Nothing, with the reason in `message`, where the text has a mistake.
std::optional<Program> parse(const std::string& path, const std::string& text, std::string& message) {
  Program program;
  std::map<std::pair<std::size_t, std::string>, std::uint32_t> labels;
  std::istringstream lines(text);
  std::string line;
  for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string word, name, less;
    if (!(words >> word)) continue;
    const auto here = static_cast<std::uint32_t>(program.instructions.size());
    const std::size_t thread = program.threads.size() - 1;
    Instruction instruction{word[0], 0, 0, "", thread};
    bool is_good = true;
    if (word == "thread") {
      is_good = static_cast<bool>(words >> program.threads.emplace_back());
      program.begins.push_back(here);
    } else if (word == "claim") {
      is_good = static_cast<bool>(words >> name);
      std::getline(words, line);
      program.claims.emplace_back(name, line);
    } else if (word.back() == ':') {
      labels[{thread, word.substr(0, word.size() - 1)}] = here;
    } else {
      is_good = !program.threads.empty() && here < 255;
      if (word != "goto" && words >> name) instruction.counter = program.counter(name);
      if (word == "goto" || word == "jz") {
        is_good = is_good && words >> instruction.label;
      } else if (word == "assert") {
        is_good = is_good && words >> less >> instruction.number && less == "<";
      } else {
        is_good = is_good && !name.empty() && (word == "inc" || word == "dec");
      }
      program.instructions.push_back(instruction);
      const std::string key =
          (program.threads.empty() ? "" : program.threads.back()) + ":" + std::to_string(here);
      program.elements.push_back(
          {key, {0, number, 1}, line, {hash_bytes(std::as_bytes(std::span(line))), 0}});
    }
    if (!is_good) {
      message = path + ":" + std::to_string(number) + ": this is no instruction";
      return std::nullopt;
    }
  }
  program.begins.push_back(static_cast<std::uint32_t>(program.instructions.size()));
  for (Instruction& instruction : program.instructions) {
    if (instruction.label.empty()) continue;
    const auto found = labels.find({instruction.thread, instruction.label});
    if (found == labels.end()) {
      message = path + ": there is no label '" + instruction.label + "'";
      return std::nullopt;
    }
    instruction.number = found->second;
  }
  program.sources.add(path, text);
  return program;
}

}  // namespace

std::unique_ptr<SourceModel> CounterMachineFrontEnd::read(const std::string& path, const ModelOptions&,
                                                          const std::string& formula,
                                                          InputError& error) const {
  const std::optional<std::string> text = read_file(path, error.message);
  if (!text) return nullptr;
  std::optional<Program> program = parse(path, *text, error.message);
  if (!program) return nullptr;
  if (!formula.empty()) program->claims.emplace_back(kGivenName, formula);
  return std::make_unique<CounterModel>(std::move(*program));
}

}  // namespace spoor
