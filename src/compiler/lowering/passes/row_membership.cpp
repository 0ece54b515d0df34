#include "compiler/lowering/passes/row_membership.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "base/units.h"
#include "compiler/lowering/elementwise/elementwise.h"
#include "compiler/lowering/rows/reduction.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;

// Shorter rows leave engines idle, few rows partitions: other layouts are better then, such as
// those that small products leave values in.
constexpr std::int64_t rows_min = 64, columns_min = 32;
// What a decoding step's few rows have: the RMS norm of one row of 8,192 takes 24 us in one pass,
// and 40 in several, which spread it over the partitions. Of longer ones it is timed which is
// faster (may_be_faster_apart); a single one of 32,768 is three times as fast where it is spread.
constexpr std::int64_t columns_min_of_few_rows = 512, columns_sure_of_few_rows = 8192,
                       columns_max_of_few_rows = 65536, columns_max_of_a_row = 16384;

bool is_worth_it(const RowSpace& space) {
  if (space.rows() >= rows_min) return space.columns() >= columns_min;
  return space.row_dims > 0 && space.columns() >= columns_min_of_few_rows &&
         space.columns() <= (space.rows() > 1 ? columns_max_of_few_rows : columns_max_of_a_row);
}

std::int64_t product_of(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>{});
}

bool is_real(const Type& type) {
  return graph::is_float(type.element) && storage_of(type.element) &&
         graph::bits(type.element) <= 32;
}

}  // namespace

bool may_be_faster_apart(const RowSpace& space) {
  return space.rows() < rows_min && space.columns() > columns_sure_of_few_rows;
}

bool reduces(const Op& op, std::size_t first) {
  const auto dims = op.integers("dimensions");
  for (std::size_t i = 0; i < dims.size(); ++i) {
    if (std::ranges::find(dims, static_cast<std::int64_t>(first + i)) == dims.end()) return false;
  }
  return true;
}

std::optional<RowSpace> space_of(const Function& function, const Op& op) {
  if (op.kind != OpKind::reduce || op.results.size() != 1) return std::nullopt;
  const Type& from = function.type(op.operands[0]);
  if (from.kind != Type::Kind::tensor || !is_real(from) || !is_real(function.type(op.results[0])))
    return std::nullopt;
  const auto how = reduction_of(op.regions.at(0), function.type(op.results[0]).element);
  if (!how) return std::nullopt;
  const std::size_t count = op.integers("dimensions").size();
  RowSpace space{from.shape, from.shape.size() - count};
  if (!reduces(op, space.row_dims)) {
    if (*how != numerics::AluOp::add || !reduces(op, 0)) return std::nullopt;
    space.row_dims = count;
  }
  return is_worth_it(space) ? std::optional(space) : std::nullopt;
}

std::optional<RowSpace> elementwise_space_of(const Function& function, const Op& op,
                                             const machine::Core& core) {
  constexpr std::int64_t width_min = 512, bytes_max = 4096, bands_min = 4;
  if (op.results.size() != 1) return std::nullopt;
  const Type& type = function.type(op.results[0]);
  if (type.kind != Type::Kind::tensor || !type.is_static() || !is_real(type) || type.shape.empty())
    return std::nullopt;
  RowSpace space{type.shape, type.shape.size() - 1};
  while (space.row_dims > 0 && space.columns() < width_min) --space.row_dims;
  if (space.columns() == 0) return std::nullopt;
  const std::int64_t width_max = bytes_max / graph::size_in_bytes(type.element);
  space.parts = base::ceil_div(space.columns(), width_max);
  while (space.columns() % space.parts != 0) ++space.parts;
  const bool fills = space.rows() * space.parts >= bands_min * core.sbuf.partitions &&
                     space.rows() >= core.sbuf.partitions;
  return fills && space.width() >= width_min ? std::optional(space) : std::nullopt;
}

RowSpace in_pieces(RowSpace space, std::int64_t width_max) {
  constexpr std::int64_t multiple = 16;
  const std::int64_t pieces = base::ceil_div(space.columns(), width_max);
  space.piece = multiple * base::ceil_div(space.columns(), pieces * multiple);
  return space;
}

std::int64_t RowSpace::pieces() const { return piece > 0 ? base::ceil_div(columns(), piece) : 1; }
std::int64_t RowSpace::rows() const { return product_of(std::span(shape).first(row_dims)); }
std::int64_t RowSpace::columns() const { return product_of(std::span(shape).subspan(row_dims)); }

}  // namespace trainyard::compiler
