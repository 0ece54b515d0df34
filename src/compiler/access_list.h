// Accesses of the memory of one tensor, found by region. The latest ones are searched one by one.
// The others are in blocks with an index each, every block larger than all later ones together, so
// that adding an access and finding a few stay cheap when there are many.
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
  void clear() {
    latest_.clear();
    blocks_.clear();
  }
  void push(const RegionAccess& access);

  // Calls drops(access) for those that overlap the region, in any order, and removes those for
  // which it returns true.
  template <typename F>
  void sift(const isa::Region& region, F&& drops) {
    std::erase_if(latest_, [&](const RegionAccess& one) {
      return one.region.overlaps(region) && drops(one);
    });
    bool sparse = false;
    for (Block& block : blocks_) {
      for (const std::uint32_t i : block.index.overlapping(region)) {
        if (block.gone[i] || !drops(block.all[i])) continue;
        block.gone[i] = true;
        --block.left;
      }
      sparse = sparse || block.is_sparse();
    }
    if (sparse) pack();
  }

 private:
  static constexpr std::size_t latest_max = 32;

  struct Block {
    explicit Block(std::vector<RegionAccess> accesses);
    // Appends the accesses that have not been removed.
    void append_to(std::vector<RegionAccess>& into) const;
    [[nodiscard]] bool is_sparse() const { return 2 * left < all.size(); }

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
