#include "trace/directory.h"

#include "trace/bytes.h"
#include "trace/level_bytes.h"

namespace trainyard::trace {
namespace {

constexpr std::uint32_t chunk_rows_limit = 1u << 20;
constexpr unsigned width_log2_limit = 61;
constexpr std::size_t tracks_limit = 4096;
constexpr std::size_t streams_limit = 8192;

void put_metadata(std::string& out, const Metadata& metadata) {
  put_string(out, metadata.program);
  put_string(out, metadata.machine);
  put_string(out, metadata.version);
  put_fixed64(out, metadata.program_hash);
  put_fixed64(out, metadata.machine_hash);
  put_fixed64(out, 0);
  put_varint(out, metadata.more.size());
  for (const auto& [key, value] : metadata.more) {
    put_string(out, key);
    put_string(out, value);
  }
}

Metadata get_metadata(ByteReader& reader) {
  Metadata metadata;
  metadata.program = reader.text();
  metadata.machine = reader.text();
  metadata.version = reader.text();
  metadata.program_hash = reader.fixed64();
  metadata.machine_hash = reader.fixed64();
  (void)reader.fixed64();
  metadata.more.resize(reader.count(2, "keys"));
  for (auto& [key, value] : metadata.more) {
    key = reader.text();
    value = reader.text();
  }
  return metadata;
}

void put_chunks(std::string& out, const std::vector<ChunkEntry>& chunks) {
  put_varint(out, chunks.size());
  base::Ticks now;
  for (const ChunkEntry& chunk : chunks) {
    put_varint(out, chunk.block.size);
    put_varint(out, chunk.rows);
    put_varint(out, static_cast<std::uint64_t>(chunk.begin.value - now.value));
    put_varint(out, static_cast<std::uint64_t>(chunk.end.value - chunk.begin.value));
    now = chunk.end;
  }
}

void put_levels(std::string& out, const std::vector<LevelEntry>& levels) {
  put_varint(out, levels.size());
  for (const LevelEntry& level : levels) {
    put_varint(out, level.width_log2);
    put_varint(out, level.buckets);
    for (const Block& block : level.blocks) put_varint(out, block.size);
  }
}

// Reads entries and lays their blocks one after the other.
struct Layout {
  ByteReader& reader;
  std::uint64_t blocks_end;
  base::Ticks run_end;
  std::uint64_t at = file_header_bytes;

  Block block() {
    const Block block{at, reader.varint_at_most(blocks_end - at, "a block's size")};
    at += block.size;
    return block;
  }

  base::Ticks time_after(base::Ticks earlier) {
    const auto left = static_cast<std::uint64_t>(run_end.value - earlier.value);
    return earlier + base::Ticks{static_cast<std::int64_t>(reader.varint_at_most(left, "a time"))};
  }

  std::vector<ChunkEntry> chunks() {
    std::vector<ChunkEntry> chunks(reader.count(4, "chunks"));
    base::Ticks now;
    for (ChunkEntry& chunk : chunks) {
      chunk.block = block();
      chunk.rows = static_cast<std::uint32_t>(
          reader.varint_at_most(chunk_rows_limit, "the rows of a chunk"));
      chunk.begin = time_after(now);
      chunk.end = now = time_after(chunk.begin);
    }
    return chunks;
  }

  LevelEntry level() {
    LevelEntry level;
    level.width_log2 =
        static_cast<unsigned>(reader.varint_at_most(width_log2_limit, "a bucket's width"));
    level.buckets = static_cast<std::size_t>(reader.varint());
    const std::int64_t width = std::int64_t{1} << level.width_log2;
    if (level.buckets != static_cast<std::size_t>(base::ceil_div(run_end.value, width))) {
      reader.malformed("a level's buckets do not cover the run");
    }
    const std::size_t blocks =
        level.buckets / block_buckets + (level.buckets % block_buckets != 0 ? 1 : 0);
    if (blocks > reader.remaining()) reader.malformed("a level has more blocks than fit");
    level.blocks.resize(blocks);
    for (Block& each : level.blocks) each = block();
    return level;
  }
};

TrackSet set_of(ByteReader& reader, std::size_t tracks) {
  TrackSet set;
  set.first = static_cast<TrackId>(reader.varint_at_most(tracks_limit, "a stream's first track"));
  set.members = static_cast<std::uint32_t>(reader.varint_at_most(UINT32_MAX, "a stream's tracks"));
  if (index(set.first) + static_cast<std::size_t>(std::bit_width(set.members)) > tracks ||
      set.members == 0) {
    reader.malformed("a stream is of no track");
  }
  return set;
}

}  // namespace

std::string_view Metadata::find(std::string_view key) const {
  for (const auto& [name, value] : more) {
    if (name == key) return value;
  }
  return {};
}

std::string encode(const Directory& directory) {
  std::string out;
  put_metadata(out, directory.metadata);
  put_varint(out, static_cast<std::uint64_t>(directory.end.value));
  put_varint(out, base::ticks_per_nanosecond);
  put_fixed64(out, directory.content_hash);
  put_varint(out, directory.tracks.size());
  for (const Track& track : directory.tracks) {
    put_string(out, track.name);
    put_varint(out, static_cast<std::uint64_t>(track.kind));
    put_varint(out, track.core);
  }
  put_varint(out, directory.streams.size());
  for (const StreamEntry& entry : directory.streams) {
    put_varint(out, index(entry.set.first));
    put_varint(out, entry.set.members);
    put_chunks(out, entry.chunks);
    put_levels(out, entry.levels);
  }
  put_varint(out, directory.counters.size());
  for (const CounterEntry& entry : directory.counters) {
    put_string(out, entry.counter.name);
    put_string(out, entry.counter.unit);
    put_varint(out, entry.counter.core);
    put_chunks(out, entry.chunks);
  }
  put_varint(out, directory.summary.size);
  put_varint(out, directory.labels.size);
  return out;
}

Directory decode_directory(std::string_view bytes, std::uint64_t blocks_end,
                           std::string_view place) {
  ByteReader reader(bytes, place);
  Directory directory;
  directory.metadata = get_metadata(reader);
  directory.end = {
      static_cast<std::int64_t>(reader.varint_at_most(end_ticks_max, "the end of the run"))};
  if (reader.varint() != base::ticks_per_nanosecond)
    reader.malformed("another base tick than 1/168 ns");
  directory.content_hash = reader.fixed64();
  directory.tracks.resize(
      static_cast<std::size_t>(reader.varint_at_most(tracks_limit, "the number of tracks")));
  for (Track& track : directory.tracks) {
    track.name = reader.text();
    track.kind =
        static_cast<TrackKind>(reader.varint_at_most(track_kind_count - 1, "a track's kind"));
    track.core = static_cast<std::uint32_t>(reader.varint_at_most(UINT32_MAX, "a core"));
  }
  Layout layout{reader, blocks_end, directory.end};
  directory.streams.resize(
      static_cast<std::size_t>(reader.varint_at_most(streams_limit, "the number of streams")));
  for (StreamEntry& entry : directory.streams) {
    entry.set = set_of(reader, directory.tracks.size());
    entry.chunks = layout.chunks();
    entry.levels.resize(reader.count(2, "levels"));
    for (LevelEntry& level : entry.levels) level = layout.level();
  }
  directory.counters.resize(
      static_cast<std::size_t>(reader.varint_at_most(tracks_limit, "the number of counters")));
  for (CounterEntry& entry : directory.counters) {
    entry.counter.name = reader.text();
    entry.counter.unit = reader.text();
    entry.counter.core = static_cast<std::uint32_t>(reader.varint_at_most(UINT32_MAX, "a core"));
    entry.chunks = layout.chunks();
  }
  directory.summary = layout.block();
  directory.labels = layout.block();
  if (layout.at != blocks_end) reader.malformed("the blocks do not fill the file");
  reader.expect_end();
  return directory;
}

}  // namespace trainyard::trace
