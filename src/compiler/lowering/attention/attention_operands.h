// What attention and its gradient load: rows of operands with either of their dimensions on the
// partitions, and masks.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "compiler/lowering/attention/attention_pattern.h"
#include "compiler/lowering/walk/lowerer.h"

namespace trainyard::compiler {

// The value with its dimensions as AttentionShape lists them, in HBM or, where it may stay there,
// on chip.
[[nodiscard]] Strided attention_operand(Lowerer& lowerer, graph::ValueId value,
                                        std::span<const std::int64_t> dims,
                                        std::span<const std::int64_t> outer, bool may_stay = false);
// Where the rows of one batch begin.
[[nodiscard]] std::int64_t batch_offset(const Strided& value, std::span<const std::int64_t> outer,
                                        std::int64_t batch);

// A region of HBM with exactly these dimensions.
[[nodiscard]] isa::Tile region(const Strided& value, std::int64_t offset,
                               std::initializer_list<Extent> dims);

// Rows of an operand from `offset` on: [depth, rows], and, of as many as there may be, block after
// block of rows, [partitions, blocks * depth].
[[nodiscard]] isa::Tile load_turned(Emitter& emitter, const Strided& value, std::int64_t offset,
                                    std::int64_t rows);
[[nodiscard]] isa::Tile load_blocks(Emitter& emitter, const Strided& value, std::int64_t offset,
                                    std::int64_t rows);

// The same, each block as a tile of its own.
[[nodiscard]] std::vector<isa::Tile> load_each_block(Emitter& emitter, const Strided& value,
                                                     std::int64_t offset, std::int64_t rows);

// Stores, from a row on, the largest score and the logarithm of the sum of exponentials of what the
// others lack to it, one element a row each.
void store_log_sum(Emitter& emitter, const isa::Tile& sum, const isa::Tile& most, const Strided& to,
                   std::int64_t row);

// [rows, columns] to [partitions, blocks * rows], by the DMA engines: block b has columns
// [b * partitions, ...).
[[nodiscard]] isa::Tile turned_blocks(Emitter& emitter, const isa::Tile& tile);

// The same by the array, exactly, and by an engine that copies its results.
[[nodiscard]] isa::Tile turned_on_array(Emitter& emitter, const isa::Tile& tile,
                                        isa::Engine copies);
// Which of both is faster: what a transfer costs beside its bytes weighs more the fewer there are.
// Measured with as many queries as keys, 64 to 2,048: up to 512 the array takes 0.61 to 0.88 of the
// time, from 1,024 on 1.13 to 1.30. A rule, not a score: 128 queries by 1,024 keys take 0.84.
[[nodiscard]] bool turn_on_array(const Emitter& emitter, isa::DType dtype, std::int64_t columns);

// Parts of a mask on chip: plus infinity where it keeps a score, else minus infinity.
class MaskTiles {
 public:
  MaskTiles(Emitter& emitter, const DiagonalMask& mask) : emitter_(emitter), mask_(mask) {}
  // `shift`: the first column less the first row. Few of them are held at a time.
  [[nodiscard]] isa::Tile tile(std::int64_t shift, std::int64_t rows, std::int64_t columns);

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
  Emitter& emitter_;
  DiagonalMask mask_;
  std::map<Key, isa::TensorId> constants_;
  std::map<Key, isa::Tile> held_;
  int core_ = 0;  // that holds them
};

// How many bands' queries one transfer brings.
inline constexpr std::int64_t bands_together = 4;

}  // namespace trainyard::compiler
