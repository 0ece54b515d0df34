// Copies in HBM of elements that do not lie side by side as they are to, by way of SBUF: engines
// rearrange and repeat them there.
#pragma once

#include <cstdint>
#include <span>

#include "compiler/lowering/emit/emitter.h"

namespace trainyard::compiler {

// One dimension of two walks taken together.
struct Both {
  std::int64_t size = 1, from = 1, to = 1;
};

// The largest part of a size that divides it, up to that.
[[nodiscard]] std::int64_t even_part(std::int64_t size, std::int64_t most);

// Whether many elements of a walk do not lie side by side as they are to.
[[nodiscard]] bool moves_single_elements(std::span<const Both> walk);

// A walk over both values, slowest dimension first. False, and nothing emitted, where transfers
// alone do as well, or the elements lie too far apart.
[[nodiscard]] bool copy_by_tiles(Emitter& emitter, const Strided& from, const Strided& to,
                                 std::span<const Both> walk);

}  // namespace trainyard::compiler
