// The stored forms of stored_rows.h. A block of a few vectors goes through all steps in registers;
// formats and operators are chosen once per block, by branches that always go the same way, or once
// per row.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/stored_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>

#include "base/error.h"
#include "numerics/alu_operators-inl.h"
#include "numerics/convert_codecs-inl.h"
#include "numerics/pack-inl.h"
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

// bfloat16 is the upper half of a float32.
struct Bfloat16Codec {
  static HWY_INLINE F decode(U bits) { return float_of(hn::ShiftLeft<16>(bits)); }
  static HWY_INLINE U encode(F x) { return hn::ShiftRight<16>(rounded(x)); }
  // The pattern in the upper half; the lower half is left over. Up by half a place, less one where
  // the kept place is even. A carry into the exponent reaches infinity by itself.
  static HWY_INLINE U rounded(F x) {
    const U bits = bits_of(x), even = hn::AndNot(hn::ShiftRight<16>(bits), constant(1));
    const U number = hn::Sub(bits, hn::Or(constant(0xFFFF8000u), even));
    return select(hn::RebindMask(Words(), hn::Eq(x, x)), number, constant(0x7FC00000));
  }
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

// --- bfloat16 throughout: the format that kernels use most has its commonest operators, one or two
// of them, chosen once for a row.

// The even and the odd elements of a vector of words: neighbours are taken apart and put together
// again in place, which is less work than widening in order.
struct Pair {
  F even, odd;
};
HWY_INLINE Pair load_pair(const std::byte* from) {
  const U pairs = hn::LoadU(Words(), reinterpret_cast<const std::uint32_t*>(from));
  return {float_of(hn::ShiftLeft<16>(pairs)), float_of(hn::And(pairs, constant(0xFFFF0000u)))};
}
HWY_INLINE void store_pair(const Pair& x, std::byte* to) {
  const U upper = hn::And(Bfloat16Codec::rounded(x.odd), constant(0xFFFF0000u));
  const U pairs = hn::Or(upper, Bfloat16Codec::encode(x.even));
  hn::StoreU(pairs, Words(), reinterpret_cast<std::uint32_t*>(to));
}
constexpr std::size_t pair_bytes = sizeof(std::uint32_t) * lanes;

// Four pairs: the merger rounds what has no NaN.
constexpr std::size_t quad = 4;
#if HWY_TARGET == HWY_SCALAR
struct QuadWriter {
  HWY_INLINE void store(const Pair (&x)[quad], std::byte* to) const {
    for (std::size_t k = 0; k < quad; ++k) store_pair(x[k], to + k * pair_bytes);
  }
};
#else
struct QuadWriter {
  HWY_INLINE QuadWriter() {}
  HWY_INLINE void store(const Pair (&x)[quad], std::byte* to) const {
    auto* words = reinterpret_cast<std::uint16_t*>(to);
    auto has_nan = either_is_nan(x[0].even, x[0].odd);
#pragma GCC unroll 4
    for (std::size_t k = 0; k < quad; ++k) {
      hn::StoreU(merge(x[k].even, x[k].odd), Halves(), words + k * 2 * lanes);
      has_nan = hn::Or(has_nan, either_is_nan(x[k].even, x[k].odd));
    }
    if (hn::AllFalse(Floats(), has_nan)) [[likely]]
      return;
    for (std::size_t k = 0; k < quad; ++k) store_pair(x[k], to + k * pair_bytes);
  }
  Bfloat16Merger merge;
};
#endif

// One operator of a row, once its other operand there is known.
template <AluOp op, bool reversed>
HWY_INLINE Pair pair_of(const Pair& x, const Pair& y) {
  if constexpr (reversed) return {raw_value_of<op>(y.even, x.even), raw_value_of<op>(y.odd, x.odd)};
  return {raw_value_of<op>(x.even, y.even), raw_value_of<op>(x.odd, y.odd)};
}
template <AluOp op, bool reversed>
struct OnNumber {
  F number;
  HWY_INLINE Pair operator()(const Pair& x, std::size_t) const {
    return pair_of<op, reversed>(x, Pair{number, number});
  }
};
template <AluOp op, bool reversed>
struct OnRow {
  const std::byte* row;
  HWY_INLINE Pair operator()(const Pair& x, std::size_t byte) const {
    return pair_of<op, reversed>(x, load_pair(row + byte));
  }
};

// The same for all rows.
template <AluOp op, bool reversed = false>
struct WithNumber {
  const StoredStep* step;
  HWY_INLINE OnNumber<op, reversed> at(std::size_t row) const {
    return {number(step->numbers == nullptr ? step->number : step->numbers[row])};
  }
};
template <AluOp op, bool reversed = false>
struct WithRow {
  const StoredStep* step;
  HWY_INLINE OnRow<op, reversed> at(std::size_t row) const {
    return {step->rows.elements + static_cast<std::ptrdiff_t>(row) * step->rows.stride};
  }
};

struct PairRows {
  const std::byte* source;
  std::ptrdiff_t source_stride;
  std::byte* out;
  std::ptrdiff_t stride;
  std::size_t rows, bytes;  // whole vectors
};

// Rows with the steps that were chosen so far.
template <class... Steps>
struct PairRun {
  PairRows rows;
  std::tuple<Steps...> steps;

  void run() const {
    const QuadWriter writer;
    for (std::size_t r = 0; r < rows.rows; ++r) {
      std::apply([&](const auto&... each) HWY_ATTR { run_row(r, writer, each.at(r)...); }, steps);
    }
  }
  template <class... On>
  HWY_INLINE void run_row(std::size_t r, const QuadWriter& writer, const On&... each) const {
    const std::byte* source = rows.source + static_cast<std::ptrdiff_t>(r) * rows.source_stride;
    std::byte* out = rows.out + static_cast<std::ptrdiff_t>(r) * rows.stride;
    std::size_t i = 0;
    for (; i + quad * pair_bytes <= rows.bytes; i += quad * pair_bytes) {
      Pair x[quad];
#pragma GCC unroll 4
      for (std::size_t k = 0; k < quad; ++k) {
        const std::size_t byte = i + k * pair_bytes;
        x[k] = load_pair(source + byte);
        ((x[k] = each(x[k], byte)), ...);
      }
      writer.store(x, out + i);
    }
    for (; i < rows.bytes; i += pair_bytes) {
      Pair x = load_pair(source + i);
      ((x = each(x, i)), ...);
      store_pair(x, out + i);
    }
  }
  template <class Step>
  PairRun<Steps..., Step> then(Step step) const {
    return {rows, std::tuple_cat(steps, std::tuple(step))};
  }
};

template <class Run>
bool run_pairs(const Run& run, std::span<const StoredStep> steps);

template <AluOp op, bool reversed = false, class Run>
bool run_with(const Run& run, std::span<const StoredStep> steps) {
  const StoredStep* step = &steps.front();
  if (step->rows.elements == nullptr)
    return run_pairs(run.then(WithNumber<op, reversed>{step}), steps.subspan(1));
  return run_pairs(run.then(WithRow<op, reversed>{step}), steps.subspan(1));
}

// False when a step, or their number, has no such form.
template <class Run>
bool run_pairs(const Run& run, std::span<const StoredStep> steps) {
  if (steps.empty()) {
    run.run();
    return true;
  }
  if constexpr (std::tuple_size_v<decltype(run.steps)> < 2) {
    const StoredStep& s = steps.front();
    switch (s.op) {
      case AluOp::bypass:
        return run_pairs(run.then(WithNumber<AluOp::bypass>{&s}), steps.subspan(1));
      case AluOp::add: return run_with<AluOp::add>(run, steps);
      case AluOp::multiply: return run_with<AluOp::multiply>(run, steps);
      case AluOp::subtract:
        return s.reversed ? run_with<AluOp::subtract, true>(run, steps)
                          : run_with<AluOp::subtract>(run, steps);
      case AluOp::maximum: return run_with<AluOp::maximum>(run, steps);
      default: return false;
    }
  }
  return false;
}

// How many elements of each row were done: all in whole vectors, or none.
std::size_t bfloat16_pairs(const StoredRows& source, std::span<const StoredStep> steps,
                           const StoredResult& out, std::size_t rows, std::size_t n) {
  const bool all_bfloat16 = source.dtype == DType::bfloat16 && out.dtype == DType::bfloat16 &&
                            std::ranges::all_of(steps, [](const StoredStep& s) {
                              return s.rows.elements == nullptr || s.rows.dtype == DType::bfloat16;
                            });
  const std::size_t whole = n / (2 * lanes) * (2 * lanes);
  if (!all_bfloat16 || whole == 0) return 0;
  const PairRows pairs{source.elements, source.stride, out.elements,
                       out.stride,      rows,          whole * sizeof(std::uint16_t)};
  return run_pairs(PairRun<>{pairs, {}}, steps) ? whole : 0;
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
