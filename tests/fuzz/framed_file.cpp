// Any bytes as a framed file: as they are, and as the blocks of one whose checksums are right. The reader
// gives what was written or says what is wrong, and never more than a block may hold.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/framed_file.h"

namespace {

constexpr spoor::FileFormat kFormat{"fuzzfile", 1, "file"};

// The records of a file of which this is the text, as far as they can be read.
std::vector<std::string> records_of(std::string_view text) {
  const spoor::OpenFile file(::memfd_create("fuzz", MFD_CLOEXEC));
  if (file < 0 || ::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) std::abort();
  std::vector<std::string> records;
  try {
    spoor::FramedReader reader("/proc/self/fd/" + std::to_string(file), kFormat);
    std::uint64_t before = reader.position().at;
    for (spoor::FileRecord record; reader.read(record);) {
      const std::uint64_t after = reader.position().at;
      if (record.kind == 0 || after <= before || after > text.size()) std::abort();
      // Each block has a head, so many bytes bound what they can stand for.
      if (record.content.size() > (after - before) / spoor::BlockHead::kBytes * spoor::kMostBlockBytes)
        std::abort();
      before = after;
      records.push_back(record.content);
    }
  } catch (const spoor::FramedFileError& error) {
    if (error.what() == std::string_view()) std::abort();
  }
  return records;
}

// Blocks with right checksums: a byte for the kind, one for the flags, three for the declared size, one for
// what is stored of the bytes that follow.
std::string with_checksums(std::string_view text) {
  std::uint64_t checksum = 0;
  std::string file = spoor::encoded_header(kFormat, {{"fuzz", "1"}}, checksum);
  constexpr std::size_t kHead = 6;
  while (text.size() >= kHead) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const spoor::BlockHead head{byte(0), byte(1),
                                byte(2) | std::uint32_t{byte(3)} << 8 | std::uint32_t{byte(4)} << 16};
    const std::size_t size = std::min<std::size_t>(byte(5), text.size() - kHead);
    file += spoor::encoded_block(head, text.substr(kHead, size), checksum);
    text.remove_prefix(kHead + size);
  }
  return file + spoor::encoded_block({}, {}, checksum);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  records_of(text);
  records_of(with_checksums(text));
  // One wrong byte in a file that is right.
  std::uint64_t checksum = 0;
  std::string file = spoor::encoded_header(kFormat, {}, checksum);
  const auto length = static_cast<std::uint32_t>(size);
  file += spoor::encoded_block({'a', 0, length}, text, checksum);
  file += spoor::encoded_block({}, {}, checksum);
  if (records_of(file) != std::vector<std::string>{std::string(text)}) std::abort();
  if (size >= 3) {
    const std::size_t at = (data[0] | std::size_t{data[1]} << 8) % file.size();
    const char change = static_cast<char>(data[2] == 0 ? 1 : data[2]);
    file[at] = static_cast<char>(file[at] ^ change);
    for (const std::string& record : records_of(file)) {
      if (record != text) std::abort();
    }
  }
  return 0;
}
