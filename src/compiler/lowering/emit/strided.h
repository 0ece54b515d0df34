// A value of a tensor program as it lies in HBM: elements of one tensor at regular steps. Moving
// data in the sense of StableHLO (transpose, broadcast, slice, most reshapes) makes another view
// and moves nothing; elements move when an instruction reads them.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "isa/core/tile.h"

namespace trainyard::compiler {

struct Extent {
  std::int64_t size = 1;
  std::int64_t step = 1;  // elements; 0 repeats
  friend auto operator<=>(const Extent&, const Extent&) = default;
};

struct Strided {
  isa::TensorId tensor = isa::no_tensor;
  isa::DType dtype = isa::DType::float32;
  std::int64_t offset = 0;  // elements
  std::vector<Extent> dims{};

  [[nodiscard]] std::vector<std::int64_t> shape() const;
  [[nodiscard]] std::int64_t elements() const;
  // Row-major without gaps.
  [[nodiscard]] bool is_dense() const;
  friend bool operator==(const Strided&, const Strided&) = default;
};

[[nodiscard]] Strided dense(isa::TensorId tensor, isa::DType dtype,
                            std::span<const std::int64_t> shape);
// Dimension i of the result is dimension order[i] of the value.
[[nodiscard]] Strided permuted(const Strided& value, std::span<const std::int64_t> order);
// Dimension i of the value becomes dimension places[i] of the result; the others repeat.
[[nodiscard]] Strided broadcast(const Strided& value, std::span<const std::int64_t> places,
                                std::span<const std::int64_t> shape);
[[nodiscard]] Strided sliced(const Strided& value, std::span<const std::int64_t> starts,
                             std::span<const std::int64_t> limits,
                             std::span<const std::int64_t> strides);
// The last element of a dimension becomes its first.
[[nodiscard]] Strided reversed_along(const Strided& value, std::size_t dim);
// Nothing where elements would have to move.
[[nodiscard]] std::optional<Strided> reshaped(const Strided& value,
                                              std::span<const std::int64_t> shape);

// The same walk with neighbours joined where one dimension does, and single-element ones left out.
[[nodiscard]] std::vector<Extent> merged(std::span<const Extent> dims);
[[nodiscard]] std::int64_t product(std::span<const Extent> dims);
[[nodiscard]] std::int64_t product(std::span<const std::int64_t> sizes);

// A rectangle of a walk: elements [begin, begin + product(dims)), the first of them `offset`
// elements on.
struct Piece {
  std::int64_t begin = 0;
  std::int64_t offset = 0;
  std::vector<Extent> dims;
};
// Elements [begin, end) of the walk over `dims`, in order, in as few rectangles of at most `rank`
// dimensions as its shape allows.
[[nodiscard]] std::vector<Piece> pieces(std::span<const Extent> dims, std::int64_t begin,
                                        std::int64_t end, std::size_t rank);

// The instruction operand for a region of an HBM tensor.
[[nodiscard]] isa::Tile hbm_tile(isa::TensorId tensor, isa::DType dtype, std::int64_t offset,
                                 std::span<const Extent> dims);

}  // namespace trainyard::compiler
