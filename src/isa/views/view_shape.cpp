// Views with other dimensions: reordered, repeated, split, merged, or with other bits or steps.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "isa/views/view.h"
#include "isa/views/view_rules.h"

namespace trainyard::isa {

using namespace view_rules;

View permute(const View& view, std::span<const std::int64_t> order) {
  std::vector<std::int64_t> sorted(order.begin(), order.end());
  for (std::int64_t& d : sorted) d = d < 0 ? d + static_cast<std::int64_t>(view.rank()) : d;
  const std::vector<std::int64_t> wanted = sorted;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> all(view.rank());
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all) {
    refuse_view("view.permute", "the order names every dimension once",
                fmt::format("({}) for {}", fmt::join(order, ", "), words_of(view)));
  }
  if (wanted[0] != 0) {
    keep_partition_dim(view, 0, "permute");
    if (view.dynamic_dim == 0) not_the_dynamic_dim(view, 0);
  }
  View result = view;
  for (std::size_t d = 0; d < wanted.size(); ++d) {
    const auto from = static_cast<std::size_t>(wanted[d]);
    result.dims[d] = view.dims[from];
    if (view.dynamic_dim == static_cast<int>(from)) result.dynamic_dim = static_cast<int>(d);
  }
  return result;
}

View broadcast(const View& view, std::int64_t dim, std::int64_t size) {
  const std::size_t d = checked_dim(view, dim);
  keep_partition_dim(view, d, "broadcast");
  if (view.dims[d].size != 1 || size < 1) {
    refuse_view("view.broadcast",
                "only a dimension of size 1 is repeated, a positive number of times",
                fmt::format("dimension {} of {} to {}", d, words_of(view), size));
  }
  View result = view;
  result.dims[d] = {size, 0};
  return result;
}

View expand_dim(const View& view, std::int64_t dim) {
  const auto rank = static_cast<std::int64_t>(view.rank());
  if (dim < 0) dim += rank + 1;
  if (dim < 0 || dim > rank)
    refuse_view("view.dim", "a new dimension goes between existing ones",
                fmt::format("{} in {}", dim, words_of(view)));
  const auto d = static_cast<std::size_t>(dim);
  keep_partition_dim(view, d, "expand_dim");
  if (d == 0) not_the_dynamic_dim(view, 0);
  View result = view;
  const std::int64_t stride = d < view.rank() ? view.dims[d].stride * view.dims[d].size : 1;
  result.dims.insert(result.dims.begin() + dim, {1, stride});
  if (view.dynamic_dim >= static_cast<int>(dim)) ++result.dynamic_dim;
  return result;
}

namespace {

void keep_least_rank(const View& view, std::size_t rank) {
  if (rank >= least_rank(view)) return;
  refuse_view("view.least_rank", "an on-chip tensor keeps two dimensions, an HBM tensor one",
              fmt::format("{} of {}", rank, words_of(view)), "keep a dimension of size 1");
}

}  // namespace

View squeeze_dim(const View& view, std::int64_t dim) {
  const std::size_t d = checked_dim(view, dim);
  keep_partition_dim(view, d, "squeeze_dim");
  not_the_dynamic_dim(view, d);
  if (view.dims[d].size != 1)
    refuse_view("view.squeeze", "a removed dimension has size 1",
                fmt::format("dimension {} of {}", d, words_of(view)));
  keep_least_rank(view, view.rank() - 1);
  View result = view;
  result.dims.erase(result.dims.begin() + static_cast<std::ptrdiff_t>(d));
  if (view.dynamic_dim > static_cast<int>(d)) --result.dynamic_dim;
  return result;
}

View reshape_dim(const View& view, std::int64_t dim, std::span<const std::int64_t> shape) {
  const std::size_t d = checked_dim(view, dim);
  const std::vector<std::int64_t> sizes = inferred(shape, view.dims[d].size, view);
  if (sizes.size() == 1) return view;
  keep_partition_dim(view, d, "reshape_dim");
  not_the_dynamic_dim(view, d);
  View result = view;
  const std::vector<ViewDim> split = row_major(sizes, view.dims[d].stride);
  const auto at = result.dims.erase(result.dims.begin() + static_cast<std::ptrdiff_t>(d));
  result.dims.insert(at, split.begin(), split.end());
  if (view.dynamic_dim > static_cast<int>(d))
    result.dynamic_dim += static_cast<int>(split.size()) - 1;
  return result;
}

View flatten_dims(const View& view, std::int64_t first, std::int64_t last) {
  const std::size_t a = checked_dim(view, first), b = checked_dim(view, last);
  if (a > b)
    refuse_view("view.flatten", "the first dimension comes before the last",
                fmt::format("{} to {} of {}", a, b, words_of(view)));
  if (a == b) return view;
  keep_partition_dim(view, a, "flatten_dims");
  View result = view;
  not_the_dynamic_dim(view, b);
  // Merge from the fast end; a dimension of size 1 fits anywhere.
  ViewDim merged = view.dims[b];
  for (std::size_t d = b; d-- > a;) {
    not_the_dynamic_dim(view, d);
    const ViewDim& outer = view.dims[d];
    if (outer.size == 1) continue;
    if (merged.size == 1) {
      merged = outer;
      continue;
    }
    if (outer.stride != merged.stride * merged.size && view.size() != 0) {
      refuse_view("view.flatten", "merged dimensions follow each other in memory",
                  fmt::format("dimensions {} to {} of {}", a, b, words_of(view)),
                  "copy the data into a contiguous tensor first");
    }
    merged.size *= outer.size;
  }
  result.dims.erase(result.dims.begin() + static_cast<std::ptrdiff_t>(a),
                    result.dims.begin() + static_cast<std::ptrdiff_t>(b) + 1);
  result.dims.insert(result.dims.begin() + static_cast<std::ptrdiff_t>(a), merged);
  if (view.dynamic_dim > static_cast<int>(b)) result.dynamic_dim -= static_cast<int>(b - a);
  return result;
}

namespace {

std::vector<std::int64_t> strides_of(const View& view) {
  std::vector<std::int64_t> strides;
  for (const ViewDim& dim : view.dims) strides.push_back(dim.stride);
  return strides;
}

}  // namespace

View reshape(const View& view, std::span<const std::int64_t> shape) {
  const std::vector<std::int64_t> sizes = inferred(shape, view.size(), view);
  keep_least_rank(view, sizes.size());
  if (view.dynamic_dim > 0) not_the_dynamic_dim(view, static_cast<std::size_t>(view.dynamic_dim));
  const bool fixed_first = view.on_chip() || (view.dynamic != 0 && view.dynamic_dim == 0);
  if (fixed_first && (sizes.empty() || sizes[0] != view.dims[0].size)) {
    refuse_view("view.partition_dim", "reshape keeps the partition dimension",
                fmt::format("({}) from {}", fmt::join(sizes, ", "), words_of(view)),
                "keep shape[0] as it is");
  }
  if (view.size() == 0) {
    View empty = view;
    empty.dims = row_major(sizes, 1);
    if (fixed_first) empty.dims[0] = view.dims[0];
    return empty;
  }
  // Walk both shapes from the fast end: each run of old dimensions that lie side by side becomes a
  // run of new ones.
  std::vector<ViewDim> made;
  std::size_t old_end = view.rank(), new_end = sizes.size();
  const std::size_t stop = fixed_first ? 1 : 0;
  while (new_end > stop) {
    std::int64_t wanted = sizes[new_end - 1], have = 1;
    std::size_t new_begin = new_end - 1, old_begin = old_end;
    std::int64_t stride = 0;
    while (have != wanted) {
      if (have < wanted) {
        if (old_begin == stop) break;
        const ViewDim& dim = view.dims[--old_begin];
        if (dim.size == 1) continue;
        if (have == 1) stride = dim.stride;
        if (dim.stride != stride * have && have != 1) break;
        have *= dim.size;
      } else {
        if (new_begin == stop) break;
        wanted *= sizes[--new_begin];
      }
    }
    if (have != wanted) {
      refuse_view("view.reshape", "the layout allows the new shape without copying",
                  fmt::format("({}) from {} with strides ({})", fmt::join(sizes, ", "),
                              words_of(view), fmt::join(strides_of(view), ", ")),
                  "copy the data into a contiguous tensor first");
    }
    if (have == 1) stride = made.empty() ? 1 : made.front().stride * made.front().size;
    const std::vector<ViewDim> run =
        row_major(std::span(sizes).subspan(new_begin, new_end - new_begin), stride);
    made.insert(made.begin(), run.begin(), run.end());
    old_end = old_begin;
    new_end = new_begin;
  }
  if (fixed_first) made.insert(made.begin(), view.dims[0]);
  View result = view;
  result.dims = std::move(made);
  return result;
}

View reinterpret(const View& view, DType dtype) {
  const std::int64_t from = numerics::size_in_bytes(view.dtype),
                     to = numerics::size_in_bytes(dtype);
  View result = view;
  result.dtype = dtype;
  if (from == to) return result;
  ViewDim& last = result.dims.back();
  const bool side_by_side = last.stride == 1 || last.size == 1;
  const auto scaled = [&](std::int64_t elements) { return elements * from / to; };
  bool divides = last.size * from % to == 0 && view.offset * from % to == 0;
  for (std::size_t d = 0; d + 1 < view.rank(); ++d)
    divides = divides && view.dims[d].stride * from % to == 0;
  if (!side_by_side || !divides || (view.on_chip() && view.rank() < 2) || view.dynamic != 0) {
    refuse_view(
        "view.reinterpret",
        "bits are read as another dtype along a contiguous last dimension that divides evenly, "
        "on a static view",
        fmt::format("{} as {}", words_of(view), numerics::name(dtype)));
  }
  for (std::size_t d = 0; d + 1 < result.rank(); ++d)
    result.dims[d].stride = scaled(result.dims[d].stride);
  last = {scaled(last.size), 1};
  result.offset = scaled(view.offset);
  result.partition_elements = scaled(view.partition_elements);
  return result;
}

View ap(const View& view, std::span<const ViewDim> pattern, std::optional<std::int64_t> offset,
        DType dtype) {
  const std::int64_t from = numerics::size_in_bytes(view.dtype),
                     to = numerics::size_in_bytes(dtype);
  View result = view;
  result.dtype = dtype;
  result.partition_elements = view.partition_elements * from / to;
  result.offset = view.offset * from / to + offset.value_or(0);
  result.dims.assign(pattern.begin(), pattern.end());
  result.dynamic = 0;
  result.dynamic_dim = -1;
  if (view.dynamic != 0)
    refuse_view("view.indirect_once", "a view has at most one run-time index", words_of(view),
                "call ap() on the tensor itself, with scalar_offset or vector_offset");
  if (view.offset * from % to != 0 || view.partition_elements * from % to != 0)
    refuse_view(
        "view.reinterpret", "a view starts on a whole element of the new dtype",
        fmt::format("{} at element {} as {}", words_of(view), view.offset, numerics::name(dtype)));
  if (pattern.empty() || result.offset < 0)
    refuse_view("view.ap",
                "a pattern has at least one [stride, count] pair and does not start before "
                "its tensor",
                fmt::format("{} pairs from element {}", pattern.size(), result.offset));
  for (const ViewDim& dim : pattern) {
    if (dim.size < 1)
      refuse_view("view.ap", "every count of a pattern is positive",
                  fmt::format("count {} on {}", dim.size, words_of(view)));
  }
  // A view counts as a tensor of its own shape too: nki-library makes patterns from a view's sizes.
  std::int64_t own = 1;
  for (std::size_t d = 1; d < view.rank(); ++d) own *= view.dims[d].size;
  if (view.on_chip() && pattern[0].stride == own * from / to)
    result.dims[0].stride = result.partition_elements;
  if (view.on_chip() && pattern[0].size > 1 && result.dims[0].stride != result.partition_elements) {
    refuse_view(
        "view.ap_partition",
        "the first stride of an on-chip pattern is the free size of the tensor or of the view, so "
        "that partitions follow each other",
        fmt::format("stride {} where a partition holds {} elements", pattern[0].stride,
                    result.partition_elements),
        "use the number of elements in a partition as the first stride");
  }
  if (view.on_chip() && pattern.size() == 1) result.dims.push_back({1, 1});
  return result;
}

}  // namespace trainyard::isa
