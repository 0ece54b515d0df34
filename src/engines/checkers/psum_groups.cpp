#include "engines/checkers/psum_groups.h"

#include <fmt/format.h>

namespace trainyard::engines {

PsumGroupCheck::PsumGroupCheck(const isa::Program& program, const isa::Execution& execution,
                               Findings& findings)
    : program_(program),
      findings_(findings),
      any_writer_(execution.machine.features.accumulate_on_any_write),
      begun_(execution.core.psum.partitions(), execution.core.psum.bytes_per_partition()) {}

void PsumGroupCheck::apply(std::uint32_t instruction, isa::Engine engine,
                           const isa::InstructionInfo& info, const void* record) {
  isa::for_each_tile(
      info, record, program_.dynamics,
      [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access access) {
        if (tile.space != isa::Space::psum || !isa::writes(access) || tile.dynamic != 0) return;
        if (engine != isa::Engine::tensor && !any_writer_) return begun_.clear(tile);
        if (engine != isa::Engine::tensor || !isa::reads(access)) return begun_.mark(tile);
        const std::optional<Coverage::Place> missing = begun_.first_clear(tile);
        if (!missing) return;
        findings_.report(
            {base::FaultCategory::undefined_behavior,
             {"psum.group",
              any_writer_
                  ? "a matmul adds only to PSUM bytes that were written before"
                  : "a matmul adds only to PSUM bytes that an overwriting matmul wrote last",
              program_.place(instruction),
              fmt::format("{} adds to '{}' at partition {}, byte {}, where no sum was begun",
                          info.mnemonic, program_.tensors[tile.tensor].name, missing->partition,
                          missing->byte),
              "let the first matmul of the sum overwrite (accumulate=False)"}});
      });
}

}  // namespace trainyard::engines
