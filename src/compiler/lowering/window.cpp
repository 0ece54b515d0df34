#include "compiler/lowering/window.h"

#include <algorithm>

#include "compiler/lowering/rearranged.h"
#include "compiler/lowering/residents.h"
#include "compiler/lowering/tile_math.h"
#include "isa/instructions/dma_copy.h"

namespace trainyard::compiler {

Matrix matrix_of(const Strided& value, std::size_t row_dims) {
  const std::span<const Extent> dims(value.dims);
  return {value.tensor, value.dtype, value.offset, merged(dims.first(row_dims)),
          merged(dims.subspan(row_dims))};
}

std::vector<Window> windows(std::int64_t rows, std::int64_t columns, std::int64_t rows_max,
                            std::int64_t columns_max) {
  std::vector<Window> all;
  for (std::int64_t row = 0; row < rows; row += rows_max) {
    for (std::int64_t column = 0; column < columns; column += columns_max) {
      all.push_back(
          {row, std::min(rows_max, rows - row), column, std::min(columns_max, columns - column)});
    }
  }
  return all;
}

namespace {

// Calls f(hbm tile, part of the on-chip tile) for the rectangles of a window. A pattern in HBM has
// at most rank_max dimensions, which rows and columns share.
template <typename F>
void for_each_part(const Matrix& matrix, const Window& window, const isa::Tile& tile, F&& f) {
  constexpr std::size_t column_rank = 3;
  const std::vector<Piece> columns =
      pieces(matrix.columns, window.column, window.column + window.columns, column_rank);
  const std::vector<Piece> rows =
      pieces(matrix.rows, window.row, window.row + window.rows, isa::rank_max - column_rank);
  for (const Piece& row : rows) {
    for (const Piece& column : columns) {
      std::vector<Extent> dims = row.dims;
      dims.insert(dims.end(), column.dims.begin(), column.dims.end());
      f(hbm_tile(matrix.tensor, matrix.dtype, matrix.offset + row.offset + column.offset, dims),
        part(tile, row.begin - window.row, product(row.dims), column.begin - window.column,
             product(column.dims)));
    }
  }
}

bool is_alike(std::span<const Extent> dims) {
  return std::ranges::all_of(dims, [](const Extent& dim) { return dim.step == 0; });
}

}  // namespace

isa::Engine issuer_of_load(Emitter& emitter, isa::TensorId tensor) {
  const bool is_made_here = emitter.tensor(tensor).role == isa::TensorRole::internal;
  return is_made_here ? isa::Engine::gpsimd : isa::Engine::any;
}

void load(Emitter& emitter, const Matrix& from, const Window& window, const isa::Tile& to) {
  if (load_turned(emitter, from, window, to) || load_every_nth(emitter, from, window, to)) return;
  const isa::Engine issuer = issuer_of_load(emitter, from.tensor);
  for_each_part(from, window, to, [&](const isa::Tile& hbm, const isa::Tile& chip) {
    emitter.emit(isa::DmaCopy{.dst = chip, .src = hbm}, issuer);
  });
}

void store(Emitter& emitter, const isa::Tile& from, const Matrix& to, const Window& window,
           isa::Engine issuer) {
  if (from.free_elements() > 1 && from.dims.at(static_cast<std::size_t>(from.rank) - 1).step == 0) {
    const TileMath math(emitter, window.rows, window.columns);
    return store(emitter, math.copy(math.fresh(from.dtype), from), to, window, issuer);
  }
  if (store_turned(emitter, from, to, window, issuer)) return;
  for_each_part(to, window, from, [&](const isa::Tile& hbm, const isa::Tile& chip) {
    emitter.emit(isa::DmaCopy{.dst = hbm, .src = chip}, issuer);
  });
}

isa::Tile Loader::load(const Matrix& from, const Window& window) {
  if (const auto here = residents_.find(from, window)) return *here;
  residents_.write_back(from.tensor);
  const bool one_column = is_alike(from.columns);
  Window wanted = window;
  Matrix matrix = from;
  if (one_column) {
    wanted.column = 0;
    wanted.columns = 1;
    matrix.columns.clear();
  }
  const auto give = [&](const isa::Tile& tile) {
    return one_column ? repeated(tile, window.columns) : tile;
  };
  if (!is_alike(from.rows)) {
    const isa::Tile tile = emitter_.sbuf(from.dtype, wanted.rows, wanted.columns);
    compiler::load(emitter_, matrix, wanted, tile);
    return give(tile);
  }
  const Key key{from.tensor, from.offset, matrix.columns, wanted.column, wanted.columns};
  const auto found = alike_.find(key);
  if (found != alike_.end() && found->second.partitions >= wanted.rows)
    return give(part(found->second, 0, wanted.rows, 0, wanted.columns));
  const isa::Tile tile = emitter_.sbuf(from.dtype, wanted.rows, wanted.columns);
  matrix.rows = {{wanted.rows, 0}};
  wanted.row = 0;
  compiler::load(emitter_, matrix, wanted, tile);
  alike_.insert_or_assign(key, tile);
  return give(tile);
}

}  // namespace trainyard::compiler
