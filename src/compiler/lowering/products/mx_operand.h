// One side of a product in an MX format: its elements four to a word and the scales of their
// blocks, made beside the products that read them, in panels of the free dimension, and kept while
// they are used again. A block is 32 neighbours of the depth: 8 partitions of 4.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/units.h"
#include "compiler/lowering/values/segment.h"

namespace trainyard::compiler {

class MxOperand {
 public:
  // `value`: [free ..., depth], the depth a multiple of 32. Without `scale`, [free ..., depth /
  // 32], its elements are quantised; with it they are of an MX format already, or words of four:
  // [free, depth / 4], the free dimension side by side.
  MxOperand(Segment& segment, const Strided& value, const std::optional<Strided>& scale);

  [[nodiscard]] std::int64_t free() const { return free_count_; }
  // How many instructions the depth takes.
  [[nodiscard]] std::int64_t blocks() const;
  // Bytes of a partition that `elements` of the free dimension take, at all depths.
  [[nodiscard]] std::int64_t bytes(std::int64_t elements) const;
  // Whether the free dimension lies side by side in HBM, so that wide panels are loaded faster.
  [[nodiscard]] bool by_columns() const;

  // So many elements of the free dimension are made at once, from `first` on. `again`: panels that
  // were forgotten are asked for again, and come from a copy in HBM.
  void choose_panels(std::int64_t first, std::int64_t end, std::int64_t width, bool again);

  struct Block {
    isa::Tile data, scale;
  };
  // Elements first ... first + count of the free dimension at those depths, of one panel. Where the
  // last one makes them odd, there is a zero behind it.
  [[nodiscard]] Block block(std::int64_t block, std::int64_t first, std::int64_t count);
  // Blocks whose scales share a tile are made together.
  static constexpr std::int64_t group = 4;
  // Makes the group of that block ahead of its use, and loads what the next one is made of: the
  // array, which turns it, would wait for it.
  void prepare(std::int64_t block, std::int64_t first);
  // All panels but those from that element on.
  void forget_before(std::int64_t first) {
    std::erase_if(kept_, [&](const auto& each) { return each.first.first < panel_of(first); });
  }

 private:
  // Of each block the words side by side, and the scales in rows of their own.
  struct Group {
    isa::Tile data, scale;
  };
  // Depths of a block: so many words of 4 elements are there, and so many partitions are used.
  [[nodiscard]] std::int64_t words(std::int64_t block) const;
  [[nodiscard]] std::int64_t partitions(std::int64_t block) const;
  [[nodiscard]] std::int64_t panel_of(std::int64_t first) const {
    return (first - first_) / width_;
  }
  [[nodiscard]] std::int64_t begin_of(std::int64_t panel) const { return first_ + panel * width_; }
  [[nodiscard]] std::int64_t count_of(std::int64_t panel) const {
    return std::min(width_, end_ - begin_of(panel));
  }
  // Its elements in tiles, an even number (nc_matmul_mx.c9).
  [[nodiscard]] std::int64_t width_of(std::int64_t panel) const {
    return base::round_up(count_of(panel), std::int64_t{2});
  }
  [[nodiscard]] std::int64_t blocks_of(std::int64_t group_at) const {
    return std::min(group, blocks() - group_at * group);
  }
  // Of a group's tiles, those of block i and of elements at ... at + count.
  [[nodiscard]] Block part_of(const Group& from, std::int64_t block, std::int64_t at,
                              std::int64_t count) const;

  const Group& made(std::int64_t panel, std::int64_t group_at);
  [[nodiscard]] Group packed(std::int64_t panel, std::int64_t group_at);
  // What a group of a panel with few rows is made of.
  void fetch(std::int64_t panel, std::int64_t group_at);
  [[nodiscard]] isa::Tile loaded_rows(std::int64_t panel, std::int64_t group_at, std::int64_t at);
  void zero(const isa::Tile& words);
  void load_words(std::int64_t panel, std::int64_t group_at, const Group& to);
  void pack_columns(std::int64_t panel, std::int64_t group_at, const Group& to);
  void pack_rows(std::int64_t panel, std::int64_t group_at, const Group& to);
  void put(const isa::Tile& elements, const Block& to);
  void put_words(const isa::Tile& rows, std::int64_t panel, std::int64_t group_at, std::int64_t at,
                 const Group& to);
  void put_rows(const isa::Tile& rows, std::int64_t group_at, std::int64_t at, const Group& to);
  [[nodiscard]] isa::Tile loaded_columns(std::int64_t block, std::int64_t first,
                                         std::int64_t count);
  void turn_scales(std::int64_t panel);
  void load_scales(std::int64_t panel, std::int64_t group_at, const isa::Tile& tile);
  void move_copy(std::int64_t panel, std::int64_t group_at, const Group& tiles, bool to_hbm);

  Segment& segment_;
  Emitter& emitter_;
  Strided value_;
  std::optional<Strided> scale_;
  std::vector<Extent> free_;
  Extent depth_;
  std::int64_t free_count_ = 0;
  isa::DType format_ = isa::DType::float8_e4m3fn;
  isa::DType word_ = isa::DType::float8_e4m3fn_x4;
  std::int64_t first_ = 0, end_ = 0, width_ = 1, copy_width_ = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, Group> kept_;  // by panel and group
  std::map<std::pair<std::int64_t, std::int64_t>, isa::Tile> fetched_;
  isa::TensorId copy_ = isa::no_tensor, copy_of_scales_ = isa::no_tensor;
  std::set<std::pair<std::int64_t, std::int64_t>> in_copy_;
  isa::TensorId scale_rows_ = isa::no_tensor;  // [depth / 32, free]
  std::set<std::int64_t> turned_;              // panels whose scales are there
};

}  // namespace trainyard::compiler
