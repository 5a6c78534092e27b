#include "promela/layout.h"

#include <algorithm>

namespace spoor::promela {

ScalarType scalar_type(const Type& type) {
  switch (type.base) {
    case BaseType::kBit:
    case BaseType::kBool: return {type.base, 1, 1, false};
    case BaseType::kByte:
    case BaseType::kPid:
    case BaseType::kMtype:
    case BaseType::kChan: return {type.base, 8, 1, false};
    case BaseType::kShort: return {type.base, 16, 2, true};
    case BaseType::kUnsigned: {
      const std::uint8_t bits = std::clamp<std::uint8_t>(type.bits == 0 ? 32 : type.bits, 1, 32);
      return {type.base, bits, static_cast<std::uint8_t>(bits <= 8 ? 1 : bits <= 16 ? 2 : 4), false};
    }
    case BaseType::kInt:
    case BaseType::kRecord: break;
  }
  return {BaseType::kInt, 32, 4, true};
}

ScalarType scalar_type(const VarDecl& decl) {
  ScalarType type = scalar_type(decl.type);
  if (decl.array_size > 0 && type.bits == 1) type.bits = 8;
  return type;
}

std::int32_t ScalarType::truncate(std::int32_t value) const {
  if (bits >= 32) return value;
  const std::uint32_t kept = static_cast<std::uint32_t>(value) & ((1U << bits) - 1);
  if (is_signed && (kept >> (bits - 1)) != 0) return static_cast<std::int32_t>(kept | ~((1U << bits) - 1));
  return static_cast<std::int32_t>(kept);
}

namespace {

// A size that does not fit stays at the largest value, which no state can hold.
std::uint32_t saturated(std::uint64_t bytes) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(bytes, UINT32_MAX));
}

}  // namespace

Layout::Layout(const Model& model) : model_(model) {
  for (const Record& record : model.records) {  // a typedef can only use earlier ones
    RecordLayout layout;
    for (const VarDecl& field : record.fields) {
      layout.field_offsets.push_back(layout.size);
      layout.size = saturated(std::uint64_t{layout.size} + size(field));
    }
    records_.push_back(std::move(layout));
  }
}

std::uint32_t Layout::element_size(const Type& type) const {
  return type.base == BaseType::kRecord ? records_[type.record].size : scalar_type(type).bytes;
}

std::uint32_t Layout::size(const VarDecl& decl) const {
  return saturated(std::uint64_t{element_size(decl.type)} *
                   static_cast<std::uint64_t>(std::max(decl.array_size, 1)));
}

std::vector<VariableInfo> Layout::scalars(const VarDecl& decl, std::uint32_t offset) const {
  std::vector<VariableInfo> out;
  collect(decl, decl.name, offset, out);
  return out;
}

void Layout::collect(const VarDecl& decl, const std::string& name, std::uint32_t offset,
                     std::vector<VariableInfo>& out) const {
  const std::uint32_t stride = element_size(decl.type);
  for (int i = 0; i < std::max(decl.array_size, 1); ++i) {
    const std::string element = decl.array_size > 0 ? name + "[" + std::to_string(i) + "]" : name;
    const std::uint32_t at = offset + static_cast<std::uint32_t>(i) * stride;
    if (decl.type.base == BaseType::kRecord) {
      const Record& record = model_.records[decl.type.record];
      for (std::size_t f = 0; f < record.fields.size(); ++f) {
        collect(record.fields[f], element + "." + record.fields[f].name,
                at + records_[decl.type.record].field_offsets[f], out);
      }
    } else {
      out.push_back(
          {element, scalar_type(decl), at, decl.type.mtype_set, decl.visibility == Visibility::kHidden});
    }
  }
}

std::vector<ChannelField> Layout::flatten(const std::vector<Type>& types) const {
  std::vector<ChannelField> out;
  for (const Type& type : types) {
    if (type.base == BaseType::kRecord) {
      flatten_record(type.record, out);
    } else {
      out.push_back({scalar_type(type), type.mtype_set});
    }
  }
  // SPIN gives the only field of a message whole bytes: a bit there holds what a byte holds.
  if (out.size() == 1 && out[0].bits == 1) out[0].bits = 8;
  return out;
}

void Layout::flatten_record(std::uint32_t record, std::vector<ChannelField>& out) const {
  for (const VarDecl& field : model_.records[record].fields) {
    for (int i = 0; i < std::max(field.array_size, 1); ++i) {
      if (field.type.base == BaseType::kRecord) {
        flatten_record(field.type.record, out);
      } else {
        out.push_back({scalar_type(field.type), field.type.mtype_set});
      }
    }
  }
}

}  // namespace spoor::promela
