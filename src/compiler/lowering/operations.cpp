// A row's function returns false where the operation at hand is beyond it; a routine of GpSimd does
// it then.
#include "compiler/lowering/operations.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <set>

#include "base/error.h"
#include "compiler/lowering/attention/attention.h"
#include "compiler/lowering/attention/attention_gradient.h"
#include "compiler/lowering/clusters/elementwise_clusters.h"
#include "compiler/lowering/clusters/row_clusters.h"
#include "compiler/lowering/equal_layers.h"
#include "compiler/lowering/images/convolution.h"
#include "compiler/lowering/images/pooling_gradient.h"
#include "compiler/lowering/images/sliding.h"
#include "compiler/lowering/indexing/dot_general.h"
#include "compiler/lowering/indexing/gather.h"
#include "compiler/lowering/patterns/chosen_products.h"
#include "compiler/lowering/patterns/stored_weights.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/reductions/fold.h"
#include "compiler/lowering/reductions/reduction.h"
#include "compiler/lowering/rows/rows.h"
#include "compiler/lowering/sorts/argmax.h"
#include "compiler/lowering/sorts/row_sort.h"
#include "compiler/lowering/sorts/top_k.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/tiles/literal.h"
#include "compiler/lowering/tiles/reductions.h"
#include "compiler/lowering/values/movement.h"
#include "compiler/lowering/walk/lowerer.h"
#include "compiler/lowering/walk/native_kernel.h"
#include "compiler/lowering/walk/nodes.h"
#include "graph/linear_scan.h"
#include "graph/precision.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::OpKind;
using graph::Type;

// --- Values that are known, and views ---

bool constant(Lowerer& lowerer, const Op& op) {
  const graph::Literal& literal = op.literal("value");
  Segment& segment = lowerer.segment();
  if (const std::optional<double> number = one_number(literal)) {
    lowerer.define(op.results[0], segment.add({.kind = Node::Kind::number,
                                               .type = literal.type,
                                               .location = op.location,
                                               .number = *number}));
  } else if (literal.splat) {
    const NodeId one = segment.add_constant({{.element = literal.type.element}, literal.content});
    lowerer.define(
        op.results[0],
        segment.add_view(literal.type, broadcast(segment.node(one).view, {}, literal.type.shape)));
  } else {
    lowerer.define(op.results[0], segment.add_constant(literal));
  }
  return true;
}

bool iota(Lowerer& lowerer, const Op& op) {
  const Type& type = lowerer.type(op.results[0]);
  const std::int64_t dim = op.integer("iota_dimension");
  const std::optional<graph::Literal> counted =
      counting(type.element, type.shape.at(static_cast<std::size_t>(dim)));
  if (!counted) return false;
  const NodeId row = lowerer.segment().add_constant(*counted);
  const std::array<std::int64_t, 1> places{dim};
  lowerer.define(op.results[0],
                 lowerer.segment().add_view(
                     type, broadcast(lowerer.segment().node(row).view, places, type.shape)));
  return true;
}

// A number stays a number whatever its shape becomes.
bool define_number(Lowerer& lowerer, const Op& op) {
  Node node = lowerer.segment().node(lowerer.node(op.operands[0]));
  if (node.kind != Node::Kind::number) return false;
  node.type = lowerer.type(op.results[0]);
  lowerer.define(op.results[0], lowerer.segment().add(std::move(node)));
  return true;
}

bool broadcast_in_dim(Lowerer& lowerer, const Op& op) {
  if (define_number(lowerer, op)) return true;
  return define_moved(lowerer, op, [&](const Strided& value) {
    return broadcast(value, op.integers("broadcast_dimensions"), lowerer.type(op.results[0]).shape);
  });
}

bool reshape(Lowerer& lowerer, const Op& op) {
  if (define_number(lowerer, op)) return true;
  const NodeId node = lowerer.node(op.operands[0]);
  const std::vector<std::int64_t>& shape = lowerer.type(op.results[0]).shape;
  const auto reshaped_as_it_lies = [&](const Strided& value) { return reshaped(value, shape); };
  if (lowerer.segment().is_widened_view(node)) {
    const Node& narrow = lowerer.segment().node(lowerer.segment().node(node).inputs[0]);
    if (const std::optional<Strided> view = reshaped_as_it_lies(narrow.view))
      return define_moved(lowerer, op, [&](const Strided&) { return *view; });
  }
  std::optional<Strided> view = reshaped_as_it_lies(lowerer.segment().placed(node));
  if (!view) view = reshaped_as_it_lies(lowerer.segment().stored_dense(node));
  return define_view(lowerer, op, *view);
}

// A product whose rows become the fast dimension is computed the other way round: then they lie
// side by side.
bool transpose(Lowerer& lowerer, const Op& op) {
  if (define_number(lowerer, op)) return true;
  Segment& segment = lowerer.segment();
  const NodeId id = lowerer.node(op.operands[0]);
  const auto order = op.integers("permutation");
  const Node node = segment.node(id);
  const bool ends_with_rows =
      node.kind == Node::Kind::product && !node.product.sparsity && !node.product.slides &&
      !node.product.chosen &&
      static_cast<std::size_t>(order.back()) < node.product.batches + node.product.rows;
  if (!ends_with_rows) {
    return define_moved(lowerer, op, [&](const Strided& value) { return permuted(value, order); });
  }
  auto [other, places] = exchanged_product(node);
  std::vector<std::int64_t> its_order;
  for (const std::int64_t dim : order) its_order.push_back(places[static_cast<std::size_t>(dim)]);
  const NodeId made = segment.add(std::move(other));
  return define_view(lowerer, op, permuted(segment.placed(made), its_order));
}

bool slice(Lowerer& lowerer, const Op& op) {
  if (define_number(lowerer, op)) return true;
  return define_moved(lowerer, op, [&](const Strided& value) {
    return sliced(value, op.integers("start_indices"), op.integers("limit_indices"),
                  op.integers("strides"));
  });
}

bool reverse(Lowerer& lowerer, const Op& op) {
  if (define_number(lowerer, op)) return true;
  Strided view = lowerer.segment().stored(lowerer.node(op.operands[0]));
  for (const std::int64_t dim : op.integers("dimensions"))
    view = reversed_along(view, static_cast<std::size_t>(dim));
  return define_view(lowerer, op, std::move(view));
}

bool same(Lowerer& lowerer, const Op& op) {
  for (std::size_t i = 0; i < op.results.size(); ++i)
    lowerer.define(op.results[i], lowerer.node(op.operands[i]));
  return true;
}

// --- Elements computed ---

std::vector<Type> types_of(const Lowerer& lowerer, const Op& op) {
  std::vector<Type> types;
  for (const graph::ValueId value : op.operands) types.push_back(lowerer.type(value));
  for (const graph::ValueId value : op.results) types.push_back(lowerer.type(value));
  return types;
}

bool elementwise(Lowerer& lowerer, const Op& op) {
  std::vector<Type> types = types_of(lowerer, op);
  if (!lowers_elementwise(op, types)) return false;
  std::vector<NodeId> inputs;
  for (const graph::ValueId value : op.operands)
    inputs.push_back(spread(lowerer, lowerer.node(value), types.back()));
  lowerer.define(op.results[0], elementwise_node(lowerer, op, std::move(types), std::move(inputs)));
  return true;
}

bool convert(Lowerer& lowerer, const Op& op) {
  if (lowerer.type(op.operands[0]) == lowerer.type(op.results[0])) return same(lowerer, op);
  return elementwise(lowerer, op);
}

// --- Elements summed ---

bool reduce(Lowerer& lowerer, const Op& op) {
  if (op.results.size() != 1) return argmax(lowerer, op) || fold(lowerer, op);
  const Type& type = lowerer.type(op.results[0]);
  const NodeId value = lowerer.node(op.operands[0]), initial = lowerer.node(op.operands[1]);
  const std::optional<numerics::AluOp> how = reduction_of(op.regions.at(0), type.element);
  if (!how || lowerer.segment().node(initial).kind != Node::Kind::number ||
      lowerer.type(op.operands[0]).elements() == 0)
    return fold(lowerer, op);
  lowerer.define(op.results[0], reduce(lowerer.segment(), value, op.integers("dimensions"), *how,
                                       lowerer.segment().node(initial).number, type, op.location));
  return true;
}

// --- Elements moved ---

bool concatenate(Lowerer& lowerer, const Op& op) {
  if (!storage_of(lowerer.type(op.results[0]).element)) return false;
  const bool has_elements = lowerer.type(op.results[0]).elements() > 0;
  std::vector<NodeId> inputs;
  for (const graph::ValueId value : op.operands)
    if (!has_elements || lowerer.type(value).elements() > 0) inputs.push_back(lowerer.node(value));
  const bool is_one = has_elements && inputs.size() == 1;
  lowerer.define(op.results[0], is_one ? inputs[0] : joined_node(lowerer, op, std::move(inputs)));
  return true;
}

bool pad(Lowerer& lowerer, const Op& op) {
  return define_view(lowerer, op,
                     padded(lowerer, lowerer.node(op.operands[0]), lowerer.node(op.operands[1]),
                            lowerer.type(op.results[0]), op.integers("edge_padding_low"),
                            op.integers("interior_padding")));
}

// Where a slice begins.
std::optional<std::vector<Start>> starts_of(Lowerer& lowerer,
                                            std::span<const graph::ValueId> values,
                                            std::span<const std::int64_t> whole,
                                            std::span<const std::int64_t> part) {
  std::vector<Start> starts;
  Segment& segment = lowerer.segment();
  for (std::size_t i = 0; i < values.size(); ++i) {
    Start start{.last = whole[i] - part[i]};
    if (const std::optional<Counted> number = lowerer.counted(values[i])) {
      start.number = *number;
    } else {
      if (graph::bits(lowerer.type(values[i]).element) != 32) return std::nullopt;
      start.scalar = segment.stored(lowerer.node(values[i]));
    }
    starts.push_back(std::move(start));
  }
  return starts;
}

// Where a slice lies in the whole, if its starts are known up to the counters of loops.
std::optional<Strided> counted_slice(Lowerer& lowerer, const Strided& whole,
                                     std::span<const graph::ValueId> values,
                                     std::span<const std::int64_t> shape) {
  Counted offset;
  Strided slice = whole;
  for (std::size_t i = 0; i < values.size(); ++i) {
    slice.dims[i].size = shape[i];
    const std::int64_t last = whole.dims[i].size - shape[i];
    if (last == 0) continue;
    std::optional<Counted> start = lowerer.counted(values[i]);
    if (!start) return std::nullopt;
    if (start->is_known()) start->constant = std::clamp(start->constant, std::int64_t{0}, last);
    if (start->low() < 0 || start->high() > last) return std::nullopt;
    offset = sum(offset, scaled(*start, whole.dims[i].step));
  }
  slice.offset += std::exchange(offset.constant, 0);
  if (!offset.is_known())
    slice.tensor = lowerer.segment().emitter().moved(whole.tensor, std::move(offset));
  return slice;
}

// Whether an index that is known at run time only can be added to the offset: registers hold no
// negative numbers.
bool steps_forward(const Strided& whole) {
  return std::ranges::all_of(whole.dims, [](const Extent& dim) { return dim.step >= 0; });
}

bool dynamic_slice(Lowerer& lowerer, const Op& op) {
  const std::span<const graph::ValueId> operands(op.operands);
  const Type& type = lowerer.type(op.results[0]);
  Segment& segment = lowerer.segment();
  const NodeId node = lowerer.node(operands[0]);
  Strided whole = segment.stored(node);
  if (auto slice = counted_slice(lowerer, whole, operands.subspan(1), type.shape))
    return define_view(lowerer, op, *std::move(slice));
  if (segment.emitter().is_moved(whole.tensor) || !steps_forward(whole))
    whole = segment.stored_dense(node);
  const Strided part = fresh(lowerer, type);
  const auto starts = starts_of(lowerer, operands.subspan(1), whole.shape(), type.shape);
  if (!starts) return false;
  copy_slice_out(lowerer.segment().emitter(), whole, *starts, part);
  return define_view(lowerer, op, part);
}

// Computes the value elsewhere, if it is read from a tensor that is written next.
void keep_apart(Lowerer& lowerer, NodeId& node, isa::TensorId tensor) {
  Segment& segment = lowerer.segment();
  std::set<isa::TensorId> read;
  segment.add_tensors(node, read);
  if (!read.contains(tensor)) return;
  if (segment.emitter().origin(segment.placed(node).tensor) != tensor) return;
  const Type type = segment.node(node).type;
  const Strided apart = fresh(lowerer, type);
  copy(segment.emitter(), segment.stored(node), apart);
  node = segment.add_view(type, apart);
}

// In place where nothing else reads the operand.
bool dynamic_update_slice(Lowerer& lowerer, const Op& op) {
  const std::span<const graph::ValueId> operands(op.operands);
  const Type& type = lowerer.type(op.results[0]);
  Segment& segment = lowerer.segment();
  const NodeId updated = lowerer.node(operands[0]);
  NodeId update = lowerer.node(operands[1]);
  const std::vector<std::int64_t> shape = segment.node(update).type.shape;
  const bool in_place =
      lowerer.may_overwrite(operands[0], op) && steps_forward(segment.stored(updated));
  Strided whole;
  if (in_place) {
    whole = segment.stored(updated);
    segment.residents().forget(whole.tensor);
  } else {
    whole = fresh(lowerer, type);
  }
  keep_apart(lowerer, update, whole.tensor);
  const auto slice = counted_slice(lowerer, whole, operands.subspan(2), shape);
  const auto starts =
      slice ? std::vector<Start>{} : starts_of(lowerer, operands.subspan(2), type.shape, shape);
  if (!slice && !starts) return false;
  const Strided part = slice ? Strided{} : segment.stored(update);
  if (!in_place) segment.store(updated, whole);
  if (slice) {
    segment.store(update, *slice);
  } else {
    copy_slice_in(segment.emitter(), part, whole, *starts);
  }
  return define_view(lowerer, op, whole);
}

// --- Other functions and regions ---

bool call(Lowerer& lowerer, const Op& op) {
  if (is_layer(op)) {
    lowerer.call_layer(op);
  } else {
    lowerer.inline_call(op, op.symbol("callee"));
  }
  return true;
}

bool composite(Lowerer& lowerer, const Op& op) {
  if (is_prepared(op) || graph::is_held(op)) return false;
  const Variation& variation = lowerer.segment().emitter().variation();
  if (is_row_cluster(op) && variation.clusters_rows) return lower_rows(lowerer, op);
  if (is_elementwise_cluster(op) && variation.fuses_elements) {
    lowerer.lower_together(op);
    return true;
  }
  if (is_row_cluster(op) || is_elementwise_cluster(op)) {
    lowerer.inline_region(op);
    return true;
  }
  if (is_attention(op)) return lower_attention(lowerer, op);
  if (is_attention_gradient(op)) return lower_attention_gradient(lowerer, op);
  if (op.text("name") == "chlo.top_k" && top_k(lowerer, op)) return true;
  if (is_chosen_product(op)) return chosen_product(lowerer, op);
  if (graph::is_linear_scan(op)) return linear_scan(lowerer, op);
  if (elementwise(lowerer, op) || mx_product(lowerer, op) || sparse_product(lowerer, op))
    return true;
  if (op.find("decomposition") == nullptr) return false;  // the evaluator knows it by its name
  lowerer.inline_call(op, op.symbol("decomposition"));
  return true;
}

// A kernel, or marks that say how a value is divided between devices: one device has all of it.
bool custom_call(Lowerer& lowerer, const Op& op) {
  if (is_native_kernel(op)) {
    lowerer.embed_kernel(op);
    return true;
  }
  constexpr std::array<std::string_view, 3> marks{"Sharding", "SPMDFullToShardShape",
                                                  "SPMDShardToFullShape"};
  const std::string_view target = op.text("call_target_name");
  return std::ranges::find(marks, target) != marks.end() && same(lowerer, op);
}

bool loop(Lowerer& lowerer, const Op& op) {
  lowerer.lower_loop(op);
  return true;
}

bool branch(Lowerer& lowerer, const Op& op) {
  lowerer.lower_branch(op);
  return true;
}

struct Row {
  OpKind kind;
  bool (*lower)(Lowerer&, const Op&);
};
constexpr auto rows = std::to_array<Row>({
    {OpKind::broadcast_in_dim, broadcast_in_dim},
    {OpKind::concatenate, concatenate},
    {OpKind::constant, constant},
    {OpKind::convert, convert},
    {OpKind::convolution, convolution},
    {OpKind::custom_call, custom_call},
    {OpKind::dot_general, dot_general},
    {OpKind::dynamic_slice, dynamic_slice},
    {OpKind::dynamic_update_slice, dynamic_update_slice},
    {OpKind::gather, gather},
    {OpKind::iota, iota},
    {OpKind::optimization_barrier, same},
    {OpKind::pad, pad},
    {OpKind::reduce, reduce},
    {OpKind::reduce_window, reduce_window},
    {OpKind::reshape, reshape},
    {OpKind::reverse, reverse},
    {OpKind::scatter, scatter},
    {OpKind::select_and_scatter, pooling_gradient},
    {OpKind::slice, slice},
    {OpKind::sort, sort},
    {OpKind::transpose, transpose},
});
// They lower whatever their types are: what they contain decides.
constexpr auto structure = std::to_array<Row>({
    {OpKind::call, call},
    {OpKind::case_, branch},
    {OpKind::composite, composite},
    {OpKind::if_, branch},
    {OpKind::while_, loop},
});

bool is_stored(const Type& type) {
  return type.kind == Type::Kind::tensor && storage_of(type.element).has_value() &&
         graph::bits(type.element) <= 32;
}

bool lower_by_table(Lowerer& lowerer, const Op& op) {
  if (const auto* const row = std::ranges::find(structure, op.kind, &Row::kind);
      row != structure.end())
    return row->lower(lowerer, op);
  if (!std::ranges::all_of(types_of(lowerer, op), is_stored)) return false;
  if (const auto* const row = std::ranges::find(rows, op.kind, &Row::kind); row != rows.end())
    return row->lower(lowerer, op);
  return elementwise(lowerer, op);
}

RegionKind kind_of(const Op& op) {
  if (is_attention(op) || is_attention_gradient(op)) return {"attention"};
  if (is_row_cluster(op)) return {"rows", may_be_faster_apart(row_space_of(op))};
  if (is_elementwise_cluster(op)) return {"cluster"};
  return {op.kind == OpKind::convolution ? "convolution" : ""};
}

}  // namespace

bool has_row(OpKind kind) { return std::ranges::find(rows, kind, &Row::kind) != rows.end(); }
bool is_structure(OpKind kind) {
  return std::ranges::find(structure, kind, &Row::kind) != structure.end();
}

const OperationTable operation_table{.lower = lower_by_table, .kind_of = kind_of};

}  // namespace trainyard::compiler
