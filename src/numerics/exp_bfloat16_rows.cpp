// exp of stored rows to bfloat16, in float32: sixteen places at a time with AVX-512, by a short
// polynomial that is off by less than 2^-20. That decides the bfloat16 unless the number lies as
// close to where rounding turns; such places take the slower exp. Compared for all 2^32 numbers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/exp_bfloat16_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "numerics/activation.h"
#include "numerics/convert.h"
#include "numerics/convert_codecs-inl.h"
#include "numerics/pack-inl.h"
#include "numerics/quick_exp-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

void exp_by_definition(DType from, const std::byte* x, float scale, float bias, std::byte* out,
                       std::size_t n) {
  constexpr std::size_t together = 256;
  const auto size = static_cast<std::size_t>(size_in_bytes(from));
  std::array<float, together> values;
  for (std::size_t i = 0; i < n; i += together) {
    const std::size_t count = std::min(together, n - i);
    widen(from, x + i * size, values.data(), count);
    scaled_exp(values.data(), scale, bias, values.data(), count);
    narrow(DType::bfloat16, values.data(), out + i * sizeof(std::uint16_t), count, {});
  }
}

#if HWY_TARGET <= HWY_AVX3

// exp as a bfloat16 in the upper half of each place; the lower half is left over.
class BriefExp {
 public:
  HWY_INLINE BriefExp() {}

  // Right where are_certain() says so. n is rounded down, so that the power is in [1, 2) and half a
  // place of a bfloat16 can be added to it. No x but a NaN needs a rule: out of range, nothing that
  // comes out is certain.
  HWY_INLINE U operator()(F x) const {
    constexpr int down = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
    const F shifted{_mm512_fmadd_round_ps(x.raw, table_.inverse.raw, rounder_.raw, down)};
    const F n = hn::Sub(shifted, rounder_);
    const F rest = hn::NegMulAdd(n, table_.log2_high, x);
    const F power = hn::MulAdd(hn::MulAdd(c2_, rest, c1_), rest, c0_);
    const F moved = hn::MulAdd(ExpTable::at(shifted, table_.roots), power, half_place_);
    return bits_of(F{_mm512_scalef_ps(moved.raw, n.raw)});
  }

  // Of results whose smallest upper and lower halves these are: the lower half tells how far from
  // the middle between two bfloat16 the number was, and is 0 of infinities and invalid operations;
  // the upper half of a result that is 0, or has other places, is small.
  HWY_INLINE bool are_certain(U smallest) const {
    return _mm512_cmplt_epu16_mask(smallest.raw, least_.raw) == 0;
  }

  // The results made certain.
  static HWY_NOINLINE U exactly(F x, U result) {
    const M zero = hn::Lt(x, number(-105));
    result = hn::IfThenZeroElse(hn::RebindMask(Words(), zero), result);
    const M small{_mm512_cmplt_epu32_mask(result.raw, constant(smallest_normal).raw)};
    const M near{_mm512_testn_epi32_mask(result.raw, constant(0xFFFF & ~(2 * margin - 1)).raw)};
    const M doubtful = hn::Or(hn::Or(small, near), hn::IsNaN(x));
    if (hn::AllFalse(Floats(), hn::AndNot(zero, doubtful))) return result;
    using Codec = FloatCodec<bfloat16_format>;
    const U infinity = constant(Codec::overflow_pattern(Overflow::format));
    return hn::ShiftLeft<16>(Codec::encode(QuickExp()(x), infinity));
  }

 private:
  // The polynomial, its constants and its roundings are off by less than these of the 2^16 parts
  // that a place of a bfloat16 has in float32.
  static constexpr std::uint32_t margin = 8, smallest_normal = 0x00800000;

  ExpTable table_;
  F rounder_ = ExpTable::rounder(), half_place_ = number(0x1p-8f + margin * 0x1p-23f);
  F c0_ = number(brief_exp_terms[0]), c1_ = number(brief_exp_terms[1]),
    c2_ = number(brief_exp_terms[2]);
  U least_ = constant(smallest_normal | 2 * margin);
};

// Two vectors at a time, the even and the odd elements of bfloat16 rows, neighbours of float32
// rows.
struct Pair {
  F even, odd;
};
struct Bfloat16Source {
  static constexpr std::size_t element_bytes = sizeof(std::uint16_t);
  HWY_INLINE Bfloat16Source() {}
  // Quiet NaNs have a lower half of 0, which is not certain.
  static HWY_INLINE bool has_nan(const Pair&) { return false; }
  static HWY_INLINE Pair load(const std::byte* row, std::size_t i) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(row + i * sizeof(std::uint16_t));
    const U pairs = hn::LoadU(Words(), words);
    return {float_of(hn::ShiftLeft<16>(pairs)), float_of(hn::And(pairs, constant(0xFFFF0000u)))};
  }
  HWY_INLINE void store(U even, U odd, std::byte* to) const {
    hn::StoreU(bytes_of(merger_.upper(even, odd)), ByteVector(),
               reinterpret_cast<std::uint8_t*>(to));
  }
  Merger<2> merger_;
};
struct Float32Source {
  static constexpr std::size_t element_bytes = sizeof(float);
  HWY_INLINE Float32Source() {}
  static HWY_INLINE bool has_nan(const Pair& x) {
    return !hn::AllFalse(Floats(), either_is_nan(x.even, x.odd));
  }
  static HWY_INLINE Pair load(const std::byte* row, std::size_t i) {
    const auto* at = reinterpret_cast<const float*>(row) + i;
    return {hn::LoadU(Floats(), at), hn::LoadU(Floats(), at + hn::MaxLanes(Floats()))};
  }
  HWY_INLINE void store(U first, U second, std::byte* to) const {
    sorter_.store(bytes_of(merger_.upper(first, second)), to);
  }
  Merger<2> merger_;
  Sorter<2> sorter_;
};

// exp(x * scale + bias) of one block of a row.
template <class Source, bool scales, bool adds>
class ExpBlock {
 public:
  static constexpr std::size_t width = 2 * hn::MaxLanes(Floats()), pairs = 2, size = pairs * width;
  HWY_INLINE ExpBlock(float scale, float bias) : scale_(number(scale)), bias_(number(bias)) {}

  // False where a result is not certain: then nothing is stored.
  HWY_INLINE bool store_quickly(const std::byte* x, std::byte* out) const {
    U even[pairs], odd[pairs], smallest[pairs];
    bool has_nan = false;
#pragma GCC unroll 2
    for (std::size_t k = 0; k < pairs; ++k) {
      const Pair at = argument(x, k);
      even[k] = brief_exp_(at.even);
      odd[k] = brief_exp_(at.odd);
      smallest[k] = smaller_halves(even[k], odd[k]);
      has_nan = has_nan || Source::has_nan(at);
    }
    if (has_nan || !brief_exp_.are_certain(smaller_halves(smallest[0], smallest[1]))) return false;
#pragma GCC unroll 2
    for (std::size_t k = 0; k < pairs; ++k) store(even[k], odd[k], out, k);
    return true;
  }

  void store_exactly(const std::byte* x, std::byte* out) const {
    for (std::size_t k = 0; k < pairs; ++k) {
      const Pair at = argument(x, k);
      store(BriefExp::exactly(at.even, brief_exp_(at.even)),
            BriefExp::exactly(at.odd, brief_exp_(at.odd)), out, k);
    }
  }

 private:
  HWY_INLINE F argument(F x) const {
    const F scaled = scales ? hn::Mul(x, scale_) : x;
    return adds ? hn::Add(scaled, bias_) : scaled;
  }
  HWY_INLINE Pair argument(const std::byte* x, std::size_t k) const {
    const Pair loaded = Source::load(x, k * width);
    return {argument(loaded.even), argument(loaded.odd)};
  }
  static HWY_INLINE U smaller_halves(U a, U b) {
    return hn::BitCast(Words(), hn::Min(halves_of(a), halves_of(b)));
  }
  HWY_INLINE void store(U even, U odd, std::byte* out, std::size_t k) const {
    source_.store(even, odd, out + k * width * sizeof(std::uint16_t));
  }

  BriefExp brief_exp_;
  Source source_;
  F scale_, bias_;
};

template <class Block>
HWY_NOINLINE void store_exactly(float scale, float bias, const std::byte* x, std::byte* out) {
  Block(scale, bias).store_exactly(x, out);
}

template <class Source, bool scales, bool adds>
void exp_blocks(const std::byte* x, float scale, float bias, std::byte* out, std::size_t n) {
  using Block = ExpBlock<Source, scales, adds>;
  const Block block(scale, bias);
  for (std::size_t i = 0; i + Block::size <= n; i += Block::size) {
    const std::byte* from = x + i * Source::element_bytes;
    std::byte* to = out + i * sizeof(std::uint16_t);
    if (!block.store_quickly(from, to)) [[unlikely]]
      store_exactly<Block>(scale, bias, from, to);
  }
}

template <class Source>
void exp_all(const std::byte* x, float scale, float bias, std::byte* out, std::size_t n) {
  // Times 1 and plus 0 change nothing but -0, and exp(-0) is exp(+0).
  const auto blocks = scale != 1  ? exp_blocks<Source, true, true>
                      : bias != 0 ? exp_blocks<Source, false, true>
                                  : exp_blocks<Source, false, false>;
  constexpr std::size_t size = ExpBlock<Source, true, true>::size;
  const std::size_t done = n / size * size, rest = n - done;
  blocks(x, scale, bias, out, done);
  if (rest == 0) return;
  HWY_ALIGN std::array<std::byte, size * Source::element_bytes> copy{};
  std::memcpy(copy.data(), x + done * Source::element_bytes, rest * Source::element_bytes);
  blocks(copy.data(), scale, bias, copy.data(), size);
  std::memcpy(out + done * sizeof(std::uint16_t), copy.data(), rest * sizeof(std::uint16_t));
}

void exp_row(DType from, const std::byte* x, float scale, float bias, std::byte* out,
             std::size_t n) {
  // A NaN among these has a lower half of its own.
  if (scale != scale || bias != bias) return exp_by_definition(from, x, scale, bias, out, n);
  from == DType::float32 ? exp_all<Float32Source>(x, scale, bias, out, n)
                         : exp_all<Bfloat16Source>(x, scale, bias, out, n);
}

#else

void exp_row(DType from, const std::byte* x, float scale, float bias, std::byte* out,
             std::size_t n) {
  exp_by_definition(from, x, scale, bias, out, n);
}

#endif

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(exp_row);

void scaled_exp_to_bfloat16(DType from, const std::byte* x, float scale, float bias, std::byte* out,
                            std::size_t n) {
  HWY_DYNAMIC_DISPATCH(exp_row)(from, x, scale, bias, out, n);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE
