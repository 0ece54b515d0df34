#include "serving/blocks.h"

#include "base/error.h"
#include "base/hash.h"

namespace trainyard::serving {

namespace {

std::size_t index(std::int32_t block) { return static_cast<std::size_t>(block); }

}  // namespace

BlockKey extend(const BlockKey& before, std::uint64_t word) {
  base::WordHash low;
  low.add(before.low);
  low.add(before.high);
  low.add(word);
  const std::uint64_t high = base::hash_combine(before.high ^ base::hash_seed, word);
  return {base::hash_combine(high, before.low), low.value()};
}

BlockPool::BlockPool(std::int32_t blocks) : blocks_(index(blocks) + 1) {
  base::check(blocks >= 0, "a cache has a negative number of blocks");
  blocks_.back().before = blocks_.back().after = blocks;
  for (std::int32_t block = 0; block < blocks; ++block)
    insert(block, blocks_[index(blocks)].before);
}

const BlockPool::Block& BlockPool::at(std::int32_t block) const {
  base::check(block >= 0 && block < size(), "a block outside the cache");
  return blocks_[index(block)];
}

void BlockPool::insert(std::int32_t block, std::int32_t before) {
  Block& one = blocks_[index(block)];
  one.before = before;
  one.after = blocks_[index(before)].after;
  blocks_[index(one.after)].before = block;
  blocks_[index(before)].after = block;
  ++free_;
}

void BlockPool::remove(std::int32_t block) {
  const Block& one = blocks_[index(block)];
  blocks_[index(one.before)].after = one.after;
  blocks_[index(one.after)].before = one.before;
  --free_;
}

std::int32_t BlockPool::allocate() {
  base::check(free_ > 0, "a block is allocated where none is free");
  const std::int32_t block = blocks_.back().after;
  remove(block);
  Block& one = blocks_[index(block)];
  if (!one.key.is_none()) {
    found_.erase(one.key);
    one.key = {};
  }
  one.uses = 1;
  return block;
}

void BlockPool::acquire(std::int32_t block) {
  if (at(block).uses == 0) remove(block);
  ++blocks_[index(block)].uses;
}

void BlockPool::release(std::int32_t block) {
  base::check(at(block).uses > 0, "a block is released more often than it is used");
  Block& one = blocks_[index(block)];
  if (--one.uses > 0) return;
  // What nobody can find again is allocated first.
  insert(block, one.key.is_none() ? size() : blocks_.back().before);
}

void BlockPool::name(std::int32_t block, const BlockKey& key) {
  base::check(at(block).uses > 0, "a free block is named");
  Block& one = blocks_[index(block)];
  if (one.key.is_none() && found_.emplace(key, block).second) one.key = key;
}

std::optional<std::int32_t> BlockPool::find(const BlockKey& key) const {
  const auto found = found_.find(key);
  if (found == found_.end()) return std::nullopt;
  return found->second;
}

void BlockPool::forget() {
  found_.clear();
  for (Block& one : blocks_) one.key = {};
}

}  // namespace trainyard::serving
