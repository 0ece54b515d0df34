// Parts of regions: what is left of one outside of another, and the runs of bytes that a strided
// tile touches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "isa/core/region.h"

namespace trainyard::compiler {

// Calls keep(part) for the parts, up to four, of an on-chip region's rectangle outside of `hole`,
// which it overlaps.
template <typename F>
void outside(const isa::Region& region, const isa::Region& hole, F&& keep) {
  isa::Region middle = region;
  if (region.first_partition < hole.first_partition) {
    isa::Region part = region;
    part.end_partition = middle.first_partition = hole.first_partition;
    keep(part);
  }
  if (region.end_partition > hole.end_partition) {
    isa::Region part = region;
    part.first_partition = middle.end_partition = hole.end_partition;
    keep(part);
  }
  if (region.first_byte < hole.first_byte) {
    isa::Region part = middle;
    part.end_byte = hole.first_byte;
    keep(part);
  }
  if (region.end_byte > hole.end_byte) {
    isa::Region part = middle;
    part.first_byte = hole.end_byte;
    keep(part);
  }
}

// The rectangle that two have in common.
[[nodiscard]] isa::Region inside(isa::Region region, const isa::Region& frame);

// `region` without an end of it that lies in `other`: whatever overlaps `region` overlaps the rest
// or `other`. None where no such rest is one region.
[[nodiscard]] std::optional<isa::Region> without_end(const isa::Region& region,
                                                     const isa::Region& other);

// What a tile touches, in runs of bytes that lie side by side.
class DenseRuns {
 public:
  DenseRuns() = default;
  // `region` is that of the tile.
  DenseRuns(const isa::Tile& tile, const isa::Region& region);
  // A region's bytes without those at its ends that lie in runs; there may be none left.
  [[nodiscard]] isa::Region without_ends(isa::Region region) const;

 private:
  // How far behind the begin of the last run up to there.
  [[nodiscard]] std::int64_t behind_begin(std::int64_t byte) const;

  struct Steps {
    std::int64_t bytes = 0, count = 0;
  };

  isa::Region all_;
  std::array<Steps, isa::rank_max> outer_{};  // from run to run, the largest first
  std::size_t rank_ = 0;
  std::int64_t run_bytes_ = 0;
};

}  // namespace trainyard::compiler
