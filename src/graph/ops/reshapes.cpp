// reshape: the same elements in the same order.
#include <numeric>

#include "graph/ops/all.h"
#include "graph/reshape_groups.h"

namespace trainyard::graph {

namespace {

void verify_reshape(OpCheck& c) {
  same_elements(c);
  if (!c.operand(0).is_static() || !c.result().is_static()) return;
  const auto from = count(c.operand(0)), to = count(c.result());
  c.require(from && from == to, "operand and result have as many elements");
}

void verify_dynamic_reshape(OpCheck& c) {
  c.require(is_shape(c.operand(1)), "the shape is a list of integers");
  verify_reshape(c);
}

Value reshaped(const Evaluation& e) {
  e.require(e.result().is_static() &&
                static_cast<std::size_t>(e.result().bytes()) == e.operand(0).bytes->size(),
            "the result has as many elements as the operand");
  Value value = e.operand(0);
  value.type = e.result();
  return value;
}

// Dimensions [i0, i) that hold the elements of [j0, j): their common divisors, the slowest first,
// as long as one divides the other.
void split_factors(Making& make, std::size_t i0, std::size_t i, std::size_t j0, std::size_t j) {
  std::int64_t a = 1, b = 1;
  while (true) {
    while (a == 1 && i0 < i) a = make.operand(0)[i0++];
    while (b == 1 && j0 < j) b = make.result()[j0++];
    const std::int64_t size = std::gcd(a, b);
    if (size == 1) return;
    const std::size_t factor = make.add(size);
    make.of_operand(0, i0 - 1, factor);
    make.of_result(0, j0 - 1, factor);
    a /= size;
    b /= size;
  }
}

bool factors_of_reshape(Making& make) {
  const std::vector<std::int64_t>&in = make.operand(0), &out = make.result();
  if (make.facts().type(make.op().operands[0]).elements() == 0) return false;
  for (const ReshapeGroup& group : reshape_groups(in, out))
    split_factors(make, group.from_first, group.from_last, group.to_first, group.to_last);
  return true;
}

constexpr auto reshapes_records = std::to_array<OpRecord>({
    {.kind = OpKind::dynamic_reshape,
     .name = "dynamic_reshape",
     .operands = {2, 2},
     .verify = verify_dynamic_reshape,
     .evaluate = alone<reshaped>},
    {.kind = OpKind::reshape,
     .name = "reshape",
     .operands = {1, 1},
     .traits = {Trait::move, Trait::arrange},
     .verify = verify_reshape,
     .evaluate = alone<reshaped>,
     .factors = factors_of_reshape},
});

}  // namespace

std::span<const OpRecord> reshapes_ops() { return reshapes_records; }

}  // namespace trainyard::graph
