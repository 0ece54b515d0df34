// The part of a memory that one access may touch, precise enough to tell neighbouring blocks of one
// tensor apart.
#pragma once

#include <array>
#include <cstdint>

#include "isa/core/program.h"

namespace trainyard::isa {

struct Region {
  Space space = Space::none;
  TensorId tensor = no_tensor;
  // The bounding rectangle. On chip: partitions and bytes of a partition, absolute once addresses
  // are known and relative to the tensor before. HBM: bytes of the tensor.
  std::int32_t first_partition = 0, end_partition = 1;
  std::int64_t first_byte = 0, end_byte = 0;
  // The bounding box in the tensor's own free dimensions, where the pattern follows them; rank 0 =
  // no box.
  int rank = 0;
  std::array<std::int32_t, 8> low{}, high{};
  bool dense = false;  // touches every byte of its box, or of its rectangle when there is no box
  bool solid = false;  // touches every byte of its rectangle

  [[nodiscard]] bool overlaps(const Region& other) const;
  [[nodiscard]] bool contains(const Region& other) const;
};

// The region of a tile of `program`. Run-time addresses may reach the whole tensor.
[[nodiscard]] Region region_of(const Program& program, const Tile& tile);

}  // namespace trainyard::isa
