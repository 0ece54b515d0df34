// dot_general, dot, convolution and einsum, all by matrix products.
#include <algorithm>
#include <numeric>

#include "graph/evaluate/evaluator.h"
#include "graph/evaluate/matrix_product.h"
#include "graph/evaluate/moves.h"

namespace trainyard::graph {

namespace {

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

// Integers multiply modulo 2^64 whatever their sign; so do booleans, whose sum is then "any".
template <typename Action>
auto with_product_number(ElementType type, Action action) {
  return with_number_of(type, [&](auto zero) {
    if constexpr (std::is_integral_v<decltype(zero)>) {
      return action(std::uint64_t{});
    } else {
      return action(zero);
    }
  });
}

template <typename T>
std::vector<T> factors(const Value& value) {
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    const std::vector<std::int64_t> all = integers_in(value);
    return {all.begin(), all.end()};
  } else {
    return numbers<T>(value);
  }
}

struct Contraction {
  Shape lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
};

Value dot_general(const Evaluation& e, const Contraction& by) {
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
    const std::vector<T> a = factors<T>(left), b = factors<T>(right);
    std::vector<T> out(batch * m * n);
    for (std::size_t i = 0; i < batch; ++i) {
      matrix_product(a.data() + i * m * k, b.data() + i * k * n, out.data() + i * m * n, m, k, n);
    }
    return tensor_of(e.result(), out);
  });
}

Value dot(const Evaluation& e) {
  const auto last = static_cast<std::int64_t>(e.operand(0).shape().size()) - 1;
  return dot_general(e, {{}, {}, {last}, {0}});
}

// The dimension numbers of a convolution.
struct ConvolutionShape {
  std::int64_t input_batch, input_feature, kernel_input, kernel_output, output_batch,
      output_feature;
  Shape input_spatial, kernel_spatial, output_spatial;
  Shape strides, padding, lhs_dilation, rhs_dilation, reversal;
  std::int64_t feature_groups, batch_groups;

  ConvolutionShape(const Evaluation& e, Shape given_padding)
      : input_batch(e.op.integer("input_batch_dimension")),
        input_feature(e.op.integer("input_feature_dimension")),
        kernel_input(e.op.integer("kernel_input_feature_dimension")),
        kernel_output(e.op.integer("kernel_output_feature_dimension")),
        output_batch(e.op.integer("output_batch_dimension")),
        output_feature(e.op.integer("output_feature_dimension")),
        input_spatial(e.list("input_spatial_dimensions")),
        kernel_spatial(e.list("kernel_spatial_dimensions")),
        output_spatial(e.list("output_spatial_dimensions")),
        strides(e.list_or("window_strides", input_spatial.size(), 1)),
        padding(std::move(given_padding)),
        lhs_dilation(e.list_or("lhs_dilation", input_spatial.size(), 1)),
        rhs_dilation(e.list_or("rhs_dilation", input_spatial.size(), 1)),
        reversal(e.list_or("window_reversal", input_spatial.size(), 0)),
        feature_groups(e.op.integer("feature_group_count")),
        batch_groups(e.op.integer("batch_group_count")) {}
};

std::int64_t extent(const Shape& shape, std::int64_t d) {
  return shape.at(static_cast<std::size_t>(d));
}

// One group of a convolution as a matrix product: rows are the places of the output, the contracted
// index runs over the window, then over the input features of the group.
template <typename T>
class Convolution {
 public:
  Convolution(const Evaluation& e, const ConvolutionShape& shape)
      : e_(e),
        s_(shape),
        input_(factors<T>(e.operand(0))),
        kernel_(factors<T>(e.operand(1))),
        input_steps_(row_major_steps(e.operand(0).shape())),
        kernel_steps_(row_major_steps(e.operand(1).shape())),
        output_steps_(row_major_steps(e.result().shape)),
        output_(static_cast<std::size_t>(e.result().elements())) {
    for (const std::int64_t d : s_.kernel_spatial)
      window_.push_back(extent(e.operand(1).shape(), d));
    for (const std::int64_t d : s_.output_spatial) places_.push_back(extent(e.result().shape, d));
  }

  Value run() {
    const std::int64_t groups = std::max(s_.feature_groups, s_.batch_groups);
    for (std::int64_t group = 0; group < groups; ++group) run_group(group);
    return tensor_of(e_.result(), output_);
  }

 private:
  void run_group(std::int64_t group) {
    const std::int64_t features = extent(e_.operand(1).shape(), s_.kernel_input);
    const std::int64_t outputs = extent(e_.operand(1).shape(), s_.kernel_output) /
                                 std::max(s_.feature_groups, s_.batch_groups);
    const std::int64_t batch = extent(e_.operand(0).shape(), s_.input_batch) / s_.batch_groups;
    const std::int64_t first_feature = s_.feature_groups > 1 ? group * features : 0;
    const std::int64_t first_batch = s_.batch_groups > 1 ? group * batch : 0;
    const std::int64_t first_output = group * outputs;

    std::vector<T> rows, matrix;
    std::vector<std::int64_t> targets;
    for (std::int64_t b = 0; b < batch; ++b) {
      for_each_index(places_, [&](Index place) {
        add_row(rows, place, first_batch + b, first_feature, features);
        std::int64_t target = b * output_steps_.at(static_cast<std::size_t>(s_.output_batch));
        for (std::size_t d = 0; d < place.size(); ++d) {
          target += place[d] * output_steps_.at(static_cast<std::size_t>(s_.output_spatial[d]));
        }
        targets.push_back(target);
      });
    }
    for_each_index(window_,
                   [&](Index at) { add_kernel(matrix, at, features, first_output, outputs); });
    const auto n = static_cast<std::size_t>(outputs);
    const std::size_t m = targets.size(), k = n == 0 ? 0 : matrix.size() / n;
    std::vector<T> product(m * n);
    matrix_product(rows.data(), matrix.data(), product.data(), m, k, n);
    const std::int64_t step = output_steps_.at(static_cast<std::size_t>(s_.output_feature));
    for (std::size_t row = 0; row < m; ++row) {
      for (std::size_t o = 0; o < n; ++o) {
        const std::int64_t to = targets[row] + (first_output + static_cast<std::int64_t>(o)) * step;
        output_.at(static_cast<std::size_t>(to)) = product[row * n + o];
      }
    }
  }

  // The input under the window at `place`; zero in the padding and between dilated elements.
  void add_row(std::vector<T>& rows, Index place, std::int64_t batch, std::int64_t first_feature,
               std::int64_t features) const {
    const Shape& extents = e_.operand(0).shape();
    const std::int64_t feature_step = input_steps_.at(static_cast<std::size_t>(s_.input_feature));
    for_each_index(window_, [&](Index at) {
      std::int64_t from = batch * input_steps_.at(static_cast<std::size_t>(s_.input_batch)) +
                          first_feature * feature_step;
      bool inside = true;
      for (std::size_t d = 0; d < at.size(); ++d) {
        const std::int64_t dilated =
            place[d] * s_.strides.at(d) + at[d] * s_.rhs_dilation.at(d) - s_.padding.at(2 * d);
        const std::int64_t base = s_.lhs_dilation.at(d);
        inside = inside && dilated >= 0 && dilated % base == 0 &&
                 dilated / base < extent(extents, s_.input_spatial[d]);
        from += dilated / base * input_steps_.at(static_cast<std::size_t>(s_.input_spatial[d]));
      }
      for (std::int64_t f = 0; f < features; ++f) {
        rows.push_back(inside ? input_[static_cast<std::size_t>(from + f * feature_step)] : T{});
      }
    });
  }

  void add_kernel(std::vector<T>& matrix, Index at, std::int64_t features,
                  std::int64_t first_output, std::int64_t outputs) const {
    std::int64_t base = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      const std::int64_t place = s_.reversal.at(d) != 0 ? window_[d] - 1 - at[d] : at[d];
      base += place * kernel_steps_.at(static_cast<std::size_t>(s_.kernel_spatial[d]));
    }
    for (std::int64_t f = 0; f < features; ++f) {
      for (std::int64_t o = 0; o < outputs; ++o) {
        const std::int64_t from =
            base + f * kernel_steps_.at(static_cast<std::size_t>(s_.kernel_input)) +
            (first_output + o) * kernel_steps_.at(static_cast<std::size_t>(s_.kernel_output));
        matrix.push_back(kernel_.at(static_cast<std::size_t>(from)));
      }
    }
  }

  const Evaluation& e_;
  const ConvolutionShape& s_;
  std::vector<T> input_, kernel_;
  Shape input_steps_, kernel_steps_, output_steps_, window_, places_;
  std::vector<T> output_;
};

Value convolution(const Evaluation& e, Shape padding) {
  const ConvolutionShape shape(e, std::move(padding));
  e.require(shape.padding.size() == 2 * shape.input_spatial.size() && shape.feature_groups >= 1 &&
                shape.batch_groups >= 1,
            "two paddings a spatial dimension, and one group at the least");
  return with_product_number(
      e.result().element, [&](auto zero) { return Convolution<decltype(zero)>(e, shape).run(); });
}

// "bij,bjk->bik": letters name dimensions; those that the result lacks are summed over.
Value einsum(const Evaluation& e) {
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
  const Value product = dot_general(inner, by);
  const Shape from = row_major_steps(product.shape());
  for (const char c : out) steps_order.push_back(from.at(made.find(c)));
  return move_elements(product, e.result(), 0, steps_order);
}

}  // namespace

Results evaluate_product(const Evaluation& e) {
  using V = std::vector<Value>;
  switch (e.op.kind) {
    case OpKind::dot_general:
      return V{dot_general(
          e, {e.list("lhs_batching_dimensions"), e.list("rhs_batching_dimensions"),
              e.list("lhs_contracting_dimensions"), e.list("rhs_contracting_dimensions")})};
    case OpKind::dot: return V{dot(e)};
    case OpKind::convolution:
      return V{
          convolution(e, e.list_or("padding", 2 * e.list("input_spatial_dimensions").size(), 0))};
    case OpKind::dynamic_conv: return V{convolution(e, integers_in(e.operand(2)))};
    case OpKind::einsum: return V{einsum(e)};
    default: return std::nullopt;
  }
}

}  // namespace trainyard::graph
