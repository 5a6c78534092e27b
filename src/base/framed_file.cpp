#include "base/framed_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <utility>

#include "base/files.h"
#include "base/hash.h"

namespace spoor {
namespace {

using Reason = FramedFileError::Reason;

constexpr std::size_t kMagicBytes = 8;
constexpr std::size_t kChecksumBytes = 8;
constexpr std::size_t kFixedHeader = kMagicBytes + 4 + 4;
constexpr std::uint32_t kMostDigestBytes = 1u << 16;
constexpr char kEnd = 0;

[[noreturn]] void fail_with_errno(const std::string& what) {
  throw FramedFileError(Reason::kSystem, what + ": " + std::strerror(errno));
}
[[noreturn]] void damaged() { throw FramedFileError(Reason::kDamaged, "is damaged"); }

std::uint64_t checksum_of(std::string_view head, std::string_view rest, std::uint64_t before) {
  const std::uint64_t seed = XXH3_64bits_withSeed(head.data(), head.size(), before);
  return XXH3_64bits_withSeed(rest.data(), rest.size(), seed);
}

// ---- numbers, the lowest byte first -----------------------------------------------------------------

template <class T>
void put(std::string& to, T value) {
  for (std::size_t i = 0; i < sizeof value; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}

template <class T>
T get(std::string_view from) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof value; ++i) {
    value |= static_cast<T>(T{static_cast<std::uint8_t>(from[i])} << (8 * i));
  }
  return value;
}

// ---- files ----------------------------------------------------------------------------------------------

// Reads up to so many bytes; returns how many the file had.
std::size_t read_some(int file, std::uint64_t at, char* to, std::size_t size) {
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::pread(file, to + have, size - have, static_cast<off_t>(at + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_with_errno("cannot be read");
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

void read_all(int file, std::uint64_t at, char* to, std::size_t size) {
  if (read_some(file, at, to, size) < size) {
    throw FramedFileError(Reason::kIncomplete, "is incomplete");
  }
}

void append(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(file, text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail_with_errno("cannot be written");
    text.remove_prefix(static_cast<std::size_t>(put));
  }
}

// One call in most cases, and no copy.
void append_all(int file, std::array<std::string_view, 3> pieces) {
  std::array<iovec, 3> vector{};
  for (std::size_t i = 0; i < pieces.size(); ++i)
    vector[i] = {const_cast<char*>(pieces[i].data()), pieces[i].size()};
  ssize_t put = 0;
  while ((put = ::writev(file, vector.data(), static_cast<int>(vector.size()))) < 0) {
    if (errno != EINTR) fail_with_errno("cannot be written");
  }
  auto done = static_cast<std::size_t>(put);
  for (std::string_view piece : pieces) {
    const std::size_t part = std::min(done, piece.size());
    done -= part;
    piece.remove_prefix(part);
    append(file, piece);
  }
}

std::vector<FileDigest> parsed_digests(std::string_view text) {
  const auto piece = [&] {
    if (text.empty()) damaged();
    const std::size_t size = static_cast<std::uint8_t>(text.front());
    if (text.size() - 1 < size) damaged();
    std::string result(text.substr(1, size));
    text.remove_prefix(1 + size);
    return result;
  };
  std::vector<FileDigest> digests;
  while (!text.empty()) {
    FileDigest& digest = digests.emplace_back();
    digest.name = piece();
    digest.value = piece();
  }
  return digests;
}

}  // namespace

OpenFile::~OpenFile() {
  if (number_ >= 0) ::close(number_);
}

// ---- bytes ----------------------------------------------------------------------------------------------

std::string encoded_header(const FileFormat& format, const std::vector<FileDigest>& digests,
                           std::uint64_t& checksum) {
  std::string text;
  for (const FileDigest& digest : digests) {
    for (const std::string* piece : {&digest.name, &digest.value}) {
      if (piece->size() > 0xff) throw std::invalid_argument("a digest is too long for a file's header");
      put(text, static_cast<std::uint8_t>(piece->size()));
      text += *piece;
    }
  }
  if (format.magic.size() != kMagicBytes || text.size() > kMostDigestBytes) {
    throw std::invalid_argument("invalid header: the magic, or the digests, have a wrong length");
  }
  std::string header(format.magic);
  put(header, format.version);
  put(header, static_cast<std::uint32_t>(text.size()));
  checksum = checksum_of(header, text, 0);
  header += text;
  put(header, checksum);
  return header;
}

namespace {

// What stands before the stored content of a block.
std::string block_front(const BlockHead& head, std::string_view stored, std::uint64_t& checksum) {
  std::string front;
  put(front, head.kind);
  put(front, head.flags);
  put(front, head.content_bytes);
  put(front, static_cast<std::uint32_t>(stored.size()));
  checksum = checksum_of(front, stored, checksum);
  return front;
}

}  // namespace

std::string encoded_block(const BlockHead& head, std::string_view stored, std::uint64_t& checksum) {
  std::string block = block_front(head, stored, checksum);
  block += stored;
  put(block, checksum);
  return block;
}

// ---- reading --------------------------------------------------------------------------------------------

struct FramedReader::Block {
  BlockHead head;
  std::string_view stored;
};

FramedReader::FramedReader(const std::string& path, const FileFormat& format)
    : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), decompressor_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
  if (decompressor_ == nullptr) throw std::bad_alloc();
  if (file_ < 0) fail_with_errno("cannot be read");
  read_header(format);
}

FramedReader::FramedReader(const FramedWriter& unnamed, const FileFormat& format)
    : file_(::fcntl(unnamed.file_, F_DUPFD_CLOEXEC, 0)), decompressor_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
  if (decompressor_ == nullptr) throw std::bad_alloc();
  if (file_ < 0) fail_with_errno("cannot be read");
  read_header(format);
}

FramedReader::~FramedReader() = default;

void FramedReader::read_header(const FileFormat& format) {
  std::array<char, kFixedHeader> fixed{};
  const std::size_t have = read_some(file_, 0, fixed.data(), fixed.size());
  const std::string_view text(fixed.data(), fixed.size());
  if (have < kMagicBytes || text.substr(0, kMagicBytes) != format.magic) {
    throw FramedFileError(Reason::kForeign, "is not a " + std::string(format.name));
  }
  if (have < fixed.size()) throw FramedFileError(Reason::kIncomplete, "is incomplete");
  const auto version = get<std::uint32_t>(text.substr(kMagicBytes));
  const auto bytes = get<std::uint32_t>(text.substr(kMagicBytes + 4));
  if (version != format.version) {
    throw FramedFileError(Reason::kVersion,
                          "is a " + std::string(format.name) + " in format " + std::to_string(version) +
                              "; this version of spoor reads format " + std::to_string(format.version));
  }
  if (bytes > kMostDigestBytes) damaged();
  stored_.resize(bytes + kChecksumBytes);
  read_all(file_, fixed.size(), stored_.data(), stored_.size());
  const std::string_view digests = std::string_view(stored_).substr(0, bytes);
  const std::uint64_t checksum = checksum_of(text, digests, 0);
  if (checksum != get<std::uint64_t>(std::string_view(stored_).substr(bytes))) damaged();
  digests_ = parsed_digests(digests);
  position_ = first_ = {fixed.size() + stored_.size(), checksum};
}

FramedReader::Block FramedReader::read_block(FilePosition& position, bool is_apart) {
  std::array<char, BlockHead::kBytes> bytes{};
  read_all(file_, position.at, bytes.data(), bytes.size());
  const std::string_view text(bytes.data(), bytes.size());
  Block block;
  block.head.kind = get<std::uint8_t>(text);
  block.head.flags = get<std::uint8_t>(text.substr(1));
  block.head.content_bytes = get<std::uint32_t>(text.substr(2));
  const auto stored_bytes = get<std::uint32_t>(text.substr(6));
  // Stored content is never longer than the content itself.
  if (block.head.content_bytes > kMostBlockBytes || stored_bytes > block.head.content_bytes) damaged();
  stored_.resize(stored_bytes + kChecksumBytes);
  read_all(file_, position.at + bytes.size(), stored_.data(), stored_.size());
  block.stored = std::string_view(stored_).substr(0, stored_bytes);
  const std::uint64_t checksum = checksum_of(text, block.stored, position.checksum);
  if (!is_apart && checksum != get<std::uint64_t>(std::string_view(stored_).substr(stored_bytes))) damaged();
  position = {position.at + bytes.size() + stored_.size(), checksum};
  return block;
}

bool FramedReader::read(FileRecord& record, std::size_t most_bytes) {
  FilePosition position = position_;
  if (!read_at(position, false, record, most_bytes)) return false;
  position_ = position;
  return true;
}

void FramedReader::read_apart(std::uint64_t at, FileRecord& record, std::size_t most_bytes) {
  FilePosition position{at, 0};
  if (!read_at(position, true, record, most_bytes)) damaged();
}

bool FramedReader::read_at(FilePosition& position, bool is_apart, FileRecord& record,
                           std::size_t most_bytes) {
  record.content.clear();
  for (bool is_first = true, continues = true; continues; is_first = false) {
    const Block block = read_block(position, is_apart);
    const BlockHead& head = block.head;
    const auto kind = static_cast<char>(head.kind);
    continues = (head.flags & BlockHead::kContinues) != 0;
    const std::size_t before = record.content.size();
    if ((head.flags & ~(BlockHead::kCompressed | BlockHead::kContinues)) != 0 ||
        (!is_first && kind != record.kind) ||
        before + head.content_bytes > std::min(most_bytes, kMostRecordBytes)) {
      damaged();
    }
    record.kind = kind;
    if (kind == kEnd) {
      if (head.flags != 0 || head.content_bytes != 0 || read_some(file_, position.at, stored_.data(), 1) != 0)
        damaged();
      return false;
    }
    if ((head.flags & BlockHead::kCompressed) == 0) {
      if (block.stored.size() != head.content_bytes) damaged();
      record.content += block.stored;
      continue;
    }
    record.content.resize(before + head.content_bytes);
    const std::size_t got = ZSTD_decompressDCtx(decompressor_.get(), record.content.data() + before,
                                                head.content_bytes, block.stored.data(), block.stored.size());
    if (ZSTD_isError(got) != 0 || got != head.content_bytes) damaged();
  }
  return true;
}

bool FramedReader::copy_record(char kind, FramedWriter& to) {
  FilePosition position = position_;
  for (bool is_first = true, continues = true; continues; is_first = false) {
    const Block block = read_block(position);
    if (static_cast<char>(block.head.kind) != kind) {
      if (!is_first) damaged();
      return false;
    }
    continues = (block.head.flags & BlockHead::kContinues) != 0;
    to.add_stored(block.head, block.stored);
  }
  position_ = position;
  return true;
}

// ---- writing --------------------------------------------------------------------------------------------

std::string why_not_written(const std::string& path, const FileFormat& format) {
  const std::string target = format.is_shared ? path : behind_links(path);
  const auto reason = [](const char* what) { return std::string("cannot be written: ") + what; };
  struct stat status {};
  if (::fstatat(AT_FDCWD, target.c_str(), &status, format.is_shared ? AT_SYMLINK_NOFOLLOW : 0) != 0) {
    if (errno != ENOENT) return reason(std::strerror(errno));
    return ::access(folder_of(target).c_str(), W_OK | X_OK) == 0 ? "" : reason(std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) return reason("it is not a regular file");
  if (::access(target.c_str(), W_OK) != 0) return reason(std::strerror(errno));
  if (status.st_size == 0) return {};
  if (::access(target.c_str(), R_OK) != 0) return reason(std::strerror(errno));
  if (has_magic(target, format)) return {};
  return "is not a " + std::string(format.name) + ", and is not replaced by one";
}

bool has_magic(const std::string& path, const FileFormat& format) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file < 0) return false;
  std::array<char, kMagicBytes> magic{};
  const std::size_t have = read_some(file, 0, magic.data(), magic.size());
  return std::string_view(magic.data(), have) == format.magic;
}

namespace {

std::string checked(const std::string& path, const FileFormat& format) {
  const std::string reason = why_not_written(path, format);
  if (!reason.empty()) throw FramedFileError(Reason::kSystem, reason);
  return format.is_shared ? path : behind_links(path);
}

std::string temporary_name(const std::string& path, const FileFormat& format) {
  if (!format.is_shared) return path + ".part";
  std::random_device random;
  std::array<char, 48> middle{};
  std::snprintf(middle.data(), middle.size(), ".%ld-%08x.part", static_cast<long>(::getpid()), random());
  return path + middle.data();
}

// Of a file without a name. Not every file system makes one at once.
int open_unnamed(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = folder + "/unnamed-XXXXXX.part";
  const int made = ::mkostemps(name.data(), 5, O_CLOEXEC);
  if (made >= 0) ::unlink(name.c_str());
  return made;
}

}  // namespace

FramedWriter::FramedWriter(const std::string& path, const FileFormat& format,
                           const std::vector<FileDigest>& digests)
    : path_(checked(path, format)),
      temporary_(temporary_name(path_, format)),
      file_(::open(temporary_.c_str(),
                   O_WRONLY | O_CREAT | O_CLOEXEC | (format.is_shared ? O_EXCL | O_NOFOLLOW : O_TRUNC),
                   format.is_secret ? 0600 : 0666)),
      level_(format.level),
      compressor_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  if (compressor_ == nullptr) throw std::bad_alloc();
  // What a killed process has left may have another mode.
  if (file_ < 0 || (format.is_secret && ::fchmod(file_, 0600) != 0)) fail_with_errno("cannot be written");
  append(file_, encoded_header(format, digests, checksum_));
}

FramedWriter::FramedWriter(std::string path, FilePosition end)
    : path_(std::move(path)),
      file_(::open(path_.c_str(), O_WRONLY | O_CLOEXEC)),
      has_name_(true),
      checksum_(end.checksum),
      level_(FileFormat().level),
      compressor_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  if (compressor_ == nullptr) throw std::bad_alloc();
  if (file_ < 0 || ::ftruncate(file_, static_cast<off_t>(end.at)) != 0 || ::lseek(file_, 0, SEEK_END) < 0) {
    fail_with_errno("cannot be written");
  }
}

FramedWriter::FramedWriter(const Unnamed& where, const FileFormat& format)
    : file_(open_unnamed(where.folder)), level_(format.level), compressor_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  if (compressor_ == nullptr) throw std::bad_alloc();
  if (file_ < 0) fail_with_errno("cannot be written");
  append(file_, encoded_header(format, {}, checksum_));
}

FramedWriter::~FramedWriter() {
  if (!has_name_ && !path_.empty()) ::unlink(temporary_.c_str());
}

void FramedWriter::add(char kind, std::string_view content) {
  if (kind == kEnd) throw std::invalid_argument("no record is of kind 0");
  if (content.size() > kMostRecordBytes) {
    throw FramedFileError(Reason::kSystem, "cannot be written: a record of it would be too long");
  }
  while (content.size() > kMostBlockBytes) {
    add_block(kind, true, content.substr(0, kMostBlockBytes));
    content.remove_prefix(kMostBlockBytes);
  }
  add_block(kind, false, content);
}

void FramedWriter::add_block(char kind, bool continues, std::string_view content) {
  BlockHead head;
  head.kind = static_cast<std::uint8_t>(kind);
  head.flags = continues ? BlockHead::kContinues : 0;
  head.content_bytes = static_cast<std::uint32_t>(content.size());
  if (level_ == FileFormat::kStored) return add_stored(head, content);
  // The buffer is smaller than the content: where zstd needs more, the content is stored uncompressed.
  stored_.resize(content.empty() ? 0 : content.size() - 1);
  const std::size_t size = ZSTD_compressCCtx(compressor_.get(), stored_.data(), stored_.size(),
                                             content.data(), content.size(), level_);
  if (ZSTD_isError(size) == 0) {
    head.flags |= BlockHead::kCompressed;
    content = std::string_view(stored_).substr(0, size);
  }
  add_stored(head, content);
}

void FramedWriter::add_stored(const BlockHead& head, std::string_view stored) {
  const std::string front = block_front(head, stored, checksum_);
  std::string back;
  put(back, checksum_);
  append_all(file_, {front, stored, back});
}

void FramedWriter::sync() {
  if (path_.empty()) return;  // nobody will ask for it after a crash
  if (::fdatasync(file_) != 0) fail_with_errno("cannot be written");
  if (has_name_) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail_with_errno("cannot be written");
  has_name_ = true;
  // The new name must survive a crash, too. A folder that cannot be synced is not an error: the file is
  // written.
  const OpenFile folder(::open(folder_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder >= 0) ::fsync(folder);
}

void FramedWriter::finish() {
  append(file_, encoded_block({}, {}, checksum_));
  sync();
}

}  // namespace spoor
