#include "trace/store.h"

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::trace {
namespace {

Chunk write_chunk(std::string_view columns, std::size_t rows, base::Ticks begin, base::Ticks end,
                  ChunkWriter& writer) {
  writer.hash = content_hash(columns, writer.hash);
  return {writer.compressor.compress(columns), static_cast<std::uint32_t>(rows), begin, end};
}

}  // namespace

void IntervalStore::make_room(ChunkWriter& writer) {
  flush(writer);
  rows_.resize(chunk_rows);
}

void IntervalStore::flush(ChunkWriter& writer) {
  if (count_ == 0) return;
  const std::span<const Interval> rows = std::span(rows_).first(count_);
  pyramid_.add(rows);
  chunks_.push_back(write_chunk(writer.encoder.intervals(rows), count_, rows.front().begin,
                                rows.back().end, writer));
  count_ = 0;
}

void SampleStore::flush(ChunkWriter& writer) {
  if (rows_.empty()) return;
  chunks_.push_back(write_chunk(writer.encoder.samples(rows_), rows_.size(), rows_.front().time,
                                rows_.back().time, writer));
  rows_.clear();
}

void SampleStore::backwards(const Sample& sample) const {
  base::fail(fmt::format("a counter sample at tick {} follows one at tick {}", sample.time.value,
                         last_.value));
}

}  // namespace trainyard::trace
