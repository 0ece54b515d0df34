#include "compiler/lowering/images/sliding.h"

#include <algorithm>

#include "compiler/lowering/values/movement.h"
#include "compiler/lowering/walk/nodes.h"

namespace trainyard::compiler {

namespace {

using graph::Type;
using Sizes = std::vector<std::int64_t>;

std::int64_t padded_size(const Sliding& how, std::int64_t size) {
  const std::int64_t spread = size == 0 ? 0 : (size - 1) * how.apart + 1;
  return how.low + spread + how.high;
}

Strided with_padding(Lowerer& lowerer, NodeId value, NodeId filler,
                     const std::vector<Sliding>& sliding) {
  Segment& segment = lowerer.segment();
  Type type = segment.node(value).type;
  const bool is_plain = std::ranges::all_of(
      sliding, [](const Sliding& how) { return how.low == 0 && how.high == 0 && how.apart == 1; });
  if (is_plain) return segment.stored(value);
  Sizes low, inner;
  for (std::size_t i = 0; i < sliding.size(); ++i) {
    type.shape[i] = padded_size(sliding[i], type.shape[i]);
    low.push_back(sliding[i].low);
    inner.push_back(sliding[i].apart - 1);
  }
  return padded(lowerer, value, filler, type, low, inner);
}

}  // namespace

std::vector<Sliding> sliding_of(const graph::Op& op) {
  const auto list = [&](std::string_view name) -> std::span<const std::int64_t> {
    if (op.find(name) == nullptr) return {};
    return op.integers(name);
  };
  const auto strides = list("window_strides"), apart = list("base_dilations");
  const auto dilations = list("window_dilations"), padding = list("padding");
  std::vector<Sliding> sliding;
  for (const std::int64_t size : op.integers("window_dimensions")) {
    const std::size_t i = sliding.size();
    sliding.push_back({.size = size,
                       .stride = strides.empty() ? 1 : strides[i],
                       .low = padding.empty() ? 0 : padding[2 * i],
                       .high = padding.empty() ? 0 : padding[2 * i + 1],
                       .apart = apart.empty() ? 1 : apart[i],
                       .dilation = dilations.empty() ? 1 : dilations[i]});
  }
  return sliding;
}

Strided padded(Lowerer& lowerer, NodeId value, NodeId filler, const Type& type,
               std::span<const std::int64_t> low, std::span<const std::int64_t> inner) {
  Segment& segment = lowerer.segment();
  const Sizes from = segment.node(value).type.shape;
  const Strided whole = fresh(lowerer, type);
  Strided target = whole;
  Sizes begins, limits;
  const Sizes ones(low.size(), 1);
  for (std::size_t i = 0; i < low.size(); ++i) {
    const std::int64_t step = inner[i] + 1;
    // Elements that negative padding leaves.
    const std::int64_t first = low[i] >= 0 ? 0 : (-low[i] + step - 1) / step;
    const std::int64_t room = type.shape[i] - 1 - low[i];
    const std::int64_t end = room < 0 ? 0 : std::min(from[i], room / step + 1);
    begins.push_back(first);
    limits.push_back(std::max(first, end));
    target.offset += (low[i] + first * step) * whole.dims[i].step;
    target.dims[i] = {limits.back() - first, whole.dims[i].step * step};
  }
  segment.store(spread(lowerer, filler, type), whole);
  copy(segment.emitter(), sliced(segment.stored(value), begins, limits, ones), target);
  return whole;
}

Windowed::Windowed(Lowerer& lowerer, NodeId value, NodeId filler, std::vector<Sliding> sliding)
    : sliding_(std::move(sliding)), value_(with_padding(lowerer, value, filler, sliding_)) {
  for (std::size_t i = 0; i < sliding_.size(); ++i) {
    const Sliding& how = sliding_[i];
    const std::int64_t room = value_.dims[i].size - ((how.size - 1) * how.dilation + 1);
    counts_.push_back(room < 0 ? 0 : room / how.stride + 1);
  }
}

Strided Windowed::tap(std::span<const std::int64_t> at) const {
  Strided view = value_;
  for (std::size_t i = 0; i < sliding_.size(); ++i) {
    view.offset += at[i] * within(i).step;
    view.dims[i] = across(i);
  }
  return view;
}

Extent Windowed::across(std::size_t dim) const {
  return {counts_.at(dim), value_.dims[dim].step * sliding_[dim].stride};
}

Extent Windowed::within(std::size_t dim) const {
  return {sliding_.at(dim).size, value_.dims[dim].step * sliding_[dim].dilation};
}

}  // namespace trainyard::compiler
