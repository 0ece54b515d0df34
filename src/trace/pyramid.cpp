#include "trace/pyramid.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace trainyard::trace {
namespace {

constexpr std::size_t rows_per_mark = 64;

}  // namespace

Pyramid::Pyramid(const TraceFile& file, const Classes& classes) : file_(file), classes_(classes) {
  base::check(std::ranges::all_of(classes, [](std::uint8_t one) { return one < class_count; }),
              "a reason is of a class that is not there");
  const auto& streams = file.directory().streams;
  levels_.resize(streams.size());
  for (std::size_t s = 0; s < streams.size(); ++s) add(streams[s], levels_[s]);
}

void Pyramid::add(const StreamEntry& stream, Level& level) const {
  Sums sums{};
  std::size_t number = 0;
  base::Ticks end;
  for (const ChunkEntry& chunk : stream.chunks) {
    level.rows_before.push_back(number);
    for (const Interval& row : file_.rows(chunk)) {
      if (number++ % rows_per_mark == 0) level.marks.push_back({row.begin, sums});
      sums[classes_[index(row.reason)]] += (row.end - row.begin).value;
      end = row.end;
    }
  }
  level.rows_before.push_back(number);
  level.marks.push_back({end, sums});
  level.marks.shrink_to_fit();
}

Pyramid::Chunks Pyramid::chunks_of(std::size_t stream, base::Ticks from, base::Ticks to) const {
  const std::vector<ChunkEntry>& all = file_.directory().streams[stream].chunks;
  const auto first = std::ranges::upper_bound(all, from, {}, &ChunkEntry::end);
  const auto last = std::ranges::lower_bound(first, all.end(), to, {}, &ChunkEntry::begin);
  Chunks found{static_cast<std::size_t>(first - all.begin()),
               static_cast<std::size_t>(last - all.begin())};
  found.rows = levels_[stream].rows_before[found.last] - levels_[stream].rows_before[found.first];
  return found;
}

// Between two marks time is taken to be spent evenly.
std::array<double, class_count> Pyramid::before(const Level& level, double time) const {
  const auto after = std::ranges::upper_bound(level.marks, time, {}, [](const Mark& mark) {
    return static_cast<double>(mark.begin.value);
  });
  std::array<double, class_count> sums{};
  if (after == level.marks.begin()) return sums;
  const Mark& low = *(after - 1);
  const Mark& high = after == level.marks.end() ? low : *after;
  const auto length = static_cast<double>((high.begin - low.begin).value);
  const double part = length > 0 ? (time - static_cast<double>(low.begin.value)) / length : 0.0;
  for (std::size_t c = 0; c < class_count; ++c) {
    const auto ticks = static_cast<double>(high.before[c] - low.before[c]);
    sums[c] = static_cast<double>(low.before[c]) + part * ticks;
  }
  return sums;
}

void Pyramid::add_from_marks(const Level& level, double from, double width,
                             std::vector<double>& spent) const {
  std::array<double, class_count> last = before(level, from);
  for (std::size_t column = 0; column < spent.size() / class_count; ++column) {
    const auto now = before(level, from + width * static_cast<double>(column + 1));
    for (std::size_t c = 0; c < class_count; ++c)
      spent[column * class_count + c] += now[c] - last[c];
    last = now;
  }
}

void Pyramid::add_exactly(std::size_t stream, const Chunks& chunks, double from, double width,
                          std::vector<double>& spent) const {
  const std::size_t columns = spent.size() / class_count;
  const StreamEntry& entry = file_.directory().streams[stream];
  const double to = from + width * static_cast<double>(columns);
  for (std::size_t k = chunks.first; k < chunks.last; ++k) {
    for (const Interval& row : file_.rows(entry.chunks[k])) {
      const double begin = std::max(from, static_cast<double>(row.begin.value));
      const double end = std::min(to, static_cast<double>(row.end.value));
      if (begin >= end) continue;
      const std::size_t c = classes_[index(row.reason)];
      auto column = std::min(static_cast<std::size_t>((begin - from) / width), columns - 1);
      for (double now = begin; now < end && column < columns; ++column) {
        const double edge = from + width * static_cast<double>(column + 1);
        const double until = column + 1 == columns ? end : std::min(end, edge);
        spent[column * class_count + c] += std::max(until - now, 0.0);
        now = std::max(now, until);
      }
    }
  }
}

std::vector<float> Pyramid::shares(base::Ticks from, base::Ticks to, std::size_t columns) const {
  base::check(from < to && columns > 0, "shares are of a stretch of time");
  const Directory& directory = file_.directory();
  const auto start = static_cast<double>(from.value);
  const double width = static_cast<double>((to - from).value) / static_cast<double>(columns);
  const std::size_t of_track = columns * class_count;
  std::vector<float> result(directory.tracks.size() * of_track);
  for (std::size_t s = 0; s < levels_.size(); ++s) {
    const Chunks chunks = chunks_of(s, from, to);
    if (chunks.rows == 0) continue;
    std::vector<double> spent(of_track);
    if (chunks.rows <= exact_rows_max) {
      add_exactly(s, chunks, start, width, spent);
    } else {
      add_from_marks(levels_[s], start, width, spent);
    }
    for (std::size_t t = 0; t < directory.tracks.size(); ++t) {
      if (!directory.streams[s].set.contains(TrackId{static_cast<std::uint32_t>(t)})) continue;
      for (std::size_t i = 0; i < of_track; ++i)
        result[t * of_track + i] += static_cast<float>(spent[i] / width);
    }
  }
  return result;
}

std::optional<std::vector<std::vector<Interval>>> Pyramid::window(base::Ticks from, base::Ticks to,
                                                                  std::size_t rows_max) const {
  const Directory& directory = file_.directory();
  std::size_t least = 0;  // of the chunks that lie inside whole
  std::vector<Chunks> chunks;
  for (std::size_t s = 0; s < levels_.size(); ++s) {
    chunks.push_back(chunks_of(s, from, to));
    const std::size_t edges = 2 * std::size_t{chunk_rows};
    const auto tracks = static_cast<std::size_t>(directory.streams[s].set.size());
    least += (chunks[s].rows > edges ? chunks[s].rows - edges : 0) * tracks;
  }
  if (least > rows_max) return std::nullopt;
  std::vector<std::vector<Interval>> found(directory.tracks.size());
  std::size_t count = 0;
  for (std::size_t s = 0; s < levels_.size(); ++s) {
    const StreamEntry& stream = directory.streams[s];
    for (std::size_t k = chunks[s].first; k < chunks[s].last; ++k) {
      for (const Interval& row : file_.rows(stream.chunks[k])) {
        if (row.end <= from || row.begin >= to) continue;
        for (std::size_t t = 0; t < found.size(); ++t) {
          if (!stream.set.contains(TrackId{static_cast<std::uint32_t>(t)})) continue;
          if (++count > rows_max) return std::nullopt;
          found[t].push_back(row);
        }
      }
    }
  }
  for (std::vector<Interval>& rows : found) std::ranges::stable_sort(rows, {}, &Interval::begin);
  return found;
}

}  // namespace trainyard::trace
