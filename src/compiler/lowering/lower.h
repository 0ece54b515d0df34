// From a tensor program to programs of instructions. Complete before it is fast: every operation
// lowers to engines, or else to a routine of GpSimd, which the result names.
#pragma once

#include <array>
#include <cstdint>

#include "compiler/compiler.h"
#include "compiler/lowering/emit/lowered.h"
#include "compiler/lowering/emit/scorer.h"
#include "compiler/lowering/values/residents.h"
#include "compiler/variation.h"
#include "graph/module.h"
#include "machine/core.h"

namespace trainyard::compiler {

// Of SBUF, what values may take that stay on chip between operations, from the most: less where it
// leaves too little room for an operation, any in a search.
inline constexpr std::array<std::int64_t, 4> resident_percents{40, resident_percent, 8, 0};

// Lowers the function main of what the passes of module_passes.h leave, for one core or for both of
// a logical core. `module` must outlive
// nothing: what is needed of it is copied. Throws InputError for dynamic shapes ("lower.dynamic")
// and types without a place in memory
// ("lower.type"). `scorer`: who says how long ways to compute a region take, or null. `variation`:
// what is chosen otherwise.
[[nodiscard]] Lowered lower(const graph::Module& module, const machine::Core& core,
                            std::int64_t resident_percent = compiler::resident_percent,
                            int cores = 1, Scorer* scorer = nullptr,
                            const Variation& variation = {});

// The options by which its programs are compiled: they write tiles in parts that may take any
// order, and no author counts on turns that end before others begin.
[[nodiscard]] inline Options of_lowered(Options options) {
  options.written_in_parts = options.turns_overlap = options.issuers_open = true;
  return options;
}

}  // namespace trainyard::compiler
