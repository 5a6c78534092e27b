// The offsets of variables and channel buffers in a state; program.h describes the bytes.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "promela/program.h"
#include "promela/syntax.h"

namespace spoor::promela {

ScalarType scalar_type(const Type& type);
// Of the variable, or of one element of the array. The elements of an array of bits are bytes, in SPIN
// and therefore here: they hold what a byte holds.
ScalarType scalar_type(const VarDecl& decl);

// Size and field offsets of a typedef.
struct RecordLayout {
  std::uint32_t size = 0;
  std::vector<std::uint32_t> field_offsets;
};

// Sizes are in bytes and saturate at UINT32_MAX. Before an offset is assigned, the size is compared with
// the largest state; a record with a saturated size gets no offset.
class Layout {
 public:
  explicit Layout(const Model& model);

  std::uint32_t element_size(const Type& type) const;  // of one element of an array of it
  std::uint32_t size(const VarDecl& decl) const;
  const RecordLayout& record(std::uint32_t index) const { return records_[index]; }

  void place(SymbolId symbol, std::uint32_t offset) { offsets_[symbol] = offset; }
  std::uint32_t offset(SymbolId symbol) const { return offsets_.at(symbol); }

  // The scalars inside a declaration, in SPIN's order of fields. REQUIRES: it fits into a state.
  std::vector<VariableInfo> scalars(const VarDecl& decl, std::uint32_t offset) const;
  // A channel's type with records replaced by their fields. REQUIRES: they fit into a state.
  std::vector<ChannelField> flatten(const std::vector<Type>& types) const;

 private:
  void collect(const VarDecl& decl, const std::string& name, std::uint32_t offset,
               std::vector<VariableInfo>& out) const;
  void flatten_record(std::uint32_t record, std::vector<ChannelField>& out) const;

  const Model& model_;
  std::vector<RecordLayout> records_;
  std::unordered_map<SymbolId, std::uint32_t> offsets_;
};

}  // namespace spoor::promela
