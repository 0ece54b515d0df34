#include "compiler/lowering/image_forms/channel_sums.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "graph/builder.h"
#include "graph/replace_each.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

// More taps are as many passes over both operands, and a shorter channel leaves little to add.
constexpr std::int64_t taps_max = 64, channels_min = 16;

class ChannelSums {
 public:
  explicit ChannelSums(Function& function) : function_(function) {
    note(function.body);
    graph::replace_each(function.body, [&](const Op& op, std::vector<Op>& ops) {
      if (!is_one(op)) return false;
      sum(op, ops);
      return true;
    });
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  [[nodiscard]] std::int64_t size(ValueId value, std::int64_t dim) const {
    return type(value).shape[static_cast<std::size_t>(dim)];
  }

  [[nodiscard]] bool is_one(const Op& op) const {
    if (op.kind != OpKind::convolution) return false;
    const std::int64_t groups = op.integer("batch_group_count");
    const ValueId image = op.operands[0], kernel = op.operands[1], result = op.results[0];
    const auto all = [&](const char* name, std::int64_t wanted) {
      return std::ranges::all_of(op.integers(name), [&](std::int64_t i) { return i == wanted; });
    };
    std::int64_t taps = 1;
    for (const std::int64_t dim : op.integers("output_spatial_dimensions"))
      taps *= size(result, dim);
    const auto may_be_added = [&](ValueId value) {
      return type(value).is_static() && type(value).elements() > 0 &&
             graph::is_float(type(value).element) && graph::bits(type(value).element) <= 32;
    };
    return groups >= channels_min && taps <= taps_max && !transposed_.contains(image) &&
           may_be_added(image) && may_be_added(kernel) && may_be_added(result) &&
           size(image, op.integer("input_batch_dimension")) == groups &&
           size(kernel, op.integer("kernel_output_feature_dimension")) == groups &&
           all("lhs_dilation", 1) && all("window_reversal", 0);
  }

  void note(const Region& region) {
    for (const Op& op : region.ops) {
      if (op.kind == OpKind::transpose) transposed_.insert(op.results[0]);
      for (const Region& nested : op.regions) note(nested);
    }
  }

  // Channels, features, spatial dimensions; where the channels come last in the image, they stay
  // there.
  [[nodiscard]] Dims order_of(const Op& op, std::int64_t channel, std::int64_t feature,
                              std::span<const std::int64_t> spatial) const {
    Dims order{channel, feature};
    order.insert(order.end(), spatial.begin(), spatial.end());
    if (is_last(op)) std::rotate(order.begin(), order.begin() + 1, order.end());
    return order;
  }
  [[nodiscard]] bool is_last(const Op& op) const {
    return op.integer("input_batch_dimension") + 1 == type(op.operands[0]).rank();
  }

  // Where the spatial dimensions begin in that order.
  [[nodiscard]] std::size_t first_spatial(const Op& op) const { return is_last(op) ? 1 : 2; }

  // The image in that order, with zeros around it, or without what no window reaches.
  [[nodiscard]] ValueId padded(const Op& op, ValueId image, graph::Builder& write) const {
    const Type from = type(image);
    const auto padding = op.integers("padding");
    const std::size_t first = first_spatial(op);
    Dims low(from.shape.size(), 0), high = low, inner = low, shape = from.shape;
    for (std::size_t i = 0; 2 * i < padding.size(); ++i) {
      low[first + i] = padding[2 * i];
      high[first + i] = padding[2 * i + 1];
      shape[first + i] += low[first + i] + high[first + i];
    }
    if (shape == from.shape) return image;
    const ValueId zero = write.number({.element = from.element}, 0);
    return write.emit(OpKind::pad, {image, zero},
                      {.element = from.element, .shape = std::move(shape)},
                      {{"edge_padding_low", {std::move(low)}},
                       {"edge_padding_high", {std::move(high)}},
                       {"interior_padding", {std::move(inner)}}});
  }

  // The elements of the image that a tap meets, in the shape of the kernel.
  [[nodiscard]] ValueId met(const Op& op, ValueId image, const Dims& shape, std::int64_t tap,
                            graph::Builder& write) const {
    const auto strides = op.integers("window_strides"), apart = op.integers("rhs_dilation");
    const auto out = op.integers("output_spatial_dimensions");
    const std::size_t first = first_spatial(op);
    Dims begins(shape.size(), 0), limits = shape, steps(shape.size(), 1);
    for (std::size_t i = out.size(); i-- > 0;) {
      const std::int64_t taps = size(op.results[0], out[i]);
      begins[first + i] = tap % taps * strides[i];
      steps[first + i] = apart[i];
      limits[first + i] = begins[first + i] + (shape[first + i] - 1) * apart[i] + 1;
      tap /= taps;
    }
    return write.emit(OpKind::slice, {image}, {.element = type(image).element, .shape = shape},
                      {{"start_indices", {std::move(begins)}},
                       {"limit_indices", {std::move(limits)}},
                       {"strides", {std::move(steps)}}});
  }

  void sum(const Op& op, std::vector<Op>& ops) {
    graph::Builder write(function_, ops, op.location);
    const ValueId image =
        padded(op,
               write.turned(op.operands[0], order_of(op, op.integer("input_batch_dimension"),
                                                     op.integer("input_feature_dimension"),
                                                     op.integers("input_spatial_dimensions"))),
               write);
    const ValueId kernel = write.convert(
        write.turned(op.operands[1], order_of(op, op.integer("kernel_output_feature_dimension"),
                                              op.integer("kernel_input_feature_dimension"),
                                              op.integers("kernel_spatial_dimensions"))),
        ElementType::f32);
    const Dims shape = type(kernel).shape;
    const std::int64_t channel = is_last(op) ? std::ssize(shape) - 1 : 0;
    const std::int64_t channels = size(kernel, channel);
    Dims added, taps;
    // One dimension more: sums of images by channel would get their channels first.
    Dims one{1};
    one.insert(one.end(), shape.begin(), shape.end());
    for (std::int64_t dim = 0; dim < std::ssize(shape); ++dim)
      if (dim != channel) added.push_back(dim + 1);
    const ValueId factor = write.reshape(kernel, one);
    for (const std::int64_t dim : op.integers("output_spatial_dimensions"))
      taps.push_back(size(op.results[0], dim));
    std::int64_t count = 1;
    for (const std::int64_t each : taps) count *= each;
    std::vector<ValueId> sums;
    for (std::int64_t tap = 0; tap < count; ++tap) {
      const ValueId some = write.convert(met(op, image, shape, tap, write), ElementType::f32);
      const ValueId products =
          write.emit(OpKind::multiply, {write.reshape(some, one), factor}, Type(type(factor)));
      sums.push_back(write.reshape(write.sum(products, added), {1, channels}));
    }
    const ValueId all = count == 1
                            ? sums[0]
                            : write.emit(OpKind::concatenate, std::move(sums),
                                         {.element = ElementType::f32, .shape = {count, channels}},
                                         {{"dimension", {std::int64_t{0}}}});
    finish(op, all, std::move(taps), write, ops);
  }

  // Taps, then channels, in the order and the format of the result.
  void finish(const Op& op, ValueId all, Dims taps, graph::Builder& write, std::vector<Op>& ops) {
    const Type& result = type(op.results[0]);
    const std::int64_t channels = size(all, 1);
    const auto out = op.integers("output_spatial_dimensions");
    Dims order(result.shape.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      order[static_cast<std::size_t>(out[i])] = static_cast<std::int64_t>(i);
    order[static_cast<std::size_t>(op.integer("output_batch_dimension"))] = std::ssize(taps);
    order[static_cast<std::size_t>(op.integer("output_feature_dimension"))] = std::ssize(taps) + 1;
    taps.push_back(1);
    taps.push_back(channels);
    const ValueId made =
        write.turned(write.reshape(write.convert(all, result.element), std::move(taps)), order);
    ops.push_back({.kind = OpKind::reshape,
                   .operands = {made},
                   .results = op.results,
                   .location = op.location});
  }

  Function& function_;
  std::set<ValueId> transposed_;  // whose tiles lie crosswise: a product turns them only once
};

}  // namespace

void sum_channels(graph::Module& module) {
  for (Function& function : module.functions) ChannelSums{function};
}

}  // namespace trainyard::compiler
