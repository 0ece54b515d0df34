// Complex numbers and their parts.
#include "graph/ops/all.h"
#include "graph/ops/elementwise.h"

namespace trainyard::graph {

namespace {

bool is_complex_of(const Type& whole, const Type& part) {
  return (whole.element == ElementType::c64 && part.element == ElementType::f32) ||
         (whole.element == ElementType::c128 && part.element == ElementType::f64);
}

void verify_complex(OpCheck& c) {
  all_of_one_shape(c);
  c.require(is_complex_of(c.result(), c.operand(0)) && is_complex_of(c.result(), c.operand(1)),
            "parts of f32 make complex<f32>, of f64 complex<f64>");
}

void verify_part(OpCheck& c) {
  all_of_one_shape(c);
  c.require(is_complex_of(c.operand(0), c.result()) ||
                (is_float(c.operand(0).element) && same_element(c.operand(0), c.result())),
            "the result has the element type of the parts");
}

template <typename Part>
Value joined_parts(const Evaluation& e) {
  const std::vector<Part> real = numbers<Part>(e.operand(0)),
                          imaginary = numbers<Part>(e.operand(1));
  std::vector<std::complex<Part>> all;
  for (std::size_t i = 0; i < real.size(); ++i) all.emplace_back(real[i], imaginary[i]);
  return tensor_of(e.result(), all);
}

template <typename Part>
Value parts_of(const Evaluation& e) {
  std::vector<Part> all;
  for (const auto& value : numbers<std::complex<Part>>(e.operand(0))) {
    all.push_back(e.op.kind == OpKind::real ? value.real() : value.imag());
  }
  return tensor_of(e.result(), all);
}

Value evaluate_complex(const Evaluation& e) {
  return e.result().element == ElementType::c64 ? joined_parts<float>(e) : joined_parts<double>(e);
}

Value evaluate_part(const Evaluation& e) {
  const ElementType type = e.operand(0).type.element;
  if (type == ElementType::c64) return parts_of<float>(e);
  if (type == ElementType::c128) return parts_of<double>(e);
  if (e.op.kind == OpKind::real) return e.operand(0);
  return make_value(e.result(), Content(e.operand(0).bytes->size()));
}

constexpr auto complex_parts_records = std::to_array<OpRecord>({
    {.kind = OpKind::complex,
     .name = "complex",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::keeps_format},
     .verify = verify_complex,
     .evaluate = alone<evaluate_complex>,
     .factors = elementwise_factors},
    {.kind = OpKind::imag,
     .name = "imag",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::keeps_format},
     .verify = verify_part,
     .evaluate = alone<evaluate_part>,
     .factors = elementwise_factors},
    {.kind = OpKind::real,
     .name = "real",
     .operands = {1, 1},
     .traits = {Trait::elementwise, Trait::keeps_format},
     .verify = verify_part,
     .evaluate = alone<evaluate_part>,
     .factors = elementwise_factors},
});

}  // namespace

std::span<const OpRecord> complex_parts_ops() { return complex_parts_records; }

}  // namespace trainyard::graph
