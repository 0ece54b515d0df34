// How matmul_mx reads an operand: where the digits, scales and flags of its rows go (layout in
// mx_detail.h). Part of the per-target code of mx_matmul_simd.cpp, included inside Highway's
// foreach_target.
#if defined(TRAINYARD_NUMERICS_MX_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_MX_ROWS_INL_H
#undef TRAINYARD_NUMERICS_MX_ROWS_INL_H
#else
#define TRAINYARD_NUMERICS_MX_ROWS_INL_H
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "numerics/mx_detail.h"
#include "numerics/mx_digits-inl.h"

#if HWY_NATIVE_FMA

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE bool any(VU v) { return !hn::AllTrue(DU(), hn::Eq(v, hn::Zero(DU()))); }

// The bits of the nonzero lanes.
HWY_INLINE std::uint32_t lane_bits(VU v) {
  std::array<std::uint8_t, 8> bytes{};
  hn::StoreMaskBits(DU(), hn::Ne(v, hn::Zero(DU())), bytes.data());
  return bytes[0] | static_cast<std::uint32_t>(bytes[1] << 8);
}

// Where one vector of columns of one row goes: in one panel of a right operand, in several of a
// left one, `rows` rows apart.
template <bool right>
struct RowOut {
  static constexpr std::size_t width = right ? tile_columns : tile_rows;    // of a panel
  static constexpr std::size_t integers = right ? 2 * width : mx_left_row;  // of its rows
  std::int32_t *digits, *low_digits;
  std::uint8_t* flags;
  std::size_t rows, first_column;  // first_column: of the vector in its panel

  HWY_INLINE RowOut(const MxColumns& part, MxDigits& to, std::size_t k, std::size_t c)
      : rows(part.K), first_column(c % width) {
    const std::size_t row = c / width * part.K + k;
    digits = to.digits.data() + row * integers;
    low_digits = to.low_digits.data() + row * integers;
    flags = to.flags.data() + row;
  }
  HWY_INLINE void next() { digits += integers, low_digits += integers, ++flags; }

  HWY_INLINE void store_right(std::int32_t* row, std::size_t column, VU even, VU odd) const {
    hn::Store(hn::BitCast(DI(), even), DI(), row + column * 2);
    hn::Store(hn::BitCast(DI(), odd), DI(), row + column * 2 + lanes);
  }
  // Digits and what follows them in the panels' rows.
  HWY_INLINE void store_left(std::int32_t* row, VU even, VU odd, VU next_even, VU next_odd) const {
    const DU du;
    static_assert(tile_rows * sizeof(std::int32_t) == 16 && mx_left_row % lanes == 0);
    const auto store = [&](std::size_t panel, std::size_t vector, VU v) HWY_ATTR {
      hn::Store(hn::BitCast(DI(), v), DI(), row + panel * rows * integers + vector * lanes);
    };
    // Neighbouring panels' blocks of four change places, so that even meets odd.
    const VU first = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even),
             second = hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even)),
             first_next = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(next_odd), next_even),
             second_next = hn::OddEvenBlocks(next_odd, hn::SwapAdjacentBlocks(next_even));
    if constexpr (mx_left_row == lanes) {
      store(0, 0, hn::ConcatLowerLower(du, first_next, first));
      store(1, 0, hn::ConcatLowerLower(du, second_next, second));
      store(2, 0, hn::ConcatUpperUpper(du, first_next, first));
      store(3, 0, hn::ConcatUpperUpper(du, second_next, second));
    } else {
      store(0, 0, first), store(0, 1, first_next);
      store(1, 0, second), store(1, 1, second_next);
    }
  }

  // Flags the panels where v has nonzero lanes.
  HWY_INLINE void flag(VU v, MxFlag flag) const {
    if constexpr (right) {
      *flags |= flag;
    } else {
      const std::uint32_t bits = lane_bits(v);
      for (std::size_t i = 0; i < lanes; i += width) {
        if ((bits >> i & 15) != 0) flags[i / width * rows] |= flag;
      }
    }
  }
  // The first flags of the row: of columns where v has nonzero lanes.
  HWY_INLINE void flag_long(VU v) const {
    const std::uint32_t bits = lane_bits(v);
#pragma GCC unroll 4
    for (std::size_t i = 0; i < lanes; i += width)
      flags[i / width * rows] = static_cast<std::uint8_t>((bits >> i & 15) * mx_long_column);
  }
};

// Low digits of a row, zeros beside them; nothing where the panel's row has none yet.
HWY_INLINE bool write_low(const RowOut<true>& out, VU even, VU odd) {
  const bool has_low = any(hn::Or(even, odd)), had_low = (*out.flags & mx_low) != 0;
  if (!has_low && !had_low) return false;
  if (!had_low) {
    const VU zero = hn::Zero(DU());
    for (std::size_t c = 0; c < tile_columns; c += lanes) {
      if (c != out.first_column) out.store_right(out.low_digits, c, zero, zero);
    }
  }
  out.store_right(out.low_digits, out.first_column, even, odd);
  *out.flags |= mx_low;
  return true;
}
HWY_INLINE bool write_low(const RowOut<false>& out, VU even, VU odd) {
  const VU low = hn::Or(even, odd), zero = hn::Zero(DU());
  if (!any(low)) return false;
  out.store_left(out.low_digits, even, odd, zero, zero);
  out.flag(low, mx_low);
  return true;
}

// The lanes of a left row whose products with wide low digits, 2^15 each, do not fit 24 bits. Its
// digits' common zeros at the end do not count.
HWY_INLINE VU long_beside_wide(VU even, VU odd) {
  const DU du;
  const DI di;
  const VU16 sum16 = hn::BitCast(
      DU16(), hn::Add(hn::Abs(hn::BitCast(DI16(), even)), hn::Abs(hn::BitCast(DI16(), odd))));
  const VU pairs = hn::BitCast(du, sum16), bits = hn::Or(even, odd);
  const VI sum =
      hn::BitCast(di, hn::Add(hn::And(pairs, hn::Set(du, 0xFFFF)), hn::ShiftRight<16>(pairs)));
  const VI either = hn::BitCast(di, hn::Or(bits, hn::ShiftRight<16>(bits)));
  const VI last = hn::And(either, hn::Sub(hn::Zero(di), either));  // the lowest bit set
  return hn::BitCast(du, hn::VecFromMask(di, hn::Gt(sum, hn::ShiftLeft<24 - 15>(last))));
}

HWY_INLINE void write_digits(const RowOut<true>& out, bool, VU even, VU odd) {
  out.store_right(out.digits, out.first_column, even, odd);
}
HWY_INLINE void write_digits(const RowOut<false>& out, bool wide_low, VU even, VU odd) {
  const auto eighth = [](VU whole) HWY_ATTR {
    return hn::BitCast(DU(), hn::ShiftRight<mx_low_bits>(hn::BitCast(DI16(), whole)));
  };
  out.store_left(out.digits, even, odd, eighth(even), eighth(odd));
  out.flag_long(wide_low ? long_beside_wide(even, odd)
                         : hn::And(hn::Or(even, odd), hn::Set(DU(), 0x00070007)));
}

template <bool right>
void write_scale(const MxColumns& part, MxDigits& to, std::size_t block, std::size_t c, V scale) {
  constexpr std::size_t width = RowOut<right>::width, step = std::min(width, lanes);
  alignas(64) std::array<float, lanes> scales;
  hn::Store(scale, D(), scales.data());
  const std::size_t blocks = part.K / mx_block_partitions;
  for (std::size_t i = 0; i < lanes; i += step) {
    const std::size_t panel = (c + i) / width;
    std::memcpy(&to.scale[(panel * blocks + block) * width + (c + i) % width], &scales[i],
                step * sizeof(float));
  }
}

// From a row of one vector of blocks to that of the second next, which is worth fetching now: rows
// lie far apart, and often at the same places of the caches.
HWY_INLINE std::ptrdiff_t bytes_ahead(const MxColumns& part, std::size_t block, std::size_t c,
                                      std::size_t element) {
  constexpr std::size_t columns = 2 * lanes;
  if (c + columns < part.columns) return columns * element;
  if ((block + 1) * mx_block_partitions >= part.K) return 0;
  return mx_block_partitions * part.operand.data.stride -
         static_cast<std::ptrdiff_t>((part.columns - std::min(part.columns, columns)) * element);
}

// One vector of blocks: 8 rows of packed elements, columns [c, c + lanes). Returns the flags of any
// row.
template <class Format, bool right>
HWY_INLINE unsigned prepare_blocks(const MxColumns& part, MxDigits& to, std::size_t block,
                                   std::size_t c) {
  constexpr std::size_t element = Format::mantissa == 1 ? 2 : 4;
  const ConstRows& data = part.operand.data;
  const std::size_t k = block * mx_block_partitions, columns = part.columns - c;
  const std::byte* row =
      data.data + static_cast<std::ptrdiff_t>(k) * data.stride + (part.first + c) * element;
  std::array<VU, mx_block_partitions> codes;
  Largest largest;
  const std::ptrdiff_t ahead = bytes_ahead(part, block, c, element);
  for (std::size_t r = 0; r < mx_block_partitions; ++r, row += data.stride) {
    hwy::Prefetch(row + ahead);
    codes[r] = load_codes<Format>(row, columns);
    largest.add(codes[r]);
  }
  const BlockUnit unit = block_unit<Format, right>(
      largest, load_scales(part.operand.scales[block] + part.first + c, columns),
      spare_of(part, right));
  write_scale<right>(part, to, block, c, unit.scale);
  RowOut<right> out(part, to, k, c);
  unsigned flags = 0;
  for (std::size_t r = 0; r < mx_block_partitions; ++r, out.next()) {
    Digits even, odd;
    digits_of<Format, right>(split<Format>(hn::Xor(codes[r], unit.sign)), unit.down, even, odd);
    write_digits(out, part.wide_low, even.whole, odd.whole);
    if constexpr (window_max < Format, right >> 0) {
      if (write_low(out, even.low, odd.low)) flags |= mx_low;
    }
    const VU inexact = hn::Or(unit.flagged, hn::Or(even.beyond, odd.beyond));
    if (HWY_UNLIKELY(any(inexact))) {
      out.flag(inexact, mx_inexact);
      flags |= mx_inexact;
    }
  }
  return flags;
}

template <class Format, bool right>
void prepare_as(const MxColumns& part, MxDigits& to) {
  unsigned flags = 0;
  for (std::size_t block = 0; block < part.K / mx_block_partitions; ++block) {
    for (std::size_t c = 0; c < part.columns; c += lanes)
      flags |= prepare_blocks<Format, right>(part, to, block, c);
  }
  to.all_flags = static_cast<std::uint8_t>(flags);
}

template <bool right>
void prepare(const MxColumns& part, MxDigits& to) {
  switch (part.operand.data.dtype) {
    case DType::float8_e4m3fn_x4: return prepare_as<FormatE4M3Fn, right>(part, to);
    case DType::float8_e5m2_x4: return prepare_as<FormatE5M2, right>(part, to);
    default: return prepare_as<FormatE2M1, right>(part, to);
  }
}

}  // namespace
}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_NATIVE_FMA

#endif
