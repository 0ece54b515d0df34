#include "compiler/lowering/reduction.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "compiler/lowering/group.h"
#include "compiler/lowering/tile_math.h"
#include "isa/instructions/tensor_reduce.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::OpKind;
using isa::DType;
using isa::Tile;
using numerics::AluOp;

bool is_word(DType dtype) { return dtype == DType::int32 || dtype == DType::uint32; }

// The value that changes nothing, where it is one number in every format.
std::optional<double> identity_of(AluOp op) {
  constexpr double infinity = std::numeric_limits<float>::infinity();
  switch (op) {
    case AluOp::add: return 0;
    case AluOp::multiply: return 1;
    case AluOp::maximum: return -infinity;
    case AluOp::minimum: return infinity;
    default: return std::nullopt;
  }
}

// Whole words are added exactly only by GpSimd, pair by pair.
Tile reduce_words(Emitter& emitter, AluOp op, Tile data) {
  std::int64_t count = data.free_elements();
  const std::int64_t rows = data.partitions;
  while (count > 1) {
    const std::int64_t half = count / 2;
    const TileMath math(emitter, rows, half);
    const Tile sums = math.tensor(math.fresh(data.dtype), part(data, 0, rows, 0, half), op,
                                  part(data, 0, rows, half, half));
    if (count % 2 != 0) {
      const Tile first = part(sums, 0, rows, 0, 1);
      TileMath(emitter, rows, 1).tensor(first, first, op, part(data, 0, rows, count - 1, 1));
    }
    data = sums;
    count = half;
  }
  return data;
}

// One number a row, in float32 or in words.
Tile reduce_tile(Emitter& emitter, AluOp op, const Tile& data) {
  if (data.free_elements() == 1 && data.dims[0].step != 0 && is_word(data.dtype)) return data;
  if (is_word(data.dtype)) {
    if (data.dims[0].step != 0) return reduce_words(emitter, op, data);
    const TileMath math(emitter, data.partitions, data.free_elements());
    return reduce_words(emitter, op, math.copy(math.fresh(data.dtype), data));
  }
  const Tile result = emitter.sbuf(DType::float32, data.partitions, 1);
  isa::IntList axis;
  axis.push_back(1);
  emitter.emit(isa::TensorReduce{.dst = result, .op = op, .data = data, .axis = axis});
  return result;
}

struct Reduction {
  AluOp op;
  double initial;
  DType out;
};

// Reduces all columns of each row of the group's matrix into `place`, a column.
void reduce_rows(Segment& segment, Group& group, const Reduction& how, const Matrix& place,
                 std::int64_t rows, std::int64_t columns) {
  Emitter& emitter = segment.emitter();
  for (const Window& band : windows(rows, 1, emitter.core().sbuf.partitions, 1)) {
    const TileMath math(emitter, band.rows, 1);
    std::optional<Tile> sum;
    for (Window window : windows(1, columns, 1, tile_columns)) {
      window.row = band.row;
      window.rows = band.rows;
      const Tile one = reduce_tile(emitter, how.op, group.tile(window));
      sum = sum ? math.tensor(math.fresh(one.dtype), *sum, how.op, one) : one;
    }
    if (how.initial != identity_of(how.op)) {
      sum = is_word(sum->dtype) ? math.tensor(math.fresh(sum->dtype), *sum, how.op,
                                              math.filled(sum->dtype, how.initial))
                                : math.scalar(math.fresh(sum->dtype), *sum, how.op, how.initial);
    }
    store(emitter, sum->dtype == how.out ? *sum : math.copy(math.fresh(how.out), *sum), place,
          band);
  }
}

}  // namespace

std::optional<AluOp> reduction_of(const graph::Region& region, ElementType type) {
  if (region.ops.size() != 2 || region.arguments.size() != 2) return std::nullopt;
  const graph::Op& op = region.ops.front();
  const std::vector<graph::ValueId> swapped{region.arguments[1], region.arguments[0]};
  if (op.operands != region.arguments && op.operands != swapped) return std::nullopt;
  if (region.ops.back().operands != op.results || !storage_of(type)) return std::nullopt;
  const bool is_flag = type == ElementType::pred;
  const bool is_real = graph::is_float(type);
  const bool is_word = type == ElementType::s32 || type == ElementType::u32;
  switch (op.kind) {
    case OpKind::add: return is_real || is_word ? std::optional(AluOp::add) : std::nullopt;
    case OpKind::multiply:
      return is_real || is_word ? std::optional(AluOp::multiply) : std::nullopt;
    case OpKind::maximum: return AluOp::maximum;
    case OpKind::minimum: return AluOp::minimum;
    case OpKind::or_: return is_flag ? std::optional(AluOp::maximum) : std::nullopt;
    case OpKind::and_: return is_flag ? std::optional(AluOp::minimum) : std::nullopt;
    default: return std::nullopt;
  }
}

NodeId reduce(Segment& segment, NodeId value, std::span<const std::int64_t> dims, AluOp op,
              double initial, const graph::Type& type, graph::LocationId location) {
  Emitter& emitter = segment.emitter();
  std::optional<Group> group(std::in_place, segment, value);
  if (group->has_product()) {
    segment.stored(value);
    group.emplace(segment, value);
  }
  emitter.at(location);
  const graph::Type from = segment.node(value).type;
  const DType out = *storage_of(type.element);
  const Strided result = dense(emitter.hbm(out, type.shape), out, type.shape);
  const Reduction how{op, initial, out};
  const std::int64_t total = from.elements(), rows = type.elements();
  // One number from many: a number a partition first.
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  const std::array<std::int64_t, 2> spread{partitions, total / partitions};
  if (rows == 1 && total >= 8 * partitions && total % partitions == 0 &&
      group->adapt([&](const Strided& view) { return reshaped(view, spread); }, 1)) {
    const DType between = is_word(out) ? out : DType::float32;
    const std::array<std::int64_t, 1> column{partitions};
    const Strided partial = dense(emitter.hbm(between, column), between, column);
    const Reduction first{op, identity_of(op).value_or(0), between};
    reduce_rows(segment, *group, first, matrix_of(partial, 1), spread[0], spread[1]);
    const graph::Type between_type{.element = is_word(out) ? from.element : ElementType::f32,
                                   .shape = {partitions}};
    Group rest(segment, segment.add_view(between_type, partial));
    const bool fits = rest.adapt([](const Strided& view) { return view; }, 0);
    base::check(fits, "a dense value is seen as itself");
    reduce_rows(segment, rest, how, matrix_of(result, result.dims.size()), 1, partitions);
    return segment.add_view(type, result);
  }
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < from.rank(); ++i) {
    if (std::ranges::find(dims, i) == dims.end()) order.push_back(i);
  }
  const std::size_t kept = order.size();
  order.insert(order.end(), dims.begin(), dims.end());
  const bool fits = group->adapt([&](const Strided& view) { return permuted(view, order); }, kept);
  base::check(fits, "a permuted value is a view");
  reduce_rows(segment, *group, how, matrix_of(result, kept), rows, rows == 0 ? 0 : total / rows);
  return segment.add_view(type, result);
}

}  // namespace trainyard::compiler
