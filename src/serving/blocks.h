// The paged KV cache's blocks: which are free, how many requests use each, and what they hold, so
// that requests with the same beginning share it. It holds no keys or values of a model.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace trainyard::serving {

// Names a block by all tokens up to its end, in 128 bits: two blocks of one key hold the same.
struct BlockKey {
  std::uint64_t high = 0, low = 0;
  friend bool operator==(const BlockKey&, const BlockKey&) = default;
  [[nodiscard]] bool is_none() const { return high == 0 && low == 0; }
};

// The key of a block that begins behind the block `before` and holds `word`, one call for each
// token or name of it.
[[nodiscard]] BlockKey extend(const BlockKey& before, std::uint64_t word);

class BlockPool {
 public:
  explicit BlockPool(std::int32_t blocks);

  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(blocks_.size()) - 1; }
  // Blocks that no request uses; some may still hold a prefix.
  [[nodiscard]] std::int32_t free() const { return free_; }
  [[nodiscard]] std::int32_t uses(std::int32_t block) const { return at(block).uses; }

  // A free block, for one user: the one that has been free for longest, whose content is forgotten.
  [[nodiscard]] std::int32_t allocate();
  // One more user of a block that find() gave.
  void acquire(std::int32_t block);
  // One user fewer. A block that nobody uses and that has a key stays findable until it is needed.
  void release(std::int32_t block);

  // Says what a block in use holds. Another block of that key stays the one that is found.
  void name(std::int32_t block, const BlockKey& key);
  [[nodiscard]] std::optional<std::int32_t> find(const BlockKey& key) const;
  // Forgets all contents.
  void forget();

 private:
  struct Block {
    std::int32_t before = 0, after = 0;  // in the list of free blocks
    std::int32_t uses = 0;
    BlockKey key{};
  };
  struct Hash {
    std::size_t operator()(const BlockKey& key) const { return key.low; }
  };

  [[nodiscard]] const Block& at(std::int32_t block) const;
  void insert(std::int32_t block, std::int32_t before);
  void remove(std::int32_t block);

  // The last one is no block but both ends of the list of free blocks, first to be allocated first.
  std::vector<Block> blocks_;
  std::int32_t free_ = 0;
  std::unordered_map<BlockKey, std::int32_t, Hash> found_;
};

}  // namespace trainyard::serving
