// The interpreter's words: states, actions and findings as people read them.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "base/hash.h"
#include "exec/interpreter.h"

namespace spoor::exec {

using promela::BaseType;

namespace {

std::string process_label(const promela::ProcessType& type, int pid) {
  return type.name + "[" + std::to_string(pid) + "]";
}

// Macros make statements of 100,000 characters, and a long trace passes them again and again. What is left
// out is told by a hash, so that keys stay apart.
std::string with_bounded_length(const std::string& text) {
  constexpr std::size_t kMost = 300;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;  // inside a character
  return fmt::format("{}... ({} characters, {:016x})", text.substr(0, end), text.size(),
                     hash_bytes(std::as_bytes(std::span(text))));
}

}  // namespace

std::string Interpreter::value_text(std::int32_t value, const promela::ScalarType& type,
                                    const std::string& mtype_set) const {
  if (type.base == BaseType::kMtype && value != 0) {
    for (const auto& constant : program_->mtypes) {
      if (constant.value == value && constant.set == mtype_set) return constant.name;
    }
  }
  return std::to_string(value);
}

std::string Interpreter::channel_text(const StateView& view, const StateView::Channel& channel) const {
  const promela::ChannelType& type = program_->channel_types[channel.type];
  std::string out;
  for (std::uint32_t slot = 0; slot < view.length(channel); ++slot) {
    out += "[";
    for (std::uint32_t f = 0; f < type.fields.size(); ++f) {
      if (f > 0) out += ",";
      out += value_text(view.field(channel, slot, f), type.fields[f], type.fields[f].mtype_set);
    }
    out += "]";
  }
  return out.empty() ? "[]" : out;
}

// C data: a number where they have the size of one, else the bytes.
std::string Interpreter::data_text(const StateView& view, std::uint32_t offset, std::uint32_t bytes) const {
  if (bytes == 1 || bytes == 2 || bytes == 4) {
    const promela::ScalarType type{BaseType::kInt, static_cast<std::uint8_t>(8 * bytes),
                                   static_cast<std::uint8_t>(bytes), true};
    return std::to_string(view.get(offset, type));
  }
  std::string out;
  for (std::uint32_t i = 0; i < bytes; ++i)
    out += fmt::format("{}{:02x}", i > 0 ? " " : "", view.byte(offset + i));
  return out;
}

std::vector<std::pair<std::string, std::string>> Interpreter::values(const StateView& view) const {
  std::vector<std::pair<std::string, std::string>> out;
  const auto add_channels = [&](std::int32_t owner, const std::vector<promela::ChannelInfo>& infos,
                                const std::string& prefix) {
    for (const StateView::Channel& channel : view.channels()) {
      if (channel.owner != owner || program_->channel_types[channel.type].is_rendezvous()) continue;
      out.emplace_back(prefix + infos[channel.index].name, channel_text(view, channel));
    }
  };
  const auto add_data = [&](std::uint32_t owner, std::uint32_t base, const std::string& prefix) {
    for (const promela::ForeignData& data : program_->foreign.data) {
      if (data.process == owner)
        out.emplace_back(prefix + data.text, data_text(view, base + data.offset, data.bytes));
    }
  };
  // A channel variable that still names the channel it was declared with says nothing new.
  const auto is_plain = [](const std::vector<promela::Initializer>& initializers, std::uint32_t offset,
                           std::int32_t value, std::uint32_t first) {
    return std::any_of(initializers.begin(), initializers.end(), [&](const promela::Initializer& init) {
      return init.offset == offset && init.channel != promela::kNone &&
             value == static_cast<std::int32_t>(first + init.channel);
    });
  };
  for (const promela::VariableInfo& variable : program_->variables) {
    const std::int32_t value = view.get(variable.offset, variable.type);
    if (variable.type.base == BaseType::kChan && is_plain(program_->initializers, variable.offset, value, 1))
      continue;
    out.emplace_back(variable.name, value_text(value, variable.type, variable.mtype_set));
  }
  add_channels(-1, program_->channels, "");
  add_data(promela::kNone, 0, "");
  std::uint32_t first = static_cast<std::uint32_t>(program_->channels.size()) + 1;
  for (int pid = 0; pid < view.process_count(); ++pid) {
    const promela::ProcessType& type = view.process(pid);
    const std::string prefix = process_label(type, pid) + ":";
    for (const promela::VariableInfo& variable : type.variables) {
      const std::int32_t value = view.get(view.process_offset(pid) + variable.offset, variable.type);
      if (variable.type.base == BaseType::kChan && is_plain(type.initializers, variable.offset, value, first))
        continue;
      out.emplace_back(prefix + variable.name, value_text(value, variable.type, variable.mtype_set));
    }
    add_channels(pid, type.channels, prefix);
    add_data(view.process_type(pid), view.process_offset(pid), prefix);
    first += static_cast<std::uint32_t>(type.channels.size());
  }
  return out;
}

std::vector<std::string> Interpreter::describe(StateBytes state) const {
  StateView view(*program_);
  view.load(state);
  std::vector<std::string> out;
  for (const auto& [name, value] : values(view)) out.push_back(name + " = " + value);
  for (int pid = 0; pid < view.process_count(); ++pid) {
    const promela::ProcessType& type = view.process(pid);
    const promela::Location& location = type.locations[view.location(pid)];
    std::string line = process_label(type, pid) + " at " + program_->sources.place(location.position, false) +
                       " (state " + std::to_string(view.location(pid)) + ")";
    if (location.is_end) line += " (valid end)";
    out.push_back(std::move(line));
  }
  return out;
}

std::vector<std::string> Interpreter::changes(const StateView& before, const StateView& after) const {
  const auto old_values = values(before);
  const auto new_values = values(after);
  std::vector<std::string> out;
  if (after.process_count() > before.process_count()) {
    const int pid = after.process_count() - 1;
    out.push_back("starts " + process_label(after.process(pid), pid));
  } else if (after.process_count() < before.process_count()) {
    const int pid = before.process_count() - 1;
    out.push_back("ends " + process_label(before.process(pid), pid));
  }
  // Both lists are in the same order; entries come and go only with the last process.
  std::size_t i = 0;
  for (const auto& [name, value] : new_values) {
    std::size_t j = i;
    while (j < old_values.size() && old_values[j].first != name) ++j;
    if (j == old_values.size()) {
      if (value != "0" && value != "[]") out.push_back(name + " = " + value);
      continue;
    }
    if (old_values[j].second != value) out.push_back(name + " = " + value);
    i = j + 1;
  }
  if (program_->uses_priority) {
    for (int pid = 0; pid < std::min(before.process_count(), after.process_count()); ++pid) {
      if (before.priority(pid) != after.priority(pid)) {
        out.push_back(process_label(after.process(pid), pid) + " has priority " +
                      std::to_string(after.priority(pid)));
      }
    }
  }
  return out;
}

Action Interpreter::action(const StateView& before, int pid, const promela::Transition& transition) const {
  const promela::ProcessType& type = before.process(pid);
  const promela::Statement& statement = program_->statements[transition.statement];
  Action action;
  action.process = pid;
  action.process_name = type.name;
  action.position = statement.position;
  action.statement = with_bounded_length(statement.text);
  action.location = before.location(pid);
  action.key = type.name + ":" + std::to_string(action.location) + ":" + action.statement;
  action.transition = transition.trail_id;
  return action;
}

std::optional<Message> Interpreter::message_of(const StateView& before, const promela::Transition& transition,
                                               const PassedMessage& passed) const {
  const promela::Statement& statement = program_->statements[transition.statement];
  const bool is_send = statement.op == promela::StatementOp::kSend;
  // A d_step is one action however many messages it passes: it has no message of its own.
  if (passed.channel == 0 || (!is_send && statement.op != promela::StatementOp::kReceive))
    return std::nullopt;
  Message message;
  message.role = is_send          ? Message::Role::kSend
                 : statement.copy ? Message::Role::kCopy
                                  : Message::Role::kReceive;
  message.channel = passed.channel;
  message.channel_name = statement.text.substr(0, statement.text.find_first_of("!?"));
  const promela::ChannelType& type = program_->channel_types[before.channels()[passed.channel - 1].type];
  for (std::size_t i = 0; i < passed.fields.size(); ++i) {
    if (i > 0) message.text += ",";
    message.text += value_text(passed.fields[i], type.fields[i], type.fields[i].mtype_set);
  }
  return message;
}

std::string Interpreter::statement_text(promela::StatementId statement) const {
  if (statement < program_->statements.size()) return program_->statements[statement].text;
  if (statement == initial_values(*program_)) return "the initial values";
  return "the claim's " + program_->claim.atom_texts[statement - question_of(*program_, 0)];
}

std::string Interpreter::message(const Finding& finding) const {
  return exec::describe(problem_of(finding.identity), statement_text(statement_of(finding.identity)));
}

Position Interpreter::place(const Finding& finding) const {
  const promela::StatementId statement = statement_of(finding.identity);
  if (statement < program_->statements.size()) return program_->statements[statement].position;
  return statement == initial_values(*program_) ? Position{} : program_->claim.range.begin;
}

void Interpreter::list_statements() {
  // A statement is listed for the report of what was never executed when it belongs to a process and
  // is one a user wrote.
  std::vector<const promela::ProcessType*> owner(program_->statements.size(), nullptr);
  const auto claim = [&](promela::StatementId id, const promela::ProcessType& type) { owner[id] = &type; };
  for (const promela::ProcessType& type : program_->processes) {
    if (type.kind != promela::BodyKind::kProctype && type.kind != promela::BodyKind::kInit) continue;
    for (const promela::Location& location : type.locations) {
      for (const promela::Transition& t : location.transitions) {
        claim(t.statement, type);
        const promela::Statement& s = program_->statements[t.statement];
        if (s.op != promela::StatementOp::kDStep) continue;
        for (const promela::DStepNode& node : program_->dsteps[s.dstep].nodes) {
          if (node.statement != promela::kNone) claim(node.statement, type);
        }
      }
    }
  }
  for (std::size_t i = 0; i < program_->statements.size(); ++i) {
    const promela::Statement& s = program_->statements[i];
    const bool is_written = s.op != promela::StatementOp::kSkip && s.op != promela::StatementOp::kDStep;
    Element element;
    if (owner[i] != nullptr && is_written) {
      element.key = owner[i]->name;
      element.position = s.position;
      element.text = s.text;
    }
    statements_.push_back(std::move(element));
  }
}

}  // namespace spoor::exec
