#include "compiler/lowering/sorts/spread_sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/canonical/region_values.h"
#include "compiler/lowering/reductions/tile_region.h"
#include "compiler/lowering/sorts/compare_exchange.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "compiler/lowering/values/movement.h"
#include "compiler/lowering/values/window.h"
#include "compiler/lowering/walk/nodes.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/nc_transpose.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using isa::DType;
using isa::Tile;
using numerics::AluOp;

// Of SBUF, what keys, places and what moves with them may take beside flags and other values.
constexpr std::int64_t room_percent = 60;
// Columns of a tile, where a row does not need more: enough to hide what instructions start with.
constexpr std::int64_t columns_enough = 8192;
constexpr std::int64_t window_columns = 2048;
// Of a value: passes of an exchange, of a transpose there and back; cycles that a pass starts with.
constexpr std::int64_t passes_of_exchange = 2, passes_of_transpose = 2;
constexpr std::int64_t pass_start = 64;
// Places are float32, of what fills up and of NaN up to three times the size: no larger ones.
constexpr std::int64_t places_max = 1 << 22;

std::int64_t log2_of(std::int64_t power) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(power))) - 1;
}

std::int64_t length_of(Lowerer& lowerer, const Op& op) {
  return lowerer.type(op.operands[0]).shape[static_cast<std::size_t>(op.integer("dimension"))];
}

// Each element's place along the sorted dimension, as argsorts have it: the network knows it.
bool is_place(Lowerer& lowerer, const Op& op, std::size_t operand) {
  const Op* const made = definition(lowerer.function().body, op.operands[operand]);
  return operand > 0 && made != nullptr && made->kind == OpKind::iota &&
         made->integer("iota_dimension") == op.integer("dimension") &&
         is_word(*storage_of(lowerer.type(op.operands[operand]).element));
}

// What a value's elements are while they move: the array transposes no single bytes.
DType moving_dtype(DType dtype) {
  return numerics::size_in_bytes(dtype) < 2 ? DType::float32 : dtype;
}

class SpreadSort {
 public:
  SpreadSort(Lowerer& lowerer, const Op& op, const RowSpread& spread, bool by_key)
      : lowerer_(lowerer),
        op_(op),
        by_key_(by_key),
        region_(lowerer, op.regions.at(0)),
        spread_(spread),
        dim_(op.integer("dimension")),
        length_(length_of(lowerer, op)),
        size_(spread.partitions * spread.columns),
        rows_in_height_(lowerer.segment().emitter().core().sbuf.partitions / spread.partitions) {}

  void lower() {
    Segment& segment = lowerer_.segment();
    emitter().at(op_.location);
    std::vector<Strided> results;
    for (std::size_t i = 0; i < op_.operands.size(); ++i) {
      is_place_.push_back(by_key_ && is_place(lowerer_, op_, i));
      from_.push_back(is_place_[i] ? Matrix{}
                                   : rows_of(dense_rows(lowerer_.node(op_.operands[i]))));
      graph::Type type = lowerer_.type(op_.results[i]);
      std::ranges::rotate(type.shape.begin() + dim_, type.shape.begin() + dim_ + 1,
                          type.shape.end());
      results.push_back(fresh(lowerer_, type));
      to_.push_back(rows_of(results.back()));
    }
    const NodeId counted = counting_node(lowerer_, {.element = ElementType::f32, .shape = {size_}});
    counting_ = matrix_of(segment.stored(counted), 0);
    emitter().at(op_.location);
    down_ = constant_directions();
    sort_all(product(from_[0].rows));
    for (std::size_t i = 0; i < results.size(); ++i)
      lowerer_.define(op_.results[i], segment.add_view(lowerer_.type(op_.results[i]),
                                                       with_sorted_in_place(results[i])));
  }

 private:
  // Rows that are on chip together: some beside each other, as many below each other as fit.
  struct Band {
    std::int64_t row = 0, rows = 0;
    std::int64_t partitions = 0, columns = 0;  // that they take
  };

  [[nodiscard]] Emitter& emitter() { return lowerer_.segment().emitter(); }
  [[nodiscard]] std::int64_t all_partitions() const { return rows_in_height_ * spread_.partitions; }
  // Of a value whose last dimension is sorted.
  [[nodiscard]] static Matrix rows_of(const Strided& value) {
    return matrix_of(value, value.dims.size() - 1);
  }
  // The value with the sorted dimension last, elements side by side.
  [[nodiscard]] Strided dense_rows(NodeId node) {
    Strided value = lowerer_.segment().stored(node);
    std::ranges::rotate(value.dims.begin() + dim_, value.dims.begin() + dim_ + 1, value.dims.end());
    if (value.dims.back().step == 1) return value;
    const Strided made = fresh(
        lowerer_, {.element = lowerer_.segment().node(node).type.element, .shape = value.shape()});
    copy(emitter(), value, made);
    return made;
  }
  [[nodiscard]] Strided with_sorted_in_place(Strided value) const {
    std::ranges::rotate(value.dims.begin() + dim_, value.dims.end() - 1, value.dims.end());
    return value;
  }

  void sort_all(std::int64_t rows) {
    const std::int64_t at_once = spread_.columns_at_once / spread_.columns * rows_in_height_;
    const auto sort_from = [&](std::int64_t row, std::int64_t end) {
      for (; row < end; row += at_once) sort(band(row, std::min(at_once, end - row)));
    };
    if (emitter().cores() < 2 || rows < 2 * rows_in_height_) return sort_from(0, rows);
    const std::int64_t middle =
        base::ceil_div(base::ceil_div(rows, rows_in_height_), std::int64_t{2}) * rows_in_height_;
    emitter().in_halves(
        [&](std::uint8_t half) { sort_from(half == 0 ? 0 : middle, half == 0 ? middle : rows); });
  }
  [[nodiscard]] Band band(std::int64_t row, std::int64_t rows) const {
    return {.row = row,
            .rows = rows,
            .partitions = std::min(rows, rows_in_height_) * spread_.partitions,
            .columns = base::ceil_div(rows, rows_in_height_) * spread_.columns};
  }
  [[nodiscard]] Tile tile(DType dtype, const Band& band) {
    return emitter().sbuf(dtype, all_partitions(), band.columns);
  }

  // Calls f(matrix, the window of it, the part of a tile) for rows that each have a partition, or
  // for the full partitions of each row, and for the one that its end fills in part.
  template <typename F>
  void for_each_part(const Matrix& matrix, const Tile& tile, const Band& band, F&& f) const {
    const std::int64_t columns = spread_.columns, step = matrix.columns.front().step;
    if (spread_.partitions == 1) {
      for (std::int64_t i = 0; i < band.rows; i += rows_in_height_) {
        const std::int64_t rows = std::min(rows_in_height_, band.rows - i);
        f(matrix, Window{band.row + i, rows, 0, length_},
          part(tile, 0, rows, i / rows_in_height_ * columns, length_));
      }
      return;
    }
    const std::int64_t full = length_ / columns, rest = length_ % columns;
    for (std::int64_t i = 0; i < band.rows; ++i) {
      Matrix row = matrix;
      row.offset +=
          pieces(matrix.rows, band.row + i, band.row + i + 1, isa::rank_max).front().offset;
      const std::int64_t first = i % rows_in_height_ * spread_.partitions;
      const std::int64_t column = i / rows_in_height_ * columns;
      row.rows = {{full, columns * step}};
      row.columns = {{columns, step}};
      f(row, Window{0, full, 0, columns}, part(tile, first, full, column, columns));
      if (rest == 0) continue;
      row.offset += full * columns * step;
      row.rows = {{1, 0}};
      row.columns = {{rest, step}};
      f(row, Window{0, 1, 0, rest}, part(tile, first + full, 1, column, rest));
    }
  }
  [[nodiscard]] Tile loaded(const Matrix& from, const Band& band) {
    const Tile all = tile(from.dtype, band);
    const bool is_full = length_ == size_ && band.rows % std::min(band.rows, rows_in_height_) == 0;
    if (!is_full) emitter().emit(isa::Memset{.dst = all, .value = 0});
    for_each_part(from, all, band, [&](const Matrix& row, const Window& window, const Tile& part) {
      load(emitter(), row, window, part);
    });
    return all;
  }
  [[nodiscard]] static Window whole(const Tile& tile) {
    return {0, tile.partitions, 0, tile.free_elements()};
  }
  template <typename F>
  void for_each_window(const Band& band, F&& f) {
    for (std::int64_t at = 0; at < band.columns; at += window_columns) {
      const std::int64_t width = std::min(window_columns, band.columns - at);
      const auto cut = [&](const Tile& tile) { return part(tile, 0, band.partitions, at, width); };
      f(TileMath(emitter(), band.partitions, width), cut);
    }
  }
  [[nodiscard]] Tile cast(const Tile& from, DType dtype, const Band& band) {
    if (from.dtype == dtype) return from;
    const Tile to = tile(dtype, band);
    for_each_window(band, [&](const TileMath& math, auto&& cut) { math.copy(cut(to), cut(from)); });
    return to;
  }

  void sort(const Band& band) {
    const Tile places = places_of(band);
    std::vector<Tile> values;
    std::vector<std::size_t> result_of;  // each result's value
    for (std::size_t i = 0; i < from_.size(); ++i) {
      result_of.push_back(values.size());
      if (is_place_[i]) continue;
      const DType dtype = by_key_ && i == 0 ? key_dtype() : moving_dtype(from_[i].dtype);
      values.push_back(cast(loaded(from_[i], band), dtype, band));
    }
    if (by_key_) mark(values[0], places, band);
    const std::size_t place = by_key_ ? 1 : values.size();
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(place), places);
    order({emitter(), values, by_key_ ? CompareExchange::Order(comes_first) : order_of_region()},
          band);
    if (by_key_) unmark(values[0], places, band);
    for (std::size_t i = 0; i < to_.size(); ++i) {
      const std::size_t value = is_place_[i] ? place : result_of[i] + (result_of[i] >= place);
      for_each_part(to_[i], cast(values[value], to_[i].dtype, band), band,
                    [&](const Matrix& row, const Window& window, const Tile& part) {
                      store(emitter(), part, row, window);
                    });
    }
  }
  [[nodiscard]] DType key_dtype() const {
    return is_word(from_[0].dtype) ? from_[0].dtype : DType::float32;
  }

  // As the program's region compares; equal elements by their places, and what fills rows up last.
  [[nodiscard]] CompareExchange::Order order_of_region() const {
    return [this](const TileMath& math, std::span<const Tile> a, std::span<const Tile> b) {
      const std::size_t count = from_.size();
      const auto flag = [&](const Tile& x, AluOp how, const Tile& y) {
        return math.tensor(math.fresh(DType::uint8), x, how, y);
      };
      const auto flag_of = [&](const Tile& x, AluOp how, double number) {
        return math.scalar(math.fresh(DType::uint8), x, how, number);
      };
      const auto is_before = [&](std::span<const Tile> x, std::span<const Tile> y) {
        std::vector<Tile> arguments;
        for (std::size_t i = 0; i < count; ++i) {
          for (const Tile& value : {x[i], y[i]}) {
            const DType dtype = from_[i].dtype;
            arguments.push_back(value.dtype == dtype ? value : math.copy(math.fresh(dtype), value));
          }
        }
        return region_.apply(arguments);
      };
      const Tile is_tied = flag_of(is_before(a, b), AluOp::equal, 0);
      const Tile earlier = flag(b[count], AluOp::less, a[count]);
      Tile answer = flag(is_before(b, a), AluOp::maximum, flag(is_tied, AluOp::multiply, earlier));
      if (length_ == size_) return answer;
      const auto end = static_cast<double>(length_);
      answer = flag(answer, AluOp::maximum, flag_of(a[count], AluOp::greater_equal, end));
      return flag(answer, AluOp::multiply, flag_of(b[count], AluOp::less, end));
    };
  }

  // Where each element stands in its row.
  [[nodiscard]] Tile places_of(const Band& band) {
    Matrix all = counting_;
    all.rows = {{band.partitions / spread_.partitions, 0}, {spread_.partitions, spread_.columns}};
    all.columns = {{band.columns / spread_.columns, 0}, {spread_.columns, 1}};
    const Tile places = tile(DType::float32, band);
    load(emitter(), all, {0, band.partitions, 0, band.columns},
         part(places, 0, band.partitions, 0, band.columns));
    return places;
  }
  // What fills a row up is behind all keys, NaN before it: by the places, of as large keys.
  void mark(const Tile& keys, const Tile& places, const Band& band) {
    const auto put_behind = [&](const TileMath& math, const Tile& key, const Tile& place,
                                const Tile& mask, std::int64_t by) {
      const Tile last = math.filled(keys.dtype, last_key(keys.dtype));
      const Tile further =
          math.scalar(math.fresh(DType::float32), mask, AluOp::multiply, static_cast<double>(by));
      math.put(key, last, mask);
      math.tensor(place, place, AluOp::add, further);
    };
    for_each_window(band, [&](const TileMath& math, auto&& cut) {
      const Tile key = cut(keys), place = cut(places);
      if (length_ < size_) {
        const Tile outside = math.scalar(math.fresh(DType::uint8), place, AluOp::greater_equal,
                                         static_cast<double>(length_));
        put_behind(math, key, place, outside, 2 * size_);
      }
      if (!numerics::is_float(from_[0].dtype)) return;
      put_behind(math, key, place,
                 math.tensor(math.fresh(DType::uint8), key, AluOp::not_equal, key), size_);
    });
  }
  void unmark(const Tile& keys, const Tile& places, const Band& band) {
    if (!numerics::is_float(from_[0].dtype)) return;
    for_each_window(band, [&](const TileMath& math, auto&& cut) {
      const Tile place = cut(places);
      const Tile moved = math.scalar(math.fresh(DType::uint8), place, AluOp::greater_equal,
                                     static_cast<double>(size_));
      constexpr double nan = std::numeric_limits<double>::quiet_NaN();
      math.put(cut(keys), math.filled(DType::float32, nan), moved);
      const Tile by = math.scalar(math.fresh(DType::float32), moved, AluOp::multiply,
                                  static_cast<double>(size_));
      math.tensor(place, place, AluOp::subtract, by);
    });
  }

  // Partitions are sorted upwards and downwards in turns, then merged two by two.
  void order(const CompareExchange& all, const Band& band) {
    const CompareExchange own = all.on_partitions(band.partitions);
    const std::int64_t merges = log2_of(spread_.partitions);
    const Directions down = merges > 0 ? directions(band) : Directions{};
    own.sort(spread_.columns, merges > 0 ? down.of_partitions[0] : Tile{});
    for (std::int64_t merge = 1; merge <= merges; ++merge) {
      const auto next = static_cast<std::size_t>(merge);
      const bool is_last = merge == merges;
      transpose(all, band, true);
      for (std::int64_t apart = std::int64_t{1} << (merge - 1); apart >= 1; apart /= 2)
        all.round(apart, band.partitions, all_partitions(),
                  is_last ? Tile{} : down.of_columns[next]);
      transpose(all, band, false);
      for (std::int64_t apart = spread_.columns / 2; apart >= 1; apart /= 2)
        own.round(apart, spread_.columns, spread_.columns,
                  is_last ? Tile{} : down.of_partitions[next]);
    }
  }

  // Of each merge, before the last one, what is sorted downwards: of partitions, and of the columns
  // that they are when transposed.
  struct Directions {
    std::vector<Tile> of_partitions, of_columns;
  };
  [[nodiscard]] Matrix constant_directions() {
    const std::int64_t merges = log2_of(spread_.partitions);
    std::vector<std::byte> content;
    for (std::int64_t merge = 0; merge < merges; ++merge) {
      for (std::int64_t p = 0; p < all_partitions(); ++p)
        content.push_back(static_cast<std::byte>(p % spread_.partitions >> merge & 1));
    }
    if (content.empty()) return {};
    const std::array<std::int64_t, 2> shape{merges, all_partitions()};
    const isa::TensorId made = emitter().constant(DType::uint8, shape, std::move(content));
    return {made, DType::uint8, 0, {}, {{merges, all_partitions()}, {all_partitions(), 1}}};
  }
  [[nodiscard]] Directions directions(const Band& band) {
    const std::int64_t merges = log2_of(spread_.partitions), all = all_partitions();
    Matrix rows = down_, columns = down_;
    rows.rows = {{all, 1}};
    rows.columns = {{merges, all}};
    columns.rows = {{all, 0}};
    const Tile row_tile = emitter().sbuf(DType::uint8, all, merges);
    const Tile column_tile = emitter().sbuf(DType::uint8, all, merges * all);
    load(emitter(), rows, whole(row_tile), row_tile);
    load(emitter(), columns, whole(column_tile), column_tile);
    Directions down;
    for (std::int64_t merge = 0; merge < merges; ++merge) {
      down.of_partitions.push_back(part(row_tile, 0, band.partitions, merge, 1));
      down.of_columns.push_back(part(column_tile, 0, all, merge * all, all));
    }
    return down;
  }

  // Each block of as many columns as there are partitions, in its place.
  void transpose(const CompareExchange& all, const Band& band, bool there) {
    for (Tile tile : all.values()) {
      if (tile.element_bytes() == 4) tile.dtype = DType::float32;
      transpose(tile, there ? band.partitions : all_partitions(),
                there ? all_partitions() : band.partitions);
    }
  }
  // Blocks of so many partitions and columns.
  void transpose(const Tile& tile, std::int64_t partitions, std::int64_t columns) {
    const std::int64_t block = all_partitions(), blocks = tile.free_elements() / block;
    const std::int64_t in_bank =
        emitter().core().psum.bank_size.value / tile.element_bytes() / block;
    for (std::int64_t at = 0; at < blocks; at += in_bank) {
      const std::int64_t some = std::min(in_bank, blocks - at);
      const Tile turned = emitter().psum(tile.dtype, columns, some * partitions);
      for (std::int64_t i = 0; i < some; ++i) {
        emitter().emit(
            isa::NcTranspose{.dst = part(turned, 0, columns, i * partitions, partitions),
                             .data = part(tile, 0, partitions, (at + i) * block, columns)});
      }
      const std::array<Extent, 2> apart{{{some, block}, {partitions, 1}}};
      const Tile to = walked(part(tile, 0, columns, at * block, some * block), apart, 0);
      TileMath(emitter(), columns, some * partitions).copy(to, turned);
    }
  }

  Lowerer& lowerer_;
  const Op& op_;
  bool by_key_;
  TileRegion region_;
  RowSpread spread_;
  std::ptrdiff_t dim_;
  std::int64_t length_, size_;   // of a row: its elements, and with what fills it up
  std::int64_t rows_in_height_;  // that lie below each other
  std::vector<Matrix> from_, to_;
  std::vector<bool> is_place_;
  Matrix counting_, down_;
};

}  // namespace

std::int64_t network_cycles(std::int64_t rows, std::int64_t partitions, std::int64_t columns,
                            const NetworkPasses& passes, const machine::Core& core) {
  const std::int64_t levels = log2_of(partitions * columns);
  const std::int64_t width =
      base::ceil_div(rows * partitions, core.sbuf.partitions) * columns;  // of all rows
  const std::int64_t starts = base::ceil_div(width / 2, window_columns) * pass_start;
  return levels * (levels + 1) / 2 * (passes.comparison + passes_of_exchange * passes.values) *
             (width / 2 + starts) +
         log2_of(partitions) * passes_of_transpose * passes.values * width;
}

std::optional<RowSpread> spread_of(Lowerer& lowerer, const Op& op, bool by_key) {
  const machine::Core& core = lowerer.segment().emitter().core();
  const auto size =
      static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(length_of(lowerer, op))));
  if (size > places_max) return std::nullopt;
  const std::int64_t rows = lowerer.type(op.operands[0]).elements() / length_of(lowerer, op);
  NetworkPasses passes{.values = 1};
  if (!by_key) passes.comparison = 4 * TileRegion(lowerer, op.regions.at(0)).operations();
  std::int64_t bytes = 4;  // of places, and of what moves and is cast
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    if (by_key && is_place(lowerer, op, i)) continue;
    ++passes.values;
    const DType dtype = *storage_of(lowerer.type(op.operands[i]).element);
    const DType moving = by_key && i == 0 && !is_word(dtype) ? DType::float32 : moving_dtype(dtype);
    bytes +=
        numerics::size_in_bytes(moving) + (moving == dtype ? 0 : numerics::size_in_bytes(dtype));
  }
  const std::int64_t room = core.sbuf.partition_size.value * room_percent / 100 / bytes;
  const std::int64_t partitions_max =
      core.features.tensor_transpose_exact ? core.sbuf.partitions : 1;
  std::optional<RowSpread> best;
  for (std::int64_t partitions = 1; partitions <= partitions_max; partitions *= 2) {
    const std::int64_t columns = size / partitions;
    if (columns > room || (partitions > 1 && columns < core.sbuf.partitions)) continue;
    const std::int64_t cycles = network_cycles(rows, partitions, columns, passes, core);
    if (best && best->cycles <= cycles) continue;
    best = RowSpread{.partitions = partitions,
                     .columns = columns,
                     .columns_at_once = std::max(columns, std::min(room, columns_enough)),
                     .cycles = cycles};
  }
  return best;
}

void sort_spread(Lowerer& lowerer, const Op& op, const RowSpread& spread, bool by_key) {
  SpreadSort(lowerer, op, spread, by_key).lower();
}

}  // namespace trainyard::compiler
