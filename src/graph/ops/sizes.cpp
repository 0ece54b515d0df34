#include "graph/ops/sizes.h"

namespace trainyard::graph {

bool is_size(std::int64_t size, WideInteger wanted) {
  return size == dynamic_extent || size == wanted;
}

std::int64_t size_along(const Type& type, std::int64_t dimension) {
  return type.shape[static_cast<std::size_t>(dimension)];
}

bool is_square(const Type& type) {
  const std::size_t rank = type.shape.size();
  return rank >= 2 && fits(type.shape[rank - 1], type.shape[rank - 2]);
}

void start_indices(OpCheck& c, std::size_t first, std::size_t rank) {
  if (!c.require(c.op.operands.size() == first + rank, "there is a start index for each dimension"))
    return;
  for (std::size_t i = first; i < c.op.operands.size(); ++i)
    c.require(is_scalar(c.operand(i)) && is_index(c.operand(i)), "a start index is one integer");
}

std::size_t inputs_and_initials(OpCheck& c) {
  const std::size_t inputs = c.op.operands.size() / 2;
  if (!c.require(c.op.operands.size() == 2 * inputs && c.op.results.size() == inputs,
                 "it has an initial value and a result for each input"))
    return 0;
  for (std::size_t i = 0; i < inputs; ++i) {
    c.require(same_shape(c.operand(i), c.operand(0)), "inputs have one shape");
    c.require(is_scalar(c.operand(inputs + i)) && same_element(c.operand(inputs + i), c.operand(i)),
              "an initial value is one element of its input's type");
  }
  c.scalar_region(0, 2 * inputs, inputs);
  return c.has_failed() ? 0 : inputs;
}

std::vector<std::int64_t> sizes_of_part(std::span<const std::int64_t> sizes,
                                        std::span<const std::int64_t> shape,
                                        std::span<const std::int64_t> ways) {
  std::vector<std::int64_t> parts(sizes.begin(), sizes.end());
  for (std::size_t d = 0; d < parts.size(); ++d) {
    if (parts[d] == shape[d]) parts[d] /= ways[d];
  }
  return parts;
}

}  // namespace trainyard::graph
