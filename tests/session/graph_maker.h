// Makes small tensor programs for tests, one operation a call.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/builder.h"

namespace trainyard::graph {

[[nodiscard]] inline Type f32(std::vector<std::int64_t> shape) {
  return {.shape = std::move(shape)};
}
[[nodiscard]] inline Type of(ElementType element, std::vector<std::int64_t> shape) {
  return {.element = element, .shape = std::move(shape)};
}

template <typename T>
[[nodiscard]] Literal literal(Type type, const std::vector<T>& values) {
  Literal result{.type = std::move(type)};
  result.content.resize(values.size() * sizeof(T));
  std::memcpy(result.content.data(), values.data(), result.content.size());
  result.splat = values.size() == 1 && result.type.elements() > 1;
  return result;
}
template <typename T>
[[nodiscard]] std::vector<T> values_of(const Literal& literal) {
  const std::vector<std::byte> content = literal.expanded();
  std::vector<T> values(content.size() / sizeof(T));
  std::memcpy(values.data(), content.data(), content.size());
  return values;
}

class Maker : public ModuleBuilder {
 public:
  Maker() : ModuleBuilder("test") {}
  ValueId op(OpKind kind, std::vector<ValueId> operands, Type type, Dictionary attributes = {},
             std::vector<Region> regions = {}) {
    return ops().emit(kind, std::move(operands), std::move(type), std::move(attributes),
                      std::move(regions));
  }
  ValueId constant(Literal value) { return ops().constant(std::move(value)); }
  Region combine(OpKind kind, ElementType element) { return ops().combining(kind, element); }
  // A further result of the last operation.
  void add_result(ValueId value) { main_.body.ops.back().results.push_back(value); }
  ValueId value(Type type) { return main_.add_value(std::move(type)); }
};

[[nodiscard]] inline NamedAttribute list(std::string name, std::vector<std::int64_t> values) {
  return {std::move(name), {std::move(values)}};
}
[[nodiscard]] inline Dictionary dot(std::vector<std::int64_t> left_batch,
                                    std::vector<std::int64_t> left_depth,
                                    std::vector<std::int64_t> right_batch,
                                    std::vector<std::int64_t> right_depth) {
  return {list("lhs_batching_dimensions", std::move(left_batch)),
          list("lhs_contracting_dimensions", std::move(left_depth)),
          list("rhs_batching_dimensions", std::move(right_batch)),
          list("rhs_contracting_dimensions", std::move(right_depth))};
}

}  // namespace trainyard::graph
