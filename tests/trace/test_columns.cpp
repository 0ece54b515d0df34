// Do rows come back from their bytes exactly, and is every damage noticed?
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "trace/columns.h"
#include "trace/compress.h"

namespace trainyard::trace {
namespace {

TEST(Varint, EveryLengthReadsBack) {
  std::string bytes;
  std::vector<std::uint64_t> values = {0, 1, std::numeric_limits<std::uint64_t>::max()};
  for (unsigned shift = 0; shift < 64; ++shift) {
    values.push_back(std::uint64_t{1} << shift);
    values.push_back((std::uint64_t{1} << shift) - 1);
  }
  for (const std::uint64_t value : values) put_varint(bytes, value);
  ByteReader reader(bytes, "test");
  for (const std::uint64_t value : values) EXPECT_EQ(reader.varint(), value);
  reader.expect_end();
}

TEST(Varint, SignedExtremesReadBack) {
  for (const std::int64_t value :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(),
        std::int64_t{-1}, std::int64_t{0}}) {
    EXPECT_EQ(unzigzag(zigzag(value)), value);
  }
}

TEST(Varint, MoreThan64BitsOrACutIsMalformed) {
  const std::string over(10, '\xFF');
  EXPECT_THROW(static_cast<void>(ByteReader(over, "test").varint()), base::InputError);
  EXPECT_THROW(static_cast<void>(ByteReader("\x80", "test").varint()), base::InputError);
  EXPECT_THROW(static_cast<void>(ByteReader("", "test").varint()), base::InputError);
}

const std::vector<Interval>& extreme_rows() {
  constexpr auto top = std::numeric_limits<std::uint32_t>::max();
  static const std::vector<Interval> rows = {
      {{100}, {101}, 7, 0, Reason::working, no_track},
      {{101}, {101}, top, top, Reason::idle, TrackId{top - 1}},
      {{200}, {std::int64_t{1} << 61}, 0, 1, Reason::throttle, TrackId{0}},
      {{std::int64_t{1} << 61}, {(std::int64_t{1} << 61) + 5}, top, 0, Reason::overhead, no_track},
  };
  return rows;
}

TEST(Columns, IntervalsReadBackExactly) {
  ColumnEncoder encoder;
  const auto& rows = extreme_rows();
  const std::string bytes(encoder.intervals(rows));
  EXPECT_EQ(decode_intervals(bytes, rows.size(), rows.front().begin, rows.back().end, "test"),
            rows);
}

TEST(Columns, TheEncoderForgetsTheChunkBefore) {
  ColumnEncoder encoder;
  const std::string first(encoder.intervals(extreme_rows()));
  static_cast<void>(encoder.intervals(std::span(extreme_rows()).first(2)));
  EXPECT_EQ(encoder.intervals(extreme_rows()), first);
}

TEST(Columns, AnyCutIsMalformed) {
  ColumnEncoder encoder;
  const auto& rows = extreme_rows();
  const std::string bytes(encoder.intervals(rows));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(
        static_cast<void>(decode_intervals(std::string_view(bytes).substr(0, size), rows.size(),
                                           rows.front().begin, rows.back().end, "test")),
        base::InputError)
        << size;
  }
}

TEST(Columns, ARowOutsideItsChunkIsMalformed) {
  ColumnEncoder encoder;
  const auto& rows = extreme_rows();
  const std::string bytes(encoder.intervals(rows));
  EXPECT_THROW(static_cast<void>(decode_intervals(bytes, rows.size(), {100}, {200}, "test")),
               base::InputError);
}

TEST(Compress, ReadsBackAndNoticesDamage) {
  const std::string bytes(300000, 'x');
  std::string frame = Compressor(1).compress(bytes);
  EXPECT_EQ(decompress(frame, bytes.size(), "test"), bytes);
  EXPECT_THROW(static_cast<void>(decompress(frame, bytes.size() - 1, "test")), base::InputError);
  EXPECT_THROW(static_cast<void>(decompress(frame + "y", bytes.size(), "test")), base::InputError);
  EXPECT_THROW(
      static_cast<void>(decompress(frame.substr(0, frame.size() - 1), bytes.size(), "test")),
      base::InputError);
  frame.back() = static_cast<char>(frame.back() ^ 1);  // the checksum
  EXPECT_THROW(static_cast<void>(decompress(frame, bytes.size(), "test")), base::InputError);
}

TEST(ContentHash, DependsOnEveryByteAndTheLength) {
  const std::string bytes = "0123456789abcdef0";
  const std::uint64_t hash = content_hash(bytes, 1);
  EXPECT_NE(hash, content_hash(bytes, 2));
  EXPECT_NE(hash, content_hash(bytes + '\0', 1));
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x40);
    EXPECT_NE(hash, content_hash(changed, 1)) << i;
  }
}

}  // namespace
}  // namespace trainyard::trace
