// What gather and scatter make of their indices: where each window begins, as one number.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/lowering/lowerer.h"

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

enum class Outside : std::uint8_t {
  moved,    // an index beyond the last window becomes the last one, one below 0 becomes 0
  dropped,  // the offset of such a window is -1
};

// For each index the offset of its window in a dense table, in units of `unit` elements: s32, in
// the indices' shape without vector_dim.
struct Offsets {
  NodeId node = 0;
  std::int64_t unit = 1;
};
// `sizes`: of a window along each table dimension. Nothing where the indices are no 32-bit words or
// the table is too large to count.
[[nodiscard]] std::optional<Offsets> offsets_of(Lowerer& lowerer, const Indexing& how,
                                                graph::ValueId indices, const graph::Type& table,
                                                const std::vector<std::int64_t>& sizes,
                                                Outside outside, graph::LocationId location);

}  // namespace trainyard::compiler
