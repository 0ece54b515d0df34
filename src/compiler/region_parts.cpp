#include "compiler/region_parts.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <span>

namespace trainyard::compiler {

namespace {

// Of [low, high), what lies outside of [from, to), which covers one end of it.
template <typename T>
bool cut_end(T& low, T& high, T from, T to) {
  if (from <= low && to < high) {
    low = std::max(low, to);
    return true;
  }
  if (from > low && to >= high) {
    high = std::min(high, from);
    return true;
  }
  return false;
}

template <typename T>
bool lies_in(T low, T high, T from, T to) {
  return from <= low && to >= high;
}

}  // namespace

isa::Region inside(isa::Region region, const isa::Region& frame) {
  region.first_partition = std::max(region.first_partition, frame.first_partition);
  region.end_partition = std::min(region.end_partition, frame.end_partition);
  region.first_byte = std::max(region.first_byte, frame.first_byte);
  region.end_byte = std::min(region.end_byte, frame.end_byte);
  return region;
}

std::optional<isa::Region> without_end(const isa::Region& region, const isa::Region& other) {
  const bool same = region.tensor == other.tensor;
  const bool same_partitions = lies_in(region.first_partition, region.end_partition,
                                       other.first_partition, other.end_partition);
  if (!same_partitions) return std::nullopt;
  // Of one dimension, a box is its bytes.
  const bool boxes = same && region.rank > 0 && region.rank == other.rank;
  const bool bytes = boxes ? region.rank == 1 : other.rank == 0 || other.solid;
  isa::Region rest = region;
  if (bytes && !cut_end(rest.first_byte, rest.end_byte, other.first_byte, other.end_byte))
    return std::nullopt;
  if (!boxes) return bytes ? std::optional(rest) : std::nullopt;
  int cuts = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(region.rank); ++d) {
    if (lies_in(rest.low[d], rest.high[d], other.low[d], other.high[d])) continue;
    if (++cuts > 1 || !cut_end(rest.low[d], rest.high[d], other.low[d], other.high[d]))
      return std::nullopt;
  }
  return rest;
}

DenseRuns::DenseRuns(const isa::Tile& tile, const isa::Region& region) : all_(region) {
  if (tile.dynamic != 0) return;
  run_bytes_ = tile.element_bytes();
  for (const isa::Dim& dim : tile.free()) {
    if (dim.count > 1 && dim.step != 0)
      outer_[rank_++] = {std::abs(std::int64_t{dim.step}) * tile.element_bytes(), dim.count};
  }
  std::ranges::sort(std::span(outer_).first(rank_), std::ranges::greater{}, &Steps::bytes);
  for (; rank_ > 0 && outer_[rank_ - 1].bytes <= run_bytes_; --rank_)
    run_bytes_ += outer_[rank_ - 1].bytes * (outer_[rank_ - 1].count - 1);
}

std::int64_t DenseRuns::behind_begin(std::int64_t byte) const {
  std::int64_t at = byte - all_.first_byte;
  for (const Steps& steps : std::span(outer_).first(rank_))
    at -= std::min(at / steps.bytes, steps.count - 1) * steps.bytes;
  return at;
}

isa::Region DenseRuns::without_ends(isa::Region region) const {
  if (region.space != all_.space || !lies_in(region.first_partition, region.end_partition,
                                             all_.first_partition, all_.end_partition)) {
    return region;
  }
  if (region.first_byte >= all_.first_byte) {
    const std::int64_t at = behind_begin(region.first_byte);
    region.first_byte =
        std::min(region.end_byte, region.first_byte + std::max<std::int64_t>(0, run_bytes_ - at));
  }
  if (region.end_byte > all_.first_byte && region.first_byte < region.end_byte) {
    const std::int64_t at = behind_begin(region.end_byte - 1);
    if (at < run_bytes_) region.end_byte = std::max(region.first_byte, region.end_byte - 1 - at);
  }
  return region;
}

}  // namespace trainyard::compiler
