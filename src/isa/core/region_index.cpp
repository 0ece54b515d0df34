#include "isa/core/region_index.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

namespace trainyard::isa {

namespace {
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
}  // namespace

RegionIndex::Interval RegionIndex::interval(const Region& region, Axis axis) {
  if (axis.rank == 0) return {region.first_byte, region.end_byte};
  if (region.rank != axis.rank || region.tensor != axis.tensor) return {lowest, highest};
  const auto d = static_cast<std::size_t>(axis.dimension);
  return {region.low[d], region.high[d]};
}

// How many pairs of regions have overlapping intervals.
std::int64_t RegionIndex::overlaps_along(std::span<const Region> regions, Axis axis) {
  std::vector<std::int64_t> begins, ends;
  for (const Region& region : regions) {
    const Interval one = interval(region, axis);
    begins.push_back(one.begin);
    ends.push_back(one.end);
  }
  std::ranges::sort(begins);
  std::ranges::sort(ends);
  std::int64_t pairs = 0;
  for (const Region& region : regions) {
    const Interval one = interval(region, axis);
    pairs += std::ranges::lower_bound(begins, one.end) - begins.begin();
    pairs -= std::ranges::upper_bound(ends, one.begin) - ends.begin();
  }
  return pairs;
}

RegionIndex::Axis RegionIndex::best_axis(std::span<const Region> regions) {
  Axis best;
  if (regions.empty()) return best;
  std::int64_t fewest = overlaps_along(regions, best);
  const Region& first = regions.front();
  for (int d = 0; d < first.rank; ++d) {
    const Axis axis{first.tensor, first.rank, d};
    const std::int64_t pairs = overlaps_along(regions, axis);
    if (pairs >= fewest) continue;
    fewest = pairs;
    best = axis;
  }
  return best;
}

RegionIndex::RegionIndex(std::vector<Region> regions)
    : regions_(std::move(regions)),
      axis_(best_axis(regions_)),
      order_(regions_.size()),
      leaves_(std::bit_ceil(std::max<std::size_t>(1, regions_.size()))),
      last_end_(2 * leaves_, lowest) {
  std::iota(order_.begin(), order_.end(), 0u);
  std::ranges::stable_sort(order_, {},
                           [&](std::uint32_t i) { return interval(regions_[i], axis_).begin; });
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const Interval one = interval(regions_[order_[k]], axis_);
    begins_.push_back(one.begin);
    last_end_[leaves_ + k] = one.end;
  }
  for (std::size_t node = leaves_; node-- > 1;)
    last_end_[node] = std::max(last_end_[2 * node], last_end_[2 * node + 1]);
}

std::vector<std::uint32_t> RegionIndex::overlapping(const Region& wanted) const {
  std::vector<std::uint32_t> found;
  search(1, 0, leaves_, interval(wanted, axis_), wanted, found);
  std::ranges::sort(found);
  return found;
}

// Below `node` are `count` leaves from `first` on.
void RegionIndex::search(std::size_t node, std::size_t first, std::size_t count, Interval range,
                         const Region& wanted, std::vector<std::uint32_t>& found) const {
  if (first >= order_.size() || begins_[first] >= range.end || last_end_[node] <= range.begin)
    return;
  if (count == 1) {
    if (regions_[order_[first]].overlaps(wanted)) found.push_back(order_[first]);
    return;
  }
  search(2 * node, first, count / 2, range, wanted, found);
  search(2 * node + 1, first + count / 2, count / 2, range, wanted, found);
}

}  // namespace trainyard::isa
