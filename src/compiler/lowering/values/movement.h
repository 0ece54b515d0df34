// Operations that move elements in HBM and compute nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "compiler/lowering/emit/counted.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// Copies a value to a place of its shape, by the DMA engines.
void copy(Emitter& emitter, const Strided& from, const Strided& to);

// Where a slice begins along each dimension: a number, one that counters of loops give, or a scalar
// in HBM.
struct Start {
  Counted number{};
  std::optional<Strided> scalar{};
  std::int64_t last = 0;  // starts are moved into 0 ... last, so that the slice stays inside
};
// A slice of `whole` of that shape, from starts that are known when the program runs: copied to
// `part`, or from `part` into it.
void copy_slice_out(Emitter& emitter, const Strided& whole, std::span<const Start> starts,
                    const Strided& part);
void copy_slice_in(Emitter& emitter, const Strided& part, const Strided& whole,
                   std::span<const Start> starts);

// Windows of a value in HBM: one begins `list[i] * unit` elements on, for each element of the list
// (s32, in HBM).
struct Windows {
  Strided first{};  // where the window of offset 0 lies
  Strided list{};
  std::int64_t unit = 1;
};
// Between windows and a value with the list's dimensions, then the window's. Every offset lies
// inside of a gather; a scatter leaves out the negative ones.
void gather_windows(Emitter& emitter, const Windows& from, const Strided& to);
void scatter_windows(Emitter& emitter, const Strided& from, const Windows& to);

}  // namespace trainyard::compiler
