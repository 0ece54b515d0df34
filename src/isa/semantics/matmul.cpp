#include "isa/semantics/matmul.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "isa/semantics/cast.h"
#include "isa/semantics/rows.h"
#include "isa/semantics/transpose_bits.h"

namespace trainyard::isa::matmul {

ArrayTile array_tile(const IntPair& position, const IntPair& size, const machine::Core& core) {
  if (position.count == 0 || size.count == 0)
    return {.rows = core.array.rows, .columns = core.array.columns};
  return {size.items[0], size.items[1], position.items[0], position.items[1]};
}

namespace {

std::size_t row_bytes(const Tile& tile) {
  return static_cast<std::size_t>(tile.free_elements() * tile.element_bytes());
}

numerics::ConstRows gathered(const Tile& tile, Execution& execution,
                             std::vector<std::byte>& scratch) {
  const std::size_t bytes = row_bytes(tile);
  scratch.resize(bytes * tile.partitions);
  for (int p = 0; p < tile.partitions; ++p)
    load_bits(tile, execution, p, scratch.data() + static_cast<std::size_t>(p) * bytes);
  return {scratch.data(), static_cast<std::ptrdiff_t>(bytes), tile.dtype};
}

}  // namespace

numerics::ConstRows rows(const Tile& tile, Execution& execution, std::vector<std::byte>& scratch) {
  if (tile.dynamic == 0 && tile.contiguous())
    return {place(tile, execution, 0), partition_stride(tile, execution), tile.dtype};
  return gathered(tile, execution, scratch);
}

RowPairs row_pairs(const Tile& tile, Execution& execution, std::vector<std::byte>& scratch) {
  Tile half = tile;
  half.rank = static_cast<std::uint8_t>(tile.rank - 1);
  for (std::size_t d = 0; d < half.rank; ++d) half.dims[d] = tile.dims[d + 1];
  if (tile.dynamic == 0 && half.contiguous()) {
    return {{place(tile, execution, 0), partition_stride(tile, execution), tile.dtype},
            tile.dims[0].step * static_cast<std::ptrdiff_t>(tile.element_bytes())};
  }
  return {gathered(tile, execution, scratch),
          static_cast<std::ptrdiff_t>(half.free_elements() * half.element_bytes())};
}

Result::Result(const Tile& dst, Execution& execution)
    : dst_(dst), execution_(execution), rounding_(psum_rounding(dst, execution)) {
  in_place_ = dst.dynamic == 0 && dst.contiguous();
  if (in_place_) {
    rows_ = {place(dst, execution, 0), partition_stride(dst, execution), dst.dtype};
  } else {
    const numerics::ConstRows copy = gathered(dst, execution, execution.raw[2]);
    rows_ = {execution.raw[2].data(), copy.stride, dst.dtype};
  }
}

void Result::narrow(std::size_t m, const float* row) const {
  const auto n = static_cast<std::size_t>(dst_.free_elements());
  std::byte* to = rows_.data + static_cast<std::ptrdiff_t>(m) * rows_.stride;
  count_overflows(dst_.dtype, row, n, dst_.partition_start + static_cast<int>(m), execution_);
  if (rounding_.random_bits == nullptr) return numerics::narrow(dst_.dtype, row, to, n);
  numerics::narrow(dst_.dtype, row, to, n, {.rounding = numerics::RoundingMode::stochastic},
                   {rounding_.random_bits + m * n, n});
}

void Result::store() {
  if (in_place_) return;
  for (int p = 0; p < dst_.partitions; ++p)
    store_bits(dst_, execution_, p, rows_.data + p * rows_.stride);
}

Extents extents(const Tile& dst, const Tile& stationary) {
  return {stationary.partitions, dst.partitions, static_cast<std::size_t>(dst.free_elements())};
}

namespace {

std::vector<float> widened(numerics::ConstRows rows, std::size_t count, std::size_t columns) {
  std::vector<float> values(count * columns);
  for (std::size_t r = 0; r < count; ++r)
    numerics::widen(rows.dtype, rows.data + static_cast<std::ptrdiff_t>(r) * rows.stride,
                    values.data() + r * columns, columns);
  return values;
}

// For studies of how wide the running sum is (policy accumulator_mantissa_bits).
void multiply_narrow(numerics::ConstRows stationary, numerics::ConstRows moving, const Result& out,
                     const Extents& n, bool accumulate, int bits) {
  const std::vector<float> left = widened(stationary, n.K, n.M);
  const std::vector<float> right = widened(moving, n.K, n.N);
  std::vector<float> sums =
      widened({out.rows().data, out.rows().stride, out.rows().dtype}, n.M, n.N);
  numerics::matmul_narrow(left.data(), n.M, right.data(), n.N, sums.data(), n.N, n.K, n.M, n.N,
                          accumulate, bits);
  for (std::size_t m = 0; m < n.M; ++m) out.narrow(m, sums.data() + m * n.N);
}

}  // namespace

void multiply(numerics::ConstRows stationary, numerics::ConstRows moving, const Result& out,
              const Extents& n, bool accumulate, Execution& execution) {
  constexpr std::int64_t fp32_bits = 24;
  const std::int64_t bits = execution.machine.policy.accumulator_mantissa_bits;
  if (bits != fp32_bits)
    return multiply_narrow(stationary, moving, out, n, accumulate, static_cast<int>(bits));
  numerics::matmul(stationary, moving, out.rows(), n.K, n.M, n.N, accumulate, execution.matmul,
                   out.rounding());
}

namespace {

[[noreturn]] void refuse_as_identity(const Tile& moving) {
  throw base::Fault(base::FaultCategory::undefined_behavior,
                    {"nc_matmul.transpose",
                     "the moving operand of a transpose holds one 1 in every column and zeros", "",
                     describe(moving), "pass an identity matrix, or leave is_transpose out"});
}

}  // namespace

std::vector<std::int32_t> selected_partitions(const Tile& moving, Execution& execution) {
  const auto columns = static_cast<std::size_t>(moving.free_elements());
  const auto width = static_cast<std::size_t>(moving.element_bytes());
  base::check(width <= sizeof(std::uint32_t), "the tensor engine's elements have up to 4 bytes");
  const std::uint64_t element_mask = (std::uint64_t{1} << (8 * width)) - 1;
  std::vector<std::int32_t> from(columns, -1);
  const auto look_at = [&](int k, std::size_t n, std::uint32_t bits) {
    if (bits == 0) return;
    const float value = numerics::to_float(moving.dtype, bits);
    if (value == 0) return;
    if (value != 1 || from[n] >= 0) refuse_as_identity(moving);
    from[n] = k;
  };
  const numerics::ConstRows in = rows(moving, execution, execution.raw[1]);
  constexpr int ahead = 12, line = 64;  // rows lie apart, and the processor does not foresee them
  for (int k = 0; k < moving.partitions; ++k) {
    const std::byte* row = in.data + k * in.stride;
    for (std::size_t at = 0; k + ahead < moving.partitions && at < columns * width; at += line)
      __builtin_prefetch(row + ahead * in.stride + at);
    std::array<std::uint64_t, 4> words{};  // most of them are zeros
    const std::size_t in_word = sizeof words[0] / width, step = words.size() * in_word;
    std::size_t n = 0;
    for (; n + step <= columns; n += step) {
      std::memcpy(words.data(), row + n * width, sizeof words);
      if ((words[0] | words[1] | words[2] | words[3]) == 0) continue;
      for (std::size_t i = 0; i < step; i += in_word) {
        std::uint64_t left = words[i / in_word];
        for (std::size_t at = n + i; left != 0; ++at, left >>= 8 * width)
          look_at(k, at, static_cast<std::uint32_t>(left & element_mask));
      }
    }
    for (; n < columns; ++n) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, row + n * width, width);
      look_at(k, n, bits);
    }
  }
  for (const std::int32_t k : from) {
    if (k < 0) refuse_as_identity(moving);
  }
  return from;
}

namespace {

bool share_bytes(const Tile& a, const Tile& b) {
  return a.space == b.space && a.partition_start < b.partition_start + b.partitions &&
         b.partition_start < a.partition_start + a.partitions && a.low_byte() < b.high_byte() &&
         b.low_byte() < a.high_byte();
}

// Partitions in the order of `from`: in place when that is their own order and dst lies elsewhere.
numerics::ConstRows rows_in_order(const Tile& tile, const Tile& dst,
                                  std::span<const std::int32_t> from, Execution& execution,
                                  std::vector<std::byte>& scratch) {
  std::int32_t next = 0;
  const bool in_order =
      std::all_of(from.begin(), from.end(), [&](std::int32_t k) { return k == next++; });
  if (in_order && !share_bytes(tile, dst)) return rows(tile, execution, scratch);
  const std::size_t bytes = row_bytes(tile);
  scratch.resize(from.size() * bytes);
  for (std::size_t n = 0; n < from.size(); ++n)
    load_bits(tile, execution, from[n], scratch.data() + n * bytes);
  return {scratch.data(), static_cast<std::ptrdiff_t>(bytes), tile.dtype};
}

}  // namespace

void transpose(const Tile& dst, const Tile& source, std::span<const std::int32_t> from,
               Execution& execution) {
  const numerics::ConstRows in = rows_in_order(source, dst, from, execution, execution.raw[0]);
  const auto count = static_cast<std::ptrdiff_t>(from.size());
  const std::int64_t width = source.element_bytes();
  const auto turn = [&](std::byte* to, std::ptrdiff_t stride) {
    transpose_bits(in.data, in.stride, to, stride, count, dst.partitions, width);
  };
  if (dst.dtype == source.dtype && dst.dynamic == 0 && dst.contiguous())
    return turn(place(dst, execution, 0), partition_stride(dst, execution));
  std::vector<std::byte>&turned = execution.raw[1], &cast = execution.raw[2];
  turned.resize(from.size() * static_cast<std::size_t>(width) * dst.partitions);
  turn(turned.data(), count * width);
  cast.resize(from.size() * static_cast<std::size_t>(dst.element_bytes()));
  // FP8 elements are the low bytes of 16-bit cells.
  const DType stored = width == 1 && dst.element_bytes() == 2 ? DType::uint8 : source.dtype;
  for (int m = 0; m < dst.partitions; ++m) {
    const std::byte* bits = turned.data() + m * count * width;
    if (dst.dtype != source.dtype) {
      numerics::convert(stored, bits, dst.dtype, cast.data(), from.size());
      bits = cast.data();
    }
    store_bits(dst, execution, m, bits);
  }
}

}  // namespace trainyard::isa::matmul
