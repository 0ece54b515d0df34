#include "trace/timeline.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "trace/trace_file.h"

namespace trainyard::trace {

std::vector<Interval> tiled(std::vector<Interval> found, base::Ticks begin, base::Ticks end,
                            std::string_view name) {
  if (!std::ranges::is_sorted(found, {}, &Interval::begin))
    std::ranges::stable_sort(found, {}, &Interval::begin);
  std::vector<Interval> result;
  result.reserve(found.size() + 1);
  base::Ticks now = begin;
  const auto idle_until = [&](base::Ticks until) {
    if (now < until) result.push_back({.begin = now, .end = until});
  };
  for (const Interval& row : found) {
    if (!result.empty() && row.begin < now)
      malformed_file(std::string(name), "intervals of one track overlap");
    idle_until(row.begin);
    result.push_back(row);
    now = row.end;
  }
  idle_until(end);
  return result;
}

Timeline timeline_of(const Recorder& recorder) {
  base::check(recorder.detail() == Detail::full, "a timeline is of a full recording");
  Timeline line{.tracks = recorder.tracks(), .rows = {}, .end = recorder.summary().end()};
  line.rows.resize(line.tracks.size());
  constexpr std::string_view name = "the recording";
  for (StreamId stream = 0; stream < recorder.intervals().size(); ++stream) {
    for (const Chunk& chunk : recorder.intervals()[stream].chunks()) {
      const std::string columns = decompress(chunk.frame, chunk.rows * row_bytes_max, name);
      const std::vector<Interval> rows =
          decode_intervals(columns, chunk.rows, chunk.begin, chunk.end, name);
      for (std::size_t t = 0; t < line.rows.size(); ++t) {
        if (!recorder.set(stream).contains(TrackId{static_cast<std::uint32_t>(t)})) continue;
        line.rows[t].insert(line.rows[t].end(), rows.begin(), rows.end());
      }
    }
  }
  for (std::vector<Interval>& rows : line.rows) rows = tiled(std::move(rows), {0}, line.end, name);
  return line;
}

Timeline timeline_of(const TraceFile& file) {
  Timeline line{.tracks = {}, .rows = {}, .end = file.end()};
  for (std::uint32_t t = 0; t < file.track_count(); ++t) {
    line.tracks.push_back(file.track(TrackId{t}));
    line.rows.push_back(file.intervals(TrackId{t}, {0}, line.end));
  }
  return line;
}

}  // namespace trainyard::trace
