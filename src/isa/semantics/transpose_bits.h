// Transposes a matrix of elements of 1, 2, 4 or 8 bytes: blocks in registers by interleaving
// rows, the rest one by one. It moves bits and knows no number format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace trainyard::isa {

namespace transpose_detail {

// A square block as wide as a 16-byte register: 16, 8, 4 or 2 elements. Everything is unrolled by
// index packs, so that the rows stay in registers.
template <typename Word>
class Block {
 public:
  static constexpr std::ptrdiff_t size = 16 / sizeof(Word);

  static void transpose(const std::byte* from, std::ptrdiff_t from_stride, std::byte* to,
                        std::ptrdiff_t to_stride) {
    run(from, from_stride, to, to_stride,
        std::make_index_sequence<static_cast<std::size_t>(size)>());
  }

 private:
  using Vector [[gnu::vector_size(16)]] = Word;
  static constexpr std::size_t half = static_cast<std::size_t>(size) / 2;

  static Vector load(const std::byte* from) {
    Vector row;
    std::memcpy(&row, from, sizeof row);
    return row;
  }

  // The elements first, first + 1, ... of a and b in turn.
  template <std::size_t first, std::size_t... i>
  static Vector interleave(Vector a, Vector b, std::index_sequence<i...>) {
    return __builtin_shufflevector(a, b, static_cast<int>(first + i / 2 + i % 2 * 2 * half)...);
  }

  // A perfect shuffle of the rows, log2(size) times, moves element [r][c] to [c][r].
  template <std::size_t... r>
  static void run(const std::byte* from, std::ptrdiff_t from_stride, std::byte* to,
                  std::ptrdiff_t to_stride, std::index_sequence<r...> rows) {
    Vector a[] = {load(from + static_cast<std::ptrdiff_t>(r) * from_stride)...};
    const auto shuffle = [&] {
      const Vector b[] = {interleave<r % 2 * half>(a[r / 2], a[r / 2 + half], rows)...};
      ((a[r] = b[r]), ...);
    };
    shuffle();
    if constexpr (size > 2) shuffle();
    if constexpr (size > 4) shuffle();
    if constexpr (size > 8) shuffle();
    (std::memcpy(to + static_cast<std::ptrdiff_t>(r) * to_stride, &a[r], sizeof(Vector)), ...);
  }
};

// to[c][r] = from[r][c], one by one.
template <typename Word>
void move_each(const std::byte* from, std::ptrdiff_t from_stride, std::byte* to,
               std::ptrdiff_t to_stride, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t width = sizeof(Word);
  for (std::ptrdiff_t r = 0; r < rows; ++r) {
    for (std::ptrdiff_t c = 0; c < columns; ++c)
      std::memcpy(to + c * to_stride + r * width, from + r * from_stride + c * width, width);
  }
}

template <typename Word>
void transpose(const std::byte* from, std::ptrdiff_t from_stride, std::byte* to,
               std::ptrdiff_t to_stride, std::ptrdiff_t rows, std::ptrdiff_t columns) {
  constexpr std::ptrdiff_t n = Block<Word>::size, width = sizeof(Word);
  const std::ptrdiff_t whole_rows = rows / n * n, whole_columns = columns / n * n;
  for (std::ptrdiff_t r = 0; r < whole_rows; r += n) {
    for (std::ptrdiff_t c = 0; c < whole_columns; c += n) {
      Block<Word>::transpose(from + r * from_stride + c * width, from_stride,
                             to + c * to_stride + r * width, to_stride);
    }
    move_each<Word>(from + r * from_stride + whole_columns * width, from_stride,
                    to + whole_columns * to_stride + r * width, to_stride, n,
                    columns - whole_columns);
  }
  move_each<Word>(from + whole_rows * from_stride, from_stride, to + whole_rows * width, to_stride,
                  rows - whole_rows, columns);
}

}  // namespace transpose_detail

// to[columns][rows] = transpose of from[rows][columns], elements of `width` bytes. Strides are in
// bytes from row to row; the matrices do not overlap.
inline void transpose_bits(const std::byte* from, std::ptrdiff_t from_stride, std::byte* to,
                           std::ptrdiff_t to_stride, std::ptrdiff_t rows, std::ptrdiff_t columns,
                           std::int64_t width) {
  const auto run = [&](auto word) {
    transpose_detail::transpose<decltype(word)>(from, from_stride, to, to_stride, rows, columns);
  };
  switch (width) {
    case 1: return run(std::uint8_t{});
    case 2: return run(std::uint16_t{});
    case 4: return run(std::uint32_t{});
    case 8: return run(std::uint64_t{});
    default: base::fail("an element is 1, 2, 4 or 8 bytes");
  }
}

}  // namespace trainyard::isa
