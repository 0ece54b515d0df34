#include "engines/checkers/coverage.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/units.h"
#include "isa/runs.h"

namespace trainyard::engines {

namespace {

constexpr std::uint64_t all = ~std::uint64_t{0};

// The bytes [low, high) of word `index`, as a mask.
std::uint64_t bytes_of_word(std::int64_t index, std::int64_t low, std::int64_t high) {
  const std::int64_t first = std::max(low - index * 64, std::int64_t{0});
  const std::int64_t end = std::min(high - index * 64, std::int64_t{64});
  const std::uint64_t below_end = end == 64 ? all : (std::uint64_t{1} << end) - 1;
  return below_end & (all << first);
}

}  // namespace

Coverage::Coverage(int partitions, std::int64_t bytes_per_partition)
    : partitions_(partitions),
      bits_(base::ceil_div(bytes_per_partition, 64) * partitions * 8),
      full_(static_cast<std::size_t>(base::ceil_div(bytes_per_partition, 64)), false) {}

void find_words(const isa::Tile& tile, std::vector<Word>& words) {
  words.clear();
  isa::for_each_run(tile, [&](std::int64_t low, std::int64_t bytes) {
    const std::int64_t high = low + bytes;
    for (std::int64_t index = low / 64; index * 64 < high; ++index) {
      const std::uint64_t mask = bytes_of_word(index, low, high);
      if (!words.empty() && words.back().index == index) {
        words.back().bytes |= mask;
      } else {
        words.push_back({index, mask});
      }
    }
    return true;
  });
}

void Coverage::mark(const isa::Tile& tile) {
  find_words(tile, words_);
  for (const Word& word : words_) {
    const auto index = static_cast<std::size_t>(word.index);
    if (full_[index]) continue;
    std::uint64_t* bits = row(word.index) + tile.partition_start;
    for (int p = 0; p < tile.partitions; ++p) bits[p] |= word.bytes;
    if (whole(tile.partition_start, tile.partitions) && word.bytes == all) full_[index] = true;
  }
}

void Coverage::clear(const isa::Tile& tile) {
  find_words(tile, words_);
  for (const Word& word : words_) {
    full_[static_cast<std::size_t>(word.index)] = false;
    std::uint64_t* bits = row(word.index) + tile.partition_start;
    for (int p = 0; p < tile.partitions; ++p) bits[p] &= ~word.bytes;
  }
}

void Coverage::clear(int first_partition, int partitions, std::int64_t low, std::int64_t high) {
  for (std::int64_t index = low / 64; index * 64 < high; ++index) {
    const std::uint64_t mask = bytes_of_word(index, low, high);
    full_[static_cast<std::size_t>(index)] = false;
    std::uint64_t* bits = row(index) + first_partition;
    for (int p = 0; p < partitions; ++p) bits[p] &= ~mask;
  }
}

void Coverage::set(int partition, std::int64_t low, std::int64_t high, bool marked) {
  for (std::int64_t index = low / 64; index * 64 < high; ++index) {
    std::uint64_t& bits = row(index)[partition];
    const std::uint64_t mask = bytes_of_word(index, low, high);
    bits = marked ? bits | mask : bits & ~mask;
    if (!marked) full_[static_cast<std::size_t>(index)] = false;
  }
}

std::int64_t Coverage::next(int partition, std::int64_t low, std::int64_t high, bool marked) const {
  const std::uint64_t flip = marked ? 0 : all;
  for (std::int64_t index = low / 64; index * 64 < high; ++index) {
    const std::uint64_t here = (row(index)[partition] ^ flip) & bytes_of_word(index, low, high);
    if (here != 0) return index * 64 + std::countr_zero(here);
  }
  return high;
}

// Calls f(i, word) for each word that element i, in the order of the pattern, lies in.
template <typename F>
void Coverage::for_each_element(const isa::Tile& tile, F&& f) {
  const std::int64_t width = tile.element_bytes();
  std::int64_t i = 0;
  isa::for_each_run(tile, [&](std::int64_t first, std::int64_t bytes) {
    for (std::int64_t low = first; low < first + bytes; low += width, ++i) {
      for (std::int64_t index = low / 64; index * 64 < low + width; ++index)
        f(i, Word{index, bytes_of_word(index, low, low + width)});
    }
    return true;
  });
}

void Coverage::flag_clear(const isa::Tile& tile, Lanes& lanes, Corner corner) const {
  for_each_element(tile, [&](std::int64_t i, const Word& word) {
    if (full_[static_cast<std::size_t>(word.index)]) return;
    const std::uint64_t* bits = row(word.index) + tile.partition_start;
    std::uint8_t* flags = lanes.of(corner.element + i) + corner.row;
    for (int p = 0; p < tile.partitions; ++p) flags[p] |= (word.bytes & ~bits[p]) != 0 ? 1 : 0;
  });
}

void Coverage::clear_flagged(const isa::Tile& tile, const Lanes& lanes, Corner corner) {
  for_each_element(tile, [&](std::int64_t i, const Word& word) {
    full_[static_cast<std::size_t>(word.index)] = false;
    std::uint64_t* bits = row(word.index) + tile.partition_start;
    const std::uint8_t* flags = lanes.of(corner.element + i) + corner.row;
    for (int p = 0; p < tile.partitions; ++p)
      bits[p] = flags[p] != 0 ? bits[p] & ~word.bytes : bits[p] | word.bytes;
  });
}

std::optional<Coverage::Place> Coverage::first(const isa::Tile& tile, bool marked) const {
  find_words(tile, words_);
  const std::uint64_t flip = marked ? 0 : all;
  for (const Word& word : words_) {
    if (!marked && full_[static_cast<std::size_t>(word.index)]) continue;
    const std::uint64_t* bits = row(word.index) + tile.partition_start;
    std::uint64_t any = 0;
    for (int p = 0; p < tile.partitions; ++p) any |= word.bytes & (bits[p] ^ flip);
    if (any == 0) continue;
    for (int p = 0; p < tile.partitions; ++p) {
      const std::uint64_t here = word.bytes & (bits[p] ^ flip);
      if (here != 0)
        return Place{tile.partition_start + p, word.index * 64 + std::countr_zero(here)};
    }
  }
  return std::nullopt;
}

}  // namespace trainyard::engines
