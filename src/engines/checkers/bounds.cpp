#include "engines/checkers/bounds.h"

#include <fmt/format.h>

#include "checks/registry.h"

namespace trainyard::engines {

void check_bounds(const History& history, std::uint32_t instruction,
                  const isa::InstructionInfo& info, const void* original, const void* record,
                  Findings& findings) {
  const isa::Program& program = findings.program();
  for (const isa::OperandInfo& operand : info.operands) {
    std::vector<bool> was_dynamic;
    isa::for_each_tile_of(operand, original,
                          [&](const isa::Tile& tile) { was_dynamic.push_back(tile.dynamic != 0); });
    std::size_t k = 0;
    isa::for_each_tile_of(operand, record, [&](const isa::Tile& tile) {
      if (!was_dynamic[k++] || tile.dynamic != 0) return;
      const isa::Tensor& tensor = program.tensors[tile.tensor];
      const std::int64_t base = tile.on_chip() && tensor.address >= 0 ? tensor.address : 0;
      const std::int64_t low = tile.low_byte() - base, high = tile.high_byte() - base;
      if (low >= 0 && high <= tensor.bytes_per_partition()) return;
      findings.report(
          checks::find("dynamic.bounds"), program.instructions[instruction].location,
          tensor.location, [&] {
            const bool reads = isa::reads(operand.access);
            return Findings::Details{
                .found = fmt::format("{} of {} reaches bytes [{}, {}) of '{}', which has {}{}",
                                     operand.name, info.mnemonic, low, high, tensor.name,
                                     tensor.bytes_per_partition(),
                                     tile.on_chip() ? " in each partition" : ""),
                .sides = {history.side(reads ? "reads" : "writes", instruction),
                          history.created(tile.tensor)},
                .category = base::FaultCategory::out_of_bounds};
          });
    });
  }
}

}  // namespace trainyard::engines
