#include "compiler/lowering/products/product_ways.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "compiler/lowering/products/small_products.h"

namespace trainyard::compiler {

namespace {

// Of a partition, what a band of the right operand takes while all rows are multiplied with it.
constexpr std::int64_t kept_band_percent = 40;
constexpr std::int64_t narrow_columns = 480;  // columns of a tile below which deep tiles are faster

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

Extents chosen_way(const Emitter& emitter, const Product& product, const Blocks& left,
                   const Blocks& right) {
  const Extents usual = usual_way(product, left, right, emitter.core());
  const std::optional<std::size_t> way = emitter.variation().product_way;
  if (!way) return usual;
  const std::vector<Extents> ways = ways_near(usual, emitter.core());
  return *way < ways.size() ? ways[*way] : usual;
}

std::int64_t bands_of(const Product& product, const machine::Core& core) {
  if (product.slides || product.sparsity || are_small(product, core)) return 1;
  const std::int64_t rows =
      compiler::product(std::span(product.left.dims).subspan(product.batches, product.rows));
  return batches_of(product) * base::ceil_div(rows, core.sbuf.partitions);
}

}  // namespace trainyard::compiler
