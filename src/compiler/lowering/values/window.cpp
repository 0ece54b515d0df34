#include "compiler/lowering/values/window.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <ranges>
#include <utility>

#include "base/stable_sort.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/movement.h"
#include "compiler/lowering/values/rearranged.h"
#include "compiler/lowering/values/residents.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/nc_transpose.h"

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

bool has_units(const std::vector<Extent>& dims) {
  return dims.size() > 1 && std::ranges::find(dims, 1, &Extent::size) != dims.end();
}
std::vector<Extent> without_units(std::vector<Extent> dims) {
  std::erase_if(dims, [](const Extent& dim) { return dim.size == 1; });
  if (dims.empty()) dims.push_back({1, 0});
  return dims;
}
// A dimension of one element has a step that means nothing, and hides how its neighbour lies.
bool has_units(const Matrix& matrix) { return has_units(matrix.rows) || has_units(matrix.columns); }
Matrix without_units(const Matrix& matrix) {
  return {matrix.tensor, matrix.dtype, matrix.offset, without_units(matrix.rows),
          without_units(matrix.columns)};
}

}  // namespace

isa::Engine issuer_of_load(Emitter& emitter, isa::TensorId tensor) {
  const bool is_made_here = emitter.tensor(tensor).role == isa::TensorRole::internal;
  return is_made_here ? isa::Engine::gpsimd : isa::Engine::any;
}

void load(Emitter& emitter, const Matrix& from, const Window& window, const isa::Tile& to) {
  if (has_units(from)) return load(emitter, without_units(from), window, to);
  const bool rearranges = emitter.variation().rearranges;
  if (rearranges &&
      (load_turned(emitter, from, window, to) || load_every_nth(emitter, from, window, to)))
    return;
  const isa::Engine issuer = issuer_of_load(emitter, from.tensor);
  for_each_part(from, window, to, [&](const isa::Tile& hbm, const isa::Tile& chip) {
    emitter.emit(isa::DmaCopy{.dst = chip, .src = hbm}, issuer);
  });
}

void store(Emitter& emitter, const isa::Tile& from, const Matrix& to, const Window& window,
           isa::Engine issuer) {
  if (has_units(to)) return store(emitter, from, without_units(to), window, issuer);
  if (from.free_elements() > 1 && from.dims.at(static_cast<std::size_t>(from.rank) - 1).step == 0) {
    const TileMath math(emitter, window.rows, window.columns);
    return store(emitter, math.copy(math.fresh(from.dtype), from), to, window, issuer);
  }
  if (emitter.variation().rearranges && store_turned(emitter, from, to, window, issuer)) return;
  for_each_part(to, window, from, [&](const isa::Tile& hbm, const isa::Tile& chip) {
    emitter.emit(isa::DmaCopy{.dst = hbm, .src = chip}, issuer);
  });
}

isa::Tile walked(const isa::Tile& tile, std::span<const Extent> dims, std::int64_t first) {
  isa::Tile result = tile;
  result.offset += first * tile.element_bytes();
  result.rank = 0;
  for (const Extent& dim : dims) {
    result.dims.at(result.rank++) = {static_cast<std::int32_t>(dim.step),
                                     static_cast<std::int32_t>(dim.size)};
  }
  if (result.rank == 0) result.dims.at(result.rank++) = {1, 1};
  return result;
}

namespace {

// How a window's columns are loaded: these, of which the tile is that walk.
struct Fetch {
  Matrix matrix;
  std::int64_t columns = 0;
  std::vector<Extent> walk;
  std::int64_t first = 0;
};

// Each element once, neighbours in memory next to each other: what a row reads crosswise comes in
// runs all the same.
void drop_repeats(Fetch& fetch) {
  std::vector<Extent*> by_step;
  for (Extent& dim : fetch.walk) {
    if (dim.step != 0) by_step.push_back(&dim);
  }
  const auto distance = [](const Extent* dim) { return std::abs(dim->step); };
  const bool is_crosswise = by_step.size() > 1 && distance(by_step.back()) != 1 &&
                            std::ranges::any_of(by_step, [&](const Extent* dim) {
                              return distance(dim) == 1 && dim->size > 1;
                            });
  if (is_crosswise) base::stable_sort(by_step, std::ranges::greater(), distance);
  fetch.matrix.columns.clear();
  for (const Extent* const dim : by_step) {  // forwards, whichever way they are read
    if (dim->step < 0) fetch.matrix.offset += (dim->size - 1) * dim->step;
    fetch.matrix.columns.push_back({dim->size, std::abs(dim->step)});
  }
  std::int64_t step = 1;
  for (std::size_t i = by_step.size(); i-- > 0;) {
    Extent& dim = *by_step[i];
    const bool is_backward = dim.step < 0;
    if (is_backward) fetch.first += (dim.size - 1) * step;
    dim.step = is_backward ? -step : step;
    step *= dim.size;
  }
  fetch.columns = step;
}

// Short runs at even distances: all from the first on, so that runs between them share the load, as
// those of windows that slide over an image do. Nothing where they leave out too much.
void fill_gaps(Emitter& emitter, Fetch& fetch) {
  constexpr std::int64_t run_bytes_max = 512, gap_max = 4;
  const std::vector<Extent> dims = fetch.matrix.columns;
  const bool is_backward =
      std::ranges::any_of(fetch.walk, [](const Extent& dim) { return dim.step < 0; });
  if (dims.size() < 2 || dims.back().step != 1 || is_backward ||
      dims.back().size * numerics::size_in_bytes(fetch.matrix.dtype) >= run_bytes_max)
    return;
  const std::int64_t step = dims[0].step, first = fetch.matrix.offset % step;
  std::int64_t inner = 1, reach = first + 1;
  for (const Extent& dim : std::span(dims).subspan(1)) {
    inner *= dim.size;
    reach += (dim.size - 1) * dim.step;
  }
  if (step <= inner || step > gap_max * inner || reach > step) return;
  std::int64_t end = fetch.matrix.offset - first + dims[0].size * step;
  for (const Extent& row : fetch.matrix.rows) {
    if (row.step % step != 0) return;
    end += (row.size - 1) * row.step;
  }
  const isa::Tensor& tensor = emitter.tensor(fetch.matrix.tensor);
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.shape) elements *= size;
  if (emitter.is_moved(fetch.matrix.tensor) || end > elements) return;
  // From steps of what would be loaded without them to steps in memory.
  std::int64_t packed = 1;
  std::map<std::int64_t, std::int64_t> in_memory;
  for (const Extent& dim : dims | std::views::reverse) {
    in_memory[packed] = dim.step;
    packed *= dim.size;
  }
  for (Extent& dim : fetch.walk)
    if (dim.step != 0) dim.step = in_memory.at(dim.step);
  fetch.columns = dims[0].size * step;
  fetch.matrix.offset -= first;
  fetch.matrix.columns = {{fetch.columns, 1}};
  fetch.first = first;
}

}  // namespace

Matrix Loader::in_runs(const Matrix& from) {
  constexpr std::int64_t repeats_min = 64, elements_min = 64;
  std::int64_t repeats = 1, elements = 1;
  bool has_runs = false;
  for (const std::vector<Extent>* const dims : {&from.rows, &from.columns}) {
    for (const Extent& dim : *dims) {
      if (dim.step != 0) elements *= dim.size;
      if (dim.step == 0 && dims == &from.rows) repeats *= dim.size;
      if (dim.step != 0 && dims == &from.columns) has_runs = std::abs(dim.step) == 1;
    }
  }
  if (has_runs || repeats < repeats_min || elements < elements_min) return from;
  const Key key{from.tensor, from.offset, from.columns, from.rows, 0, 0};
  const auto [entry, is_new] = in_runs_.try_emplace(key, from);
  if (!is_new) return entry->second;
  Matrix& made = entry->second;
  Strided scattered{.tensor = from.tensor, .dtype = from.dtype, .offset = from.offset};
  std::vector<Extent*> dims;
  for (std::vector<Extent>* const some : {&made.rows, &made.columns}) {
    for (Extent& dim : *some) {
      if (dim.step == 0) continue;
      scattered.dims.push_back(dim);
      dims.push_back(&dim);
    }
  }
  const std::vector<std::int64_t> shape = scattered.shape();
  const Strided place = dense(emitter_.hbm(from.dtype, shape), from.dtype, shape);
  copy(emitter_, scattered, place);
  for (std::size_t i = 0; i < dims.size(); ++i) dims[i]->step = place.dims[i].step;
  made.tensor = place.tensor;
  made.offset = place.offset;
  return made;
}

isa::Tile Loader::load(const Matrix& given, const Window& window) {
  if (const auto here = residents_.find(given, window)) return *here;
  residents_.write_back(given.tensor);
  const Matrix from = in_runs(given);
  constexpr std::size_t rank_max = isa::rank_max - 1;
  const std::vector<Piece> walks =
      pieces(from.columns, window.column, window.column + window.columns, rank_max);
  if (walks.size() != 1) return loaded(from, window);
  Fetch fetch{.matrix = from, .walk = merged(walks[0].dims)};
  fetch.matrix.offset += walks[0].offset;
  drop_repeats(fetch);
  fill_gaps(emitter_, fetch);
  const isa::Tile tile = loaded(fetch.matrix, {window.row, window.rows, 0, fetch.columns});
  return walked(tile, fetch.walk, fetch.first);
}

namespace {

// A window whose rows are alike, though those of others are not, as one of a matrix of such rows.
std::pair<Matrix, Window> with_rows_alike(const Matrix& matrix, const Window& window) {
  if (is_alike(matrix.rows)) return {matrix, window};
  const std::vector<Piece> rows =
      pieces(matrix.rows, window.row, window.row + window.rows, matrix.rows.size() + 1);
  if (rows.size() != 1 || !is_alike(rows[0].dims)) return {matrix, window};
  Matrix alike = matrix;
  alike.offset += rows[0].offset;
  alike.rows = {{1, 0}};
  return {alike, {0, window.rows, window.column, window.columns}};
}

}  // namespace

// Of SBUF, for rows that are alike: a longer row is loaded again for each band.
constexpr std::int64_t alike_part = 4;

isa::Tile Loader::loaded(const Matrix& given, const Window& given_window) {
  const auto [from, window] = with_rows_alike(given, given_window);
  const bool rows_alike = is_alike(from.rows);
  const Key key{from.tensor, from.offset, from.columns, from.rows, window.column, window.columns};
  const bool is_one = !rows_alike && window.columns == 1;
  if (is_one) return one_column(from, window, key);
  if (std::exchange(band_row_, window.row) != window.row) band_.clear();
  for (const auto* const known : {&alike_, &band_}) {
    const auto found = known->find(key);
    if (found != known->end() && found->second.partitions >= window.rows)
      return part(found->second, 0, window.rows, 0, window.columns);
  }
  const isa::Tile tile = emitter_.sbuf(from.dtype, window.rows, window.columns);
  Matrix matrix = from;
  Window wanted = window;
  if (rows_alike) {
    matrix.rows = {{window.rows, 0}};
    wanted.row = 0;
  }
  compiler::load(emitter_, matrix, wanted, tile);
  emitter_.keep(tile);  // other windows may read it
  const std::int64_t bytes = window.columns * numerics::size_in_bytes(from.dtype);
  const bool stays =
      rows_alike && alike_bytes_ + bytes <= emitter_.core().sbuf.usable().value / alike_part;
  if (stays) alike_bytes_ += bytes;
  (stays ? alike_ : band_).insert_or_assign(key, tile);
  return tile;
}

// Kept for all bands: it is small.
isa::Tile Loader::one_column(const Matrix& from, const Window& window, const Key& key) {
  if (const auto tile = of_many_bands(from, window, key)) return *tile;
  isa::Tile& tile = ones_[{window.row, key}];
  if (tile.partitions < window.rows) {
    tile = emitter_.sbuf(from.dtype, window.rows, 1);
    compiler::load(emitter_, from, window, tile);
  }
  return part(tile, 0, window.rows, 0, 1);
}

// Elements that follow each other in HBM come as a row for each band, which the tensor engine
// turns: one transfer, where each band would take one of single elements.
std::optional<isa::Tile> Loader::of_many_bands(const Matrix& from, const Window& window,
                                               const Key& key) {
  constexpr std::int64_t bands_min = 5;  // fewer transfers run side by side
  const std::int64_t tall = tall_, most = emitter_.core().array.rows;
  if (!emitter_.variation().rearranges || !is_turned_exactly(emitter_, from.dtype) ||
      from.rows.size() != 1 || from.rows[0].step != 1 || !from.columns.empty() ||
      window.rows != tall || window.row % tall != 0)
    return std::nullopt;
  const std::int64_t band = window.row / tall, chunk = band / most;
  const std::int64_t bands = std::min(most, from.rows[0].size / tall - chunk * most);
  if (bands < bands_min) return std::nullopt;
  const auto [entry, is_new] = many_.try_emplace({chunk, key});
  if (is_new) {
    const isa::Tile rows = emitter_.sbuf(from.dtype, bands, tall);
    const Matrix lines{
        from.tensor, from.dtype, from.offset + chunk * most * tall, {{bands, tall}}, {{tall, 1}}};
    compiler::load(emitter_, lines, {0, bands, 0, tall}, rows);
    const isa::Tile turned = emitter_.psum(from.dtype, tall, bands);
    emitter_.emit(isa::NcTranspose{.dst = turned, .data = rows});
    const TileMath math(emitter_, tall, bands);
    entry->second = math.copy(math.fresh(from.dtype), turned);
    emitter_.keep(entry->second);
  }
  return part(entry->second, 0, tall, band - chunk * most, 1);
}

}  // namespace trainyard::compiler
