// Masks that keep a band along the diagonal, as causal and sliding-window attention have them: told
// from the arithmetic on indices that makes them.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "graph/module.h"

namespace trainyard::compiler {

// Keeps the elements with low <= column - row <= high.
struct DiagonalMask {
  static constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max() / 4;
  std::int64_t low = -far, high = far;

  [[nodiscard]] bool keeps(std::int64_t row, std::int64_t column) const {
    return low <= column - row && column - row <= high;
  }
  friend bool operator==(const DiagonalMask&, const DiagonalMask&) = default;
  // Whether each row keeps something.
  [[nodiscard]] bool keeps_in_all(std::int64_t rows, std::int64_t columns) const {
    return low <= high && high >= 0 && rows - 1 + low <= columns - 1;
  }
};

// The mask that a value of [..., rows, columns] of pred is; nothing where it is another one, or is
// not known.
[[nodiscard]] std::optional<DiagonalMask> diagonal_mask(const graph::Function& function,
                                                        const Definitions& definitions,
                                                        graph::ValueId value);

// What adds 0 where a mask keeps an element and one number elsewhere.
struct DiagonalBias {
  DiagonalMask kept{};
  double elsewhere = 0;
};
// The bias that a real value of [..., rows, columns] is; nothing where it is another one, or is not
// known.
[[nodiscard]] std::optional<DiagonalBias> diagonal_bias(const graph::Function& function,
                                                        const Definitions& definitions,
                                                        graph::ValueId value);

// The value of pred that a comparison tells again: whether it is not 0 as a number.
[[nodiscard]] std::optional<graph::ValueId> tested_value(const graph::Function& function,
                                                         const Definitions& definitions,
                                                         const graph::Op& compare);

}  // namespace trainyard::compiler
