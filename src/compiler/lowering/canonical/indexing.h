// The dimensions of gathers and scatters, under names that both share.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/module.h"

namespace trainyard::compiler {

// The dimension numbers of a gather or a scatter under one set of names. `table` is the value that
// is read or updated.
struct Indexing {
  std::vector<std::int64_t> windowed{};       // dims of the result or updates that walk a window
  std::vector<std::int64_t> collapsed{};      // table dims that a window has one element of
  std::vector<std::int64_t> table_batches{};  // table dims that go along with ...
  std::vector<std::int64_t> index_batches{};  // ... these dims of the indices
  std::vector<std::int64_t> indexed{};        // the table dim of each component of an index
  std::int64_t vector_dim = 0;                // the dim of the indices that holds components
};
[[nodiscard]] Indexing indexing_of_gather(const graph::Op& op);
[[nodiscard]] Indexing indexing_of_scatter(const graph::Op& op);

// The table dimensions that a window walks, in order.
[[nodiscard]] std::vector<std::int64_t> window_dims(const Indexing& how, std::int64_t table_rank);

// The dimensions of a value of that rank which `those` does not name, in order.
[[nodiscard]] std::vector<std::int64_t> others(std::int64_t rank,
                                               const std::vector<std::int64_t>& those);

}  // namespace trainyard::compiler
