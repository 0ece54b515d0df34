#include "trace/store.h"

#include <span>

namespace trainyard::trace {

void IntervalStore::make_room(ChunkWriter& writer) {
  flush(writer);
  rows_.resize(chunk_rows);
}

void IntervalStore::flush(ChunkWriter& writer) {
  if (count_ == 0) return;
  const std::span<const Interval> rows = std::span(rows_).first(count_);
  const std::string_view columns = writer.encoder.intervals(rows);
  writer.hash = content_hash(columns, writer.hash);
  chunks_.push_back({writer.compressor.compress(columns), static_cast<std::uint32_t>(count_),
                     rows.front().begin, rows.back().end});
  count_ = 0;
}

void IntervalStore::close(ChunkWriter& writer) {
  flush(writer);
  rows_ = {};
}

}  // namespace trainyard::trace
