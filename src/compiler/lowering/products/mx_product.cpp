#include "compiler/lowering/products/mx_product.h"

#include <algorithm>
#include <array>

#include "base/units.h"
#include "compiler/lowering/products/mx_operand.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/products/product_ways.h"
#include "isa/instructions/nc_matmul_mx.h"

namespace trainyard::compiler {

namespace {

using isa::Tile;

// Of a partition, what the operands take; the rest is for what is on its way.
constexpr std::int64_t operands_percent = 70;
// Columns of a tile: each pass of the array has a fixed cost, and more banks hold fewer tiles.
constexpr std::int64_t columns_max = 1024;
// What is loaded at once of a left operand whose free dimension lies side by side: short rows are
// slow transfers.
constexpr std::array<std::int64_t, 2> panels_of_columns{512, 256};

// One element of the batch dimensions.
Strided chosen(const Strided& value, std::size_t batches, std::int64_t batch) {
  const std::span<const Extent> dims(value.dims);
  Strided one = value;
  one.offset += pieces(dims.first(batches), batch, batch + 1, isa::rank_max).front().offset;
  one.dims.erase(one.dims.begin(), one.dims.begin() + static_cast<long>(batches));
  return one;
}
std::optional<Strided> chosen(const std::optional<Strided>& value, std::size_t batches,
                              std::int64_t batch) {
  return value ? std::optional(chosen(*value, batches, batch)) : std::nullopt;
}

// The sums of one tile. `behind(block)` is called behind each block, for what may be made
// meanwhile.
Tile multiply(Emitter& emitter, MxOperand& left, MxOperand& right, const Window& window,
              auto&& behind) {
  // Of an odd number of rows, there is a row of zeros more.
  const std::int64_t rows = base::round_up(window.rows, std::int64_t{2});
  const Tile sums = emitter.psum(isa::DType::float32, rows, window.columns);
  for (std::int64_t k = 0; k < left.blocks(); ++k) {
    const MxOperand::Block stationary = left.block(k, window.row, rows);
    const MxOperand::Block moving = right.block(k, window.column, window.columns);
    emitter.emit(
        isa::NcMatmulMx{.dst = sums,
                        .stationary = stationary.data,
                        .moving = moving.data,
                        .stationary_scale = stationary.scale,
                        .moving_scale = moving.scale,
                        .accumulate = k == 0 ? isa::Accumulate::overwrite : isa::Accumulate::add});
    behind(k);
  }
  return part(sums, 0, window.rows, 0, window.columns);
}

// The most elements, an even number, that take so many bytes; of `most` there may be one.
std::int64_t fitting(const MxOperand& operand, std::int64_t bytes, std::int64_t most) {
  return std::min(std::max(bytes / operand.bytes(1) / 2 * 2, std::int64_t{2}), most);
}

// How one core computes its part of a product.
struct Way {
  Range rows, columns;
  std::int64_t height = 0, width = 0;  // of a tile
  std::int64_t panel = 0;              // rows of the left operand that are made at once
  std::int64_t band = 0;               // columns of the right operand that stay for all rows
  bool left_stays = false;             // all of it, from the first band on
};

// The left operand stays on chip where it finds room beside two tiles of the right one, or the
// right one beside two panels of the left one; else the left one passes by once for each band of
// the right one, from the second time on as words.
Way way_of(const MxOperand& left, const MxOperand& right, Range rows, Range columns,
           const machine::Core& core) {
  const std::int64_t room = core.sbuf.partition_size.value * operands_percent / 100;
  Way way{.rows = rows, .columns = columns};
  way.height =
      fitting(left, room / 4, std::min<std::int64_t>(core.array.stationary_free_max, rows.size()));
  way.panel = way.height;
  if (left.by_columns() && way.height == core.array.stationary_free_max) {
    const auto fits = [&](std::int64_t panel) { return 2 * left.bytes(panel) <= room * 2 / 5; };
    const auto* const widest = std::ranges::find_if(panels_of_columns, fits);
    if (widest != panels_of_columns.end()) way.panel = *widest;
  }
  const std::int64_t rest = room - 2 * left.bytes(way.panel);
  const std::int64_t most = fitting(right, rest, std::min(columns_max, columns.size()));
  const std::int64_t tiles = base::ceil_div(columns.size(), most);
  way.width = base::round_up(base::ceil_div(columns.size(), tiles), std::int64_t{2});
  way.left_stays = left.bytes(rows.size()) + 2 * right.bytes(way.width) <= room || tiles == 1;
  const std::int64_t fits = std::max(std::int64_t{1}, rest / right.bytes(way.width));
  way.band = (way.left_stays ? 1 : std::min(tiles, fits)) * way.width;
  return way;
}

// What is next is made behind the products of the tile at hand: rows in the first tile of a band,
// the next band in the last rows.
void multiply_all(Emitter& emitter, MxOperand& left, MxOperand& right, const Way& way, auto&& put) {
  const bool has_bands = way.band < way.columns.size();
  left.choose_panels(way.rows.begin, way.rows.end, way.panel, has_bands && !way.left_stays);
  right.choose_panels(way.columns.begin, way.columns.end, way.width, false);
  for (std::int64_t band = way.columns.begin; band < way.columns.end; band += way.band) {
    right.forget_before(band);
    const std::int64_t end = std::min(way.columns.end, band + way.band);
    for (std::int64_t row = way.rows.begin; row < way.rows.end; row += way.height) {
      const std::int64_t next = row + way.height;
      if (!way.left_stays) left.forget_before(row);
      for (std::int64_t column = band; column < end; column += way.width) {
        const Window window{row, std::min(way.height, way.rows.end - row), column,
                            std::min(way.width, end - column)};
        put(window, multiply(emitter, left, right, window, [&](std::int64_t k) {
              if (k % MxOperand::group != MxOperand::group - 1 && k + 1 != left.blocks()) return;
              if (column == band && next < way.rows.end) left.prepare(k, next);
              if (next >= way.rows.end && column + way.band < way.columns.end)
                right.prepare(k, column + way.band);
            }));
      }
    }
    if (!way.left_stays) left.forget_before(way.rows.end + way.panel);
  }
}

void compute_part(Segment& segment, Group& group, Sink& sink, const Node& node, int half) {
  const Product& product = node.product;
  Emitter& emitter = segment.emitter();
  const std::int64_t batches =
      compiler::product(std::span(product.left.dims).first(product.batches));
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    MxOperand left(segment, chosen(product.left, product.batches, batch),
                   chosen(product.left_scale, product.batches, batch));
    MxOperand right(segment, chosen(product.right, product.batches, batch),
                    chosen(product.right_scale, product.batches, batch));
    Range rows{0, left.free()}, columns{0, right.free()};
    if (half >= 0) {
      Range& cut = columns.size() > rows.size() ? columns : rows;
      const std::int64_t middle = std::min(
          cut.end, base::round_up(cut.size() / 2, std::int64_t{emitter.core().array.columns}));
      half == 0 ? cut.end = middle : cut.begin = middle;
    }
    if (rows.size() <= 0 || columns.size() <= 0) continue;
    const Way way = way_of(left, right, rows, columns, emitter.core());
    emitter.at(node.location);
    multiply_all(emitter, left, right, way, [&](Window window, const Tile& sums) {
      window.row += batch * left.free();
      put_sums(segment, group, sink, sums, window);
      emitter.at(node.location);
    });
  }
}

}  // namespace

void compute_mx_product(Segment& segment, Group& group, Sink& sink, bool in_halves) {
  const Node node = segment.node(group.product());
  if (!in_halves) return compute_part(segment, group, sink, node, -1);
  segment.emitter().in_halves([&](std::uint8_t half) {
    Group own = group;
    compute_part(segment, own, sink, node, half);
  });
}

}  // namespace trainyard::compiler
