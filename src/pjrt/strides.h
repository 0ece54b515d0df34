// Moves the elements of an array between two arrangements in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pjrt/abi/common.h"

namespace trainyard::pjrt {

// Bytes from one element to the next along each dimension.
using Strides = std::vector<std::int64_t>;

[[nodiscard]] Strides row_major_strides(std::span<const std::int64_t> shape, std::int64_t element);

// What `layout` says of an array of this shape; row-major without one. Throws Failure for layouts
// with tiles or of another rank.
[[nodiscard]] Strides strides_of(const MemoryLayout* layout, std::span<const std::int64_t> shape,
                                 std::int64_t element);

// Copies every element of `element` bytes. Strides may be negative or zero in the source.
void copy_elements(const std::byte* from, std::span<const std::int64_t> from_strides, std::byte* to,
                   std::span<const std::int64_t> to_strides, std::span<const std::int64_t> shape,
                   std::int64_t element);

}  // namespace trainyard::pjrt
