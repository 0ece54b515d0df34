// What collectives take: by schedule where a system file describes the links (schedules.h), else by
// the links that they cross: a group of chips is laid out from the innermost level outwards, and
// each level moves its share in turn, by a ring, a tree or its switch: a fixed time, one for each
// step, and the bytes at the level's rate.
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

// Every logical core of `group` neighbouring chips ends with the sum of `bytes`: tensor
// parallelism.
[[nodiscard]] Transfer all_reduce(const Chip& chip, double bytes, double group);
// Each of `group` chips, `stride` apart, ends with the sum of `bytes`, of which each of its cores
// has a part: replicas of a model.
[[nodiscard]] Transfer all_reduce_replicas(const Chip& chip, double bytes, double group,
                                           double stride);
// Each of `group` chips, `stride` apart, has `bytes` for all of them, as much for each core.
[[nodiscard]] Transfer all_to_all(const Chip& chip, double bytes, double group, double stride = 1);
// One chip to its neighbour at `stride`.
[[nodiscard]] Transfer send(const Chip& chip, double bytes, double stride);

}  // namespace trainyard::planner
