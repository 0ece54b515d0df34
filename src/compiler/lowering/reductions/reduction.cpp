#include "compiler/lowering/reductions/reduction.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/units.h"
#include "compiler/lowering/reductions/apart.h"
#include "compiler/lowering/tiles/reductions.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "graph/folds.h"
#include "isa/instructions/activation.h"
#include "isa/instructions/tensor_reduce.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::OpKind;
using isa::DType;
using isa::Tile;
using numerics::AluOp;

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

// One number a group of a row's elements, in float32 or in words, of which a row has one group.
Tile reduce_tile(Emitter& emitter, AluOp op, const Tile& data, std::int64_t groups) {
  if (data.free_elements() == 1 && data.dims[0].step != 0 && is_word(data.dtype)) return data;
  if (is_word(data.dtype)) {
    if (data.rank == 1 && data.dims[0].step == 1) return reduce_words(emitter, op, data);
    const TileMath math(emitter, data.partitions, data.free_elements());
    return reduce_words(emitter, op, math.copy(math.fresh(data.dtype), data));
  }
  const auto [cut, dims] = in_groups(emitter, data, groups);
  const Tile result = emitter.sbuf(DType::float32, cut.partitions, groups);
  isa::IntList axis;
  for (int i = cut.rank - dims; i < cut.rank; ++i) axis.push_back(i + 1);
  emitter.emit(isa::TensorReduce{.dst = result, .op = op, .data = cut, .axis = axis});
  return result;
}

// The sum of the squares of each row's elements: Scalar squares and sums in one pass.
Tile sum_of_squares(Emitter& emitter, const Tile& data, std::int64_t groups) {
  const TileMath math(emitter, data.partitions, data.free_elements());
  const Tile squares = math.fresh(DType::float32);
  if (groups > 1)
    return reduce_tile(emitter, AluOp::add,
                       math.apply(squares, numerics::ActivationFunction::square, data), groups);
  const Tile result = emitter.sbuf(DType::float32, data.partitions, 1);
  emitter.emit(isa::Activation{.dst = squares,
                               .op = numerics::ActivationFunction::square,
                               .data = data,
                               .bias = {},
                               .reduce_op = AluOp::add,
                               .reduce_res = result,
                               .reduce_cmd = isa::ReduceCmd::reset_reduce});
  return result;
}

struct Reduction {
  AluOp op;
  double initial;
  DType in, out;
  std::int64_t count = 1;             // elements that become one
  std::int64_t width = tile_columns;  // columns of a tile
  bool squares = false;               // the elements' squares are summed
};

Tile reduce_part(Emitter& emitter, const Reduction& how, const Tile& data, std::int64_t groups) {
  return how.squares ? sum_of_squares(emitter, data, groups)
                     : reduce_tile(emitter, how.op, data, groups);
}

// What is squared where the value is a product with itself.
std::optional<NodeId> squared(const Segment& segment, NodeId value) {
  const Node& node = segment.node(value);
  if (node.kind != Node::Kind::elementwise || node.op->kind != OpKind::multiply ||
      node.inputs[0] != node.inputs[1] || node.type.element != ElementType::f32 ||
      segment.node(node.inputs[0]).kind == Node::Kind::number)
    return std::nullopt;
  return node.inputs[0];
}

// The elements behind a window of the result, reduced.
Tile reduce_window(Emitter& emitter, Group& group, const Reduction& how, const Window& window) {
  Window part = window;
  part.column *= how.count;
  part.columns *= how.count;
  if (how.count <= how.width) return reduce_part(emitter, how, group.tile(part), window.columns);
  const TileMath math(emitter, window.rows, 1);
  std::optional<Tile> sum;
  for (Window chunk : windows(1, how.count, 1, how.width)) {
    chunk.row = window.row;
    chunk.rows = window.rows;
    chunk.column += part.column;
    const Tile one = reduce_part(emitter, how, group.tile(chunk), 1);
    sum = sum ? math.tensor(math.fresh(one.dtype), *sum, how.op, one) : one;
  }
  return *sum;
}

// Reduces each `count` columns of the group's matrix to one of the sink's.
void reduce_rows(Segment& segment, Group& group, const Reduction& how, Sink& sink) {
  Emitter& emitter = segment.emitter();
  const std::int64_t groups =
      is_word(how.in) ? 1 : std::max(std::int64_t{1}, how.width / how.count);
  for (const Window& window :
       windows(sink.rows(), sink.columns(), emitter.core().sbuf.partitions, groups)) {
    const TileMath math(emitter, window.rows, window.columns);
    const Tile sum = reduce_window(emitter, group, how, window);
    sink.put(with_initial(math, sum, how.op, how.initial, how.out), window);
  }
}

Layout without(const Layout& layout, std::span<const std::int64_t> dims) {
  Layout rest{.order = {}, .row_dims = layout.row_dims};
  for (const std::int64_t dim : layout.order) {
    if (std::ranges::find(dims, dim) != dims.end()) continue;
    rest.order.push_back(
        dim - std::ranges::count_if(dims, [&](std::int64_t gone) { return gone < dim; }));
  }
  return rest;
}

// Of rows of so few elements a partition takes several.
constexpr std::int64_t few_elements = 64;

// How many of the dimensions that are left are rows. Where few elements become one, a partition
// takes several results, as long as there are rows for all partitions.
std::size_t row_dims_of(const Emitter& emitter, const graph::Type& from,
                        std::span<const std::int64_t> reduced) {
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  std::int64_t count = 1, rows = 1;
  std::vector<std::int64_t> kept;
  for (std::size_t d = 0; d < from.shape.size(); ++d) {
    if (std::ranges::find(reduced, static_cast<std::int64_t>(d)) == reduced.end()) {
      kept.push_back(from.shape[d]);
    } else {
      count *= from.shape[d];
    }
  }
  if (count > few_elements || is_word(*storage_of(from.element))) return kept.size();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    rows *= kept[i];
    if (rows >= partitions && (rows % partitions == 0 || rows >= 4 * partitions)) return i + 1;
  }
  return kept.size();
}

// Whether each partition gets elements enough of one long row.
bool fills(std::int64_t elements, std::int64_t partitions) { return elements >= 8 * partitions; }

// In how many pieces each row is reduced first, each on a partition of its own; one where rows fill
// the partitions, or others lie between their elements.
std::int64_t pieces_of_row(const graph::Type& from, std::span<const std::int64_t> reduced,
                           std::int64_t rows, std::int64_t partitions) {
  constexpr std::int64_t columns_min = 4 * tile_columns;
  const std::int64_t total = from.elements();
  if (rows == 1) return fills(total, partitions) && total % partitions == 0 ? partitions : 1;
  const std::int64_t rank = std::ssize(from.shape), first = rank - std::ssize(reduced);
  const bool is_last = std::ranges::all_of(reduced, [&](std::int64_t d) { return d >= first; });
  if (!is_last || rows == 0) return 1;
  const std::int64_t most = std::min(partitions / rows, total / rows / columns_min);
  std::int64_t pieces = std::max(most, std::int64_t{1});
  while ((total / rows) % pieces != 0) --pieces;
  return pieces;
}

// Few numbers from many: of each row first a number a partition. Nothing where that fills no more
// partitions. `how`: its formats and its operator.
std::optional<Strided> reduce_in_pieces(Segment& segment, Group& group, const Reduction& how,
                                        const graph::Type& from, std::span<const std::int64_t> dims,
                                        const graph::Type& type) {
  const std::int64_t rows = type.elements();
  const std::int64_t pieces =
      pieces_of_row(from, dims, rows, segment.emitter().core().sbuf.partitions);
  if (pieces == 1) return std::nullopt;
  const std::array<std::int64_t, 3> spread{rows, pieces, from.elements() / (rows * pieces)};
  const std::array<std::int64_t, 2> column{rows, pieces};
  if (!group.adapt([&](const Strided& view) { return reshaped(view, spread); }, 2))
    return std::nullopt;
  const DType between = is_word(how.out) ? how.out : DType::float32;
  Sink partial(segment, between, column, in_order(2, 2));
  reduce_rows(segment, group,
              {how.op, identity_of(how.op).value_or(0), how.in, between, spread[2], tile_columns},
              partial);
  const graph::Type between_type{.element = is_word(how.out) ? from.element : ElementType::f32,
                                 .shape = {rows, pieces}};
  Group rest(segment, segment.add_view(between_type, partial.place()));
  rest.adapt(in_order(2, 1));
  Sink sink(segment, how.out, type.shape, in_order(type.shape.size(), type.shape.size()));
  reduce_rows(segment, rest, {how.op, how.initial, between, how.out, pieces, tile_columns}, sink);
  return sink.place();
}

// Rows of a walk over all elements: where they begin, and how many elements become each of their
// results.
struct WalkPart {
  std::int64_t begin, rows, results, count;
};

// The parts one behind the other, into a place of one dimension. False where there is no such walk.
bool reduce_walk(Segment& segment, Group& group, const Reduction& how, std::int64_t total,
                 std::span<const WalkPart> parts, const Strided& place) {
  std::int64_t first = 0;
  for (const WalkPart& part : parts) {
    const std::int64_t all = part.rows * part.results;
    if (all * part.count == 0) continue;
    const Adapt rows = cut_of_walk(total, part.begin, part.rows, part.results * part.count);
    if (!group.adapt(rows, 1)) return false;
    const std::array<std::int64_t, 1> begin{first}, end{first += all}, stride{1};
    const std::array<std::int64_t, 2> shape{part.rows, part.results};
    Sink sink(segment, reshaped(sliced(place, begin, end, stride), shape).value(), in_order(2, 1));
    Reduction each = how;
    each.count = part.count;
    reduce_rows(segment, group, each, sink);
  }
  return true;
}

// One number from many that no number of partitions divides: the last one takes fewer.
std::optional<Strided> reduce_to_one(Segment& segment, Group& group, const Reduction& how,
                                     const graph::Type& from, const graph::Type& type) {
  Emitter& emitter = segment.emitter();
  const std::int64_t total = from.elements(), partitions = emitter.core().sbuf.partitions;
  if (type.elements() != 1 || !fills(total, partitions)) return std::nullopt;
  const std::int64_t length = base::ceil_div(total, partitions), rows = total / length;
  const std::int64_t left = total % length;
  const std::array<WalkPart, 2> parts{{{0, rows, 1, length}, {rows * length, 1, 1, left}}};
  const DType between = is_word(how.out) ? how.out : DType::float32;
  const std::array<std::int64_t, 1> numbers{rows + (left > 0 ? 1 : 0)};
  const Strided place = dense(emitter.hbm(between, numbers), between, numbers);
  const double identity = identity_of(how.op).value_or(0);
  if (!reduce_walk(segment, group, {how.op, identity, how.in, between}, total, parts, place))
    return std::nullopt;
  const graph::Type between_type{.element = is_word(how.out) ? from.element : ElementType::f32,
                                 .shape = {1, numbers[0]}};
  const std::array<std::int64_t, 2> row{1, numbers[0]};
  Group rest(segment, segment.add_view(between_type, reshaped(place, row).value()));
  rest.adapt(in_order(2, 1));
  Sink sink(segment, how.out, type.shape, in_order(type.shape.size(), type.shape.size()));
  reduce_rows(segment, rest, {how.op, how.initial, between, how.out, numbers[0], tile_columns},
              sink);
  return sink.place();
}

// Many rows of few elements each, in succession: a partition takes as many as a tile holds. Nothing
// where its dimensions give it about as many, or what is read lies on chip.
std::optional<Strided> reduce_short_rows(Segment& segment, Group& group, const Reduction& how,
                                         const graph::Type& from,
                                         std::span<const std::int64_t> dims,
                                         const graph::Type& type) {
  Emitter& emitter = segment.emitter();
  const std::int64_t total = from.elements(), rows = type.elements();
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  const std::int64_t first = from.rank() - std::ssize(dims);
  const bool is_last = std::ranges::all_of(dims, [&](std::int64_t d) { return d >= first; });
  if (!is_last || is_word(how.in) || rows < 4 * partitions || total / rows > few_elements ||
      as_a_resident(segment.residents(), group.views(), dims))
    return std::nullopt;
  const std::int64_t count = total / rows;
  const std::int64_t each = std::min(tile_columns / count, base::ceil_div(rows, partitions));
  std::int64_t as_it_is = 1;
  for (std::size_t d = row_dims_of(emitter, from, dims); d < type.shape.size(); ++d)
    as_it_is *= type.shape[d];
  if (2 * as_it_is > each) return std::nullopt;
  const Strided place = dense(emitter.hbm(how.out, type.shape), how.out, type.shape);
  std::int64_t divisor = each;
  while (rows % divisor != 0) --divisor;
  const std::array<std::int64_t, 3> divided{rows / divisor, divisor, count};
  if (2 * divisor > each &&
      group.adapt([&](const Strided& value) { return reshaped(value, divided); }, 1)) {
    const std::array<std::int64_t, 2> results{rows / divisor, divisor};
    Sink sink(segment, reshaped(place, results).value(), in_order(2, 1));
    Reduction one = how;
    one.count = count;
    reduce_rows(segment, group, one, sink);
    return place;
  }
  const std::array<WalkPart, 2> parts{
      {{0, rows / each, each, count}, {rows / each * each * count, 1, rows % each, count}}};
  const std::array<std::int64_t, 1> flat{rows};
  if (!reduce_walk(segment, group, how, total, parts, reshaped(place, flat).value()))
    return std::nullopt;
  return place;
}

// Few columns of many rows: each partition reduces as many rows as a tile holds, tile by tile, and
// what all of them have is reduced by column.
std::optional<Strided> reduce_few_columns(Segment& segment, Group& group, const Reduction& how,
                                          const graph::Type& from,
                                          std::span<const std::int64_t> dims,
                                          const graph::Type& type) {
  Emitter& emitter = segment.emitter();
  const std::int64_t total = from.elements(), columns = type.elements();
  const std::int64_t partitions = emitter.core().sbuf.partitions;
  const bool is_first =
      std::ranges::all_of(dims, [&](std::int64_t d) { return d < std::ssize(dims); });
  if (!is_first || is_word(how.in) || columns < 2 || columns > few_elements ||
      total / columns < 4 * partitions || as_a_resident(segment.residents(), group.views(), dims))
    return std::nullopt;
  const std::int64_t count = total / columns;
  const std::int64_t each = std::min(tile_columns / columns, base::ceil_div(count, partitions));
  const std::int64_t rows = count / each, most = std::min(rows, partitions);
  const auto tile_of = [&](std::int64_t row, std::int64_t height, std::int64_t width) {
    return reduce_columns(emitter, how.op, group.tile({row, height, 0, width * columns}), columns);
  };
  if (!group.adapt(cut_of_walk(total, 0, rows, each * columns), 1)) return std::nullopt;
  const Tile sums = tile_of(0, most, each);
  const auto add = [&](const Tile& some) {
    const Tile own = part(sums, 0, some.partitions, 0, columns);
    TileMath(emitter, some.partitions, columns).tensor(own, own, how.op, some);
  };
  for (std::int64_t row = most; row < rows; row += most)
    add(tile_of(row, std::min(most, rows - row), each));
  const std::int64_t left = count % each;
  if (left > 0 && group.adapt(cut_of_walk(total, rows * each * columns, 1, left * columns), 1))
    add(tile_of(0, 1, left));
  const std::array<std::int64_t, 2> shape{most, columns};
  const Strided between = dense(emitter.hbm(DType::float32, shape), DType::float32, shape);
  Sink(segment, between, in_order(2, 1)).put(sums, {0, most, 0, columns});
  Group rest(segment,
             segment.add_view({.element = ElementType::f32, .shape = {most, columns}}, between));
  rest.adapt(Layout{.order = {1, 0}, .row_dims = 1});
  const Strided place = dense(emitter.hbm(how.out, type.shape), how.out, type.shape);
  const std::array<std::int64_t, 2> column{columns, 1};
  Sink sink(segment, reshaped(place, column).value(), in_order(2, 1));
  reduce_rows(segment, rest, {how.op, how.initial, DType::float32, how.out, most, tile_columns},
              sink);
  return place;
}

}  // namespace

std::pair<Tile, int> in_groups(Emitter& emitter, Tile data, std::int64_t groups) {
  if (groups == 1) return {data, data.rank};
  const std::int64_t inner = data.free_elements() / groups;
  std::int64_t last = 1;
  for (int i = data.rank; i-- > 0;) {
    last *= data.dims.at(static_cast<std::size_t>(i)).count;
    if (last == inner) return {data, data.rank - i};
  }
  if (data.rank > 1) {
    const TileMath math(emitter, data.partitions, data.free_elements());
    data = math.copy(math.fresh(data.dtype), data);
  }
  const isa::Dim dim = data.dims[0];
  data.rank = 2;
  data.dims[0] = {static_cast<std::int32_t>(dim.step * inner), static_cast<std::int32_t>(groups)};
  data.dims[1] = {dim.step, static_cast<std::int32_t>(inner)};
  return {data, 1};
}

Tile reduce_columns(Emitter& emitter, AluOp op, Tile data, std::int64_t columns) {
  if (data.rank != 1) {
    const TileMath math(emitter, data.partitions, data.free_elements());
    data = math.copy(math.fresh(data.dtype), data);
  }
  const isa::Dim dim = data.dims[0];
  data.rank = 2;
  data.dims[0] = {dim.step, static_cast<std::int32_t>(columns)};
  data.dims[1] = {static_cast<std::int32_t>(dim.step * columns),
                  static_cast<std::int32_t>(dim.count / columns)};
  const Tile result = emitter.sbuf(DType::float32, data.partitions, columns);
  isa::IntList last;
  last.push_back(2);
  emitter.emit(isa::TensorReduce{.dst = result, .op = op, .data = data, .axis = last});
  return result;
}

ReducedLayout reduced_layout(Segment& segment, const Group& group,
                             std::span<const std::int64_t> dims, std::int64_t rank,
                             std::size_t row_dims) {
  if (auto layout = as_a_resident(segment.residents(), group.views(), dims))
    return {*layout, without(*layout, dims)};
  Layout layout;
  for (std::int64_t i = 0; i < rank; ++i) {
    if (std::ranges::find(dims, i) == dims.end()) layout.order.push_back(i);
  }
  layout.row_dims = std::min(row_dims, layout.order.size());
  layout.order.insert(layout.order.end(), dims.begin(), dims.end());
  return {layout, without(layout, dims)};
}

Tile with_initial(const TileMath& math, Tile sum, AluOp op, double initial, DType out) {
  if (initial != identity_of(op)) {
    sum = is_word(sum.dtype)
              ? math.tensor(math.fresh(sum.dtype), sum, op, math.filled(sum.dtype, initial))
              : math.scalar(math.fresh(sum.dtype), sum, op, initial);
  }
  return sum.dtype == out ? sum : math.copy(math.fresh(out), sum);
}

NodeId reduce(Segment& segment, NodeId value, std::span<const std::int64_t> dims, AluOp op,
              double initial, const graph::Type& type, graph::LocationId location) {
  Emitter& emitter = segment.emitter();
  std::optional<Group> group(std::in_place, segment, value);
  if (group->has_product()) {
    segment.placed(value);
    group.emplace(segment, value);
  }
  emitter.at(location);
  const graph::Type from = segment.node(value).type;
  const DType in = *storage_of(from.element), out = *storage_of(type.element);
  const std::int64_t total = from.elements(), rows = type.elements();
  if (const auto found =
          reduce_in_pieces(segment, *group, {op, initial, in, out}, from, dims, type))
    return segment.add_view(type, *found);
  if (const auto found = reduce_to_one(segment, *group, {op, initial, in, out}, from, type))
    return segment.add_view(type, *found);
  if (const auto found =
          reduce_short_rows(segment, *group, {op, initial, in, out}, from, dims, type))
    return segment.add_view(type, *found);
  if (const auto found =
          reduce_few_columns(segment, *group, {op, initial, in, out}, from, dims, type))
    return segment.add_view(type, *found);
  if (rows > 0) {
    if (const auto place = reduce_apart(segment, *group, {op, initial, out, dims, from.shape}))
      return segment.add_view(type, *place);
  }
  const std::optional<NodeId> root =
      op == AluOp::add && out == DType::float32 ? squared(segment, value) : std::nullopt;
  if (root) {
    group.emplace(segment, *root);
    if (group->has_product()) {
      segment.placed(*root);
      group.emplace(segment, *root);
    }
  }
  const auto [layout, rest] =
      reduced_layout(segment, *group, dims, from.rank(), row_dims_of(emitter, from, dims));
  group->adapt(layout);
  Sink sink(segment, out, type.shape, rest);
  if (rows > 0)
    reduce_rows(segment, *group,
                {op, initial, in, out, total / rows, layout.width, root.has_value()}, sink);
  return segment.add_view(type, sink.place());
}

}  // namespace trainyard::compiler
