// A tile is what an instruction reads or writes: a rectangle of partitions of SBUF or PSUM with one
// access pattern that every partition shares, or a strided region of an HBM tensor. It is an
// address computation, not storage. Source: NKI access patterns deep dive (nki-aps), NeuronCore-v2
// architecture guide "Tensor access".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "isa/core/fields.h"
#include "isa/core/named_enum.h"
#include "numerics/dtype.h"

namespace trainyard::isa {

using numerics::DType;

enum class Space : std::uint8_t { none, sbuf, psum, hbm };
template <>
struct EnumRecord<Space> {
  static constexpr std::array<std::string_view, 4> names{"none", "sbuf", "psum", "hbm"};
};

using TensorId = std::uint32_t;
inline constexpr TensorId no_tensor = 0xFFFFFFFFu;

// One level of a pattern: `count` elements, `step` elements apart. A step of 0 repeats an element.
struct Dim {
  std::int32_t step = 1;
  std::int32_t count = 1;
  friend bool operator==(const Dim&, const Dim&) = default;
};
template <>
struct StructRecord<Dim> {
  static constexpr std::string_view word = "[step, count]";
  static constexpr auto fields = std::tuple{Field{"step", &Dim::step}, Field{"count", &Dim::count}};
};

inline constexpr int rank_max =
    5;  // "views have up to 5 dimensions including the partition" (NKI language guide)

struct Tile {
  Space space = Space::none;
  DType dtype = DType::float32;
  std::uint8_t rank = 0;              // free dimensions in use; slowest first
  std::uint16_t partition_start = 0;  // on-chip only
  std::uint16_t partitions = 0;       // on-chip only; 0 in HBM, whose dims hold every dimension
  TensorId tensor = no_tensor;        // whose storage this is
  std::uint32_t dynamic =
      0;  // 1 + index into Program::dynamics when the address is computed at run time
  std::int64_t offset = 0;  // bytes: within the partition (on chip), within the tensor (HBM)
  std::array<Dim, rank_max> dims{};

  [[nodiscard]] explicit operator bool() const { return space != Space::none; }
  [[nodiscard]] bool on_chip() const { return space == Space::sbuf || space == Space::psum; }
  [[nodiscard]] std::span<const Dim> free() const { return {dims.data(), rank}; }
  // Elements one partition streams (on chip), or all elements (HBM).
  [[nodiscard]] std::int64_t free_elements() const {
    std::int64_t n = 1;
    for (const Dim& dim : free()) n *= dim.count;
    return n;
  }
  [[nodiscard]] std::int64_t elements() const {
    return free_elements() * (on_chip() ? partitions : 1);
  }
  [[nodiscard]] std::int64_t element_bytes() const { return numerics::size_in_bytes(dtype); }
  [[nodiscard]] std::int64_t bytes() const { return elements() * element_bytes(); }
  // The byte range [low, high) that one partition (or the HBM tensor) may be touched in, relative
  // to its start.
  [[nodiscard]] std::int64_t low_byte() const {
    std::int64_t low = 0;
    for (const Dim& dim : free())
      if (dim.step < 0) low += std::int64_t{dim.step} * (dim.count - 1);
    return offset + low * element_bytes();
  }
  [[nodiscard]] std::int64_t high_byte() const {
    std::int64_t high = 1;
    for (const Dim& dim : free())
      if (dim.step > 0) high += std::int64_t{dim.step} * (dim.count - 1);
    return offset + high * element_bytes();
  }
  // True when one partition's elements lie side by side in ascending order.
  [[nodiscard]] bool contiguous() const;
  // Elements at the fast end of the pattern that lie side by side: 1 when even neighbours are
  // apart.
  [[nodiscard]] std::int64_t run_elements() const;
  // Distance in bytes between neighbours in the innermost dimension that has more than one element.
  [[nodiscard]] std::int64_t inner_stride_bytes() const;

  friend bool operator==(const Tile&, const Tile&) = default;
};

// "sbuf bfloat16 [128, 512]": what error messages print.
[[nodiscard]] std::string describe(const Tile& tile);

// The same pattern with every pair of dimensions that can be walked as one merged, and
// single-element ones removed.
[[nodiscard]] Tile simplified(const Tile& tile);

}  // namespace trainyard::isa
