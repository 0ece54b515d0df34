// The stored forms of stored_rows.h. A block of a few vectors goes through all steps in registers;
// formats and operators are chosen once per block, by branches that always go the same way.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/stored_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "numerics/alu_operators-inl.h"
#include "numerics/convert_codecs-inl.h"
#include "numerics/stored_rows.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

constexpr std::size_t lanes = hn::MaxLanes(Floats());
constexpr std::size_t vectors = 8, block = vectors * lanes;

// Members, not an array: they stay in registers.
struct Block {
  F a, b, c, d, e, f, g, h;
};

// Codecs for values between operators: a NaN may have any sign and payload until it is stored,
// where it becomes the one that apply() gives.
struct Float32Codec {
  static HWY_INLINE F decode(U bits) { return float_of(bits); }
  static HWY_INLINE U encode(F x) { return bits_of(one_nan(x)); }
};

// bfloat16 is the upper half of a float32. Rounding carries into the exponent and so reaches
// infinity by itself.
struct Bfloat16Codec {
  static HWY_INLINE F decode(U bits) { return float_of(hn::ShiftLeft<16>(bits)); }
  static HWY_INLINE U encode(F x) { return hn::ShiftRight<16>(rounded(x)); }
  // The pattern in the upper half; the lower half is left over.
  static HWY_INLINE U rounded(F x) {
    const U bits = bits_of(x);
    const U half = select(hn::TestBit(bits, constant(0x10000)), constant(0x8000), constant(0x7FFF));
    const auto is_nan = hn::RebindMask(Words(), hn::IsNaN(x));
    return select(is_nan, constant(0x7FC00000), hn::Add(bits, half));
  }
};

template <const FloatFormat& format>
struct ExactCodec {
  static HWY_INLINE F decode(U bits) { return FloatCodec<format>::decode(bits); }
  static HWY_INLINE U encode(F x) {
    return FloatCodec<format>::encode(
        one_nan(x), constant(FloatCodec<format>::overflow_pattern(Overflow::format)));
  }
};

template <typename Stored, class Codec>
HWY_INLINE F load_vector(const Stored* from) {
  const auto stored = hn::LoadU(hn::Rebind<Stored, Floats>(), from);
  if constexpr (sizeof(Stored) == sizeof(float)) {
    return Codec::decode(stored);
  } else {
    return Codec::decode(hn::PromoteTo(Words(), stored));
  }
}
template <typename Stored, class Codec>
HWY_INLINE Block load_as(const std::byte* from) {
  const auto* x = reinterpret_cast<const Stored*>(from);
  return {load_vector<Stored, Codec>(x),
          load_vector<Stored, Codec>(x + lanes),
          load_vector<Stored, Codec>(x + 2 * lanes),
          load_vector<Stored, Codec>(x + 3 * lanes),
          load_vector<Stored, Codec>(x + 4 * lanes),
          load_vector<Stored, Codec>(x + 5 * lanes),
          load_vector<Stored, Codec>(x + 6 * lanes),
          load_vector<Stored, Codec>(x + 7 * lanes)};
}

template <typename Stored, class Codec>
HWY_INLINE void store_vector(F x, Stored* to) {
  const hn::Rebind<Stored, Floats> d;
  if constexpr (sizeof(Stored) == sizeof(float)) {
    hn::StoreU(Codec::encode(x), d, to);
  } else {
    hn::StoreU(hn::TruncateTo(d, Codec::encode(x)), d, to);
  }
}
template <typename Stored, class Codec>
HWY_INLINE void store_as(const Block& x, std::byte* to) {
  auto* out = reinterpret_cast<Stored*>(to);
  store_vector<Stored, Codec>(x.a, out);
  store_vector<Stored, Codec>(x.b, out + lanes);
  store_vector<Stored, Codec>(x.c, out + 2 * lanes);
  store_vector<Stored, Codec>(x.d, out + 3 * lanes);
  store_vector<Stored, Codec>(x.e, out + 4 * lanes);
  store_vector<Stored, Codec>(x.f, out + 5 * lanes);
  store_vector<Stored, Codec>(x.g, out + 6 * lanes);
  store_vector<Stored, Codec>(x.h, out + 7 * lanes);
}

HWY_INLINE Block load(DType dtype, const std::byte* from) {
  using std::uint16_t, std::uint32_t, std::uint8_t;
  switch (dtype) {
    case DType::bfloat16: return load_as<uint16_t, Bfloat16Codec>(from);
    case DType::float16: return load_as<uint16_t, ExactCodec<float16_format>>(from);
    case DType::float8_e4m3: return load_as<uint8_t, ExactCodec<float8_e4m3_format>>(from);
    case DType::float8_e4m3fn: return load_as<uint8_t, ExactCodec<float8_e4m3fn_format>>(from);
    case DType::float8_e5m2: return load_as<uint8_t, ExactCodec<float8_e5m2_format>>(from);
    default: return load_as<uint32_t, Float32Codec>(from);
  }
}

HWY_INLINE void store(DType dtype, const Block& x, std::byte* to) {
  using std::uint16_t, std::uint32_t, std::uint8_t;
  switch (dtype) {
    case DType::bfloat16: return store_as<uint16_t, Bfloat16Codec>(x, to);
    case DType::float16: return store_as<uint16_t, ExactCodec<float16_format>>(x, to);
    case DType::float8_e4m3: return store_as<uint8_t, ExactCodec<float8_e4m3_format>>(x, to);
    case DType::float8_e4m3fn: return store_as<uint8_t, ExactCodec<float8_e4m3fn_format>>(x, to);
    case DType::float8_e5m2: return store_as<uint8_t, ExactCodec<float8_e5m2_format>>(x, to);
    default: return store_as<uint32_t, Float32Codec>(x, to);
  }
}

// value_of without giving NaN its one pattern, where that is a step of its own.
template <AluOp op>
HWY_INLINE F raw_value_of(F x, F y) {
  if constexpr (op == AluOp::bypass) return x;
  if constexpr (op == AluOp::add) return hn::Add(x, y);
  if constexpr (op == AluOp::subtract) return hn::Sub(x, y);
  if constexpr (op == AluOp::multiply) return hn::Mul(x, y);
  if constexpr (op == AluOp::square) return hn::Mul(x, x);
  if constexpr (op == AluOp::abs) return hn::Abs(x);
  return value_of<op>(x, y);
}

// One number in all places of a block.
struct Same {
  F value;
};
template <F Block::*place>
HWY_INLINE F at(const Block& x) {
  return x.*place;
}
template <F Block::*>
HWY_INLINE F at(const Same& x) {
  return x.value;
}

template <AluOp op, class X, class Y>
HWY_INLINE Block each(const X& x, const Y& y) {
  return {raw_value_of<op>(at<&Block::a>(x), at<&Block::a>(y)),
          raw_value_of<op>(at<&Block::b>(x), at<&Block::b>(y)),
          raw_value_of<op>(at<&Block::c>(x), at<&Block::c>(y)),
          raw_value_of<op>(at<&Block::d>(x), at<&Block::d>(y)),
          raw_value_of<op>(at<&Block::e>(x), at<&Block::e>(y)),
          raw_value_of<op>(at<&Block::f>(x), at<&Block::f>(y)),
          raw_value_of<op>(at<&Block::g>(x), at<&Block::g>(y)),
          raw_value_of<op>(at<&Block::h>(x), at<&Block::h>(y))};
}

template <class X, class Y>
HWY_INLINE Block step(AluOp op, const X& x, const Y& y) {
  switch (op) {
    case AluOp::add: return each<AluOp::add>(x, y);
    case AluOp::subtract: return each<AluOp::subtract>(x, y);
    case AluOp::multiply: return each<AluOp::multiply>(x, y);
    case AluOp::maximum: return each<AluOp::maximum>(x, y);
    case AluOp::minimum: return each<AluOp::minimum>(x, y);
    case AluOp::equal: return each<AluOp::equal>(x, y);
    case AluOp::not_equal: return each<AluOp::not_equal>(x, y);
    case AluOp::less: return each<AluOp::less>(x, y);
    case AluOp::less_equal: return each<AluOp::less_equal>(x, y);
    case AluOp::greater: return each<AluOp::greater>(x, y);
    case AluOp::greater_equal: return each<AluOp::greater_equal>(x, y);
    case AluOp::abs: return each<AluOp::abs>(x, y);
    case AluOp::square: return each<AluOp::square>(x, y);
    case AluOp::relu: return each<AluOp::relu>(x, y);
    default: return each<AluOp::bypass>(x, y);
  }
}

// An operator whose operands may be exchanged gives the same either way.
HWY_INLINE bool keeps_order(const StoredStep& s) {
  return !s.reversed || is_unary(s.op) || s.op == AluOp::add || s.op == AluOp::multiply ||
         s.op == AluOp::maximum || s.op == AluOp::minimum;
}
template <class Other>
HWY_INLINE Block step(const StoredStep& s, const Block& x, const Other& other) {
  return keeps_order(s) ? step(s.op, x, other) : step(s.op, other, x);
}

// Elements in their order, of any format.
struct Ordered {
  static HWY_INLINE Block load(DType dtype, const std::byte* from) {
    return HWY_NAMESPACE::load(dtype, from);
  }
  static HWY_INLINE void store(DType dtype, const Block& x, std::byte* to) {
    HWY_NAMESPACE::store(dtype, x, to);
  }
};

// bfloat16 only: the even elements of a vector, then its odd ones. Neighbours are taken apart and
// put together again in place, which is less work than widening in order.
struct EvenOdd {
  static HWY_INLINE F even(U pairs) { return float_of(hn::ShiftLeft<16>(pairs)); }
  static HWY_INLINE F odd(U pairs) { return float_of(hn::And(pairs, constant(0xFFFF0000u))); }
  static HWY_INLINE Block load(DType, const std::byte* from) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(from);
    const Words d;
    const U w = hn::LoadU(d, words), x = hn::LoadU(d, words + lanes);
    const U y = hn::LoadU(d, words + 2 * lanes), z = hn::LoadU(d, words + 3 * lanes);
    return {even(w), odd(w), even(x), odd(x), even(y), odd(y), even(z), odd(z)};
  }
  static HWY_INLINE void join(F even, F odd, std::uint32_t* to) {
    const U upper = hn::And(Bfloat16Codec::rounded(odd), constant(0xFFFF0000u));
    hn::StoreU(hn::Or(upper, Bfloat16Codec::encode(even)), Words(), to);
  }
  static HWY_INLINE void store(DType, const Block& x, std::byte* to) {
    auto* words = reinterpret_cast<std::uint32_t*>(to);
    join(x.a, x.b, words);
    join(x.c, x.d, words + lanes);
    join(x.e, x.f, words + 2 * lanes);
    join(x.g, x.h, words + 3 * lanes);
  }
};

template <class Layout>
void stored_blocks(StoredRow source, std::span<const StoredStep> steps, DType dtype, std::byte* out,
                   std::size_t n) {
  const auto width = static_cast<std::size_t>(size_in_bytes(source.dtype));
  const auto out_width = static_cast<std::size_t>(size_in_bytes(dtype));
  for (std::size_t i = 0; i < n; i += block) {
    Block x = Layout::load(source.dtype, source.elements + i * width);
    for (const StoredStep& s : steps) {
      if (s.row.elements == nullptr) {
        x = step(s, x, Same{number(s.number)});
      } else {
        const auto row_width = static_cast<std::size_t>(size_in_bytes(s.row.dtype));
        x = step(s, x, Layout::load(s.row.dtype, s.row.elements + i * row_width));
      }
    }
    Layout::store(dtype, x, out + i * out_width);
  }
}

// The elements after the last whole block, in copies that are one block long.
void stored_rest(StoredRow source, std::span<const StoredStep> steps, DType dtype, std::byte* out,
                 std::size_t first, std::size_t n) {
  using Copy = std::array<std::byte, block * sizeof(float)>;
  HWY_ALIGN std::array<Copy, stored_steps_max + 1> copies{};
  HWY_ALIGN Copy result;
  const auto copied = [&](StoredRow row, Copy& copy) {
    const auto width = static_cast<std::size_t>(size_in_bytes(row.dtype));
    std::memcpy(copy.data(), row.elements + first * width, (n - first) * width);
    return StoredRow{row.dtype, copy.data()};
  };
  std::array<StoredStep, stored_steps_max> rest{};
  for (std::size_t s = 0; s < steps.size(); ++s) {
    rest[s] = steps[s];
    if (rest[s].row.elements != nullptr) rest[s].row = copied(steps[s].row, copies[s]);
  }
  stored_blocks<Ordered>(copied(source, copies[stored_steps_max]),
                         std::span(rest).first(steps.size()), dtype, result.data(), block);
  const auto width = static_cast<std::size_t>(size_in_bytes(dtype));
  std::memcpy(out + first * width, result.data(), (n - first) * width);
}

void stored_vectors(StoredRow source, std::span<const StoredStep> steps, DType dtype,
                    std::byte* out, std::size_t n) {
  const std::size_t whole = n / block * block;
  const bool all_bfloat16 = source.dtype == DType::bfloat16 && dtype == DType::bfloat16 &&
                            std::ranges::all_of(steps, [](const StoredStep& s) {
                              return s.row.elements == nullptr || s.row.dtype == DType::bfloat16;
                            });
  if (all_bfloat16) {
    stored_blocks<EvenOdd>(source, steps, dtype, out, whole);
  } else {
    stored_blocks<Ordered>(source, steps, dtype, out, whole);
  }
  if (whole < n) stored_rest(source, steps, dtype, out, whole, n);
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(stored_vectors);

bool has_stored_form(DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::bfloat16:
    case DType::float16:
    case DType::float8_e4m3:
    case DType::float8_e4m3fn:
    case DType::float8_e5m2: return true;
    default: return false;
  }
}

bool has_stored_form(AluOp op) {
  switch (op) {
    case AluOp::bypass:
    case AluOp::add:
    case AluOp::subtract:
    case AluOp::multiply:
    case AluOp::maximum:
    case AluOp::minimum:
    case AluOp::abs:
    case AluOp::square:
    case AluOp::relu: return true;
    default: return is_comparison(op);
  }
}

void apply_stored(StoredRow source, std::span<const StoredStep> steps, DType dtype, std::byte* out,
                  std::size_t n) {
  base::check(!steps.empty() && steps.size() <= stored_steps_max, "a stored form has few steps");
  HWY_DYNAMIC_DISPATCH(stored_vectors)(source, steps, dtype, out, n);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE
