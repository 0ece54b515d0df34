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

// Fewer rows leave partitions idle, shorter ones engines: other layouts are better then.
constexpr std::int64_t rows_min = 64, columns_min = 32;
std::int64_t product_of(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>{});
}

bool is_real(const Type& type) {
  return graph::is_float(type.element) && storage_of(type.element) &&
         graph::bits(type.element) <= 32;
}

}  // namespace

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
  if (space.rows() < rows_min || space.columns() < columns_min) return std::nullopt;
  return space;
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
