#include "exec/state_translation.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "exec/canonical_code.h"
#include "exec/state_view.h"

namespace spoor::exec {
namespace {

using promela::ChannelInfo;
using promela::ChannelType;
using promela::kNone;
using promela::ProcessType;
using promela::Program;
using promela::ScalarType;
using promela::VariableInfo;

std::uint32_t read_number(const std::byte* from, std::uint32_t bytes) {
  const auto low = static_cast<std::uint32_t>(from[0]);
  return bytes == 1 ? low : low | static_cast<std::uint32_t>(from[1]) << 8;
}

void write_number(std::byte* to, std::uint32_t bytes, std::uint32_t value) {
  to[0] = static_cast<std::byte>(value);
  if (bytes == 2) to[1] = static_cast<std::byte>(value >> 8);
}

// False: the value does not fit.
bool convert(const std::byte* from, const ScalarType& from_type, std::byte* to, const ScalarType& to_type) {
  const std::int32_t value = read_scalar(from, from_type);
  write_scalar(to, to_type, value);
  return read_scalar(to, to_type) == value;
}

// ---- Blocks: the globals, or what a process has ------------------------------------------------

// The declarations of a block.
struct Declarations {
  const Program& program;
  const std::vector<VariableInfo>& variables;
  const std::vector<promela::Initializer>& initializers;
  const std::vector<ChannelInfo>& channels;
  std::uint32_t bytes = 0;
  bool is_global = false;
};

Declarations globals_of(const Program& program) {
  return {program, program.variables, program.initializers, program.channels, program.globals_size, true};
}

Declarations block_of(const Program& program, std::uint32_t process) {
  const ProcessType& type = program.processes[process];
  return {program, type.variables, type.initializers, type.channels, type.size, false};
}

// The value of an expression that is a number, with or without a sign.
std::optional<std::int32_t> constant_value(const Program& program, promela::ExprId id) {
  if (id == kNone) return std::nullopt;
  const promela::ExprCode& expr = program.exprs[id];
  if (expr.op == promela::Op::kConstant) return expr.value;
  if (expr.op != promela::Op::kNegate || program.exprs[expr.left].op != promela::Op::kConstant)
    return std::nullopt;
  return static_cast<std::int32_t>(0U - static_cast<std::uint32_t>(program.exprs[expr.left].value));
}

// The value of a variable that the other version does not have. Nothing: it is not a constant.
std::optional<std::int32_t> initial_value(const Declarations& block, const VariableInfo& variable) {
  std::int32_t value = 0;
  for (const promela::Initializer& init : block.initializers) {
    if (init.offset != variable.offset) continue;
    if (block.is_global && init.channel != kNone) {
      value = static_cast<std::int32_t>(init.channel + 1);
      continue;
    }
    const std::optional<std::int32_t> constant = constant_value(block.program, init.value);
    if (!constant) return std::nullopt;
    value = variable.type.truncate(*constant);
  }
  return value;
}

bool have_same_fields(const ChannelType& a, const ChannelType& b) {
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const ScalarType& x, const ScalarType& y) { return x == y; });
}

// The messages of a channel whose buffers have different layouts.
class BufferTranslation {
 public:
  BufferTranslation(std::uint32_t from, const ChannelType& from_type, std::uint32_t to,
                    const ChannelType& to_type)
      : from_(from),
        to_(to),
        from_type_(from_type),
        to_type_(to_type),
        most_(from_type.fields.size() == to_type.fields.size() ? to_type.capacity : 0),
        has_same_fields_(have_same_fields(from_type, to_type)) {}
  // The channel is gone.
  BufferTranslation(std::uint32_t from, const ChannelType& from_type) : from_(from), from_type_(from_type) {}

  // REQUIRES: the buffer at `to` is zero.
  bool translate(const std::byte* from, std::byte* to) const {
    from += from_;
    const std::uint32_t length = read_number(from, from_type_.length_bytes);
    if (length == 0) return true;
    if (length > most_) return false;
    to += to_;
    write_number(to, to_type_.length_bytes, length);
    from += from_type_.length_bytes;
    to += to_type_.length_bytes;
    if (has_same_fields_) {
      std::memcpy(to, from, std::size_t{length} * from_type_.slot_bytes);
      return true;
    }
    for (std::uint32_t slot = 0; slot < length; ++slot) {
      for (std::size_t i = 0; i < from_type_.fields.size(); ++i) {
        if (!convert(from, from_type_.fields[i], to, to_type_.fields[i])) return false;
        from += from_type_.fields[i].bytes;
        to += to_type_.fields[i].bytes;
      }
    }
    return true;
  }

 private:
  std::uint32_t from_ = 0, to_ = 0;
  ChannelType from_type_, to_type_;
  std::uint32_t most_ = 0;  // messages that the other version can hold
  bool has_same_fields_ = false;
};

struct Stretch {
  std::uint32_t offset = 0, bytes = 0;
};

// How a block is translated; offsets are from the start of the block.
class BlockTranslation {
 public:
  BlockTranslation() = default;
  BlockTranslation(const Declarations& from, const Declarations& to)
      : initial_(to.bytes), is_identity_(from.bytes == to.bytes) {
    match_variables(from, to);
    match_channels(from, to);
  }

  // The same bytes mean the same in both versions.
  void add_copy(std::uint32_t from, std::uint32_t to, std::uint32_t bytes) {
    is_identity_ &= from == to;
    copies_.push_back({from, to, bytes});
  }
  void set_initial_byte(std::uint32_t at, std::uint32_t value) {
    initial_[at] = static_cast<std::byte>(value);
  }

  // Joins what lies side by side in both versions.
  void join_copies() {
    std::sort(copies_.begin(), copies_.end(), [](const Copy& a, const Copy& b) { return a.to < b.to; });
    std::vector<Copy> joined;
    for (const Copy& copy : copies_) {
      const bool continues = !joined.empty() && joined.back().from + joined.back().bytes == copy.from &&
                             joined.back().to + joined.back().bytes == copy.to;
      if (continues) {
        joined.back().bytes += copy.bytes;
      } else {
        joined.push_back(copy);
      }
    }
    copies_ = std::move(joined);
  }

  // Writes the block at `from` as one of the other version, of bytes() bytes.
  bool translate(const std::byte* from, std::byte* to) const {
    if (!is_expressible_) return false;
    std::memcpy(to, initial_.data(), initial_.size());
    for (const Copy& copy : copies_) std::memcpy(to + copy.to, from + copy.from, copy.bytes);
    for (const Conversion& c : conversions_) {
      if (!convert(from + c.from, c.from_type, to + c.to, c.to_type)) return false;
    }
    return std::all_of(buffers_.begin(), buffers_.end(),
                       [&](const BufferTranslation& buffer) { return buffer.translate(from, to); });
  }

  // In the other version.
  std::size_t bytes() const { return initial_.size(); }
  bool is_identity() const { return is_identity_ && is_expressible_; }

  // For each block x that translate accepts, and its translation y: does `back` accept y and make x of it,
  // but for what the caller translates itself, x at `from_own` and y at `to_own`? True where each other byte
  // of x is a byte of y that `back` copies to where it was. REQUIRES: `back` is the translation of the same
  // two blocks in the other direction.
  bool is_undone_by(const BlockTranslation& back, Stretch from_own, Stretch to_own) const {
    const auto only_copies = [](const BlockTranslation& block) {
      return block.is_expressible_ && block.conversions_.empty() && block.buffers_.empty();
    };
    if (!only_copies(*this) || !only_copies(back)) return false;
    constexpr std::uint32_t kNowhere = UINT32_MAX;
    std::vector<std::uint32_t> origins(bytes(), kNowhere);  // in x, by byte of y
    for (const Copy& copy : copies_) {
      for (std::uint32_t i = 0; i < copy.bytes; ++i) {
        if (std::exchange(origins[copy.to + i], copy.from + i) != kNowhere) return false;
      }
    }
    std::fill_n(origins.begin() + to_own.offset, to_own.bytes, kNowhere);
    std::vector<bool> is_restored(back.bytes());  // by byte of x
    std::fill_n(is_restored.begin() + from_own.offset, from_own.bytes, true);
    for (const Copy& copy : back.copies_) {
      for (std::uint32_t i = 0; i < copy.bytes; ++i) {
        if (origins[copy.from + i] != copy.to + i) return false;
        is_restored[copy.to + i] = true;
      }
    }
    return std::find(is_restored.begin(), is_restored.end(), false) == is_restored.end();
  }

 private:
  struct Copy {
    std::uint32_t from = 0, to = 0, bytes = 0;
  };
  struct Conversion {
    std::uint32_t from = 0, to = 0;
    ScalarType from_type, to_type;
  };

  void match_variables(const Declarations& from, const Declarations& to) {
    is_identity_ &= from.variables.size() == to.variables.size();
    std::unordered_map<std::string, const VariableInfo*> by_name;
    const std::vector<std::string> from_names = distinct_names(from.variables);
    for (std::size_t i = 0; i < from_names.size(); ++i) by_name.emplace(from_names[i], &from.variables[i]);
    const std::vector<std::string> to_names = distinct_names(to.variables);
    for (std::size_t i = 0; i < to_names.size(); ++i) {
      const auto found = by_name.find(to_names[i]);
      if (found == by_name.end()) {
        add_variable(to, to.variables[i]);
      } else {
        match_variable(*found->second, to.variables[i]);
      }
    }
  }

  void match_variable(const VariableInfo& from, const VariableInfo& to) {
    if (from.type.bits == to.type.bits && from.type.bytes == to.type.bytes &&
        from.type.is_signed == to.type.is_signed) {
      add_copy(from.offset, to.offset, to.type.bytes);
    } else {
      conversions_.push_back({from.offset, to.offset, from.type, to.type});
    }
    is_identity_ &= from.type == to.type;
  }

  void add_variable(const Declarations& to, const VariableInfo& variable) {
    is_identity_ = false;
    const std::optional<std::int32_t> value = initial_value(to, variable);
    is_expressible_ &= value.has_value();
    if (value) write_scalar(initial_.data() + variable.offset, variable.type, *value);
  }

  void match_channels(const Declarations& from, const Declarations& to) {
    is_identity_ &= from.channels.size() == to.channels.size();
    for (std::size_t i = 0; i < from.channels.size(); ++i) {
      const ChannelInfo& old_channel = from.channels[i];
      const ChannelType& old_type = from.program.channel_types[old_channel.type];
      if (i < to.channels.size()) {
        match_channel(old_channel.offset, old_type, to.channels[i].offset,
                      to.program.channel_types[to.channels[i].type]);
      } else if (!old_type.is_rendezvous()) {
        buffers_.emplace_back(old_channel.offset, old_type);
      }
    }
  }

  void match_channel(std::uint32_t from, const ChannelType& from_type, std::uint32_t to,
                     const ChannelType& to_type) {
    const bool is_same = from_type.capacity == to_type.capacity && have_same_fields(from_type, to_type);
    is_identity_ &= is_same;
    if (from_type.is_rendezvous()) return;
    if (is_same) {
      add_copy(from, to, to_type.bytes());
    } else {
      buffers_.emplace_back(from, from_type, to, to_type);
    }
  }

  std::vector<std::byte> initial_;  // the block before anything is carried over
  std::vector<Copy> copies_;
  std::vector<Conversion> conversions_;
  std::vector<BufferTranslation> buffers_;
  bool is_expressible_ = true;  // no added variable prevents it
  bool is_identity_ = true;
};

// ---- Locations ---------------------------------------------------------------------------------

// The location that each element is of; those of other elements have the process type kNone.
std::vector<LocationName> locations_by_element(const ProgramLayout& layout) {
  std::vector<LocationName> locations(layout.elements().all().size(), {kNone, 0});
  const std::vector<ProcessType>& types = layout.program().processes;
  for (std::uint32_t type = 0; type < types.size(); ++type) {
    for (std::uint32_t at = 0; at < types[type].locations.size(); ++at) {
      const std::uint32_t element = layout.elements().location(type, at);
      if (element != kNone) locations[element] = {type, at};
    }
  }
  return locations;
}

// Which locations correspond.
class LocationPairs {
 public:
  // The locations of a process type in the other version, by location; kNone: there is none.
  struct OfType {
    std::vector<std::uint32_t> other;
    bool is_identity = true;

    bool is_undone_by(const OfType& back) const {
      for (std::uint32_t at = 0; at < other.size(); ++at) {
        if (other[at] != kNone && (other[at] >= back.other.size() || back.other[other[at]] != at))
          return false;
      }
      return true;
    }
  };

  LocationPairs(const ProgramLayout& from, const ProgramLayout& to, const ElementComparison& counterparts)
      : from_(from), to_(to), counterparts_(counterparts), locations_(locations_by_element(to)) {}

  OfType of_type(std::uint32_t type, std::uint32_t namesake) const {
    OfType result;
    const std::size_t count = from_.program().processes[type].locations.size();
    const std::size_t other_count = to_.program().processes[namesake].locations.size();
    result.other.assign(count, kNone);
    for (std::uint32_t at = 0; at < count; ++at) {
      const std::uint32_t element = from_.elements().location(type, at);
      if (element == kNone) continue;
      const std::uint32_t counterpart = counterparts_.counterpart[element];
      if (counterpart != ElementComparison::kNothing && locations_[counterpart].first == namesake)
        result.other[at] = locations_[counterpart].second;
      result.is_identity &= result.other[at] == at;
    }
    for (std::uint32_t at = 0; at < other_count; ++at) {
      const bool can_be_there = to_.elements().location(namesake, at) != kNone;
      result.is_identity &= !can_be_there || (at < count && result.other[at] == at);
    }
    return result;
  }

 private:
  const ProgramLayout& from_;
  const ProgramLayout& to_;
  const ElementComparison& counterparts_;
  const std::vector<LocationName> locations_;  // by element of the other version
};

// ---- States ------------------------------------------------------------------------------------

bool is_in_states(const ProcessType& type) {
  return type.kind == promela::BodyKind::kProctype || type.kind == promela::BodyKind::kInit;
}

class Translator : public StateTranslator {
 public:
  Translator(const ProgramLayout& from, const ProgramLayout& to, const ElementComparison& counterparts)
      : from_location_bytes_(from.program().location_bytes),
        to_location_bytes_(to.program().location_bytes),
        from_globals_size_(from.program().globals_size),
        global_channels_(to.program().channels.size()) {
    match_globals(from.program(), to.program());
    const LocationPairs locations(from, to, counterparts);
    match_processes(from.program(), to.program(), locations);
    if (from.program().trace_process == kNone) return;
    from_event_ = from.program().event_offset;
    to_event_ = to.program().event_offset;
    trace_locations_ = locations.of_type(from.program().trace_process, to.program().trace_process);
    is_identity_ &= from_event_ == to_event_ && trace_locations_.is_identity;
    only_renumbers_ &= from_event_ == to_event_;
  }

  bool translate(StateBytes state, std::vector<std::byte>& out) override {
    if (is_identity_) {
      out.assign(state.begin(), state.end());
      return true;
    }
    if (only_renumbers_ ? renumber(state, out) : rebuild(state.data(), out)) return true;
    out.clear();
    return false;
  }

  bool is_identity() const override { return is_identity_; }

  // Where a state x is translated to y, and y is accepted by `back`, the bytes are those of x: blocks follow
  // each other in the same order, and of each the parts that are translated by themselves (the type, the
  // location, the location of the trace assertion) and those that are copied come back. Nothing of y is
  // refused: its types and locations have counterparts, namely those of x, and it has as many channels there
  // as x.
  bool is_undone_by(const StateTranslator& other) const override {
    const auto* const back = dynamic_cast<const Translator*>(&other);
    if (back == nullptr) return false;
    const bool has_event = from_event_ != kNone;
    const Stretch from_event = has_event ? Stretch{from_event_, kEventBytes} : Stretch{};
    const Stretch to_event = has_event ? Stretch{to_event_, kEventBytes} : Stretch{};
    return globals_.is_undone_by(back->globals_, from_event, to_event) &&
           trace_locations_.is_undone_by(back->trace_locations_) &&
           std::all_of(types_.begin(), types_.end(),
                       [&](const Type& type) { return type.namesake == kNone || is_undone_by(type, *back); });
  }

 private:
  // A process type of the first version.
  struct Type {
    std::uint32_t namesake = kNone;
    std::uint32_t bytes = 0;     // of its block, in the first version
    std::uint32_t channels = 0;  // that the namesake has
    BlockTranslation block;
    LocationPairs::OfType locations;
  };
  static constexpr std::uint32_t kEventBytes = 2;  // of the trace assertion's location

  bool is_undone_by(const Type& type, const Translator& back) const {
    const Type& other = back.types_[type.namesake];
    return other.namesake != kNone && &types_[other.namesake] == &type &&
           type.block.is_undone_by(other.block, {0, 1 + from_location_bytes_}, {0, 1 + to_location_bytes_}) &&
           type.locations.is_undone_by(other.locations);
  }

  void match_globals(const Program& from, const Program& to) {
    globals_ = BlockTranslation(globals_of(from), globals_of(to));
    globals_.add_copy(0, 0, 1);  // the number of processes
    if (from.last_offset != kNone) globals_.add_copy(from.last_offset, to.last_offset, 1);
    globals_.join_copies();
    only_renumbers_ = globals_.is_identity() && from.location_bytes == to.location_bytes &&
                      from.process_header == to.process_header;
    is_identity_ = only_renumbers_;
  }

  void match_processes(const Program& from, const Program& to, const LocationPairs& locations) {
    std::unordered_map<std::string, std::uint32_t> by_name;
    for (std::uint32_t i = 0; i < to.processes.size(); ++i) by_name.emplace(to.processes[i].name, i);
    types_.resize(from.processes.size());
    for (std::uint32_t i = 0; i < from.processes.size(); ++i) {
      if (!is_in_states(from.processes[i])) continue;
      Type& type = types_[i];
      type.bytes = from.processes[i].size;
      const auto found = by_name.find(from.processes[i].name);
      if (found != by_name.end() && is_in_states(to.processes[found->second])) {
        type.namesake = found->second;
        match_blocks(from, i, to, type.namesake);
        type.locations = locations.of_type(i, type.namesake);
        type.channels = static_cast<std::uint32_t>(to.processes[type.namesake].channels.size());
        only_renumbers_ &= type.block.is_identity();
      }
      is_identity_ &= type.namesake == i && type.block.is_identity() && type.locations.is_identity;
    }
    // Without this the other version could have states that the first one has not.
    is_identity_ &= std::count_if(from.processes.begin(), from.processes.end(), is_in_states) ==
                    std::count_if(to.processes.begin(), to.processes.end(), is_in_states);
  }

  // The location is set for each process; type and priority are in the block.
  void match_blocks(const Program& from, std::uint32_t type, const Program& to, std::uint32_t namesake) {
    BlockTranslation& block = types_[type].block;
    block = BlockTranslation(block_of(from, type), block_of(to, namesake));
    block.set_initial_byte(0, namesake);
    if (from.uses_priority) block.add_copy(from.process_header - 1, to.process_header - 1, 1);
    block.join_copies();
  }

  // As it is, but for the numbers of types and locations. There are as many channels as before.
  bool renumber(StateBytes state, std::vector<std::byte>& out) const {
    out.resize(state.size());
    std::memcpy(out.data(), state.data(), state.size());
    if (!translate_event(state.data(), out.data())) return false;
    std::byte* block = out.data() + from_globals_size_;
    for (auto left = static_cast<std::uint32_t>(state[0]); left > 0; --left) {
      const Type& type = types_[static_cast<std::size_t>(block[0])];
      if (type.namesake == kNone || !translate_location(type, block, block)) return false;
      block[0] = static_cast<std::byte>(type.namesake);
      block += type.bytes;
    }
    return true;
  }

  // Block by block.
  bool rebuild(const std::byte* state, std::vector<std::byte>& out) const {
    const auto processes = static_cast<std::uint32_t>(state[0]);
    const std::byte* block = state + from_globals_size_;
    std::size_t bytes = globals_.bytes(), channels = global_channels_;
    for (std::uint32_t left = processes; left > 0; --left) {
      const Type& type = types_[static_cast<std::size_t>(block[0])];
      if (type.namesake == kNone) return false;
      bytes += type.block.bytes();
      channels += type.channels;
      block += type.bytes;
    }
    if (channels > StateView::kMaxChannels) return false;
    out.resize(bytes);
    std::byte* to = out.data();
    if (!globals_.translate(state, to) || !translate_event(state, to)) return false;
    block = state + from_globals_size_;
    to += globals_.bytes();
    for (std::uint32_t left = processes; left > 0; --left) {
      const Type& type = types_[static_cast<std::size_t>(block[0])];
      if (!type.block.translate(block, to) || !translate_location(type, block, to)) return false;
      block += type.bytes;
      to += type.block.bytes();
    }
    return true;
  }

  bool translate_location(const Type& type, const std::byte* from, std::byte* to) const {
    const std::uint32_t location = type.locations.other[read_number(from + 1, from_location_bytes_)];
    if (location == kNone) return false;
    write_number(to + 1, to_location_bytes_, location);
    return true;
  }

  bool translate_event(const std::byte* from, std::byte* to) const {
    if (from_event_ == kNone) return true;
    const std::uint32_t location = trace_locations_.other[read_number(from + from_event_, kEventBytes)];
    if (location == kNone) return false;
    write_number(to + to_event_, kEventBytes, location);
    return true;
  }

  const std::uint32_t from_location_bytes_, to_location_bytes_;
  const std::uint32_t from_globals_size_;
  const std::size_t global_channels_;  // of the other version
  BlockTranslation globals_;
  std::vector<Type> types_;
  std::uint32_t from_event_ = kNone, to_event_ = kNone;  // where the trace assertion's location is
  LocationPairs::OfType trace_locations_;
  bool is_identity_ = false;
  bool only_renumbers_ = false;  // processes and locations; everything is at the same place in both versions
};

// ---- Statements --------------------------------------------------------------------------------

// Fills the result of ProgramLayout::statements_in.
class StatementPairs {
 public:
  StatementPairs(const Program& from, const Program& to)
      : from_(from),
        to_(to),
        other_(from.statements.size(), ElementComparison::kNothing),
        is_ambiguous_(from.statements.size()) {}

  // REQUIRES: the two have the same code.
  void add(promela::StatementId from, promela::StatementId to) {
    if (other_[from] != ElementComparison::kNothing && other_[from] != to) is_ambiguous_[from] = true;
    other_[from] = to;
    const promela::Statement& a = from_.statements[from];
    const promela::Statement& b = to_.statements[to];
    if (a.op != promela::StatementOp::kDStep) return;
    const std::vector<promela::DStepNode>& from_nodes = from_.dsteps[a.dstep].nodes;
    const std::vector<promela::DStepNode>& to_nodes = to_.dsteps[b.dstep].nodes;
    for (std::size_t i = 0; i < from_nodes.size(); ++i) {
      if (from_nodes[i].kind == promela::DStepNode::Kind::kStatement)
        add(from_nodes[i].statement, to_nodes[i].statement);
    }
  }

  std::vector<std::uint32_t> take() {
    for (std::size_t i = 0; i < other_.size(); ++i) {
      if (is_ambiguous_[i]) other_[i] = StateLayout::kSeveral;
    }
    return std::move(other_);
  }

 private:
  const Program& from_;
  const Program& to_;
  std::vector<std::uint32_t> other_;
  std::vector<bool> is_ambiguous_;
};

}  // namespace

std::unique_ptr<StateTranslator> ProgramLayout::translator_to(const StateLayout& other,
                                                              const ElementComparison& counterparts) const {
  const auto* to = dynamic_cast<const ProgramLayout*>(&other);
  if (to == nullptr) return nullptr;
  const Program& a = program_;
  const Program& b = to->program_;
  if (a.has_embedded_code || b.has_embedded_code || a.uses_priority != b.uses_priority ||
      (a.last_offset == kNone) != (b.last_offset == kNone) ||
      (a.trace_process == kNone) != (b.trace_process == kNone))
    return nullptr;
  return std::make_unique<Translator>(*this, *to, counterparts);
}

// A location whose element is unchanged has the same transitions as its counterpart, in the same order. A
// step from a state without changed elements passes only such locations, also inside an indivisible sequence.
std::vector<std::uint32_t> ProgramLayout::statements_in(const StateLayout& other,
                                                        const ElementComparison& counterparts) const {
  const auto* to = dynamic_cast<const ProgramLayout*>(&other);
  if (to == nullptr) return std::vector(program_.statements.size(), ElementComparison::kNothing);
  StatementPairs pairs(program_, to->program_);
  const std::vector<LocationName> from_locations = locations_by_element(*this);
  const std::vector<LocationName> to_locations = locations_by_element(*to);
  for (std::size_t element = 0; element < from_locations.size(); ++element) {
    if (from_locations[element].first == kNone || counterparts.is_changed[element]) continue;
    const auto [type, at] = from_locations[element];
    const auto [other_type, other_at] = to_locations[counterparts.counterpart[element]];
    const auto& transitions = program_.processes[type].locations[at].transitions;
    const auto& others = to->program_.processes[other_type].locations[other_at].transitions;
    for (std::size_t i = 0; i < transitions.size(); ++i)
      pairs.add(transitions[i].statement, others[i].statement);
  }
  return pairs.take();
}

}  // namespace spoor::exec
