#include "checkers/coverage.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/units.h"
#include "isa/core/runs.h"

namespace trainyard::checkers {

namespace {

constexpr std::uint64_t all = ~std::uint64_t{0};

// The bytes [low, high) of word `index`, as a mask.
std::uint64_t bytes_of_word(std::int64_t index, std::int64_t low, std::int64_t high) {
  const std::int64_t first = std::max(low - index * 64, std::int64_t{0});
  const std::int64_t end = std::min(high - index * 64, std::int64_t{64});
  const std::uint64_t below_end = end == 64 ? all : (std::uint64_t{1} << end) - 1;
  return below_end & (all << first);
}

// Calls f(word) for the words that a tile's pattern touches, neighbours merged; stops when f
// returns false.
template <typename F>
void for_each_word(const isa::Tile& tile, F&& f) {
  Word pending;
  bool going = true;
  isa::for_each_run(tile, [&](std::int64_t low, std::int64_t bytes) {
    const std::int64_t high = low + bytes;
    for (std::int64_t index = low / 64; going && index * 64 < high; ++index) {
      const std::uint64_t mask = bytes_of_word(index, low, high);
      if (pending.index == index) {
        pending.bytes |= mask;
      } else {
        if (pending.bytes != 0) going = f(pending);
        pending = {index, mask};
      }
    }
    return going;
  });
  if (going && pending.bytes != 0) f(pending);
}

// Calls f(i, word) for each word that element i, in the order of the pattern, lies in.
template <typename F>
void for_each_element(const isa::Tile& tile, F&& f) {
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

}  // namespace

void find_words(const isa::Tile& tile, std::vector<Word>& words) {
  words.clear();
  for_each_word(tile, [&](const Word& word) {
    words.push_back(word);
    return true;
  });
}

Coverage::Coverage(const Extent& extent)
    : extent_(extent),
      first_word_(extent.first_byte / 64),
      words_(std::max<std::int64_t>(
          1, base::ceil_div(extent.first_byte + extent.bytes, 64) - first_word_)) {}

void Coverage::mix() {
  if (fill_ == Fill::mixed) return;
  const bool marked = fill_ == Fill::marked;
  fill_ = Fill::mixed;
  bits_.assign(static_cast<std::size_t>(words_ * extent_.partitions), marked ? all : 0);
  full_.assign(static_cast<std::size_t>(words_), marked);
  full_words_ = marked ? words_ : 0;
  if (marked) return;
  const std::int64_t end = extent_.first_byte + extent_.bytes;
  for (const std::int64_t word : {first_word_, first_word_ + words_ - 1}) {
    const std::uint64_t outside = ~bytes_of_word(word, extent_.first_byte, end);
    std::uint64_t* bits = row(word, extent_.first_partition);
    std::fill(bits, bits + extent_.partitions, outside);
  }
}

void Coverage::note_full(std::int64_t word) {
  const std::uint64_t* bits = row(word, extent_.first_partition);
  std::uint64_t every = all;
  for (int p = 0; p < extent_.partitions; ++p) every &= bits[p];
  if (every != all) return;
  full_[position(word)] = true;
  if (++full_words_ < words_) return;
  fill_ = Fill::marked;
  bits_ = {};
  full_ = {};
}

void Coverage::note_not_full(std::int64_t word) {
  if (full_[position(word)]) --full_words_;
  full_[position(word)] = false;
}

void Coverage::mark(const isa::Tile& tile) {
  if (fill_ == Fill::marked) return;
  mix();
  for_each_word(tile, [&](const Word& word) {
    if (full_[position(word.index)]) return true;
    std::uint64_t* bits = row(word.index, tile.partition_start);
    for (int p = 0; p < tile.partitions; ++p) bits[p] |= word.bytes;
    note_full(word.index);
    return fill_ != Fill::marked;
  });
}

void Coverage::clear(const isa::Tile& tile) {
  if (fill_ == Fill::clear) return;
  mix();
  for_each_word(tile, [&](const Word& word) {
    note_not_full(word.index);
    std::uint64_t* bits = row(word.index, tile.partition_start);
    for (int p = 0; p < tile.partitions; ++p) bits[p] &= ~word.bytes;
    return true;
  });
}

void Coverage::set(int partition, std::int64_t low, std::int64_t high, bool marked) {
  if (fill_ == (marked ? Fill::marked : Fill::clear)) return;
  mix();
  for (std::int64_t index = low / 64; index * 64 < high && fill_ == Fill::mixed; ++index) {
    std::uint64_t& bits = *row(index, partition);
    const std::uint64_t mask = bytes_of_word(index, low, high);
    bits = marked ? bits | mask : bits & ~mask;
    if (!marked) note_not_full(index);
    if (marked && !full_[position(index)]) note_full(index);
  }
}

std::int64_t Coverage::next(int partition, std::int64_t low, std::int64_t high, bool marked) const {
  if (fill_ != Fill::mixed) return (fill_ == Fill::marked) == marked ? low : high;
  const std::uint64_t flip = marked ? 0 : all;
  for (std::int64_t index = low / 64; index * 64 < high; ++index) {
    const std::uint64_t here = (*row(index, partition) ^ flip) & bytes_of_word(index, low, high);
    if (here != 0) return index * 64 + std::countr_zero(here);
  }
  return high;
}

void Coverage::flag_clear(const isa::Tile& tile, Taint& taint, Corner corner) const {
  if (fill_ == Fill::marked) return;
  for_each_element(tile, [&](std::int64_t i, const Word& word) {
    std::uint8_t* flags = taint.of(corner.element + i) + corner.row;
    if (fill_ == Fill::clear) {
      std::fill(flags, flags + tile.partitions, std::uint8_t{1});
      return;
    }
    if (full_[position(word.index)]) return;
    const std::uint64_t* bits = row(word.index, tile.partition_start);
    for (int p = 0; p < tile.partitions; ++p) flags[p] |= (word.bytes & ~bits[p]) != 0 ? 1 : 0;
  });
}

void Coverage::clear_flagged(const isa::Tile& tile, const Taint& taint, Corner corner) {
  mix();
  for_each_element(tile, [&](std::int64_t i, const Word& word) {
    note_not_full(word.index);
    std::uint64_t* bits = row(word.index, tile.partition_start);
    const std::uint8_t* flags = taint.of(corner.element + i) + corner.row;
    for (int p = 0; p < tile.partitions; ++p)
      bits[p] = flags[p] != 0 ? bits[p] & ~word.bytes : bits[p] | word.bytes;
  });
}

std::optional<Coverage::Place> Coverage::first(const isa::Tile& tile, bool marked) const {
  if (fill_ == (marked ? Fill::clear : Fill::marked)) return std::nullopt;
  const std::uint64_t flip = marked ? 0 : all;
  std::optional<Place> place;
  for_each_word(tile, [&](const Word& word) {
    if (fill_ != Fill::mixed) {
      place = {tile.partition_start, word.index * 64 + std::countr_zero(word.bytes)};
      return false;
    }
    if (!marked && full_[position(word.index)]) return true;
    const std::uint64_t* bits = row(word.index, tile.partition_start);
    std::uint64_t any = 0;
    for (int p = 0; p < tile.partitions; ++p) any |= word.bytes & (bits[p] ^ flip);
    if (any == 0) return true;
    for (int p = 0; p < tile.partitions && !place; ++p) {
      const std::uint64_t here = word.bytes & (bits[p] ^ flip);
      if (here != 0) place = {tile.partition_start + p, word.index * 64 + std::countr_zero(here)};
    }
    return false;
  });
  return place;
}

}  // namespace trainyard::checkers
