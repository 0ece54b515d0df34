#include "compiler/lowering/values/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/units.h"
#include "compiler/lowering/tiles/tile_math.h"
#include "isa/instructions/memset.h"
#include "isa/instructions/scalar_tensor_tensor.h"
#include "isa/instructions/tensor_scalar.h"

namespace trainyard::compiler {

namespace {

// What Vector computes on two tiles of real numbers, of which the first may be scaled on the way.
std::optional<numerics::AluOp> float_operator(const Node& node) {
  if (node.kind != Node::Kind::elementwise || !graph::is_float(node.type.element))
    return std::nullopt;
  switch (node.op->kind) {
    case graph::OpKind::add: return numerics::AluOp::add;
    case graph::OpKind::subtract: return numerics::AluOp::subtract;
    case graph::OpKind::multiply: return numerics::AluOp::multiply;
    default: return std::nullopt;
  }
}

// A number, or a float32 for each row.
bool is_one_each_row(const Operand& operand) {
  return operand.number ||
         (operand.tile.dtype == isa::DType::float32 &&
          std::ranges::all_of(operand.tile.free(), [](auto dim) { return dim.step == 0; }));
}

}  // namespace

Group::Group(Segment& segment, NodeId root, bool may_join)
    : segment_(segment),
      roots_{root},
      may_join_(may_join),
      loader_(segment.emitter(), segment.residents()) {
  collect(root);
}

Group::Group(Segment& segment, std::vector<NodeId> roots)
    : segment_(segment),
      roots_(std::move(roots)),
      may_join_(false),
      loader_(segment.emitter(), segment.residents()) {
  for (const NodeId root : roots_) collect(root);
}

bool Group::is_root(NodeId id) const { return std::ranges::find(roots_, id) != roots_.end(); }

void Group::collect(NodeId id) {
  const Node& node = segment_.node(id);
  if (roots_.size() > 1 && node.kind == Node::Kind::product) segment_.placed(id);
  if (!collected_.insert(id).second) return;
  switch (node.kind) {
    case Node::Kind::view: leaves_.push_back(id); return;
    case Node::Kind::number: return;
    case Node::Kind::product:
      base::check(!product_ || product_ == id, "a group has one product");
      product_ = id;
      locations_.push_back(node.location);
      return;
    case Node::Kind::joined:
      if (!may_join_) {
        segment_.placed(id);
        leaves_.push_back(id);
        return;
      }
      joins_.push_back(id);
      [[fallthrough]];
    case Node::Kind::elementwise:
      locations_.push_back(node.location);
      for (const NodeId input : node.inputs) collect(input);
  }
}

bool Group::reads_sums() const {
  const auto reads = [&](auto&& self, NodeId id) -> bool {
    const Node& node = segment_.node(id);
    if (node.kind != Node::Kind::elementwise) return id != product_;
    const bool is_limit =
        node.op->kind == graph::OpKind::maximum || node.op->kind == graph::OpKind::minimum;
    return std::ranges::all_of(node.inputs, [&](NodeId input) {
      if (input != product_) return self(self, input);
      return is_limit || float_operator(node).has_value() || only_widens(*node.op, node.types);
    });
  };
  return std::ranges::all_of(roots_, [&](NodeId root) { return reads(reads, root); });
}

std::vector<Strided> Group::views() const {
  std::vector<Strided> all;
  for (const NodeId leaf : leaves_) all.push_back(segment_.node(leaf).view);
  return all;
}

void Group::adapt(const Layout& layout) {
  const bool fits =
      adapt([&](const Strided& value) { return permuted(value, layout.order); }, layout.row_dims);
  base::check(fits, "a permuted value is a view");
  layout_ = layout;
}

Adapt cut_of_walk(std::int64_t total, std::int64_t begin, std::int64_t count, std::int64_t width) {
  return [=](const Strided& value) -> std::optional<Strided> {
    const std::array<std::int64_t, 1> flat{total}, start{begin}, limit{begin + count * width},
        stride{1};
    const std::array<std::int64_t, 2> shape{count, width};
    const std::optional<Strided> walk = reshaped(value, flat);
    return walk ? reshaped(sliced(*walk, start, limit, stride), shape) : std::nullopt;
  };
}

bool Group::adapt(const Adapt& adapt, std::size_t row_dims) {
  std::map<NodeId, Matrix> adapted;
  for (const NodeId leaf : leaves_) {
    const std::optional<Strided> view = adapt(segment_.node(leaf).view);
    if (!view) return false;
    adapted[leaf] = matrix_of(*view, row_dims);
  }
  matrices_ = std::move(adapted);
  return true;
}

isa::Tile Group::tile(const Window& window, const isa::Tile* given, const isa::Tile* into) {
  done_.clear();
  return filled(roots_[0], evaluate(roots_[0], window, given, into), window);
}

std::vector<isa::Tile> Group::tiles(const Window& window) {
  done_.clear();
  std::vector<isa::Tile> all;
  for (const NodeId root : roots_)
    all.push_back(filled(root, evaluate(root, window, nullptr), window));
  return all;
}

isa::Tile Group::filled(NodeId root, const Operand& operand, const Window& window) {
  if (!operand.number) return operand.tile;
  const isa::DType dtype = *storage_of(segment_.node(root).type.element);
  return TileMath(segment_.emitter(), window.rows, window.columns).filled(dtype, *operand.number);
}

std::int64_t Group::narrowness() const {
  constexpr std::int64_t word = 4, most = 2;
  std::int64_t widest = 1;
  for (const NodeId id : collected_) {
    const Node& node = segment_.node(id);
    if (node.kind == Node::Kind::number) continue;
    const bool is_computed = node.kind == Node::Kind::elementwise;
    if (is_computed && !is_root(id) && only_widens(*node.op, node.types)) continue;
    const std::int64_t bytes = graph::size_in_bytes(node.type.element);
    widest = std::max(widest, is_computed && works_in_words(*node.op) ? word : bytes);
  }
  return std::clamp(word / widest, std::int64_t{1}, most);
}

std::int64_t Group::bytes_at_once() const {
  std::map<NodeId, int> left;  // readers
  for (const NodeId id : collected_) {
    for (const NodeId input : segment_.node(id).inputs) ++left[input];
  }
  const auto bytes = [&](NodeId id) -> std::int64_t {
    const Node& node = segment_.node(id);
    return node.kind == Node::Kind::number ? 0 : graph::size_in_bytes(node.type.element);
  };
  std::set<NodeId> done;
  std::int64_t live = 0, most = 0;
  std::vector<std::pair<NodeId, std::size_t>> path;  // with the input that is next
  for (const NodeId root : roots_) path.emplace_back(root, 0);
  std::ranges::reverse(path);
  while (!path.empty()) {
    const NodeId id = path.back().first;
    const Node& node = segment_.node(id);
    const bool is_leaf = node.kind != Node::Kind::elementwise && node.kind != Node::Kind::joined;
    if (!done.contains(id) && !is_leaf && path.back().second < node.inputs.size()) {
      path.emplace_back(node.inputs[path.back().second++], 0);
      continue;
    }
    path.pop_back();
    if (!done.insert(id).second) continue;
    live += bytes(id);
    most = std::max(most, live);
    if (is_leaf) continue;
    for (const NodeId input : node.inputs) {
      if (--left[input] == 0 && !is_root(input)) live -= bytes(input);
    }
  }
  return most;
}

Operand Group::evaluate(NodeId id, const Window& window, const isa::Tile* given,
                        const isa::Tile* into) {
  const Node& node = segment_.node(id);
  if (node.kind == Node::Kind::number) return {.number = node.number};
  if (node.kind == Node::Kind::product) {
    base::check(given != nullptr, "a product's tile is given");
    return {.tile = *given};
  }
  if (const auto found = done_.find(id); found != done_.end()) return found->second;
  Operand result;
  if (node.kind == Node::Kind::view) {
    result.tile = loader_.load(matrices_.at(id), window);
    if (product_ && graph::is_float(node.type.element) && graph::bits(node.type.element) < 32)
      result = widened(result);
  } else if (node.kind == Node::Kind::joined) {
    result.tile = joined(node, window, into);
  } else if (!is_root(id) && into == nullptr && only_widens(*node.op, node.types)) {
    result = widened(evaluate(node.inputs[0], window, given));
  } else {
    result.tile = computed(node, window, given, into);
  }
  done_.insert_or_assign(id, result);
  return result;
}

// As it is: engines widen what they read. A column is wanted in float32, and is small.
Operand Group::widened(Operand operand) {
  isa::Tile& tile = operand.tile;
  const bool is_column = !operand.number && tile.free_elements() > 1 &&
                         std::ranges::all_of(tile.free(), [](auto dim) { return dim.step == 0; });
  if (is_column) tile = wide_column(tile);
  return operand;
}

isa::Tile Group::wide_column(const isa::Tile& column) {
  const auto [entry, is_new] = columns_.try_emplace(
      {column.tensor, column.offset, column.partition_start, column.partitions});
  if (is_new) {
    const TileMath math(segment_.emitter(), column.partitions, 1);
    entry->second = math.copy(math.fresh(isa::DType::float32), walked(column, {}, 0));
  }
  return repeated(entry->second, column.free_elements());
}

// A number or a column, then a second tile: one instruction. What is in between is a float32 there,
// too.
std::optional<isa::Tile> Group::scaled_pair(const Node& node, const Window& window,
                                            const isa::Tile* given, const isa::Tile* into) {
  const std::optional<numerics::AluOp> outer = float_operator(node);
  if (!outer) return std::nullopt;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const Node& inner = segment_.node(node.inputs[side]);
    const std::optional<numerics::AluOp> first = float_operator(inner);
    if (!first || inner.type.element != graph::ElementType::f32) continue;
    const Operand a = evaluate(inner.inputs[0], window, given);
    const Operand b = evaluate(inner.inputs[1], window, given);
    const Operand other = evaluate(node.inputs[1 - side], window, given);
    const bool reversed = is_one_each_row(a);
    const Operand &data = reversed ? b : a, &one = reversed ? a : b;
    if (!is_one_each_row(one) || is_one_each_row(data) || is_one_each_row(other)) continue;
    if (data.tile.space == isa::Space::psum && other.tile.space == isa::Space::psum) continue;
    isa::Scalar scale{.constant = one.number.value_or(0)};
    if (!one.number) scale.tile = walked(one.tile, {}, 0);
    const TileMath math(segment_.emitter(), window.rows, window.columns);
    const isa::Tile dst = into ? *into : math.fresh(*storage_of(node.type.element));
    segment_.emitter().at(node.location);
    segment_.emitter().emit(isa::ScalarTensorTensor{.dst = dst,
                                                    .data = data.tile,
                                                    .op0 = *first,
                                                    .operand0 = scale,
                                                    .op1 = *outer,
                                                    .operand1 = other.tile,
                                                    .reverse0 = reversed,
                                                    .reverse1 = side == 1});
    return dst;
  }
  return std::nullopt;
}

// A number or a column, then zero as a limit: one instruction. What is in between may be rounded
// before or after it.
std::optional<isa::Tile> Group::limited(const Node& node, const Window& window,
                                        const isa::Tile* given, const isa::Tile* into) {
  if (node.kind != Node::Kind::elementwise || !graph::is_float(node.type.element) ||
      (node.op->kind != graph::OpKind::maximum && node.op->kind != graph::OpKind::minimum))
    return std::nullopt;
  for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
    const Node &inner = segment_.node(node.inputs[side]),
               &limit = segment_.node(node.inputs[1 - side]);
    const std::optional<numerics::AluOp> first = float_operator(inner);
    if (!first || limit.kind != Node::Kind::number || limit.number != 0 ||
        std::signbit(limit.number) || done_.contains(node.inputs[side]))
      continue;
    const Operand a = evaluate(inner.inputs[0], window, given);
    const Operand b = evaluate(inner.inputs[1], window, given);
    const bool reversed = is_one_each_row(a);
    const Operand &data = reversed ? b : a, &one = reversed ? a : b;
    if (!is_one_each_row(one) || is_one_each_row(data)) continue;
    isa::Scalar operand{.constant = one.number.value_or(0)};
    if (!one.number) operand.tile = walked(one.tile, {}, 0);
    const TileMath math(segment_.emitter(), window.rows, window.columns);
    const isa::Tile dst = into ? *into : math.fresh(*storage_of(node.type.element));
    segment_.emitter().at(node.location);
    segment_.emitter().emit(isa::TensorScalar{.dst = dst,
                                              .data = data.tile,
                                              .op0 = *first,
                                              .operand0 = operand,
                                              .reverse0 = reversed,
                                              .op1 = node.op->kind == graph::OpKind::maximum
                                                         ? numerics::AluOp::maximum
                                                         : numerics::AluOp::minimum,
                                              .operand1 = {.constant = 0}});
    return dst;
  }
  return std::nullopt;
}

// A cast to fewer bits is the format that the instruction before it writes.
std::optional<isa::Tile> Group::narrowed(const Node& node, const Window& window,
                                         const isa::Tile* given, const isa::Tile* into) {
  if (node.kind != Node::Kind::elementwise || node.op->kind != graph::OpKind::convert ||
      !graph::is_float(node.type.element) || graph::bits(node.type.element) >= 32)
    return std::nullopt;
  const NodeId input = node.inputs[0];
  const Node& inner = segment_.node(input);
  if (!float_operator(inner) || inner.type.element != graph::ElementType::f32 || is_root(input) ||
      done_.contains(input))
    return std::nullopt;
  const TileMath math(segment_.emitter(), window.rows, window.columns);
  const isa::Tile dst = into ? *into : math.fresh(*storage_of(node.type.element));
  return computed(inner, window, given, &dst);
}

// A choice by a comparison of narrow floats. The truth values are written as such floats, which is
// several times faster than as bytes; read as words, they are 0 or not.
std::optional<isa::Tile> Group::chosen(const Node& node, const Window& window,
                                       const isa::Tile* given, const isa::Tile* into) {
  if (node.kind != Node::Kind::elementwise || node.op->kind != graph::OpKind::select)
    return std::nullopt;
  const NodeId condition = node.inputs[0];
  const Node& compared = segment_.node(condition);
  const bool is_comparison = compared.kind == Node::Kind::elementwise &&
                             compared.op->kind == graph::OpKind::compare &&
                             graph::is_float(compared.types.front().element) &&
                             graph::size_in_bytes(compared.types.front().element) == 2;
  if (!is_comparison || is_root(condition) || done_.contains(condition)) return std::nullopt;
  const isa::DType narrow = *storage_of(compared.types.front().element);
  const TileMath math(segment_.emitter(), window.rows, window.columns);
  const isa::Tile truth = math.fresh(narrow);
  isa::Tile mask = computed(compared, window, given, &truth);
  mask.dtype = isa::DType::uint16;
  std::vector<Operand> operands{{.tile = mask}};
  for (const std::size_t side : {1U, 2U})
    operands.push_back(evaluate(node.inputs[side], window, given));
  segment_.emitter().at(node.location);
  return emit_elementwise(segment_.emitter(), *node.op, node.types, operands, window.rows,
                          window.columns, into);
}

isa::Tile Group::computed(const Node& node, const Window& window, const isa::Tile* given,
                          const isa::Tile* into) {
  if (const auto result = chosen(node, window, given, into)) return *result;
  if (const auto result = scaled_pair(node, window, given, into)) return *result;
  if (const auto result = limited(node, window, given, into)) return *result;
  if (const auto result = narrowed(node, window, given, into)) return *result;
  std::vector<Operand> operands;
  for (const NodeId input : node.inputs) operands.push_back(evaluate(input, window, given));
  segment_.emitter().at(node.location);
  return emit_elementwise(segment_.emitter(), *node.op, node.types, operands, window.rows,
                          window.columns, into);
}

// A part's window has as many runs as the whole's.
isa::Tile Group::joined(const Node& node, const Window& window, const isa::Tile* into) {
  const std::int64_t run = *run_of(layout_, node.dim, node.type.shape);
  const std::int64_t runs = window.columns / run;
  const std::int64_t unit = run / node.type.shape[node.dim];
  const isa::DType dtype = *storage_of(node.type.element);
  const TileMath math(segment_.emitter(), window.rows, window.columns);
  const isa::Tile whole = math.fresh(dtype);
  std::int64_t first = 0;
  for (const NodeId input : node.inputs) {
    const Node& part = segment_.node(input);
    const std::int64_t length = part.type.shape[node.dim] * unit;
    if (length == 0) continue;
    const Window some{window.row, window.rows, window.column / run * length, runs * length};
    const std::array<Extent, 2> walk{{{runs, run}, {length, 1}}};
    const isa::Tile place = isa::simplified(walked(whole, walk, first));
    const TileMath own(segment_.emitter(), some.rows, some.columns);
    const Operand operand = evaluate(input, some, nullptr, &place);
    segment_.emitter().at(node.location);
    if (operand.number) {
      segment_.emitter().emit(isa::Memset{.dst = place, .value = *operand.number});
    } else if (operand.tile != place) {
      own.copy(place, operand.tile);
    }
    first += length;
  }
  return into ? math.copy(*into, whole) : whole;
}

Sink::Sink(Segment& segment, const Strided& place, const Layout& layout)
    : segment_(segment),
      place_(place),
      matrix_(matrix_of(permuted(place, layout.order), layout.row_dims)) {}

Sink::Sink(Segment& segment, isa::DType dtype, std::span<const std::int64_t> shape,
           const Layout& layout, bool may_stay, std::optional<graph::ValueId> value)
    : Sink(segment, laid_out(segment.emitter().hbm(dtype, shape), dtype, layout, shape), layout) {
  if (may_stay) keep_on_chip(value);
}

void Sink::keep_on_chip(std::optional<graph::ValueId> value, std::int64_t bands) {
  bands = std::max<std::int64_t>(bands,
                                 base::ceil_div(rows(), segment_.emitter().core().sbuf.partitions));
  const std::int64_t bytes = bands * columns() * numerics::size_in_bytes(place_.dtype);
  stays_ = segment_.residents().admit(bytes, value);
  if (stays_) segment_.residents().begin(place_.tensor, rows(), columns(), bytes);
}

void Sink::put(const isa::Tile& tile, const Window& window, isa::Engine issuer) {
  if (!stays_) return store(segment_.emitter(), tile, matrix_, window, issuer);
  const bool is_own = tile.space == isa::Space::sbuf && tile.rank == 1 &&
                      (tile.dims[0].step == 1 || tile.dims[0].count == 1);
  const TileMath math(segment_.emitter(), window.rows, window.columns);
  segment_.residents().put(matrix_.tensor, window,
                           is_own ? tile : math.copy(math.fresh(tile.dtype), tile));
}

}  // namespace trainyard::compiler
