#include "evidence/region_writer.h"

#include <algorithm>
#include <utility>

#include "base/files.h"

namespace spoor {

std::unique_ptr<FramedWriter> unnamed_certificate_file(const std::string& path, int level) {
  FileFormat format = kCertificateFormat;
  format.level = level;
  return std::make_unique<FramedWriter>(FramedWriter::Unnamed{folder_of(path)}, format);
}

RegionWriter::RegionWriter(const std::string& path)
    : groups_(unnamed_certificate_file(path, kCertificateFormat.level)) {}

void RegionWriter::begin_region(StateBytes root, std::uint64_t steps) {
  head_ = {};
  head_.steps = steps;
  head_.root = as_text(root);
}

void RegionWriter::end_region() {
  group_bytes_ += head_.root.size() + head_.flag_bytes + head_.states;
  group_.heads.push_back(std::move(head_));
  ++regions_;
  if (group_bytes_ >= wanted_bytes_) give_group();
}

void RegionWriter::give_group() {
  const std::string record = encoded_group(group_);
  if (record.size() > kMostGroupBytes)
    throw FramedFileError(FramedFileError::Reason::kSystem,
                          "has states or regions that are too large for it");
  if (!group_.heads.empty()) groups_->add(kGroupRecord, record);
  group_ = {};
  group_bytes_ = 0;
  wanted_bytes_ = std::min(2 * wanted_bytes_, kGroupBytes);
}

void RegionWriter::finish() {
  give_group();
  groups_->finish();
}

void RegionWriter::save(const std::string& path, CertificateClaim claim) const {
  claim.regions = regions_;
  FramedWriter file(path, kCertificateFormat, {{"model", claim.model}});
  file.add(kClaimRecord, encoded_claim(claim));
  for (FramedReader groups(*groups_, kCertificateFormat); groups.copy_record(kGroupRecord, file);) {
  }
  file.finish();
}

}  // namespace spoor
