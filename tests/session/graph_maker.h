// Makes small tensor programs for tests, one operation a call.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/module.h"

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

class Maker {
 public:
  Maker() {
    module_.name = "test";
    main_.name = "main";
  }
  ValueId argument(Type type) {
    main_.body.arguments.push_back(main_.add_value(std::move(type)));
    return main_.body.arguments.back();
  }
  ValueId op(OpKind kind, std::vector<ValueId> operands, Type type, Dictionary attributes = {},
             std::vector<Region> regions = {}) {
    const ValueId result = main_.add_value(std::move(type));
    main_.body.ops.push_back({.kind = kind,
                              .operands = std::move(operands),
                              .results = {result},
                              .attributes = std::move(attributes),
                              .regions = std::move(regions)});
    return result;
  }
  ValueId constant(Literal value) {
    const Type type = value.type;
    return op(OpKind::constant, {}, type, {{"value", {std::move(value)}}});
  }
  // A region that applies one operation to two scalars.
  Region combine(OpKind kind, ElementType element) {
    const ValueId a = main_.add_value({.element = element});
    const ValueId b = main_.add_value({.element = element});
    const ValueId c = main_.add_value({.element = element});
    Region region{.arguments = {a, b}, .ops = {}};
    region.ops.push_back({.kind = kind, .operands = {a, b}, .results = {c}});
    region.ops.push_back({.kind = OpKind::return_, .operands = {c}});
    return region;
  }
  // A further result of the last operation.
  void add_result(ValueId value) { main_.body.ops.back().results.push_back(value); }
  ValueId value(Type type) { return main_.add_value(std::move(type)); }
  [[nodiscard]] Module finish(std::vector<ValueId> results) {
    main_.body.ops.push_back({.kind = OpKind::return_, .operands = std::move(results)});
    module_.functions.push_back(std::move(main_));
    return std::move(module_);
  }

 private:
  Module module_;
  Function main_;
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
