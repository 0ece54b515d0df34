#include "compiler/lowering/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/units.h"
#include "compiler/lowering/product.h"
#include "compiler/lowering/tile_math.h"
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
      root_(root),
      may_join_(may_join),
      loader_(segment.emitter(), segment.residents()) {
  collect(root);
}

void Group::collect(NodeId id) {
  const Node& node = segment_.node(id);
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
        return collect(id);
      }
      joins_.push_back(id);
      [[fallthrough]];
    case Node::Kind::elementwise:
      locations_.push_back(node.location);
      for (const NodeId input : node.inputs) collect(input);
  }
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
  const Operand operand = evaluate(root_, window, given, into);
  if (!operand.number) return operand.tile;
  const isa::DType dtype = *storage_of(segment_.node(root_).type.element);
  return TileMath(segment_.emitter(), window.rows, window.columns).filled(dtype, *operand.number);
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
  } else if (id != root_ && into == nullptr && only_widens(*node.op, node.types)) {
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

isa::Tile Group::computed(const Node& node, const Window& window, const isa::Tile* given,
                          const isa::Tile* into) {
  if (const auto result = scaled_pair(node, window, given, into)) return *result;
  if (const auto result = limited(node, window, given, into)) return *result;
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
           const Layout& layout, bool may_stay)
    : Sink(segment, laid_out(segment.emitter().hbm(dtype, shape), dtype, layout, shape), layout) {
  if (may_stay) keep_on_chip();
}

void Sink::keep_on_chip() {
  const std::int64_t bands = base::ceil_div(rows(), segment_.emitter().core().sbuf.partitions);
  const std::int64_t bytes = bands * columns() * numerics::size_in_bytes(place_.dtype);
  stays_ = segment_.residents().admit(bytes);
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

namespace {

void compute_windows(Segment& segment, Group& group, Sink& sink, std::int64_t width) {
  Emitter& emitter = segment.emitter();
  const std::vector<Window> all =
      windows(sink.rows(), sink.columns(), emitter.core().sbuf.partitions, width);
  const auto compute_some = [&](Group& some, std::span<const Window> of) {
    for (const Window& window : of) {
      const std::size_t first = emitter.instructions(), tensor = emitter.tensors();
      const isa::Tile tile = some.tile(window);
      if (of.size() > 1) emitter.spread_from(first, tensor, tile);
      sink.put(tile, window);
    }
  };
  const std::int64_t bytes = sink.place().elements() * numerics::size_in_bytes(sink.place().dtype);
  if (emitter.cores() < 2 || !sink.is_stored() || all.size() < 2 || bytes < divided_bytes_min)
    return compute_some(group, all);
  for (const Strided& view : group.views()) segment.residents().write_back(view.tensor);
  const std::span<const Window> each(all);
  emitter.in_halves([&](std::uint8_t half) {
    const std::size_t middle = (all.size() + 1) / 2;
    Group own = group;
    compute_some(own, half == 0 ? each.first(middle) : each.subspan(middle));
  });
}

// A walk over all elements in order, cut into rows of a length that fills the partitions.
bool compute_flat(Segment& segment, Group& group, const Strided& to) {
  const std::int64_t total = to.elements();
  const std::int64_t length = flat_columns(total, segment.emitter().core().sbuf.partitions);
  const std::int64_t rows = total / length, rest = total % length;
  const std::array<std::int64_t, 1> flat{total}, stride{1};
  const auto cut = [&](std::int64_t begin, std::int64_t count, std::int64_t width) -> Adapt {
    return [=](const Strided& value) -> std::optional<Strided> {
      const std::optional<Strided> walk = reshaped(value, flat);
      if (!walk) return std::nullopt;
      const std::array<std::int64_t, 1> start{begin}, limit{begin + count * width};
      const std::array<std::int64_t, 2> shape{count, width};
      return reshaped(sliced(*walk, start, limit, stride), shape);
    };
  };
  const std::array<std::pair<std::int64_t, Adapt>, 2> parts{
      {{rows, cut(0, rows, length)}, {rest > 0 ? 1 : 0, cut(rows * length, 1, rest)}}};
  for (const auto& [count, adapt] : parts) {
    if (count == 0) continue;
    const std::optional<Strided> place = adapt(to);
    if (!place || !group.adapt(adapt, 1)) return false;
    Sink sink(segment, *place, in_order(2, 1));
    compute_windows(segment, group, sink, tile_columns);
  }
  return true;
}

// How many dimensions count rows: columns as long as a tile takes, as many rows as there can be.
std::size_t split_of(std::span<const Extent> dims, std::int64_t partitions) {
  std::size_t split = dims.size();
  std::int64_t columns = 1;
  while (split > 0 && (columns * dims[split - 1].size <= tile_columns || columns == 1)) {
    const std::int64_t rows = product(dims.first(split));
    if (columns > 1 && rows <= partitions) break;
    columns *= dims[--split].size;
  }
  return split;
}

// A layout, and why it is the one.
struct Choice {
  Layout layout;
  std::string_view why;
  bool is_free = true;  // of tiles of other widths
};

void compute_in(Segment& segment, Group& group, Choice choice, Sink& sink) {
  Layout& layout = choice.layout;
  group.adapt(layout);
  const std::int64_t divisor = segment.emitter().variation().tile_divisor;
  if (choice.is_free) layout.width = std::max(std::int64_t{1}, layout.width / divisor);
  fit_width(layout, sink.place().shape());
  const std::int64_t partitions = segment.emitter().core().sbuf.partitions;
  segment.emitter().explain(group.locations(),
                            fmt::format("{} x {} elements in tiles of {} x {}: {}", sink.rows(),
                                        sink.columns(), std::min(partitions, sink.rows()),
                                        std::min(layout.width, sink.columns()), choice.why));
  compute_windows(segment, group, sink, layout.width);
}

// The layout that the group's values ask for; nothing where none does.
std::optional<Choice> layout_of(Segment& segment, const Group& group,
                                std::span<const std::int64_t> shape) {
  if (auto layout = as_a_resident(segment.residents(), group.views()))
    return Choice{*std::move(layout), "as a value that it reads lies in SBUF", false};
  if (auto layout = by_rows(shape, segment.emitter().core().sbuf.partitions))
    return Choice{*std::move(layout), "its rows fill the partitions"};
  return std::nullopt;
}

// Where elements are not in one walk.
Choice cut_in_order(Segment& segment, std::span<const Extent> dims) {
  const std::int64_t partitions = segment.emitter().core().sbuf.partitions;
  return {in_order(dims.size(), split_of(dims, partitions)),
          "rows enough for the partitions, the rest is columns"};
}

void compute_unlaid(Segment& segment, Group& group, const Strided& to) {
  if (compute_flat(segment, group, to)) return;
  Choice choice = cut_in_order(segment, to.dims);
  Sink sink(segment, to, choice.layout);
  compute_in(segment, group, std::move(choice), sink);
}

}  // namespace

namespace {

// Whether tiles of that layout hold whole runs of what the group joins. Values that lie in memory
// already are joined there, where transfers are as good.
bool joins_in_tiles(const Segment& segment, const Group& group, NodeId root,
                    const std::optional<Choice>& choice) {
  constexpr std::int64_t run_bytes_max = 512;
  if (group.joins().empty()) return true;
  if (!choice || group.has_product()) return false;
  for (const NodeId id : group.joins()) {
    const Node& node = segment.node(id);
    const auto run = run_of(choice->layout, node.dim, node.type.shape);
    if (!run) return false;
    const bool moves = id == root && std::ranges::all_of(node.inputs, [&](NodeId input) {
                         return segment.node(input).kind == Node::Kind::view;
                       });
    const std::int64_t bytes = *run * numerics::size_in_bytes(*storage_of(node.type.element));
    if (moves && bytes >= run_bytes_max * std::ssize(node.inputs)) return false;
  }
  return true;
}

void store_parts(Segment& segment, NodeId id, const Strided& to) {
  const std::vector<NodeId> inputs = segment.node(id).inputs;
  const std::vector<Strided> parts = segment.parts_of(id, to);
  for (std::size_t i = 0; i < inputs.size(); ++i) segment.store(inputs[i], parts[i]);
}

}  // namespace

Strided compute(Segment& segment, NodeId id) {
  const Node node = segment.node(id);
  const isa::DType dtype = *storage_of(node.type.element);
  Group group(segment, id, true);
  segment.emitter().at(node.location);
  std::optional<Choice> choice;
  if (node.type.elements() > 0) choice = layout_of(segment, group, node.type.shape);
  if (!joins_in_tiles(segment, group, id, choice)) {
    if (node.kind == Node::Kind::joined) {
      const Strided whole =
          dense(segment.emitter().hbm(dtype, node.type.shape), dtype, node.type.shape);
      store_parts(segment, id, whole);
      return whole;
    }
    for (const NodeId joined : group.joins()) segment.placed(joined);
    return compute(segment, id);
  }
  if (group.has_product()) {
    const bool may_stay = !is_divided(segment, group.product());
    Sink sink(segment, dtype, node.type.shape, product_layout(segment, group), may_stay);
    compute_product(segment, group, sink);
    return sink.place();
  }
  if (!choice) {
    const Strided place =
        dense(segment.emitter().hbm(dtype, node.type.shape), dtype, node.type.shape);
    if (node.type.elements() == 0 || compute_flat(segment, group, place)) return place;
    choice = cut_in_order(segment, place.dims);
    Sink sink(segment, place, choice->layout);
    sink.keep_on_chip();
    compute_in(segment, group, *std::move(choice), sink);
    return place;
  }
  Sink sink(segment, dtype, node.type.shape, choice->layout);
  compute_in(segment, group, *std::move(choice), sink);
  return sink.place();
}

void compute(Segment& segment, NodeId id, const Strided& to) {
  if (to.elements() == 0) return;
  Group group(segment, id, true);
  segment.emitter().at(segment.node(id).location);
  auto choice = layout_of(segment, group, to.shape());
  if (!joins_in_tiles(segment, group, id, choice)) {
    if (segment.node(id).kind == Node::Kind::joined) return store_parts(segment, id, to);
    for (const NodeId joined : group.joins()) segment.placed(joined);
    return compute(segment, id, to);
  }
  if (group.has_product()) {
    Sink sink(segment, to, product_layout(segment, group));
    return compute_product(segment, group, sink);
  }
  if (choice) {
    Sink sink(segment, to, choice->layout);
    return compute_in(segment, group, *std::move(choice), sink);
  }
  compute_unlaid(segment, group, to);
}

}  // namespace trainyard::compiler
