// The stored forms of stored_rows.h. A block of a few vectors goes through all steps in registers;
// formats and operators are chosen once per block, by branches that always go the same way, or once
// per row. Hosts without AVX2 take the steps one after the other: vectors of one element would be
// as much code again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/stored_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "numerics/alu.h"
#include "numerics/alu_operators-inl.h"
#include "numerics/convert.h"
#include "numerics/convert_codecs-inl.h"
#include "numerics/pack-inl.h"
#include "numerics/stored_rows.h"
#if HWY_NATIVE_FMA
#include "numerics/stored_pairs-inl.h"
#endif

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

#if HWY_NATIVE_FMA

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

template <const FloatFormat& format>
struct ExactCodec : FloatCodec<format> {
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

template <typename Stored, U (*encode)(F)>
HWY_INLINE void store_vector(F x, Stored* to) {
  const hn::Rebind<Stored, Floats> d;
  if constexpr (sizeof(Stored) == sizeof(float)) {
    hn::StoreU(encode(x), d, to);
  } else {
    hn::StoreU(hn::TruncateTo(d, encode(x)), d, to);
  }
}
template <typename Stored, U (*encode)(F)>
HWY_INLINE void store_with(const Block& x, Stored* to) {
  store_vector<Stored, encode>(x.a, to);
  store_vector<Stored, encode>(x.b, to + lanes);
  store_vector<Stored, encode>(x.c, to + 2 * lanes);
  store_vector<Stored, encode>(x.d, to + 3 * lanes);
  store_vector<Stored, encode>(x.e, to + 4 * lanes);
  store_vector<Stored, encode>(x.f, to + 5 * lanes);
  store_vector<Stored, encode>(x.g, to + 6 * lanes);
  store_vector<Stored, encode>(x.h, to + 7 * lanes);
}
template <typename Stored, class Codec>
HWY_INLINE void store_as(const Block& x, std::byte* to) {
  auto* out = reinterpret_cast<Stored*>(to);
  if constexpr (requires { &Codec::encode_in_range; }) {
    if (are_in_range<Codec>(x.a, x.b, x.c, x.d, x.e, x.f, x.g, x.h))
      return store_with<Stored, Codec::encode_in_range>(x, out);
  }
  store_with<Stored, Codec::encode>(x, out);
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

// One row, whole blocks of it; strides and numbers of rows are not looked at. Rows are handed over
// by reference: a copy would wait for all that was stored before.
void stored_blocks(const StoredRows& source, std::span<const StoredStep> steps,
                   const StoredResult& out, std::size_t n) {
  const auto width = static_cast<std::size_t>(size_in_bytes(source.dtype));
  const auto out_width = static_cast<std::size_t>(size_in_bytes(out.dtype));
  for (std::size_t i = 0; i < n; i += block) {
    Block x = load(source.dtype, source.elements + i * width);
    for (const StoredStep& s : steps) {
      if (s.rows.elements == nullptr) {
        x = step(s, x, Same{number(s.number)});
      } else {
        const auto row_width = static_cast<std::size_t>(size_in_bytes(s.rows.dtype));
        x = step(s, x, load(s.rows.dtype, s.rows.elements + i * row_width));
      }
    }
    store(out.dtype, x, out.elements + i * out_width);
  }
}

// The elements of a row after the last whole block, in copies that are one block long.
void stored_rest(const StoredRows& source, std::span<const StoredStep> steps,
                 const StoredResult& out, std::size_t first, std::size_t n) {
  using Copy = std::array<std::byte, block * sizeof(float)>;
  HWY_ALIGN std::array<Copy, stored_steps_max + 1> copies{};
  HWY_ALIGN Copy result;
  const auto copied = [&](const StoredRows& row, Copy& copy) {
    const auto width = static_cast<std::size_t>(size_in_bytes(row.dtype));
    std::memcpy(copy.data(), row.elements + first * width, (n - first) * width);
    return StoredRows{row.dtype, copy.data()};
  };
  std::array<StoredStep, stored_steps_max> rest{};
  for (std::size_t s = 0; s < steps.size(); ++s) {
    rest[s] = steps[s];
    if (rest[s].rows.elements != nullptr) rest[s].rows = copied(steps[s].rows, copies[s]);
  }
  stored_blocks(copied(source, copies[stored_steps_max]), std::span(rest).first(steps.size()),
                {out.dtype, result.data()}, block);
  const auto width = static_cast<std::size_t>(size_in_bytes(out.dtype));
  std::memcpy(out.elements + first * width, result.data(), (n - first) * width);
}

// One row, of which the first `done` elements are done.
void stored_row(const StoredRows& source, std::span<const StoredStep> steps,
                const StoredResult& out, std::size_t done, std::size_t n) {
  if (done == 0) {
    done = n / block * block;
    stored_blocks(source, steps, out, done);
  }
  if (done < n) stored_rest(source, steps, out, done, n);
}

#else

constexpr std::size_t lanes = 1;

std::size_t bfloat16_pairs(const StoredRows&, std::span<const StoredStep>, const StoredResult&,
                           std::size_t, std::size_t) {
  return 0;
}

void stored_row(const StoredRows& source, std::span<const StoredStep> steps,
                const StoredResult& out, std::size_t, std::size_t n) {
  std::array<float, 256> values{}, others{};
  for (std::size_t first = 0; first < n; first += values.size()) {
    const std::size_t count = std::min(values.size(), n - first);
    const auto place = [&](DType dtype) {
      return first * static_cast<std::size_t>(size_in_bytes(dtype));
    };
    float *const x = values.data(), *const y = others.data();
    widen(source.dtype, source.elements + place(source.dtype), x, count);
    for (const StoredStep& s : steps) {
      if (s.rows.elements == nullptr) {
        apply_scalar(s.op, x, s.number, s.reversed, x, count);
        continue;
      }
      widen(s.rows.dtype, s.rows.elements + place(s.rows.dtype), y, count);
      const bool reversed = s.reversed && !is_unary(s.op);
      apply(s.op, reversed ? y : x, reversed ? x : y, x, count);
    }
    narrow(out.dtype, x, out.elements + place(out.dtype), count);
  }
}

#endif  // HWY_NATIVE_FMA

void stored_vectors(StoredRows source, std::span<const StoredStep> steps, StoredResult out,
                    std::size_t rows, std::size_t n) {
  const bool at_once = n % (2 * lanes) == 0;
  if (at_once && bfloat16_pairs(source, steps, out, rows, n) != 0) return;
  std::array<StoredStep, stored_steps_max> copy{};
  std::ranges::copy(steps, copy.begin());
  const auto here = std::span(copy).first(steps.size());
  for (StoredStep& s : here) s.number = s.numbers == nullptr ? s.number : *s.numbers;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::size_t done = at_once ? 0 : bfloat16_pairs(source, here, out, 1, n);
    stored_row(source, here, out, done, n);
    source.elements += source.stride;
    out.elements += out.stride;
    for (StoredStep& s : here) {
      if (s.rows.elements != nullptr) s.rows.elements += s.rows.stride;
      if (s.numbers != nullptr && r + 1 < rows) s.number = *++s.numbers;
    }
  }
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

void apply_stored(StoredRows source, std::span<const StoredStep> steps, StoredResult out,
                  std::size_t rows, std::size_t n) {
  base::check(!steps.empty() && steps.size() <= stored_steps_max, "a stored form has few steps");
  HWY_DYNAMIC_DISPATCH(stored_vectors)(source, steps, out, rows, n);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE
