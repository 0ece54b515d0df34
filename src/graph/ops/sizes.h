// Rules about sizes that several records share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/ops/record.h"

namespace trainyard::graph {

[[nodiscard]] bool is_size(std::int64_t size, WideInteger wanted);  // or not known
[[nodiscard]] std::int64_t size_along(const Type& type, std::int64_t dimension);
[[nodiscard]] bool is_square(const Type& type);  // matrices
// Where a slice begins: a scalar for each dimension from operand `first` on.
void start_indices(OpCheck& c, std::size_t first, std::size_t rank);
// Inputs of one shape, an initial scalar for each, as many results. How many; none where a rule is
// broken.
[[nodiscard]] std::size_t inputs_and_initials(OpCheck& c);
// What is left in a part of sizes that are whole dimensions.
[[nodiscard]] std::vector<std::int64_t> sizes_of_part(std::span<const std::int64_t> sizes,
                                                      std::span<const std::int64_t> shape,
                                                      std::span<const std::int64_t> ways);

}  // namespace trainyard::graph
