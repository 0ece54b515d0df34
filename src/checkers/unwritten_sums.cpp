// The engines' accumulators: which lanes of them are undetermined.
#include <fmt/format.h>

#include <algorithm>

#include "checkers/reach.h"
#include "checkers/unwritten.h"

namespace trainyard::checkers {

using isa::Access;
using isa::OperandInfo;
using isa::Tile;

std::optional<std::size_t> UnwrittenCheck::Sums::undetermined() const {
  const auto found = std::ranges::find(lanes, false, &Sum::determined);
  if (found == lanes.end()) return std::nullopt;
  return static_cast<std::size_t>(found - lanes.begin());
}

namespace {

// An instruction without a tile of its own for the sums writes them step by step.
bool gives_sums(const isa::InstructionInfo& info, const OperandInfo& operand) {
  return operand.role == isa::Role::reduction_result ||
         info.with(isa::Role::reduction_result) == nullptr;
}

}  // namespace

std::optional<UnwrittenCheck::Sums> UnwrittenCheck::sums_of(const Step& step) {
  const std::optional<isa::Accumulation> what = isa::accumulation_of(step.info, step.record);
  if (!what) return std::nullopt;
  const bool vector = what->state == isa::HiddenState::vector_accumulator;
  return Sums{*what, std::span(vector ? vector_sums_ : scalar_sums_)
                         .subspan(what->data->partition_start, what->data->partitions)};
}

// `undetermined`: the instruction reduces undetermined values.
void UnwrittenCheck::accumulate(const Step& step, bool undetermined) {
  const std::optional<Sums> sums = sums_of(step);
  if (!sums) return;
  if (sums->what.continues() && sums->undetermined()) give_out(step, *sums);
  const Sum now{!undetermined, step.instruction};
  switch (sums->what.behind()) {
    case isa::Accumulated::kept: break;
    case isa::Accumulated::undefined: std::ranges::fill(sums->lanes, Sum{false, nobody}); break;
    case isa::Accumulated::identity:
      std::ranges::fill(sums->lanes, Sum{true, step.instruction});
      break;
    case isa::Accumulated::added:
      std::ranges::replace_if(
          sums->lanes, [](const Sum& sum) { return sum.determined; }, now);
      break;
    case isa::Accumulated::own: std::ranges::fill(sums->lanes, now); break;
  }
}

// Its result is undetermined in the rows whose accumulators were.
void UnwrittenCheck::give_out(const Step& step, const Sums& sums) {
  const std::size_t first = *sums.undetermined();
  bool given = false;
  isa::for_each_operand_piece(
      step.info, step.record,
      [&](const OperandInfo& operand, const Tile& tile, const Tile& piece, Access access) {
        if (!isa::writes(access) || !piece.on_chip() || !gives_sums(step.info, operand)) return;
        for_each_part(piece, execution_, [&](const Part& part) {
          Tile row = part.tile;
          row.partitions = 1;
          for (int r = 0; r < part.tile.partitions; ++r) {
            row.partition_start = static_cast<std::uint16_t>(part.tile.partition_start + r);
            const auto lane = static_cast<std::size_t>(row.partition_start - tile.partition_start);
            if (!sums.lanes[lane].determined) written_.of(piece).clear(row);
          }
        });
        given = true;
      });
  if (!given) return;
  if (const std::uint32_t by = sums.lanes[first].by; by != nobody)
    return provenance_.passes_on_from(by, step.instruction);
  const std::size_t lane = sums.what.data->partition_start + first;
  provenance_.looked(step.instruction, {.unset = fmt::format("the accumulator of lane {}", lane)});
  provenance_.passed_on(step.instruction);
}

}  // namespace trainyard::checkers
