// One side of a product in an MX format: its elements four to a word and the scales of their
// blocks, made once in HBM in the order in which the tensor engine reads them, and loaded from
// there. A block is 32 neighbours of the depth: 8 partitions of 4.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "compiler/lowering/segment.h"

namespace trainyard::compiler {

class MxOperand {
 public:
  // `value`: [free ..., depth], the depth a multiple of 32. Without `scale`, [free ..., depth /
  // 32], its elements are quantised; with it they are of an MX format already.
  MxOperand(Segment& segment, const Strided& value, const std::optional<Strided>& scale);

  [[nodiscard]] std::int64_t free() const { return free_count_; }
  // How many instructions the depth takes.
  [[nodiscard]] std::int64_t blocks() const;
  // Bytes of a partition that `elements` of the free dimension take, at all depths.
  [[nodiscard]] std::int64_t bytes(std::int64_t elements) const;

  struct Block {
    isa::Tile data, scale;
  };
  // Elements first ... first + count of the free dimension at those depths.
  [[nodiscard]] Block block(std::int64_t block, std::int64_t first, std::int64_t count);
  void forget() { kept_.clear(); }

 private:
  // Depths of a block: so many words of 4 elements are there, and so many partitions are used.
  [[nodiscard]] std::int64_t words(std::int64_t block) const;
  [[nodiscard]] std::int64_t partitions(std::int64_t block) const;
  [[nodiscard]] bool by_columns() const;  // the free dimension lies side by side in HBM

  void pack();
  void pack_scales();
  void pack(std::int64_t block, std::int64_t first, const isa::Tile& elements);
  [[nodiscard]] isa::Tile loaded_columns(std::int64_t block, std::int64_t first,
                                         std::int64_t count);
  [[nodiscard]] isa::Tile loaded_rows(std::int64_t first, std::int64_t count, std::int64_t depth,
                                      std::int64_t depths);
  [[nodiscard]] isa::Tile turned(const isa::Tile& rows, std::int64_t block, std::int64_t depth);
  void load(std::int64_t block, std::int64_t first, std::int64_t count);
  void load_scales(std::int64_t block, std::int64_t blocks, std::int64_t first, std::int64_t count,
                   const isa::Tile& tile);

  Segment& segment_;
  Emitter& emitter_;
  Strided value_;
  std::optional<Strided> scale_;
  std::vector<Extent> free_;
  Extent depth_;
  std::int64_t free_count_ = 0;
  isa::DType format_ = isa::DType::float8_e4m3fn;
  isa::TensorId packed_ = isa::no_tensor, scales_ = isa::no_tensor;
  std::map<std::pair<std::int64_t, std::int64_t>, Block> kept_;
};

}  // namespace trainyard::compiler
