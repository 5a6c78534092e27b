#include "exec/stubborn_text.h"

#include <algorithm>
#include <set>

namespace spoor::exec {
namespace {

using promela::kNone;

Cells both(const Cells& a, const Cells& b) {
  Cells result;
  for (std::uint32_t cell = 0; cell < Cells::kCount; ++cell) {
    if ((a.word(cell / 64) & b.word(cell / 64)) >> cell % 64 & 1) result.add(cell);
  }
  return result;
}

void add_texts(const std::set<std::string>& texts, CanonicalCode& out) {
  out.number(texts.size());
  for (const std::string& text : texts) out.text(text);
}

}  // namespace

StubbornText::StubbornText(const StubbornTables& tables, const CodeNames& names)
    : tables_(tables), names_(names), cell_names_(Cells::kCount) {
  const ProgramAccesses& accesses = tables.accesses;
  cell_names_[kBirths] = "births";
  cell_names_[kDying] = "dying";
  cell_names_[kDeaths] = "deaths";
  const std::vector<std::string> variables = distinct_names(tables.program.variables);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::uint32_t cell = accesses.cell_of_byte[tables.program.variables[i].offset];
    are_cells_shared_ |= !cell_names_[cell].empty();
    cell_names_[cell] += "variable " + variables[i] + "\n";
    variables_.add(cell);
  }
  for (std::uint32_t slot = 1; slot <= accesses.channel_slots; ++slot) {
    const std::uint32_t head = accesses.first_channel_cell + 2 * (slot - 1);
    cell_names_[head] = "head " + std::to_string(slot);
    cell_names_[head + 1] = "tail " + std::to_string(slot);
  }
}

std::vector<std::string> StubbornText::names_of(const Cells& cells) const {
  std::vector<std::string> names;
  for (std::uint32_t cell = 0; cell < Cells::kCount; ++cell) {
    if ((cells.word(cell / 64) >> cell % 64 & 1) != 0) names.push_back(cell_names_[cell]);
  }
  std::ranges::sort(names);
  return names;
}

void StubbornText::add(const AccessSets& sets, CanonicalCode& out) const {
  for (const Cells* const cells : {&sets.reads, &sets.writes}) {
    const std::vector<std::string> names = names_of(*cells);
    out.number(names.size());
    for (const std::string& name : names) out.text(name);
  }
}

std::string StubbornText::of_program() const {
  CanonicalCode out(tables_.program, names_, kNoOwner);
  out.number(tables_.accesses.channel_slots);
  out.number(tables_.program.has_channel_claims ? 1 : 0);
  Cells others;
  for (std::uint32_t cell = 0; cell < Cells::kCount; ++cell) {
    const bool is_variable = (variables_.word(cell / 64) >> cell % 64 & 1) != 0;
    if (!is_variable) others.add(cell);
  }
  add({both(tables_.seen, others), {}}, out);
  out.number(are_cells_shared_ ? 1 : 0);
  if (are_cells_shared_) {
    for (const std::string& name : cell_names_) out.text(name);
  }
  return out.bytes();
}

bool StubbornText::is_fixed(const TypeAccesses& type, std::uint32_t access) const {
  const Access& what = type.accesses[access];
  if (!type.is_stable[access]) return true;
  switch (what.kind) {
    case Access::Kind::kRead:
    case Access::Kind::kWrite: return tables_.program.places[what.what].indices.empty();
    case Access::Kind::kSend:
    case Access::Kind::kSortedSend:
    case Access::Kind::kReceive:
    case Access::Kind::kQuestion: return false;
    case Access::Kind::kEnd: {
      const promela::ProcessType& process = tables_.program.processes[what.what];
      return process.claims.empty() && process.channels.empty();
    }
    case Access::Kind::kCount:
    case Access::Kind::kRun:
    case Access::Kind::kChild: return true;
  }
  return false;
}

std::string StubbornText::text_of(std::uint32_t type, std::uint32_t access) const {
  const TypeAccesses& accesses = tables_.accesses.types[type];
  const Access& what = accesses.accesses[access];
  CanonicalCode out(tables_.program, names_, type);
  out.number(static_cast<std::uint64_t>(what.kind));
  out.number(accesses.is_stable[access] ? 1 : 0);
  switch (what.kind) {
    case Access::Kind::kRead:
    case Access::Kind::kWrite: out.place(what.what, type); break;
    case Access::Kind::kSend:
    case Access::Kind::kSortedSend:
    case Access::Kind::kReceive:
    case Access::Kind::kQuestion: out.expression(what.what); break;
    case Access::Kind::kRun: add(tables_.start_of(what.what), out); break;
    case Access::Kind::kChild: add(tables_.child[what.what], out); break;
    case Access::Kind::kCount:
    case Access::Kind::kEnd: break;
  }
  return out.bytes();
}

void StubbornText::add_now(std::uint32_t type, std::uint32_t list, CanonicalCode& out) const {
  std::set<std::string> texts;
  for (const std::uint32_t access : tables_.accesses.types[type].lists[list])
    texts.insert(text_of(type, access));
  add_texts(texts, out);
}

void StubbornText::add_later(std::uint32_t type, std::uint32_t list, CanonicalCode& out) const {
  const TypeAccesses& accesses = tables_.accesses.types[type];
  AccessSets fixed;
  std::set<std::string> texts;
  for (const std::uint32_t access : accesses.lists[list]) {
    if (is_fixed(accesses, access)) {
      fixed.add(tables_.sets_of(nullptr, 0, accesses.accesses[access]));
    } else {
      texts.insert(text_of(type, access));
    }
  }
  add(fixed, out);
  add_texts(texts, out);
}

std::string StubbornText::of_location(std::uint32_t type, std::uint32_t location) const {
  const TypeAccesses& accesses = tables_.accesses.types[type];
  const LocationAccesses& here = accesses.locations[location];
  CanonicalCode out(tables_.program, names_, type);
  out.number((here.is_mixed ? 1U : 0U) + (here.is_free ? 2U : 0U));
  out.number(here.moves.size());
  for (const Move& move : here.moves) {
    add_now(type, move.whole, out);
    add_now(type, move.aside, out);
    add_later(type, move.chain, out);
    out.number(move.channel != kNone ? 1 : 0);
    out.number(move.conjuncts.size());
    for (const Conjunct& conjunct : move.conjuncts) {
      add_now(type, conjunct.list, out);
      out.number(conjunct.can_fail ? 1 : 0);
    }
  }
  add_later(type, here.all, out);
  add_later(type, here.future, out);
  AccessSets ever;  // what a step from here may write, whichever elements of arrays these are
  for (const std::uint32_t access : accesses.lists[here.all])
    ever.add(tables_.sets_of(nullptr, 0, accesses.accesses[access]));
  add({{}, both(both(ever.writes, tables_.seen), variables_)}, out);
  out.number(tables_.sees_places && tables_.is_watched[type][location] ? 1 : 0);
  return out.bytes();
}

}  // namespace spoor::exec
