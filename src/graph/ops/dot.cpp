// dot, dot_general and einsum, all by matrix products. Element types may differ: what is summed
// in what is the program's choice.
#include <algorithm>

#include "graph/evaluate/moves.h"
#include "graph/evaluate/product_numbers.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

// Dimensions of one operand: batching ones and contracted ones, and the sizes of the others.
void split_dims(OpCheck& c, const Type& type, std::string_view batch_name,
                std::string_view sum_name, Integers batch, Integers sum,
                std::vector<std::int64_t>& rest) {
  const std::size_t rank = type.shape.size();
  c.are_dimensions(batch_name, batch, rank);
  c.are_dimensions(sum_name, sum, rank);
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(rank); ++d) {
    const bool is_batch = std::ranges::find(batch, d) != batch.end();
    const bool is_sum = std::ranges::find(sum, d) != sum.end();
    c.require(!(is_batch && is_sum), "a dimension is batching or contracted, not both");
    if (!is_batch && !is_sum) rest.push_back(type.shape[static_cast<std::size_t>(d)]);
  }
}

void verify_dot_general(OpCheck& c) {
  const Type &left = c.operand(0), &right = c.operand(1);
  const Integers left_batch = c.list_or_empty("lhs_batching_dimensions"),
                 right_batch = c.list_or_empty("rhs_batching_dimensions"),
                 left_sum = c.list_or_empty("lhs_contracting_dimensions"),
                 right_sum = c.list_or_empty("rhs_contracting_dimensions");
  std::vector<std::int64_t> left_rest, right_rest, shape;
  split_dims(c, left, "lhs_batching_dimensions", "lhs_contracting_dimensions", left_batch, left_sum,
             left_rest);
  split_dims(c, right, "rhs_batching_dimensions", "rhs_contracting_dimensions", right_batch,
             right_sum, right_rest);
  if (c.has_failed()) return;
  const auto equal = [&](std::int64_t a, std::int64_t b) {
    return fits(size_along(left, a), size_along(right, b));
  };
  c.require(std::ranges::equal(left_batch, right_batch, equal),
            "batching dimensions of both operands have equal sizes");
  c.require(std::ranges::equal(left_sum, right_sum, equal),
            "contracted dimensions of both operands have equal sizes");
  for (const std::int64_t d : left_batch) shape.push_back(size_along(left, d));
  shape.insert(shape.end(), left_rest.begin(), left_rest.end());
  shape.insert(shape.end(), right_rest.begin(), right_rest.end());
  c.require(shape_is(c.result(), shape),
            "the result has the batching dimensions, then those of each operand that are left");
}

void verify_dot(OpCheck& c) {
  const Type &left = c.operand(0), &right = c.operand(1);
  const std::size_t l = left.shape.size(), r = right.shape.size();
  if (!c.require(l >= 1 && l <= 2 && r >= 1 && r <= 2, "operands are vectors or matrices")) return;
  c.require(fits(left.shape.back(), right.shape.front()), "contracted dimensions are equal");
  std::vector<std::int64_t> shape(left.shape.begin(), left.shape.end() - 1);
  shape.insert(shape.end(), right.shape.begin() + 1, right.shape.end());
  c.require(shape_is(c.result(), shape), "the result has the dimensions that are left");
}

void verify_einsum(OpCheck& c) { (void)c.text("einsum_config"); }

std::size_t product_of(const Shape& shape, const Shape& dimensions) {
  std::size_t product = 1;
  for (const std::int64_t d : dimensions) {
    product *= static_cast<std::size_t>(shape.at(static_cast<std::size_t>(d)));
  }
  return product;
}

Shape remaining(std::size_t rank, const Shape& first, const Shape& second) {
  Shape list;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(rank); ++d) {
    const bool taken =
        std::ranges::find(first, d) != first.end() || std::ranges::find(second, d) != second.end();
    if (!taken) list.push_back(d);
  }
  return list;
}

// The operand with its dimensions in the order of the three lists.
Value ordered(const Value& operand, const Shape& first, const Shape& second, const Shape& third) {
  const Shape from = row_major_steps(operand.shape());
  Type type = operand.type;
  type.shape.clear();
  Shape steps;
  for (const Shape* const list : {&first, &second, &third}) {
    for (const std::int64_t d : *list) {
      steps.push_back(from.at(static_cast<std::size_t>(d)));
      type.shape.push_back(operand.shape()[static_cast<std::size_t>(d)]);
    }
  }
  return move_elements(operand, type, 0, steps);
}

struct Contraction {
  Shape lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
};

Value contracted(const Evaluation& e, const Contraction& by) {
  const Value &lhs = e.operand(0), &rhs = e.operand(1);
  const Shape lhs_free = remaining(lhs.shape().size(), by.lhs_batch, by.lhs_contracting);
  const Shape rhs_free = remaining(rhs.shape().size(), by.rhs_batch, by.rhs_contracting);
  const std::size_t batch = product_of(lhs.shape(), by.lhs_batch);
  const std::size_t m = product_of(lhs.shape(), lhs_free), n = product_of(rhs.shape(), rhs_free);
  const std::size_t k = product_of(lhs.shape(), by.lhs_contracting);
  e.require(batch == product_of(rhs.shape(), by.rhs_batch) &&
                k == product_of(rhs.shape(), by.rhs_contracting) &&
                batch * m * n == static_cast<std::size_t>(e.result().elements()),
            "the batching and the contracting dimensions of both operands agree");
  const Value left = ordered(lhs, by.lhs_batch, lhs_free, by.lhs_contracting);
  const Value right = ordered(rhs, by.rhs_batch, by.rhs_contracting, rhs_free);
  return with_product_number(e.result().element, [&](auto zero) {
    using T = decltype(zero);
    const std::vector<T> a = product_numbers<T>(left), b = product_numbers<T>(right);
    std::vector<T> out(batch * m * n);
    for (std::size_t i = 0; i < batch; ++i) {
      matrix_product(a.data() + i * m * k, b.data() + i * k * n, out.data() + i * m * n, m, k, n);
    }
    return tensor_of(e.result(), out);
  });
}

Value evaluate_dot(const Evaluation& e) {
  const auto last = static_cast<std::int64_t>(e.operand(0).shape().size()) - 1;
  return contracted(e, {{}, {}, {last}, {0}});
}

// "bij,bjk->bik": letters name dimensions; those that the result lacks are summed over.
Value evaluate_einsum(const Evaluation& e) {
  const std::string& config = e.op.text("einsum_config");
  const std::size_t comma = config.find(','), arrow = config.find("->");
  e.require(comma < arrow && arrow != std::string::npos && config.find('.') == std::string::npos,
            "einsum_config is letters, a comma, letters, an arrow, letters");
  const std::string lhs = config.substr(0, comma),
                    rhs = config.substr(comma + 1, arrow - comma - 1);
  const std::string out = config.substr(arrow + 2);
  Contraction by;
  std::string made;
  for (std::size_t i = 0; i < lhs.size(); ++i) {
    const std::size_t in_rhs = rhs.find(lhs[i]);
    if (in_rhs == std::string::npos) continue;
    const bool kept = out.find(lhs[i]) != std::string::npos;
    (kept ? by.lhs_batch : by.lhs_contracting).push_back(static_cast<std::int64_t>(i));
    (kept ? by.rhs_batch : by.rhs_contracting).push_back(static_cast<std::int64_t>(in_rhs));
    if (kept) made += lhs[i];
  }
  for (const char c : lhs) made += rhs.find(c) == std::string::npos ? std::string(1, c) : "";
  for (const char c : rhs) made += lhs.find(c) == std::string::npos ? std::string(1, c) : "";
  e.require(made.size() == out.size() && std::ranges::is_permutation(made, out),
            "every letter of one operand alone stands in the result");
  Evaluation inner = e;
  Shape steps_order;
  inner.results[0].shape.clear();
  for (const char c : made) inner.results[0].shape.push_back(e.result().shape.at(out.find(c)));
  const Value product = contracted(inner, by);
  const Shape from = row_major_steps(product.shape());
  for (const char c : out) steps_order.push_back(from.at(made.find(c)));
  return move_elements(product, e.result(), 0, steps_order);
}

Value evaluate_dot_general(const Evaluation& e) {
  return contracted(e,
                    {e.list("lhs_batching_dimensions"), e.list("rhs_batching_dimensions"),
                     e.list("lhs_contracting_dimensions"), e.list("rhs_contracting_dimensions")});
}

bool factors_of_dot(Making& make) {
  const std::span<const std::int64_t> lb = make.op().integers("lhs_batching_dimensions"),
                                      rb = make.op().integers("rhs_batching_dimensions"),
                                      lc = make.op().integers("lhs_contracting_dimensions"),
                                      rc = make.op().integers("rhs_contracting_dimensions");
  for (std::size_t k = 0; k < lb.size(); ++k) {
    const std::size_t factor = make.add(make.result()[k]);
    make.of_operand(0, as_dim(lb[k]), factor);
    make.of_operand(1, as_dim(rb[k]), factor);
    make.of_result(0, k, factor);
  }
  for (std::size_t k = 0; k < lc.size(); ++k) {
    const std::size_t factor = make.add(make.operand(0)[as_dim(lc[k])], Making::Kind::summed);
    make.of_operand(0, as_dim(lc[k]), factor);
    make.of_operand(1, as_dim(rc[k]), factor);
  }
  std::size_t next = lb.size();
  const auto add_free = [&](std::size_t side, std::span<const std::int64_t> batch,
                            std::span<const std::int64_t> contract) {
    for (std::size_t d = 0; d < make.operand(side).size(); ++d) {
      if (holds_dim(batch, d) || holds_dim(contract, d)) continue;
      const std::size_t factor = make.add(make.operand(side)[d]);
      make.of_operand(side, d, factor);
      make.of_result(0, next++, factor);
    }
  };
  add_free(0, lb, lc);
  add_free(1, rb, rc);
  return true;
}

void complete_dot_general(Op& op) {
  for (const std::string_view name : {"lhs_batching_dimensions", "rhs_batching_dimensions",
                                      "lhs_contracting_dimensions", "rhs_contracting_dimensions"})
    add_default(op, name, {std::vector<std::int64_t>{}});
  complete_precision(op);
}

constexpr auto dot_records = std::to_array<OpRecord>({
    {.kind = OpKind::dot,
     .name = "dot",
     .operands = {2, 2},
     .traits = {Trait::product},
     .vhlo = {"precision_config"},
     .complete = complete_precision,
     .verify = verify_dot,
     .evaluate = alone<evaluate_dot>},
    {.kind = OpKind::dot_general,
     .name = "dot_general",
     .operands = {2, 2},
     .traits = {Trait::product},
     .vhlo = {"lhs_batching_dimensions lhs_contracting_dimensions precision_config "
              "rhs_batching_dimensions rhs_contracting_dimensions",
              "accumulation_type allow_imprecise_accumulation lhs_batching_dimensions "
              "lhs_component_count lhs_contracting_dimensions lhs_precision_type "
              "num_primitive_operations precision_config rhs_batching_dimensions "
              "rhs_component_count rhs_contracting_dimensions rhs_precision_type"},
     .complete = complete_dot_general,
     .verify = verify_dot_general,
     .evaluate = alone<evaluate_dot_general>,
     .factors = factors_of_dot},
    {.kind = OpKind::einsum,
     .name = "einsum",
     .operands = {2, 2},
     .vhlo = {"einsum_config"},
     .verify = verify_einsum,
     .evaluate = alone<evaluate_einsum>},
    {.kind = OpKind::unary_einsum,
     .name = "unary_einsum",
     .operands = {1, 1},
     .vhlo = {"einsum_config"},
     .verify = verify_einsum},
});

}  // namespace

std::span<const OpRecord> dot_ops() { return dot_records; }

}  // namespace trainyard::graph
