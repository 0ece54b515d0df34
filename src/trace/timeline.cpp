#include "trace/timeline.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "trace/trace_file.h"

namespace trainyard::trace {

namespace {

// The rows of one track, in time order unless they come from several streams, as a tiling of the
// run. `name` is what errors call them.
std::vector<Interval> tiled(std::vector<Interval> found, base::Ticks end, std::string_view name) {
  if (!std::ranges::is_sorted(found, {}, &Interval::begin))
    std::ranges::stable_sort(found, {}, &Interval::begin);
  std::vector<Interval> result;
  result.reserve(found.size() + 1);
  base::Ticks now;
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

void add(const TrackSet& set, const std::vector<Interval>& rows, Timeline& line) {
  for (std::size_t t = 0; t < line.rows.size(); ++t) {
    if (set.contains(TrackId{static_cast<std::uint32_t>(t)}))
      line.rows[t].insert(line.rows[t].end(), rows.begin(), rows.end());
  }
}

Timeline finish(Timeline line, std::string_view name) {
  for (std::vector<Interval>& rows : line.rows) rows = tiled(std::move(rows), line.end, name);
  return line;
}

Timeline empty(const std::vector<Track>& tracks, base::Ticks end) {
  Timeline line{.tracks = tracks, .rows = {}, .end = end};
  line.rows.resize(tracks.size());
  return line;
}

}  // namespace

Timeline timeline_of(const Recorder& recorder) {
  base::check(recorder.detail() == Detail::full, "a timeline is of a full recording");
  Timeline line = empty(recorder.tracks(), recorder.summary().end());
  constexpr std::string_view name = "the recording";
  for (StreamId stream = 0; stream < recorder.intervals().size(); ++stream) {
    for (const Chunk& chunk : recorder.intervals()[stream].chunks()) {
      const std::string columns = decompress(chunk.frame, chunk.rows * row_bytes_max, name);
      add(recorder.set(stream), decode_intervals(columns, chunk.rows, chunk.begin, chunk.end, name),
          line);
    }
  }
  return finish(std::move(line), name);
}

Timeline timeline_of(const TraceFile& file) {
  Timeline line = empty(file.directory().tracks, file.end());
  for (const StreamEntry& stream : file.directory().streams)
    add(stream.set, file.rows(stream), line);
  return finish(std::move(line), file.name());
}

}  // namespace trainyard::trace
