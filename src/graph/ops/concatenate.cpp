// concatenate: operands one behind the other.
#include "graph/ops/all.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

void verify_concatenate(OpCheck& c) {
  const Type& to = c.result();
  const std::size_t along = c.dimension("dimension", to.shape.size());
  if (c.has_failed()) return;
  WideInteger sum = 0;
  for (std::size_t i = 0; i < c.op.operands.size(); ++i) {
    Type from = c.operand(i);
    if (!c.require(from.shape.size() == to.shape.size() && same_element(from, to),
                   "operands have the rank and the element type of the result"))
      return;
    if (from.shape[along] == dynamic_extent) return;
    sum += from.shape[along];
    from.shape[along] = to.shape[along];
    c.require(same_shape(from, to), "operands differ along the dimension alone");
  }
  c.require(is_size(to.shape[along], sum), "the result is as long as all operands together");
}

Value evaluate_concatenate(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("dimension"));
  const auto size = static_cast<std::size_t>(size_in_bytes(e.result().element));
  e.require(dimension < e.result().shape.size(), "dimension is a dimension of the result");
  std::size_t outer = 1, inner = size;
  for (std::size_t d = 0; d < e.result().shape.size(); ++d) {
    if (d < dimension) outer *= static_cast<std::size_t>(e.result().shape[d]);
    if (d > dimension) inner *= static_cast<std::size_t>(e.result().shape[d]);
  }
  Content bytes;
  bytes.reserve(static_cast<std::size_t>(e.result().bytes()));
  for (std::size_t row = 0; row < outer; ++row) {
    for (const Value& part : e.operands) {
      const std::size_t run = static_cast<std::size_t>(part.shape().at(dimension)) * inner;
      const auto from = part.bytes->begin() + static_cast<std::ptrdiff_t>(row * run);
      bytes.insert(bytes.end(), from, from + static_cast<std::ptrdiff_t>(run));
    }
  }
  e.require(bytes.size() == static_cast<std::size_t>(e.result().bytes()),
            "the parts fill the result");
  return make_value(e.result(), std::move(bytes));
}

bool factors_of_concatenate(Making& make) {
  const std::size_t dim = as_dim(make.op().integer("dimension"));
  make.along(make.op().operands.size(), [&](std::size_t d) { return d != dim; });
  return true;
}

constexpr auto concatenate_records = std::to_array<OpRecord>({
    {.kind = OpKind::concatenate,
     .name = "concatenate",
     .operands = {1, many},
     .traits = {Trait::move},
     .vhlo = {"dimension"},
     .verify = verify_concatenate,
     .evaluate = alone<evaluate_concatenate>,
     .factors = factors_of_concatenate},
});

}  // namespace

std::span<const OpRecord> concatenate_ops() { return concatenate_records; }

}  // namespace trainyard::graph
