// One operand of a product as blocks that the tensor engine takes: loaded, or turned on chip, when
// they are asked for, and kept while they are used again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/units.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

// The format in which the array takes numbers of another one: bfloat16 holds integers of 8 bits.
[[nodiscard]] isa::DType array_format(isa::DType dtype);

// One operand as blocks with the depth (the dimension that is summed over) on the partitions.
class Blocks {
 public:
  Blocks(Segment& segment, const Strided& value, std::size_t batches, std::size_t free);

  [[nodiscard]] std::int64_t free() const { return product(free_); }
  [[nodiscard]] std::int64_t depth() const { return product(depth_); }
  // Bytes of a partition that `elements` of the free dimension take, at all depths.
  [[nodiscard]] std::int64_t bytes(std::int64_t elements) const {
    return blocks() * elements * numerics::size_in_bytes(format_);
  }
  [[nodiscard]] std::int64_t blocks() const { return base::ceil_div(depth(), rows_max()); }
  // What the array takes.
  [[nodiscard]] isa::DType format() const { return format_; }
  // Whether the array takes two blocks at a time: FP8 in double-row mode.
  [[nodiscard]] bool is_paired() const {
    return emitter_.core().features.double_row && numerics::size_in_bytes(format_) == 1;
  }

  // Whether blocks are loaded as they lie in HBM.
  [[nodiscard]] bool lies_by_depth() const {
    return !turns_ && !segment_.residents().columns(value_.tensor);
  }

  void choose(std::int64_t batch);
  // Neighbours in the free dimension are loaded together up to there, where nothing is forgotten
  // before they are asked for; of all blocks, at most so many bytes of a partition.
  void loads_together_until(std::int64_t end,
                            std::int64_t bytes_max = std::numeric_limits<std::int64_t>::max()) {
    end_ = end;
    together_max_ = bytes_max / bytes(1);
  }
  // Reads another tensor of the same layout from now on.
  void read_from(isa::TensorId tensor) {
    value_.tensor = tensor;
    forget();
  }
  void forget() {
    kept_.clear();
    rows_.clear();
  }
  // The same for all but those of the free dimension from `first` on.
  void forget_before(std::int64_t first) {
    std::erase_if(kept_, [&](const auto& each) { return each.first.second < first; });
    std::erase_if(rows_, [&](const auto& each) { return each.first.first < first; });
  }

  // [depths of that block, elements first ... first + count of the free dimension].
  isa::Tile block(std::int64_t block, std::int64_t first, std::int64_t count);
  // How many blocks the next instruction takes on both sides.
  [[nodiscard]] static std::int64_t step(Blocks& left, Blocks& right, std::int64_t block,
                                         const Window& window);
  // That many from there on, [depths, 2, elements] where there are two.
  isa::Tile blocks_at(std::int64_t block, std::int64_t count_of_blocks, std::int64_t first,
                      std::int64_t count);

 private:
  [[nodiscard]] std::int64_t rows_max() const { return emitter_.core().array.rows; }
  [[nodiscard]] std::int64_t rows_of(std::int64_t block) const {
    return std::min(rows_max(), depth() - block * rows_max());
  }
  [[nodiscard]] Matrix by_depth() const {
    return {value_.tensor, value_.dtype, offset_, depth_, free_};
  }
  [[nodiscard]] Matrix by_free() const {
    return {value_.tensor, value_.dtype, offset_, free_, depth_};
  }
  // How many blocks from `block` on are as tall as it is, at most `most`.
  [[nodiscard]] std::int64_t alike(std::int64_t block, std::int64_t most) const {
    if (rows_of(block) < rows_max()) return 1;
    return std::clamp(depth() / rows_max() - block, std::int64_t{1},
                      std::max(std::int64_t{1}, most));
  }
  // What was loaded `together`: windows of `count` elements, the last one shorter.
  void keep(std::int64_t block, std::int64_t blocks, std::int64_t first, std::int64_t count,
            std::int64_t together, const isa::Tile& tile);
  // How many elements are loaded with the `count` ones from `first` on, of which each window has as
  // many: long runs take less time.
  [[nodiscard]] std::int64_t loaded_with(std::int64_t first, std::int64_t count) const;

  [[nodiscard]] isa::DgeMode dge_mode_of_load() const;

  // Several blocks in one transfer.
  void load_blocks(std::int64_t block, std::int64_t first, std::int64_t count);

  // Whether the DMA engines turn blocks as they bring them.
  [[nodiscard]] bool is_turned_by_transfers() const;
  void load_turned(std::int64_t block, std::int64_t first, std::int64_t count);

  // Elements of the free dimension on partitions: depths of that block.
  [[nodiscard]] std::optional<isa::Tile> row(std::int64_t first, std::int64_t count,
                                             std::int64_t block) const {
    return segment_.residents().find(by_free(), {first, count, block * rows_max(), rows_of(block)});
  }
  isa::Tile loaded_row(std::int64_t first, std::int64_t count, std::int64_t block);
  // What was loaded, in the array's format.
  [[nodiscard]] isa::Tile cast(const isa::Tile& loaded);

  // How far apart a block and the next one lie in one tile; nothing where they do not.
  [[nodiscard]] std::optional<std::int64_t> apart(std::int64_t block, std::int64_t first,
                                                  std::int64_t count);

  // Several blocks transposed by way of one tile of PSUM.
  void turn(std::int64_t block, std::int64_t first, std::int64_t count);

  // In PSUM, for a transpose: 8-bit elements take 16-bit cells (nc_transpose.c8).
  [[nodiscard]] isa::Tile cells(std::int64_t rows, std::int64_t elements) const;

  Segment& segment_;
  Emitter& emitter_;
  Strided value_;
  isa::DType format_;  // in which the array takes it
  std::size_t batches_;
  std::vector<Extent> free_, depth_;
  bool turns_ = false;
  std::int64_t offset_ = 0, end_ = 0, together_max_ = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, isa::Tile> kept_, rows_;
  base::Ticks casts_on_vector_{0}, casts_on_scalar_{0};
};

// `count` of a block's columns from `first` on, if they lie in one dimension. What was joined on
// chip element by element has its columns in several.
[[nodiscard]] std::optional<isa::Tile> columns_of(const isa::Tile& block, std::int64_t columns,
                                                  std::int64_t first, std::int64_t count);

}  // namespace trainyard::compiler
