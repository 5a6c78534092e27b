#include "base/packed_numbers.h"

#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace spoor {
namespace {

TEST(PackedNumbers, AreReadAsTheyWerePut) {
  std::string text;
  const std::uint64_t numbers[] = {0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX};
  const std::int64_t signed_numbers[] = {0, -1, 1, 63, -64, 64, INT64_MAX, INT64_MIN};
  for (const std::uint64_t number : numbers) put(text, number);
  for (const std::int64_t number : signed_numbers) put_signed(text, number);
  put_bytes(text, "some bytes");
  put_bytes(text, "");
  RecordReader reader(text);
  for (const std::uint64_t number : numbers) EXPECT_EQ(reader.number(), number);
  for (const std::int64_t number : signed_numbers) EXPECT_EQ(reader.signed_number(), number);
  EXPECT_EQ(reader.bytes(), "some bytes");
  EXPECT_EQ(reader.bytes(), "");
  EXPECT_TRUE(reader.is_at_end());
}

TEST(PackedNumbers, SmallNumbersTakeAByte) {
  std::string text;
  put(text, 127);
  put_signed(text, -64);
  EXPECT_EQ(text.size(), 2u);
}

TEST(PackedNumbers, WhatIsNotThereIsDamage) {
  EXPECT_THROW(RecordReader("").number(), FramedFileError);
  EXPECT_THROW(RecordReader("\x80").number(), FramedFileError);
  EXPECT_THROW(RecordReader(std::string(11, '\xff')).number(), FramedFileError);
  EXPECT_THROW(RecordReader("\x05"
                            "abc")
                   .bytes(),
               FramedFileError);
  EXPECT_THROW(RecordReader("\x05"
                            "abc")
                   .count(),
               FramedFileError);
}

}  // namespace
}  // namespace spoor
