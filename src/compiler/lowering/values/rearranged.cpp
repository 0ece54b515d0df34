#include "compiler/lowering/values/rearranged.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/nc_transpose.h"

namespace trainyard::compiler {

using isa::DType;
using isa::Tile;

bool is_turned_exactly(const Emitter& emitter, DType dtype) {
  const bool is_float =
      dtype == DType::float32 || dtype == DType::bfloat16 || dtype == DType::float16;
  return is_float && emitter.core().features.tensor_transpose_exact;
}

Tile turned_beside(Emitter& emitter, DType dtype, std::int64_t height, std::int64_t rows,
                   std::int64_t count, const std::function<Tile(std::int64_t)>& tile) {
  const std::int64_t bank = emitter.core().psum.bank_size.value / numerics::size_in_bytes(dtype);
  const std::int64_t at_once = std::max(std::int64_t{1}, bank / rows);
  const Tile all = emitter.sbuf(dtype, height, count * rows);
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t some = std::min(at_once, count - first);
    const Tile sums = emitter.psum(dtype, height, some * rows);
    for (std::int64_t i = 0; i < some; ++i)
      emitter.emit(
          isa::NcTranspose{.dst = part(sums, 0, height, i * rows, rows), .data = tile(first + i)});
    TileMath(emitter, height, some * rows)
        .copy(part(all, 0, height, first * rows, some * rows), sums);
  }
  return all;
}

namespace {

// Fewer elements are fetched one by one as fast.
constexpr std::int64_t elements_min = 1024;
constexpr std::int64_t side_min = 16;
// Elements that lie farther apart cost more bytes than descriptors.
constexpr std::int64_t distance_max = 16;
constexpr std::int64_t span_bytes_max = 16 * 1024;  // of a partition

// A window whose columns are rows in HBM, and large enough to be turned.
bool is_turned(const Emitter& emitter, const Matrix& matrix, const Window& window) {
  return !matrix.rows.empty() && !matrix.columns.empty() && matrix.rows.back().step == 1 &&
         std::abs(matrix.columns.back().step) > 1 && window.rows >= side_min &&
         window.columns >= side_min && window.rows * window.columns >= elements_min &&
         is_turned_exactly(emitter, matrix.dtype);
}

// Of a partition, what is loaded or stored side by side.
constexpr std::int64_t run_bytes = 2048;

// How many neighbouring columns of a window, which are rows in HBM, one partition takes, so that
// few transfers of long runs move them; 1 where they do not follow each other evenly.
std::int64_t side_by_side(const Emitter& emitter, const Matrix& matrix, const Window& window) {
  if (merged(matrix.columns).size() != 1 || merged(matrix.rows).size() != 1) return 1;
  const std::int64_t bytes = window.rows * numerics::size_in_bytes(matrix.dtype);
  return std::clamp(window.columns / emitter.core().sbuf.partitions, std::int64_t{1},
                    std::max(std::int64_t{1}, run_bytes / bytes));
}

// The rows of HBM that are columns of a window from one on: `count` on each partition.
struct RowsInMemory {
  Matrix matrix;
  Window window;
};
RowsInMemory rows_in_memory(const Matrix& matrix, const Window& window, std::int64_t first,
                            std::int64_t partitions, std::int64_t count) {
  const std::int64_t step = merged(matrix.columns)[0].step;
  const std::array<Extent, 2> run{{{count, step}, {window.rows, 1}}};
  return {{matrix.tensor,
           matrix.dtype,
           matrix.offset + (window.column + first) * step + window.row,
           {{partitions, count * step}},
           merged(run)},
          {0, partitions, 0, count * window.rows}};
}

// A partition's columns, each by itself, next to those of the other partitions.
Tile spread_columns(const Tile& tile, std::int64_t partitions, std::int64_t first,
                    std::int64_t count, std::int64_t apart) {
  const std::array<Extent, 2> walk{{{count, 1}, {partitions, apart}}};
  return walked(tile, merged(walk), first);
}

// All of a window but less than one full set of partitions' columns; how many it has loaded.
std::int64_t load_side_by_side(Emitter& emitter, const Matrix& from, const Window& window,
                               const Tile& to) {
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  const std::int64_t count = side_by_side(emitter, from, window);
  const std::int64_t at_once =
      emitter.core().psum.bank_size.value / numerics::size_in_bytes(DType::float32) / partitions;
  std::int64_t first = 0;
  if (count == 1) return first;
  for (; first + count * partitions <= window.columns; first += count * partitions) {
    const RowsInMemory rows = rows_in_memory(from, window, first, partitions, count);
    const Tile tile = emitter.sbuf(from.dtype, partitions, rows.window.columns);
    load(emitter, rows.matrix, rows.window, tile);
    for (std::int64_t begin = 0; begin < count; begin += at_once) {
      const std::int64_t some = std::min(at_once, count - begin);
      const Tile turned = emitter.psum(from.dtype, window.rows, some * partitions);
      for (std::int64_t i = 0; i < some; ++i) {
        emitter.emit(isa::NcTranspose{
            .dst = part(turned, 0, window.rows, i * partitions, partitions),
            .data = part(tile, 0, partitions, (begin + i) * window.rows, window.rows)});
      }
      const TileMath math(emitter, window.rows, some * partitions);
      math.copy(
          spread_columns(part(to, 0, window.rows, 0, 1), partitions, first + begin, some, count),
          turned);
    }
  }
  return first;
}

std::int64_t store_side_by_side(Emitter& emitter, const Tile& from, const Matrix& to,
                                const Window& window, isa::Engine issuer) {
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  const std::int64_t count =
      from.rank == 1 && from.dims[0].step == 1 ? side_by_side(emitter, to, window) : 1;
  const std::int64_t at_once =
      std::max(std::int64_t{1}, emitter.core().psum.bank_size.value /
                                    numerics::size_in_bytes(DType::float32) / window.rows);
  std::int64_t first = 0;
  if (count == 1) return first;
  for (; first + count * partitions <= window.columns; first += count * partitions) {
    const RowsInMemory rows = rows_in_memory(to, window, first, partitions, count);
    const Tile tile = emitter.sbuf(to.dtype, partitions, rows.window.columns);
    for (std::int64_t begin = 0; begin < count; begin += at_once) {
      const std::int64_t some = std::min(at_once, count - begin);
      const Tile turned = emitter.psum(to.dtype, partitions, some * window.rows);
      for (std::int64_t i = 0; i < some; ++i) {
        emitter.emit(
            isa::NcTranspose{.dst = part(turned, 0, partitions, i * window.rows, window.rows),
                             .data = spread_columns(part(from, 0, window.rows, 0, 1), partitions,
                                                    first + begin + i, 1, count)});
      }
      TileMath(emitter, partitions, some * window.rows)
          .copy(part(tile, 0, partitions, begin * window.rows, some * window.rows), turned);
    }
    store(emitter, tile, rows.matrix, rows.window, issuer);
  }
  return first;
}

}  // namespace

bool load_turned(Emitter& emitter, const Matrix& from, const Window& window, const Tile& to) {
  if (!is_turned(emitter, from, window)) return false;
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  const std::int64_t bank =
      emitter.core().psum.bank_size.value / numerics::size_in_bytes(DType::float32);
  const Matrix columns{from.tensor, from.dtype, from.offset, from.columns, from.rows};
  for (std::int64_t first = load_side_by_side(emitter, from, window, to); first < window.columns;
       first += bank) {
    const std::int64_t width = std::min(bank, window.columns - first);
    const Tile turned = emitter.psum(from.dtype, window.rows, width);
    for (std::int64_t at = 0; at < width; at += partitions) {
      const std::int64_t some = std::min(partitions, width - at);
      const Tile tile = emitter.sbuf(from.dtype, some, window.rows);
      load(emitter, columns, {window.column + first + at, some, window.row, window.rows}, tile);
      emitter.emit(isa::NcTranspose{.dst = part(turned, 0, window.rows, at, some), .data = tile});
    }
    const TileMath math(emitter, window.rows, width);
    math.copy(part(to, 0, window.rows, first, width), turned);
  }
  return true;
}

bool store_turned(Emitter& emitter, const Tile& from, const Matrix& to, const Window& window,
                  isa::Engine issuer) {
  if (!is_turned(emitter, to, window)) return false;
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  const Matrix columns{to.tensor, to.dtype, to.offset, to.columns, to.rows};
  for (std::int64_t at = store_side_by_side(emitter, from, to, window, issuer); at < window.columns;
       at += partitions) {
    const std::int64_t some = std::min(partitions, window.columns - at);
    const Tile turned = emitter.psum(to.dtype, some, window.rows);
    emitter.emit(isa::NcTranspose{.dst = turned, .data = part(from, 0, window.rows, at, some)});
    const TileMath math(emitter, some, window.rows);
    store(emitter, math.copy(math.fresh(to.dtype), turned), columns,
          {window.column + at, some, window.row, window.rows}, issuer);
  }
  return true;
}

bool load_every_nth(Emitter& emitter, const Matrix& from, const Window& window, const Tile& to) {
  if (from.columns.size() != 1) return false;
  const std::int64_t step = from.columns.front().step, distance = std::abs(step);
  if (step == 1 || step == 0 || distance > distance_max || window.columns < side_min ||
      window.rows * window.columns < elements_min || from.columns.front().size < window.columns)
    return false;
  const std::int64_t most = span_bytes_max / (distance * numerics::size_in_bytes(from.dtype));
  for (std::int64_t first = 0; first < window.columns; first += most) {
    const std::int64_t count = std::min(most, window.columns - first);
    const std::int64_t span = (count - 1) * distance + 1;
    const std::int64_t begin = (window.column + first + (step < 0 ? count - 1 : 0)) * step;
    const Matrix whole{from.tensor, from.dtype, from.offset + begin, from.rows, {{span, 1}}};
    const Tile tile = emitter.sbuf(from.dtype, window.rows, span);
    load(emitter, whole, {window.row, window.rows, 0, span}, tile);
    Tile nth = part(tile, 0, window.rows, step < 0 ? span - 1 : 0, 1);
    nth.dims[0] = {static_cast<std::int32_t>(step), static_cast<std::int32_t>(count)};
    TileMath(emitter, window.rows, count).copy(part(to, 0, window.rows, first, count), nth);
  }
  return true;
}

}  // namespace trainyard::compiler
