// Sorts of rows by any comparison, on chip, each row spread over several partitions: a bitonic
// network, whose rounds between partitions are done on transposed tiles. All values move together.
#pragma once

#include <cstdint>
#include <optional>

#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// How rows lie on chip: each on so many partitions, each of which has so many of its elements.
struct RowSpread {
  std::int64_t partitions = 1, columns = 0;
  std::int64_t columns_at_once = 0;  // of all the rows in a tile
  std::int64_t cycles = 0;           // of the Vector engine, an estimate
};

// Cycles of a pair of a round: of the comparison, which two tiles take two each; values that move.
struct NetworkPasses {
  std::int64_t comparison = 5;  // of ascending keys
  std::int64_t values = 2;
};

// What a network takes of the Vector engine whose rows lie so, an estimate.
[[nodiscard]] std::int64_t network_cycles(std::int64_t rows, std::int64_t partitions,
                                          std::int64_t columns, const NetworkPasses& passes,
                                          const machine::Core& core);

// The fastest spread of the operation's rows; nothing where a row does not fit on chip. `by_key`:
// the order is the ascending one of the first operand; otherwise as the region compares.
[[nodiscard]] std::optional<RowSpread> spread_of(Lowerer& lowerer, const graph::Op& op,
                                                 bool by_key);

void sort_spread(Lowerer& lowerer, const graph::Op& op, const RowSpread& spread, bool by_key);

}  // namespace trainyard::compiler
