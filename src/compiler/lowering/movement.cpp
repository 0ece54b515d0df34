#include "compiler/lowering/movement.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "compiler/lowering/window.h"
#include "isa/instructions/dma_copy.h"
#include "isa/instructions/register_alu.h"
#include "isa/instructions/register_load.h"
#include "isa/instructions/register_move.h"

namespace trainyard::compiler {

namespace {

using numerics::AluOp;

// One dimension of two walks taken together.
struct Both {
  std::int64_t size = 1, from = 1, to = 1;
};

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

// The register that holds where the slice begins, in elements of the tensor behind `whole`.
isa::Register slice_offset(Emitter& emitter, const Strided& whole, std::span<const Start> starts) {
  const isa::Register sum = emitter.fresh_register();
  std::int64_t known = 0;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (!starts[i].scalar)
      known += std::clamp(starts[i].number, std::int64_t{0}, starts[i].last) * whole.dims[i].step;
  }
  emitter.emit(isa::RegisterMove{sum, {.constant = known}});
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::optional<Strided>& scalar = starts[i].scalar;
    if (!scalar || starts[i].last == 0) continue;
    const isa::Register at = emitter.fresh_register();
    emitter.emit(
        isa::RegisterLoad{at, hbm_tile(scalar->tensor, scalar->dtype, scalar->offset, {})});
    emitter.emit(isa::RegisterAlu{at, {.reg = at}, AluOp::maximum, {.constant = 0}});
    emitter.emit(isa::RegisterAlu{at, {.reg = at}, AluOp::minimum, {.constant = starts[i].last}});
    emitter.emit(
        isa::RegisterAlu{at, {.reg = at}, AluOp::multiply, {.constant = whole.dims[i].step}});
    emitter.emit(isa::RegisterAlu{sum, {.reg = sum}, AluOp::add, {.reg = at}});
  }
  return sum;
}

bool is_known(std::span<const Start> starts) {
  return std::ranges::all_of(starts, [](const Start& start) { return !start.scalar; });
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
    slice.offset +=
        std::clamp(starts[i].number, std::int64_t{0}, starts[i].last) * whole.dims[i].step;
  return slice;
}

void move_by(Emitter& emitter, isa::Tile& tile, isa::Register offset) {
  tile.dynamic = emitter.add({.kind = isa::DynamicAddress::Kind::register_offset, .reg = offset});
}

}  // namespace

void copy(Emitter& emitter, const Strided& from, const Strided& to) {
  if (from.elements() == 0) return;
  for_each_rectangle(from, to, merged_together(from, to),
                     [&](const isa::Tile& source, const isa::Tile& target) {
                       emitter.emit(isa::DmaCopy{.dst = target, .src = source});
                     });
}

void copy_slice_out(Emitter& emitter, const Strided& whole, std::span<const Start> starts,
                    const Strided& part) {
  if (is_known(starts)) return copy(emitter, known_slice(whole, starts, part), part);
  const isa::Register offset = slice_offset(emitter, whole, starts);
  const Strided slice = slice_of(whole, part);
  for_each_rectangle(slice, part, merged_together(slice, part),
                     [&](isa::Tile source, const isa::Tile& target) {
                       move_by(emitter, source, offset);
                       emitter.emit(isa::DmaCopy{.dst = target, .src = source});
                     });
}

void copy_slice_in(Emitter& emitter, const Strided& part, const Strided& whole,
                   std::span<const Start> starts) {
  if (is_known(starts)) return copy(emitter, part, known_slice(whole, starts, part));
  const isa::Register offset = slice_offset(emitter, whole, starts);
  const Strided slice = slice_of(whole, part);
  for_each_rectangle(part, slice, merged_together(part, slice),
                     [&](const isa::Tile& source, isa::Tile target) {
                       move_by(emitter, target, offset);
                       emitter.emit(isa::DmaCopy{.dst = target, .src = source});
                     });
}

void gather_rows(Emitter& emitter, const Strided& table, const Strided& indices,
                 const Strided& to) {
  constexpr std::int64_t columns_max = 4096;
  const std::int64_t rows_max = emitter.core().sbuf.partitions;
  const std::int64_t length = product(std::span(table.dims).subspan(1));
  const Matrix numbers = matrix_of(indices, indices.dims.size());
  const Matrix place = matrix_of(to, indices.dims.size());
  for (const Window& window : windows(indices.elements(), length, rows_max, columns_max)) {
    const isa::Tile index = emitter.sbuf(indices.dtype, window.rows, 1);
    load(emitter, numbers, {window.row, window.rows, 0, 1}, index);
    isa::Tile source{.space = isa::Space::hbm, .dtype = table.dtype, .rank = 2};
    source.tensor = table.tensor;
    source.offset = (table.offset + window.column) * source.element_bytes();
    source.dims[0] = {static_cast<std::int32_t>(length), static_cast<std::int32_t>(window.rows)};
    source.dims[1] = {1, static_cast<std::int32_t>(window.columns)};
    source.dynamic = emitter.add({.kind = isa::DynamicAddress::Kind::vector_offset,
                                  .index = index,
                                  .stride = length,
                                  .limit = table.dims[0].size});
    const isa::Tile tile = emitter.sbuf(table.dtype, window.rows, window.columns);
    emitter.emit(isa::DmaCopy{.dst = tile, .src = source});
    store(emitter, tile, place, window);
  }
}

}  // namespace trainyard::compiler
