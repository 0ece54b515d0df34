// convolution: a kernel that slides over dimensions of space, by matrix products.
#include <algorithm>

#include "graph/evaluate/product_numbers.h"
#include "graph/ops/all.h"
#include "graph/ops/complete.h"
#include "graph/ops/sizes.h"

namespace trainyard::graph {

namespace {

// What is batch, feature and space of a tensor.
struct ConvolutionRoles {
  std::int64_t batch, feature;
  Integers spatial;

  void check(OpCheck& c, std::string_view what, std::size_t rank) const {
    std::vector<std::int64_t> all{batch, feature};
    all.insert(all.end(), spatial.begin(), spatial.end());
    c.are_dimensions(what, all, rank);
    c.require(all.size() == rank, "each dimension is batch, feature or one of space");
  }
};

// A kernel's output and input features stand where batch and feature do.
void verify_convolution(OpCheck& c) {
  const Type &input = c.operand(0), &kernel = c.operand(1), &output = c.result();
  const ConvolutionRoles in{c.integer("input_batch_dimension"),
                            c.integer("input_feature_dimension"),
                            c.list("input_spatial_dimensions")},
      window{c.integer("kernel_output_feature_dimension"),
             c.integer("kernel_input_feature_dimension"), c.list("kernel_spatial_dimensions")},
      out{c.integer("output_batch_dimension"), c.integer("output_feature_dimension"),
          c.list("output_spatial_dimensions")};
  const std::size_t space = in.spatial.size();
  if (c.has_failed()) return;
  in.check(c, "dimensions of the input", input.shape.size());
  window.check(c, "dimensions of the kernel", kernel.shape.size());
  out.check(c, "dimensions of the output", output.shape.size());
  c.require(window.spatial.size() == space && out.spatial.size() == space,
            "input, kernel and output have as many dimensions of space");
  const std::int64_t groups = c.integer("feature_group_count"),
                     batches = c.integer("batch_group_count");
  c.require(groups >= 1 && batches >= 1 && (groups == 1 || batches == 1),
            "there is a group, and groups of features or of the batch");
  if (c.has_failed()) return;

  const std::int64_t features = size_along(input, in.feature), batch = size_along(input, in.batch),
                     made = size_along(kernel, window.batch);
  const std::int64_t taken = size_along(kernel, window.feature);
  if (features != dynamic_extent && taken != dynamic_extent)
    c.require(features % groups == 0 && features / groups == taken,
              "the kernel takes the input's features of a group");
  if (batch != dynamic_extent)
    c.require(batch % batches == 0 && fits(size_along(output, out.batch), batch / batches),
              "the output has the input's batch, divided by its groups");
  c.require(fits(size_along(output, out.feature), made) &&
                (made == dynamic_extent || made % std::max(groups, batches) == 0),
            "the output has the kernel's features, as many in each group");
  if (c.op.kind == OpKind::dynamic_conv) return;
  const auto strides = c.sized_list("window_strides", space, 1),
             base = c.sized_list("lhs_dilation", space, 1),
             dilation = c.sized_list("rhs_dilation", space, 1),
             padding = c.sized_list("padding", 2 * space, 0);
  (void)c.sized_list("window_reversal", space, 0);
  const auto positive = [](std::int64_t each) { return each >= 1; };
  c.require(std::ranges::all_of(strides, positive) && std::ranges::all_of(base, positive) &&
                std::ranges::all_of(dilation, positive),
            "strides and dilations are positive");
  if (c.has_failed()) return;
  for (std::size_t d = 0; d < space; ++d) {
    const std::int64_t size = size_along(input, in.spatial[d]),
                       extent = size_along(kernel, window.spatial[d]),
                       wanted = size_along(output, out.spatial[d]);
    if (size == dynamic_extent || extent == dynamic_extent || wanted == dynamic_extent) continue;
    const WideInteger places = places_of_window(size, base[d], padding[2 * d], padding[2 * d + 1],
                                                extent, dilation[d], strides[d]);
    c.require(places == wanted, "the output has an element for each place of the window");
  }
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
        input_(product_numbers<T>(e.operand(0))),
        kernel_(product_numbers<T>(e.operand(1))),
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

Value convolved(const Evaluation& e, Shape padding) {
  const ConvolutionShape shape(e, std::move(padding));
  e.require(shape.padding.size() == 2 * shape.input_spatial.size() && shape.feature_groups >= 1 &&
                shape.batch_groups >= 1,
            "two paddings a spatial dimension, and one group at the least");
  return with_product_number(
      e.result().element, [&](auto zero) { return Convolution<decltype(zero)>(e, shape).run(); });
}

Value evaluate_convolution(const Evaluation& e) {
  return convolved(e, e.list_or("padding", 2 * e.list("input_spatial_dimensions").size(), 0));
}
Value evaluate_dynamic_conv(const Evaluation& e) { return convolved(e, integers_in(e.operand(2))); }

bool factors_of_convolution(Making& make) {
  const Op& op = make.op();
  if (op.integer("batch_group_count") != 1) return false;
  const std::int64_t groups = op.integer("feature_group_count");
  const std::size_t batch = as_dim(op.integer("input_batch_dimension")),
                    in = as_dim(op.integer("input_feature_dimension")),
                    kernel_in = as_dim(op.integer("kernel_input_feature_dimension")),
                    kernel_out = as_dim(op.integer("kernel_output_feature_dimension")),
                    out = as_dim(op.integer("output_feature_dimension"));
  make.keep(batch, as_dim(op.integer("output_batch_dimension")));
  if (groups > 1) {
    const std::size_t group = make.add(groups);
    make.of_operand(0, in, group);
    make.of_operand(1, kernel_out, group);
    make.of_result(0, out, group);
    return true;
  }
  const std::size_t depth = make.add(make.operand(0)[in], Making::Kind::summed);
  make.of_operand(0, in, depth);
  make.of_operand(1, kernel_in, depth);
  const std::size_t channel = make.add(make.result()[out]);
  make.of_operand(1, kernel_out, channel);
  make.of_result(0, out, channel);
  return true;
}

void part_of_convolution(Op& op, const Ways& ways) {
  const std::int64_t groups = op.integer("feature_group_count");
  if (groups > 1)
    op.set("feature_group_count",
           {groups / ways.result[as_dim(op.integer("output_feature_dimension"))]});
}

void complete_convolution(Op& op) {
  constexpr std::string_view like = "input_spatial_dimensions";
  for (const std::string_view name : {"window_strides", "lhs_dilation", "rhs_dilation"})
    add_filled(op, name, like, 1);
  add_filled(op, "window_reversal", like, 0);
  if (op.kind == OpKind::convolution) add_filled(op, "padding", like, 0, 2);
  complete_precision(op);
}

constexpr const char* numbers_and_padding =
    "batch_group_count feature_group_count input_batch_dimension "
    "input_feature_dimension input_spatial_dimensions "
    "kernel_input_feature_dimension kernel_output_feature_dimension "
    "kernel_spatial_dimensions lhs_dilation output_batch_dimension "
    "output_feature_dimension output_spatial_dimensions padding precision_config "
    "rhs_dilation window_reversal window_strides";

constexpr auto convolutions_records = std::to_array<OpRecord>({
    {.kind = OpKind::convolution,
     .name = "convolution",
     .operands = {2, 2},
     .traits = {Trait::product},
     .vhlo = {numbers_and_padding},
     .complete = complete_convolution,
     .verify = verify_convolution,
     .evaluate = alone<evaluate_convolution>,
     .factors = factors_of_convolution,
     .part = part_of_convolution},
    {.kind = OpKind::dynamic_conv,
     .name = "dynamic_conv",
     .operands = {3, 3},
     .vhlo = {numbers_and_padding,
              "batch_group_count feature_group_count input_batch_dimension "
              "input_feature_dimension input_spatial_dimensions "
              "kernel_input_feature_dimension kernel_output_feature_dimension "
              "kernel_spatial_dimensions lhs_dilation output_batch_dimension "
              "output_feature_dimension output_spatial_dimensions precision_config "
              "rhs_dilation window_reversal window_strides"},
     .complete = complete_convolution,
     .verify = verify_convolution,
     .evaluate = alone<evaluate_dynamic_conv>},
});

}  // namespace

std::span<const OpRecord> convolutions_ops() { return convolutions_records; }

}  // namespace trainyard::graph
