#include "isa/elementwise.h"

#include "numerics/alu.h"

namespace trainyard::isa::elementwise {

namespace {

void binary_bits(const Tile& dst, const Tile& a, const Tile& b, numerics::AluOp op,
                 Execution& execution) {
  const auto n = static_cast<std::size_t>(dst.free_elements());
  std::vector<std::uint32_t> left(n), right(n);
  for (int p = 0; p < dst.partitions; ++p) {
    load_patterns(a, execution, p, left.data());
    load_patterns(b, execution, p, right.data());
    numerics::apply_bits(op, left.data(), right.data(), left.data(), n);
    store_patterns(dst, execution, p, left.data());
  }
}

}  // namespace

void binary(const Tile& dst, const Tile& a, const Tile& b, numerics::AluOp op,
            Execution& execution) {
  if (numerics::is_bitwise(op)) return binary_bits(dst, a, b, op, execution);
  const auto n = static_cast<std::size_t>(dst.free_elements());
  for (int p = 0; p < dst.partitions; ++p) {
    const float* left = floats(a, execution, p, execution.rows[0]);
    const float* right = floats(b, execution, p, execution.rows[1]);
    float* out = result_row(dst, execution, p, execution.rows[2]);
    numerics::apply(op, left, right, out, n);
    store_floats(dst, execution, p, out);
  }
}

}  // namespace trainyard::isa::elementwise
