#include "isa/semantics/mx.h"

#include <algorithm>

namespace trainyard::isa::mx {

namespace {

constexpr int block_partitions = static_cast<int>(numerics::mx_block_partitions);

}  // namespace

int scale_partition(int block_row, int partitions) {
  // Up to one quadrant of data both layouts are the same.
  if (partitions <= block_partitions * 4) return block_row;
  return static_cast<int>(numerics::mx_scale_partition(static_cast<std::size_t>(block_row)));
}

bool holds_scales(const Tile& scale, int partitions) {
  const int last = partitions / block_partitions - 1;
  return last >= 0 && scale_partition(last, partitions) < scale.partitions;
}

bool starts_well(const Tile& scale, const Tile& data, const machine::Core& core, const Site& site) {
  const auto quadrant = static_cast<int>(core.sbuf.quadrant);
  const int start = rules::first_partition(scale, site);
  const int offset = start % quadrant;
  return offset % 4 == 0 && offset <= 12 &&
         start / quadrant == rules::first_partition(data, site) / quadrant;
}

int scale_parts(const Tile& scale, int partitions, std::span<Tile, parts_max> out) {
  const int rows = partitions / block_partitions;
  int count = 0;
  for (int row = 0; row < rows && count < static_cast<int>(parts_max); row += 4) {
    Tile& part = out[static_cast<std::size_t>(count++)];
    part = scale;
    part.partition_start =
        static_cast<std::uint16_t>(scale.partition_start + scale_partition(row, partitions));
    part.partitions = static_cast<std::uint16_t>(std::min(4, rows - row));
  }
  return count;
}

namespace {

std::size_t row_bytes(const Tile& tile) {
  return static_cast<std::size_t>(tile.free_elements() * tile.element_bytes());
}

// The scale rows of a tile: pointers into SBUF where they lie contiguously, else into `scratch`.
class ScaleRows {
 public:
  ScaleRows(const Tile& scale, int partitions, Execution& execution,
            std::vector<std::byte>& scratch)
      : in_place_(scale.dynamic == 0 && scale.contiguous()) {
    const std::size_t bytes = row_bytes(scale);
    const int count = partitions / block_partitions;
    if (!in_place_) scratch.resize(bytes * static_cast<std::size_t>(count));
    for (int row = 0; row < count; ++row) {
      const int p = scale_partition(row, partitions);
      std::byte* at = in_place_ ? place(scale, execution, p)
                                : scratch.data() + static_cast<std::size_t>(row) * bytes;
      if (!in_place_) load_bits(scale, execution, p, at);
      rows_.push_back(reinterpret_cast<std::uint8_t*>(at));
    }
  }
  [[nodiscard]] numerics::MxMutableScaleRows written() const { return rows_; }
  [[nodiscard]] std::vector<const std::uint8_t*> read() const {
    return {rows_.begin(), rows_.end()};
  }
  // Writes gathered rows back.
  void store(const Tile& scale, int partitions, Execution& execution) const {
    if (in_place_) return;
    for (std::size_t row = 0; row < rows_.size(); ++row)
      store_bits(scale, execution, scale_partition(static_cast<int>(row), partitions),
                 reinterpret_cast<const std::byte*>(rows_[row]));
  }

 private:
  bool in_place_;
  mutable std::vector<std::uint8_t*> rows_;
};

numerics::MxScale scale_rule(const Execution& execution) {
  return execution.machine.policy.mx_scale_rule == machine::MxScaleRule::ocp
             ? numerics::MxScale::ocp
             : numerics::MxScale::doubled;
}

// For studies of assumption 11.11: a narrower sum, through the plain definition.
void multiply_narrow(const numerics::MxOperand& stationary, const numerics::MxOperand& moving,
                     const matmul::Result& out, const matmul::Extents& n, bool accumulate,
                     int bits) {
  const numerics::Rows rows = out.rows();
  std::vector<float> sums(n.M * n.N);
  for (std::size_t m = 0; m < n.M; ++m)
    numerics::widen(rows.dtype, rows.data + static_cast<std::ptrdiff_t>(m) * rows.stride,
                    sums.data() + m * n.N, n.N);
  numerics::matmul_mx_reference(stationary, moving, sums.data(), n.N, n.K, n.M, n.N, accumulate,
                                {.accumulator_bits = bits});
  for (std::size_t m = 0; m < n.M; ++m) out.narrow(m, sums.data() + m * n.N);
}

}  // namespace

void quantize(const Tile& dst, const Tile& src, const Tile& dst_scale, Execution& execution) {
  const numerics::ConstRows source = matmul::rows(src, execution, execution.raw[0]);
  const ScaleRows scales(dst_scale, src.partitions, execution, execution.raw[1]);
  matmul::Result data(dst, execution);
  const numerics::MxQuantizeRule rule{
      .scale = scale_rule(execution),
      .saturate = execution.machine.policy.quantize_overflow == machine::Saturation::saturate};
  numerics::quantize_mx(source, src.partitions, static_cast<std::size_t>(src.free_elements()),
                        data.rows(), scales.written(), rule);
  data.store();
  scales.store(dst_scale, src.partitions, execution);
}

void multiply(const Operand& stationary, const Operand& moving, const matmul::Result& out,
              const matmul::Extents& n, bool accumulate, Execution& execution) {
  const auto K = static_cast<int>(n.K);
  const auto left = ScaleRows(stationary.scale, K, execution, execution.raw[3]).read();
  std::vector<std::byte> moving_scales;
  const auto right = ScaleRows(moving.scale, K, execution, moving_scales).read();
  const numerics::MxOperand a{matmul::rows(stationary.data, execution, execution.raw[0]), left};
  const numerics::MxOperand b{matmul::rows(moving.data, execution, execution.raw[1]), right};
  constexpr std::int64_t fp32_bits = 24;
  const std::int64_t bits = execution.machine.policy.accumulator_mantissa_bits;
  if (bits != fp32_bits) return multiply_narrow(a, b, out, n, accumulate, static_cast<int>(bits));
  numerics::matmul_mx(a, b, out.rows(), n.K, n.M, n.N, accumulate, execution.matmul,
                      out.rounding());
}

}  // namespace trainyard::isa::mx
