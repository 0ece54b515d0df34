#include "isa/semantics/elementwise.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "isa/semantics/cast.h"
#include "numerics/activation.h"
#include "numerics/stored_rows.h"

namespace trainyard::isa::elementwise {

bool rows_meet_their_own(const Tile& dst, const Tile& src) {
  if (dst.space != src.space || dst.partition_start == src.partition_start) return true;
  return src.dynamic == 0 &&
         (dst.high_byte() <= src.low_byte() || src.high_byte() <= dst.low_byte());
}

bool apart_or_same(const Tile& dst, const Tile& source) {
  if (dst.space != source.space || dst.partition_start != source.partition_start) return true;
  if (dst.high_byte() <= source.low_byte() || source.high_byte() <= dst.low_byte()) return true;
  return dst.offset == source.offset && dst.dtype == source.dtype;
}

std::uint32_t* pattern_row(std::vector<std::byte>& scratch, std::size_t n) {
  scratch.resize(n * sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t*>(scratch.data());
}

void reduce(const Tile& data, Execution& execution, const Reduction& reduction) {
  if (reduction.op == numerics::AluOp::bypass) return;
  const auto n = static_cast<std::size_t>(data.free_elements());
  if (dense(data)) {
    return numerics::reduce_rows(reduction.op, data.dtype, place(data, execution, 0),
                                 data.partitions, partition_stride(data, execution), n,
                                 reduction.lanes.data());
  }
  const SourceRows in(data, execution, execution.rows[0]);
  std::vector<float>& block = execution.rows[3];
  block.resize(n * block_rows);
  for (int first = 0; first < data.partitions; first += block_rows) {
    const int rows = std::min(block_rows, data.partitions - first);
    for (int r = 0; r < rows; ++r)
      std::memcpy(block.data() + static_cast<std::size_t>(r) * n, in[first + r], n * sizeof(float));
    numerics::reduce_rows(reduction.op, block.data(), static_cast<std::size_t>(rows), n, n,
                          reduction.lanes.data() + first);
  }
}

void scan(const Tile& dst, const Tile& a, const Tile& b, const Scalar& initial,
          const numerics::Recurrence& recurrence, Execution& execution) {
  // Where a row of dst may be a later row of a source, rows go one by one.
  const auto is_apart = [&](const Tile& source) {
    return dst.space != source.space || dst.partition_start == source.partition_start;
  };
  const int together =
      is_apart(a) && is_apart(b) ? static_cast<int>(numerics::scan_rows_together) : 1;
  const auto n = static_cast<std::size_t>(dst.free_elements());
  const SourceRows left(a, execution, execution.rows[0]), right(b, execution, execution.rows[1]);
  ResultRows out(dst, execution, execution.rows[2], {&a, &b});
  std::vector<float>&lefts = execution.rows[3], &rights = execution.rows[4];
  lefts.resize(n * numerics::scan_rows_together);
  rights.resize(n * numerics::scan_rows_together);
  std::array<float, numerics::scan_rows_together> states{};
  for (int first = 0; first < dst.partitions; first += together) {
    const int rows = std::min(together, dst.partitions - first);
    for (int r = 0; r < rows; ++r) {
      const std::size_t start = static_cast<std::size_t>(r) * n;
      std::memcpy(lefts.data() + start, left[first + r], n * sizeof(float));
      std::memcpy(rights.data() + start, right[first + r], n * sizeof(float));
      states.at(static_cast<std::size_t>(r)) = value(initial, execution, first + r);
    }
    numerics::scan_rows(recurrence, lefts.data(), rights.data(), lefts.data(),
                        static_cast<std::size_t>(rows), n, n, states.data());
    for (int r = 0; r < rows; ++r)
      out.store(first + r, lefts.data() + static_cast<std::size_t>(r) * n);
  }
}

void fill(float other, float* out, std::size_t n) {
  numerics::fill_words(std::bit_cast<std::uint32_t>(other), reinterpret_cast<std::uint32_t*>(out),
                       n);
}

void select(const std::uint32_t* mask, bool reversed, const float* in, float other, float* out,
            std::size_t n) {
  const auto* from = reinterpret_cast<const std::uint32_t*>(in);
  auto* to = reinterpret_cast<std::uint32_t*>(out);
  const auto constant = std::bit_cast<std::uint32_t>(other);
  if (!reversed) return numerics::select_words(mask, from, &constant, 0, to, n);
  for (std::size_t i = 0; i < n; ++i) to[i] = mask[i] == 0 ? from[i] : constant;
}

void binary_bits(const Tile& dst, const Tile& a, const Tile& b, numerics::AluOp op,
                 Execution& execution) {
  const auto n = static_cast<std::size_t>(dst.free_elements());
  std::uint32_t* left = pattern_row(execution.raw[0], n);
  std::uint32_t* right = pattern_row(execution.raw[1], n);
  for (int p = 0; p < dst.partitions; ++p) {
    load_patterns(a, execution, p, left);
    load_patterns(b, execution, p, right);
    numerics::apply_bits(op, left, right, left, n);
    store_patterns(dst, execution, p, left);
  }
}

namespace {

// Signed integers only: those without a sign wrap on purpose, in hashes and generators.
void count_wrapped(numerics::AluOp op, const std::uint32_t* left, const std::uint32_t* right,
                   std::size_t n, int lane, Execution& e) {
  using numerics::AluOp;
  if (e.overflows == nullptr) return;
  if (op != AluOp::add && op != AluOp::subtract && op != AluOp::multiply) return;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t a = static_cast<std::int32_t>(left[i]);
    const std::int64_t b = static_cast<std::int32_t>(right[i]);
    const std::int64_t exact = op == AluOp::add ? a + b : op == AluOp::subtract ? a - b : a * b;
    if (exact != static_cast<std::int32_t>(exact))
      e.overflows->add(
          {Overflows::What::wrapped, DType::int32, static_cast<double>(exact), lane, i});
  }
}

}  // namespace

void binary_integers(const Tile& dst, const Tile& a, const Tile& b, numerics::AluOp op,
                     Execution& execution) {
  const auto n = static_cast<std::size_t>(dst.free_elements());
  const bool is_signed = a.dtype == DType::int32 && b.dtype == DType::int32;
  std::uint32_t* left = pattern_row(execution.raw[0], n);
  std::uint32_t* right = pattern_row(execution.raw[1], n);
  for (int p = 0; p < dst.partitions; ++p) {
    load_patterns(a, execution, p, left);
    load_patterns(b, execution, p, right);
    if (is_signed) {
      count_wrapped(op, left, right, n, dst.partition_start + p, execution);
      numerics::apply_int32(op, reinterpret_cast<const std::int32_t*>(left),
                            reinterpret_cast<const std::int32_t*>(right),
                            reinterpret_cast<std::int32_t*>(left), n);
    } else {
      numerics::apply_uint32(op, left, right, left, n);
    }
    store_patterns(dst, execution, p, left);
  }
}

void stages_bits(const Tile& dst, const Tile& src, std::span<const Stage> stages,
                 Execution& execution) {
  const auto n = static_cast<std::size_t>(dst.free_elements());
  std::uint32_t* row = pattern_row(execution.raw[0], n);
  for (int p = 0; p < dst.partitions; ++p) {
    load_patterns(src, execution, p, row);
    for (const Stage& stage : stages) {
      if (stage.op == numerics::AluOp::bypass) continue;
      const std::uint32_t operand =
          numerics::is_unary(stage.op) ? 0 : pattern(*stage.operand, execution, p);
      numerics::apply_bits_scalar(stage.op, row, operand, stage.reverse, row, n);
    }
    store_patterns(dst, execution, p, row);
  }
}

namespace {

bool has_stored_form(const Tile& dst, const Tile& source) {
  return dense(source) && numerics::has_stored_form(source.dtype) && apart_or_same(dst, source);
}

bool have_stored_forms(const Tile& dst, const Tile& src, const Execution& e) {
  const numerics::Narrowing how = narrowing_of(dst.dtype, e);
  return how.rounding == numerics::RoundingMode::nearest_even &&
         how.overflow == numerics::Overflow::format && e.overflows == nullptr && dense(dst) &&
         numerics::has_stored_form(dst.dtype) && has_stored_form(dst, src);
}

struct Place {
  std::byte* start;
  std::ptrdiff_t stride;
};
Place place_of(const Tile& tile, Execution& e) {
  return {place(tile, e, 0), partition_stride(tile, e)};
}
numerics::StoredRows stored_rows(const Tile& tile, Execution& e) {
  const Place at = place_of(tile, e);
  return {tile.dtype, at.start, at.stride};
}

// The numbers of a [P, 1] operand, one for each row.
const float* numbers_of(const Scalar& column, int rows, Execution& e, std::vector<float>& scratch) {
  scratch.resize(static_cast<std::size_t>(rows));
  const bool is_float32 = column.tile.dtype == DType::float32 && column.tile.partitions != 1;
  const Place at = place_of(column.tile, e);
  for (int p = 0; p < rows; ++p) {
    float& number = scratch[static_cast<std::size_t>(p)];
    if (is_float32) {
      std::memcpy(&number, at.start + p * at.stride, sizeof number);
    } else {
      number = value(column, e, p);
    }
  }
  return scratch.data();
}

numerics::StoredStep stored_step(const Stage& stage, int rows, Execution& e,
                                 std::vector<float>& scratch) {
  numerics::StoredStep step{.op = stage.op, .reversed = stage.reverse};
  if (stage.tile != nullptr) {
    step.rows = stored_rows(*stage.tile, e);
  } else if (!numerics::is_unary(stage.op)) {
    if (stage.operand->is_tile()) {
      step.numbers = numbers_of(*stage.operand, rows, e, scratch);
    } else {
      step.number = value(*stage.operand, e, 0);
    }
  }
  return step;
}

}  // namespace

namespace {

// scale(p) and bias(p) are read before row p is written, as by the plain loop.
template <class Scale, class Bias>
bool exp_rows(const Tile& dst, const Tile& src, Scale scale, Bias bias, Execution& e) {
  const bool widens = src.dtype == DType::bfloat16 || src.dtype == DType::float32;
  if (dst.dtype != DType::bfloat16 || !widens || !have_stored_forms(dst, src, e)) return false;
  const Place to = place_of(dst, e), from = place_of(src, e);
  for (int p = 0; p < dst.partitions; ++p) {
    numerics::scaled_exp_to_bfloat16(src.dtype, from.start + p * from.stride, scale(p), bias(p),
                                     to.start + p * to.stride,
                                     static_cast<std::size_t>(dst.free_elements()));
  }
  return true;
}

}  // namespace

bool scaled_exp_stored(const Tile& dst, const Tile& src, std::span<const Stage, 2> stages,
                       Execution& e) {
  const auto operand = [&](const Stage& stage, float without) {
    return [&stage, without, &e](int p) {
      return stage.op == numerics::AluOp::bypass ? without : value(*stage.operand, e, p);
    };
  };
  // Times 1 changes nothing, and exp(-0) is exp(+0).
  return exp_rows(dst, src, operand(stages[0], 1), operand(stages[1], 0), e);
}

bool exp_stored(const Tile& dst, const Tile& src, const Scalar& shift, Execution& e) {
  return exp_rows(
      dst, src, [](int) { return 1.0F; }, [&](int p) { return -value(shift, e, p); }, e);
}

bool stages_stored(const Tile& dst, const Tile& src, std::span<const Stage> stages, Execution& e) {
  if (!have_stored_forms(dst, src, e)) return false;
  for (const Stage& stage : stages) {
    if (!numerics::has_stored_form(stage.op)) return false;
    if (stage.tile != nullptr && !has_stored_form(dst, *stage.tile)) return false;
  }
  std::array<numerics::StoredStep, numerics::stored_steps_max> steps{};
  std::size_t count = 0;
  for (const Stage& stage : stages) {
    if (stage.op == numerics::AluOp::bypass) continue;
    steps.at(count) = stored_step(stage, dst.partitions, e, e.rows.at(count));
    ++count;
  }
  if (count == 0) ++count;  // bypass: gives every NaN its one pattern
  const Place out = place_of(dst, e);
  numerics::apply_stored(stored_rows(src, e), std::span(steps).first(count),
                         {dst.dtype, out.start, out.stride}, dst.partitions,
                         static_cast<std::size_t>(dst.free_elements()));
  return true;
}

const float* apply_stages(std::span<const Stage> stages, Execution& execution, int p,
                          const float* in, float* out, std::size_t n) {
  std::array<float, 2> operands{};
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (!numerics::is_unary(stages[s].op)) operands.at(s) = value(*stages[s].operand, execution, p);
  }
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (stages[s].op == numerics::AluOp::bypass) continue;
    numerics::apply_scalar(stages[s].op, in, operands.at(s), stages[s].reverse, out, n);
    in = out;
  }
  return in;
}

namespace {

// Rows are partitions, each on host pages of its own, which the processor does not foresee: the
// beginnings of the next but one are asked for.
void copy_dense_rows(const Place& to, const Place& from, int rows, std::size_t bytes) {
  constexpr std::size_t line = 64, beginning = 16 * line;
  constexpr int ahead = 2;
  for (int p = 0; p < rows; ++p) {
    for (std::size_t at = 0; p + ahead < rows && at < std::min(bytes, beginning); at += line) {
      __builtin_prefetch(from.start + (p + ahead) * from.stride + at);
      __builtin_prefetch(to.start + (p + ahead) * to.stride + at, 1);
    }
    std::memmove(to.start + p * to.stride, from.start + p * from.stride, bytes);
  }
}

}  // namespace

void copy_bits(const Tile& dst, const Tile& src, Execution& execution) {
  const auto bytes = static_cast<std::size_t>(dst.free_elements() * dst.element_bytes());
  if (dense(dst) && dense(src)) {
    return copy_dense_rows(place_of(dst, execution), place_of(src, execution), dst.partitions,
                           bytes);
  }
  execution.raw[0].resize(bytes);
  for (int p = 0; p < dst.partitions; ++p) {
    load_bits(src, execution, p, execution.raw[0].data());
    store_bits(dst, execution, p, execution.raw[0].data());
  }
}

}  // namespace trainyard::isa::elementwise
