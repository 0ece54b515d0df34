#include "fabric/collective_plan.h"

#include <algorithm>
#include <array>
#include <bit>

#include "isa/semantics/meeting.h"

namespace trainyard::fabric {

namespace {

using base::Bytes;
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
    case Algorithm::halving:
      return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(ranks - 1)));
    case Algorithm::ring: return ranks - 1;
  }
  return 0;
}

// The bytes that each rank writes in one gather or scatter: all parts but its own.
Bytes parts_of(const Message& message) {
  if (message.kind == CollectiveKind::permute) return message.bytes;
  return {message.bytes.value / message.ranks * (message.ranks - 1)};
}

}  // namespace

std::string_view name(Algorithm algorithm) {
  constexpr std::array<std::string_view, 3> names{"mesh", "halving", "ring"};
  return names.at(static_cast<std::size_t>(algorithm));
}

Message message_of(const isa::Program& program, std::uint32_t instruction, std::int32_t rank) {
  const isa::Meeting meeting = isa::meeting_of(program, instruction, rank);
  return {.kind = meeting.kind,
          .ranks = static_cast<std::int64_t>(meeting.ranks.size()),
          .bytes = meeting.bytes,
          .follows = meeting.follows};
}

CollectivePlan plan_of(const Message& message, const machine::Machine& machine) {
  CollectivePlan plan;
  plan.algorithm = algorithm_of(message, machine.collective);
  const bool twice = message.kind == CollectiveKind::reduce;
  const bool alone = message.ranks == 1 && message.kind != CollectiveKind::permute;
  plan.steps = alone ? 0 : steps_of(plan.algorithm, message.ranks) * (twice ? 2 : 1);
  if (message.kind == CollectiveKind::permute) plan.steps = 1;
  if (!message.follows)
    plan.latency = machine.collective.start + machine.collective.step * plan.steps;
  // A byte that is copied is read and written; one that is reduced is added to another one, which
  // is read, too.
  const Bytes part = parts_of(message);
  const bool copies = message.kind != CollectiveKind::scatter;
  const bool reduces = twice || !copies;
  plan.written = {part.value * (twice ? 2 : 1)};
  plan.read = {part.value * ((copies ? 1 : 0) + (reduces ? 2 : 0))};
  return plan;
}

}  // namespace trainyard::fabric
