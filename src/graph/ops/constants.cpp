// constant and iota: values of no operand.
#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_constant(OpCheck& c) {
  const Attribute* const value = c.op.find("value");
  const auto* const literal = value == nullptr ? nullptr : std::get_if<Literal>(&value->value);
  if (!c.require(literal != nullptr, "it has a value")) return;
  const Type& type = literal->type;
  if (!c.require(type.kind == Type::Kind::tensor && same_type(type, c.result()) && type.is_static(),
                 "the value has the type of the result"))
    return;
  const std::optional<std::int64_t> elements = count(type);
  const WideInteger wanted = static_cast<WideInteger>(literal->splat ? 1 : elements.value_or(0)) *
                             size_in_bytes(type.element);
  c.require(elements && static_cast<WideInteger>(literal->content.size()) == wanted,
            "the value has an element for each place, or one for all");
}

void verify_iota(OpCheck& c) {
  c.require(c.result().element != ElementType::pred, "it counts in numbers");
  (void)c.dimension("iota_dimension", c.result().shape.size());
}

void verify_dynamic_iota(OpCheck& c) {
  c.require(is_shape(c.operand(0)), "the shape is a list of integers");
  verify_iota(c);
}

Value evaluate_constant(const Evaluation& e) {
  const Literal& literal = e.op.literal("value");
  e.require(literal.type == e.result(), "the value has the type of the result");
  return make_value(literal.type, literal.expanded());
}

Value evaluate_iota(const Evaluation& e) {
  const auto dimension = static_cast<std::size_t>(e.op.integer("iota_dimension"));
  e.require(dimension < e.result().shape.size(), "iota_dimension is a dimension of the result");
  return with_number_of(e.result().element, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> all;
    all.reserve(static_cast<std::size_t>(e.result().elements()));
    for_each_index(e.result().shape, [&](Index index) {
      if constexpr (is_complex_number<T>) {
        all.push_back(T(static_cast<typename T::value_type>(index[dimension])));
      } else {
        all.push_back(static_cast<T>(index[dimension]));
      }
    });
    return tensor_of(e.result(), all);
  });
}

bool factors_of_constant(Making& make) {
  return make.op().literal("value").splat && created_factors(make);
}

constexpr auto constants_records = std::to_array<OpRecord>({
    {.kind = OpKind::constant,
     .name = "constant",
     .traits = {Trait::created},
     .vhlo = {"value"},
     .verify = verify_constant,
     .evaluate = alone<evaluate_constant>,
     .factors = factors_of_constant},
    {.kind = OpKind::dynamic_iota,
     .name = "dynamic_iota",
     .operands = {1, 1},
     .vhlo = {"iota_dimension"},
     .verify = verify_dynamic_iota,
     .evaluate = alone<evaluate_iota>},
    {.kind = OpKind::iota,
     .name = "iota",
     .traits = {Trait::created},
     .vhlo = {"iota_dimension"},
     .verify = verify_iota,
     .evaluate = alone<evaluate_iota>,
     .factors = created_factors},
});

}  // namespace

std::span<const OpRecord> constants_ops() { return constants_records; }

}  // namespace trainyard::graph
