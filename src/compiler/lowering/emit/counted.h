// Whole numbers that follow from the counters of hardware loops: a constant, and multiples of
// counters. Such a scalar is computed when the program is compiled, up to the counters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/module.h"
#include "isa/core/operand.h"

namespace trainyard::compiler {

struct Counted {
  struct Term {
    isa::Register counter{};  // from 0 to last, both inclusive
    std::int64_t last = 0;
    std::int64_t scale = 1;
  };
  std::int64_t constant = 0;
  std::vector<Term> terms{};

  [[nodiscard]] bool is_known() const { return terms.empty(); }
  // The least and the greatest that it can be.
  [[nodiscard]] std::int64_t low() const;
  [[nodiscard]] std::int64_t high() const;
};

[[nodiscard]] Counted sum(const Counted& a, const Counted& b);
[[nodiscard]] Counted scaled(const Counted& value, std::int64_t by);

// What an operation makes of scalars of a type; nothing where that is no such number, or does not
// always fit into the type of the result.
[[nodiscard]] std::optional<Counted> counted(const graph::Op& op, std::span<const Counted> operands,
                                             graph::ElementType result);

}  // namespace trainyard::compiler
