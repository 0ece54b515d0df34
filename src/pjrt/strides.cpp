#include "pjrt/strides.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "pjrt/error.h"

namespace trainyard::pjrt {

namespace {

Strides minor_to_major_strides(const TiledLayout& layout, std::span<const std::int64_t> shape,
                               std::int64_t element) {
  if (layout.num_tiles > 0) {
    throw Failure(ErrorCode::unimplemented,
                  "a tiled layout was asked for; buffers of this plugin are linear");
  }
  if (layout.minor_to_major_size != shape.size()) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("the layout orders {} dimensions, the array has {}",
                              layout.minor_to_major_size, shape.size()));
  }
  Strides strides(shape.size(), 0);
  std::vector<bool> seen(shape.size(), false);
  std::int64_t step = element;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t dimension = layout.minor_to_major[i];
    if (dimension < 0 || dimension >= std::ssize(shape) ||
        seen[static_cast<std::size_t>(dimension)]) {
      throw Failure(ErrorCode::invalid_argument,
                    "minor_to_major is not a permutation of the dimensions");
    }
    const auto at = static_cast<std::size_t>(dimension);
    seen[at] = true;
    strides[at] = step;
    step *= shape[at];
  }
  return strides;
}

}  // namespace

Strides row_major_strides(std::span<const std::int64_t> shape, std::int64_t element) {
  Strides strides(shape.size(), element);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

Strides strides_of(const MemoryLayout* layout, std::span<const std::int64_t> shape,
                   std::int64_t element) {
  if (layout == nullptr) return row_major_strides(shape, element);
  if (layout->type == LayoutType::tiled)
    return minor_to_major_strides(layout->tiled, shape, element);
  if (layout->strides.num_byte_strides != shape.size()) {
    throw Failure(ErrorCode::invalid_argument,
                  fmt::format("the layout has {} strides, the array {} dimensions",
                              layout->strides.num_byte_strides, shape.size()));
  }
  return {layout->strides.byte_strides, layout->strides.byte_strides + shape.size()};
}

void copy_elements(const std::byte* from, std::span<const std::int64_t> from_strides, std::byte* to,
                   std::span<const std::int64_t> to_strides, std::span<const std::int64_t> shape,
                   std::int64_t element) {
  if (std::ranges::find(shape, 0) != shape.end()) return;
  // Dimensions at the end that are dense on both sides are one block.
  std::int64_t block = element;
  std::size_t rank = shape.size();
  while (rank > 0 && from_strides[rank - 1] == block && to_strides[rank - 1] == block)
    block *= shape[--rank];
  std::vector<std::int64_t> index(rank, 0);
  while (true) {
    std::memcpy(to, from, static_cast<std::size_t>(block));
    std::size_t d = rank;
    while (d > 0) {
      --d;
      from += from_strides[d];
      to += to_strides[d];
      if (++index[d] < shape[d]) break;
      from -= from_strides[d] * shape[d];
      to -= to_strides[d] * shape[d];
      index[d] = 0;
      if (d == 0) return;
    }
    if (rank == 0) return;
  }
}

}  // namespace trainyard::pjrt
