#include "compiler/lowering/sorts/sort_rounds.h"

#include <algorithm>
#include <bit>

namespace trainyard::compiler {

SortRounds sort_rounds(const graph::Op& op, const graph::Type& type) {
  const std::int64_t length = type.shape.at(static_cast<std::size_t>(op.integer("dimension")));
  const auto levels = static_cast<std::int64_t>(
      std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(1, length) - 1)));
  const std::int64_t comparison = std::ranges::count_if(op.regions.at(0).ops, [](const auto& each) {
    return each.kind != graph::OpKind::constant && each.kind != graph::OpKind::return_;
  });
  constexpr std::int64_t moves = 2, of_places = 4 + moves;
  return {.rounds = levels * (levels + 1) / 2,
          .pairs = base::ceil_div(type.elements(), std::int64_t{2}),
          .of_pair = 2 * comparison + of_places + moves * std::ssize(op.operands)};
}

base::Ticks gpsimd_time(std::int64_t elements, std::int64_t instructions,
                        const machine::Core& core) {
  const machine::EngineTimes& gpsimd = core.engine(machine::EngineKind::gpsimd);
  const std::int64_t lanes = core.sbuf.partitions;
  return gpsimd.clock(gpsimd.startup * instructions +
                      core.gpsimd_rates.stream(base::ceil_div(elements, lanes)));
}

}  // namespace trainyard::compiler
