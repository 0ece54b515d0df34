#include "compiler/lowering/image_forms/patches.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/definitions.h"
#include "graph/builder.h"
#include "graph/each_body.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// Smaller patches are convolutions of few taps.
constexpr std::int64_t taps_min = 4;

bool are_all(std::span<const std::int64_t> numbers, std::int64_t wanted) {
  return std::ranges::all_of(numbers, [&](std::int64_t each) { return each == wanted; });
}

class Patches {
 public:
  explicit Patches(Function& function) : function_(function), definitions_(function) {}

  void run() {
    const auto is_one = [&](const Op& op) { return is_of_patches(op) || covers_image(op); };
    if (std::ranges::none_of(function_.body.ops, is_one)) return;
    std::vector<Op> ops;
    for (const Op& op : function_.body.ops) {
      if (is_of_patches(op)) {
        multiply(op, ops);
      } else if (covers_image(op)) {
        multiply_images(op, ops);
      } else {
        ops.push_back(op);
      }
    }
    function_.body.ops = std::move(ops);
  }

 private:
  [[nodiscard]] const Dims& shape(ValueId value) const { return function_.type(value).shape; }

  [[nodiscard]] static bool is_plain(const Op& op) {
    return op.kind == OpKind::convolution && op.integer("feature_group_count") == 1 &&
           op.integer("batch_group_count") == 1 && are_all(op.integers("rhs_dilation"), 1);
  }

  // Whether the result is one element of each image and kernel.
  [[nodiscard]] bool covers_image(const Op& op) const {
    if (!is_plain(op) || !are_all(op.integers("lhs_dilation"), 1) ||
        !are_all(op.integers("padding"), 0) || !are_all(op.integers("window_reversal"), 0))
      return false;
    const auto image = op.integers("input_spatial_dimensions");
    const auto kernel = op.integers("kernel_spatial_dimensions");
    for (std::size_t i = 0; i < image.size(); ++i) {
      if (shape(op.operands[0])[static_cast<std::size_t>(image[i])] !=
          shape(op.operands[1])[static_cast<std::size_t>(kernel[i])])
        return false;
    }
    return !image.empty();
  }

  [[nodiscard]] bool is_of_patches(const Op& op) const {
    if (!is_plain(op) || !are_all(op.integers("window_strides"), 1)) return false;
    const auto apart = op.integers("lhs_dilation"), padding = op.integers("padding");
    const auto spatial = op.integers("kernel_spatial_dimensions");
    const auto reversal = op.integers("window_reversal");
    for (std::size_t i = 0; i < spatial.size(); ++i) {
      const std::int64_t size = shape(op.operands[1])[static_cast<std::size_t>(spatial[i])];
      if (size < taps_min || apart[i] != size || padding[2 * i] != size - 1 ||
          padding[2 * i + 1] != size - 1 || (i < reversal.size() && reversal[i] != 0))
        return false;
    }
    return !spatial.empty();
  }

  // The kernel with its taps in the order of the elements that they stand for.
  ValueId turned(const Op& op, graph::Builder& write) const {
    const ValueId kernel = op.operands[1];
    const auto spatial = op.integers("kernel_spatial_dimensions");
    if (const Op* const reverse = definitions_.of(kernel, OpKind::reverse)) {
      const auto dims = reverse->integers("dimensions");
      if (std::set(dims.begin(), dims.end()) == std::set(spatial.begin(), spatial.end()))
        return reverse->operands[0];
    }
    return write.emit(OpKind::reverse, {kernel},
                      {.element = function_.type(kernel).element, .shape = shape(kernel)},
                      {{"dimensions", {Dims(spatial.begin(), spatial.end())}}});
  }

  void multiply(const Op& op, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, op.location);
    const graph::ElementType element = function_.type(op.results[0]).element;
    const ValueId image = op.operands[0], kernel = turned(op, write);
    const std::int64_t depth = op.integer("input_feature_dimension");
    const std::int64_t kernel_depth = op.integer("kernel_input_feature_dimension");
    // Where the free dimensions of both stand in the product.
    const std::size_t rank = shape(image).size();
    Dims product, left(rank), right(rank);
    for (const auto& [value, gone, places] :
         {std::tuple{image, depth, &left}, std::tuple{kernel, kernel_depth, &right}}) {
      for (std::size_t i = 0; i < rank; ++i) {
        if (static_cast<std::int64_t>(i) == gone) continue;
        (*places)[i] = std::ssize(product);
        product.push_back(shape(value)[i]);
      }
    }
    const ValueId made =
        write.emit(OpKind::dot_general, {image, kernel}, {.element = element, .shape = product},
                   {{"lhs_batching_dimensions", {Dims{}}},
                    {"lhs_contracting_dimensions", {Dims{depth}}},
                    {"rhs_batching_dimensions", {Dims{}}},
                    {"rhs_contracting_dimensions", {Dims{kernel_depth}}}});
    const auto at = [](const Dims& places, std::int64_t dim) {
      return places[static_cast<std::size_t>(dim)];
    };
    std::vector<Dims> by_result(rank);  // dimensions of the product
    by_result[static_cast<std::size_t>(op.integer("output_batch_dimension"))] = {
        at(left, op.integer("input_batch_dimension"))};
    by_result[static_cast<std::size_t>(op.integer("output_feature_dimension"))] = {
        at(right, op.integer("kernel_output_feature_dimension"))};
    const auto out = op.integers("output_spatial_dimensions");
    for (std::size_t i = 0; i < out.size(); ++i)
      by_result[static_cast<std::size_t>(out[i])] = {
          at(left, op.integers("input_spatial_dimensions")[i]),
          at(right, op.integers("kernel_spatial_dimensions")[i])};
    Dims order, turned_shape;
    for (const Dims& dims : by_result) order.insert(order.end(), dims.begin(), dims.end());
    for (const std::int64_t dim : order) turned_shape.push_back(at(product, dim));
    const ValueId side_by_side =
        write.emit(OpKind::transpose, {made}, {.element = element, .shape = turned_shape},
                   {{"permutation", {order}}});
    ops.push_back({.kind = OpKind::reshape,
                   .operands = {side_by_side},
                   .results = op.results,
                   .location = op.location});
  }

  // Elements of the product: of the images by kernel, or of the kernels by image, as they are asked
  // for.
  void multiply_images(const Op& op, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, op.location);
    ValueId left = op.operands[0], right = op.operands[1];
    // In the order of the images, in which they may lie beside each other.
    std::vector<std::pair<std::int64_t, std::int64_t>> contracted{
        {op.integer("input_feature_dimension"), op.integer("kernel_input_feature_dimension")}};
    const auto image = op.integers("input_spatial_dimensions");
    const auto kernel = op.integers("kernel_spatial_dimensions");
    for (std::size_t i = 0; i < image.size(); ++i) contracted.emplace_back(image[i], kernel[i]);
    std::ranges::sort(contracted);
    Dims of_left, of_right;
    for (const auto& [of_image, of_kernel] : contracted) {
      of_left.push_back(of_image);
      of_right.push_back(of_kernel);
    }
    const Type& result = function_.type(op.results[0]);
    const auto extent = [&](const char* dim) {
      return result.shape[static_cast<std::size_t>(op.integer(dim))];
    };
    Dims product{extent("output_batch_dimension"), extent("output_feature_dimension")};
    if (op.integer("output_feature_dimension") < op.integer("output_batch_dimension")) {
      std::swap(left, right);
      std::swap(of_left, of_right);
      std::swap(product[0], product[1]);
    }
    const ValueId made = write.emit(OpKind::dot_general, {left, right},
                                    {.element = result.element, .shape = product},
                                    {{"lhs_batching_dimensions", {Dims{}}},
                                     {"lhs_contracting_dimensions", {of_left}},
                                     {"rhs_batching_dimensions", {Dims{}}},
                                     {"rhs_contracting_dimensions", {of_right}}});
    ops.push_back({.kind = OpKind::reshape,
                   .operands = {made},
                   .results = op.results,
                   .location = op.location});
  }

  Function& function_;
  Definitions definitions_;
};

}  // namespace

void multiply_patches(graph::Module& module) {
  for (Function& function : module.functions)
    graph::each_body(function, [](Function& each) { Patches(each).run(); });
}

}  // namespace trainyard::compiler
