// The byte form of a finished Summary.
#include "trace/bytes.h"
#include "trace/summary.h"

namespace trainyard::trace {
namespace {

void put_sparse(std::string& out, std::span<const std::int64_t> values) {
  std::uint64_t count = 0;
  for (const std::int64_t value : values) count += value != 0 ? 1 : 0;
  put_varint(out, count);
  std::size_t before = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0) continue;
    put_varint(out, i - before);
    put_varint(out, static_cast<std::uint64_t>(values[i]));
    before = i;
  }
}

// `size` values, or none when all are zero.
std::vector<std::int64_t> get_sparse(ByteReader& reader, std::size_t size) {
  std::vector<std::int64_t> values;
  std::size_t at = 0;
  for (std::size_t left = reader.count(2, "values"); left > 0; --left) {
    at += static_cast<std::size_t>(reader.varint_at_most(size, "a position"));
    if (at >= size) reader.malformed("a value lies beyond its column");
    values.resize(size);
    values[at] = static_cast<std::int64_t>(reader.varint_at_most(INT64_MAX, "a total"));
  }
  return values;
}

}  // namespace

void Summary::encode(std::string& out) const {
  put_varint(out, executions_.size());
  for (const std::uint32_t executions : executions_) put_varint(out, executions);
  for (const PerTrack& track : tracks_) {
    for (const std::int64_t ticks : track.totals.ticks)
      put_varint(out, static_cast<std::uint64_t>(ticks));
  }
  for (const PerTrack& track : tracks_) put_sparse(out, track.waits);
  ticks_.encode(out);
}

Summary Summary::decode(ByteReader& reader, std::size_t tracks, base::Ticks end) {
  Summary result;
  result.tracks_.resize(tracks);
  result.executions_.resize(reader.count(1, "instructions"));
  for (std::uint32_t& executions : result.executions_) {
    executions =
        static_cast<std::uint32_t>(reader.varint_at_most(UINT32_MAX, "an execution count"));
  }
  for (PerTrack& track : result.tracks_) {
    std::int64_t left = end.value;
    for (std::int64_t& ticks : track.totals.ticks) {
      ticks = static_cast<std::int64_t>(
          reader.varint_at_most(static_cast<std::uint64_t>(left), "a reason's total"));
      left -= ticks;
    }
    if (left != 0) reader.malformed("the reasons of a track do not add up to the run");
  }
  for (PerTrack& track : result.tracks_) track.waits = get_sparse(reader, tracks);
  result.ticks_ = InstructionTicks::decode(reader, result.executions_.size());
  reader.expect_end();
  result.end_ = end;
  return result;
}

}  // namespace trainyard::trace
