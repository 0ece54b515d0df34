#include "compiler/lowering/product_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "compiler/lowering/elementwise.h"
#include "compiler/lowering/scorer.h"

namespace trainyard::compiler {

namespace {

// Of a partition, what a band of the right operand takes while all rows are multiplied with it.
constexpr std::int64_t kept_band_percent = 40;
constexpr std::int64_t narrow_columns = 480;  // columns of a tile below which deep tiles are faster
// Products of numbers beyond which running all ways takes longer than it is worth.
constexpr double scored_products_max = 1e12;

std::int64_t batches_of(const Product& product) {
  return compiler::product(std::span(product.left.dims).first(product.batches));
}

// The usual way and those near it; none computes anything but the same sums in the same order.
std::vector<Extents> ways_near(const Extents& usual, const machine::Core& core) {
  std::vector<Extents> ways{usual};
  const auto add = [&](auto&& change) {
    Extents way = usual;
    change(way);
    way.band = std::max(way.column_block, way.band / way.column_block * way.column_block);
    const auto is_same = [&](const Extents& other) {
      return std::tuple(way.row_block, way.column_block, way.band, way.deep) ==
             std::tuple(other.row_block, other.column_block, other.band, other.deep);
    };
    if (std::ranges::none_of(ways, is_same)) ways.push_back(way);
  };
  if (usual.rows.size() >= core.array.stationary_free_max)
    add([](Extents& way) { way.deep = !way.deep; });
  if (usual.deep) return ways;
  for (const std::int64_t part : {2, 4}) {
    if (usual.column_block / part >= core.array.columns)
      add([&](Extents& way) { way.column_block /= part; });
    add([&](Extents& way) { way.band = std::min(way.band, usual.columns.size()) / part; });
  }
  return ways;
}

std::string words(const Extents& way) {
  if (way.deep) return "sums in PSUM";
  return fmt::format("tiles of {} x {}, bands of {}", way.row_block, way.column_block,
                     std::min(way.band, way.columns.size()));
}

std::string words(const Strided& operand) {
  std::string text{numerics::name(operand.dtype)};
  for (const Extent& dim : operand.dims) text += fmt::format(" {}@{}", dim.size, dim.step);
  return text;
}

bool goes_forward(const Strided& operand) {
  return std::ranges::all_of(operand.dims, [](const Extent& dim) { return dim.step >= 0; });
}

// The operand at the beginning of a tensor of its own.
Strided alone(const Strided& operand, Emitter& emitter) {
  std::int64_t elements = 1;
  for (const Extent& dim : operand.dims) elements += (dim.size - 1) * dim.step;
  Strided own = operand;
  own.offset = 0;
  own.tensor = emitter.hbm(operand.dtype, std::array{elements}, isa::TensorRole::input);
  return own;
}

isa::Program program_of(const Emitter& emitter, const Node& node, std::size_t way) {
  Segment segment(emitter.module(), emitter.core(), "nest", 0, 1);
  segment.emitter().at(node.location);
  segment.emitter().take_way(way);
  Node own = node;
  own.product.left = alone(node.product.left, segment.emitter());
  own.product.right = alone(node.product.right, segment.emitter());
  own.product.chosen.reset();
  const isa::DType dtype = *storage_of(node.type.element);
  const isa::TensorId result =
      segment.emitter().hbm(dtype, node.type.shape, isa::TensorRole::output);
  segment.store(segment.add(std::move(own)), dense(result, dtype, node.type.shape));
  return std::move(segment.emitter().take().front());
}

}  // namespace

Extents usual_way(const Product& product, const Blocks& left, const Blocks& right,
                  const machine::Core& core) {
  const std::int64_t bank = core.psum.bank_size.value / 4;
  Extents size{
      .batches = {0, batches_of(product)},
      .rows = {0, left.free()},
      .columns = {0, right.free()},
      .row_block = std::clamp(kept_bytes_max / left.bytes(1), std::int64_t{1},
                              static_cast<std::int64_t>(core.array.stationary_free_max)),
      .column_block = std::clamp(kept_bytes_max / right.bytes(1), std::int64_t{1},
                                 std::min<std::int64_t>(core.array.moving_free_max_fp32, bank))};
  const std::int64_t room = core.sbuf.partition_size.value * kept_band_percent / 100;
  size.band = std::max(std::int64_t{1}, room / right.bytes(size.column_block)) * size.column_block;
  size.deep = size.column_block < std::min(narrow_columns, size.columns.size()) &&
              size.rows.size() >= core.array.stationary_free_max;
  return size;
}

Extents best_way(Segment& segment, const Node& node, const Blocks& left, const Blocks& right,
                 std::string& scored) {
  const Emitter& emitter = segment.emitter();
  const Product& product = node.product;
  const Extents usual = usual_way(product, left, right, emitter.core());
  if (emitter.way()) return ways_near(usual, emitter.core()).at(*emitter.way());
  if (const auto way = emitter.variation().product_way) {
    const std::vector<Extents> ways = ways_near(usual, emitter.core());
    return ways[*way < ways.size() ? *way : 0];
  }
  const double products =
      static_cast<double>(left.depth()) * static_cast<double>(node.type.elements());
  if (emitter.scorer() == nullptr || products > scored_products_max ||
      !goes_forward(product.left) || !goes_forward(product.right))
    return usual;
  const std::vector<Extents> ways = ways_near(usual, emitter.core());
  std::string nest =
      fmt::format("product of {} dimensions {} {} by {} to {}:", product.batches, product.rows,
                  words(product.left), words(product.right), graph::name(node.type.element));
  for (const Extents& way : ways) nest += fmt::format(" {};", words(way));
  const auto times = emitter.scorer()->times(
      nest, ways.size(), [&](std::size_t way) { return program_of(emitter, node, way); });
  if (!times) return usual;
  const auto best = static_cast<std::size_t>(std::ranges::min_element(*times) - times->begin());
  scored = "; alone, by time:";
  for (std::size_t way = 0; way < ways.size(); ++way) {
    const base::Ticks time = (*times)[way];
    const bool fits = time.value != std::numeric_limits<std::int64_t>::max();
    scored += fmt::format(
        "{} {} {}", way == 0 ? "" : ",", words(ways[way]),
        fits ? fmt::format("{:.2f} us", base::to_nanoseconds(time) / 1e3) : "find no room");
  }
  return ways[best];
}

}  // namespace trainyard::compiler
