// Products: dot, dot_general, convolution. Element types may differ: what is summed in what is the
// program's choice.
#include <algorithm>
#include <array>

#include "graph/verify/check.h"

namespace trainyard::graph {

namespace {

__extension__ using Wide = __int128;

std::int64_t size_of(const Type& type, std::int64_t dimension) {
  return type.shape[static_cast<std::size_t>(dimension)];
}

// Dimensions of one operand: batching ones and contracted ones, and the sizes of the others.
void split(OpCheck& c, const Type& type, std::string_view batch_name, std::string_view sum_name,
           Integers batch, Integers sum, std::vector<std::int64_t>& rest) {
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

void dot_general(OpCheck& c) {
  const Type &left = c.operand(0), &right = c.operand(1);
  const Integers left_batch = c.list_or_empty("lhs_batching_dimensions"),
                 right_batch = c.list_or_empty("rhs_batching_dimensions"),
                 left_sum = c.list_or_empty("lhs_contracting_dimensions"),
                 right_sum = c.list_or_empty("rhs_contracting_dimensions");
  std::vector<std::int64_t> left_rest, right_rest, shape;
  split(c, left, "lhs_batching_dimensions", "lhs_contracting_dimensions", left_batch, left_sum,
        left_rest);
  split(c, right, "rhs_batching_dimensions", "rhs_contracting_dimensions", right_batch, right_sum,
        right_rest);
  if (c.has_failed()) return;
  const auto equal = [&](std::int64_t a, std::int64_t b) {
    return fits(size_of(left, a), size_of(right, b));
  };
  c.require(std::ranges::equal(left_batch, right_batch, equal),
            "batching dimensions of both operands have equal sizes");
  c.require(std::ranges::equal(left_sum, right_sum, equal),
            "contracted dimensions of both operands have equal sizes");
  for (const std::int64_t d : left_batch) shape.push_back(size_of(left, d));
  shape.insert(shape.end(), left_rest.begin(), left_rest.end());
  shape.insert(shape.end(), right_rest.begin(), right_rest.end());
  c.require(shape_is(c.result(), shape),
            "the result has the batching dimensions, then those of each operand that are left");
}

void dot(OpCheck& c) {
  const Type &left = c.operand(0), &right = c.operand(1);
  const std::size_t l = left.shape.size(), r = right.shape.size();
  if (!c.require(l >= 1 && l <= 2 && r >= 1 && r <= 2, "operands are vectors or matrices")) return;
  c.require(fits(left.shape.back(), right.shape.front()), "contracted dimensions are equal");
  std::vector<std::int64_t> shape(left.shape.begin(), left.shape.end() - 1);
  shape.insert(shape.end(), right.shape.begin() + 1, right.shape.end());
  c.require(shape_is(c.result(), shape), "the result has the dimensions that are left");
}

// What is batch, feature and space of a tensor.
struct Roles {
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
void convolution(OpCheck& c) {
  const Type &input = c.operand(0), &kernel = c.operand(1), &output = c.result();
  const Roles in{c.integer("input_batch_dimension"), c.integer("input_feature_dimension"),
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

  const std::int64_t features = size_of(input, in.feature), batch = size_of(input, in.batch),
                     made = size_of(kernel, window.batch);
  const std::int64_t taken = size_of(kernel, window.feature);
  if (features != dynamic_extent && taken != dynamic_extent)
    c.require(features % groups == 0 && features / groups == taken,
              "the kernel takes the input's features of a group");
  if (batch != dynamic_extent)
    c.require(batch % batches == 0 && fits(size_of(output, out.batch), batch / batches),
              "the output has the input's batch, divided by its groups");
  c.require(fits(size_of(output, out.feature), made) &&
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
    const std::int64_t size = size_of(input, in.spatial[d]),
                       extent = size_of(kernel, window.spatial[d]),
                       wanted = size_of(output, out.spatial[d]);
    if (size == dynamic_extent || extent == dynamic_extent || wanted == dynamic_extent) continue;
    const Wide dilated = size == 0 ? 0 : static_cast<Wide>(size - 1) * base[d] + 1;
    const Wide padded = dilated + padding[2 * d] + padding[2 * d + 1];
    const Wide covered = extent == 0 ? 0 : static_cast<Wide>(extent - 1) * dilation[d] + 1;
    const Wide places = padded <= 0 || covered > padded ? 0 : (padded - covered) / strides[d] + 1;
    c.require(places == wanted, "the output has an element for each place of the window");
  }
}

void einsum(OpCheck& c) { (void)c.text("einsum_config"); }

constexpr auto product_table = std::to_array<Form>({
    {OpKind::convolution, 2, 2, 1, 1, 0, 0, convolution},
    {OpKind::dot, 2, 2, 1, 1, 0, 0, dot},
    {OpKind::dot_general, 2, 2, 1, 1, 0, 0, dot_general},
    {OpKind::dynamic_conv, 3, 3, 1, 1, 0, 0, convolution},
    {OpKind::einsum, 2, 2, 1, 1, 0, 0, einsum},
    {OpKind::unary_einsum, 1, 1, 1, 1, 0, 0, einsum},
});

}  // namespace

std::span<const Form> product_forms() { return product_table; }

}  // namespace trainyard::graph
