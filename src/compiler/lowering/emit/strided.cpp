#include "compiler/lowering/emit/strided.h"

#include <algorithm>

#include "base/error.h"
#include "numerics/dtype.h"

namespace trainyard::compiler {

std::vector<std::int64_t> Strided::shape() const {
  std::vector<std::int64_t> sizes;
  for (const Extent& dim : dims) sizes.push_back(dim.size);
  return sizes;
}

std::int64_t Strided::elements() const { return product(dims); }

bool Strided::is_dense() const {
  const std::vector<Extent> walk = merged(dims);
  return walk.empty() || (walk.size() == 1 && walk[0].step == 1);
}

std::int64_t product(std::span<const Extent> dims) {
  std::int64_t n = 1;
  for (const Extent& dim : dims) n *= dim.size;
  return n;
}
std::int64_t product(std::span<const std::int64_t> sizes) {
  std::int64_t n = 1;
  for (const std::int64_t size : sizes) n *= size;
  return n;
}

Strided dense(isa::TensorId tensor, isa::DType dtype, std::span<const std::int64_t> shape) {
  Strided value{.tensor = tensor, .dtype = dtype};
  for (const std::int64_t size : shape) value.dims.push_back({size, 1});
  for (std::size_t i = value.dims.size(); i-- > 1;)
    value.dims[i - 1].step = value.dims[i].step * value.dims[i].size;
  return value;
}

Strided permuted(const Strided& value, std::span<const std::int64_t> order) {
  Strided result = value;
  for (std::size_t i = 0; i < order.size(); ++i)
    result.dims[i] = value.dims.at(static_cast<std::size_t>(order[i]));
  return result;
}

Strided broadcast(const Strided& value, std::span<const std::int64_t> places,
                  std::span<const std::int64_t> shape) {
  Strided result = value;
  result.dims.clear();
  for (const std::int64_t size : shape) result.dims.push_back({size, 0});
  for (std::size_t i = 0; i < places.size(); ++i) {
    Extent& dim = result.dims.at(static_cast<std::size_t>(places[i]));
    dim.step = value.dims[i].size == 1 ? 0 : value.dims[i].step;
  }
  return result;
}

Strided sliced(const Strided& value, std::span<const std::int64_t> starts,
               std::span<const std::int64_t> limits, std::span<const std::int64_t> strides) {
  Strided result = value;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    result.offset += starts[i] * value.dims[i].step;
    result.dims[i] = {(limits[i] - starts[i] + strides[i] - 1) / strides[i],
                      value.dims[i].step * strides[i]};
  }
  return result;
}

Strided reversed_along(const Strided& value, std::size_t dim) {
  Strided result = value;
  Extent& extent = result.dims.at(dim);
  if (extent.size == 0) return result;
  result.offset += (extent.size - 1) * extent.step;
  extent.step = -extent.step;
  return result;
}

std::vector<Extent> merged(std::span<const Extent> dims) {
  std::vector<Extent> walk;
  for (const Extent& dim : dims) {
    if (dim.size == 1) continue;
    if (!walk.empty() && walk.back().step == dim.step * dim.size) {
      walk.back() = {walk.back().size * dim.size, dim.step};
    } else {
      walk.push_back(dim);
    }
  }
  return walk;
}

std::optional<Strided> reshaped(const Strided& value, std::span<const std::int64_t> shape) {
  Strided result = value;
  result.dims.clear();
  if (value.elements() == 0) {
    for (const std::int64_t size : shape) result.dims.push_back({size, 1});
    return result;
  }
  // Each joined dimension is cut into the new ones from its fast end.
  std::vector<Extent> left = merged(value.dims);
  std::vector<Extent> made;
  for (std::size_t i = shape.size(); i-- > 0;) {
    const std::int64_t size = shape[i];
    if (size == 1) {
      made.push_back({1, 1});
      continue;
    }
    if (left.empty() || left.back().size % size != 0) return std::nullopt;
    Extent& from = left.back();
    made.push_back({size, from.step});
    from = {from.size / size, from.step * size};
    if (from.size == 1) left.pop_back();
  }
  base::check(left.empty(), "a reshape keeps every element");
  result.dims.assign(made.rbegin(), made.rend());
  return result;
}

namespace {

void cut(std::span<const Extent> dims, std::int64_t begin, std::int64_t end, std::int64_t first,
         std::int64_t offset, std::size_t rank, std::vector<Piece>& out) {
  if (begin >= end) return;
  if (dims.empty()) {
    out.push_back({first, offset, {}});
    return;
  }
  const std::int64_t inner = product(dims.subspan(1));
  if (begin % inner == 0 && end % inner == 0 && dims.size() <= rank) {
    Piece piece{first, offset + begin / inner * dims[0].step, {dims.begin(), dims.end()}};
    piece.dims[0].size = (end - begin) / inner;
    out.push_back(std::move(piece));
    return;
  }
  // A part of the first row, whole rows, a part of the last one.
  for (std::int64_t at = begin; at < end;) {
    const std::int64_t row = at / inner;
    const std::int64_t row_end = (row + 1) * inner;
    std::int64_t stop = std::min(end, row_end);
    if (at % inner == 0 && dims.size() <= rank) stop = std::max(stop, end / inner * inner);
    if (at % inner == 0 && stop - at >= inner && dims.size() <= rank) {
      cut(dims, at, stop, first + at - begin, offset, rank, out);
    } else {
      cut(dims.subspan(1), at - row * inner, stop - row * inner, first + at - begin,
          offset + row * dims[0].step, rank, out);
    }
    at = stop;
  }
}

}  // namespace

std::vector<Piece> pieces(std::span<const Extent> dims, std::int64_t begin, std::int64_t end,
                          std::size_t rank) {
  std::vector<Piece> out;
  cut(dims, begin, end, begin, 0, rank, out);
  return out;
}

isa::Tile hbm_tile(isa::TensorId tensor, isa::DType dtype, std::int64_t offset,
                   std::span<const Extent> dims) {
  isa::Tile tile{.space = isa::Space::hbm, .dtype = dtype, .tensor = tensor};
  tile.offset = offset * numerics::size_in_bytes(dtype);
  for (const Extent& dim : dims) {
    if (dim.size == 1) continue;
    base::check(tile.rank < isa::rank_max, "a region has the dimensions of a pattern");
    tile.dims.at(tile.rank++) = {static_cast<std::int32_t>(dim.step),
                                 static_cast<std::int32_t>(dim.size)};
  }
  if (tile.rank == 0) {
    tile.rank = 1;
    tile.dims[0] = {1, 1};
  }
  return tile;
}

}  // namespace trainyard::compiler
