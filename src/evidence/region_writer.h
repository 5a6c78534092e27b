// Writes the regions of a compact certificate (certificate.h) in groups, as the producers find them.
//
// Tested by: tests/unit/test_certificate.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "evidence/certificate.h"
#include "search/observer.h"

namespace spoor {

// States of a region come in the order in which the certifier expands them; the root is the first. All
// members throw FramedFileError.
class RegionWriter {
 public:
  // `path`: of the certificate. Regions are kept in a file without a name until it is saved.
  explicit RegionWriter(const std::string& path);

  // `steps`: transitions of all its states.
  void begin_region(StateBytes root, std::uint64_t steps);
  // `flags`: of the transitions; they may be changed until the next call.
  char* add_state(std::string_view flags, std::uint64_t references, bool in_full) {
    if (in_full) group_.in_full.push_back(static_cast<std::uint32_t>(group_.references.size()));
    group_.references.push_back(references);
    ++head_.states;
    head_.flag_bytes += flags.size();
    const std::size_t begin = group_.flags.size();
    group_.flags += flags;
    return group_.flags.data() + begin;
  }
  void end_region();
  void finish();
  std::uint64_t regions() const { return regions_; }

  // REQUIRES: it is finished. `claim`: with its figures; the number of regions is filled in.
  void save(const std::string& path, CertificateClaim claim) const;

 private:
  // Certifiers wait for the first group, and read the others beside their work.
  static constexpr std::size_t kFirstGroupBytes = std::size_t{1} << 16, kGroupBytes = std::size_t{1} << 18;
  void give_group();

  std::unique_ptr<FramedWriter> groups_;
  RegionGroup group_;
  RegionHead head_;
  std::size_t group_bytes_ = 0, wanted_bytes_ = kFirstGroupBytes;
  std::uint64_t regions_ = 0;
};

// A file for the time until the certificate is saved, in its folder. `level`: of compression.
std::unique_ptr<FramedWriter> unnamed_certificate_file(const std::string& path, int level);

}  // namespace spoor
