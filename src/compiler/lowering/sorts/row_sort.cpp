#include "compiler/lowering/sorts/row_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "compiler/lowering/canonical/region_values.h"
#include "compiler/lowering/reductions/tile_region.h"
#include "compiler/lowering/sorts/compare_exchange.h"
#include "compiler/lowering/sorts/rank_sort.h"
#include "compiler/lowering/sorts/sort_rounds.h"
#include "compiler/lowering/sorts/spread_sort.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/window.h"
#include "compiler/lowering/walk/nodes.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_n_gather.h"
#include "numerics/convert.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::ValueId;
using isa::DType;
using isa::Tile;
using numerics::AluOp;

constexpr std::int64_t columns_max = 4096;

// A constant whose elements are such numbers.
bool is_constant(Lowerer& lowerer, ValueId value, bool (*is)(float)) {
  const Op* const op = definition(lowerer.function().body, value);
  if (op == nullptr || op->kind != OpKind::constant) return false;
  const graph::Literal& literal = op->literal("value");
  const auto size = static_cast<std::size_t>(graph::size_in_bytes(literal.type.element));
  std::uint32_t bits = 0;
  if (literal.content.size() != size || size > sizeof bits) return false;
  std::memcpy(&bits, literal.content.data(), size);
  return is(numerics::to_float(*storage_of(literal.type.element), bits));
}

// Whether the value is that argument with one zero and one NaN.
bool is_canonical(Lowerer& lowerer, const RegionValues& values, ValueId value, ValueId argument) {
  const Op* const outer = values.of(value, OpKind::select);
  if (outer == nullptr || !values.compares(outer->operands[0], "NE", argument, argument) ||
      !is_constant(lowerer, outer->operands[1], [](float x) { return std::isnan(x); }))
    return false;
  const auto is_zero = [](float x) { return x == 0; };
  const Op* const inner = values.of(outer->operands[2], OpKind::select);
  if (inner == nullptr || inner->operands[2] != argument ||
      !is_constant(lowerer, inner->operands[1], is_zero))
    return false;
  const Op* const test = values.of(inner->operands[0], OpKind::compare);
  return test != nullptr && is_constant(lowerer, test->operands[1], is_zero) &&
         values.compares(test->results[0], "EQ", argument, test->operands[1]);
}

// Whether the region orders the first operand upwards, NaN last.
bool ascends(Lowerer& lowerer, const graph::Region& region, ElementType key) {
  if (region.arguments.size() < 2 || region.ops.empty()) return false;
  const RegionValues values(region);
  const ValueId a = region.arguments[0], b = region.arguments[1];
  const ValueId answer = region.ops.back().operands.at(0);
  if (!graph::is_float(key)) return values.compares(answer, "LT", a, b);
  const Op* const compare = values.of(answer, OpKind::compare);
  return compare != nullptr && is_canonical(lowerer, values, compare->operands[0], a) &&
         is_canonical(lowerer, values, compare->operands[1], b) &&
         values.compares(answer, "LT", compare->operands[0], compare->operands[1], true);
}

class RowSort {
 public:
  RowSort(Lowerer& lowerer, const Op& op) : lowerer_(lowerer), op_(op) {
    dim_ = static_cast<std::size_t>(op.integer("dimension"));
    length_ = lowerer.type(op.operands[0]).shape[dim_];
    size_ = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(length_)));
  }

  void lower(bool by_ranks) {
    Segment& segment = lowerer_.segment();
    std::vector<Matrix> from, to;
    std::vector<Strided> results;
    for (std::size_t i = 0; i < op_.operands.size(); ++i) {
      from.push_back(rows_of(segment.stored(lowerer_.node(op_.operands[i]))));
      results.push_back(fresh(lowerer_, lowerer_.type(op_.results[i])));
      to.push_back(rows_of(results.back()));
    }
    const NodeId counted = counting_node(lowerer_, {.element = ElementType::f32, .shape = {size_}});
    emitter().at(op_.location);
    const std::int64_t rows = product(from[0].rows);
    const std::array<std::int64_t, 1> place{1};
    const std::array<std::int64_t, 2> wide{rows, size_};
    if (by_ranks) {
      const Matrix keys = rows_of(segment.stored_dense(lowerer_.node(op_.operands[0])));
      Matrix places = matrix_of(segment.stored(counted), 0);
      places.columns.front().size = length_;
      for (std::int64_t row = 0; row < rows; ++row) {
        Matrix one = keys;
        one.offset += pieces(one.rows, row, row + 1, isa::rank_max).front().offset;
        gather(order_by_ranks(emitter(), one, places), from, to, {row, 1, 0, length_});
      }
    } else {
      const Matrix counting = matrix_of(broadcast(segment.stored(counted), place, wide), 1);
      const std::vector<Window> bands =
          windows(rows, length_, emitter().core().sbuf.partitions, length_);
      const auto sort_bands = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
          gather(order_of(loaded(from[0], bands[i]), counting, bands[i]), from, to, bands[i]);
      };
      if (emitter().cores() > 1 && bands.size() > 1) {
        const std::size_t middle = (bands.size() + 1) / 2;
        emitter().in_halves([&](std::uint8_t half) {
          sort_bands(half == 0 ? 0 : middle, half == 0 ? middle : bands.size());
        });
      } else {
        sort_bands(0, bands.size());
      }
    }
    for (std::size_t i = 0; i < results.size(); ++i)
      lowerer_.define(op_.results[i], segment.add_view(lowerer_.type(op_.results[i]), results[i]));
  }

 private:
  [[nodiscard]] Emitter& emitter() { return lowerer_.segment().emitter(); }
  [[nodiscard]] Matrix rows_of(Strided value) const {
    const Extent sorted = value.dims[dim_];
    value.dims.erase(value.dims.begin() + static_cast<std::ptrdiff_t>(dim_));
    value.dims.push_back(sorted);
    return matrix_of(value, value.dims.size() - 1);
  }
  void gather(const Tile& order, const std::vector<Matrix>& from, const std::vector<Matrix>& to,
              const Window& window) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Tile data = loaded(from[i], window);
      const Tile sorted = emitter().sbuf(data.dtype, window.rows, length_);
      emitter().emit(isa::NcNGather{.dst = sorted, .data = data, .indices = order});
      store(emitter(), sorted, to[i], window);
    }
  }
  Tile loaded(const Matrix& from, const Window& window) {
    const Tile tile = emitter().sbuf(from.dtype, window.rows, window.columns);
    load(emitter(), from, window, tile);
    return tile;
  }

  // Where each element of the sorted rows stood: NaN `size_` places on, what fills up twice that.
  Tile order_of(const Tile& data, const Matrix& counting, const Window& window) {
    const std::int64_t rows = window.rows;
    const TileMath all(emitter(), rows, size_), own(emitter(), rows, length_);
    const Tile keys = all.fresh(is_word(data.dtype) ? data.dtype : DType::float32);
    const Tile places = loaded(counting, {window.row, rows, 0, size_});
    const Tile front = part(keys, 0, rows, 0, length_),
               places_front = part(places, 0, rows, 0, length_);
    const double last = last_key(keys.dtype);
    own.copy(front, data);
    if (length_ < size_) {
      const std::int64_t rest = size_ - length_;
      emitter().emit(isa::Memset{.dst = part(keys, 0, rows, length_, rest), .value = last});
      const TileMath tail(emitter(), rows, rest);
      const Tile behind = part(places, 0, rows, length_, rest);
      tail.scalar(behind, behind, AluOp::add, static_cast<double>(2 * size_));
    }
    if (numerics::is_float(data.dtype)) {
      const Tile is_nan = own.tensor(own.fresh(DType::float32), data, AluOp::not_equal, data);
      own.put(front, own.filled(DType::float32, last), own.copy(own.fresh(DType::uint8), is_nan));
      const Tile later = own.scalar(own.fresh(DType::float32), is_nan, AluOp::multiply,
                                    static_cast<double>(size_));
      own.tensor(places_front, places_front, AluOp::add, later);
    }
    CompareExchange(emitter(), {keys, places}, comes_first).sort(size_);
    const Tile sorted = part(places, 0, rows, 0, length_);
    const Tile moved =
        own.scalar2(own.fresh(DType::float32), sorted, AluOp::greater_equal,
                    static_cast<double>(size_), AluOp::multiply, static_cast<double>(size_));
    return own.tensor(own.fresh(DType::uint32), sorted, AluOp::subtract, moved);
  }

  Lowerer& lowerer_;
  const Op& op_;
  std::size_t dim_ = 0;
  std::int64_t length_ = 0, size_ = 0;
};

}  // namespace

bool sort(Lowerer& lowerer, const Op& op) {
  const graph::Type& key = lowerer.type(op.operands[0]);
  const std::int64_t length = key.shape[static_cast<std::size_t>(op.integer("dimension"))];
  if (key.elements() == 0) return false;
  if (length == 1) {
    for (std::size_t i = 0; i < op.operands.size(); ++i)
      lowerer.define(op.results[i], lowerer.node(op.operands[i]));
    return true;
  }
  const bool by_key = ascends(lowerer, op.regions.at(0), key.element);
  if (!by_key && !TileRegion(lowerer, op.regions.at(0)).lowers()) return false;
  const machine::Core& core = lowerer.segment().emitter().core();
  const std::int64_t rows = key.elements() / length;
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t alone = none, ranks = none;
  if (by_key && length <= columns_max) {
    const auto size = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(length)));
    alone = network_cycles(rows, 1, size, {}, core);
    ranks = rank_cycles(rows, length, core).value_or(none);
  }
  const std::optional<RowSpread> spread = spread_of(lowerer, op, by_key);
  const std::int64_t fastest = std::min({alone, ranks, spread ? spread->cycles : none});
  const SortRounds on_gpsimd = sort_rounds(op, key);
  if (fastest == none || core.engine(machine::EngineKind::vector).clock(base::Cycles{fastest}) >
                             gpsimd_time(on_gpsimd.elements(), on_gpsimd.instructions(), core))
    return false;
  if (spread && spread->cycles == fastest) {
    sort_spread(lowerer, op, *spread, by_key);
    return true;
  }
  RowSort(lowerer, op).lower(ranks < alone);
  return true;
}

}  // namespace trainyard::compiler
