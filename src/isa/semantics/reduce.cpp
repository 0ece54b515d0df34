#include "isa/semantics/reduce.h"

#include <algorithm>
#include <cstring>

#include "isa/semantics/elementwise.h"

namespace trainyard::isa::reduce {

using numerics::AluOp;

namespace {

// One result for each row of contiguous elements.
void whole_rows(const Tile& dst, const Tile& data, AluOp op, bool negate, Execution& e) {
  std::vector<float>& results = e.rows[4];
  const auto rows = static_cast<std::size_t>(data.partitions);
  results.assign(rows, numerics::reduction_identity(op));
  numerics::reduce_rows(op, data.dtype, place(data, e, 0), rows, partition_stride(data, e),
                        static_cast<std::size_t>(data.free_elements()), results.data());
  if (negate) {
    numerics::apply_scalar(AluOp::multiply, results.data(), -1, false, results.data(), rows);
  }
  store_column(dst, e, results);
}

}  // namespace

void floats(const Tile& dst, const Tile& data, AluOp op, std::int64_t group, bool negate,
            Execution& e) {
  const auto n = static_cast<std::size_t>(data.free_elements());
  const auto size = static_cast<std::size_t>(group);
  const std::size_t groups = n / size;
  // A subtraction starts with the first element of each group, which is then skipped.
  const std::size_t skip = op == AluOp::subtract ? 1 : 0;
  const auto identity = [&](const float* x) {
    return skip == 1 ? *x : numerics::reduction_identity(op);
  };
  if (groups == 1 && dense(data) && skip == 0 && size != 0)
    return whole_rows(dst, data, op, negate, e);
  const SourceRows in(data, e, e.rows[0]);
  std::vector<float>& block = e.rows[3];
  std::vector<float>& results = e.rows[4];
  // Rows are gathered so that many independent groups are reduced together.
  const int rows_max = groups >= elementwise::block_rows ? 1 : elementwise::block_rows;
  block.resize(n * static_cast<std::size_t>(rows_max));
  results.resize(groups * static_cast<std::size_t>(rows_max));
  for (int first = 0; first < data.partitions; first += rows_max) {
    const int rows = std::min(rows_max, data.partitions - first);
    const std::size_t all = groups * static_cast<std::size_t>(rows);
    for (int r = 0; r < rows; ++r)
      std::memcpy(block.data() + static_cast<std::size_t>(r) * n, in[first + r], n * sizeof(float));
    for (std::size_t g = 0; g < all; ++g) results[g] = identity(&block[g * size]);
    if (size > skip)
      numerics::reduce_rows(op, block.data() + skip, all, size, size - skip, results.data());
    if (negate)
      numerics::apply_scalar(AluOp::multiply, results.data(), -1, false, results.data(), all);
    for (int r = 0; r < rows; ++r)
      store_floats(dst, e, first + r, results.data() + static_cast<std::size_t>(r) * groups);
  }
}

void bits(const Tile& dst, const Tile& data, AluOp op, std::int64_t group, Execution& e) {
  const auto n = static_cast<std::size_t>(data.free_elements());
  const auto size = static_cast<std::size_t>(group);
  const std::size_t groups = n / size;
  std::uint32_t* row = elementwise::pattern_row(e.raw[0], n);
  std::uint32_t* results = elementwise::pattern_row(e.raw[1], groups);
  for (int p = 0; p < data.partitions; ++p) {
    load_patterns(data, e, p, row);
    for (std::size_t g = 0; g < groups; ++g)
      results[g] = numerics::reduce_bits(op, &row[g * size + 1], size - 1, row[g * size]);
    store_patterns(dst, e, p, results);
  }
}

}  // namespace trainyard::isa::reduce
