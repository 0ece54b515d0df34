// Which of many regions of a memory overlap a given one, without looking at all of them: they are
// sorted along the axis that tells them apart best, bytes or a dimension of the tensor that the
// first of them belongs to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "isa/core/region.h"

namespace trainyard::isa {

class RegionIndex {
 public:
  explicit RegionIndex(std::vector<Region> regions);

  // Their positions in the list, ascending.
  [[nodiscard]] std::vector<std::uint32_t> overlapping(const Region& wanted) const;

 private:
  // Bytes, or a dimension of boxes of that rank in that tensor. What has no such box may be
  // anywhere.
  struct Axis {
    TensorId tensor = no_tensor;
    int rank = 0, dimension = 0;
  };
  struct Interval {
    std::int64_t begin = 0, end = 0;
  };

  [[nodiscard]] static Interval interval(const Region& region, Axis axis);
  [[nodiscard]] static std::int64_t overlaps_along(std::span<const Region> regions, Axis axis);
  [[nodiscard]] static Axis best_axis(std::span<const Region> regions);
  void search(std::size_t node, std::size_t first, std::size_t count, Interval range,
              const Region& wanted, std::vector<std::uint32_t>& found) const;

  std::vector<Region> regions_;
  Axis axis_;
  std::vector<std::uint32_t> order_;    // positions by the begins of their intervals
  std::vector<std::int64_t> begins_;    // in that order
  std::size_t leaves_ = 1;              // a power of two
  std::vector<std::int64_t> last_end_;  // of a binary tree above them: the largest end below a node
};

}  // namespace trainyard::isa
