// What the MX instructions share: where the scales of a tile's blocks lie in SBUF, and how tiles
// become the operands of numerics/mx.h. Source: nki.isa.quantize_mx, MX deep dive "Scale Tensor"
// and "Packing Scale Values".
#pragma once

#include "isa/core/definition.h"
#include "isa/rules/predicates.h"
#include "isa/semantics/execution.h"
#include "isa/semantics/matmul.h"
#include "numerics/mx.h"

namespace trainyard::isa::mx {

inline constexpr std::int64_t pack = numerics::mx_pack;  // values in one packed element

[[nodiscard]] constexpr bool is_scale_dtype(DType d) {
  return d == DType::float8_e8m0fnu || d == DType::uint8;
}

[[nodiscard]] inline bool whole_quadrants(const Tile& data, const machine::Core& core) {
  return data.partitions % core.sbuf.quadrant == 0 && data.partitions <= core.array.rows;
}

// The partition of a scale tile, counted from the tile's first, that holds a block row of
// `partitions` data partitions.
[[nodiscard]] int scale_partition(int block_row, int partitions);

// Does the tile reach far enough to hold the scales of `partitions` data partitions?
[[nodiscard]] bool holds_scales(const Tile& scale, int partitions);

// Does the scale tile start in the first quadrant of its data, at one of the four offsets?
[[nodiscard]] bool starts_well(const Tile& scale, const Tile& data, const machine::Core& core,
                               const Site& site);

// The pieces of a scale tile that hold scales, one for each quadrant of the data.
int scale_parts(const Tile& scale, int partitions, std::span<Tile, parts_max> out);

void quantize(const Tile& dst, const Tile& src, const Tile& dst_scale, Execution& execution);

struct Operand {
  const Tile& data;
  const Tile& scale;
};
// out (+)= transpose(stationary) x moving with both scales, as numerics::matmul_mx defines it.
void multiply(const Operand& stationary, const Operand& moving, const matmul::Result& out,
              const matmul::Extents& extents, bool accumulate, Execution& execution);

}  // namespace trainyard::isa::mx
