// What a full recording keeps of one track and of one counter: rows that wait in a buffer, then
// compressed chunks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/columns.h"
#include "trace/compress.h"
#include "trace/pyramid.h"
#include "trace/track.h"

namespace trainyard::trace {

// Consecutive rows as one zstd frame.
struct Chunk {
  std::string frame;
  std::uint32_t rows = 0;
  base::Ticks begin;  // of the first row
  base::Ticks end;    // of the last row
};

// Buffers shared by all tracks and counters of one recording.
struct ChunkWriter {
  ColumnEncoder encoder;
  // Level 1: this runs while a program is being timed.
  Compressor compressor{1};
  std::uint64_t hash = 0;  // of all columns before compression, in the order in which chunks filled
};

class IntervalStore {
 public:
  void append(const Interval& interval, ChunkWriter& writer) {
    if (rows_.capacity() == 0) [[unlikely]]
      rows_.reserve(chunk_rows);
    rows_.push_back(interval);
    if (rows_.size() == chunk_rows) [[unlikely]]
      flush(writer);
  }
  void flush(ChunkWriter& writer);
  [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }
  [[nodiscard]] const Pyramid& pyramid() const { return pyramid_; }

 private:
  std::vector<Interval> rows_;
  std::vector<Chunk> chunks_;
  Pyramid pyramid_;
};

class SampleStore {
 public:
  void append(const Sample& sample, ChunkWriter& writer) {
    if (sample.time < last_) [[unlikely]]
      backwards(sample);
    last_ = sample.time;
    rows_.push_back(sample);
    if (rows_.size() == chunk_rows) [[unlikely]]
      flush(writer);
  }
  void flush(ChunkWriter& writer);
  [[nodiscard]] const std::vector<Chunk>& chunks() const { return chunks_; }
  [[nodiscard]] base::Ticks last() const { return last_; }

 private:
  [[noreturn]] void backwards(const Sample& sample) const;

  std::vector<Sample> rows_;
  std::vector<Chunk> chunks_;
  base::Ticks last_;
};

}  // namespace trainyard::trace
