// How far the index of a run-time address may go.
#pragma once

#include <cstdint>

#include "isa/core/program.h"

namespace trainyard::isa {

// What one index places: the whole pattern by a register or a number in SBUF, one row of a gather
// or scatter in HBM, one element of an indirect row on chip.
[[nodiscard]] Tile indexed_part(const Tile& tile, const DynamicAddress& how);

// Where the bytes of a tile's tensor begin, as the tile counts them: from the tensor in HBM and
// until compiled, from the memory then.
[[nodiscard]] std::int64_t first_byte(const Tile& tile, const Program& program);

// The first index of an execution that is out of bounds for a tile with a run-time address: the
// limit of the address, or the first that would place any of that part outside of its tensor.
[[nodiscard]] std::int64_t index_end(const Tile& tile, const Program& program);

}  // namespace trainyard::isa
