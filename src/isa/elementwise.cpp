#include "isa/elementwise.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "isa/cast.h"
#include "numerics/stored_rows.h"

namespace trainyard::isa::elementwise {

std::uint32_t* pattern_row(std::vector<std::byte>& scratch, std::size_t n) {
  scratch.resize(n * sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t*>(scratch.data());
}

void reduce(const Tile& data, Execution& execution, const Reduction& reduction) {
  const auto n = static_cast<std::size_t>(data.free_elements());
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

bool dense(const Tile& tile) { return tile.dynamic == 0 && tile.contiguous(); }

// May rows of dst be written while rows of `source` are still read: nowhere, or exactly over them?
bool apart_or_same(const Tile& dst, const Tile& source) {
  if (dst.space != source.space || dst.partition_start != source.partition_start) return true;
  if (dst.high_byte() <= source.low_byte() || source.high_byte() <= dst.low_byte()) return true;
  return dst.offset == source.offset && dst.dtype == source.dtype;
}

bool has_stored_form(const Tile& dst, const Tile& source) {
  return dense(source) && numerics::has_stored_form(source.dtype) && apart_or_same(dst, source);
}

}  // namespace

bool stages_stored(const Tile& dst, const Tile& src, std::span<const Stage> stages, Execution& e) {
  const numerics::Narrowing how = narrowing_of(dst.dtype, e);
  if (how.rounding != numerics::RoundingMode::nearest_even ||
      how.overflow != numerics::Overflow::format || !dense(dst) ||
      !numerics::has_stored_form(dst.dtype) || !has_stored_form(dst, src)) {
    return false;
  }
  for (const Stage& stage : stages) {
    if (!numerics::has_stored_form(stage.op)) return false;
    if (stage.tile != nullptr && !has_stored_form(dst, *stage.tile)) return false;
  }
  std::array<numerics::StoredStep, numerics::stored_steps_max> steps{};
  const auto n = static_cast<std::size_t>(dst.free_elements());
  for (int p = 0; p < dst.partitions; ++p) {
    std::size_t count = 0;
    for (const Stage& stage : stages) {
      if (stage.op == numerics::AluOp::bypass) continue;
      numerics::StoredStep& step = steps.at(count++);
      step = {.op = stage.op, .reversed = stage.reverse};
      if (stage.tile != nullptr) {
        step.row = {stage.tile->dtype, place(*stage.tile, e, p)};
      } else if (!numerics::is_unary(stage.op)) {
        step.number = value(*stage.operand, e, p);
      }
    }
    if (count == 0) steps[count++] = {};  // bypass: gives every NaN its one pattern
    numerics::apply_stored({src.dtype, place(src, e, p)}, std::span(steps).first(count), dst.dtype,
                           place(dst, e, p), n);
  }
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

void copy_bits(const Tile& dst, const Tile& src, Execution& execution) {
  const auto bytes = static_cast<std::size_t>(dst.free_elements() * dst.element_bytes());
  const bool dense = dst.dynamic == 0 && src.dynamic == 0 && dst.contiguous() && src.contiguous();
  if (!dense) execution.raw[0].resize(bytes);
  for (int p = 0; p < dst.partitions; ++p) {
    if (dense) {
      std::memmove(place(dst, execution, p), place(src, execution, p), bytes);
    } else {
      load_bits(src, execution, p, execution.raw[0].data());
      store_bits(dst, execution, p, execution.raw[0].data());
    }
  }
}

}  // namespace trainyard::isa::elementwise
