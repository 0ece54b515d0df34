// What the matrix instructions share: the tile of the array they use, their operands as rows of
// memory, and their place in PSUM. The arithmetic itself is in numerics.
#pragma once

#include "isa/core/definition.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "machine/core.h"
#include "numerics/tensor_engine.h"

namespace trainyard::isa::matmul {

// The whole array where position and size are empty. Both must be empty or hold two numbers.
[[nodiscard]] ArrayTile array_tile(const IntPair& position, const IntPair& size,
                                   const machine::Core& core);

// 32, 64 or 128 of 128: a tile size is at least `least` and divides `whole`.
[[nodiscard]] constexpr bool is_tile_size(std::int64_t size, std::int64_t least,
                                          std::int64_t whole) {
  return size >= least && size <= whole && whole % size == 0;
}
[[nodiscard]] constexpr bool is_tile_start(std::int64_t start, std::int64_t size,
                                           std::int64_t whole) {
  return start >= 0 && start % size == 0 && start + size <= whole;
}

// Rules of both matrix instructions for .indirect() views (gen4).
// Such a matmul uses the array from row 0 and column 0.
template <typename Op>
[[nodiscard]] bool indirect_from_origin(const Op& op, const Site& site) {
  const bool any = rules::indirect(op.dst, site) || rules::indirect(op.stationary, site) ||
                   rules::indirect(op.moving, site);
  return !any || !op.tiled() || (op.tile_position.items[0] == 0 && op.tile_position.items[1] == 0);
}
// The index of a scattered dst starts where stationary does.
template <typename Op>
[[nodiscard]] bool dst_index_beside_stationary(const Op& op, const Site& site) {
  return !rules::indirect(op.dst, site) ||
         rules::first_partition(rules::dynamic(op.dst, site)->index, site) ==
             rules::first_partition(op.stationary, site);
}

// The rows (partitions) of an operand: in place where their elements lie side by side, else
// gathered densely into `scratch`, which must live as long as the rows are used.
[[nodiscard]] numerics::ConstRows rows(const Tile& tile, Execution& execution,
                                       std::vector<std::byte>& scratch);

// The two rows that every partition of a double-row operand holds.
struct RowPairs {
  numerics::ConstRows first;
  std::ptrdiff_t second = 0;  // bytes from a partition's first row to its second
};
[[nodiscard]] RowPairs row_pairs(const Tile& tile, Execution& execution,
                                 std::vector<std::byte>& scratch);

// The rows of `dst` for a result, and how it is rounded there: in place, or a dense copy of its
// content that `store` writes back. The copy lives in execution.raw[2].
class Result {
 public:
  Result(const Tile& dst, Execution& execution);
  [[nodiscard]] numerics::Rows rows() const { return rows_; }
  [[nodiscard]] numerics::PsumRounding rounding() const { return rounding_; }
  // Puts fp32 results into row m.
  void narrow(std::size_t m, const float* row) const;
  void store();

 private:
  const Tile& dst_;
  Execution& execution_;
  numerics::Rows rows_;
  numerics::PsumRounding rounding_;
  bool in_place_ = true;
};

struct Extents {
  std::size_t K = 0, M = 0, N = 0;
};
[[nodiscard]] Extents extents(const Tile& dst, const Tile& stationary);

// out (+)= transpose(stationary) x moving, with the accumulator width of the machine's policy.
void multiply(numerics::ConstRows stationary, numerics::ConstRows moving, const Result& out,
              const Extents& extents, bool accumulate, Execution& execution);

// For each column of an identity-like matrix the partition that holds its 1. Throws Fault
// undefined_behavior where a column holds anything but one 1 and zeros.
[[nodiscard]] std::vector<std::int32_t> selected_partitions(const Tile& moving,
                                                            Execution& execution);

// Moves `source`'s bits into dst, transposed: dst[m, n] = source[from[n], m]. Equal dtypes keep
// their bits; a 16-bit integer dst receives 8-bit elements with a zero upper byte; a float32 dst
// receives the value.
void transpose(const Tile& dst, const Tile& source, std::span<const std::int32_t> from,
               Execution& execution);

}  // namespace trainyard::isa::matmul
