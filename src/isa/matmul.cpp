#include "isa/matmul.h"

#include <cstring>

namespace trainyard::isa::matmul {

ArrayTile array_tile(const IntPair& position, const IntPair& size, const machine::Core& core) {
  if (position.count == 0 || size.count == 0)
    return {.rows = core.array.rows, .columns = core.array.columns};
  return {size.items[0], size.items[1], position.items[0], position.items[1]};
}

namespace {

std::ptrdiff_t partition_stride(const Tile& tile, const Execution& execution) {
  const state::Core& core = execution.core;
  return tile.space == Space::psum ? core.psum.bytes_per_partition()
                                   : core.sbuf.bytes_per_partition();
}

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

Result::Result(const Tile& dst, Execution& execution) : dst_(dst), execution_(execution) {
  in_place_ = dst.dynamic == 0 && dst.contiguous();
  if (in_place_) {
    rows_ = {place(dst, execution, 0), partition_stride(dst, execution), dst.dtype};
  } else {
    const numerics::ConstRows copy = gathered(dst, execution, execution.raw[2]);
    rows_ = {execution.raw[2].data(), copy.stride, dst.dtype};
  }
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
void multiply_narrow(numerics::ConstRows stationary, numerics::ConstRows moving, numerics::Rows out,
                     const Extents& n, bool accumulate, int bits) {
  const std::vector<float> left = widened(stationary, n.K, n.M);
  const std::vector<float> right = widened(moving, n.K, n.N);
  std::vector<float> sums = widened({out.data, out.stride, out.dtype}, n.M, n.N);
  numerics::matmul_narrow(left.data(), n.M, right.data(), n.N, sums.data(), n.N, n.K, n.M, n.N,
                          accumulate, bits);
  for (std::size_t m = 0; m < n.M; ++m)
    numerics::narrow(out.dtype, sums.data() + m * n.N,
                     out.data + static_cast<std::ptrdiff_t>(m) * out.stride, n.N);
}

}  // namespace

void multiply(numerics::ConstRows stationary, numerics::ConstRows moving, numerics::Rows out,
              const Extents& n, bool accumulate, Execution& execution) {
  constexpr std::int64_t fp32_bits = 24;
  const std::int64_t bits = execution.machine.policy.accumulator_mantissa_bits;
  if (bits != fp32_bits)
    return multiply_narrow(stationary, moving, out, n, accumulate, static_cast<int>(bits));
  numerics::matmul(stationary, moving, out, n.K, n.M, n.N, accumulate, execution.matmul);
}

std::vector<std::int32_t> selected_partitions(const Tile& moving, Execution& execution) {
  const auto columns = static_cast<std::size_t>(moving.free_elements());
  std::vector<std::int32_t> from(columns, -1);
  bool good = true;
  for (int k = 0; k < moving.partitions; ++k) {
    const float* row = floats(moving, execution, k, execution.rows[0]);
    for (std::size_t n = 0; n < columns; ++n) {
      if (row[n] == 0) continue;
      good = good && row[n] == 1 && from[n] < 0;
      from[n] = k;
    }
  }
  for (const std::int32_t k : from) good = good && k >= 0;
  if (!good) {
    throw base::Fault(base::FaultCategory::undefined_behavior,
                      {"nc_matmul.transpose",
                       "the moving operand of a transpose holds one 1 in every column and zeros",
                       "", describe(moving), "pass an identity matrix, or leave is_transpose out"});
  }
  return from;
}

namespace {

// out[n] = source[from[n] * columns], one column of a dense matrix.
template <typename From, typename To>
void pick_column(const std::byte* column, std::size_t columns, std::span<const std::int32_t> from,
                 std::byte* out) {
  for (const std::int32_t k : from) {
    From value;
    std::memcpy(&value, column + static_cast<std::size_t>(k) * columns * sizeof(From),
                sizeof value);
    const To wide = value;
    std::memcpy(out, &wide, sizeof wide);
    out += sizeof wide;
  }
}

using Pick = void (*)(const std::byte*, std::size_t, std::span<const std::int32_t>, std::byte*);

Pick pick_for(std::int64_t width, bool widened) {
  switch (width) {
    case 1:
      return widened ? pick_column<std::uint8_t, std::uint16_t>
                     : pick_column<std::uint8_t, std::uint8_t>;
    case 2: return pick_column<std::uint16_t, std::uint16_t>;
    case 4: return pick_column<std::uint32_t, std::uint32_t>;
    case 8: return pick_column<std::uint64_t, std::uint64_t>;
    default: base::fail("an element is 1, 2, 4 or 8 bytes");
  }
}

}  // namespace

void transpose(const Tile& dst, const Tile& source, std::span<const std::int32_t> from,
               Execution& execution) {
  // Dense first: rows a power of two apart would fall into the same cache sets.
  const numerics::ConstRows dense = gathered(source, execution, execution.raw[0]);
  const auto columns = static_cast<std::size_t>(source.free_elements());
  const bool cells = source.element_bytes() == 1 && dst.element_bytes() == 2;
  const Pick pick = pick_for(source.element_bytes(), cells);
  const bool converts = dst.dtype != source.dtype && !cells;
  std::vector<std::byte>& picked = execution.raw[1];
  std::vector<std::byte>& cast = execution.raw[2];
  picked.resize(from.size() * static_cast<std::size_t>(source.element_bytes()) * 2);
  cast.resize(from.size() * static_cast<std::size_t>(dst.element_bytes()));
  for (int m = 0; m < dst.partitions; ++m) {
    pick(dense.data + m * source.element_bytes(), columns, from, picked.data());
    if (converts)
      numerics::convert(source.dtype, picked.data(), dst.dtype, cast.data(), from.size());
    store_bits(dst, execution, m, converts ? cast.data() : picked.data());
  }
}

}  // namespace trainyard::isa::matmul
