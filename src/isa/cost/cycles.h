// How many cycles the instructions' common shapes take on each engine. Every rate comes from the
// machine file; nothing here is specific to one instruction.
#pragma once

#include "isa/core/definition.h"
#include "machine/engine.h"
#include "machine/quantity.h"

namespace trainyard::isa::cost {

// An instruction that reads one tensor: tensor_copy, tensor_scalar and their like (perf modes 1x,
// 2x, 4x).
[[nodiscard]] Timing copy(const Tile& dst, const Tile& src, Engine engine,
                          const machine::Core& core);
// The same when some of its numbers are [P, 1] columns, which Vector fetches first.
[[nodiscard]] Timing with_numbers(Timing timing, bool columns, Engine engine,
                                  const machine::Core& core);
// An instruction that reads two tensors.
[[nodiscard]] Timing pair(const Tile& dst, const Tile& a, const Tile& b, Engine engine,
                          const machine::Core& core);
// The Scalar engine's activation; reading out the reduction registers takes a second, short
// instruction.
[[nodiscard]] Timing activation(const Tile& dst, const Tile& src, bool reads_accumulator,
                                const machine::Core& core);
// One pass of the Vector engine over data's elements at a rate of its own.
[[nodiscard]] Timing vector(const Tile& dst, const Tile& data, machine::Rate rate,
                            const machine::Core& core);
// The same and reading the accumulators out.
[[nodiscard]] Timing vector_reduce(const Tile& dst, const Tile& data, machine::Rate rate,
                                   const machine::Core& core);
// scalar_tensor_tensor; `fast`: the pair of operators that has a fast path for bf16; `column`: the
// number is a [P, 1] tile.
[[nodiscard]] Timing scalar_pair(const Tile& dst, const Tile& data, const Tile& other, bool fast,
                                 bool column, const machine::Core& core);
[[nodiscard]] Timing tensor_reduce(const Tile& dst, const Tile& data, numerics::AluOp op,
                                   const machine::Core& core);
[[nodiscard]] Timing memset(const Tile& dst, bool zero, Engine engine, const machine::Core& core);
// `src` is absent when a number is copied.
[[nodiscard]] Timing copy_predicated(const Tile& dst, const Tile& src, const Tile& predicate,
                                     const machine::Core& core);
// One pass of GpSimd over data's elements.
[[nodiscard]] Timing gpsimd(const Tile& dst, const Tile& data, machine::Rate rate,
                            const machine::Core& core);
// nc_n_gather: groups of elements, one after the other.
[[nodiscard]] Timing gather(const Tile& dst, const machine::Core& core);
// local_gather of `indices` runs of `length` elements.
[[nodiscard]] Timing local_gather(const Tile& dst, std::int64_t indices, std::int64_t length,
                                  const machine::Core& core);
// topk of n elements; `values` has K elements.
[[nodiscard]] Timing topk(const Tile& values, std::int64_t n, const machine::Core& core);
// The Vector engine's transpose of 32x32 blocks.
[[nodiscard]] Timing transpose(const Tile& dst, const Tile& data, const machine::Core& core);
// quantize_mx, which has a rate of its own.
[[nodiscard]] Timing quantize_mx(const Tile& src, const machine::Core& core);
// A control instruction that holds its sequencer for a time of the machine file.
[[nodiscard]] Timing sequencer(Engine engine, base::Ticks machine::Sequencer::*time,
                               const machine::Core& core);
[[nodiscard]] Timing drain(Engine engine, const machine::Core& core);

// The passes of a matrix product with K = depth x partitions (1, or 2 in double-row mode, or 4 for
// MX), when each element of the array does `macs` multiply-accumulates a cycle. FP32 takes
// `count` > 1 passes, which share the cycles.
[[nodiscard]] Passes passes(std::int64_t stationary_columns, std::int64_t moving_columns,
                            std::int64_t depth, machine::Rate macs, std::int64_t count,
                            const machine::Core& core);
// The same as a Timing: alone, with its loads behind earlier moves.
[[nodiscard]] Timing matmul(const Passes& passes, const machine::Core& core);

}  // namespace trainyard::isa::cost
