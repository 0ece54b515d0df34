// What operations with static and with dynamic operands share: elements moved by strides.
#pragma once

#include "graph/evaluate/evaluator.h"

namespace trainyard::graph {

// A tensor of `type` whose element at an index is that of `from` at base + index * steps.
[[nodiscard]] Value move_elements(const Value& from, const Type& type, std::int64_t base,
                                  const Shape& steps);
// The other way round: writes all elements of `from` to those places.
void scatter_elements(const Value& from, Content& into, std::int64_t base, const Shape& steps);

// The first operand of `e` as the result: reshaped, broadcast, cut, padded with the second operand.
[[nodiscard]] Value reshaped(const Evaluation& e);
[[nodiscard]] Value broadcast_in_dim(const Evaluation& e, const Shape& dimensions);
[[nodiscard]] Value sliced(const Evaluation& e, const Shape& start, const Shape& strides);
[[nodiscard]] Value padded(const Evaluation& e, const Shape& low, const Shape& interior);

// One element as a scalar, and back into a row of bytes.
[[nodiscard]] Value scalar_of(const Content& bytes, ElementType element, std::int64_t at);
[[nodiscard]] Value scalar_at(const Value& tensor, std::int64_t at);
void put_scalar(const Value& scalar, Content& into, std::int64_t at);

}  // namespace trainyard::graph
