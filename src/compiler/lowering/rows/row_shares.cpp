#include "compiler/lowering/rows/row_shares.h"

#include <array>
#include <cstring>

#include "isa/instructions/dma_copy.h"
#include "isa/instructions/nc_matmul.h"

namespace trainyard::compiler {

namespace {

using isa::DType;
using isa::Tile;

// Fewer columns of a share leave its instructions' fixed costs; of the partitions, what whole rows
// may leave idle.
constexpr std::int64_t columns_min = 256, idle_percent_max = 25;

}  // namespace

std::vector<std::int64_t> ways_to_share(const RowSpace& space, const machine::Core& core) {
  const std::int64_t partitions = core.sbuf.partitions, columns = space.share_columns();
  std::vector<std::int64_t> all;
  for (std::int64_t more = 1; more * space.shares() <= partitions; ++more) {
    const std::int64_t shares = more * space.shares();
    const bool is_wide = more == 1 || columns / more >= columns_min;
    if (shares == 1 || columns % more != 0 || !is_wide ||
        100 * (partitions % shares) > idle_percent_max * partitions)
      continue;
    all.push_back(shares);
  }
  return all;
}

Tile ShareSums::ones(std::int64_t shares) {
  Tile& ones = ones_[shares];
  if (ones) return ones;
  const std::int64_t rows = emitter_.core().sbuf.partitions / shares * shares;
  std::vector<std::byte> content(static_cast<std::size_t>(rows * rows) * sizeof(float));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < rows; ++column) {
      const float number = row / shares == column / shares ? 1 : 0;
      std::memcpy(content.data() + static_cast<std::size_t>(row * rows + column) * sizeof number,
                  &number, sizeof number);
    }
  }
  const std::array<std::int64_t, 2> shape{rows, rows};
  const isa::TensorId table = emitter_.constant(DType::float32, shape, std::move(content));
  ones = emitter_.sbuf(DType::float32, rows, rows);
  const std::array<Extent, 2> dims{Extent{rows, rows}, Extent{rows, 1}};
  emitter_.emit(isa::DmaCopy{.dst = ones, .src = hbm_tile(table, DType::float32, 0, dims)});
  return ones;
}

Tile ShareSums::sum(const Tile& numbers, std::int64_t shares) {
  const std::int64_t rows = numbers.partitions;
  const Tile sums = emitter_.psum(DType::float32, rows, 1);
  isa::NcMatmul made;
  made.dst = sums;
  made.stationary = part(ones(shares), 0, rows, 0, rows);
  made.moving = numbers;
  made.is_stationary_onezero = true;
  made.accumulate = isa::Accumulate::overwrite;
  emitter_.emit(made);
  return sums;
}

}  // namespace trainyard::compiler
