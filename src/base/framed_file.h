// Framed files: identified by a header, protected by checksums, and written completely or not at all.
//
// Results of a search outlive the program that wrote them: checkpoints today, recordings and certificates
// later. They share one container, so that each new kind of file has the same protection. docs/formats.md
// describes every byte; in short:
//
//     header   magic, version of the format, digests of the model and options, checksum
//     block    kind, flags, two sizes, at most 1 MiB of content (zstd where that helps), checksum
//     ...
//     block    of kind 0: the end (in files that are finished)
//
// A caller writes records: a kind and any number of bytes. A record that is longer than a block continues in
// the next. A file that grows while it is in use (a checkpoint) is synced after a record and never finished;
// its reader decides up to which record it is valid.
//
// Why not one compressed stream: a stream must be read from its beginning and is lost after the first wrong
// byte; and its reader must trust the declared size or limit the output. A block has a bound that does not
// depend on the file.
//
// The checksum (XXH3, 64 bits) of a block begins with that of the block before. So a block that is moved,
// repeated, left out or copied from another file is detected, as is a wrong byte. The checksum protects
// against accidents, not against forgery: readers of the contents must not crash on any contents.
//
// Invariants:
//   1. A reader returns only bytes whose checksum, and that of all blocks before, is right (not read_apart).
//   2. A declared size is compared with the bound before memory is allocated for it.
//   3. Until the first sync the name of a new file is PATH.part; from then on PATH is a synced file.
//      Where several processes may write it at once, each has a temporary name, PATH.PID-RANDOM.part: the one
//      that ends last wins, and a reader sees the file of one of them.
//
// Cost: zstd at level 1. A checkpoint of phils -DN=11 shrinks from 162 MB to 9; writing it takes 0.1 s of
// processor time more than without compression, reading it twice 0.15 s.
// Thread safety: none; a reader or writer belongs to one thread at a time.
// Tested by: tests/unit/test_framed_file.cpp, tests/fuzz/framed_file.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace spoor {

// The error as the predicate of a sentence about the file: "is not a checkpoint".
class FramedFileError : public std::runtime_error {
 public:
  enum class Reason {
    kSystem,      // the file cannot be read or written
    kForeign,     // another kind of file
    kVersion,     // another version of the format
    kDamaged,     // a wrong checksum or malformed contents
    kIncomplete,  // the file ends too early
  };
  FramedFileError(Reason reason, const std::string& what) : std::runtime_error(what), reason_(reason) {}
  Reason reason() const { return reason_; }

 private:
  Reason reason_;
};

struct FileFormat {
  std::string_view magic;  // 8 bytes
  std::uint32_t version = 0;
  std::string_view name;  // "checkpoint", for messages
  // Several processes may write the same file at once, and the folder is a program's: the temporary name is
  // unique, and a symbolic link is not followed but refused.
  bool is_shared = false;
  // Of compression: the fastest of zstd's usual ones, or below zero one that is faster still. kStored: none.
  int level = 1;
  // Nobody else may read or write it (mode 0600).
  bool is_secret = false;
  static constexpr int kStored = 0;
};

// A named digest ("model") of what the contents belong to; the caller chooses both.
struct FileDigest {
  std::string name;   // at most 255 bytes
  std::string value;  // the same
  friend bool operator==(const FileDigest&, const FileDigest&) = default;
};

inline constexpr std::size_t kMostBlockBytes = std::size_t{1} << 20;   // of content
inline constexpr std::size_t kMostRecordBytes = std::size_t{1} << 30;  // in several blocks

struct FileRecord {
  char kind = 0;  // not 0
  std::string content;
};

// A place between two records, and the checksum of all blocks before it.
struct FilePosition {
  std::uint64_t at = 0;
  std::uint64_t checksum = 0;
};

class OpenFile {
 public:
  explicit OpenFile(int number) : number_(number) {}
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

class FramedWriter;
struct BlockHead;

// All members throw FramedFileError.
class FramedReader {
 public:
  FramedReader(const std::string& path, const FileFormat& format);
  // Reads what has been added to a file without a name (FramedWriter).
  FramedReader(const FramedWriter& unnamed, const FileFormat& format);
  ~FramedReader();

  const std::vector<FileDigest>& digests() const { return digests_; }

  // The next record. False at the end of a finished file; at the end of an unfinished file it throws
  // (kIncomplete). After an exception the reader's position is before the record. A record of more than
  // `most_bytes` is damage: a small file can have large records, because they are compressed.
  bool read(FileRecord& record, std::size_t most_bytes = kMostRecordBytes);

  // If the next record is of this kind, it is added to a file as it is stored, and the one after it is the
  // next. False: it is of another kind, or there is none.
  bool copy_record(char kind, FramedWriter& to);

  // Reads the record that begins there, wherever this reader is. The checksum, which depends on all blocks
  // before, is not looked at: the caller has a digest of the content. Throws where there is no record.
  void read_apart(std::uint64_t at, FileRecord& record, std::size_t most_bytes);

  FilePosition position() const { return position_; }
  // REQUIRES: a position that this reader had.
  void seek(FilePosition position) { position_ = position; }
  // To the first record.
  void rewind() { position_ = first_; }

 private:
  struct Block;
  void read_header(const FileFormat& format);
  Block read_block(FilePosition& position, bool is_apart = false);
  // Returns whether there is a record; then the position is behind it.
  bool read_at(FilePosition& position, bool is_apart, FileRecord& record, std::size_t most_bytes);

  OpenFile file_;
  std::vector<FileDigest> digests_;
  FilePosition position_, first_;
  std::string stored_;  // a block as in the file
  std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> decompressor_;
};

// Why no file of this format can be written to `path`, as the end of a sentence about the path ("cannot be
// written: ..."); empty: it can. Written are new files, and those of the same format, which are replaced:
// whatever else stands there is somebody's.
std::string why_not_written(const std::string& path, const FileFormat& format);
// Is it a file that begins as those of this format do?
bool has_magic(const std::string& path, const FileFormat& format);

// All members throw FramedFileError; after that the file is valid up to its last sync, and the writer must
// not be used.
class FramedWriter {
 public:
  // A new file; replaces a file of the same name, where why_not_written() has nothing against it. A symbolic
  // link stays, and what it points to is written (unless the format is shared: then a link is refused).
  FramedWriter(const std::string& path, const FileFormat& format, const std::vector<FileDigest>& digests);
  // Appends to a file at this position; what follows the position is cut off.
  FramedWriter(std::string path, FilePosition end);
  // A file without a name, in this folder: it is gone with the writer and its readers, however they end.
  struct Unnamed {
    std::string folder;
  };
  FramedWriter(const Unnamed& where, const FileFormat& format);
  // A new file that was never synced is removed.
  ~FramedWriter();
  FramedWriter(const FramedWriter&) = delete;
  FramedWriter& operator=(const FramedWriter&) = delete;

  void add(char kind, std::string_view content);
  // After this call all records are on the disk, under the file's name.
  void sync();
  // Writes the end block, and syncs.
  void finish();

 private:
  friend class FramedReader;  // which copies blocks
  void add_block(char kind, bool continues, std::string_view content);
  void add_stored(const BlockHead& head, std::string_view stored);

  std::string path_;       // empty: it has no name
  std::string temporary_;  // its name until the first sync
  OpenFile file_;
  bool has_name_ = false;
  std::uint64_t checksum_ = 0;
  std::string stored_;
  const int level_;
  std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s*)> compressor_;
};

// The bytes of a header and of a block, for the writer and for tests of the reader. `checksum`: of everything
// before; afterwards it includes these bytes.
std::string encoded_header(const FileFormat& format, const std::vector<FileDigest>& digests,
                           std::uint64_t& checksum);
struct BlockHead {
  static constexpr std::uint8_t kCompressed = 1, kContinues = 2;
  static constexpr std::size_t kBytes = 10;

  std::uint8_t kind = 0;
  std::uint8_t flags = 0;
  std::uint32_t content_bytes = 0;
};
std::string encoded_block(const BlockHead& head, std::string_view stored, std::uint64_t& checksum);

}  // namespace spoor
