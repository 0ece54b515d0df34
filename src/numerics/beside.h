// Float32 values beside stored elements of bfloat16 or FP8 (engines/float32_shadow.h), in
// rows of n contiguous elements of any alignment. The conversions are those of convert.h.
#pragma once

#include <cstddef>

#include "numerics/convert.h"

namespace trainyard::numerics {

// out[i] is values[i] where that narrows to stored element i, else what is stored, widened. True
// when one of them is NaN. `out` may be `values`.
[[nodiscard]] bool widen_beside(DType dtype, const std::byte* stored, const float* values,
                                float* out, std::size_t n, Overflow overflow = Overflow::format);
// Whether every value has the bits of what is stored, widened.
[[nodiscard]] bool is_stored_as(DType dtype, const std::byte* stored, const float* values,
                                std::size_t n);
[[nodiscard]] bool has_nan(const float* values, std::size_t n);

}  // namespace trainyard::numerics
