#include "compiler/lowering/sorts/top_k.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/sorts/search.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/group.h"
#include "compiler/lowering/values/layout.h"
#include "compiler/lowering/walk/nodes.h"
#include "isa/instructions/max8.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_find_index8.h"
#include "isa/instructions/nc_match_replace8.h"
#include "isa/instructions/nc_n_gather.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Type;
using isa::DType;
using isa::Tile;
using numerics::AluOp;

constexpr std::int64_t found_at_once = 8;
constexpr std::int64_t rounds_max = 16;  // from there on the network of sort.h is as fast

// What replaces elements that were found: it lies below every key.
constexpr double taken = -3e38;
// Infinity and NaN as keys, beyond half of the largest number; NaN comes first, negative NaN last.
constexpr double infinite_key = 2e38;
constexpr float nan_key = 2.5e38F;

// Integers whose signs are those of the floats.
DType integer_of(DType dtype) {
  switch (numerics::size_in_bytes(dtype)) {
    case 1: return DType::int8;
    case 2: return DType::int16;
    default: return DType::int32;
  }
}

// How rows are searched: `pieces` of a row at a time, and then what was found in them.
struct Plan {
  std::int64_t pieces = 1;
  std::int64_t length = 0;  // of a piece
  std::int64_t found = 0;   // of each piece: k, up to a multiple of eight
};
std::optional<Plan> plan_of(std::int64_t rows, std::int64_t length, std::int64_t k,
                            std::int64_t partitions) {
  const std::int64_t found = base::ceil_div(k, found_at_once) * found_at_once;
  if (found > rounds_max * found_at_once) return std::nullopt;
  constexpr std::int64_t worth_dividing = 2048;
  if (length <= search_columns_max && (2 * rows >= partitions || length < worth_dividing))
    return Plan{1, length, found};
  std::optional<Plan> best;
  for (std::int64_t pieces = 2; pieces * found <= search_columns_max; ++pieces) {
    const std::int64_t part = length / pieces;
    if (part < std::max(found, search_columns_min)) break;
    if (length % pieces != 0 || part > search_columns_max) continue;
    best = Plan{pieces, part, found};
    if (rows * pieces >= partitions) break;
  }
  return best;
}

// Of some rows: keys in descending order, and the places of these in the row.
struct Found {
  Tile keys, places;  // float32 and uint32
};

class TopSearch {
 public:
  TopSearch(Lowerer& lowerer, const Type& values, const Plan& plan)
      : segment_(lowerer.segment()), dtype_(*storage_of(values.element)), plan_(plan) {
    is_float_ = graph::is_float(values.element);
  }

  // Into two places of shape [rows, k].
  void lower(const Strided& value, const Strided& values, const Strided& places) {
    const std::int64_t rows = value.dims[0].size;
    if (plan_.pieces == 1) {
      const Matrix from = matrix_of(value, 1);
      for (const Window& window : bands(rows, plan_.length)) {
        const Tile data = loaded(from, window);
        const Found found = largest(keys_of(data));
        put(gathered(data, part(found.places, window, values)), window, values);
        put(part(found.places, window, places), window, places);
      }
      return;
    }
    among_pieces(value, values, places);
  }

 private:
  [[nodiscard]] Emitter& emitter() { return segment_.emitter(); }
  [[nodiscard]] std::vector<Window> bands(std::int64_t rows, std::int64_t columns) {
    return windows(rows, columns, emitter().core().sbuf.partitions, columns);
  }
  Tile loaded(const Matrix& from, const Window& window) {
    const Tile tile = emitter().sbuf(from.dtype, window.rows, window.columns);
    load(emitter(), from, window, tile);
    return tile;
  }
  static Tile part(const Tile& tile, const Window& window, const Strided& to) {
    return compiler::part(tile, 0, window.rows, 0, to.dims[1].size);
  }
  // Stores the rows of a window.
  void put(Tile tile, const Window& window, const Strided& to) {
    tile.dtype = to.dtype;  // indices are the same bits in every word
    store(emitter(), tile, matrix_of(to, 1), {window.row, window.rows, 0, to.dims[1].size});
  }

  // Half of each element, so that infinity and NaN have numbers above; at least eight.
  Tile keys_of(const Tile& data) {
    const std::int64_t rows = data.partitions, columns = data.free_elements();
    const TileMath math(emitter(), rows, std::max(columns, search_columns_min));
    const Tile keys = math.fresh(DType::float32);
    if (columns < search_columns_min) emitter().emit(isa::Memset{.dst = keys, .value = taken});
    const Tile front = compiler::part(keys, 0, rows, 0, columns);
    math.scalar2(front, data, AluOp::multiply, 0.5, AluOp::minimum, infinite_key);
    if (!is_float_) return keys;
    math.scalar(front, front, AluOp::maximum, -infinite_key);
    const TileMath own(emitter(), rows, columns);
    // GpSimd compares meanwhile, where that takes longer than to begin.
    const isa::Engine engine = columns >= tile_columns ? isa::Engine::gpsimd : isa::Engine::any;
    const Tile is_nan = own.tensor(own.fresh(DType::uint8), data, AluOp::not_equal, data, engine);
    own.put(front, nan_keys(own, data), is_nan);
    return keys;
  }

  // The key of NaN with the sign of each element.
  static Tile nan_keys(const TileMath& own, const Tile& data) {
    Tile bits = data;
    bits.dtype = integer_of(data.dtype);  // which words extend by their signs
    if (bits.dtype != DType::int32) bits = own.copy(own.fresh(DType::int32), bits);
    Tile keys = own.scalar2(own.fresh(DType::int32), bits, AluOp::bitwise_and,
                            std::numeric_limits<std::int32_t>::min(), AluOp::bitwise_or,
                            std::bit_cast<std::int32_t>(nan_key));
    keys.dtype = DType::float32;
    return keys;
  }

  Found largest(Tile keys) {
    const std::int64_t rows = keys.partitions;
    const Found found{emitter().sbuf(DType::float32, rows, plan_.found),
                      emitter().sbuf(DType::uint32, rows, plan_.found)};
    for (std::int64_t at = 0; at < plan_.found; at += found_at_once) {
      const Tile values = compiler::part(found.keys, 0, rows, at, found_at_once);
      emitter().emit(isa::Max8{.dst = values, .src = keys});
      emitter().emit(
          isa::NcFindIndex8{.dst = compiler::part(found.places, 0, rows, at, found_at_once),
                            .data = keys,
                            .vals = values});
      if (at + found_at_once == plan_.found) break;
      const Tile rest = emitter().sbuf(DType::float32, rows, keys.free_elements());
      emitter().emit(isa::NcMatchReplace8{
          .dst = rest, .data = keys, .vals = values, .imm = taken, .dst_idx = {}});
      keys = rest;
    }
    return found;
  }

  Tile gathered(const Tile& data, const Tile& places) {
    const Tile values = emitter().sbuf(data.dtype, data.partitions, places.free_elements());
    emitter().emit(isa::NcNGather{.dst = values, .data = data, .indices = places});
    return values;
  }

  Strided in_hbm(DType dtype, std::int64_t rows) {
    const std::vector<std::int64_t> shape{rows, plan_.pieces * plan_.found};
    return dense(emitter().hbm(dtype, shape), dtype, shape);
  }

  // Those of each piece first; of these the largest.
  void among_pieces(const Strided& value, const Strided& values, const Strided& places) {
    const std::int64_t rows = value.dims[0].size, step = value.dims[1].step;
    const Strided keys = in_hbm(DType::float32, rows), where = in_hbm(DType::float32, rows);
    const Strided data = in_hbm(dtype_, rows);
    for (std::int64_t piece = 0; piece < plan_.pieces; ++piece) {
      // With few rows the pieces lie side by side on the partitions.
      const bool all = rows * plan_.pieces <= emitter().core().sbuf.partitions;
      Strided of = value;
      if (all) {
        of.dims = {value.dims[0], {plan_.pieces, step * plan_.length}, {plan_.length, step}};
      } else {
        of.offset += piece * plan_.length * step;
        of.dims[1].size = plan_.length;
      }
      const std::size_t row_dims = all ? 2 : 1;
      const Matrix from = matrix_of(of, row_dims);
      for (const Window& window : bands(all ? rows * plan_.pieces : rows, plan_.length)) {
        const Tile tile = loaded(from, window);
        const Found found = largest(keys_of(tile));
        const TileMath math(emitter(), window.rows, plan_.found);
        const auto keep = [&](const Tile& each, const Strided& to) {
          Strided target = to;
          if (all) {
            target.dims = {to.dims[0], {plan_.pieces, plan_.found}, {plan_.found, 1}};
          } else {
            target.offset += piece * plan_.found;
            target.dims[1].size = plan_.found;
          }
          store(emitter(), each, matrix_of(target, row_dims),
                {window.row, window.rows, 0, plan_.found});
        };
        keep(found.keys, keys);
        keep(gathered(tile, found.places), data);
        Tile place = math.copy(math.fresh(DType::float32), found.places);
        if (!all && piece > 0)
          place = math.scalar(math.fresh(DType::float32), place, AluOp::add,
                              static_cast<double>(piece * plan_.length));
        keep(place, where);
      }
      if (all) break;
    }
    among(keys, where, data, values, places);
  }

  void among(const Strided& keys, const Strided& where, const Strided& data, const Strided& values,
             const Strided& places) {
    const bool all = keys.dims[0].size * plan_.pieces <= emitter().core().sbuf.partitions;
    for (const Window& window : bands(keys.dims[0].size, keys.dims[1].size)) {
      const Found found = largest(loaded(matrix_of(keys, 1), window));
      put(gathered(loaded(matrix_of(data, 1), window), part(found.places, window, values)), window,
          values);
      const TileMath math(emitter(), window.rows, plan_.found);
      Tile place = gathered(loaded(matrix_of(where, 1), window), found.places);
      if (all) {  // places within pieces: which piece, of equally many candidates each
        const TileMath wide = math;
        const Tile number = wide.copy(wide.fresh(DType::float32), found.places);
        const Tile piece =
            wide.floor(wide.scalar2(wide.fresh(DType::float32), number, AluOp::add, 0.5,
                                    AluOp::multiply, 1.0 / static_cast<double>(plan_.found)));
        const Tile before = wide.scalar(wide.fresh(DType::float32), piece, AluOp::multiply,
                                        static_cast<double>(plan_.length));
        place = wide.tensor(wide.fresh(DType::float32), before, AluOp::add, place);
      }
      put(part(math.copy(math.fresh(DType::int32), place), window, places), window, places);
    }
  }

  Segment& segment_;
  DType dtype_;
  Plan plan_;
  bool is_float_ = true;
};

// [rows, columns]; nothing where the value's dimensions do not join.
std::optional<Strided> as_rows(const Strided& value) {
  const std::int64_t columns = value.dims.back().size;
  return reshaped(value, std::vector<std::int64_t>{value.elements() / columns, columns});
}

}  // namespace

bool top_k(Lowerer& lowerer, const graph::Op& op) {
  const Type& type = lowerer.type(op.operands[0]);
  Segment& segment = lowerer.segment();
  const machine::Core& core = segment.emitter().core();
  const Type &values = lowerer.type(op.results[0]), &places = lowerer.type(op.results[1]);
  const bool fits = graph::is_float(type.element) || graph::bits(type.element) <= 16;
  if (type.shape.empty() || type.elements() == 0 || values.elements() == 0 || !fits ||
      graph::bits(places.element) != 32 ||
      core.policy.search_rule != machine::SearchRule::nki_0_6 ||
      segment.node(lowerer.node(op.operands[0])).kind == Node::Kind::number)
    return false;
  constexpr std::int64_t exact = std::int64_t{1} << 24;  // float32 counts up to it
  const std::int64_t length = type.shape.back();
  const auto plan =
      plan_of(type.elements() / length, length, values.shape.back(), core.sbuf.partitions);
  if (!plan || length >= exact) return false;
  const NodeId node = lowerer.node(op.operands[0]);
  std::optional<Strided> from = as_rows(segment.stored(node));
  if (!from) from = as_rows(segment.stored_dense(node));
  segment.emitter().at(op.location);
  const Strided to = fresh(lowerer, values), at = fresh(lowerer, places);
  TopSearch(lowerer, type, *plan).lower(*from, *as_rows(to), *as_rows(at));
  lowerer.define(op.results[0], segment.add_view(values, to));
  lowerer.define(op.results[1], segment.add_view(places, at));
  return true;
}

}  // namespace trainyard::compiler
