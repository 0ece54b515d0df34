#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lint/lint.h"
#include "lint/report.h"

namespace trainyard::lint {

namespace {

// The largest operand of an instruction of the Vector, Scalar or GpSimd engine.
struct Size {
  std::int64_t elements = 0;  // in each partition
  std::int64_t partitions = 0;
};

Size size_of(const isa::Program& program, std::uint32_t i) {
  Size size;
  program.for_each_tile(i, [&](const isa::OperandInfo&, const isa::Tile& tile, isa::Access) {
    if (!tile.on_chip()) return;
    size.elements = std::max(size.elements, tile.free_elements());
    size.partitions = std::max<std::int64_t>(size.partitions, tile.partitions);
  });
  return size;
}

struct Group {
  std::uint32_t first = 0;  // instruction
  std::int64_t count = 0;
  std::int64_t fixed = 0;  // cycles besides those of the elements, of the first
  Size size;
};

// Instructions of one source line fewer than this are not worth a word.
constexpr std::int64_t count_min = 32;

}  // namespace

void inspect_sizes(const isa::Program& program, const machine::Core& core,
                   checkers::Findings& findings) {
  std::map<std::uint32_t, Group> short_rows;  // by frame
  for (std::uint32_t i = 0; i < program.instructions.size(); ++i) {
    const isa::Instruction& instruction = program.instructions[i];
    const isa::InstructionInfo& info = program.info_at(i);
    const bool streams = instruction.engine == isa::Engine::vector ||
                         instruction.engine == isa::Engine::scalar ||
                         instruction.engine == isa::Engine::gpsimd;
    if (info.kind != isa::Kind::compute || !streams) continue;
    const Size size = size_of(program, i);
    const std::int64_t cycles =
        info.cycles(program.record(i), instruction.engine, core).occupancy.value;
    const std::int64_t fixed = cycles - size.elements;
    if (size.elements < fixed) {
      Group& group = short_rows[program.locations[instruction.location].frame];
      if (group.count++ == 0) group = {i, 1, fixed, size};
    } else if (2 * size.partitions <= core.sbuf.partitions && size.elements > 4 * fixed) {
      report(findings, "perf.few_partitions", {"computes", i}, std::nullopt, [&] {
        return fmt::format("{} works on {} elements in each of {} partitions of {}", info.mnemonic,
                           size.elements, size.partitions, core.sbuf.partitions);
      });
    }
  }
  for (const auto& [frame, group] : short_rows) {
    if (group.count < count_min) continue;
    report(findings, "perf.short_rows", {"computes", group.first}, std::nullopt, [&] {
      return fmt::format(
          "{} instructions like this {} of {} elements in a row, which takes {} "
          "cycles more than its elements",
          group.count, program.info_at(group.first).mnemonic, group.size.elements, group.fixed);
    });
  }
}

}  // namespace trainyard::lint
