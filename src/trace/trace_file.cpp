#include "trace/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "trace/level_bytes.h"
#include "trace/trace_header.h"

namespace trainyard::trace {
namespace {

// No directory, label or summary block is larger than this once unpacked: a guard against damaged
// files.
constexpr std::size_t unpacked_limit = std::size_t{1} << 28;

FileHeader read_header(std::string_view bytes, std::string_view name) {
  const auto wrong = [&](std::size_t offset, std::string_view found) {
    malformed_file(fmt::format("{}, offset {}", name, offset), found);
  };
  FileHeader header;
  if (bytes.size() < sizeof header) wrong(bytes.size(), "the file ends within its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != FileHeader{}.magic) wrong(0, "it does not begin with TYTRACE");
  if (header.version != trace_format_version)
    wrong(8, fmt::format("format version {}", header.version));
  if (header.file_bytes != bytes.size()) {
    wrong(40, fmt::format("{} bytes where the header says {}", bytes.size(), header.file_bytes));
  }
  if (header.directory_offset < sizeof header || header.directory_offset > bytes.size() ||
      header.directory_bytes != bytes.size() - header.directory_offset) {
    wrong(16, "the directory is not the last block");
  }
  if (content_hash(bytes.substr(header.directory_offset), 0) != header.directory_hash) {
    wrong(header.directory_offset, "the directory does not match its hash");
  }
  return header;
}

}  // namespace

TraceFile TraceFile::parse(std::string bytes, std::string name) {
  TraceFile file;
  file.bytes_ = std::move(bytes);
  file.name_ = std::move(name);
  const FileHeader header = read_header(file.bytes_, file.name_);
  const Block block{header.directory_offset, header.directory_bytes};
  file.directory_ = decode_directory(file.unpack(block, unpacked_limit), header.directory_offset,
                                     file.place(block));

  std::vector<Track> tracks;
  for (const TrackEntry& entry : file.directory_.tracks) tracks.push_back(entry.track);
  const Block& summary = file.directory_.summary;
  const std::string summary_bytes = file.unpack(summary, unpacked_limit);
  const std::string summary_place = file.place(summary);
  ByteReader summary_reader(summary_bytes, summary_place);
  file.summary_ = Summary::decode(summary_reader, tracks, file.directory_.end);

  const Block& labels = file.directory_.labels;
  const std::string label_bytes = file.unpack(labels, unpacked_limit);
  const std::string label_place = file.place(labels);
  ByteReader label_reader(label_bytes, label_place);
  file.labels_ = Labels::decode(label_reader);
  const std::size_t count = file.labels_.size();
  if (count != 0 && count != file.summary_.instruction_count()) {
    label_reader.malformed("the labels are not as many as the instructions");
  }
  return file;
}

TraceFile TraceFile::read(const std::filesystem::path& path) {
  return parse(base::read_file(path), path.string());
}

std::string TraceFile::place(const Block& block) const {
  return fmt::format("{}, block at offset {}", name_, block.offset);
}

std::string TraceFile::unpack(const Block& block, std::size_t limit) const {
  return decompress(std::string_view(bytes_).substr(block.offset, block.size), limit, place(block));
}

std::vector<Interval> TraceFile::rows(const ChunkEntry& chunk) const {
  const std::string columns = unpack(chunk.block, chunk.rows * row_bytes_max);
  std::vector<Interval> rows =
      decode_intervals(columns, chunk.rows, chunk.begin, chunk.end, place(chunk.block));
  for (const Interval& row : rows) {
    if (row.cause != no_track && index(row.cause) >= track_count()) {
      malformed_file(place(chunk.block), "a wait is caused by no track");
    }
    if (row.instruction != no_instruction && row.instruction >= summary_.instruction_count()) {
      malformed_file(place(chunk.block), "an interval names an instruction beyond the program");
    }
  }
  return rows;
}

namespace {

// The chunks that overlap [begin, end).
std::span<const ChunkEntry> overlapping(const std::vector<ChunkEntry>& chunks, base::Ticks begin,
                                        base::Ticks end) {
  const auto first =
      std::ranges::partition_point(chunks, [&](const ChunkEntry& c) { return c.end <= begin; });
  const auto last =
      std::partition_point(first, chunks.end(), [&](const ChunkEntry& c) { return c.begin < end; });
  return {first, last};
}

}  // namespace

std::vector<Interval> TraceFile::intervals(TrackId track, base::Ticks begin,
                                           base::Ticks end) const {
  base::check(index(track) < track_count(), "the trace has no such track");
  begin = std::max(begin, base::Ticks{0});
  end = std::min(end, directory_.end);
  std::vector<Interval> result;
  base::Ticks now = begin;
  const auto idle_until = [&](base::Ticks until) {
    if (now < until) result.push_back({.begin = now, .end = until});
  };
  for (const ChunkEntry& chunk : overlapping(directory_.tracks[index(track)].chunks, begin, end)) {
    for (const Interval& row : rows(chunk)) {
      if (row.end <= begin || row.begin >= end) continue;
      idle_until(row.begin);
      result.push_back(row);
      now = row.end;
    }
  }
  idle_until(end);
  return result;
}

std::vector<Sample> TraceFile::samples(CounterId counter, base::Ticks begin,
                                       base::Ticks end) const {
  base::check(index(counter) < counter_count(), "the trace has no such counter");
  std::vector<Sample> result;
  const std::vector<ChunkEntry>& chunks = directory_.counters[index(counter)].chunks;
  for (std::size_t i = 0; i < chunks.size() && chunks[i].begin < end; ++i) {
    const ChunkEntry& chunk = chunks[i];
    if (i + 1 < chunks.size() && chunks[i + 1].begin <= begin) continue;
    const std::string columns = unpack(chunk.block, chunk.rows * 2 * varint_bytes_max);
    for (const Sample& sample :
         decode_samples(columns, chunk.rows, chunk.begin, chunk.end, place(chunk.block))) {
      if (sample.time >= end) break;
      // Of the samples up to `begin` only the last one still holds.
      if (sample.time <= begin) result.clear();
      result.push_back(sample);
    }
  }
  return result;
}

Zoom TraceFile::zoom(TrackId track, base::Ticks begin, base::Ticks end,
                     std::size_t buckets_min) const {
  base::check(index(track) < track_count(), "the trace has no such track");
  begin = std::clamp(begin, base::Ticks{0}, directory_.end);
  end = std::clamp(end, begin, directory_.end);
  const std::int64_t wanted = std::max<std::int64_t>(
      1,
      (end.value - begin.value) / static_cast<std::int64_t>(std::max<std::size_t>(buckets_min, 1)));
  unsigned width = 0;
  while ((std::int64_t{2} << width) <= wanted) ++width;
  const LevelEntry* level = nullptr;
  for (const LevelEntry& entry : directory_.tracks[index(track)].levels) {
    if (entry.width_log2 <= width) level = &entry;
  }
  if (level != nullptr) width = level->width_log2;
  const std::int64_t ticks = std::int64_t{1} << width;
  const auto first = static_cast<std::size_t>(begin.value / ticks);
  const auto count = static_cast<std::size_t>(base::ceil_div(end.value, ticks)) - first;
  Zoom result{{static_cast<std::int64_t>(first) * ticks}, width, {}};
  if (begin < end) {
    result.buckets = level != nullptr ? buckets(*level, first, count)
                                      : buckets_of_rows(track, width, first, count);
  }
  return result;
}

std::vector<ReasonTotals> TraceFile::buckets(const LevelEntry& level, std::size_t first,
                                             std::size_t count) const {
  std::vector<ReasonTotals> result;
  const std::int64_t width = std::int64_t{1} << level.width_log2;
  for (std::size_t at = first / block_buckets; at * block_buckets < first + count; ++at) {
    const std::size_t start = at * block_buckets;
    const std::size_t size = std::min(block_buckets, level.buckets - start);
    const Block& block = level.blocks[at];
    const std::string bytes = unpack(block, size * bucket_bytes_max);
    const auto decoded =
        decode_buckets(bytes, size, level.width_log2, {static_cast<std::int64_t>(start) * width},
                       directory_.end, place(block));
    const std::size_t from = std::max(first, start) - start;
    const std::size_t to = std::min(first + count, start + size) - start;
    result.insert(result.end(), decoded.begin() + static_cast<std::ptrdiff_t>(from),
                  decoded.begin() + static_cast<std::ptrdiff_t>(to));
  }
  return result;
}

std::vector<ReasonTotals> TraceFile::buckets_of_rows(TrackId track, unsigned width_log2,
                                                     std::size_t first, std::size_t count) const {
  const std::int64_t width = std::int64_t{1} << width_log2;
  const base::Ticks begin{static_cast<std::int64_t>(first) * width};
  const base::Ticks end =
      std::min(begin + base::Ticks{static_cast<std::int64_t>(count) * width}, directory_.end);
  std::vector<ReasonTotals> result(count);
  for (const Interval& row : intervals(track, begin, end)) {
    std::int64_t now = std::max(row.begin, begin).value;
    const std::int64_t stop = std::min(row.end, end).value;
    while (now < stop) {
      const std::int64_t bucket = now / width;
      const std::int64_t next = std::min(stop, (bucket + 1) * width);
      result[static_cast<std::size_t>(bucket) - first].ticks[index(row.reason)] += next - now;
      now = next;
    }
  }
  return result;
}

}  // namespace trainyard::trace
