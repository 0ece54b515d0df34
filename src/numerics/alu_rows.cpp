// The float32 operators of alu.h on vectors. Compiled once per instruction set and chosen at run
// time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "numerics/alu_rows.cpp"
#include "numerics/simd_targets.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "base/error.h"
#include "numerics/alu.h"
#include "numerics/alu_operators-inl.h"
#include "numerics/alu_rows.h"
#include "numerics/elementary-inl.h"
#include "numerics/float64_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

template <AluOp op>
struct SingleStep {
  using Tag = Floats;
  HWY_INLINE F operator()(F a, F b) const { return value_of<op>(a, b); }
};

// The operators that compute in float64.
struct RsqrtStep {
  using Tag = Singles;
  HWY_INLINE FloatVector operator()(FloatVector a, FloatVector) const {
    return rounded(Pack(1.0) / square_root(widened(a)), a);
  }
};
struct PowerStep {
  using Tag = Singles;
  HWY_INLINE FloatVector operator()(FloatVector a, FloatVector b) const {
    const Singles d;
    const FloatVector one = hn::Set(d, 1.0f), value = to_float32(power(widened(a), widened(b)));
    const auto is_nan = hn::Or(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), hn::IsNaN(value));
    const auto is_one = hn::Or(hn::Eq(a, one), hn::Eq(b, hn::Zero(d)));
    return hn::IfThenElse(is_one, one, hn::IfThenElse(is_nan, quiet_nan_of(d), value));
  }
};

// One vector at place i of an operand; the last one of a row may be partly filling.
template <class Tag>
struct RowReader {
  const float* values;
  HWY_INLINE hn::Vec<Tag> at(std::size_t i) const { return hn::LoadU(Tag(), values + i); }
  HWY_INLINE hn::Vec<Tag> rest(std::size_t i, std::size_t n) const {
    HWY_ALIGN std::array<float, hn::MaxLanes(Tag())> filled{};
    std::copy(values + i, values + n, filled.begin());
    return hn::LoadU(Tag(), filled.data());
  }
};
template <class Tag>
struct ConstantReader {
  hn::Vec<Tag> value;
  HWY_INLINE hn::Vec<Tag> at(std::size_t) const { return value; }
  HWY_INLINE hn::Vec<Tag> rest(std::size_t, std::size_t) const { return value; }
};

template <class Step, class A, class B>
HWY_INLINE void each_vector(Step step, A a, B b, float* out, std::size_t n) {
  const typename Step::Tag d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(step(a.at(i), b.at(i)), d, out + i);
  if (i == n) return;
  HWY_ALIGN std::array<float, lanes> result;
  hn::StoreU(step(a.rest(i, n), b.rest(i, n)), d, result.data());
  std::copy(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(n - i), out + i);
}

template <class Step>
void row_of(Operand a, Operand b, float* out, std::size_t n) {
  using Tag = typename Step::Tag;
  using Row = RowReader<Tag>;
  using Constant = ConstantReader<Tag>;
  const Tag d;
  if (a.is_row && b.is_row) return each_vector(Step(), Row{a.values}, Row{b.values}, out, n);
  if (a.is_row) return each_vector(Step(), Row{a.values}, Constant{hn::Set(d, *b.values)}, out, n);
  if (b.is_row) return each_vector(Step(), Constant{hn::Set(d, *a.values)}, Row{b.values}, out, n);
  base::fail("an operator on a row needs a row");
}

template <AluOp op>
void row(Operand a, Operand b, float* out, std::size_t n) {
  if constexpr (op == AluOp::power) {
    row_of<PowerStep>(a, b, out, n);
  } else if constexpr (op == AluOp::rsqrt) {
    row_of<RsqrtStep>(a, b, out, n);
  } else if constexpr (op == AluOp::fmod || op == AluOp::mod || op == AluOp::average ||
                       is_bitwise(op)) {
    base::fail("this operator has no vector form");
  } else {
    row_of<SingleStep<op>>(a, b, out, n);
  }
}

using Row = void (*)(Operand a, Operand b, float* out, std::size_t n);
template <std::size_t... i>
constexpr std::array<Row, sizeof...(i)> all_rows(std::index_sequence<i...>) {
  return {&row<static_cast<AluOp>(i)>...};
}

void apply_vectors(AluOp op, Operand a, Operand b, float* out, std::size_t n) {
  static constexpr auto rows = all_rows(std::make_index_sequence<alu_op_count>());
  rows[static_cast<std::size_t>(op)](a, b, out, n);
}

// An associative and commutative operator over all lanes: each step joins mirror images.
template <AluOp op>
HWY_INLINE F across(F x) {
  [[maybe_unused]] const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(Floats());
  if constexpr (lanes > 8) x = value_of<op>(x, hn::Reverse(d, x));
  if constexpr (lanes > 4) x = value_of<op>(x, hn::Reverse8(d, x));
  if constexpr (lanes > 2) x = value_of<op>(x, hn::Reverse4(d, x));
  if constexpr (lanes > 1) x = value_of<op>(x, hn::Reverse2(d, x));
  return x;
}

template <AluOp op>
float extreme_exactly(const float* x, std::size_t n, float initial) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), chains = 4;
  std::array<F, chains> best;
  best.fill(number(initial));
  std::size_t i = 0;
  for (; i + chains * lanes <= n; i += chains * lanes) {
    for (std::size_t c = 0; c < chains; ++c)
      best[c] = value_of<op>(best[c], hn::LoadU(d, x + i + c * lanes));
  }
  if (i > 0) best[0] = value_of<op>(value_of<op>(best[0], best[1]), value_of<op>(best[2], best[3]));
  for (; i + lanes <= n; i += lanes) best[0] = value_of<op>(best[0], hn::LoadU(d, x + i));
  if (i < n) {
    const M exist = hn::FirstN(d, n - i);
    const F joined = value_of<op>(best[0], hn::MaskedLoad(exist, d, x + i));
    best[0] = hn::IfThenElse(exist, joined, best[0]);
  }
  return hn::GetLane(across<op>(best[0]));
}

// The host's own operator is another one where there are a NaN or zeros of both signs.
template <AluOp op>
HWY_INLINE F host_extreme(F a, F b) {
  return op == AluOp::maximum ? hn::Max(a, b) : hn::Min(a, b);
}

template <AluOp op>
float extreme(const float* x, std::size_t n, float initial) {
  const Floats d;
  constexpr std::size_t lanes = hn::MaxLanes(d), chains = 4, at_once = chains * lanes;
  const std::size_t whole = n / at_once * at_once;
  if (whole == 0) return extreme_exactly<op>(x, n, initial);
  std::array<F, chains> best;
  best.fill(number(initial));
  M nans = hn::IsNaN(best[0]);
  for (std::size_t i = 0; i < whole; i += at_once) {
#pragma GCC unroll 4
    for (std::size_t c = 0; c < chains; ++c) {
      const F v = hn::LoadU(d, x + i + c * lanes);
      best[c] = host_extreme<op>(best[c], v);
      nans = hn::Or(nans, hn::IsNaN(v));
    }
  }
  const F two = host_extreme<op>(best[0], best[1]), others = host_extreme<op>(best[2], best[3]);
  const float result = hn::GetLane(across<op>(host_extreme<op>(two, others)));
  if (result == 0 || !hn::AllFalse(d, nans)) return extreme_exactly<op>(x, n, initial);
  return extreme_exactly<op>(x + whole, n - whole, result);
}

float extreme_vectors(AluOp op, const float* x, std::size_t n, float initial) {
  return op == AluOp::maximum ? extreme<AluOp::maximum>(x, n, initial)
                              : extreme<AluOp::minimum>(x, n, initial);
}

// --- Chains along rows: a row to a lane

#if HWY_TARGET <= HWY_AVX3

constexpr std::size_t rows_together = 16, columns_together = 8;

template <int selection>
HWY_INLINE F chosen_blocks(F a, F b) {
  return F{_mm512_shuffle_f32x4(a.raw, b.raw, selection)};
}
HWY_INLINE F lower_pairs(F a, F b) {
  const hn::Repartition<double, Floats> d;
  return hn::BitCast(Floats(), hn::InterleaveLower(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}
HWY_INLINE F upper_pairs(F a, F b) {
  const hn::Repartition<double, Floats> d;
  return hn::BitCast(Floats(), hn::InterleaveUpper(d, hn::BitCast(d, a), hn::BitCast(d, b)));
}

// Where 16 rows of words begin.
struct RowStarts {
  const std::byte* start;
  std::ptrdiff_t stride;  // in bytes

  // Eight words of row r, and of the row four below.
  HWY_INLINE F load(std::size_t r, std::size_t word) const {
    const auto at = [&](std::size_t row) HWY_ATTR {
      const std::byte* words = start + static_cast<std::ptrdiff_t>(row) * stride;
      return _mm256_loadu_ps(reinterpret_cast<const float*>(words) + word);
    };
    return F{_mm512_insertf32x8(_mm512_castps256_ps512(at(r)), at(r + 4), 1)};
  }
};

// Eight columns of 16 rows of words. Pairs of rows meet where they are loaded; then blocks of 4 x 4
// are transposed, and those of eight rows joined to those of the other eight.
struct Columns {
  F words[columns_together];

  HWY_INLINE Columns(const RowStarts& rows, std::size_t word) {
    const Blocks upper(rows, 0, word), lower(rows, 8, word);
#pragma GCC unroll 4
    for (std::size_t j = 0; j < 4; ++j) {
      words[j] = chosen_blocks<0x88>(upper.columns[j], lower.columns[j]);
      words[4 + j] = chosen_blocks<0xDD>(upper.columns[j], lower.columns[j]);
    }
  }

 private:
  // Columns j and j + 4 of four rows, then of the four below.
  struct Blocks {
    F columns[4];
    HWY_INLINE Blocks(const RowStarts& rows, std::size_t r, std::size_t word) {
      const Floats d;
      const F first = rows.load(r, word), second = rows.load(r + 1, word);
      const F third = rows.load(r + 2, word), fourth = rows.load(r + 3, word);
      const F a = hn::InterleaveLower(d, first, second), b = hn::InterleaveUpper(d, first, second);
      const F c = hn::InterleaveLower(d, third, fourth), e = hn::InterleaveUpper(d, third, fourth);
      columns[0] = lower_pairs(a, c);
      columns[1] = upper_pairs(a, c);
      columns[2] = lower_pairs(b, e);
      columns[3] = upper_pairs(b, e);
    }
  };
};

// A NaN keeps being one, and is made the one quiet NaN by the caller.
template <AluOp op>
HWY_INLINE F chained(F sum, F x) {
  if constexpr (op == AluOp::multiply) return hn::Mul(sum, x);
  if constexpr (op == AluOp::subtract) return hn::Sub(sum, x);
  return hn::Add(sum, x);
}

// How a column of words is joined to the sums: one float32 each, or two bfloat16.
template <AluOp op>
struct Float32Column {
  static constexpr std::size_t elements = 1;
  static HWY_INLINE F joined(F sum, F words) { return chained<op>(sum, words); }
};
template <AluOp op>
struct Bfloat16Column {
  static constexpr std::size_t elements = 2;
  static HWY_INLINE F joined(F sum, F words) {
    const hn::RebindToUnsigned<Floats> d;
    const auto bits = hn::BitCast(d, words);
    sum = chained<op>(sum, hn::BitCast(Floats(), hn::ShiftLeft<16>(bits)));
    return chained<op>(sum, hn::BitCast(Floats(), hn::And(bits, hn::Set(d, 0xFFFF0000u))));
  }
};

// Groups of 16 rows: the chains of one are added while another's rows are turned.
template <class Column, std::size_t groups>
void chain_of_rows(const RowStarts& rows, std::size_t words, float* accumulators) {
  const Floats d;
  F sums[groups];
  for (std::size_t g = 0; g < groups; ++g) sums[g] = hn::LoadU(d, accumulators + g * rows_together);
  for (std::size_t i = 0; i < words; i += columns_together) {
#pragma GCC unroll 4
    for (std::size_t g = 0; g < groups; ++g) {
      const auto below = static_cast<std::ptrdiff_t>(g * rows_together) * rows.stride;
      const Columns columns({rows.start + below, rows.stride}, i);
#pragma GCC unroll 8
      for (const F& column : columns.words) sums[g] = Column::joined(sums[g], column);
    }
  }
  for (std::size_t g = 0; g < groups; ++g) hn::StoreU(sums[g], d, accumulators + g * rows_together);
}

template <class Column>
Chained chain_columns(RowStarts rows, std::size_t count, std::size_t n, float* accumulators) {
  constexpr std::size_t at_once = columns_together * Column::elements;
  const Chained done{count / rows_together * rows_together, n / at_once * at_once};
  const std::size_t words = done.columns / Column::elements;
  for (std::size_t r = 0; r < done.rows;) {
    const std::size_t left = done.rows - r;
    const std::size_t groups = left >= 3 * rows_together ? 3 : left >= 2 * rows_together ? 2 : 1;
    const auto chain = groups == 3   ? chain_of_rows<Column, 3>
                       : groups == 2 ? chain_of_rows<Column, 2>
                                     : chain_of_rows<Column, 1>;
    chain(rows, words, accumulators + r);
    const std::size_t some = groups * rows_together;
    rows.start += static_cast<std::ptrdiff_t>(some) * rows.stride;
    r += some;
  }
  return done;
}

template <template <AluOp> class Column>
Chained chain_as(AluOp op, const RowStarts& rows, std::size_t count, std::size_t n,
                 float* accumulators) {
  switch (op) {
    case AluOp::multiply:
      return chain_columns<Column<AluOp::multiply>>(rows, count, n, accumulators);
    case AluOp::subtract:
      return chain_columns<Column<AluOp::subtract>>(rows, count, n, accumulators);
    default: return chain_columns<Column<AluOp::add>>(rows, count, n, accumulators);
  }
}

Chained chain_vectors(AluOp op, const float* x, std::size_t rows, std::size_t stride, std::size_t n,
                      float* accumulators) {
  const auto bytes = static_cast<std::ptrdiff_t>(stride * sizeof(float));
  return chain_as<Float32Column>(op, {reinterpret_cast<const std::byte*>(x), bytes}, rows, n,
                                 accumulators);
}

Chained chain_bfloat16_vectors(AluOp op, const std::byte* x, std::size_t rows,
                               std::ptrdiff_t stride, std::size_t n, float* accumulators) {
  return chain_as<Bfloat16Column>(op, {x, stride}, rows, n, accumulators);
}

#else

Chained chain_vectors(AluOp, const float*, std::size_t, std::size_t, std::size_t, float*) {
  return {};
}
Chained chain_bfloat16_vectors(AluOp, const std::byte*, std::size_t, std::ptrdiff_t, std::size_t,
                               float*) {
  return {};
}

#endif

using Integers = hn::RebindToSigned<Floats>;

Magnitudes magnitudes_vectors(const float* x, std::size_t n) {
  const Integers d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  constexpr std::int32_t mask = 0x7FFFFFFF;
  auto smallest = hn::Set(d, mask), largest = hn::Zero(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto size = hn::And(hn::BitCast(d, hn::LoadU(Floats(), x + i)), hn::Set(d, mask));
    smallest = hn::Min(smallest, size);
    largest = hn::Max(largest, size);
  }
  HWY_ALIGN std::array<std::int32_t, lanes> low, high;
  hn::StoreU(smallest, d, low.data());
  hn::StoreU(largest, d, high.data());
  Magnitudes result{*std::ranges::min_element(low), *std::ranges::max_element(high)};
  for (; i < n; ++i) {
    const std::int32_t size = std::bit_cast<std::int32_t>(x[i]) & mask;
    result.smallest = std::min(result.smallest, size);
    result.largest = std::max(result.largest, size);
  }
  return result;
}

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace trainyard::numerics {

HWY_EXPORT(apply_vectors);
HWY_EXPORT(extreme_vectors);
HWY_EXPORT(magnitudes_vectors);
HWY_EXPORT(chain_vectors);
HWY_EXPORT(chain_bfloat16_vectors);

bool has_vector_form(AluOp op) {
  return op != AluOp::fmod && op != AluOp::mod && op != AluOp::average && !is_bitwise(op);
}

void apply_row(AluOp op, Operand a, Operand b, float* out, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(apply_vectors)(op, a, b, out, n);
}

Chained chain_rows(AluOp op, const float* x, std::size_t rows, std::size_t stride, std::size_t n,
                   float* accumulators) {
  return HWY_DYNAMIC_DISPATCH(chain_vectors)(op, x, rows, stride, n, accumulators);
}

Chained chain_bfloat16_rows(AluOp op, const std::byte* x, std::size_t rows, std::ptrdiff_t stride,
                            std::size_t n, float* accumulators) {
  return HWY_DYNAMIC_DISPATCH(chain_bfloat16_vectors)(op, x, rows, stride, n, accumulators);
}

float extreme_of_row(AluOp op, const float* x, std::size_t n, float initial) {
  return HWY_DYNAMIC_DISPATCH(extreme_vectors)(op, x, n, initial);
}

float extreme_magnitude_of_row(AluOp op, const float* x, std::size_t n, float initial) {
  const auto [smallest, largest] = HWY_DYNAMIC_DISPATCH(magnitudes_vectors)(x, n);
  if (largest > 0x7F800000) return apply(AluOp::bypass, std::bit_cast<float>(largest), 0);
  const std::int32_t wanted = op == AluOp::abs_max ? largest : smallest;
  std::size_t last = n - 1;
  while ((std::bit_cast<std::int32_t>(x[last]) & 0x7FFFFFFF) != wanted) --last;
  return apply(op, initial, x[last]);
}

}  // namespace trainyard::numerics
#endif  // HWY_ONCE
