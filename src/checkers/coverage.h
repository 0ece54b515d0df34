// One bit for each byte of a rectangle of an on-chip memory, laid out so that a pattern is marked
// or tested in all partitions at once: words of 64 neighbouring bytes, partition by partition.
// Takes host memory only while some of it is marked and some is not. It knows nothing of what a bit
// means.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "checkers/taint.h"
#include "isa/core/tile.h"

namespace trainyard::checkers {

// 64 neighbouring bytes of a partition, or of an HBM tensor, and which of them are meant.
struct Word {
  std::int64_t index = 0;
  std::uint64_t bytes = 0;
};
// The words that a tile's pattern touches (in each partition), in the order of the pattern;
// neighbours are merged.
void find_words(const isa::Tile& tile, std::vector<Word>& words);

// Where a tile's first element stands among the elements of a larger one.
struct Corner {
  int row = 0;
  std::int64_t element = 0;
};

class Coverage {
 public:
  // Partitions and bytes of a memory. Every tile and place below lies inside of it.
  struct Extent {
    int first_partition = 0, partitions = 0;
    std::int64_t first_byte = 0, bytes = 0;
  };
  explicit Coverage(const Extent& extent);

  void mark(const isa::Tile& tile);
  void clear(const isa::Tile& tile);
  // The bytes [low, high) of one partition.
  void set(int partition, std::int64_t low, std::int64_t high, bool marked);
  // The first of them that is marked, or that is not; or `high`.
  [[nodiscard]] std::int64_t next(int partition, std::int64_t low, std::int64_t high,
                                  bool marked) const;

  // Flags the elements of the tile with a byte that is not marked.
  void flag_clear(const isa::Tile& tile, Taint& taint, Corner corner = {}) const;
  // Clears the tile's elements that are flagged, and marks the others.
  void clear_flagged(const isa::Tile& tile, const Taint& taint, Corner corner = {});

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
  enum class Fill : std::uint8_t { clear, marked, mixed };

  [[nodiscard]] std::optional<Place> first(const isa::Tile& tile, bool marked) const;
  // Gives every bit memory of its own, before some of them change.
  void mix();
  // After bits of a word were set.
  void note_full(std::int64_t word);
  void note_not_full(std::int64_t word);

  [[nodiscard]] std::size_t position(std::int64_t word) const {
    return static_cast<std::size_t>(word - first_word_);
  }
  [[nodiscard]] std::uint64_t* row(std::int64_t word, int partition) {
    return bits_.data() + (word - first_word_) * extent_.partitions +
           (partition - extent_.first_partition);
  }
  [[nodiscard]] const std::uint64_t* row(std::int64_t word, int partition) const {
    return bits_.data() + (word - first_word_) * extent_.partitions +
           (partition - extent_.first_partition);
  }

  Extent extent_;
  std::int64_t first_word_, words_;
  Fill fill_ = Fill::clear;
  std::vector<std::uint64_t> bits_;  // while mixed; those outside of the extent are marked
  std::vector<bool> full_;           // while mixed, by word: marked in every byte
  std::int64_t full_words_ = 0;
};

}  // namespace trainyard::checkers
