// exp of stored rows to bfloat16, in float32: sixteen places at a time with AVX-512, by a short
// polynomial that is off by less than 2^-21. That decides the bfloat16 unless the number lies as
// close to where rounding turns; such places take the plain way.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/exp_bfloat16_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "numerics/activation.h"
#include "numerics/alu_operators-inl.h"
#include "numerics/convert.h"

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

using Words = hn::RebindToUnsigned<Floats>;
using Halves = hn::Rebind<std::uint16_t, Floats>;

// x = (k + i/16) log(2) + rest, |rest| <= log(2)/32: exp(x) = 2^k 2^(i/16) exp(rest), the last one
// by Taylor's polynomial of degree 3, whose next term is below 2^-26 of the result.
class BriefExp {
 public:
  HWY_INLINE BriefExp() {}

  // exp(x) as a bfloat16 in the upper half of each place; the lower half is left over. Adds to
  // `uncertain` the places that need the definition.
  HWY_INLINE hn::Vec<Words> operator()(F x, M& uncertain) const {
    // Below, the result is 0; above, infinity. The order of operands lets a NaN through.
    const F bounded = hn::Min(highest_, hn::Max(lowest_, x));
    const F shifted = hn::MulAdd(bounded, inverse_, rounder_);
    const F steps = hn::Sub(shifted, rounder_);
    const F rest = hn::NegMulAdd(steps, log2_low_, hn::NegMulAdd(steps, log2_high_, bounded));
    const F power = hn::MulAdd(hn::MulAdd(hn::MulAdd(c3_, rest, c2_), rest, one_), rest, one_);
    const F root =
        hn::TableLookupLanes(roots_, hn::IndicesFromVec(Floats(), hn::BitCast(Words(), shifted)));
    const F value{_mm512_scalef_ps(hn::Mul(root, power).raw, steps.raw)};
    const auto up = hn::Add(hn::BitCast(Words(), value), to_middle_);
    const M near_middle{_mm512_testn_epi32_mask(up.raw, far_.raw)};
    uncertain = hn::Or(uncertain, hn::Or(near_middle, hn::IsNaN(x)));
    return up;
  }

 private:
  static HWY_INLINE hn::Vec<Words> word(std::uint32_t bits) { return hn::Set(Words(), bits); }

  HWY_ALIGN static constexpr float roots[16] = {
      0x1p+0f,        0x1.0b5586p+0f, 0x1.172b84p+0f, 0x1.2387a6p+0f,
      0x1.306fep+0f,  0x1.3dea64p+0f, 0x1.4bfdaep+0f, 0x1.5ab07ep+0f,
      0x1.6a09e6p+0f, 0x1.7a1148p+0f, 0x1.8ace54p+0f, 0x1.9c4918p+0f,
      0x1.ae89fap+0f, 0x1.c199bep+0f, 0x1.d5818ep+0f, 0x1.ea4afap+0f};
  F roots_ = hn::Load(Floats(), roots);
  // Half a place of a bfloat16 is added, and 2^4 of the 2^16 parts that it has in float32: a sum
  // whose lower half is below 2^5 was as close to the middle between two. The polynomial, its
  // constants and its roundings are off by less than two parts.
  hn::Vec<Words> to_middle_ = word((1u << 15) + (1u << 4)), far_ = word(0xFFFF & ~0x1Fu);
  F lowest_ = number(-105), highest_ = number(90);
  // The sum with it ends in k and the four bits of i, whose upper ones a table of sixteen ignores.
  F rounder_ = number(0x1.8p19f), inverse_ = number(0x1.715476p+0f);
  F log2_high_ = number(0x1.62e43p-1f), log2_low_ = number(-0x1.05c61p-29f);
  F c3_ = number(1.0f / 6), c2_ = number(0.5f), one_ = number(1);
};

HWY_INLINE F load(DType from, const std::byte* x) {
  if (from == DType::float32) return hn::LoadU(Floats(), reinterpret_cast<const float*>(x));
  const auto halves = hn::LoadU(Halves(), reinterpret_cast<const std::uint16_t*>(x));
  return hn::BitCast(Floats(), hn::ShiftLeft<16>(hn::PromoteTo(Words(), halves)));
}

void exp_row(DType from, const std::byte* x, float scale, float bias, std::byte* out,
             std::size_t n) {
  constexpr std::size_t lanes = hn::MaxLanes(Floats()), vectors = 4, block = vectors * lanes;
  const auto size = static_cast<std::size_t>(size_in_bytes(from));
  const BriefExp brief_exp;
  const F scales = number(scale), biases = number(bias);
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
    auto* to = reinterpret_cast<std::uint16_t*>(out) + i;
    M uncertain = hn::FirstN(Floats(), 0);
    std::array<hn::Vec<Words>, vectors> results;
    for (std::size_t v = 0; v < vectors; ++v) {
      const F loaded = load(from, x + (i + v * lanes) * size);
      results[v] = brief_exp(hn::Add(hn::Mul(loaded, scales), biases), uncertain);
    }
    if (!hn::AllFalse(Floats(), uncertain)) [[unlikely]] {
      exp_by_definition(from, x + i * size, scale, bias, reinterpret_cast<std::byte*>(to), block);
      continue;
    }
    for (std::size_t v = 0; v < vectors; ++v) {
      const auto halves = hn::TruncateTo(Halves(), hn::ShiftRight<16>(results[v]));
      hn::StoreU(halves, Halves(), to + v * lanes);
    }
  }
  exp_by_definition(from, x + i * size, scale, bias, out + i * sizeof(std::uint16_t), n - i);
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
