// Places for tensors in one memory: a free range of bytes, and of partitions, for as long as each
// lives. It knows no programs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/liveness.h"

namespace trainyard::compiler {

// What wants a place, or has one that it keeps.
struct Storage {
  Lifetime life;
  std::int64_t size = 0;     // bytes of each partition
  std::int64_t address = 0;  // byte within the partition
  bool fixed = false;        // the author chose the address
  int partitions = 0;
  int partition_start = 0;
  // Pieces of one group start at the same partition, a multiple of `start_step`; 0: the piece
  // stays where it is.
  std::uint32_t group = 0;
  int start_step = 0;
};

enum class Policy : std::uint8_t {
  rotate,         // go round the memory, so that a place is reused as late as possible and less
                  // has to wait
  rotate_short,   // the same of what lives shorter than a round takes; the others, which would be
                  // in the way of the next round, lie from the end of the memory down
  first_fit,      // the lowest place in the order of first use, which packs tighter
  largest_first,  // the lowest place in the order of size, which packs tightest
  side_by_side,   // and pieces of few partitions beside each other in the same bytes
};

struct PlacementLimits {
  std::int64_t capacity = 0;   // bytes a partition offers
  std::int64_t alignment = 1;  // of addresses
  int partitions = 0;
  std::int64_t block = 0;  // a piece begins at a block or lies in one; 0: anywhere
};

// The most pieces for which the last two policies, which take time with the square, are tried.
inline constexpr std::size_t pieces_packed_max = 8192;

// Side by side, the first groups have a choice of partitions: in variant v the k-th of them gets
// the lowest place where bit k of v is 0, else the highest.
inline constexpr unsigned variants = 16;
// The most pieces for which they are tried.
inline constexpr std::size_t pieces_varied_max = 1024;

// Fills in the places of all pieces that are not fixed; otherwise which piece found none.
[[nodiscard]] std::optional<std::size_t> place(std::vector<Storage>& pieces,
                                               const PlacementLimits& limits, Policy policy,
                                               unsigned variant = 0);

}  // namespace trainyard::compiler
