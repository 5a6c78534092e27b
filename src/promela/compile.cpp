// Compiling a model: storage first, then every body, then what depends on all bodies (the locations
// that remote references name, the scratch variables).
#include "promela/compile.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <variant>
#include <vector>

#include "promela/compile_claim.h"
#include "promela/compile_statements.h"
#include "promela/flow.h"
#include "promela/foreign.h"
#include "promela/hidden.h"
#include "promela/layout.h"
#include "promela/parser_walk.h"

namespace spoor::promela {

namespace {

// Two bytes hold a location, one a length of a run-time block; a larger state is an error in the model.
constexpr std::uint32_t kMaxStateBytes = 1U << 24;
constexpr std::uint32_t kMaxLocations = 65535;
constexpr std::size_t kMaxProctypes = 255;
// A variable of type chan is one byte, and 0 names no channel.
constexpr std::uint64_t kMaxChannels = 255;

class ModelCompiler {
 public:
  ModelCompiler(const Model& model, const SourceSet& sources, const ClaimChoice& claim,
                std::uint32_t location_bytes, Diagnostics& diagnostics)
      : model_(model),
        claim_(claim),
        layout_(model),
        code_(model, layout_, program_),
        diagnostics_(diagnostics) {
    program_.sources = sources;
    program_.location_bytes = location_bytes;
  }

  Program run() {
    if (model_.proctypes.size() > kMaxProctypes) {
      diagnostics_.error("P422", model_.proctypes[kMaxProctypes].range,
                         "a model may have at most 255 proctypes");
      return std::move(program_);
    }
    program_.has_embedded_code = !model_.embedded.empty();
    if (program_.has_embedded_code) program_.embedded_code = model_.embedded.front().range.begin;
    program_.mtypes = model_.mtypes;
    program_.uses_priority = model_.uses_priority;
    program_.process_header = 1 + program_.location_bytes + (model_.uses_priority ? 1 : 0);
    program_.processes.resize(model_.proctypes.size());
    lay_out_globals();
    for (std::size_t i = 0; i < model_.proctypes.size(); ++i) lay_out_process(i);
    if (diagnostics_.has_errors()) return std::move(program_);
    initialize_globals();
    for (std::size_t i = 0; i < model_.proctypes.size(); ++i) initialize_process(i);
    check_initial_state();
    if (diagnostics_.has_errors()) return std::move(program_);

    FlowBuilder flow(model_, code_, program_, diagnostics_);
    for (std::size_t i = 0; i < model_.proctypes.size(); ++i) {
      code_.enter(static_cast<std::uint32_t>(i));
      const bool used_timeout = code_.uses_timeout();
      const std::size_t first = program_.exprs.size();
      flow.build(model_.proctypes[i], static_cast<std::uint32_t>(i));
      if (model_.proctypes[i].kind != BodyKind::kNever) continue;
      code_.set_uses_timeout(used_timeout);  // only a timeout in a process counts
      if (!is_chosen(i)) idle_.emplace_back(first, program_.exprs.size());
    }
    code_.enter(kNone);
    keep_labels(flow);
    compile_atoms(claim_, model_, code_, program_, diagnostics_);
    for (const auto& reference : code_.remote_labels()) {
      const std::uint32_t location = flow.location_of(reference.process, reference.label);
      if (location == 0) {
        diagnostics_.error("P413", {reference.position, 1},
                           "proctype '" + program_.processes[reference.process].name + "' has no label '" +
                               reference.label + "'");
      }
      program_.exprs[reference.expr].value = static_cast<std::int32_t>(location);
    }
    flow.finish();
    if (diagnostics_.has_errors()) return std::move(program_);
    for (const auto& [first, end] : idle_)
      std::fill(program_.exprs.begin() + first, program_.exprs.begin() + end, ExprCode());
    finish_claim(claim_, program_, diagnostics_);
    for (std::size_t i = 0; i < model_.proctypes.size(); ++i) finish_process(i);
    program_.uses_timeout = code_.uses_timeout();
    if (program_.has_embedded_code) {
      describe_foreign_code(model_, program_, diagnostics_);
    } else {
      find_scratch_variables(program_);
    }
    return std::move(program_);
  }

 private:
  bool is_chosen(std::size_t never) const {
    return claim_.kind == ClaimCode::Kind::kNever && claim_.index == never;
  }

  // Labels that are named elsewhere have a location: in the code, and in any formula. Formulas that are not
  // chosen count as well, so that a model has the same locations (and counts) whatever is checked.
  void keep_labels(FlowBuilder& flow) const {
    for (const auto& reference : code_.remote_labels()) flow.keep_label(reference.process, reference.label);
    for (const LtlFormula& formula : model_.formulas) {
      any_expression(*formula.formula, [&](const Expr& part) {
        if (const auto* remote = std::get_if<RemoteLabel>(&part.node)) {
          flow.keep_label(model_.symbols[remote->proctype].proctype, remote->label);
        }
        return false;
      });
    }
  }

  void lay_out_globals() {
    std::uint32_t offset = 1;
    const bool mentions_last = std::any_of(model_.symbols.begin(), model_.symbols.end(), [](const Symbol& s) {
      return s.predefined == Predefined::kLast && s.is_read;
    });
    if (mentions_last) program_.last_offset = offset++;
    for (std::size_t i = 0; i < model_.proctypes.size(); ++i) {
      const BodyKind kind = model_.proctypes[i].kind;
      if (kind != BodyKind::kTrace && kind != BodyKind::kNoTrace) continue;
      program_.trace_process = static_cast<std::uint32_t>(i);
      program_.event_offset = offset;
      offset += 2;
      break;
    }
    for (SymbolId symbol : model_.globals) {
      const VarDecl& decl = model_.symbols[symbol].decl;
      if (!fits(offset, decl)) return;
      layout_.place(symbol, offset);
      for (VariableInfo& info : layout_.scalars(decl, offset)) {
        info.is_hidden = decl.visibility == Visibility::kHidden;
        program_.variables.push_back(std::move(info));
      }
      offset += layout_.size(decl);
    }
    globals_end_ = offset;
  }

  void lay_out_process(std::size_t index) {
    const Proctype& proctype = model_.proctypes[index];
    ProcessType& type = program_.processes[index];
    type.name = proctype.name;
    type.kind = proctype.kind;
    type.deterministic = proctype.deterministic;
    type.priority = proctype.priority;
    type.position = proctype.range.begin;
    std::uint32_t offset = program_.process_header;
    auto lay_out = [&](SymbolId symbol, bool is_parameter) {
      const VarDecl& decl = model_.symbols[symbol].decl;
      if (!fits(offset, decl)) return;
      layout_.place(symbol, offset);
      for (VariableInfo& info : layout_.scalars(decl, offset)) {
        if (is_parameter) {
          Place place;
          place.region = Place::Region::kLocal;
          place.type = info.type;
          place.offset = info.offset;
          place.text = info.name;
          program_.places.push_back(std::move(place));
          type.parameters.push_back(static_cast<PlaceId>(program_.places.size() - 1));
        }
        type.variables.push_back(std::move(info));
      }
      offset += layout_.size(decl);
    };
    for (SymbolId symbol : proctype.parameters) lay_out(symbol, true);
    for (SymbolId symbol : proctype.locals) lay_out(symbol, false);
    type.size = offset;
  }

  bool fits(std::uint32_t offset, const VarDecl& decl) {
    const std::uint64_t bytes = std::uint64_t{layout_.element_size(decl.type)} *
                                static_cast<std::uint64_t>(std::max(decl.array_size, 1));
    if (offset + bytes <= kMaxStateBytes) return true;
    diagnostics_.error("P420", decl.range, "'" + decl.name + "' makes a state larger than 16 MB",
                       "use a smaller array");
    return false;
  }

  // The initial values of a declaration and of its fields, in SPIN's order.
  void initialize(const VarDecl& decl, const std::string& name, std::uint32_t offset,
                  std::vector<Initializer>& values, std::vector<ChannelInfo>& channels) {
    const std::uint32_t stride = layout_.element_size(decl.type);
    for (int i = 0; i < std::max(decl.array_size, 1); ++i) {
      const std::uint32_t at = offset + static_cast<std::uint32_t>(i) * stride;
      const std::string element = decl.array_size > 0 ? name + "[" + std::to_string(i) + "]" : name;
      if (decl.type.base == BaseType::kRecord) {
        const Record& record = model_.records[decl.type.record];
        const RecordLayout& fields = layout_.record(decl.type.record);
        for (std::size_t f = 0; f < record.fields.size(); ++f) {
          initialize(record.fields[f], element + "." + record.fields[f].name, at + fields.field_offsets[f],
                     values, channels);
        }
        continue;
      }
      Initializer init{at, scalar_type(decl), kNone, kNone};
      if (decl.channel) {
        init.channel = static_cast<std::uint32_t>(channels.size());
        channels.push_back({channel_type(*decl.channel), 0, element});
      } else if (!decl.list.empty()) {  // the last value of a short list fills the rest
        init.value = code_.constant(
            decl.list[std::min<std::size_t>(static_cast<std::size_t>(i), decl.list.size() - 1)]);
      } else if (decl.init) {
        init.value = initial_value(*decl.init);
      } else {
        continue;
      }
      values.push_back(init);
    }
  }

  // SPIN evaluates initialisers while it reads the model, and refuses an index outside the array.
  ExprId initial_value(const Expr& init) {
    const std::size_t first = program_.exprs.size();
    const ExprId value = code_.expression(init);
    for (std::size_t i = first; i < program_.exprs.size(); ++i) {
      if (program_.exprs[i].op != Op::kLoad) continue;
      const Place& place = program_.places[program_.exprs[i].place];
      for (const Place::Index& index : place.indices) {
        const ExprCode& expr = program_.exprs[index.expr];
        const bool is_outside = expr.op == Op::kConstant &&
                                (expr.value < 0 || static_cast<std::uint32_t>(expr.value) >= index.count);
        if (is_outside)
          diagnostics_.error("P423", init.range, "the index of '" + place.text + "' is outside the array");
      }
    }
    return value;
  }

  std::uint32_t channel_type(const ChannelInit& init) {
    ChannelType type;
    type.capacity = static_cast<std::uint32_t>(std::max(init.capacity, 0));
    type.length_bytes = type.capacity > 255 ? 2 : 1;
    std::uint64_t slot =
        0;  // computed before the fields are listed: a record may have a thousand million fields
    for (const Type& field : init.fields) slot += layout_.element_size(field);
    if (type.capacity > 65535 || std::max(type.capacity, 1U) * slot > kMaxStateBytes) {
      diagnostics_.error("P420", init.range, "this channel's buffer makes a state larger than 16 MB",
                         "use a smaller capacity");
      type.capacity = 1;
    } else {
      type.fields = layout_.flatten(init.fields);
      type.slot_bytes = static_cast<std::uint32_t>(slot);
    }
    program_.channel_types.push_back(std::move(type));
    channel_ranges_.push_back(init.range);
    return static_cast<std::uint32_t>(program_.channel_types.size() - 1);
  }

  // The buffers follow the variables; returns where they end.
  std::uint32_t place_buffers(std::vector<ChannelInfo>& channels, std::uint32_t offset) {
    for (ChannelInfo& channel : channels) {
      const std::uint64_t end = std::uint64_t{offset} + program_.channel_types[channel.type].bytes();
      if (end > kMaxStateBytes) {
        diagnostics_.error("P420", channel_ranges_[channel.type],
                           "the buffer of '" + channel.name + "' makes a state larger than 16 MB",
                           "use smaller capacities, or fewer channels");
        break;
      }
      channel.offset = offset;
      offset = static_cast<std::uint32_t>(end);
    }
    return offset;
  }

  // Each block fits by itself; together they must as well. (Processes and channels that `run` adds are
  // counted when it runs.)
  void check_initial_state() {
    std::uint64_t bytes = program_.globals_size;
    std::uint64_t channels = program_.channels.size();
    bool is_too_large = false;
    bool has_too_many = channels > kMaxChannels;
    if (has_too_many) too_many_channels(channel_ranges_[program_.channels[kMaxChannels].type]);
    for (std::uint32_t index : program_.active) {
      const ProcessType& type = program_.processes[index];
      const Range range = model_.proctypes[index].range;
      bytes += type.size;
      channels += type.channels.size();
      if (!is_too_large && bytes > kMaxStateBytes) {
        is_too_large = true;
        diagnostics_.error("P420", range,
                           "the processes of '" + type.name + "' make the initial state larger than 16 MB",
                           "use fewer processes, or smaller arrays and capacities");
      }
      if (!has_too_many && channels > kMaxChannels) {
        has_too_many = true;
        too_many_channels(range);
      }
    }
    if (!has_too_many) check_declared_channels();
  }

  // SPIN numbers the channels of all declarations in one byte, also of processes that never run.
  void check_declared_channels() {
    std::uint64_t declared = program_.channels.size();
    for (std::size_t index = 0; index < program_.processes.size(); ++index) {
      declared += program_.processes[index].channels.size();
      if (declared <= kMaxChannels) continue;
      diagnostics_.error("P424", model_.proctypes[index].range, "the model declares more than 255 channels",
                         "all declarations count once, also those of processes that never run");
      return;
    }
  }

  void too_many_channels(Range range) {
    diagnostics_.error(
        "P424", range, "the initial state has more than 255 channels",
        "the globals and every process that is active at the start count, each with all its channels");
  }

  void initialize_globals() {
    code_.enter(kNone);
    for (SymbolId symbol : model_.globals) {
      initialize(model_.symbols[symbol].decl, model_.symbols[symbol].name, layout_.offset(symbol),
                 program_.initializers, program_.channels);
    }
    program_.globals_size = place_buffers(program_.channels, globals_end_);
  }

  void initialize_process(std::size_t index) {
    const Proctype& proctype = model_.proctypes[index];
    ProcessType& type = program_.processes[index];
    code_.enter(static_cast<std::uint32_t>(index));
    for (SymbolId symbol : proctype.locals) {
      initialize(model_.symbols[symbol].decl, model_.symbols[symbol].name, layout_.offset(symbol),
                 type.initializers, type.channels);
    }
    type.size = place_buffers(type.channels, type.size);
    if (proctype.provided) type.provided = code_.expression(*proctype.provided);
    for (const ChannelClaim& claim : proctype.channel_claims) {
      type.claims.push_back({claim.receive, code_.load(claim.chan), claim.chan.range.begin});
      program_.has_channel_claims = true;
    }
    for (int i = 0; i < proctype.active; ++i) {
      program_.active.push_back(static_cast<std::uint32_t>(index));
      program_.active_priority.push_back(proctype.priority);
    }
  }

  void finish_process(std::size_t index) {
    const ProcessType& type = program_.processes[index];
    if (type.locations.size() > kMaxLocations) {
      diagnostics_.error("P421", {type.position, 1},
                         "proctype '" + type.name + "' has more than 65535 control locations");
    }
    if (program_.trace_process != index) return;
    for (const Location& location : type.locations) {
      for (const Transition& transition : location.transitions) {
        const Statement& statement = program_.statements[transition.statement];
        if (statement.op == StatementOp::kSend) program_.traced_sends.push_back(statement.chan);
        if (statement.op == StatementOp::kReceive) program_.traced_receives.push_back(statement.chan);
      }
    }
  }

  const Model& model_;
  const ClaimChoice claim_;
  Layout layout_;
  Program program_;
  CodeBuilder code_;
  Diagnostics& diagnostics_;
  std::uint32_t globals_end_ = 0;
  std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> idle_;  // expressions of claims that were not chosen
  std::vector<Range> channel_ranges_;                            // of Program::channel_types, for messages
};

}  // namespace

Program compile(const Model& model, const SourceSet& sources, Diagnostics& diagnostics,
                const ClaimChoice& claim) {
  Program program = ModelCompiler(model, sources, claim, 1, diagnostics).run();
  const auto is_large = [](const ProcessType& type) { return type.locations.size() > 256; };
  if (diagnostics.has_errors() || std::none_of(program.processes.begin(), program.processes.end(), is_large))
    return program;
  // The number of locations is known only after compiling; a model with two-byte locations is compiled again.
  Diagnostics already_reported;
  return ModelCompiler(model, sources, claim, 2, already_reported).run();
}

}  // namespace spoor::promela
