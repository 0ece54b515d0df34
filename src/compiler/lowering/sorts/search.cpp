#include "compiler/lowering/sorts/search.h"

#include <algorithm>
#include <limits>

#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/max8.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_find_index8.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;
using numerics::AluOp;

constexpr std::int64_t at_once = 8;

Tile places_of(Emitter& emitter, const Tile& data, const Tile& values) {
  const Tile places = emitter.sbuf(DType::uint32, data.partitions, at_once);
  emitter.emit(isa::NcFindIndex8{.dst = places, .data = data, .vals = values});
  return part(places, 0, data.partitions, 0, 1);
}

}  // namespace

Tile searchable(Emitter& emitter, const Tile& data, bool smallest) {
  const std::int64_t rows = data.partitions, columns = data.free_elements();
  if (!smallest && columns >= search_columns_min && data.rank == 1) return data;
  const TileMath math(emitter, rows, std::max(columns, search_columns_min));
  const Tile copy = math.fresh(DType::float32);
  if (columns < search_columns_min)
    emitter.emit(isa::Memset{.dst = copy, .value = -std::numeric_limits<double>::infinity()});
  const Tile front = part(copy, 0, rows, 0, columns);
  if (smallest) {
    math.scalar(front, data, AluOp::multiply, -1);
  } else {
    math.copy(front, data);
  }
  return copy;
}

// A value that is not found has an index of all ones: of a row's two searches, for its largest
// element and for NaN, at most one finds it.
First first_largest(Emitter& emitter, const Tile& searched, bool may_have_nan) {
  const std::int64_t rows = searched.partitions;
  const Tile values = emitter.sbuf(DType::float32, rows, at_once);
  emitter.emit(isa::Max8{.dst = values, .src = searched});
  const Tile value = part(values, 0, rows, 0, 1);
  const Tile place = places_of(emitter, searched, values);
  if (!may_have_nan) return {value, place};
  const TileMath math(emitter, rows, searched.free_elements());
  const Tile is_nan = math.tensor(math.fresh(DType::uint8), searched, AluOp::not_equal, searched);
  const Tile ones = TileMath(emitter, rows, at_once).filled(DType::float32, 1);
  const TileMath column(emitter, rows, 1);
  return {value, column.tensor(column.fresh(DType::uint32), place, AluOp::bitwise_and,
                               places_of(emitter, is_nan, ones))};
}

}  // namespace trainyard::compiler
