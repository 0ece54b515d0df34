// The rows of a tile of low precision as float32: what is stored and the values beside it made one,
// and parted again. Part of float32_shadow.cpp, which says when.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "engines/float32_shadow.h"
#include "isa/core/run_time_index.h"
#include "isa/core/runs.h"
#include "isa/semantics/cast.h"
#include "isa/semantics/rows.h"
#include "numerics/beside.h"

namespace trainyard::engines {

namespace values_beside {

inline constexpr std::int64_t widest = sizeof(float);  // bytes of a value

// So many neighbours have values, or none has because the stored ones are the same.
inline constexpr std::int64_t block = 1024;
// Rows in shorter pieces that lie side by side are moved as a whole.
inline constexpr std::int64_t run_least = 16;

// A format may have many NaNs, and bits that are data of another kind may look like one. Moved as a
// float32 they keep their bits: a quiet NaN of their sign that holds them, and whose they are.
inline constexpr std::uint32_t boxed = 0x7FE00000, kind_shift = 16, kind_mask = 31,
                               bits_mask = 0xFFFF;
inline constexpr std::uint32_t sign = 0x80000000;

inline std::uint32_t stored_bits(const std::byte* row, std::size_t i, std::size_t width) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, row + i * width, width);
  return bits;
}

inline void box_nans(isa::DType dtype, const std::byte* stored, float* row, std::size_t n) {
  const auto width = static_cast<std::size_t>(numerics::size_in_bytes(dtype));
  const auto kind = static_cast<std::uint32_t>(dtype) << kind_shift;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isnan(row[i])) continue;
    const std::uint32_t own_sign = std::bit_cast<std::uint32_t>(row[i]) & sign;
    row[i] = std::bit_cast<float>(own_sign | boxed | kind | stored_bits(stored, i, width));
  }
}

inline void unbox_nans(isa::DType dtype, const float* row, std::byte* stored, std::size_t n) {
  if (!numerics::has_nan(row, n)) return;
  const auto width = static_cast<std::size_t>(numerics::size_in_bytes(dtype));
  for (std::size_t i = 0; i < n; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(row[i]);
    if ((bits & boxed) != boxed ||
        ((bits >> kind_shift) & kind_mask) != static_cast<std::uint32_t>(dtype))
      continue;
    const std::uint32_t inside = bits & bits_mask;
    std::memcpy(stored + i * width, &inside, width);
  }
}

inline numerics::Narrowing rounding(isa::DType dtype, const isa::Execution& execution) {
  return {.overflow = narrowing_of(dtype, execution).overflow};
}

// What a cast that saturates does to values beyond the format: no rounding, but what it means.
inline void saturate(isa::DType dtype, const numerics::Narrowing& how, float* row, std::size_t n) {
  if (how.overflow != numerics::Overflow::saturate) return;
  const float infinite = std::numeric_limits<float>::infinity();
  const float largest = numerics::to_float(dtype, numerics::from_float(dtype, infinite, how));
  for (std::size_t i = 0; i < n; ++i) {
    row[i] = row[i] > largest ? largest : row[i];  // NaN stays
    row[i] = row[i] < -largest ? -largest : row[i];
  }
}

// The values of a tile, as a tile of the memories beside.
inline isa::Tile beside(const isa::Tile& tile) {
  isa::Tile values = tile;
  values.dtype = isa::DType::float32;
  values.offset = tile.offset / tile.element_bytes() * widest;
  return values;
}

// The list that chooses the elements of each row of an .indirect() view; null for other tiles.
inline const isa::DynamicAddress* list_of(const isa::Tile& tile, const isa::Program& program) {
  if (tile.dynamic == 0) return nullptr;
  const isa::DynamicAddress& how = program.dynamics[tile.dynamic - 1];
  return how.kind == isa::DynamicAddress::Kind::indirect ? &how : nullptr;
}

// f(place) with the element that row p of an .indirect() view has at each position; stops when f
// returns false. Those outside of the tensor are left out: running the instruction tells of them.
template <typename F>
inline void for_each_picked(const isa::Tile& tile, const isa::DynamicAddress& how,
                            isa::Execution& execution, int p, F&& f) {
  const int first = static_cast<int>(p / how.stride * how.stride);
  const std::int64_t end = index_end(tile, execution.program);
  for (std::int64_t i = 0, n = tile.free_elements(); i < n; ++i) {
    const std::int64_t at = picked_place(how, execution, first, i);
    if (at >= 0 && at < end && !f(at)) return;
  }
}

}  // namespace values_beside

// The rows of a tile of low precision as float32, with what does not change from row to row.
class Float32Shadow::Rows {
 public:
  Rows(Float32Shadow& shadow, const isa::Tile& tile, isa::Execution& execution)
      : shadow_(shadow),
        execution_(execution),
        tile_(tile),
        there_(values_beside::beside(tile)),
        values_(shadow.of(tile)),
        in_use_(values_.in_use(tile)),
        list_(values_beside::list_of(tile, execution.program)),
        how_(values_beside::rounding(tile.dtype, execution)),
        flat_(simplified(tile)),
        width_(tile.element_bytes()),
        run_(list_ != nullptr ? 1 : flat_.run_elements()),
        n_(static_cast<std::size_t>(tile.free_elements())),
        stored_rows_(place(tile, execution, 0)),
        wide_rows_(place(there_, values_.execution, 0)),
        stride_(partition_stride(tile, execution)),
        wide_stride_(partition_stride(tile, values_.execution)),
        first_of_rows_(values_.first(tile, 0) + tile.offset / width_),
        values_per_row_(values_.first(tile, tile.on_chip() ? 1 : 0) - values_.first(tile, 0)) {}

  void load(int p, float* out) {
    at_row(p);
    if (run_ >= values_beside::run_least || is_one_run()) {
      for_each_piece([&](std::int64_t element, std::size_t done) {
        load_run(element, static_cast<std::size_t>(run_), out + done);
      });
    } else {
      load_apart(p, out);
    }
  }

  // What is beyond the range of a format stays, but where casts saturate (policy cast_overflow):
  // then `row` is what is stored.
  void store(int p, float* row) {
    at_row(p);
    values_beside::saturate(tile_.dtype, how_, row, n_);
    const bool is_one = is_one_run();
    if (!is_one) shadow_.stored_.resize(n_ * static_cast<std::size_t>(width_));
    std::byte* to = is_one ? stored_ : shadow_.stored_.data();
    numerics::narrow(tile_.dtype, row, to, n_, how_);
    values_beside::unbox_nans(tile_.dtype, row, to, n_);
    if (!is_one) store_bits(tile_, execution_, p, to);
    for_each_piece([&](std::int64_t element, std::size_t done) {
      for (std::int64_t i = 0; i < run_; i += values_beside::block) {
        const std::int64_t count = std::min(values_beside::block, run_ - i);
        const std::size_t from = done + static_cast<std::size_t>(i);
        keep(element + i, to + from * static_cast<std::size_t>(width_), row + from,
             static_cast<std::size_t>(count));
      }
    });
  }

 private:
  void at_row(int p) {
    row_ = p;
    stored_ = stored_rows_ + p * stride_;
    wide_ = reinterpret_cast<float*>(wide_rows_ + p * wide_stride_);
    first_ = first_of_rows_ + p * values_per_row_;
  }

  [[nodiscard]] bool is_one_run() const {
    return list_ == nullptr && run_ == static_cast<std::int64_t>(n_);
  }

  // f(where it begins, elements before it) for each piece of a row that lies side by side.
  template <typename F>
  void for_each_piece(F&& f) const {
    std::size_t done = 0;
    const auto one = [&](std::int64_t element) {
      f(element, done);
      done += static_cast<std::size_t>(run_);
      return true;
    };
    if (list_ != nullptr)
      return values_beside::for_each_picked(tile_, *list_, execution_, row_, one);
    const bool is_apart = run_ == 1 && flat_.dims[flat_.rank - 1u].count > 1;
    for_each_outer(flat_, is_apart ? flat_.rank : flat_.rank - 1, one);
  }

  void load_run(std::int64_t element, std::size_t n, float* out) {
    const std::byte* stored = stored_ + element * width_;
    const std::int64_t begin = first_ + element, end = begin + static_cast<std::int64_t>(n);
    for (std::int64_t at = begin; at < end;) {
      const std::int64_t from = in_use_.first_written(at, end - at);
      widen(at - begin, from - at, stored, out);
      at = from == end ? end : in_use_.first_unwritten(from, end - from);
      choose(from - begin, at - from, stored, wide_ + element, out);
    }
  }

  void widen(std::int64_t first, std::int64_t count, const std::byte* stored, float* out) {
    const auto n = static_cast<std::size_t>(count);
    numerics::widen(tile_.dtype, stored + first * width_, out + first, n);
    if (numerics::has_nan(out + first, n)) box(stored + first * width_, out + first, n);
  }

  void choose(std::int64_t first, std::int64_t count, const std::byte* stored, const float* values,
              float* out) {
    const auto n = static_cast<std::size_t>(count);
    if (numerics::widen_beside(tile_.dtype, stored + first * width_, values + first, out + first, n,
                               how_.overflow))
      box(stored + first * width_, out + first, n);
  }

  void box(const std::byte* stored, float* out, std::size_t n) {
    values_beside::box_nans(tile_.dtype, stored, out, n);
    shadow_.boxes_ = true;
  }

  // A row whose elements lie apart: a value that is not in use becomes one that no number is.
  void load_apart(int p, float* out) {
    shadow_.stored_.resize(n_ * static_cast<std::size_t>(width_));
    std::byte* stored = shadow_.stored_.data();
    load_bits(tile_, execution_, p, stored);
    const auto count = static_cast<std::int64_t>(n_);
    if (list_ == nullptr && !values_.any_between(tile_, p)) return widen(0, count, stored, out);
    shadow_.wide_.resize(n_);
    float* values = shadow_.wide_.data();
    if (list_ == nullptr && all_in_use()) {
      load_bits(there_, values_.execution, p, reinterpret_cast<std::byte*>(values));
      return choose(0, count, stored, values, out);
    }
    for_each_piece([&](std::int64_t element, std::size_t done) {
      for (std::int64_t i = 0; i < run_; ++i) {
        const bool is_used = in_use_.all_written(first_ + element + i, 1);
        values[done + static_cast<std::size_t>(i)] =
            is_used ? wide_[element + i] : std::numeric_limits<float>::quiet_NaN();
      }
    });
    choose(0, count, stored, values, out);
  }

  // From the first to the last element, with those between that are not of the tile.
  [[nodiscard]] bool all_in_use() const {
    const std::int64_t low = (tile_.low_byte() - tile_.offset) / width_;
    return in_use_.all_written(first_ + low, (tile_.high_byte() - tile_.low_byte()) / width_);
  }

  // The values of neighbours, where they are not what is stored.
  void keep(std::int64_t element, const std::byte* stored, const float* row, std::size_t n) {
    const auto count = static_cast<std::int64_t>(n);
    if (numerics::is_stored_as(tile_.dtype, stored, row, n))
      return in_use_.forget(first_ + element, count);
    std::memcpy(wide_ + element, row, n * sizeof(float));
    in_use_.mark(first_ + element, count);
    values_.any(tile_) = true;
  }

  Float32Shadow& shadow_;
  isa::Execution& execution_;
  const isa::Tile tile_, there_;
  Values& values_;
  state::WrittenMap& in_use_;
  const isa::DynamicAddress* list_;
  const numerics::Narrowing how_;
  const isa::Tile flat_;  // tile_ without dimensions that need no loop
  const std::int64_t width_, run_;
  const std::size_t n_;
  // Of row 0, and from row to row.
  std::byte* const stored_rows_;
  std::byte* const wide_rows_;
  const std::ptrdiff_t stride_, wide_stride_;
  const std::int64_t first_of_rows_, values_per_row_;
  // The row, its first element, that one's value, and the value's number in in_use_.
  int row_ = 0;
  std::byte* stored_ = nullptr;
  float* wide_ = nullptr;
  std::int64_t first_ = 0;
};

}  // namespace trainyard::engines
