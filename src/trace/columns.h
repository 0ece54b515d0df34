// The byte form of a chunk of consecutive intervals of one track: one column after the other, each
// as differences. Compression is someone else's work (trace/compress.h).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/bytes.h"
#include "trace/track.h"

namespace trainyard::trace {

// Rows in a chunk: enough to compress well, few enough to stay in the host's cache.
inline constexpr std::size_t chunk_rows = 4096;
// The most bytes the columns of one row can take.
inline constexpr std::size_t row_bytes_max = 1 + 5 * varint_bytes_max;

// Turns rows into bytes; keeps its buffers from chunk to chunk, because it runs while a program is
// being timed.
class ColumnEncoder {
 public:
  // Intervals in time order without overlap. The view holds until the next call.
  [[nodiscard]] std::string_view intervals(std::span<const Interval> rows);

 private:
  std::string parts_;
  std::string bytes_;
};

// `rows` intervals that lie in [begin, end). Throws InputError "trace.file" naming `place`.
[[nodiscard]] std::vector<Interval> decode_intervals(std::string_view bytes, std::size_t rows,
                                                     base::Ticks begin, base::Ticks end,
                                                     std::string_view place);

}  // namespace trainyard::trace
