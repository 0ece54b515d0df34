// What collectives take by the rate of the links they cross: a group of chips is laid out from the
// innermost level outwards, and each level moves its share in turn.
#pragma once

#include "planner/chip.h"

namespace trainyard::planner {

// Time, and the bytes that one chip sends.
struct Transfer {
  double seconds = 0;
  double bytes = 0;
  friend Transfer operator*(Transfer transfer, double times) {
    return {transfer.seconds * times, transfer.bytes * times};
  }
};

// `group` chips, of which neighbours are `stride` chips apart: 1 for tensor parallelism, the chips
// of a replica for what joins replicas.

// Every chip ends with the sum of `bytes`.
[[nodiscard]] Transfer all_reduce(const Chip& chip, double bytes, double group, double stride = 1);
// Every chip has `bytes` for the others together, as much for each.
[[nodiscard]] Transfer all_to_all(const Chip& chip, double bytes, double group, double stride = 1);
// One chip to its neighbour at `stride`.
[[nodiscard]] Transfer send(const Chip& chip, double bytes, double stride);

}  // namespace trainyard::planner
