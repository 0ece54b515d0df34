#include "isa/views/view_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace trainyard::isa::view_rules {

namespace {

std::vector<std::int64_t> shape_of(const View& view) {
  std::vector<std::int64_t> shape;
  for (const ViewDim& dim : view.dims) shape.push_back(dim.size);
  return shape;
}

}  // namespace

[[noreturn]] void refuse_view(std::string_view label, std::string_view rule, std::string found,
                              std::string_view fix) {
  throw base::InputError(
      {std::string(label), std::string(rule), {}, std::move(found), std::string(fix)});
}

std::string words_of(const View& view) {
  return fmt::format("{} {} ({})", name(view.space), numerics::name(view.dtype),
                     fmt::join(shape_of(view), ", "));
}

std::size_t checked_dim(const View& view, std::int64_t dim) {
  const auto rank = static_cast<std::int64_t>(view.rank());
  if (dim < 0) dim += rank;
  if (dim < 0 || dim >= rank)
    refuse_view("view.dim", "a dimension exists",
                fmt::format("dimension {} of {}", dim, words_of(view)));
  return static_cast<std::size_t>(dim);
}

void keep_partition_dim(const View& view, std::size_t dim, std::string_view what) {
  if (view.on_chip() && dim == 0) {
    refuse_view("view.partition_dim",
                "the partition dimension of an on-chip tensor stays where it is",
                fmt::format("{} of dimension 0 of {}", what, words_of(view)),
                "move data across partitions with an instruction");
  }
}

std::size_t least_rank(const View& view) { return view.on_chip() ? 2 : 1; }

void not_the_dynamic_dim(const View& view, std::size_t dim) {
  if (view.dynamic != 0 && view.dynamic_dim == static_cast<int>(dim)) {
    refuse_view("view.indirect_dim", "a dimension chosen at run time is not sliced, split or moved",
                words_of(view));
  }
}

// Row-major strides of `shape`, the last dimension having `stride`.
std::vector<ViewDim> row_major(std::span<const std::int64_t> shape, std::int64_t stride) {
  std::vector<ViewDim> dims(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    dims[d] = {shape[d], stride};
    stride *= shape[d];
  }
  return dims;
}

std::int64_t product(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{1}, std::multiplies<>());
}

// `shape` with its one -1 replaced, so that it has `total` elements.
std::vector<std::int64_t> inferred(std::span<const std::int64_t> shape, std::int64_t total,
                                   const View& view) {
  std::vector<std::int64_t> result(shape.begin(), shape.end());
  const auto open = std::count(result.begin(), result.end(), -1);
  if (open == 1) {
    const std::int64_t rest = -product(result);
    if (rest > 0 && total % rest == 0) *std::find(result.begin(), result.end(), -1) = total / rest;
  }
  const std::int64_t least = total == 0 ? 0 : 1;
  if (product(result) != total || open > 1 ||
      std::any_of(result.begin(), result.end(), [&](std::int64_t n) { return n < least; })) {
    refuse_view(
        "view.reshape",
        "a new shape has the same number of elements, all sizes positive, at most one of them -1",
        fmt::format("({}) from {}", fmt::join(shape, ", "), words_of(view)));
  }
  return result;
}

}  // namespace trainyard::isa::view_rules
