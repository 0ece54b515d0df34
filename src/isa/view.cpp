#include "isa/view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "isa/view_rules.h"

namespace trainyard::isa {

using namespace view_rules;

std::int64_t View::size() const {
  std::int64_t n = 1;
  for (const ViewDim& dim : dims) n *= dim.size;
  return n;
}

bool View::is_contiguous() const {
  std::int64_t stride = 1;
  for (std::size_t d = dims.size(); d-- > (on_chip() ? 1u : 0u);) {
    if (dims[d].size != 1 && dims[d].stride != stride) return false;
    stride *= dims[d].size;
  }
  return true;
}

View view_of(const Program& program, TensorId id) {
  const Tensor& tensor = program.tensors.at(id);
  View view;
  view.tensor = id;
  view.space = tensor.space;
  view.dtype = tensor.dtype;
  view.base_shape = tensor.shape;
  view.dims = row_major(tensor.shape, 1);
  view.partition_elements = view.on_chip() ? tensor.elements() / tensor.shape.at(0) : 0;
  return view;
}

Tile tile_of(const View& view) {
  Tile tile;
  tile.space = view.space;
  tile.dtype = view.dtype;
  tile.tensor = view.tensor;
  tile.dynamic = view.dynamic;
  std::int64_t offset = view.offset;
  std::size_t first = 0;
  if (view.on_chip()) {
    first = 1;
    if (view.dims[0].size > 1 && view.dims[0].stride != view.partition_elements) {
      refuse("view.partition_step", "an instruction's partitions lie side by side", words(view),
             "take a contiguous range of partitions");
    }
    tile.partition_start = static_cast<std::uint16_t>(offset / view.partition_elements);
    tile.partitions = static_cast<std::uint16_t>(view.dims[0].size);
    offset %= view.partition_elements;
  }
  tile.offset = offset * tile.element_bytes();
  std::vector<ViewDim> dims(view.dims.begin() + static_cast<std::ptrdiff_t>(first),
                            view.dims.end());
  if (dims.size() > rank_max) std::erase_if(dims, [](const ViewDim& d) { return d.size == 1; });
  for (std::size_t d = 0; dims.size() > rank_max && d + 1 < dims.size();) {
    if (dims[d].stride != dims[d + 1].stride * dims[d + 1].size) {
      ++d;
      continue;
    }
    dims[d] = {dims[d].size * dims[d + 1].size, dims[d + 1].stride};
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(d) + 1);
  }
  if (dims.size() > rank_max)
    refuse("view.rank", fmt::format("a view is described by at most {} dimensions", rank_max),
           words(view));
  for (const ViewDim& dim : dims) {
    tile.dims[tile.rank++] = {static_cast<std::int32_t>(dim.stride),
                              static_cast<std::int32_t>(dim.size)};
  }
  return tile;
}

View index(const View& view, std::span<const Index> indices) {
  if (indices.size() > view.rank()) {
    refuse("view.index", "an index has no more entries than the tensor has dimensions",
           fmt::format("{} entries for {}", indices.size(), words(view)));
  }
  View result = view;
  result.dims.clear();
  int dynamic_dim = -1;
  std::vector<ViewDim> dropped;
  for (std::size_t d = 0; d < view.rank(); ++d) {
    ViewDim dim = view.dims[d];
    const Index at = d < indices.size() ? indices[d] : Index{};
    if (at.kind != Index::Kind::all) not_the_dynamic_dim(view, d);
    if (at.kind == Index::Kind::element) {
      if (at.start < 0 || at.start >= dim.size) {
        refuse("view.bounds", "an index lies inside its dimension",
               fmt::format("index {} in dimension {} of {}", at.start, d, words(view)));
      }
      result.offset += at.start * dim.stride;
      if (!(view.on_chip() && d == 0)) {
        dropped.push_back({1, dim.stride});
        continue;
      }
      dim.size = 1;
    } else if (at.kind == Index::Kind::range) {
      if (at.start < 0 || at.start >= at.stop || at.stop > dim.size || at.step < 1) {
        refuse("view.bounds",
               "a slice is not empty, lies inside its dimension and has a positive step",
               fmt::format("[{}:{}:{}] in dimension {} of {}", at.start, at.stop, at.step, d,
                           words(view)));
      }
      result.offset += at.start * dim.stride;
      dim = {(at.stop - at.start + at.step - 1) / at.step, dim.stride * at.step};
    }
    if (view.dynamic_dim == static_cast<int>(d)) dynamic_dim = static_cast<int>(result.dims.size());
    result.dims.push_back(dim);
  }
  const std::size_t least = view.on_chip() ? 2 : 1;
  while (result.dims.size() < least) {
    result.dims.push_back(dropped.empty() ? ViewDim{1, 1} : dropped.back());
    if (!dropped.empty()) dropped.pop_back();
  }
  result.dynamic_dim = dynamic_dim;
  return result;
}

View slice(const View& view, std::int64_t dim, std::int64_t start, std::int64_t end,
           std::int64_t step) {
  std::vector<Index> indices(checked_dim(view, dim) + 1);
  indices.back() = {Index::Kind::range, start, end, step};
  return index(view, indices);
}

View select(const View& view, std::int64_t dim, std::int64_t at) {
  std::vector<Index> indices(checked_dim(view, dim) + 1);
  indices.back() = {Index::Kind::element, at, 0, 1};
  return index(view, indices);
}

View permute(const View& view, std::span<const std::int64_t> order) {
  std::vector<std::int64_t> sorted(order.begin(), order.end());
  for (std::int64_t& d : sorted) d = d < 0 ? d + static_cast<std::int64_t>(view.rank()) : d;
  const std::vector<std::int64_t> wanted = sorted;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::int64_t> all(view.rank());
  std::iota(all.begin(), all.end(), 0);
  if (sorted != all) {
    refuse("view.permute", "the order names every dimension once",
           fmt::format("({}) for {}", fmt::join(order, ", "), words(view)));
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
    refuse("view.broadcast", "only a dimension of size 1 is repeated, a positive number of times",
           fmt::format("dimension {} of {} to {}", d, words(view), size));
  }
  View result = view;
  result.dims[d] = {size, 0};
  return result;
}

View expand_dim(const View& view, std::int64_t dim) {
  const auto rank = static_cast<std::int64_t>(view.rank());
  if (dim < 0) dim += rank + 1;
  if (dim < 0 || dim > rank)
    refuse("view.dim", "a new dimension goes between existing ones",
           fmt::format("{} in {}", dim, words(view)));
  const auto d = static_cast<std::size_t>(dim);
  keep_partition_dim(view, d, "expand_dim");
  if (d == 0) not_the_dynamic_dim(view, 0);
  View result = view;
  const std::int64_t stride = d < view.rank() ? view.dims[d].stride * view.dims[d].size : 1;
  result.dims.insert(result.dims.begin() + dim, {1, stride});
  if (view.dynamic_dim >= static_cast<int>(dim)) ++result.dynamic_dim;
  return result;
}

View squeeze_dim(const View& view, std::int64_t dim) {
  const std::size_t d = checked_dim(view, dim);
  keep_partition_dim(view, d, "squeeze_dim");
  not_the_dynamic_dim(view, d);
  if (view.dims[d].size != 1)
    refuse("view.squeeze", "a removed dimension has size 1",
           fmt::format("dimension {} of {}", d, words(view)));
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
    refuse("view.flatten", "the first dimension comes before the last",
           fmt::format("{} to {} of {}", a, b, words(view)));
  if (a == b) return view;
  keep_partition_dim(view, a, "flatten_dims");
  View result = view;
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
    if (outer.stride != merged.stride * merged.size) {
      refuse("view.flatten", "merged dimensions follow each other in memory",
             fmt::format("dimensions {} to {} of {}", a, b, words(view)),
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

View reshape(const View& view, std::span<const std::int64_t> shape) {
  const std::vector<std::int64_t> sizes = inferred(shape, view.size(), view);
  const bool fixed_first = view.on_chip() || (view.dynamic != 0 && view.dynamic_dim == 0);
  if (fixed_first && (sizes.empty() || sizes[0] != view.dims[0].size)) {
    refuse("view.partition_dim", "reshape keeps the partition dimension",
           fmt::format("({}) from {}", fmt::join(sizes, ", "), words(view)),
           "keep shape[0] as it is");
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
      refuse("view.reshape", "the layout allows the new shape without copying",
             fmt::format("({}) from {} with strides ({})", fmt::join(sizes, ", "), words(view),
                         fmt::join(
                             [&] {
                               std::vector<std::int64_t> strides;
                               for (const ViewDim& dim : view.dims) strides.push_back(dim.stride);
                               return strides;
                             }(),
                             ", ")),
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
    refuse("view.reinterpret",
           "bits are read as another dtype along a contiguous last dimension that divides evenly, "
           "on a static view",
           fmt::format("{} as {}", words(view), numerics::name(dtype)));
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
  result.offset = offset ? *offset : view.offset * from / to;
  result.dims.assign(pattern.begin(), pattern.end());
  result.dynamic = 0;
  result.dynamic_dim = -1;
  if (pattern.empty())
    refuse("view.ap", "a pattern has at least one [stride, count] pair", words(view));
  for (const ViewDim& dim : pattern) {
    if (dim.size < 1)
      refuse("view.ap", "every count of a pattern is positive",
             fmt::format("count {} on {}", dim.size, words(view)));
  }
  if (view.on_chip() && pattern[0].size > 1 && pattern[0].stride != result.partition_elements) {
    refuse("view.ap_partition",
           "the first stride of an on-chip pattern is the free size of the tensor, so that "
           "partitions follow each other",
           fmt::format("stride {} where a partition holds {} elements", pattern[0].stride,
                       result.partition_elements),
           "use the number of elements in a partition as the first stride");
  }
  if (view.on_chip() && pattern.size() == 1) result.dims.push_back({1, 1});
  return result;
}

}  // namespace trainyard::isa
