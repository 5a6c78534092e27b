// Framed files: what was written comes back, and no damage goes unnoticed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/framed_file.h"

namespace spoor {
namespace {

using Reason = FramedFileError::Reason;

constexpr FileFormat kFormat{"test-fil", 3, "test file"};
const std::vector<FileDigest> kDigests = {{"model", "abc"}, {"options", ""}, {"tool", std::string(255, 'x')}};

struct Contents {
  std::vector<FileDigest> digests;
  std::vector<std::pair<char, std::string>> records;
  friend bool operator==(const Contents&, const Contents&) = default;
};

class FramedFile : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::temp_directory_path() /
              ("spoor-" + name + "-" + std::to_string(std::random_device()()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name = "file") const { return folder_ / name; }
  std::string bytes() const {
    std::ostringstream text;
    text << std::ifstream(path(), std::ios::binary).rdbuf();
    return text.str();
  }
  void set_bytes(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }

  void write(const Contents& contents) const {
    FramedWriter writer(path(), kFormat, contents.digests);
    for (const auto& [kind, content] : contents.records) writer.add(kind, content);
    writer.finish();
  }
  Contents read() const {
    FramedReader reader(path(), kFormat);
    Contents contents{reader.digests(), {}};
    for (FileRecord record; reader.read(record);) contents.records.emplace_back(record.kind, record.content);
    return contents;
  }
  // Why it cannot be read; nothing where it can.
  std::optional<Reason> refusal() const {
    try {
      read();
    } catch (const FramedFileError& error) {
      EXPECT_NE(error.what(), std::string());
      return error.reason();
    }
    return std::nullopt;
  }

  std::filesystem::path folder_;
};

std::string noise(std::size_t size) {
  std::mt19937_64 random(size);
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

const Contents kSmall{kDigests,
                      {{'s', "some states"}, {'s', ""}, {'m', std::string(300, 'm')}, {'s', "\0\xff"}}};

TEST_F(FramedFile, GivesBackWhatWasWritten) {
  Contents contents = kSmall;
  for (const std::size_t size :
       {kMostBlockBytes - 1, kMostBlockBytes, kMostBlockBytes + 1, 3 * kMostBlockBytes + 5}) {
    contents.records.emplace_back('n', noise(size));
    contents.records.emplace_back('z', std::string(size, 'z'));
  }
  write(contents);
  EXPECT_EQ(read(), contents);
  contents = {};
  write(contents);
  EXPECT_EQ(read(), contents);
}

TEST_F(FramedFile, IsCompressedWhereThatHelpsAndNotLongerWhereItDoesNot) {
  write({{}, {{'z', std::string(kMostBlockBytes, 'z')}}});
  EXPECT_LT(bytes().size(), 1000u);
  write({{}, {{'n', noise(kMostBlockBytes)}}});
  EXPECT_LT(bytes().size(), kMostBlockBytes + 100);
}

TEST_F(FramedFile, TheSameContentsAreTheSameBytes) {
  write(kSmall);
  const std::string once = bytes();
  write(kSmall);
  EXPECT_EQ(bytes(), once);
}

TEST_F(FramedFile, IsIncompleteWhereverItIsCut) {
  write(kSmall);
  const std::string whole = bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    set_bytes(whole.substr(0, size));
    EXPECT_EQ(refusal(), size < 8 ? Reason::kForeign : Reason::kIncomplete) << size;
  }
}

TEST_F(FramedFile, EveryChangeOfAByteIsNoticed) {
  write(kSmall);
  const std::string whole = bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int change : {1, 0x80}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ change);
      set_bytes(changed);
      EXPECT_TRUE(refusal().has_value()) << at;
    }
  }
}

TEST_F(FramedFile, NothingMayStandBehindItsEnd) {
  write(kSmall);
  set_bytes(bytes() + "x");
  EXPECT_EQ(refusal(), Reason::kDamaged);
}

// The bytes of a file made of these blocks, each with a checksum that is right.
std::string file_of(const std::vector<std::pair<BlockHead, std::string>>& blocks) {
  std::uint64_t checksum = 0;
  std::string text = encoded_header(kFormat, {}, checksum);
  for (const auto& [head, stored] : blocks) text += encoded_block(head, stored, checksum);
  return text;
}

TEST_F(FramedFile, BlocksCannotBeExchangedOrLeftOut) {
  std::uint64_t checksum = 0;
  const std::string header = encoded_header(kFormat, {}, checksum);
  const std::string first = encoded_block({'a', 0, 1}, "1", checksum);
  const std::string second = encoded_block({'a', 0, 1}, "2", checksum);
  const std::string end = encoded_block({}, {}, checksum);
  set_bytes(header + first + second + end);
  EXPECT_EQ(refusal(), std::nullopt);
  for (const std::string& text : {header + second + first + end, header + first + first + end,
                                  header + first + end, header + second + end, header + end}) {
    set_bytes(text);
    EXPECT_EQ(refusal(), Reason::kDamaged);
  }
}

TEST_F(FramedFile, ABlockThatSaysSomethingImpossibleIsDamaged) {
  constexpr std::uint8_t kCompressed = BlockHead::kCompressed, kContinues = BlockHead::kContinues;
  const auto one = [](std::uint8_t kind, std::uint8_t flags, std::size_t size, const std::string& stored) {
    return std::pair(BlockHead{kind, flags, static_cast<std::uint32_t>(size)}, stored);
  };
  const std::vector<std::vector<std::pair<BlockHead, std::string>>> files = {
      {one('a', 4, 1, "x")},                                 // a flag that there is not
      {one('a', 0, 5, "x")},                                 // shorter than it says, and not compressed
      {one('a', 0, 0, "x")},                                 // longer than what it stands for
      {one('a', kCompressed, 50, "this is not zstd")},       //
      {one('a', kCompressed, kMostBlockBytes + 1, "bomb")},  // larger than any block
      {one('a', kCompressed, UINT32_MAX, "bomb")},           //
      {one('a', kContinues, 1, "x"), one('b', 0, 1, "y")},   // goes on as something else
      {one('a', kContinues, 1, "x"), one(0, 0, 0, "")},      // ends where it must go on
      {one(0, 0, 1, "x")},                                   // an end with something in it
  };
  for (std::size_t i = 0; i < files.size(); ++i) {
    set_bytes(file_of(files[i]));
    EXPECT_EQ(refusal(), Reason::kDamaged) << i;
  }
}

// What was compressed from more than the block says does not come out.
TEST_F(FramedFile, ABombIsCutOffAtTheSizeThatWasDeclared) {
  write({{}, {{'z', std::string(kMostBlockBytes, 'z')}}});
  std::string stored = bytes().substr(file_of({}).size() + BlockHead::kBytes);
  stored.resize(stored.size() - 8 - BlockHead::kBytes - 8);  // its checksum, and the end
  set_bytes(file_of({{{'z', BlockHead::kCompressed, static_cast<std::uint32_t>(kMostBlockBytes)}, stored}}));
  EXPECT_EQ(refusal(), Reason::kIncomplete);  // only the end is missing
  set_bytes(file_of({{{'z', BlockHead::kCompressed, 1000}, stored}}));
  EXPECT_EQ(refusal(), Reason::kDamaged);
}

TEST_F(FramedFile, AnotherKindOfFileOrAnotherVersionIsRefusedByName) {
  write(kSmall);
  const auto what = [&](const FileFormat& format) -> std::string {
    try {
      const FramedReader reader(path(), format);
    } catch (const FramedFileError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(what({"other-fi", 3, "certificate"}), "is not a certificate");
  EXPECT_EQ(what({"test-fil", 4, "test file"}),
            "is a test file in format 3; this version of spoor reads format 4");
  set_bytes("hello\n");
  EXPECT_EQ(what(kFormat), "is not a test file");
  set_bytes("");
  EXPECT_EQ(refusal(), Reason::kForeign);
}

TEST_F(FramedFile, ReplacesOnlyFilesOfItsOwnFormat) {
  set_bytes("what was there before");
  EXPECT_EQ(why_not_written(path(), kFormat), "is not a test file, and is not replaced by one");
  EXPECT_THROW(FramedWriter(path(), kFormat, {}), FramedFileError);
  EXPECT_EQ(bytes(), "what was there before");
  set_bytes("");
  EXPECT_EQ(why_not_written(path(), kFormat), "");
  EXPECT_EQ(why_not_written(path("new"), kFormat), "");
  EXPECT_EQ(why_not_written(folder_, kFormat), "cannot be written: it is not a regular file");
  EXPECT_EQ(why_not_written(path("no/such/folder"), kFormat), "cannot be written: No such file or directory");
}

TEST_F(FramedFile, HasItsNameOnlyWhenItIsOnTheDisk) {
  write(kSmall);
  const std::string before = bytes();
  {
    FramedWriter writer(path(), kFormat, {});
    writer.add('a', "1");
    EXPECT_EQ(bytes(), before);
  }
  EXPECT_EQ(bytes(), before);
  EXPECT_FALSE(std::filesystem::exists(path() + ".part"));
  {
    FramedWriter writer(path(), kFormat, {});
    writer.add('a', "1");
    writer.sync();
    EXPECT_EQ(refusal(), Reason::kIncomplete);  // but the record can be read:
    FramedReader reader(path(), kFormat);
    FileRecord record;
    EXPECT_TRUE(reader.read(record));
    EXPECT_EQ(record.content, "1");
  }
}

TEST_F(FramedFile, CanBeGoneOnWithFromAnyRecord) {
  write(kSmall);
  const std::string whole = bytes();
  for (std::size_t kept = 0; kept <= kSmall.records.size(); ++kept) {
    FramedReader reader(path(), kFormat);
    FileRecord record;
    for (std::size_t i = 0; i < kept; ++i) ASSERT_TRUE(reader.read(record));
    FramedWriter writer(path(), reader.position());
    for (std::size_t i = kept; i < kSmall.records.size(); ++i)
      writer.add(kSmall.records[i].first, kSmall.records[i].second);
    writer.finish();
    EXPECT_EQ(bytes(), whole);
  }
}

TEST_F(FramedFile, AReaderStandsBeforeTheRecordThatItCouldNotRead) {
  write(kSmall);
  const std::string whole = bytes();
  set_bytes(whole.substr(0, whole.size() - 20));
  FramedReader reader(path(), kFormat);
  const FilePosition begin = reader.position();
  FileRecord record;
  for (std::size_t i = 0; i + 1 < kSmall.records.size(); ++i) ASSERT_TRUE(reader.read(record));
  const FilePosition before = reader.position();
  EXPECT_THROW(reader.read(record), FramedFileError);
  EXPECT_EQ(reader.position().at, before.at);
  reader.seek(begin);
  ASSERT_TRUE(reader.read(record));
  EXPECT_EQ(record.content, kSmall.records.front().second);
}

TEST_F(FramedFile, AFileThatCannotBeReadOrWrittenIsAnError) {
  const auto reason = [](const auto& act) -> std::optional<Reason> {
    try {
      act();
    } catch (const FramedFileError& error) {
      return error.reason();
    }
    return std::nullopt;
  };
  EXPECT_EQ(reason([&] { FramedWriter(path("no/such/folder"), kFormat, {}); }), Reason::kSystem);
  EXPECT_EQ(reason([&] { FramedWriter(path("none"), FilePosition()); }), Reason::kSystem);
  EXPECT_EQ(reason([&] { FramedReader(path("none"), kFormat); }), Reason::kSystem);
  EXPECT_EQ(reason([&] { FramedReader(folder_, kFormat); }), Reason::kSystem);
  EXPECT_EQ(reason([&] {
              std::filesystem::create_directories(path("taken") + "/full");
              FramedWriter writer(path("taken"), kFormat, {});
              writer.finish();
            }),
            Reason::kSystem);
  EXPECT_FALSE(std::filesystem::exists(path("taken") + ".part"));
}

TEST_F(FramedFile, WritersOfASharedFileDoNotMeet) {
  constexpr FileFormat kShared = {"test-fil", 3, "test file", true};
  const auto names = [this] {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) count += entry.exists() ? 1 : 0;
    return count;
  };
  {
    FramedWriter first(path(), kShared, {}), second(path(), kShared, {});
    EXPECT_EQ(names(), 2u) << "each has a name of its own";
    first.add('a', "1");
    second.add('a', "2");
    second.finish();
    first.finish();  // the last wins
    FramedReader reader(path(), kShared);
    FileRecord record;
    ASSERT_TRUE(reader.read(record));
    EXPECT_EQ(record.content, "1");
  }
  EXPECT_EQ(names(), 1u);
  { FramedWriter dropped(path(), kShared, {}); }
  EXPECT_EQ(names(), 1u) << "no temporary file is left";
}

TEST_F(FramedFile, ALinkIsNotFollowedToWriteASharedFile) {
  constexpr FileFormat kShared = {"test-fil", 3, "test file", true};
  set_bytes("");
  std::filesystem::create_symlink(path(), path("link"));
  EXPECT_EQ(why_not_written(path("link"), kFormat), "");
  EXPECT_EQ(why_not_written(path("link"), kShared), "cannot be written: it is not a regular file");
  EXPECT_THROW(FramedWriter(path("link"), kShared, {}), FramedFileError);
  EXPECT_EQ(bytes(), "");
}

TEST_F(FramedFile, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  std::filesystem::create_symlink("/dev/full", path("full.part"));
  EXPECT_THROW(FramedWriter(path("full"), kFormat, {}), FramedFileError);
}

}  // namespace
}  // namespace spoor
