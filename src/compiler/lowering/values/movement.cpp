#include "compiler/lowering/values/movement.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "compiler/lowering/values/tiled_copy.h"
#include "compiler/lowering/values/window.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/register_alu.h"
#include "isa/instructions/register_load.h"
#include "isa/instructions/register_move.h"

namespace trainyard::compiler {

namespace {

using numerics::AluOp;

std::vector<Both> merged_together(const Strided& from, const Strided& to) {
  std::vector<Both> walk;
  for (std::size_t i = 0; i < from.dims.size(); ++i) {
    const Both dim{from.dims[i].size, from.dims[i].step, to.dims[i].step};
    if (dim.size == 1) continue;
    if (!walk.empty() && walk.back().from == dim.from * dim.size &&
        walk.back().to == dim.to * dim.size) {
      walk.back() = {walk.back().size * dim.size, dim.from, dim.to};
    } else {
      walk.push_back(dim);
    }
  }
  return walk;
}

// Calls f(tile of from, tile of to) for rectangles that a pattern can hold.
template <typename F>
void for_each_rectangle(Strided from, Strided to, std::span<const Both> walk, const F& f) {
  if (walk.size() > isa::rank_max) {
    for (std::int64_t i = 0; i < walk[0].size; ++i) {
      for_each_rectangle(from, to, walk.subspan(1), f);
      from.offset += walk[0].from;
      to.offset += walk[0].to;
    }
    return;
  }
  std::vector<Extent> source, target;
  for (const Both& dim : walk) {
    source.push_back({dim.size, dim.from});
    target.push_back({dim.size, dim.to});
  }
  f(hbm_tile(from.tensor, from.dtype, from.offset, source),
    hbm_tile(to.tensor, to.dtype, to.offset, target));
}

bool is_known(const Start& start) { return !start.scalar && start.number.is_known(); }
std::int64_t known_start(const Start& start) {
  return std::clamp(start.number.constant, std::int64_t{0}, start.last);
}

// The register that holds where the slice begins, in elements of the tensor behind `whole`.
isa::Register slice_offset(Emitter& emitter, const Strided& whole, std::span<const Start> starts) {
  constexpr auto issuer = isa::Engine::gpsimd;  // of transfers whose address is computed
  const isa::Register sum = emitter.fresh_register();
  std::int64_t known = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (is_known(starts[i])) known += known_start(starts[i]) * whole.dims[i].step;
  }
  emitter.emit(isa::RegisterMove{sum, {.constant = known}}, issuer);
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::optional<Strided>& scalar = starts[i].scalar;
    if (is_known(starts[i]) || starts[i].last == 0) continue;
    const isa::Register at = emitter.fresh_register();
    if (scalar) {
      emitter.emit(
          isa::RegisterLoad{at, hbm_tile(scalar->tensor, scalar->dtype, scalar->offset, {})},
          issuer);
    } else {
      emitter.emit(isa::RegisterMove{at, {.reg = emitter.register_of(starts[i].number)}}, issuer);
    }
    emitter.emit(isa::RegisterAlu{at, {.reg = at}, AluOp::maximum, {.constant = 0}}, issuer);
    emitter.emit(isa::RegisterAlu{at, {.reg = at}, AluOp::minimum, {.constant = starts[i].last}},
                 issuer);
    emitter.emit(
        isa::RegisterAlu{at, {.reg = at}, AluOp::multiply, {.constant = whole.dims[i].step}},
        issuer);
    emitter.emit(isa::RegisterAlu{sum, {.reg = sum}, AluOp::add, {.reg = at}}, issuer);
  }
  return sum;
}

bool is_known(std::span<const Start> starts) {
  return std::ranges::all_of(starts, [](const Start& start) { return is_known(start); });
}

// The slice of that shape as it lies in `whole` when all starts are 0.
Strided slice_of(const Strided& whole, const Strided& like) {
  Strided slice = whole;
  for (std::size_t i = 0; i < slice.dims.size(); ++i) slice.dims[i].size = like.dims[i].size;
  return slice;
}

Strided known_slice(const Strided& whole, std::span<const Start> starts, const Strided& like) {
  Strided slice = slice_of(whole, like);
  for (std::size_t i = 0; i < starts.size(); ++i)
    slice.offset += known_start(starts[i]) * whole.dims[i].step;
  return slice;
}

void move_by(Emitter& emitter, isa::Tile& tile, isa::Register offset) {
  tile.dynamic = emitter.add({.kind = isa::DynamicAddress::Kind::register_offset, .reg = offset});
}

bool is_run(std::span<const Both> walk) {
  return walk.size() == 1 && walk[0].from == 1 && walk[0].to == 1;
}
std::int64_t row_max(isa::DType dtype) { return 4096 / numerics::size_in_bytes(dtype); }

// One run of elements as rows that DMA engines share: a pattern of one dimension would move each
// element by itself.
void cut_run(std::vector<Both>& walk, isa::DType dtype) {
  if (!is_run(walk)) return;
  const std::int64_t row = even_part(walk[0].size, row_max(dtype));
  walk = {{walk[0].size / row, row, row}, {row, 1, 1}};
}

// How transfers walk over both.
std::vector<Both> walk_of(const Strided& from, const Strided& to) {
  std::vector<Both> walk = merged_together(from, to);
  cut_run(walk, from.dtype);
  return walk;
}

}  // namespace

void copy(Emitter& emitter, const Strided& from, const Strided& to) {
  if (from.elements() == 0) return;
  std::vector<Both> walk = merged_together(from, to);
  const std::int64_t most = row_max(from.dtype), elements = from.elements();
  if (is_run(walk) && elements > most && 4 * even_part(elements, most) < most) {
    // What rows of their full length leave is a row of its own.
    const auto run = [&](Strided value, std::int64_t begin, std::int64_t size) {
      value.offset += begin;
      value.dims = {{size, 1}};
      return value;
    };
    const std::int64_t rows = elements / most * most;
    copy(emitter, run(from, 0, rows), run(to, 0, rows));
    return copy(emitter, run(from, rows, elements - rows), run(to, rows, elements - rows));
  }
  cut_run(walk, from.dtype);
  if (emitter.variation().rearranges && copy_by_tiles(emitter, from, to, walk)) return;
  for_each_rectangle(from, to, walk, [&](const isa::Tile& source, const isa::Tile& target) {
    emitter.emit(isa::DmaCopy{.dst = target, .src = source});
  });
}

namespace {

// Whether elements would be moved one by one that another order of dimensions moves in runs.
bool lies_otherwise(const Strided& from, const Strided& to) {
  const bool has_runs = std::ranges::any_of(
      from.dims, [](const Extent& dim) { return dim.size > 1 && dim.step == 1; });
  return has_runs && moves_single_elements(merged_together(from, to));
}

// A value of that shape in a tensor of its own, whose elements lie in the order of `like`'s.
Strided fresh_like(Emitter& emitter, const Strided& like) {
  std::vector<std::int64_t> order(like.dims.size()), back(like.dims.size()), shape;
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, [&](std::int64_t a, std::int64_t b) {
    return like.dims[static_cast<std::size_t>(a)].step >
           like.dims[static_cast<std::size_t>(b)].step;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
    shape.push_back(like.dims[static_cast<std::size_t>(order[i])].size);
  }
  return permuted(dense(emitter.hbm(like.dtype, shape), like.dtype, shape), back);
}

}  // namespace

void copy_slice_out(Emitter& emitter, const Strided& whole, std::span<const Start> starts,
                    const Strided& part) {
  if (part.elements() == 0) return;
  if (is_known(starts)) return copy(emitter, known_slice(whole, starts, part), part);
  const Strided slice = slice_of(whole, part);
  if (lies_otherwise(slice, part)) {
    const Strided apart = fresh_like(emitter, slice);
    copy_slice_out(emitter, whole, starts, apart);
    return copy(emitter, apart, part);
  }
  const isa::Register offset = slice_offset(emitter, whole, starts);
  for_each_rectangle(slice, part, walk_of(slice, part),
                     [&](isa::Tile source, const isa::Tile& target) {
                       move_by(emitter, source, offset);
                       emitter.emit(isa::DmaCopy{.dst = target, .src = source});
                     });
}

void copy_slice_in(Emitter& emitter, const Strided& part, const Strided& whole,
                   std::span<const Start> starts) {
  if (part.elements() == 0) return;
  if (is_known(starts)) return copy(emitter, part, known_slice(whole, starts, part));
  const Strided slice = slice_of(whole, part);
  if (lies_otherwise(part, slice)) {
    const Strided apart = fresh_like(emitter, slice);
    copy(emitter, part, apart);
    return copy_slice_in(emitter, apart, whole, starts);
  }
  const isa::Register offset = slice_offset(emitter, whole, starts);
  for_each_rectangle(part, slice, walk_of(part, slice),
                     [&](const isa::Tile& source, isa::Tile target) {
                       move_by(emitter, target, offset);
                       emitter.emit(isa::DmaCopy{.dst = target, .src = source});
                     });
}

namespace {

// Calls f(rows of the dense side, windows, their part of a tile) for what a transfer takes.
template <typename F>
void for_each_list(Emitter& emitter, const Windows& windows_of, const F& f) {
  constexpr std::int64_t columns_max = 4096;
  const Strided& first = windows_of.first;
  const Strided& list = windows_of.list;
  const std::vector<Extent> walk = merged(first.dims);
  const Matrix numbers = matrix_of(list, list.dims.size());
  for (const Window& window :
       windows(list.elements(), product(walk), emitter.core().sbuf.partitions, columns_max)) {
    const isa::Tile index = emitter.sbuf(list.dtype, window.rows, 1);
    load(emitter, numbers, {window.row, window.rows, 0, 1}, index);
    const std::uint32_t dynamic = emitter.add({.kind = isa::DynamicAddress::Kind::vector_offset,
                                               .index = index,
                                               .stride = windows_of.unit});
    std::vector<std::pair<isa::Tile, Window>> parts;
    for (const Piece& piece :
         pieces(walk, window.column, window.column + window.columns, isa::rank_max - 1)) {
      isa::Tile tile{.space = isa::Space::hbm, .dtype = first.dtype, .rank = 1};
      tile.tensor = first.tensor;
      tile.offset = (first.offset + piece.offset) * tile.element_bytes();
      tile.dims[0] = {1, static_cast<std::int32_t>(window.rows)};
      for (const Extent& dim : piece.dims)
        tile.dims.at(tile.rank++) = {static_cast<std::int32_t>(dim.step),
                                     static_cast<std::int32_t>(dim.size)};
      tile.dynamic = dynamic;
      parts.emplace_back(tile, Window{window.row, window.rows, piece.begin, product(piece.dims)});
    }
    f(window, parts);
  }
}

}  // namespace

void gather_windows(Emitter& emitter, const Windows& from, const Strided& to) {
  const Matrix place = matrix_of(to, from.list.dims.size());
  for_each_list(emitter, from, [&](const Window& window, const auto& parts) {
    const isa::Tile tile = emitter.sbuf(from.first.dtype, window.rows, window.columns);
    for (const auto& [source, at] : parts) {
      emitter.emit(isa::DmaCopy{
          .dst = part(tile, 0, at.rows, at.column - window.column, at.columns), .src = source});
    }
    store(emitter, tile, place, window);
  });
}

namespace {

// A window of a matrix as one region of HBM.
std::optional<isa::Tile> one_region(const Matrix& matrix, const Window& window) {
  const auto down = pieces(matrix.rows, window.row, window.row + window.rows, isa::rank_max);
  const auto along =
      pieces(matrix.columns, window.column, window.column + window.columns, isa::rank_max);
  if (down.size() != 1 || along.size() != 1) return std::nullopt;
  std::vector<Extent> walk = down[0].dims;
  walk.insert(walk.end(), along[0].dims.begin(), along[0].dims.end());
  walk = merged(walk);
  if (walk.size() > isa::rank_max) return std::nullopt;
  return hbm_tile(matrix.tensor, matrix.dtype, matrix.offset + down[0].offset + along[0].offset,
                  walk);
}

}  // namespace

// The DMA engines share what goes from HBM to HBM evenly; on chip, few rows belong to one of them.
void scatter_windows(Emitter& emitter, const Strided& from, const Windows& to) {
  const Matrix values = matrix_of(from, to.list.dims.size());
  for_each_list(emitter, to, [&](const Window& window, const auto& parts) {
    std::optional<isa::Tile> tile;
    for (const auto& [target, at] : parts) {
      std::optional<isa::Tile> source = one_region(values, at);
      if (!source && !tile) {
        tile = emitter.sbuf(from.dtype, window.rows, window.columns);
        load(emitter, values, window, *tile);
      }
      if (!source) source = part(*tile, 0, at.rows, at.column - window.column, at.columns);
      emitter.emit(isa::DmaCopy{.dst = target, .src = *source, .oob_mode = isa::OobMode::skip});
    }
  });
}

}  // namespace trainyard::compiler
