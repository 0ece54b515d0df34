// Rows that are bfloat16 throughout, for stored_rows.cpp: the format that kernels use most has its
// commonest operators, one or two of them, chosen once for a row.
#if defined(TRAINYARD_NUMERICS_STORED_PAIRS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef TRAINYARD_NUMERICS_STORED_PAIRS_INL_H
#undef TRAINYARD_NUMERICS_STORED_PAIRS_INL_H
#else
#define TRAINYARD_NUMERICS_STORED_PAIRS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <tuple>

#include "numerics/alu_operators-inl.h"
#include "numerics/pack-inl.h"
#include "numerics/stored_rows.h"

HWY_BEFORE_NAMESPACE();
namespace trainyard::numerics::HWY_NAMESPACE {

constexpr std::size_t lanes = hn::MaxLanes(Floats());

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

// Rows without a step: NaNs get their one pattern, all others stay what they are.
void copy_pairs(const PairRows& rows) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::byte* source = rows.source + static_cast<std::ptrdiff_t>(r) * rows.source_stride;
    std::byte* out = rows.out + static_cast<std::ptrdiff_t>(r) * rows.stride;
    for (std::size_t i = 0; i < rows.bytes; i += pair_bytes) {
      const U pairs = hn::LoadU(Words(), reinterpret_cast<const std::uint32_t*>(source + i));
      const Pair x = load_pair(source + i);
      if (hn::AllFalse(Floats(), hn::Or(hn::IsNaN(x.even), hn::IsNaN(x.odd)))) [[likely]]
        hn::StoreU(pairs, Words(), reinterpret_cast<std::uint32_t*>(out + i));
      else
        store_pair(x, out + i);
    }
  }
}

template <class Run>
bool run_pairs(const Run& run, std::span<const StoredStep> steps);

template <class Run, class Step>
bool run_last(const Run& run, Step step, std::span<const StoredStep> steps) {
  if (steps.size() > 1) return false;
  run.then(step).run();
  return true;
}

// A row's operand is that of the last step in every instruction.
template <AluOp op, bool reversed = false, class Run>
bool run_with(const Run& run, std::span<const StoredStep> steps) {
  const StoredStep* step = &steps.front();
  if (step->rows.elements != nullptr) return run_last(run, WithRow<op, reversed>{step}, steps);
  return run_pairs(run.then(WithNumber<op, reversed>{step}), steps.subspan(1));
}

// False when a step, or their number, has no such form.
template <class Run>
bool run_pairs(const Run& run, std::span<const StoredStep> steps) {
  constexpr std::size_t chosen = std::tuple_size_v<decltype(run.steps)>;
  if constexpr (chosen > 0) {
    if (steps.empty()) {
      run.run();
      return true;
    }
  }
  if constexpr (chosen < 2) {
    const StoredStep& s = steps.front();
    switch (s.op) {
      case AluOp::bypass:
        if (chosen > 0 || steps.size() > 1) return false;
        copy_pairs(run.rows);
        return true;
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

}  // namespace trainyard::numerics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
