#include "isa/semantics/rows.h"

#include <algorithm>

#include "isa/semantics/cast.h"

namespace trainyard::isa {

bool dense(const Tile& tile) { return tile.dynamic == 0 && tile.contiguous(); }

std::ptrdiff_t partition_stride(const Tile& tile, const Execution& execution) {
  return tile.space == Space::psum ? execution.core.psum.stride() : execution.core.sbuf.stride();
}

namespace {

// Would writing dst from its start on change elements of `source` that are read later?
bool shifted(const Tile& dst, const Tile& source) {
  if (dst.space != source.space || dst.partition_start != source.partition_start) return false;
  if (source.dynamic == 0 &&
      (dst.high_byte() <= source.low_byte() || source.high_byte() <= dst.low_byte()))
    return false;
  return !(dense(source) && source.offset == dst.offset && source.dtype == dst.dtype);
}

}  // namespace

SourceRows::SourceRows(const Tile& tile, Execution& execution, std::vector<float>& scratch)
    : tile_(tile),
      execution_(execution),
      scratch_(scratch),
      elements_(static_cast<std::size_t>(tile.free_elements())) {
  if (!dense(tile)) return;
  base_ = place(tile, execution, 0);
  stride_ = partition_stride(tile, execution);
  in_place_ = tile.dtype == DType::float32;
  if (!in_place_) scratch_.resize(elements_);
}

const float* SourceRows::widened(int p) const {
  if (base_ == nullptr) return floats(tile_, execution_, p, scratch_);
  numerics::widen(tile_.dtype, base_ + p * stride_, scratch_.data(), elements_);
  return scratch_.data();
}

ResultRows::ResultRows(const Tile& tile, Execution& execution, std::vector<float>& scratch,
                       std::initializer_list<const Tile*> sources)
    : tile_(tile),
      execution_(execution),
      scratch_(scratch),
      elements_(static_cast<std::size_t>(tile.free_elements())) {
  if (dense(tile)) {
    base_ = place(tile, execution, 0);
    stride_ = partition_stride(tile, execution);
    in_place_ = tile.dtype == DType::float32 &&
                std::none_of(sources.begin(), sources.end(),
                             [&](const Tile* source) { return shifted(tile, *source); });
  }
  if (!in_place_) scratch_.resize(elements_);
}

float* ResultRows::operator[](int p) {
  return in_place_ ? reinterpret_cast<float*>(base_ + p * stride_) : scratch_.data();
}

void ResultRows::store(int p, const float* row) {
  if (base_ == nullptr) return store_floats(tile_, execution_, p, row);
  std::byte* to = base_ + p * stride_;
  if (reinterpret_cast<const std::byte*>(row) == to) return;
  narrow_row(tile_.dtype, row, to, elements_, tile_.partition_start + p, execution_);
}

void ResultRows::store(int first, int rows, const float* row, std::ptrdiff_t stride) {
  const numerics::Narrowing how = narrowing_of(tile_.dtype, execution_);
  const bool casts = tile_.dtype != DType::float32 && base_ != nullptr;
  if (casts && how.rounding == numerics::RoundingMode::nearest_even &&
      execution_.overflows == nullptr) {
    numerics::narrow_rows(tile_.dtype,
                          {reinterpret_cast<const std::byte*>(row), stride, base_ + first * stride_,
                           stride_, static_cast<std::size_t>(rows), elements_},
                          how.overflow);
    return;
  }
  for (int r = 0; r < rows; ++r) {
    const auto* from = reinterpret_cast<const std::byte*>(row) + r * stride;
    store(first + r, reinterpret_cast<const float*>(from));
  }
}

std::span<float> lanes(std::vector<float>& accumulators, const Tile& tile) {
  return std::span(accumulators).subspan(tile.partition_start, tile.partitions);
}

void store_column(const Tile& column, Execution& execution, std::span<const float> values) {
  const numerics::Narrowing how = narrowing_of(column.dtype, execution);
  if (dense(column) && how.rounding == numerics::RoundingMode::nearest_even &&
      execution.overflows == nullptr) {
    const auto* source = reinterpret_cast<const std::byte*>(values.data());
    const numerics::RowsOfFloats rows{source,
                                      sizeof(float),
                                      place(column, execution, 0),
                                      partition_stride(column, execution),
                                      column.partitions,
                                      1};
    return numerics::narrow_rows(column.dtype, rows, how.overflow);
  }
  for (int p = 0; p < column.partitions; ++p)
    store_floats(column, execution, p, &values[static_cast<std::size_t>(p)]);
}

}  // namespace trainyard::isa
