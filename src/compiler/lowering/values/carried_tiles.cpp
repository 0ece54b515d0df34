#include "compiler/lowering/values/carried_tiles.h"

#include <algorithm>

#include "isa/instructions/tensor_copy.h"

namespace trainyard::compiler {

namespace {

// Of a partition. More is computed in several tiles, which hide the way through HBM.
constexpr std::int64_t bytes_max = 4096;
// Of a vector, which lies in one partition.
constexpr std::int64_t vector_max = 256;

Matrix matrix_of_state(const Strided& place) {
  return matrix_of(place, place.dims.empty() ? 0 : place.dims.size() - 1);
}

bool writes_in_place(const graph::Region& region, const graph::Function& function,
                     std::int64_t elements) {
  return std::ranges::any_of(region.ops, [&](const graph::Op& op) {
    const bool may = op.kind == graph::OpKind::dynamic_update_slice ||
                     op.kind == graph::OpKind::scatter || op.kind == graph::OpKind::while_;
    const auto is_no_larger = [&](graph::ValueId value) {
      const graph::Type& type = function.type(value);
      return type.kind == graph::Type::Kind::tensor && type.elements() <= elements;
    };
    if (may && std::ranges::any_of(op.results, is_no_larger)) return true;
    return std::ranges::any_of(op.regions, [&](const graph::Region& inner) {
      return writes_in_place(inner, function, elements);
    });
  });
}

}  // namespace

bool writes_in_place(const graph::Op& loop, const graph::Function& function,
                     std::int64_t elements) {
  return std::ranges::any_of(loop.regions, [&](const graph::Region& region) {
    return writes_in_place(region, function, elements);
  });
}

std::optional<CarriedTile> carried(Segment& segment, const Strided& place) {
  Emitter& emitter = segment.emitter();
  if (!place.is_dense() || place.offset != 0 || emitter.is_moved(place.tensor) ||
      emitter.tensor(place.tensor).elements() != place.elements())
    return std::nullopt;
  const Matrix matrix = matrix_of_state(place);
  const std::int64_t rows = product(matrix.rows), columns = product(matrix.columns);
  const std::int64_t bytes = columns * numerics::size_in_bytes(place.dtype);
  if (rows == 0 || columns == 0 || rows > emitter.core().sbuf.partitions || bytes > bytes_max ||
      (rows == 1 && columns > vector_max) || !segment.residents().admit(bytes))
    return std::nullopt;
  CarriedTile state{place, {0, rows, 0, columns}, emitter.sbuf(place.dtype, rows, columns)};
  load(emitter, matrix, state.window, state.tile);
  segment.residents().begin(place.tensor, rows, columns, bytes);
  segment.residents().put(place.tensor, state.window, state.tile);
  return state;
}

bool is_resident(const Segment& segment, const CarriedTile& state) {
  return segment.residents().columns(state.place.tensor).has_value();
}

void changed(Segment& segment, const CarriedTile& state) {
  segment.residents().changed(state.place.tensor);
}

isa::Tile next_of(Segment& segment, const Strided& value, const CarriedTile& state,
                  bool may_change) {
  Emitter& emitter = segment.emitter();
  const Matrix matrix = matrix_of_state(value);
  const auto here = segment.residents().find(matrix, state.window);
  if (here && !may_change) return *here;
  const isa::Tile copy = emitter.sbuf(state.place.dtype, state.window.rows, state.window.columns);
  if (here) {
    emitter.emit(isa::TensorCopy{.dst = copy, .src = *here});
  } else {
    segment.residents().write_back(emitter.origin(value.tensor));
    load(emitter, matrix, state.window, copy);
  }
  return copy;
}

void hand_over(Segment& segment, const isa::Tile& next, const CarriedTile& state) {
  segment.emitter().emit(isa::TensorCopy{.dst = state.tile, .src = next});
  changed(segment, state);
}

}  // namespace trainyard::compiler
