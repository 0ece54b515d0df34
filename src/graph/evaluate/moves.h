// Elements that are moved by strides, and single ones.
#pragma once

#include "graph/evaluate/evaluator.h"

namespace trainyard::graph {

// A tensor of `type` whose element at an index is that of `from` at base + index * steps.
[[nodiscard]] Value move_elements(const Value& from, const Type& type, std::int64_t base,
                                  const Shape& steps);
// The other way round: writes all elements of `from` to those places.
void scatter_elements(const Value& from, Content& into, std::int64_t base, const Shape& steps);

// One element as a scalar, and back into a row of bytes.
[[nodiscard]] Value scalar_of(const Content& bytes, ElementType element, std::int64_t at);
[[nodiscard]] Value scalar_at(const Value& tensor, std::int64_t at);
void put_scalar(const Value& scalar, Content& into, std::int64_t at);

}  // namespace trainyard::graph
