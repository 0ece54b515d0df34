// The table of contents of a .tytrace file: what was run, which tracks there are, and where each
// block of rows lies. It is read whole; rows are read when asked for. docs/formats/trace.md is its
// document.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/track.h"

namespace trainyard::trace {

// What was run, so that a trace can be reproduced and told from others.
struct Metadata {
  std::string program;  // its name
  std::string machine;  // "trn3"
  std::string version;  // of trainyard
  std::uint64_t program_hash = 0;
  std::uint64_t machine_hash = 0;
  std::vector<std::pair<std::string, std::string>> more;  // anything else, in the writer's order

  // The value of a key of `more`; empty where there is none.
  [[nodiscard]] std::string_view find(std::string_view key) const;

  friend bool operator==(const Metadata&, const Metadata&) = default;
};

// Bytes of the file.
struct Block {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct ChunkEntry {
  Block block;
  std::uint32_t rows = 0;
  base::Ticks begin;
  base::Ticks end;
};

// Intervals that are of every track in `set`. A track's intervals are those of all streams that it
// is in.
struct StreamEntry {
  TrackSet set;
  std::vector<ChunkEntry> chunks;  // in time order, without overlap
};

struct Directory {
  Metadata metadata;
  base::Ticks end;
  std::uint64_t content_hash = 0;
  std::vector<Track> tracks;
  std::vector<StreamEntry> streams;
  Block summary;
  Block labels;
};

// Where the first block begins; blocks follow each other in the directory's order without gaps.
inline constexpr std::uint64_t file_header_bytes = 64;
// Runs end before 2^62 ticks (870 years), so sums of two times never overflow.
inline constexpr std::int64_t end_ticks_max = std::int64_t{1} << 62;

// Every block's size; offsets follow from them.
[[nodiscard]] std::string encode(const Directory& directory);
// Checks that the blocks fill the file from its header to `blocks_end`. Throws InputError
// "trace.file".
[[nodiscard]] Directory decode_directory(std::string_view bytes, std::uint64_t blocks_end,
                                         std::string_view place);

}  // namespace trainyard::trace
