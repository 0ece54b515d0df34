#include "trace/trace_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "trace/level_bytes.h"
#include "trace/timeline.h"
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

  const Block& summary = file.directory_.summary;
  const std::string summary_bytes = file.unpack(summary, unpacked_limit);
  const std::string summary_place = file.place(summary);
  ByteReader summary_reader(summary_bytes, summary_place);
  file.summary_ = Summary::decode(summary_reader, file.track_count(), file.directory_.end);

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

// Adds the part of a row that lies between zoom.begin and `end` to its buckets.
void add_row(const Interval& row, base::Ticks end, Zoom& zoom) {
  if (row.reason == Reason::idle) return;
  std::int64_t now = std::max(row.begin, zoom.begin).value;
  const std::int64_t stop = std::min(row.end, end).value;
  while (now < stop) {
    const std::int64_t bucket = (now - zoom.begin.value) >> zoom.width_log2;
    const std::int64_t next = std::min(stop, zoom.begin.value + ((bucket + 1) << zoom.width_log2));
    zoom.buckets[static_cast<std::size_t>(bucket)].ticks[index(row.reason)] += next - now;
    now = next;
  }
}

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

std::vector<Interval> TraceFile::rows(const StreamEntry& stream, base::Ticks begin,
                                      base::Ticks end) const {
  std::vector<Interval> result;
  for (const ChunkEntry& chunk : overlapping(stream.chunks, begin, end)) {
    for (const Interval& row : rows(chunk)) {
      if (row.end > begin && row.begin < end) result.push_back(row);
    }
  }
  return result;
}

std::vector<Interval> TraceFile::intervals(TrackId track, base::Ticks begin,
                                           base::Ticks end) const {
  base::check(index(track) < track_count(), "the trace has no such track");
  begin = std::max(begin, base::Ticks{0});
  end = std::min(end, directory_.end);
  std::vector<Interval> found;
  for (const StreamEntry& stream : directory_.streams) {
    if (!stream.set.contains(track)) continue;
    const std::vector<Interval> more = rows(stream, begin, end);
    found.insert(found.end(), more.begin(), more.end());
  }
  return tiled(std::move(found), begin, end, name_);
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
  const auto wanted =
      static_cast<std::uint64_t>((end - begin).value) / std::max<std::size_t>(buckets_min, 1);
  Zoom zoom;
  zoom.width_log2 = wanted < 2 ? 0 : static_cast<unsigned>(std::bit_width(wanted)) - 1;
  const std::int64_t width = std::int64_t{1} << zoom.width_log2;
  zoom.begin = {begin.value / width * width};
  if (begin == end) return zoom;
  zoom.buckets.resize(
      static_cast<std::size_t>(base::ceil_div(end.value - zoom.begin.value, width)));
  const base::Ticks stop{
      std::min(zoom.begin.value + static_cast<std::int64_t>(zoom.buckets.size()) * width,
               directory_.end.value)};
  for (const StreamEntry& stream : directory_.streams) {
    if (stream.set.contains(track)) add(stream, stop, zoom);
  }
  for (std::size_t i = 0; i < zoom.buckets.size(); ++i) {
    const std::int64_t from = zoom.begin.value + static_cast<std::int64_t>(i) * width;
    const base::Ticks idle =
        base::Ticks{std::min(width, stop.value - from)} - zoom.buckets[i].total();
    if (idle < base::Ticks{0}) malformed_file(name_, "the intervals of a track exceed its time");
    zoom.buckets[i].ticks[index(Reason::idle)] = idle.value;
  }
  return zoom;
}

void TraceFile::add(const StreamEntry& stream, base::Ticks end, Zoom& zoom) const {
  const LevelEntry* level = nullptr;
  for (const LevelEntry& entry : stream.levels) {
    if (entry.width_log2 <= zoom.width_log2) level = &entry;
  }
  if (level == nullptr) {
    for (const Interval& row : rows(stream, zoom.begin, end)) add_row(row, end, zoom);
    return;
  }
  const unsigned shift = zoom.width_log2 - level->width_log2;
  const auto first = static_cast<std::size_t>(zoom.begin.value >> level->width_log2);
  // A damaged file may have one very fine level only.
  const std::size_t all = level->buckets - first;
  const std::size_t count = shift < 32 ? std::min(all, zoom.buckets.size() << shift) : all;
  const std::vector<ReasonTotals> fine = buckets(*level, first, count);
  for (std::size_t i = 0; i < fine.size(); ++i) {
    ReasonTotals& bucket = zoom.buckets[i >> shift];
    bucket += fine[i];
    bucket.ticks[index(Reason::idle)] = 0;
  }
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

}  // namespace trainyard::trace
