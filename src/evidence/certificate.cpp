#include "evidence/certificate.h"

namespace spoor {

const char* to_string(CertificateKind kind) {
  switch (kind) {
    case CertificateKind::kCompact: return "compact";
    case CertificateKind::kClosedSet: return "closed-set";
    case CertificateKind::kFull: return "full";
    case CertificateKind::kTrustful: return "trustful";
    case CertificateKind::kRankedSet: return "ranked-set";
  }
  return "";
}

std::string encoded_claim(const CertificateClaim& claim) {
  std::string record;
  for (const std::string* const text : {&claim.tool, &claim.model, &claim.property, &claim.options})
    put_bytes(record, *text);
  put(record, claim.states);
  put(record, claim.steps);
  put(record, claim.regions);
  put_bytes(record, claim.initial_state);
  return record;
}

CertificateClaim decoded_claim(std::string_view record) {
  RecordReader reader(record);
  CertificateClaim claim;
  for (std::string* const text : {&claim.tool, &claim.model, &claim.property, &claim.options})
    *text = reader.bytes();
  claim.states = reader.number();
  claim.steps = reader.number();
  claim.regions = reader.number();
  claim.initial_state = reader.bytes();
  if (!reader.is_at_end()) throw_damaged();
  return claim;
}

std::string encoded_group(const RegionGroup& group) {
  std::string record;
  put(record, group.heads.size());
  for (const RegionHead& head : group.heads) {
    put(record, head.states);
    put(record, head.steps);
    put_bytes(record, head.root);
    put(record, head.flag_bytes);
  }
  put_ascending(record, group.in_full);
  record += group.flags;
  for (const std::uint64_t count : group.references) put(record, count);
  return record;
}

RegionGroup decoded_group(std::string_view record) {
  RecordReader reader(record);
  RegionGroup group;
  std::uint64_t states = 0, flags = 0;
  std::uint64_t left = reader.count();
  if (left > kMostGroupRegions) throw_damaged();
  for (; left > 0; --left) {
    RegionHead& head = group.heads.emplace_back();
    head.states = reader.number();
    head.steps = reader.number();
    head.root = reader.bytes();
    head.flag_bytes = reader.number();
    // Each takes a byte at least.
    if (head.states > record.size() - states || head.flag_bytes > record.size() - flags) throw_damaged();
    states += head.states;
    flags += head.flag_bytes;
  }
  read_ascending(reader, group.in_full);
  if (!group.in_full.empty() && group.in_full.back() >= states) throw_damaged();
  if (flags > reader.rest().size()) throw_damaged();
  group.flags = reader.rest().substr(0, flags);
  reader.skip(flags);
  if (states > reader.rest().size()) throw_damaged();
  group.references.resize(states);
  for (std::uint64_t& count : group.references) count = reader.number();
  if (!reader.is_at_end()) throw_damaged();
  return group;
}

}  // namespace spoor
