// Constants of a tensor program as the numbers they hold.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/attribute.h"

namespace trainyard::compiler {

// The number that every element of a literal is; nothing where they differ, or where a float64
// does not hold it.
[[nodiscard]] std::optional<double> one_number(const graph::Literal& literal);

// 0, 1, 2 ... of a type; nothing for types that engines do not store.
[[nodiscard]] std::optional<graph::Literal> counting(graph::ElementType type, std::int64_t count);

}  // namespace trainyard::compiler
