#include "trace/directory.h"

#include "trace/bytes.h"

namespace trainyard::trace {
namespace {

constexpr std::uint32_t chunk_rows_limit = 1u << 20;
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
  }
  directory.summary = layout.block();
  directory.labels = layout.block();
  if (layout.at != blocks_end) reader.malformed("the blocks do not fill the file");
  reader.expect_end();
  return directory;
}

}  // namespace trainyard::trace
