// Which tensors own parts of SBUF and PSUM, found by the bytes of a partition.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/core/region.h"

namespace trainyard::compiler {

class Owners {
 public:
  struct Owner {
    isa::TensorId tensor = isa::no_tensor;
    isa::Region memory;  // all that it takes on chip
  };

  void add(const Owner& owner) {
    for_each_block(owner.memory, [&](std::int64_t, Block& block) { block.push_back(owner); });
  }
  void remove(const Owner& owner) {
    for_each_block(owner.memory, [&](std::int64_t, Block& block) {
      std::erase_if(block, [&](const Owner& one) { return one.tensor == owner.tensor; });
    });
  }
  void clear() { blocks_ = {}; }

  // Those whose memory overlaps this part, each once. Valid until the next call.
  [[nodiscard]] const std::vector<Owner>& overlapping(const isa::Region& part) {
    found_.clear();
    for_each_block(part, [&](std::int64_t number, const Block& block) {
      for (const Owner& one : block) {
        const bool is_first = number == std::max(first_block(one.memory), first_block(part));
        if (is_first && one.memory.overlaps(part)) found_.push_back(one);
      }
    });
    return found_;
  }

 private:
  using Block = std::vector<Owner>;
  static constexpr std::int64_t block_bytes = 1024;
  // What lies behind them all is in the last one: an address that an author chose may be anywhere.
  static constexpr std::int64_t blocks_max = 1024;

  static std::int64_t block_at(std::int64_t byte) {
    return std::clamp<std::int64_t>(byte / block_bytes, 0, blocks_max - 1);
  }
  static std::int64_t first_block(const isa::Region& memory) { return block_at(memory.first_byte); }
  template <typename F>
  void for_each_block(const isa::Region& memory, F&& f) {
    std::vector<Block>& blocks = blocks_[memory.space == isa::Space::psum ? 1 : 0];
    const std::int64_t end = block_at(memory.end_byte - 1) + 1;
    if (blocks.size() < static_cast<std::size_t>(end)) blocks.resize(static_cast<std::size_t>(end));
    for (std::int64_t at = first_block(memory); at < end; ++at)
      f(at, blocks[static_cast<std::size_t>(at)]);
  }

  std::array<std::vector<Block>, 2> blocks_;  // of SBUF and of PSUM
  std::vector<Owner> found_;
};

}  // namespace trainyard::compiler
