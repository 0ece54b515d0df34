#include "compiler/lowering/attention/attention_bands.h"

#include <algorithm>

#include "base/units.h"

namespace trainyard::compiler {

namespace {

AttentionBand band_at(const AttentionShape& shape, std::int64_t batch, std::int64_t row,
                      std::int64_t partitions) {
  AttentionBand band{.batch = batch, .row = row, .rows = std::min(partitions, shape.queries - row)};
  const DiagonalMask mask = shape.mask.value_or(DiagonalMask{});
  const std::int64_t last = row + band.rows - 1;
  const auto clamped = [&](std::int64_t column) {
    return std::clamp(column, std::int64_t{0}, shape.keys);
  };
  const auto down = [&](std::int64_t column) { return column / partitions * partitions; };
  band.keys = {down(clamped(row + mask.low)), clamped(last + mask.high + 1)};
  band.kept = {base::round_up(clamped(last + mask.low), partitions), clamped(row + mask.high + 1)};
  if (band.kept.end < band.keys.end) band.kept.end = down(band.kept.end);
  band.kept.begin = std::min(band.kept.begin, band.keys.end);
  band.kept.end = std::max(band.kept.end, band.kept.begin);
  return band;
}

}  // namespace

std::vector<AttentionBand> attention_bands(const AttentionShape& shape, std::int64_t partitions) {
  std::vector<AttentionBand> all;
  for (std::int64_t batch = 0; batch < shape.batches(); ++batch) {
    for (std::int64_t row = 0; row < shape.queries; row += partitions)
      all.push_back(band_at(shape, batch, row, partitions));
  }
  return all;
}

std::vector<AttentionBand> half_of_bands(std::span<const AttentionBand> all, int half) {
  const std::int64_t batches = all.back().batch + 1;
  std::vector<AttentionBand> some;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_paired = all[i].batch < batches / 2 * 2;
    const bool is_second = is_paired ? all[i].batch >= batches / 2 : (i % 4 == 1 || i % 4 == 2);
    if (is_second == (half == 1)) some.push_back(all[i]);
  }
  return some;
}

}  // namespace trainyard::compiler
