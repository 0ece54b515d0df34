#include "system/body.h"

#include <array>
#include <cmath>

#include "isa/core/visit.h"
#include "isa/cost/transfer.h"
#include "isa/forms/binary.h"
#include "isa/semantics/meeting.h"

namespace trainyard::system {

namespace {

// The class of service of the DMA engines: 0 is the highest. A strict order is shares so far apart
// that what is left to a lower class beside a higher one is nothing to speak of.
float share_of(const isa::Program& program, std::uint32_t instruction, const machine::Core& core) {
  constexpr int strict_bits = 10;
  if (core.policy.dma_arbitration == machine::DmaArbitration::round_robin) return 1;
  const isa::Transfer transfer = isa::transfer_of_collective(
      program.info_at(instruction), program.record(instruction), {1}, {1}, core);
  const machine::Dma& dma = core.dma;
  const std::array shares{dma.class_share_0, dma.class_share_1, dma.class_share_2,
                          dma.class_share_3};
  if (transfer.priority < 0) return 1;
  const auto of = static_cast<std::size_t>(transfer.priority);
  if (core.policy.dma_arbitration == machine::DmaArbitration::strict_priority)
    return std::ldexp(1.0F, -strict_bits * transfer.priority);
  return static_cast<float>(shares.at(of)) / static_cast<float>(shares.front());
}

// A collective reads and writes one memory.
fabric::Memory memory_of(const isa::Program& program, std::uint32_t instruction) {
  bool on_chip = false;
  program.for_each_tile(instruction,
                        [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
                          if (isa::writes(access)) on_chip = tile.space == isa::Space::sbuf;
                        });
  return on_chip ? fabric::Memory::sbuf : fabric::Memory::hbm;
}

}  // namespace

std::vector<BodyCollective> collectives_of(const isa::Program& program, const machine::Core& core) {
  std::vector<BodyCollective> list;
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Meeting meeting = isa::meeting_of(program, i);
    if (meeting.encounter != isa::Encounter::collective) continue;
    list.push_back({.instruction = i,
                    .meeting = meeting,
                    .is_of_whole_rank = isa::is_of_whole_rank(program, i),
                    .share = share_of(program, i, core),
                    .memory = memory_of(program, i)});
  }
  return list;
}

std::uint64_t time_hash(isa::Program program) {
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    if (isa::meeting_of(program, i).encounter != isa::Encounter::collective) continue;
    for (const isa::OperandInfo& operand : program.info_at(i).operands) {
      isa::visit_operand(operand, program.record(i), [](auto& value) {
        using T = std::remove_cvref_t<decltype(value)>;
        if constexpr (std::is_same_v<T, isa::RankGroups> || std::is_same_v<T, bool>) value = T{};
      });
    }
  }
  return isa::binary_hash(program);
}

}  // namespace trainyard::system
