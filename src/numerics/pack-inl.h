// Vectors of float32 rounded to bfloat16 or to a format of 8 bits, several at a time: where nothing
// but rounding is needed, neighbours share a lane, so that each operation rounds two or four.
// Bit-equal to the codecs, which take what does not fit here. Included once per instruction set,
// hence no pragma once.
#if defined(TRAINYARD_NUMERICS_PACK_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_PACK_INL_H
#undef TRAINYARD_NUMERICS_PACK_INL_H
#else
#define TRAINYARD_NUMERICS_PACK_INL_H
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "numerics/convert_codecs-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

// How four vectors of a codec's format are rounded and stored together, for an Overflow that it
// serves. store() returns false where a number needs another rule than rounding: then the codec
// stores all of them again. A Packer is made before a loop and holds the constants of it.
template <class Codec>
struct Packer {
  static constexpr bool exists = false;
  static constexpr bool serves(Overflow) { return false; }
};

#if HWY_TARGET != HWY_SCALAR  // which has no vectors to share

using Halves = hn::RepartitionToNarrow<Words>;
using SignedHalves = hn::RebindToSigned<Halves>;
using ByteVector = hn::RepartitionToNarrow<Halves>;
using H = hn::Vec<Halves>;
using B = hn::Vec<ByteVector>;

// A constant that stays in a register: g++ would make it anew in every round of a loop that has
// many of them.
template <class V>
HWY_INLINE V kept(V constant) {
#if HWY_ARCH_X86 && HWY_COMPILER_GCC_ACTUAL
  asm("" : "+v"(constant.raw));
#endif
  return constant;
}
HWY_INLINE H half_constant(std::uint16_t bits) { return kept(hn::Set(Halves(), bits)); }
template <class V>
HWY_INLINE H halves_of(V x) {
  return hn::BitCast(Halves(), x);
}
template <class V>
HWY_INLINE B bytes_of(V x) {
  return hn::BitCast(ByteVector(), x);
}

// Merges two vectors. A unit is two parts of `width` bytes, the lower one first.
template <std::size_t width>
class Merger {
 public:
  HWY_INLINE Merger() {}  // written out, so that it is compiled for the instruction set, too
  // The upper parts of all units: in the lower places those of `even`, in the upper those of `odd`.
  template <class V>
  HWY_INLINE V upper(V even, V odd) const {
    return hn::BitCast(hn::DFromV<V>(),
                       hn::IfThenElse(lower_places_, exchanged(even), bytes_of(odd)));
  }
  // The lower parts of all units, placed in the same way.
  template <class V>
  HWY_INLINE V lower(V even, V odd) const {
    return hn::BitCast(hn::DFromV<V>(),
                       hn::IfThenElse(upper_places_, exchanged(odd), bytes_of(even)));
  }

 private:
  template <class V>
  HWY_INLINE B exchanged(V x) const {
    return hn::TableLookupBytes(bytes_of(x), other_part_);
  }
  static constexpr std::array<std::uint8_t, 16> other_part() {
    std::array<std::uint8_t, 16> places{};
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = static_cast<std::uint8_t>(i ^ width);
    return places;
  }
  static HWY_INLINE hn::Mask<ByteVector> mask(std::uint32_t word) {
    return hn::MaskFromVec(hn::BitCast(ByteVector(), constant(word)));
  }
  HWY_ALIGN static constexpr std::array<std::uint8_t, 16> places_ = other_part();

  B other_part_ = kept(hn::LoadDup128(ByteVector(), places_.data()));
  hn::Mask<ByteVector> lower_places_ = mask(width == 2 ? 0x0000FFFFu : 0x00FF00FFu);
  hn::Mask<ByteVector> upper_places_ = mask(width == 2 ? 0xFFFF0000u : 0xFF00FF00u);
};

// Undoes the merging of vectors that lay one after the other: part k of every word goes to the k-th
// stretch of the result. First within blocks of four words, then whole words.
template <std::size_t width>
class Sorter {
 public:
  HWY_INLINE Sorter() {}
  HWY_INLINE void store(B merged, std::byte* to) const {
    const B gathered = hn::TableLookupBytes(merged, within_);
    const auto order = hn::IndicesFromVec(Words(), among_);
    const U sorted = hn::TableLookupLanes(hn::BitCast(Words(), gathered), order);
    hn::StoreU(bytes_of(sorted), ByteVector(), reinterpret_cast<std::uint8_t*>(to));
  }

 private:
  static constexpr std::size_t words = hn::MaxLanes(Words()), blocks = words / 4;
  static constexpr std::array<std::uint8_t, 16> within_blocks() {
    std::array<std::uint8_t, 16> from{};
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::size_t part = i / (4 * width), word = i % (4 * width) / width;
      from[i] = static_cast<std::uint8_t>(4 * word + part * width + i % width);
    }
    return from;
  }
  static constexpr std::array<std::int32_t, words> among_words() {
    std::array<std::int32_t, words> from{};
    for (std::size_t i = 0; i < words; ++i) {
      const std::size_t part = i / (width * blocks), rest = i % (width * blocks);
      from[i] = static_cast<std::int32_t>(4 * (rest / width) + part * width + rest % width);
    }
    return from;
  }
  HWY_ALIGN static constexpr std::array<std::uint8_t, 16> bytes_ = within_blocks();
  HWY_ALIGN static constexpr std::array<std::int32_t, words> words_ = among_words();

  B within_ = kept(hn::LoadDup128(ByteVector(), bytes_.data()));
  I among_ = kept(hn::Load(Integers(), words_.data()));
};

// --- bfloat16

// Where either is a NaN: one comparison, or two tests.
HWY_INLINE hn::Mask<Floats> either_is_nan(F a, F b) {
#if HWY_TARGET <= HWY_AVX3
  return {_mm512_cmp_ps_mask(a.raw, b.raw, _CMP_UNORD_Q)};
#elif HWY_TARGET == HWY_AVX2
  return {_mm256_cmp_ps(a.raw, b.raw, _CMP_UNORD_Q)};
#else
  return hn::Or(hn::IsNaN(a), hn::IsNaN(b));
#endif
}

// Two vectors that are no NaNs, rounded and merged as bfloat16. The upper half goes up by one where
// the lower one is above half a place, or at half a place and the upper one odd: where
// lower + 0x7FFF + (upper & 1) reaches 2^16, half of which is an average.
class Bfloat16Merger {
 public:
  HWY_INLINE Bfloat16Merger() {}
  HWY_INLINE H operator()(F even, F odd) const {
    const H upper = halves_of(merger_.upper(even, odd)),
            lower = halves_of(merger_.lower(even, odd));
    const H average = hn::AverageRound(lower, hn::OrAnd(half_place_, upper, one_));
    const auto minus_one_or_zero = hn::ShiftRight<15>(hn::BitCast(SignedHalves(), average));
    return hn::Sub(upper, halves_of(minus_one_or_zero));
  }

 private:
  Merger<2> merger_;
  H half_place_ = half_constant(0x7FFE), one_ = half_constant(1);
};

template <>
class Packer<FloatCodec<bfloat16_format>> {
 public:
  static constexpr bool exists = true;
  // Overflow to infinity comes by itself, and only a NaN needs a rule.
  static constexpr bool serves(Overflow mode) { return mode == Overflow::format; }
  HWY_INLINE explicit Packer(Overflow) {}

  HWY_INLINE bool store(F a, F b, F c, F d, std::byte* to) const {
    sorter_.store(bytes_of(merge_(a, b)), to);
    sorter_.store(bytes_of(merge_(c, d)), to + hn::MaxLanes(ByteVector()));
    return hn::AllFalse(Floats(), hn::Or(either_is_nan(a, b), either_is_nan(c, d)));
  }

 private:
  Bfloat16Merger merge_;
  Sorter<2> sorter_;
};

// --- Formats of 8 bits with a sign on top

template <const FloatFormat& format>
requires(format.sign_bit() == 0x80) class Packer<FloatCodec<format>> {
 public:
  static constexpr bool exists = true;
  static constexpr bool serves(Overflow) { return true; }
  HWY_INLINE explicit Packer(Overflow mode) : limit_(kept(hn::Set(SignedHalves(), limit(mode)))) {}

  HWY_INLINE bool store(F a, F b, F c, F d, std::byte* to) const {
    const H even = halves_of(halves_.upper(a, c)), odd = halves_of(halves_.upper(b, d));
    const H even_size = hn::AndNot(sign_, even), odd_size = hn::AndNot(sign_, odd);
    const Sums first = rounded(a, c, even, even_size), second = rounded(b, d, odd, odd_size);
    const B places = hn::Add(bytes_of(bytes_.lower(encoded(first), encoded(second))), correction_);
    const B signs = bytes_of(bytes_.upper(first.upper, second.upper));
#if HWY_TARGET <= HWY_AVX3  // which has one instruction for any choice of bits
    const B all = hn::IfVecThenElse(byte_sign_, signs, places);
#else
    const B all = hn::OrAnd(hn::AndNot(byte_sign_, places), signs, byte_sign_);
#endif
    sorter_.store(all, to);
    const auto largest = hn::BitCast(SignedHalves(), hn::Max(even_size, odd_size));
    return hn::AllFalse(SignedHalves(), hn::Gt(largest, limit_));
  }

 private:
  using Codec = FloatCodec<format>;
  static constexpr int mantissa_shift = Codec::mantissa_shift;

  // The upper half of the largest magnitude that needs no rule but rounding. Where overflow gives
  // the pattern above the largest number's, rounding may go there by itself.
  static constexpr std::int16_t limit(Overflow mode) {
    constexpr std::uint32_t place = 1u << mantissa_shift;
    const bool goes_there = format.overflow(mode) == format.largest() + 1;
    const std::uint32_t first_beyond =
        Codec::largest_float32 + place / 2 + (goes_there ? place : 0);
    return static_cast<std::int16_t>((first_beyond - 1) >> 16);
  }

  // Two vectors are rounded by the host's addition of powers of two whose last place is the
  // numbers' last kept place. They have the numbers' signs, so that the places hold magnitudes.
  struct Sums {
    H upper, lower;
  };
  HWY_INLINE Sums rounded(F even, F odd, H numbers, H sizes) const {
    const H field = hn::Max(hn::And(sizes, exponent_), smallest_normal_);
    const U powers = hn::BitCast(Words(), hn::OrAnd(hn::Add(field, shift_), numbers, sign_));
    const F a = hn::Add(even, float_of(hn::ShiftLeft<16>(powers)));
    const F b = hn::Add(odd, float_of(hn::And(powers, upper_half_)));
    return {halves_of(halves_.upper(a, b)), halves_of(halves_.lower(a, b))};
  }

  // The places with the exponent above them, off by a constant; only the lower bytes count.
  HWY_INLINE H encoded(const Sums& sums) const {
    return hn::Add(hn::ShiftRight<mantissa_shift - 16>(sums.upper), sums.lower);
  }

  Merger<2> halves_;
  Merger<1> bytes_;
  Sorter<1> sorter_;
  H sign_ = half_constant(0x8000), exponent_ = half_constant(0x7F80);
  H smallest_normal_ = half_constant(Codec::smallest_normal >> 16);
  H shift_ = half_constant(mantissa_shift << 7);
  U upper_half_ = kept(constant(0xFFFF0000u));
  B correction_ = kept(
      hn::Set(ByteVector(),
              static_cast<std::uint8_t>(static_cast<unsigned>(format.bias - 128 - mantissa_shift)
                                        << format.mantissa_bits)));
  B byte_sign_ = kept(hn::Set(ByteVector(), 0x80));
  hn::Vec<SignedHalves> limit_;
};

#endif

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
