// What a collective asks of the ranks of one chip, by the figures of its machine: steps at a fixed
// cost each, and bytes that the DMA engines of each rank read and write. How long these take is
// known to the engines. Links between chips are not here but in select.h and, while a program runs,
// in traffic.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/units.h"
#include "isa/core/program.h"
#include "machine/machine.h"

namespace trainyard::fabric {

// Mesh: everybody writes to everybody. Halving: recursive halving and doubling. Ring: to the next.
enum class Algorithm : std::uint8_t { mesh, halving, ring };
[[nodiscard]] std::string_view name(Algorithm algorithm);

struct Message {
  isa::CollectiveKind kind = isa::CollectiveKind::reduce;
  std::int64_t ranks = 1;
  base::Bytes bytes;     // the larger of what a rank gives and what it gets
  bool follows = false;  // a further tensor of the collective before it: no start, no steps
};

// Of a collective of a program that `rank` runs.
[[nodiscard]] Message message_of(const isa::Program& program, std::uint32_t instruction,
                                 std::int32_t rank);

struct CollectivePlan {
  Algorithm algorithm = Algorithm::mesh;
  std::int64_t steps = 0;
  base::Ticks latency;        // start and steps
  base::Bytes read, written;  // by each rank
};

[[nodiscard]] CollectivePlan plan_of(const Message& message, const machine::Machine& machine);

}  // namespace trainyard::fabric
