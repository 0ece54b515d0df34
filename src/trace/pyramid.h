// What any stretch of a long trace was spent on, without its rows in memory: of each stream, sums
// up to every 64th row, and the rows of a stretch when they are asked for. Made in one pass over
// the file, a chunk at a time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "trace/trace_file.h"

namespace trainyard::trace {

// What a viewer tells apart; what each reason counts as is the viewer's choice.
inline constexpr std::size_t class_count = 4;
using Classes = std::array<std::uint8_t, reason_count>;

class Pyramid {
 public:
  // `file` must outlive it. Throws InputError "trace.file" where the bytes are not what the format
  // says.
  Pyramid(const TraceFile& file, const Classes& classes);

  // By track, column and class the share of each of `columns` equal parts of [from, to). Exact
  // where a stream has at most exact_rows_max rows in it; else an edge of a column may lie up to 64
  // rows beside its place.
  [[nodiscard]] std::vector<float> shares(base::Ticks from, base::Ticks to,
                                          std::size_t columns) const;

  // By track the rows that meet [from, to), or nothing where those of all tracks are more than
  // `rows_max`.
  [[nodiscard]] std::optional<std::vector<std::vector<Interval>>> window(
      base::Ticks from, base::Ticks to, std::size_t rows_max) const;

  static constexpr std::size_t exact_rows_max = std::size_t{1} << 18;

 private:
  using Sums = std::array<std::int64_t, class_count>;
  // Ticks of each class before `begin`.
  struct Mark {
    base::Ticks begin;
    Sums before{};
  };
  struct Level {
    std::vector<Mark> marks;  // the begin of every 64th row, and the end of the last one
    std::vector<std::size_t> rows_before;  // of each chunk
  };
  struct Chunks {
    std::size_t first = 0, last = 0;  // [first, last)
    std::size_t rows = 0;
  };

  void add(const StreamEntry& stream, Level& level) const;
  [[nodiscard]] Chunks chunks_of(std::size_t stream, base::Ticks from, base::Ticks to) const;
  [[nodiscard]] std::array<double, class_count> before(const Level& level, double time) const;
  void add_exactly(std::size_t stream, const Chunks& chunks, double from, double width,
                   std::vector<double>& spent) const;
  void add_from_marks(const Level& level, double from, double width,
                      std::vector<double>& spent) const;

  const TraceFile& file_;
  Classes classes_;
  std::vector<Level> levels_;  // by stream
};

}  // namespace trainyard::trace
