// Accesses of the memory of one tensor, found by where they are. The latest ones are looked
// through; the others lie in blocks, each larger than all behind it and with an index of its own,
// so that neither adding an access nor finding a few takes the longer the more there are.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/dependences.h"
#include "isa/core/region_index.h"

namespace trainyard::compiler {

struct RegionAccess {
  std::uint32_t instruction = 0;
  Actor actor;
  isa::Region region;
};

class AccessList {
 public:
  [[nodiscard]] bool empty() const { return latest_.empty() && blocks_.empty(); }
  void push(const RegionAccess& access);

  // Calls drops(access) for those that overlap the region, in no order of meaning, and takes out
  // those for which it is true.
  template <typename F>
  void sift(const isa::Region& region, F&& drops) {
    std::erase_if(latest_, [&](const RegionAccess& one) {
      return one.region.overlaps(region) && drops(one);
    });
    bool hollow = false;
    for (Block& block : blocks_) {
      for (const std::uint32_t i : block.index.overlapping(region)) {
        if (block.gone[i] || !drops(block.all[i])) continue;
        block.gone[i] = true;
        --block.left;
      }
      hollow = hollow || block.is_hollow();
    }
    if (hollow) pack();
  }

 private:
  static constexpr std::size_t latest_max = 32;

  struct Block {
    explicit Block(std::vector<RegionAccess> accesses);
    // Adds what is left of it to a list.
    void pour(std::vector<RegionAccess>& into) const;
    [[nodiscard]] bool is_hollow() const { return 2 * left < all.size(); }

    std::vector<RegionAccess> all;
    std::vector<bool> gone;
    std::size_t left;
    isa::RegionIndex index;
  };
  void pack();

  std::vector<RegionAccess> latest_;
  std::vector<Block> blocks_;
};

}  // namespace trainyard::compiler
