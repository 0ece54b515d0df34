#include "compiler/lowering/clusters/row_membership.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/reductions.h"

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

// `in_shares`: a row may lie in several partitions.
bool is_worth_it(const RowSpace& space, bool in_shares) {
  if (space.rows() >= rows_min) return space.columns() >= columns_min;
  if (in_shares) return space.columns() >= columns_min_of_few_rows;
  return space.row_dims > 0 && space.columns() >= columns_min_of_few_rows &&
         space.columns() <= (space.rows() > 1 ? columns_max_of_few_rows : columns_max_of_a_row);
}

// Where dimensions that are all reduced, or all kept, end, and the other ones begin; one element's
// may be either.
struct Turns {
  bool begins_reduced = false;
  std::vector<std::size_t> ends;
};
Turns turns_of(std::span<const std::int64_t> shape, std::span<const std::int64_t> dims) {
  Turns turns;
  std::optional<bool> before;
  std::size_t end = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    const bool is_reduced = std::ranges::find(dims, static_cast<std::int64_t>(i)) != dims.end();
    if (!before) turns.begins_reduced = is_reduced;
    if (before.value_or(is_reduced) != is_reduced) turns.ends.push_back(end);
    before = is_reduced;
    end = i + 1;
  }
  if (before) turns.ends.push_back(end);
  return turns;
}

// A space of which all rows are reduced, or all columns, or the rows of each run.
std::optional<RowSpace> space_of(const std::vector<std::int64_t>& shape, const Op& reduction) {
  const auto dims = reduction.integers("dimensions");
  const Turns turns = turns_of(shape, dims);
  const std::size_t count = turns.ends.size();
  if (count == 2) return RowSpace{.shape = shape, .row_dims = turns.ends[0]};
  if (count == 3 && !turns.begins_reduced)
    return RowSpace{.shape = shape, .row_dims = turns.ends[1], .kept_dims = turns.ends[0]};
  if (count != 1 || !turns.begins_reduced) return std::nullopt;
  // All is one row: the dimensions in front of it that are not reduced.
  return RowSpace{.shape = shape,
                  .row_dims = static_cast<std::size_t>(*std::ranges::min_element(dims))};
}

// Runs that fill bands, whose sums together would not fill the partitions.
bool has_long_runs(const RowSpace& space) {
  constexpr std::int64_t rows_of_run_min = 128, sums_max = 8192;
  return space.kept_dims == 0 || (space.rows() >= space.runs() * rows_of_run_min &&
                                  space.runs() * space.columns() < sums_max);
}

bool is_real(const Type& type) {
  return graph::is_float(type.element) && storage_of(type.element) &&
         graph::bits(type.element) <= 32;
}

}  // namespace

bool may_be_faster_apart(const RowSpace& space) {
  return space.rows() < rows_min && space.columns() > columns_sure_of_few_rows;
}

bool goes_down(const Op& reduction, const RowSpace& space) {
  return std::ranges::any_of(reduction.integers("dimensions"), [&](std::int64_t dim) {
    const auto at = static_cast<std::size_t>(dim);
    return at < space.row_dims && space.shape[at] != 1;
  });
}

std::optional<RowSpace> space_of(const Function& function, const Op& op, bool in_shares) {
  if (op.kind != OpKind::reduce || op.results.size() != 1) return std::nullopt;
  const Type& from = function.type(op.operands[0]);
  if (from.kind != Type::Kind::tensor || !is_real(from) || !is_real(function.type(op.results[0])))
    return std::nullopt;
  const auto how = reduction_of(op.regions.at(0), function.type(op.results[0]).element);
  if (!how) return std::nullopt;
  std::optional<RowSpace> space = space_of(from.shape, op);
  if (!space || !has_long_runs(*space)) return std::nullopt;
  if ((in_shares || goes_down(op, *space)) && *how != numerics::AluOp::add) return std::nullopt;
  return is_worth_it(*space, in_shares) ? space : std::nullopt;
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

RowSpace row_space_of(const Op& cluster) {
  const auto shape = cluster.integers("shape");
  const auto dims = [&](const char* name) {
    return cluster.find(name) == nullptr ? 0 : static_cast<std::size_t>(cluster.integer(name));
  };
  return {.shape = {shape.begin(), shape.end()},
          .row_dims = dims("row_dims"),
          .parts = cluster.integer("parts"),
          .piece = cluster.integer("piece"),
          .share_dims = dims("share_dims"),
          .kept_dims = dims("kept_dims")};
}

std::vector<RowSpace> spaces_of(const Function& function, std::span<const Op> near, const Op& op,
                                const machine::Core& core, bool reduces) {
  const std::optional<RowSpace> space =
      reduces ? space_of(function, op) : elementwise_space_of(function, op, core);
  std::vector<RowSpace> all;
  if (space) all.push_back(*space);
  const std::optional<RowSpace> own = reduces ? space_of(function, op, true) : std::nullopt;
  if (!own || goes_down(op, *own)) return all;
  std::set<std::size_t> begins;
  for (const Op& other : near) {
    const auto beside = space_of(function, other, true);
    if (beside && beside->shape == own->shape && !goes_down(other, *beside))
      begins.insert(beside->row_dims);
  }
  for (const std::size_t begin : begins) {
    for (std::size_t end = begin + 1; end < own->shape.size(); ++end) {
      RowSpace shared{own->shape, begin};
      shared.share_dims = end - begin;
      const bool is_own = own->row_dims == begin || own->row_dims == end;
      if (is_own && shared.shares() > 1 && shared.shares() <= core.sbuf.partitions)
        all.push_back(std::move(shared));
    }
  }
  return all;
}

RowSpace in_pieces(RowSpace space, std::int64_t width_max) {
  constexpr std::int64_t multiple = 16;
  const std::int64_t pieces = base::ceil_div(space.share_columns(), width_max);
  space.piece = multiple * base::ceil_div(space.share_columns(), pieces * multiple);
  return space;
}

std::optional<RowSpace> in_stacks(RowSpace space, std::int64_t rows, const machine::Core& core) {
  constexpr std::int64_t bands_min = 2;  // which overlap
  if (space.parts > 1 || space.piece > 0) return std::nullopt;
  while (rows > 1) {
    if (space.row_dims == 0) return std::nullopt;
    std::int64_t& last = space.shape[space.row_dims - 1];
    if (rows % last == 0) {
      rows /= last;
      --space.row_dims;
    } else if (last % rows == 0) {
      last /= rows;
      space.shape.insert(space.shape.begin() + static_cast<std::ptrdiff_t>(space.row_dims),
                         std::exchange(rows, 1));
    } else {
      return std::nullopt;
    }
    ++space.stack_dims;
  }
  if (space.row_dims <= space.kept_dims && space.kept_dims > 0) return std::nullopt;
  return space.rows() >= bands_min * core.sbuf.partitions ? std::optional(space) : std::nullopt;
}

std::optional<RowSpace> in_shares(RowSpace space, std::int64_t shares) {
  const std::int64_t more = shares / space.shares();
  if (shares % space.shares() != 0 || space.parts > 1) return std::nullopt;
  space.row_dims += std::exchange(space.share_dims, 0);
  if (more == 1) return space;
  if (space.columns() % more != 0) return std::nullopt;
  // The shares' columns as dimensions of which the first is what more shares there are.
  const std::int64_t columns = space.columns() / more;
  space.shape.resize(space.row_dims);
  space.shape.insert(space.shape.end(), {more, columns});
  ++space.row_dims;
  return space;
}

std::int64_t RowSpace::stacked() const {
  return product(std::span(shape).subspan(row_dims, stack_dims));
}
std::int64_t RowSpace::shares() const {
  return product(std::span(shape).subspan(row_dims, share_dims));
}
std::int64_t RowSpace::runs() const { return product(std::span(shape).first(kept_dims)); }
std::int64_t RowSpace::bands(std::int64_t rows_max) const {
  return runs() * base::ceil_div(rows() / runs(), rows_max);
}
std::int64_t RowSpace::pieces() const {
  return piece > 0 ? base::ceil_div(share_columns(), piece) : 1;
}
std::int64_t RowSpace::rows() const { return product(std::span(shape).first(row_dims)); }
std::int64_t RowSpace::columns() const { return product(std::span(shape).subspan(row_dims)); }

}  // namespace trainyard::compiler
