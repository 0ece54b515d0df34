#include "fabric/collective_time.h"

#include <algorithm>
#include <array>
#include <bit>

#include "isa/meeting.h"

namespace trainyard::fabric {

namespace {

using base::Bytes;
using base::Ticks;
using isa::CollectiveKind;

// Sizes up to which each algorithm is the fastest (CC intra-node page). A permute knows its peer.
Algorithm algorithm_of(const Message& message, const machine::Collective& collective) {
  if (message.kind == CollectiveKind::permute || message.bytes <= collective.mesh_max)
    return Algorithm::mesh;
  return message.bytes <= collective.rdh_max ? Algorithm::halving : Algorithm::ring;
}

// Steps of a gather or a scatter; a reduction to all is a scatter and a gather.
std::int64_t steps_of(Algorithm algorithm, std::int64_t ranks) {
  switch (algorithm) {
    case Algorithm::mesh: return 1;
    case Algorithm::halving: return std::bit_width(static_cast<std::uint64_t>(ranks - 1));
    case Algorithm::ring: return ranks - 1;
  }
  return 0;
}

// The bytes that each rank writes in one gather or scatter: all parts but its own.
Bytes written(const Message& message) {
  if (message.kind == CollectiveKind::permute) return message.bytes;
  return {message.bytes.value / message.ranks * (message.ranks - 1)};
}

// A copied byte is read and written; one that is reduced is added to another one in between.
constexpr std::int64_t touches_copied = 2, touches_reduced = 3;

Ticks at_hbm(Bytes copied, Bytes reduced, const Message& message, const machine::Chip& chip) {
  if (!message.in_hbm) return {};
  const machine::Bandwidth share{chip.hbm.bandwidth.bytes_per_second / chip.cores * message.cores};
  return share({touches_copied * copied.value + touches_reduced * reduced.value});
}

}  // namespace

std::string_view name(Algorithm algorithm) {
  constexpr std::array<std::string_view, 3> names{"mesh", "halving", "ring"};
  return names.at(static_cast<std::size_t>(algorithm));
}

Message message_of(const isa::Program& program, std::uint32_t instruction, std::int64_t cores) {
  const isa::Meeting meeting = isa::meeting_of(program, instruction);
  bool in_hbm = false;
  program.for_each_tile(
      instruction, [&](const isa::OperandInfo& operand, const isa::Tile& tile, isa::Access) {
        in_hbm = in_hbm || (operand.name == "src" && tile.space == isa::Space::hbm);
      });
  return {.kind = meeting.kind,
          .ranks = static_cast<std::int64_t>(meeting.ranks.size()),
          .cores = cores,
          .bytes = meeting.bytes,
          .channels = meeting.channels,
          .in_hbm = in_hbm,
          .follows = meeting.follows};
}

CollectiveTime time_of(const Message& message, const machine::Machine& machine) {
  CollectiveTime time;
  time.algorithm = algorithm_of(message, machine.collective);
  const bool twice = message.kind == CollectiveKind::reduce;
  const bool alone = message.ranks == 1 && message.kind != CollectiveKind::permute;
  time.steps = alone ? 0 : steps_of(time.algorithm, message.ranks) * (twice ? 2 : 1);
  if (message.kind == CollectiveKind::permute) time.steps = 1;
  if (!message.follows)
    time.latency = machine.collective.start + machine.collective.step * time.steps;
  const Bytes part = written(message);
  const bool copies = message.kind != CollectiveKind::scatter;
  const bool reduces = twice || !copies;
  time.moved = {part.value * (twice ? 2 : 1)};
  const machine::Dma& dma = machine.core.dma;
  const machine::Bandwidth engines{dma.packet_rate.bytes_per_second * dma.engines * message.cores};
  const Ticks moving =
      std::max(engines(time.moved),
               at_hbm(copies ? part : Bytes{}, reduces ? part : Bytes{}, message, machine.chip));
  time.moving = moving * message.channels;
  return time;
}

}  // namespace trainyard::fabric
