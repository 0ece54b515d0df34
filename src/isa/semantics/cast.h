// How an engine casts fp32 results to stored formats: the rounding modes of the machine's policy,
// with random bits of the engine's own, and what overflows in FP8.
#pragma once

#include "isa/semantics/execution.h"

namespace trainyard::isa {

// n elements of one lane (a physical partition), from fp32 to `dtype`. Stochastic rounding takes
// one random word an element from the lane of execution.engine (machine-reference 11.14: assumed).
void narrow_row(DType dtype, const float* row, std::byte* to, std::size_t n, int lane,
                Execution& execution);

// From one stored format to another: bits when they are the same, else through fp32.
void convert_row(DType from, const std::byte* row, DType dtype, std::byte* to, std::size_t n,
                 int lane, Execution& execution);

// The same by a DMA engine, which has no random bits: the documents name engine casts only.
void convert_moved(DType from, const std::byte* row, DType dtype, std::byte* to, std::size_t n,
                   Execution& execution);

// How the tensor engine's result is rounded where dst is bfloat16: one random word an element, row
// by row, when the policy says so. The words live in execution.random.
[[nodiscard]] numerics::PsumRounding psum_rounding(const Tile& dst, Execution& execution);

// Counts the values of a row of one lane that `dtype` does not hold, where somebody asks for them.
// Formats with float32's range, and integers of 8 bits, which quantisation saturates on purpose,
// are left out.
void count_overflows(DType dtype, const float* row, std::size_t n, int lane, Execution& execution);

// The narrowing of one element of `dtype`, random bits aside.
[[nodiscard]] numerics::Narrowing narrowing_of(DType dtype, const Execution& execution);

}  // namespace trainyard::isa
