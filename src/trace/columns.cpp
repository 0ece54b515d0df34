#include "trace/columns.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace trainyard::trace {
namespace {

constexpr std::size_t interval_columns = 6;

// Differences wrap on purpose: a jump between any two 32-bit values is one signed 32-bit number.
std::uint64_t difference(std::uint32_t now, std::uint32_t before) {
  return zigzag(static_cast<std::int32_t>(now - before));
}

std::uint32_t advance(std::uint32_t before, ByteReader& reader) {
  return before + static_cast<std::uint32_t>(reader.signed_varint());
}

// no_track becomes 0, so that the common case is one byte that compresses away.
std::uint64_t cause_code(TrackId cause) { return static_cast<std::uint32_t>(cause) + 1u; }

}  // namespace

std::string_view ColumnEncoder::intervals(std::span<const Interval> rows) {
  // All columns are filled in one pass over the rows, each in its own part of the buffer, then
  // moved together.
  const std::size_t room = rows.size() * varint_bytes_max;
  if (parts_.size() < interval_columns * room) parts_.resize(interval_columns * room);
  std::array<char*, interval_columns> at{};
  for (std::size_t column = 0; column < interval_columns; ++column)
    at[column] = parts_.data() + column * room;
  Interval before;
  before.instruction = 0;
  if (!rows.empty()) before.end = rows.front().begin;
  for (const Interval& row : rows) {
    *at[0]++ = static_cast<char>(row.reason);
    at[1] = write_varint(at[1], static_cast<std::uint32_t>(cause_code(row.cause)));
    at[2] = write_varint(at[2], static_cast<std::uint64_t>(row.begin.value - before.end.value));
    at[3] = write_varint(at[3], static_cast<std::uint64_t>(row.end.value - row.begin.value));
    at[4] = write_varint(at[4], difference(row.instruction, before.instruction));
    at[5] = write_varint(at[5], difference(row.iteration, before.iteration));
    before = row;
  }
  bytes_.clear();
  for (std::size_t column = 0; column < interval_columns; ++column) {
    const char* start = parts_.data() + column * room;
    bytes_.append(start, static_cast<std::size_t>(at[column] - start));
  }
  return bytes_;
}

std::vector<Interval> decode_intervals(std::string_view bytes, std::size_t rows, base::Ticks begin,
                                       base::Ticks end, std::string_view place) {
  ByteReader reader(bytes, place);
  std::vector<Interval> intervals(std::min(rows, bytes.size() / interval_columns));
  if (intervals.size() != rows) reader.malformed("fewer bytes than rows need");
  for (Interval& row : intervals) {
    row.reason = static_cast<Reason>(reader.varint_at_most(reason_count - 1, "a reason"));
  }
  for (Interval& row : intervals) {
    row.cause = static_cast<TrackId>(static_cast<std::uint32_t>(reader.varint()) - 1u);
  }
  const auto span = static_cast<std::uint64_t>(end.value - begin.value);
  for (Interval& row : intervals)
    row.begin = {static_cast<std::int64_t>(reader.varint_at_most(span, "a gap"))};
  base::Ticks now = begin;
  for (Interval& row : intervals) {
    row.begin += now;
    const auto left = end.value - row.begin.value;
    if (left < 0) reader.malformed("an interval after the end of its chunk");
    row.end = row.begin + base::Ticks{static_cast<std::int64_t>(reader.varint_at_most(
                              static_cast<std::uint64_t>(left), "a duration"))};
    now = row.end;
  }
  std::uint32_t instruction = 0;
  for (Interval& row : intervals) row.instruction = instruction = advance(instruction, reader);
  std::uint32_t iteration = 0;
  for (Interval& row : intervals) row.iteration = iteration = advance(iteration, reader);
  reader.expect_end();
  return intervals;
}

}  // namespace trainyard::trace
