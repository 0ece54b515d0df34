// What a full recording keeps of one stream of intervals: rows that wait in a buffer, then
// compressed chunks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/columns.h"
#include "trace/compress.h"
#include "trace/track.h"

namespace trainyard::trace {

// Consecutive rows as one zstd frame.
struct Chunk {
  std::string frame;
  std::uint32_t rows = 0;
  base::Ticks begin;  // of the first row
  base::Ticks end;    // of the last row
};

// Buffers shared by all streams of one recording.
struct ChunkWriter {
  ColumnEncoder encoder;
  // Level 1: this runs while a program is being timed.
  Compressor compressor{1};
  std::uint64_t hash = 0;  // of all columns before compression, in the order in which chunks filled
};

class IntervalStore {
 public:
  // Written field by field, because a row built elsewhere and copied stalls the host's store
  // buffer.
  void append(base::Ticks begin, base::Ticks end, std::uint32_t instruction,
              std::uint32_t iteration, Reason reason, TrackId cause, ChunkWriter& writer) {
    if (count_ == rows_.size()) [[unlikely]]
      make_room(writer);
    Interval& row = rows_[count_++];
    row.begin = begin;
    row.end = end;
    row.instruction = instruction;
    row.iteration = iteration;
    row.reason = reason;
    row.cause = cause;
  }
  // After the last row: chunks alone stay.
  void close(ChunkWriter& writer);
  [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }

 private:
  void flush(ChunkWriter& writer);
  void make_room(ChunkWriter& writer);

  std::vector<Interval> rows_;  // a chunk's worth, or none yet
  std::size_t count_ = 0;       // of which are in use
  std::vector<Chunk> chunks_;
};

}  // namespace trainyard::trace
