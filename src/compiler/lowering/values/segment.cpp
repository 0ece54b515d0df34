#include "compiler/lowering/values/segment.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/values/movement.h"

namespace trainyard::compiler {

NodeId Segment::add(Node node) {
  nodes_.push_back(std::move(node));
  return static_cast<NodeId>(nodes_.size() - 1);
}

NodeId Segment::add_view(graph::Type type, Strided view) {
  return add({.kind = Node::Kind::view, .type = std::move(type), .view = std::move(view)});
}

NodeId Segment::add_constant(const graph::Literal& literal) {
  const isa::DType dtype = *storage_of(literal.type.element);
  const isa::TensorId id = emitter_.constant(dtype, literal.type.shape, literal.expanded());
  return add_view(literal.type, dense(id, dtype, literal.type.shape));
}

const Strided& Segment::placed(NodeId id) {
  if (nodes_.at(id).kind != Node::Kind::view) {
    emitter_.at(nodes_[id].location);
    set_place(id, computing_.somewhere(*this, id));
  }
  return nodes_[id].view;
}

void Segment::set_place(NodeId id, Strided place) {
  nodes_.at(id).kind = Node::Kind::view;
  nodes_[id].view = std::move(place);
}

const Strided& Segment::stored(NodeId id) {
  residents_.write_back(placed(id).tensor);
  return nodes_[id].view;
}

const Strided& Segment::stored_dense(NodeId id) {
  const Strided value = stored(id);
  if (!value.is_dense() || emitter_.is_moved(value.tensor)) {
    const Strided place =
        dense(emitter_.hbm(value.dtype, value.shape()), value.dtype, value.shape());
    copy(emitter_, value, place);
    nodes_[id].view = place;
  }
  return nodes_[id].view;
}

void Segment::store(NodeId id, const Strided& to) {
  if (nodes_.at(id).kind == Node::Kind::view) {
    copy(emitter_, stored(id), to);
  } else {
    computing_.into(*this, id, to);
  }
}

std::vector<Strided> Segment::parts_of(NodeId id, const Strided& whole) const {
  const Node& node = nodes_.at(id);
  std::vector<Strided> parts;
  std::int64_t start = 0;
  for (const NodeId input : node.inputs) {
    Strided part = whole;
    part.offset += start * whole.dims[node.dim].step;
    part.dims[node.dim].size = nodes_.at(input).type.shape[node.dim];
    start += part.dims[node.dim].size;
    parts.push_back(std::move(part));
  }
  return parts;
}

bool Segment::is_widened_view(NodeId id) const {
  const Node& each = node(id);
  return each.kind == Node::Kind::elementwise && only_widens(*each.op, each.types) &&
         node(each.inputs[0]).kind == Node::Kind::view;
}

void Segment::know_again(std::vector<Node> known) { std::ranges::move(known, nodes_.begin()); }

bool Segment::reaches(NodeId id, const std::function<bool(const Node&)>& is) const {
  std::set<NodeId> seen{id};
  std::vector<NodeId> left{id};
  while (!left.empty()) {
    const Node& node = nodes_.at(left.back());
    left.pop_back();
    if (is(node)) return true;
    if (node.kind != Node::Kind::elementwise && node.kind != Node::Kind::joined) continue;
    for (const NodeId input : node.inputs) {
      if (seen.insert(input).second) left.push_back(input);
    }
  }
  return false;
}

void Segment::add_tensors(NodeId id, std::set<isa::TensorId>& tensors) const {
  const auto add = [&](const Strided& value) { tensors.insert(emitter_.origin(value.tensor)); };
  (void)reaches(id, [&](const Node& node) {
    if (node.kind == Node::Kind::view) add(node.view);
    if (node.kind != Node::Kind::product) return false;
    add(node.product.left);
    add(node.product.right);
    if (node.product.left_scale) add(*node.product.left_scale);
    if (node.product.right_scale) add(*node.product.right_scale);
    if (node.product.sparsity) add(node.product.sparsity->tags);
    if (node.product.chosen) add(node.product.chosen->list);
    return false;
  });
}

}  // namespace trainyard::compiler
