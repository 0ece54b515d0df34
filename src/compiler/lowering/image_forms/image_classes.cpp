#include "compiler/lowering/image_forms/image_classes.h"

#include <algorithm>
#include <numeric>

#include "compiler/lowering/tiles/elementwise.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Type;
using graph::ValueId;

// Fewer channels leave partitions idle, fewer pixels engines.
constexpr std::int64_t turned_channels_min = 64, pixels_min = 32;

bool is_image(const Type& type) {
  return type.kind == Type::Kind::tensor && type.is_static() && type.shape.size() >= 3;
}

}  // namespace

Turning turning_of(const Function& function, const Op& op) {
  switch (op.kind) {
    case OpKind::convolution: return Turning::numbers;
    case OpKind::reduce: return op.results.size() == 1 ? Turning::sum : Turning::none;
    case OpKind::broadcast_in_dim: return Turning::spread;
    case OpKind::constant: return op.literal("value").splat ? Turning::constant : Turning::none;
    case OpKind::reduce_window: return op.results.size() == 1 ? Turning::window : Turning::none;
    case OpKind::pad:
    case OpKind::select_and_scatter: return Turning::window;
    default: return lowers_elementwise(op, function) ? Turning::elementwise : Turning::none;
  }
}

ImageClasses::ImageClasses(const Function& function)
    : function_(function), parents_(function.types.size()) {
  std::iota(parents_.begin(), parents_.end(), ValueId{0});
  for (const Op& op : function.body.ops) join(op);
  for (const Op& op : function.body.ops) look(op);
  for (const auto& [value, found] : images_) {
    if (found.stays || !found.is_convolved || found.channels.size() != 1 ||
        found.borders > found.sums)
      continue;
    const std::size_t channels = *found.channels.begin();
    const Type& type = function.type(value);
    const std::int64_t size = type.shape[channels];
    if (channels == 0 || size < turned_channels_min || type.elements() < size * pixels_min ||
        found.elsewhere.contains(static_cast<std::int64_t>(channels)))
      continue;
    channels_[value] = channels;
  }
}

std::optional<std::size_t> ImageClasses::channels(ValueId value) const {
  if (value >= parents_.size()) return std::nullopt;
  const auto found = channels_.find(root(value));
  return found == channels_.end() ? std::nullopt : std::optional(found->second);
}

ValueId ImageClasses::root(ValueId value) const {
  while (parents_[value] != value) value = parents_[value];
  return value;
}

void ImageClasses::unite(ValueId a, ValueId b) {
  if (is_image(function_.type(a)) && is_image(function_.type(b))) parents_[root(a)] = root(b);
}

void ImageClasses::join(const Op& op) {
  const Turning turning = turning_of(function_, op);
  if (turning == Turning::elementwise) {
    for (const ValueId value : op.operands) unite(value, op.results[0]);
  } else if (turning == Turning::window) {
    unite(op.operands[0], op.results[0]);
    if (op.kind == OpKind::select_and_scatter) unite(op.operands[1], op.results[0]);
  }
}

// Sums over all but one dimension, and what else is to be known of an image.
void ImageClasses::look(const Op& op) {
  for (const ValueId value : values_captured(op)) image(value).stays = true;
  switch (turning_of(function_, op)) {
    case Turning::numbers:
      image(op.operands[0]).is_convolved = true;
      image(op.results[0]).is_convolved = true;
      return;
    case Turning::sum: return look_at_sum(op);
    case Turning::none:
      if (op.kind == OpKind::return_) return;
      for (const ValueId value : op.operands) ++image(value).borders;
      for (const ValueId value : op.results) ++image(value).borders;
      return;
    default: return;
  }
}

void ImageClasses::look_at_sum(const Op& op) {
  const Type& type = function_.type(op.operands[0]);
  if (!is_image(type)) return;
  Image& found = image(op.operands[0]);
  const auto dims = op.integers("dimensions");
  if (dims.size() == type.shape.size()) return;
  if (dims.size() + 1 < type.shape.size()) {
    found.elsewhere.insert(dims.begin(), dims.end());
    return;
  }
  ++found.sums;
  for (std::size_t i = 0; i < type.shape.size(); ++i) {
    if (std::ranges::find(dims, static_cast<std::int64_t>(i)) == dims.end())
      found.channels.insert(i);
  }
}

}  // namespace trainyard::compiler
