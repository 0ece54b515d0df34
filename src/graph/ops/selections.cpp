// select and clamp.
#include <cstring>

#include "graph/ops/all.h"

namespace trainyard::graph {

namespace {

void verify_select(OpCheck& c) {
  c.require(c.operand(0).element == ElementType::pred &&
                (is_scalar(c.operand(0)) || same_shape(c.operand(0), c.result())),
            "the predicate is i1, one or as many as the result");
  c.require(same_type(c.operand(1), c.result()) && same_type(c.operand(2), c.result()),
            "both choices have the type of the result");
}

void verify_clamp(OpCheck& c) {
  for (const std::size_t bound : {0U, 2U}) {
    c.require((is_scalar(c.operand(bound)) || same_shape(c.operand(bound), c.result())) &&
                  same_element(c.operand(bound), c.result()),
              "a bound is one element, or as many as the result, of its type");
  }
  c.require(same_type(c.operand(1), c.result()), "the operand has the type of the result");
}

Value evaluate_select(const Evaluation& e) {
  const Value &pred = e.operand(0), &yes = e.operand(1), &no = e.operand(2);
  e.require(yes.type == no.type, "both choices have one type");
  if (pred.type.rank() == 0) return truth_of(pred) ? yes : no;
  e.require(pred.shape() == yes.shape(), "the predicate has the shape of the choices");
  const auto size = static_cast<std::size_t>(size_in_bytes(yes.type.element));
  Content bytes = *no.bytes;
  for (std::size_t i = 0; i < pred.bytes->size(); ++i) {
    if ((*pred.bytes)[i] != std::byte{0}) {
      std::memcpy(bytes.data() + i * size, yes.bytes->data() + i * size, size);
    }
  }
  return make_value(e.result(), std::move(bytes));
}

Value evaluate_clamp(const Evaluation& e) {
  return with_number_of(e.result().element, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> low = numbers<T>(e.operand(0)), high = numbers<T>(e.operand(2));
    std::vector<T> all = numbers<T>(e.operand(1));
    if constexpr (!is_complex_number<T>) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        const T least = low[low.size() == 1 ? 0 : i], most = high[high.size() == 1 ? 0 : i];
        all[i] = fold(OpKind::minimum, fold(OpKind::maximum, all[i], least), most);
      }
    }
    return tensor_of(e.result(), all);
  });
}

constexpr auto selections_records = std::to_array<OpRecord>({
    {.kind = OpKind::clamp,
     .name = "clamp",
     .operands = {3, 3},
     .traits = {Trait::elementwise, Trait::choice},
     .verify = verify_clamp,
     .evaluate = alone<evaluate_clamp>,
     .factors = elementwise_factors},
    {.kind = OpKind::select,
     .name = "select",
     .operands = {3, 3},
     .traits = {Trait::elementwise, Trait::choice},
     .verify = verify_select,
     .evaluate = alone<evaluate_select>,
     .factors = elementwise_factors},
});

}  // namespace

std::span<const OpRecord> selections_ops() { return selections_records; }

}  // namespace trainyard::graph
