// compare and is_finite: truths about numbers.
#include <array>
#include <cmath>

#include "graph/evaluate/functions.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"
#include "graph/ops/elementwise.h"

namespace trainyard::graph {

namespace {

void verify_compare(OpCheck& c) {
  all_of_one_shape(c);
  constexpr std::array<std::string_view, 6> directions{"EQ", "NE", "GE", "GT", "LE", "LT"};
  constexpr std::array<std::string_view, 5> types{"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED",
                                                  "UNSIGNED"};
  c.one_of("comparison_direction", directions, false);
  c.one_of("compare_type", types, true);
  c.require(same_element(c.operand(0), c.operand(1)), "operands have one element type");
  c.require(c.result().element == ElementType::pred, "the result is i1");
}

void verify_is_finite(OpCheck& c) {
  all_of_one_shape(c);
  c.require(knows_element(inexact_element, c.operand(0)) && c.result().element == ElementType::pred,
            "it takes floating-point numbers and gives i1");
}

template <typename T>
bool holds_for(std::string_view direction, T a, T b) {
  if (direction == "EQ") return a == b;
  if (direction == "NE") return a != b;
  if constexpr (is_complex_number<T>) {
    return false;
  } else {
    if (direction == "GE") return a >= b;
    if (direction == "GT") return a > b;
    if (direction == "LE") return a <= b;
    return a < b;
  }
}

Value evaluate_compare(const Evaluation& e) {
  const std::string& direction = e.op.text("comparison_direction");
  const Attribute* const type = e.op.find("compare_type");
  const bool total =
      type != nullptr && type->value == decltype(type->value)(std::string("TOTALORDER"));
  e.require(e.operand(0).type == e.operand(1).type, "both operands have one type");
  return with_number_of(e.operand(0).type.element, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> a = numbers<T>(e.operand(0)), b = numbers<T>(e.operand(1));
    std::vector<std::uint64_t> holds(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      if constexpr (std::is_floating_point_v<T>) {
        if (total) {
          holds[i] = holds_for(direction, total_order(static_cast<double>(a[i])),
                               total_order(static_cast<double>(b[i])));
          continue;
        }
      }
      holds[i] = holds_for(direction, a[i], b[i]);
    }
    return tensor_of(e.result(), holds);
  });
}

Value evaluate_is_finite(const Evaluation& e) {
  std::vector<std::uint64_t> finite;
  for (const double value : numbers<double>(e.operand(0))) finite.push_back(std::isfinite(value));
  return tensor_of(e.result(), finite);
}

constexpr auto comparisons_records = std::to_array<OpRecord>({
    {.kind = OpKind::compare,
     .name = "compare",
     .operands = {2, 2},
     .traits = {Trait::elementwise, Trait::step},
     .vhlo = {"compare_type comparison_direction"},
     .complete = [](Op& op) { add_default(op, "compare_type", {std::string("NOTYPE")}); },
     .verify = verify_compare,
     .evaluate = alone<evaluate_compare>,
     .factors = elementwise_factors},
    {.kind = OpKind::is_finite,
     .name = "is_finite",
     .operands = {1, 1},
     .traits = {Trait::elementwise},
     .verify = verify_is_finite,
     .evaluate = alone<evaluate_is_finite>,
     .factors = elementwise_factors},
});

}  // namespace

std::span<const OpRecord> comparisons_ops() { return comparisons_records; }

}  // namespace trainyard::graph
