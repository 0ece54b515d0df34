// One bit for each byte of an on-chip memory, laid out so that a pattern is marked or tested in all
// partitions at once: words of 64 neighbouring bytes, partition by partition. It knows nothing of
// what a bit means.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engines/checkers/lanes.h"
#include "isa/tile.h"
#include "state/pages.h"

namespace trainyard::engines {

// 64 neighbouring bytes of a partition, or of an HBM tensor, and which of them are meant.
struct Word {
  std::int64_t index = 0;
  std::uint64_t bytes = 0;
};
// The words that a tile's pattern touches (in each partition), in the order of the pattern;
// neighbours are merged.
void find_words(const isa::Tile& tile, std::vector<Word>& words);

// Where a tile's first element stands among the lanes of a larger one.
struct Corner {
  int row = 0;
  std::int64_t element = 0;
};

class Coverage {
 public:
  Coverage(int partitions, std::int64_t bytes_per_partition);

  void mark(const isa::Tile& tile);
  void clear(const isa::Tile& tile);
  // A rectangle of partitions and bytes.
  void clear(int first_partition, int partitions, std::int64_t low, std::int64_t high);
  // The bytes [low, high) of one partition.
  void set(int partition, std::int64_t low, std::int64_t high, bool marked);
  // The first of them that is marked, or that is not; or `high`.
  [[nodiscard]] std::int64_t next(int partition, std::int64_t low, std::int64_t high,
                                  bool marked) const;

  // Flags the elements of the tile with a byte that is not marked.
  void flag_clear(const isa::Tile& tile, Lanes& lanes, Corner corner = {}) const;
  // Clears the tile's elements that are flagged, and marks the others.
  void clear_flagged(const isa::Tile& tile, const Lanes& lanes, Corner corner = {});

  struct Place {
    int partition;
    std::int64_t byte;
  };
  // The first byte of the tile (lowest bytes first) that is not marked, or that is; or nothing.
  [[nodiscard]] std::optional<Place> first_clear(const isa::Tile& tile) const {
    return first(tile, false);
  }
  [[nodiscard]] std::optional<Place> first_marked(const isa::Tile& tile) const {
    return first(tile, true);
  }

 private:
  [[nodiscard]] std::optional<Place> first(const isa::Tile& tile, bool marked) const;
  template <typename F>
  static void for_each_element(const isa::Tile& tile, F&& f);
  [[nodiscard]] std::uint64_t* row(std::int64_t word) {
    return reinterpret_cast<std::uint64_t*>(bits_.data()) + word * partitions_;
  }
  [[nodiscard]] const std::uint64_t* row(std::int64_t word) const {
    return reinterpret_cast<const std::uint64_t*>(bits_.data()) + word * partitions_;
  }
  [[nodiscard]] bool whole(int first, int count) const {
    return first == 0 && count == partitions_;
  }

  int partitions_;
  state::Pages bits_;
  std::vector<bool> full_;  // by word: marked in every byte of every partition
  mutable std::vector<Word> words_;
};

}  // namespace trainyard::engines
