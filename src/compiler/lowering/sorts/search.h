// The vector engine's search for the largest elements of rows in SBUF.
#pragma once

#include "compiler/lowering/emit/emitter.h"

namespace trainyard::compiler {

inline constexpr std::int64_t search_columns_min = 8, search_columns_max = 8192;

// A tile to search: its elements, negated where the smallest are wanted, in float32 where they have
// to be copied; at least eight columns, filled up with minus infinity.
[[nodiscard]] isa::Tile searchable(Emitter& emitter, const isa::Tile& data, bool smallest);

// Of each row, [rows, 1].
struct First {
  isa::Tile value;  // float32: the largest element; NaN where there is one
  isa::Tile index;  // uint32: where the first such element stands, of NaN the first NaN
};
// `may_have_nan`: NaN is looked for, which takes two more passes.
[[nodiscard]] First first_largest(Emitter& emitter, const isa::Tile& searched, bool may_have_nan);

}  // namespace trainyard::compiler
