#include "isa/views/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/views/view_rules.h"

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
  view.dims = row_major(tensor.shape, 1);
  view.partition_elements = view.on_chip() ? tensor.elements() / tensor.shape.at(0) : 0;
  return view;
}

namespace {

// `value` as a field of a tile.
template <typename T>
T narrowed(std::int64_t value, const View& view) {
  if (!std::in_range<T>(value)) {
    refuse_view("view.extent", "a view's sizes and strides fit the fields of a pattern",
                fmt::format("{} in {}", value, words_of(view)), "split the tensor");
  }
  return static_cast<T>(value);
}

}  // namespace

Tile bytes_of(const Program& program, TensorId tensor, DType dtype) {
  const Tensor& what = program.tensors[tensor];
  Tile tile;
  tile.space = what.space;
  tile.dtype = dtype;
  tile.tensor = tensor;
  tile.partitions = static_cast<std::uint16_t>(what.partitions());
  tile.rank = 1;
  tile.dims[0] = {1, static_cast<std::int32_t>(what.bytes_per_partition() / tile.element_bytes())};
  return tile;
}

namespace {

// The same elements in at most rank_max dimensions, where some can be left out or walked as one.
std::vector<ViewDim> with_fewer(std::span<const ViewDim> all) {
  std::vector<ViewDim> dims(all.begin(), all.end());
  std::erase_if(dims, [](const ViewDim& d) { return d.size == 1; });
  for (std::size_t d = 0; dims.size() > rank_max && d + 1 < dims.size();) {
    if (dims[d].stride != dims[d + 1].stride * dims[d + 1].size) {
      ++d;
      continue;
    }
    dims[d] = {dims[d].size * dims[d + 1].size, dims[d + 1].stride};
    dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(d) + 1);
  }
  return dims;
}

}  // namespace

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
      refuse_view("view.partition_step", "an instruction's partitions are contiguous",
                  words_of(view), "take a contiguous range of partitions");
    }
    tile.partition_start = narrowed<std::uint16_t>(offset / view.partition_elements, view);
    tile.partitions = narrowed<std::uint16_t>(view.dims[0].size, view);
    offset %= view.partition_elements;
  }
  tile.offset = offset * tile.element_bytes();
  std::span<const ViewDim> dims = std::span(view.dims).subspan(first);
  std::vector<ViewDim> merged;  // of more than a pattern has
  if (dims.size() > rank_max) dims = merged = with_fewer(dims);
  if (dims.size() > rank_max)
    refuse_view("view.rank", fmt::format("a view is described by at most {} dimensions", rank_max),
                words_of(view));
  for (const ViewDim& dim : dims) {
    tile.dims[tile.rank++] = {narrowed<std::int32_t>(dim.stride, view),
                              narrowed<std::int32_t>(dim.size, view)};
  }
  return tile;
}

namespace {

// What `index` means in dimension `d` of the view, as numbers from 0. Throws InputError
// "view.bounds".
struct Chosen {
  std::int64_t start, stop, step;
};
Chosen chosen(const Index& index, const View& view, std::size_t d) {
  const std::int64_t size = view.dims[d].size;
  const auto from_start = [&](std::int64_t at) {
    return index.from_end && at < 0 ? at + size : at;
  };
  const std::int64_t start = from_start(index.start);
  if (index.kind == Index::Kind::element) {
    if (start >= 0 && start < size) return {start, start + 1, 1};
    refuse_view("view.bounds", "an index lies inside its dimension",
                fmt::format("index {} in dimension {} of {}", index.start, d, words_of(view)));
  }
  const std::int64_t stop = index.stop ? from_start(*index.stop) : size;
  // An empty slice is a view; what an instruction uses is not empty (tile.count).
  if (start >= 0 && start <= stop && stop <= size && index.step >= 1)
    return {start, stop, std::min(index.step, std::max<std::int64_t>(size, 1))};
  refuse_view(
      "view.bounds", "a slice lies inside its dimension and has a positive step",
      fmt::format("[{}:{}{}] in dimension {} of {}", index.start,
                  index.stop ? std::to_string(*index.stop) : "",
                  index.step == 1 ? "" : fmt::format(":{}", index.step), d, words_of(view)));
}

}  // namespace

View index(const View& view, std::span<const Index> indices) {
  if (indices.size() > view.rank()) {
    refuse_view("view.index", "an index has no more entries than the tensor has dimensions",
                fmt::format("{} entries for {}", indices.size(), words_of(view)));
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
      result.offset += chosen(at, view, d).start * dim.stride;
      if (!(view.on_chip() && d == 0)) {
        dropped.push_back({1, dim.stride});
        continue;
      }
      dim.size = 1;
    } else if (at.kind == Index::Kind::range) {
      const auto [start, stop, step] = chosen(at, view, d);
      result.offset += start * dim.stride;
      dim = {(stop - start + step - 1) / step, dim.stride * step};
    }
    if (view.dynamic_dim == static_cast<int>(d)) dynamic_dim = static_cast<int>(result.dims.size());
    result.dims.push_back(dim);
  }
  while (result.dims.size() < least_rank(view)) {
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
  indices.back() = {Index::Kind::element, at};
  return index(view, indices);
}

}  // namespace trainyard::isa
