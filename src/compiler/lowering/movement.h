// Operations that move elements in HBM and compute nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/segment.h"

namespace trainyard::compiler {

// Copies a value to a place of its shape, by the DMA engines.
void copy(Emitter& emitter, const Strided& from, const Strided& to);

// Where a slice begins along each dimension: a number, or a scalar in HBM.
struct Start {
  std::int64_t number = 0;
  std::optional<Strided> scalar{};
  std::int64_t last = 0;  // starts are moved into 0 ... last, so that the slice stays inside
};
// A slice of `whole` of that shape, from starts that are known when the program runs: copied to
// `part`, or from `part` into it.
void copy_slice_out(Emitter& emitter, const Strided& whole, std::span<const Start> starts,
                    const Strided& part);
void copy_slice_in(Emitter& emitter, const Strided& part, const Strided& whole,
                   std::span<const Start> starts);

// to[i, ...] = table[indices[i], ...]: rows of a dense table by a list of row numbers.
void gather_rows(Emitter& emitter, const Strided& table, const Strided& indices, const Strided& to);

}  // namespace trainyard::compiler
