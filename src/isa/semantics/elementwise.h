// Loops over rows that the elementwise instructions share.
#pragma once

#include <algorithm>
#include <span>

#include "isa/semantics/execution.h"
#include "isa/semantics/rows.h"
#include "numerics/alu.h"
#include "numerics/pattern_rows.h"
#include "numerics/scan.h"

namespace trainyard::isa::elementwise {

// A reduction along each row into the accumulator of its lane; bypass: none.
struct Reduction {
  numerics::AluOp op = numerics::AluOp::bypass;
  std::span<float> lanes{};
};

// May a row of dst be written while that of `source` is still read: elsewhere, or exactly over it?
[[nodiscard]] bool apart_or_same(const Tile& dst, const Tile& source);
// Is no row of dst written over another partition's row of src?
[[nodiscard]] bool rows_meet_their_own(const Tile& dst, const Tile& src);

// Rows that are reduced together: independent chains of additions keep the host busy.
inline constexpr int block_rows = 16;

// compute(p, in, out, n) turns the fp32 row of src into the fp32 row of dst; out may be in.
// Scratch: rows[0], rows[2] and, with a reduction, rows[3].
template <typename Compute>
void map(const Tile& dst, const Tile& src, Execution& execution, const Reduction& reduction,
         Compute&& compute) {
  const auto n = static_cast<std::size_t>(dst.free_elements());
  const SourceRows in(src, execution, execution.rows[0]);
  ResultRows out(dst, execution, execution.rows[2], {&src});
  const bool reduces = reduction.op != numerics::AluOp::bypass;
  if (!reduces || (!numerics::is_chain(reduction.op) && rows_meet_their_own(dst, src))) {
    for (int p = 0; p < dst.partitions; ++p) {
      float* row = out[p];
      compute(p, in[p], row, n);
      if (reduces) {
        float& lane = reduction.lanes[static_cast<std::size_t>(p)];
        lane = numerics::reduce(reduction.op, row, n, lane);
      }
      out.store(p, row);
    }
    return;
  }
  std::vector<float>& block = execution.rows[3];
  block.resize(n * block_rows);
  for (int first = 0; first < dst.partitions; first += block_rows) {
    const int rows = std::min(block_rows, dst.partitions - first);
    for (int r = 0; r < rows; ++r)
      compute(first + r, in[first + r], block.data() + static_cast<std::size_t>(r) * n, n);
    numerics::reduce_rows(reduction.op, block.data(), static_cast<std::size_t>(rows), n, n,
                          reduction.lanes.data() + first);
    for (int r = 0; r < rows; ++r)
      out.store(first + r, block.data() + static_cast<std::size_t>(r) * n);
  }
}

template <typename Compute>
void map(const Tile& dst, const Tile& src, Execution& execution, Compute&& compute) {
  map(dst, src, execution, Reduction{}, compute);
}

// compute(p, left, right, out, n): the same for two sources. Scratch: rows[0], rows[1], rows[2].
template <typename Compute>
void map2(const Tile& dst, const Tile& a, const Tile& b, Execution& execution, Compute&& compute) {
  const auto n = static_cast<std::size_t>(dst.free_elements());
  const SourceRows left(a, execution, execution.rows[0]);
  const SourceRows right(b, execution, execution.rows[1]);
  ResultRows out(dst, execution, execution.rows[2], {&a, &b});
  for (int p = 0; p < dst.partitions; ++p) {
    float* row = out[p];
    compute(p, left[p], right[p], row, n);
    out.store(p, row);
  }
}

// dst[i] = the recurrence's state after element i of each row; `initial` is the one before the
// first.
void scan(const Tile& dst, const Tile& a, const Tile& b, const Scalar& initial,
          const numerics::Recurrence& recurrence, Execution& execution);

// out[i] = in[i] where the mask is not zero (with `reversed`: is zero), else other; out may be in.
void select(const std::uint32_t* mask, bool reversed, const float* in, float other, float* out,
            std::size_t n);

// out[i] = other
void fill(float other, float* out, std::size_t n);

// accumulators[p] = reduce(op, row p of data, accumulators[p]).
void reduce(const Tile& data, Execution& execution, const Reduction& reduction);

// A scratch row of n bit patterns, for load_patterns and store_patterns (which use raw[2], raw[3]).
[[nodiscard]] std::uint32_t* pattern_row(std::vector<std::byte>& scratch, std::size_t n);

// dst = a op b on bit patterns.
void binary_bits(const Tile& dst, const Tile& a, const Tile& b, numerics::AluOp op,
                 Execution& execution);
// dst = a op b in native 32-bit integers: signed when both sources are, else unsigned, as in C
// (assumed).
void binary_integers(const Tile& dst, const Tile& a, const Tile& b, numerics::AluOp op,
                     Execution& execution);

// One operator of an instruction: with a broadcast operand, or with a tile; bypass: none.
struct Stage {
  numerics::AluOp op = numerics::AluOp::bypass;
  const Scalar* operand = nullptr;
  bool reverse = false;  // operand op data
  const Tile* tile = nullptr;
};
// The fast path of dst = stages applied one after the other to src: contiguous rows of common
// formats go through all stages in vector registers. Does nothing and returns false when a tile, a
// format, an operator or the rounding mode has no such form; bit-equal to the plain loops.
[[nodiscard]] bool stages_stored(const Tile& dst, const Tile& src, std::span<const Stage> stages,
                                 Execution& execution);
// The fast path of dst = exp(stages applied to src), a multiplication and an addition or bypass,
// and of dst = exp(src - shift), under the same conditions: contiguous rows of float32 or bfloat16
// to bfloat16.
[[nodiscard]] bool scaled_exp_stored(const Tile& dst, const Tile& src,
                                     std::span<const Stage, 2> stages, Execution& execution);
[[nodiscard]] bool exp_stored(const Tile& dst, const Tile& src, const Scalar& shift,
                              Execution& execution);
// dst = stages applied one after the other to src, on bit patterns.
void stages_bits(const Tile& dst, const Tile& src, std::span<const Stage> stages,
                 Execution& execution);
// The stages, none with a tile, applied to the fp32 row of partition p. All operands are read
// before anything is written, so that out may hold them. Returns out, or in when there is nothing
// to do.
const float* apply_stages(std::span<const Stage> stages, Execution& execution, int p,
                          const float* in, float* out, std::size_t n);

// dst = src bit for bit; the dtypes have the same size.
void copy_bits(const Tile& dst, const Tile& src, Execution& execution);

}  // namespace trainyard::isa::elementwise
