#include "compiler/access_list.h"

#include <utility>

namespace trainyard::compiler {

namespace {

std::vector<isa::Region> regions_of(const std::vector<RegionAccess>& accesses) {
  std::vector<isa::Region> regions;
  regions.reserve(accesses.size());
  for (const RegionAccess& access : accesses) regions.push_back(access.region);
  return regions;
}

}  // namespace

AccessList::Block::Block(std::vector<RegionAccess> accesses)
    : all(std::move(accesses)), gone(all.size(), false), left(all.size()), index(regions_of(all)) {}

void AccessList::Block::append_to(std::vector<RegionAccess>& into) const {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!gone[i]) into.push_back(all[i]);
  }
}

void AccessList::push(const RegionAccess& access) {
  latest_.push_back(access);
  if (latest_.size() < latest_max) return;
  std::vector<RegionAccess> all = std::exchange(latest_, {});
  for (; !blocks_.empty() && blocks_.back().left <= all.size(); blocks_.pop_back())
    blocks_.back().append_to(all);
  blocks_.emplace_back(std::move(all));
}

// Merges blocks that have lost most of their accesses into others.
void AccessList::pack() {
  std::vector<RegionAccess> left;
  for (const Block& block : blocks_) {
    if (block.is_sparse()) block.append_to(left);
  }
  std::erase_if(blocks_, [](const Block& block) { return block.is_sparse(); });
  for (const RegionAccess& access : left) push(access);
}

}  // namespace trainyard::compiler
