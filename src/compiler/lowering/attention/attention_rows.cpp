#include "compiler/lowering/attention/attention_rows.h"

#include <algorithm>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/attention/attention_operands.h"
#include "isa/instructions/nc_transpose.h"
#include "isa/instructions/tensor_copy.h"

namespace trainyard::compiler {

using isa::Tile;

AttentionRows::AttentionRows(Segment& segment, Strided value, std::span<const std::int64_t> outer)
    : segment_(segment),
      value_(std::move(value)),
      outer_(outer.begin(), outer.end()),
      is_side_by_side_(outer.size(), false),
      width_(depth()),
      partitions_(segment.emitter().core().array.rows) {
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t i = 0; i < outer_.size(); ++i) {
      if (is_side_by_side_[i] || value_.dims[i].size == 1 || value_.dims[i].step != width_)
        continue;
      is_side_by_side_[i] = grew = true;
      width_ *= value_.dims[i].size;
    }
  }
  matrix_ = {value_.tensor, value_.dtype, value_.offset, {}, {{width_, 1}}};
  for (std::size_t i = 0; i <= outer_.size(); ++i) {
    const bool is_row = i == outer_.size() || (!is_side_by_side_[i] && value_.dims[i].step != 0);
    if (is_row) matrix_.rows.push_back(value_.dims[i]);
  }
  matrix_.rows = merged(matrix_.rows);
}

std::int64_t AttentionRows::blocks() const { return base::ceil_div(rows(), partitions_); }

std::int64_t AttentionRows::bytes() const {
  return blocks() * width_ * numerics::size_in_bytes(value_.dtype);
}

AttentionRows::Place AttentionRows::place(std::int64_t batch) const {
  Place found;
  std::int64_t rows = this->rows();
  for (std::size_t i = outer_.size(); i-- > 0;) {
    const std::int64_t at = batch % outer_[i];
    batch /= outer_[i];
    if (is_side_by_side_[i]) {
      found.column += at * value_.dims[i].step;
    } else if (value_.dims[i].step != 0) {
      found.row += at * rows;
      rows *= outer_[i];
    }
  }
  return found;
}

Window AttentionRows::window(const Place& place, std::int64_t block, std::int64_t columns) const {
  const std::int64_t first = block * partitions_;
  return {place.row + first, std::min(partitions_, rows() - first), place.column, columns};
}

bool AttentionRows::is_resident(std::int64_t batch) const {
  for (std::int64_t block = 0; block < blocks(); ++block) {
    if (!segment_.residents().find(matrix_, window(place(batch), block, depth()))) return false;
  }
  return true;
}

void AttentionRows::forget() {
  held_.clear();
  turned_.clear();
}

Tile AttentionRows::block(std::int64_t batch, std::int64_t block) {
  return this->block(place(batch), block, depth());
}

Tile AttentionRows::block(const Place& place, std::int64_t block, std::int64_t columns) {
  const Window window = this->window(place, block, columns);
  if (const auto here = segment_.residents().find(matrix_, window)) return *here;
  std::erase_if(held_, [&](const auto& each) { return each.first.first != place.row; });
  const auto [entry, is_new] = held_.try_emplace({place.row, block});
  if (is_new) {
    Window all = window;
    all.column = 0;
    all.columns = width_;
    entry->second = Loader(segment_.emitter(), segment_.residents()).load(matrix_, all);
  }
  return part(entry->second, 0, window.rows, place.column, columns);
}

Tile AttentionRows::turned(std::int64_t batch, const Copies& copies, bool share) {
  const Place place = this->place(batch);
  const std::int64_t some = share ? partitions_ / depth() * depth() : depth();
  const Place first{place.row, place.column / some * some};
  const std::int64_t columns = std::min(some, width_ - first.column);
  std::erase_if(turned_, [&](const auto& each) { return each.first.first != place.row; });
  const auto [entry, is_new] = turned_.try_emplace({first.row, first.column});
  if (is_new) {
    Emitter& emitter = segment_.emitter();
    const Tile sums = emitter.psum(value_.dtype, columns, rows());
    for (std::int64_t i = 0; i < blocks(); ++i) {
      const Tile from = block(first, i, columns);
      emitter.emit(isa::NcTranspose{.dst = part(sums, 0, columns, i * partitions_, from.partitions),
                                    .data = from});
    }
    entry->second = emitter.sbuf(value_.dtype, columns, rows());
    emitter.emit(isa::TensorCopy{.dst = entry->second, .src = sums}, copies(sums));
  }
  return part(entry->second, place.column - first.column, depth(), 0, rows());
}

Layout AttentionRows::layout(std::span<const std::int64_t> dims) const {
  Layout layout;
  const auto add = [&](bool side_by_side) {
    for (std::size_t i = 0; i < outer_.size(); ++i) {
      if (is_side_by_side_[i] == side_by_side) layout.order.push_back(static_cast<std::int64_t>(i));
    }
  };
  add(false);
  layout.order.push_back(std::ssize(outer_));
  layout.row_dims = layout.order.size();
  add(true);
  std::ranges::sort(layout.order.begin() + static_cast<std::ptrdiff_t>(layout.row_dims),
                    layout.order.end(), std::ranges::greater{}, [&](std::int64_t dim) {
                      return value_.dims[static_cast<std::size_t>(dim)].step;
                    });
  layout.order.push_back(std::ssize(outer_) + 1);
  for (std::int64_t& dim : layout.order) dim = dims[static_cast<std::size_t>(dim)];
  return layout;
}

std::optional<OperandRows> OperandRows::of(Segment& segment, const AttentionShape& shape,
                                           const Strided& queries, const Strided& keys,
                                           const Strided& values) {
  // Of SBUF, what the rows that batches share may take.
  constexpr std::int64_t percent = 12;
  const machine::Core& core = segment.emitter().core();
  if (queries.dtype != keys.dtype ||
      !turn_on_array(segment.emitter(), keys.dtype, std::max(shape.keys, shape.queries)))
    return std::nullopt;
  OperandRows rows{.queries = {segment, queries, shape.outer},
                   .keys = {segment, keys, shape.outer},
                   .values = {segment, values, shape.outer}};
  std::int64_t bytes = 0;
  for (const AttentionRows* const each : rows.all()) {
    bytes += each->bytes();
    if (!each->is_in_runs() || (each->batches_of_row() == 1 && !each->is_resident(0)))
      return std::nullopt;
  }
  if (bytes > core.sbuf.usable().value * percent / 100) return std::nullopt;
  rows.share_partitions = shape.depth % core.sbuf.quadrant == 0 &&
                          shape.depth <= core.array.rows / 2 &&
                          rows.queries.batches_of_row() == rows.keys.batches_of_row();
  return rows;
}

void AttentionResults::expect(std::span<const AttentionBand> bands) {
  left_.clear();
  for (const AttentionBand& band : bands) ++left_[row_of(band)].left;
}

Tile AttentionResults::place(const AttentionBand& band, std::int64_t columns) {
  const std::int64_t column = rows_.place(band.batch).column;
  Row& row = left_.at(row_of(band));
  if (!row.tile) {
    row.tile = segment_.emitter().sbuf(sink_.place().dtype, band.rows, sink_.columns());
    row.begin = row.end = column;
  }
  row.begin = std::min(row.begin, column);
  row.end = std::max(row.end, column + columns);
  return part(row.tile, 0, band.rows, column, columns);
}

void AttentionResults::done(const AttentionBand& band) {
  Row& row = left_.at(row_of(band));
  if (--row.left > 0) return;
  const std::int64_t columns = row.end - row.begin;
  sink_.put(part(row.tile, 0, band.rows, row.begin, columns),
            {row_of(band), band.rows, row.begin, columns});
}

}  // namespace trainyard::compiler
