#include "compiler/lowering/products/alone.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "compiler/lowering/products/compute.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/values/group.h"
#include "graph/print.h"

namespace trainyard::compiler {

namespace {

constexpr std::int64_t constant_elements_max = 4;  // what more of them are changes no time

std::string attributes_of(const graph::Op& op) {
  std::string text{graph::name(op.kind)};
  for (const auto& [name, value] : op.attributes) {
    if (name != "locations")
      text +=
          fmt::format(" {}={}", name, graph::print(value, {.elements_max = constant_elements_max}));
  }
  return text;
}

class OpWords {
 public:
  explicit OpWords(const graph::Function& function) : function_(function) {}

  void add(const graph::Op& op) {
    text += attributes_of(op);
    for (const graph::ValueId value : op.operands) add(value);
    for (const graph::Region& region : op.regions) {
      text += "{";
      for (const graph::ValueId value : region.arguments) add(value);
      for (const graph::Op& each : region.ops) add(each);
      text += "}";
    }
    text += "->";
    for (const graph::ValueId value : op.results) add(value);
    text += ";";
  }

  std::string text{};

 private:
  void add(graph::ValueId value) {
    const auto [at, is_new] = numbers_.try_emplace(value, numbers_.size());
    text += fmt::format(" %{}", at->second);
    if (is_new) text += ":" + graph::to_string(function_.type(value));
  }

  const graph::Function& function_;
  std::map<graph::ValueId, std::size_t> numbers_{};
};

// Copies nodes, and what they are computed from, into a segment of their own.
class NodeCopies {
 public:
  NodeCopies(const Segment& from, Segment& to) : from_(from), to_(to) {}

  NodeId copy(NodeId id) {
    if (const auto found = copies_.find(id); found != copies_.end()) return found->second;
    Node node = from_.node(id);
    if (node.kind == Node::Kind::view) node.view = own(node.view);
    if (node.kind == Node::Kind::product) copy(node.product);
    for (NodeId& input : node.inputs) input = copy(input);
    return copies_[id] = to_.add(std::move(node));
  }

 private:
  void copy(Product& product) {
    product.left = own(product.left);
    product.right = own(product.right);
    product.chosen.reset();  // any group of matrices takes as long
    if (product.left_scale) product.left_scale = own(*product.left_scale);
    if (product.right_scale) product.right_scale = own(*product.right_scale);
    if (product.sparsity) product.sparsity->tags = own(product.sparsity->tags);
  }
  Strided own(const Strided& value) {
    return stand_in(value, to_.emitter(), isa::TensorRole::input);
  }

  const Segment& from_;
  Segment& to_;
  std::map<NodeId, NodeId> copies_{};
};

class NodeWords {
 public:
  explicit NodeWords(const Segment& segment) : segment_(segment) {}

  void add(NodeId id) {
    const auto [at, is_new] = numbers_.try_emplace(id, numbers_.size());
    text += fmt::format(" %{}", at->second);
    if (!is_new) return;
    const Node& node = segment_.node(id);
    text += fmt::format(":{} kind {}", graph::to_string(node.type), static_cast<int>(node.kind));
    if (node.kind == Node::Kind::view) text += described(node.view);
    if (node.kind == Node::Kind::number) text += fmt::format(" {}", node.number);
    if (node.kind == Node::Kind::joined) text += fmt::format(" along {}", node.dim);
    if (node.kind == Node::Kind::product) add(node.product);
    if (node.op != nullptr) text += attributes_of(*node.op);
    for (const graph::Type& type : node.types) text += graph::to_string(type);
    for (const NodeId input : node.inputs) add(input);
    text += ";";
  }

  std::string text{};

 private:
  void add(const Product& product) {
    text += fmt::format("{} {} {} {} by {}", product.batches, product.rows, product.columns,
                        described(product.left), described(product.right));
    if (product.in_blocks) text += " in blocks";
    if (product.layout.is_turned) text += " turned";
    if (product.layout.is_in_hbm) text += " in HBM";
    for (const auto& scale : {product.left_scale, product.right_scale})
      if (scale) text += " scaled" + described(*scale);
    if (product.sparsity)
      text += fmt::format(" {}:{}", product.sparsity->pattern.items[0],
                          product.sparsity->pattern.items[1]);
  }

  const Segment& segment_;
  std::map<NodeId, std::size_t> numbers_{};
};

// An output in the layout that the value has.
Strided place_of(Segment& segment, NodeId id) {
  const graph::Type& type = segment.node(id).type;
  const isa::DType dtype = *storage_of(type.element);
  const isa::TensorId tensor = segment.emitter().hbm(dtype, type.shape, isa::TensorRole::output);
  const Group group(segment, id, true);
  if (group.has_product() && segment.node(group.product()).product.layout.is_turned)
    return laid_out(tensor, dtype, product_layout(segment, group), type.shape);
  return dense(tensor, dtype, type.shape);
}

AloneRegion nodes_alone(const Segment& segment, std::span<const NodeId> ids, const Strided* to,
                        const Variation& variation) {
  const Emitter& emitter = segment.emitter();
  Segment own(emitter.module(), emitter.core(), "region",
              emitter.core().sbuf.partition_size.value * resident_percent / 100, emitter.cores(),
              computing);
  own.emitter().set_variation(variation);
  NodeCopies copies(segment, own);
  std::vector<NodeId> roots;
  for (const NodeId id : ids) roots.push_back(copies.copy(id));
  own.emitter().at(segment.node(ids[0]).location);
  compute_together(own, roots);
  for (const NodeId root : roots) {
    own.store(root, to != nullptr ? stand_in(*to, own.emitter(), isa::TensorRole::output)
                                  : place_of(own, root));
  }
  return alone_region(own.emitter());
}

}  // namespace

Strided stand_in(const Strided& value, Emitter& emitter, isa::TensorRole role) {
  Strided own = value;
  std::int64_t elements = 1;
  own.offset = 0;
  for (const Extent& dim : value.dims) {
    const std::int64_t reach = (dim.size - 1) * dim.step;
    elements += std::abs(reach);
    if (reach < 0) own.offset -= reach;
  }
  own.tensor = emitter.hbm(value.dtype, std::array{elements}, role);
  return own;
}

std::string described(const Strided& value) {
  std::string text = fmt::format(" {}", numerics::name(value.dtype));
  for (const Extent& dim : value.dims) text += fmt::format(" {}@{}", dim.size, dim.step);
  return text;
}

std::string described(const graph::Function& function, std::span<const graph::Op* const> ops) {
  OpWords words(function);
  for (const graph::Op* const op : ops) words.add(*op);
  return std::move(words.text);
}

AloneRegion alone_region(Emitter& emitter) {
  AloneRegion region;
  for (const FusionGroup& group : emitter.groups()) {
    if (!region.how.empty()) region.how += "; ";
    region.how += group.how;
  }
  region.programs = emitter.take();
  return region;
}

Ways ways_of(const Segment& segment, std::string_view of, std::span<const NodeId> ids,
             const Strided* to) {
  NodeWords words(segment);
  for (const NodeId id : ids) words.add(id);
  if (to != nullptr) words.text += described(*to);
  words.text += fmt::format(" {}", segment.emitter().cores());
  return {.of = of,
          .region = std::move(words.text),
          .location = segment.node(ids[0]).location,
          .alone = [&segment, ids, to](const Variation& variation) {
            return nodes_alone(segment, ids, to, variation);
          }};
}

}  // namespace trainyard::compiler
