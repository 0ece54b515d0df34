#include "compiler/lowering/images/convolution.h"

#include <algorithm>

#include "base/error.h"
#include "base/units.h"
#include "compiler/lowering/images/pixel_product.h"
#include "compiler/lowering/images/sliding.h"
#include "compiler/lowering/products/image_product.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/multiplied_formats.h"
#include "compiler/lowering/walk/nodes.h"

namespace trainyard::compiler {

namespace {

using graph::OpKind;
using graph::Type;

// Where the batch, the features and the spatial dimensions of a tensor are.
struct Places {
  std::size_t batch = 0;  // of a kernel: its output features
  std::size_t feature = 0;
  std::vector<std::size_t> spatial{};
};

Places places(const graph::Op& op, std::string_view batch, std::string_view feature,
              std::string_view spatial) {
  Places result{.batch = static_cast<std::size_t>(op.integer(batch)),
                .feature = static_cast<std::size_t>(op.integer(feature))};
  for (const std::int64_t dim : op.integers(spatial))
    result.spatial.push_back(static_cast<std::size_t>(dim));
  return result;
}

// Cuts a dimension into `groups` and what is left, both of them dimensions.
std::pair<Extent, Extent> cut(const Extent& dim, std::int64_t groups) {
  const std::int64_t size = dim.size / groups;
  return {{groups, dim.step * size}, {size, dim.step}};
}

class Convolution {
 public:
  Convolution(Lowerer& lowerer, const graph::Op& op)
      : lowerer_(lowerer),
        op_(op),
        in_(places(op, "input_batch_dimension", "input_feature_dimension",
                   "input_spatial_dimensions")),
        taps_(places(op, "kernel_output_feature_dimension", "kernel_input_feature_dimension",
                     "kernel_spatial_dimensions")),
        out_(places(op, "output_batch_dimension", "output_feature_dimension",
                    "output_spatial_dimensions")),
        type_(lowerer.type(op.results[0])),
        feature_groups_(op.integer("feature_group_count")),
        batch_groups_(op.integer("batch_group_count")),
        kernel_(turned_kernel()),
        sliding_(sliding()) {}

  void lower() {
    if (as_pixel_product()) return;
    segment().residents().write_back(kernel_.tensor);
    if (as_image_product()) return;
    windowed_.emplace(lowerer_, lowerer_.node(op_.operands[0]),
                      number_node(lowerer_, {.element = lowerer_.type(op_.operands[0]).element}, 0),
                      sliding_);
    const bool one_channel = kernel_.dims[taps_.feature].size == 1 && batch_groups_ == 1;
    const bool one_to_one = kernel_.dims[taps_.batch].size == feature_groups_;
    if (one_channel && one_to_one && feature_groups_ > 1) return channel_by_channel();
    const bool first =
        std::ranges::all_of(out_.spatial, [&](std::size_t dim) { return out_.feature < dim; });
    first ? features_first() : features_last();
  }

 private:
  [[nodiscard]] Segment& segment() { return lowerer_.segment(); }

  [[nodiscard]] std::vector<Sliding> sliding() const {
    std::vector<Sliding> sliding(lowerer_.type(op_.operands[0]).shape.size());
    const auto strides = op_.integers("window_strides"), padding = op_.integers("padding");
    const auto apart = op_.integers("lhs_dilation"), dilation = op_.integers("rhs_dilation");
    for (std::size_t i = 0; i < in_.spatial.size(); ++i) {
      sliding[in_.spatial[i]] = {.size = kernel_.dims[taps_.spatial[i]].size,
                                 .stride = strides[i],
                                 .low = padding[2 * i],
                                 .high = padding[2 * i + 1],
                                 .apart = apart[i],
                                 .dilation = dilation[i]};
    }
    return sliding;
  }

  // Whether strips that are as wide as a line are short enough. Others are its height, along which
  // strips are cut.
  [[nodiscard]] bool fits_strips(const std::vector<std::int64_t>& in) const {
    const std::int64_t longest = std::max(in[in_.spatial[0]], type_.shape[out_.spatial[0]]);
    return longest * numerics::size_in_bytes(kernel_.dtype) <=
           strip_bytes_of(in[in_.feature], feature_groups_,
                          lowerer_.segment().emitter().core().array.rows);
  }

  // Whether the channels fill the array's rows. Patches, which have taps beside each other there,
  // are divided between two cores better: 3x3 of 64 x 64 x 320 takes 85 us, not 121, while of
  // 8 x 28 x 28 x 128 views of the image take 23 us, not 43.
  [[nodiscard]] bool fills_array() {
    constexpr std::int64_t percent_min = 90;
    const Emitter& emitter = segment().emitter();
    const std::int64_t rows = emitter.core().array.rows;
    const std::int64_t channels = lowerer_.type(op_.operands[0]).shape[in_.feature];
    const std::int64_t blocks = base::ceil_div(channels, rows);
    return emitter.cores() < 2 || feature_groups_ > 1 || channels < image_channels_min ||
           100 * channels >= percent_min * blocks * rows;
  }

  // The result's shape where its dimension dims[i] is dimension i, and the order that turns it
  // back.
  struct Turned {
    std::vector<std::int64_t> shape, back;
  };
  [[nodiscard]] Turned turned_by(const std::vector<std::size_t>& dims) const {
    Turned turned{.shape = {}, .back = std::vector<std::int64_t>(dims.size())};
    for (std::size_t i = 0; i < dims.size(); ++i) {
      turned.shape.push_back(type_.shape[dims[i]]);
      turned.back[dims[i]] = static_cast<std::int64_t>(i);
    }
    return turned;
  }

  // An image of one or two dimensions whose features go to the partitions; false where it is none.
  bool as_image_product() {
    if (!segment().emitter().variation().views_images) return false;
    const std::size_t rank = in_.spatial.size();
    if (rank < 1 || rank > 2 || batch_groups_ > 1 || !fills_array()) return false;
    Slides slides{.along = {}, .groups = feature_groups_, .order = {}};
    const std::vector<std::int64_t> out = type_.shape, in = lowerer_.type(op_.operands[0]).shape;
    const std::size_t first_place = rank == 1 && !fits_strips(in) ? 0 : 2 - rank;
    for (std::size_t i = 0; i < rank; ++i) {
      const Sliding& how = sliding_[in_.spatial[i]];
      slides.along.at(first_place + i) = {.taps = how.size,
                                          .windows = out[out_.spatial[i]],
                                          .stride = how.stride,
                                          .low = how.low,
                                          .dilation = how.dilation,
                                          .apart = how.apart};
    }
    for (const std::size_t dim : {out_.feature, out_.batch})
      slides.order.push_back(static_cast<std::int64_t>(dim));
    for (const std::size_t dim : out_.spatial)
      slides.order.push_back(static_cast<std::int64_t>(dim));
    const auto canonical = [&](const Strided& value, const Places& at) {
      Strided result = value;
      result.dims = {value.dims[at.batch]};
      result.dims.resize(first_place == 0 ? 1 : 3 - rank, {1, 0});
      for (const std::size_t dim : at.spatial) result.dims.push_back(value.dims[dim]);
      result.dims.resize(3, {1, 0});
      result.dims.push_back(value.dims[at.feature]);
      return result;
    };
    Strided shape{.dtype = kernel_.dtype};
    for (const std::int64_t size : in) shape.dims.push_back({size, 1});
    Product product{.left = canonical(kernel_, taps_), .right = canonical(shape, in_)};
    product.slides = std::move(slides);
    if (!is_image_product(product, segment().emitter().core())) return false;
    product.right = canonical(segment().placed(lowerer_.node(op_.operands[0])), in_);
    lowerer_.define(op_.results[0], segment().add({.kind = Node::Kind::product,
                                                   .type = type_,
                                                   .location = op_.location,
                                                   .product = std::move(product)}));
    return true;
  }

  // The gradient of a kernel, whose windows are nearly as large as the image.
  bool as_pixel_product() {
    Emitter& emitter = segment().emitter();
    const std::size_t rank = in_.spatial.size();
    const bool is_spread =
        std::ranges::any_of(sliding_, [](const Sliding& how) { return how.apart != 1; });
    if (!emitter.variation().views_images || rank < 1 || rank > 2 || feature_groups_ > 1 ||
        is_spread)
      return false;
    PixelProduct product{.still = {}, .sliding = {}, .along = {}, .groups = batch_groups_};
    for (std::size_t i = 0; i < rank; ++i) {
      const Sliding& how = sliding_[in_.spatial[i]];
      product.along.at(2 - rank + i) = {.taps = type_.shape[out_.spatial[i]],
                                        .windows = how.size,
                                        .stride = how.dilation,
                                        .low = how.low,
                                        .dilation = how.stride};
    }
    const auto canonical = [&](const Strided& value, const Places& at) {
      Strided result = value;
      result.dims = {value.dims[at.feature]};
      result.dims.resize(3 - rank, {1, 0});
      for (const std::size_t dim : at.spatial) result.dims.push_back(value.dims[dim]);
      result.dims.push_back(value.dims[at.batch]);
      return result;
    };
    product.still = canonical(kernel_, taps_);
    product.sliding = canonical(segment().placed(lowerer_.node(op_.operands[0])), in_);
    if (!is_pixel_product(product, emitter)) return false;
    // The sums are stored as they come, in rows of features, and the result is a view of that; few
    // of them go to their places one by one.
    constexpr std::int64_t single_elements_max = 8192;
    std::vector<std::size_t> dims = out_.spatial;
    dims.insert(dims.end(), {out_.batch, out_.feature});
    const bool is_small = type_.elements() <= single_elements_max;
    const Turned turned = turned_by(dims);
    const std::vector<std::int64_t> order(dims.begin(), dims.end());
    const isa::DType dtype = *storage_of(type_.element);
    Strided to = is_small ? permuted(fresh(lowerer_, type_), order)
                          : dense(emitter.hbm(dtype, turned.shape), dtype, turned.shape);
    const Strided result = permuted(to, turned.back);
    to.dims.insert(to.dims.begin(), 2 - rank, {1, 0});
    compute_pixel_product(segment(), product, to);
    return define_view(lowerer_, op_, result);
  }

  // The kernel with the dimensions that are read backwards turned around.
  Strided turned_kernel() {
    Strided kernel = segment().placed(lowerer_.node(op_.operands[1]));
    const auto reversed = op_.integers("window_reversal");
    for (std::size_t i = 0; i < reversed.size(); ++i) {
      if (reversed[i] != 0) kernel = reversed_along(kernel, taps_.spatial[i]);
    }
    return kernel;
  }

  // The sides of the product, [groups, batch, windows ..., depths ...] and [groups, features,
  // depths ...]; depths: a window's elements and input features. One group is no dimension.
  struct Sides {
    Strided input, kernel;
    std::size_t groups = 0;  // dimensions
  };
  Sides sides() {
    Sides result{.input = windowed_->value(), .kernel = kernel_};
    const std::int64_t groups = std::max(feature_groups_, batch_groups_);
    const auto [feature_group, feature] = cut(result.input.dims[in_.feature], feature_groups_);
    const auto [batch_group, batch] = cut(result.input.dims[in_.batch], batch_groups_);
    const auto [kernel_group, kernel_feature] = cut(kernel_.dims[taps_.batch], groups);
    result.input.dims.clear();
    result.kernel.dims.clear();
    if (groups > 1) {
      result.groups = 1;
      result.input.dims.push_back(feature_groups_ > 1 ? feature_group : batch_group);
      result.kernel.dims.push_back(kernel_group);
    }
    result.input.dims.push_back(batch);
    result.kernel.dims.push_back(kernel_feature);
    for (const std::size_t dim : in_.spatial) result.input.dims.push_back(windowed_->across(dim));
    for (const std::size_t dim : in_.spatial) result.input.dims.push_back(windowed_->within(dim));
    for (const std::size_t dim : taps_.spatial) result.kernel.dims.push_back(kernel_.dims[dim]);
    result.input.dims.push_back(feature);
    result.kernel.dims.push_back(kernel_.dims[taps_.feature]);
    return result;
  }

  NodeId product(Product product) {
    sort_depth(product);
    Type type{.element = type_.element, .shape = {}};
    for (std::size_t i = 0; i < product.batches + product.rows; ++i)
      type.shape.push_back(product.left.dims[i].size);
    for (std::size_t i = 0; i < product.columns; ++i)
      type.shape.push_back(product.right.dims[product.batches + i].size);
    return segment().add({.kind = Node::Kind::product,
                          .type = std::move(type),
                          .location = op_.location,
                          .product = std::move(product)});
  }

  // [groups, batch, windows ..., features]: pixels on the partitions.
  void features_last() {
    const Sides s = sides();
    NodeId node = product({.left = s.input,
                           .right = s.kernel,
                           .batches = s.groups,
                           .rows = 1 + in_.spatial.size(),
                           .columns = 1});
    std::vector<std::size_t> dims{out_.batch};
    dims.insert(dims.end(), out_.spatial.begin(), out_.spatial.end());
    dims.push_back(out_.feature);
    if (s.groups > 0) {  // they go beside the features
      std::vector<std::int64_t> order;
      for (std::size_t i = 1; i <= dims.size(); ++i) order.push_back(static_cast<std::int64_t>(i));
      order.insert(order.end() - 1, 0);
      const Strided turned = permuted(segment().stored(node), order);
      node = segment().add_view({.element = type_.element, .shape = turned.shape()}, turned);
      segment().stored_dense(node);
    }
    finish(node, dims);
  }

  // [batch, groups, features, windows ...]: features on the partitions.
  void features_first() {
    Sides s = sides();
    if (s.groups > 0) std::swap(s.input.dims[0], s.input.dims[1]);
    s.kernel.dims.insert(s.kernel.dims.begin(), {s.input.dims[0].size, 0});
    const NodeId node = product({.left = s.kernel,
                                 .right = s.input,
                                 .batches = 1 + s.groups,
                                 .rows = 1,
                                 .columns = in_.spatial.size()});
    std::vector<std::size_t> dims{out_.batch, out_.feature};
    dims.insert(dims.end(), out_.spatial.begin(), out_.spatial.end());
    finish(node, dims);
  }

  // The result from a node whose dimension i is the result's dims[i], groups and features together.
  // A product that is the result stays uncomputed, for the operations behind it.
  void finish(NodeId node, const std::vector<std::size_t>& dims) {
    if (std::ranges::is_sorted(dims) && segment().node(node).type.shape == type_.shape)
      return lowerer_.define(op_.results[0], node);
    const Turned turned = turned_by(dims);
    const std::optional<Strided> view = reshaped(segment().stored_dense(node), turned.shape);
    base::check(view.has_value(), "a dense value has every shape");
    define_view(lowerer_, op_, permuted(*view, turned.back));
  }

  // One channel a group: products of shifted views with a row of weights, added up.
  void channel_by_channel() {
    const graph::LocationId at = op_.location;
    std::optional<NodeId> sum;
    windowed_->for_each_tap([&](std::span<const std::int64_t> tap) {
      Strided pixels = windowed_->tap(tap), weights = kernel_;
      const Strided apart = pixels;
      weights.dims = {kernel_.dims[taps_.batch]};
      pixels.dims.resize(type_.shape.size());
      pixels.dims[out_.batch] = apart.dims[in_.batch];
      pixels.dims[out_.feature] = apart.dims[in_.feature];
      for (std::size_t i = 0; i < in_.spatial.size(); ++i) {
        pixels.dims[out_.spatial[i]] = apart.dims[in_.spatial[i]];
        weights.offset += tap[in_.spatial[i]] * kernel_.dims[taps_.spatial[i]].step;
      }
      const std::vector<std::int64_t> feature{static_cast<std::int64_t>(out_.feature)};
      const Strided row = broadcast(weights, feature, type_.shape);
      const Type real{.shape = type_.shape};  // sums are float32
      const NodeId term =
          apply(lowerer_, OpKind::multiply,
                {segment().add_view(type_, pixels), segment().add_view(type_, row)}, real, at);
      sum = sum ? apply(lowerer_, OpKind::add, {*sum, term}, real, at) : term;
    });
    if (type_.element != graph::ElementType::f32)
      sum = apply(lowerer_, OpKind::convert, {*sum}, type_, at);
    lowerer_.define(op_.results[0], *sum);
  }

  Lowerer& lowerer_;
  const graph::Op& op_;
  Places in_, taps_, out_;
  Type type_;
  std::int64_t feature_groups_, batch_groups_;
  Strided kernel_;
  std::vector<Sliding> sliding_;
  std::optional<Windowed> windowed_;
};

}  // namespace

bool convolution(Lowerer& lowerer, const graph::Op& op) {
  const Type &input = lowerer.type(op.operands[0]), &kernel = lowerer.type(op.operands[1]);
  const Type& result = lowerer.type(op.results[0]);
  if (input.elements() == 0 || kernel.elements() == 0 || result.elements() == 0 ||
      !multiplies(*storage_of(input.element), *storage_of(kernel.element),
                  lowerer.segment().emitter().core()) ||
      !graph::is_float(result.element))
    return false;
  Convolution(lowerer, op).lower();
  return true;
}

}  // namespace trainyard::compiler
