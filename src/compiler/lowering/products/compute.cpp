#include "compiler/lowering/products/compute.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/products/alone.h"
#include "compiler/lowering/products/product.h"
#include "compiler/lowering/products/product_ways.h"
#include "compiler/lowering/values/group.h"

namespace trainyard::compiler {

namespace {

// The width of tiles that leave room for several of each value that is there at once.
std::int64_t width_of(const Segment& segment, const Group& group, std::int64_t width) {
  constexpr std::int64_t sets = 3, columns_min = 128;
  const std::int64_t room = segment.emitter().core().sbuf.usable().value / 2 / sets;
  while (width > columns_min && width * group.bytes_at_once() > room) width /= 2;
  return width;
}

// `sinks`: of each root.
void compute_windows(Segment& segment, Group& group, std::span<Sink> sinks, std::int64_t width) {
  Emitter& emitter = segment.emitter();
  const std::vector<Window> all =
      windows(sinks[0].rows(), sinks[0].columns(), emitter.core().sbuf.partitions,
              width_of(segment, group, width));
  const auto compute_some = [&](Group& some, std::span<const Window> of) {
    EngineLoads loads;
    for (const Window& window : of) {
      const std::size_t first = emitter.instructions(), tensor = emitter.tensors();
      const std::vector<isa::Tile> tiles = some.tiles(window);
      for (std::size_t i = 0; i < tiles.size(); ++i) sinks[i].put(tiles[i], window);
      if (of.size() > 1) emitter.spread_from(first, tensor, tiles, loads);
    }
  };
  std::int64_t bytes = 0;
  for (const Sink& sink : sinks)
    bytes += sink.place().elements() * numerics::size_in_bytes(sink.place().dtype);
  if (emitter.cores() < 2 || !std::ranges::all_of(sinks, &Sink::is_stored) || all.size() < 2 ||
      bytes < divided_bytes_min)
    return compute_some(group, all);
  for (const Strided& view : group.views()) segment.residents().write_back(view.tensor);
  const std::span<const Window> each(all);
  emitter.in_halves([&](std::uint8_t half) {
    const std::size_t middle = (all.size() + 1) / 2;
    Group own = group;
    compute_some(own, half == 0 ? each.first(middle) : each.subspan(middle));
  });
}

// A walk over all elements in order, cut into rows of a length that fills the partitions. `to`: of
// each root.
bool compute_flat(Segment& segment, Group& group, std::span<const Strided> to) {
  const std::int64_t total = to[0].elements();
  const std::int64_t length = flat_columns(total, segment.emitter().core().sbuf.partitions);
  const std::int64_t rows = total / length, rest = total % length;
  const std::array<std::pair<std::int64_t, Adapt>, 2> parts{
      {{rows, cut_of_walk(total, 0, rows, length)},
       {rest > 0 ? 1 : 0, cut_of_walk(total, rows * length, 1, rest)}}};
  for (const auto& [count, adapt] : parts) {
    if (count == 0) continue;
    if (!group.adapt(adapt, 1)) return false;
    std::vector<Sink> sinks;
    for (const Strided& each : to) {
      const std::optional<Strided> place = adapt(each);
      if (!place) return false;
      sinks.emplace_back(segment, *place, in_order(2, 1));
    }
    compute_windows(segment, group, sinks, tile_columns);
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

// Of the width that the group's values ask for, before width_of makes room for all of them.
void adapt_width(const Segment& segment, const Group& group, Choice& choice,
                 std::span<const std::int64_t> shape) {
  const std::int64_t divisor = segment.emitter().variation().tile_divisor;
  if (choice.is_free) {
    choice.layout.width =
        std::max(std::int64_t{1}, choice.layout.width * group.narrowness() / divisor);
  }
  fit_width(choice.layout, shape);
}

void compute_in(Segment& segment, Group& group, Choice choice, std::span<Sink> sinks) {
  Layout& layout = choice.layout;
  group.adapt(layout);
  adapt_width(segment, group, choice, sinks[0].place().shape());
  const Sink& sink = sinks[0];
  const std::int64_t partitions = segment.emitter().core().sbuf.partitions;
  const std::int64_t width = width_of(segment, group, layout.width);
  segment.emitter().explain(
      group.locations(),
      fmt::format("{} x {} elements in tiles of {} x {}: {}", sink.rows(), sink.columns(),
                  std::min(partitions, sink.rows()), std::min(width, sink.columns()), choice.why));
  compute_windows(segment, group, sinks, layout.width);
}
void compute_in(Segment& segment, Group& group, Choice choice, Sink& sink) {
  compute_in(segment, group, std::move(choice), std::span(&sink, 1));
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

// How many rows in succession a partition takes at once, where rows are short and many: a tile of
// each would take as long as one of several. They divide the dimension before `split`.
std::int64_t rows_each(std::span<const Extent> dims, std::size_t split, std::int64_t partitions) {
  if (split == 0) return 1;
  const std::int64_t most = std::min(tile_columns / product(dims.subspan(split)),
                                     product(dims.first(split)) / partitions);
  std::int64_t each = std::clamp(most, std::int64_t{1}, dims[split - 1].size);
  while (dims[split - 1].size % each != 0) --each;
  return each;
}

// In another shape, whose first `row_dims` dimensions count rows. `words`: of a value's rows and
// columns, which tell how it is computed. False where a value has no such shape.
template <typename Words>
bool compute_divided(Segment& segment, Group& group, std::span<const Strided> to,
                     std::span<const std::int64_t> shape, std::size_t row_dims,
                     const Words& words) {
  const auto divided = [&](const Strided& value) { return reshaped(value, shape); };
  if (!group.adapt(divided, row_dims)) return false;
  std::vector<Sink> sinks;
  for (const Strided& value : to) {
    const std::optional<Strided> place = divided(value);
    if (!place) return false;
    sinks.emplace_back(segment, *place, in_order(shape.size(), row_dims));
  }
  segment.emitter().explain(group.locations(), words(sinks[0].rows(), sinks[0].columns()));
  compute_windows(segment, group, sinks, tile_columns);
  return true;
}

bool compute_rows_together(Segment& segment, Group& group, std::span<const Strided> to) {
  const std::int64_t partitions = segment.emitter().core().sbuf.partitions;
  const std::size_t split = split_of(to[0].dims, partitions);
  const std::int64_t each = rows_each(to[0].dims, split, partitions);
  if (each == 1) return false;
  std::vector<std::int64_t> shape = to[0].shape();
  shape[split - 1] /= each;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(split), each);
  return compute_divided(segment, group, to, shape, split,
                         [&](std::int64_t rows, std::int64_t columns) {
                           return fmt::format("{} x {} elements, {} rows a partition at once",
                                              rows * each, columns / each, each);
                         });
}

// In how many pieces a row lies, each on a partition of its own, where rows are few and long. They
// divide the dimension behind `split`.
std::int64_t pieces_each(std::span<const Extent> dims, std::size_t split, std::int64_t partitions) {
  if (split == dims.size()) return 1;
  const std::int64_t rows = product(dims.first(split)), columns = product(dims.subspan(split));
  const std::int64_t most = std::min({partitions / rows, columns / tile_columns, dims[split].size});
  std::int64_t pieces = std::max(most, std::int64_t{1});
  while (dims[split].size % pieces != 0) --pieces;
  return pieces;
}

bool compute_rows_in_pieces(Segment& segment, Group& group, std::span<const Strided> to) {
  const std::int64_t partitions = segment.emitter().core().sbuf.partitions;
  const std::size_t split = split_of(to[0].dims, partitions);
  const std::int64_t pieces = pieces_each(to[0].dims, split, partitions);
  if (pieces == 1) return false;
  std::vector<std::int64_t> shape = to[0].shape();
  shape[split] /= pieces;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(split), pieces);
  return compute_divided(
      segment, group, to, shape, split + 1, [&](std::int64_t rows, std::int64_t columns) {
        return fmt::format("{} x {} elements, each row in {} pieces on partitions apart",
                           rows / pieces, columns * pieces, pieces);
      });
}

// Whether rows may be cut otherwise: what lies on chip is read as it lies, and what is turned is
// turned band by band.
bool reads_in_order(const Segment& segment, const Group& group) {
  return std::ranges::none_of(group.views(), [&](const Strided& view) {
    const bool is_turned = !view.dims.empty() && std::abs(view.dims.back().step) > 1;
    return is_turned || segment.residents().columns(view.tensor).has_value();
  });
}

// Whether tiles of one row a partition take longer to be moved than to be computed, in transfers
// that are short.
bool has_short_rows(const Segment& segment, const Group& group, const Choice& choice,
                    const Sink& sink) {
  return choice.is_free && sink.is_stored() && 2 * sink.columns() <= tile_columns &&
         reads_in_order(segment, group);
}

void compute_unlaid(Segment& segment, Group& group, const Strided& to) {
  if (compute_flat(segment, group, std::span(&to, 1))) return;
  if (compute_rows_together(segment, group, std::span(&to, 1))) return;
  if (compute_rows_in_pieces(segment, group, std::span(&to, 1))) return;
  Choice choice = cut_in_order(segment, to.dims);
  Sink sink(segment, to, choice.layout);
  compute_in(segment, group, std::move(choice), sink);
}

// Whether windows of that layout hold whole runs of what the group joins. Values that lie in memory
// already are joined there, where transfers are as good.
bool joins_in_tiles(const Segment& segment, const Group& group, NodeId root,
                    const std::optional<Choice>& choice) {
  constexpr std::int64_t run_bytes_max = 512;
  if (group.joins().empty()) return true;
  if (!choice || group.has_product()) return false;
  Choice adapted = *choice;
  adapt_width(segment, group, adapted, segment.node(root).type.shape);
  const std::int64_t width = width_of(segment, group, adapted.layout.width);
  for (const NodeId id : group.joins()) {
    const Node& node = segment.node(id);
    const auto run = run_of(choice->layout, node.dim, node.type.shape);
    if (!run || width % *run != 0) return false;
    const bool moves = id == root && std::ranges::all_of(node.inputs, [&](NodeId input) {
                         return segment.node(input).kind == Node::Kind::view;
                       });
    const std::int64_t bytes = *run * numerics::size_in_bytes(*storage_of(node.type.element));
    if (moves && bytes >= run_bytes_max * std::ssize(node.inputs)) return false;
  }
  return true;
}

// Whether the group's product is to be computed for its own sake, and has been now.
bool has_product_apart(Segment& segment, const Group& group) {
  if (!group.has_product() || group.is_product() || segment.emitter().variation().fuses_behind)
    return false;
  segment.placed(group.product());
  return true;
}

void store_parts(Segment& segment, NodeId id, const Strided& to) {
  const std::vector<NodeId> inputs = segment.node(id).inputs;
  const std::vector<Strided> parts = segment.parts_of(id, to);
  for (std::size_t i = 0; i < inputs.size(); ++i) segment.store(inputs[i], parts[i]);
}

// Whether a join in tiles of that layout would be stored element by element, and its parts one by
// one are there sooner.
bool is_scattered(const Segment& segment, const Node& node, const Layout& layout,
                  std::span<const Extent> to) {
  if (node.kind != Node::Kind::joined || layout.order.empty()) return false;
  const Extent& inner = to[static_cast<std::size_t>(layout.order.back())];
  if (inner.size == 1 || std::abs(inner.step) == 1) return false;
  const machine::Dma& dma = segment.emitter().core().dma;
  return dma.hardware.packet_min * (node.type.elements() / dma.engines) >
         dma.hardware.issue_interval * std::ssize(node.inputs);
}

Strided compute_as_chosen(Segment& segment, NodeId id) {
  const Node node = segment.node(id);
  const isa::DType dtype = *storage_of(node.type.element);
  Group group(segment, id, true);
  segment.emitter().at(node.location);
  std::optional<Choice> choice;
  if (node.type.elements() > 0) choice = layout_of(segment, group, node.type.shape);
  const bool is_apart =
      choice && is_scattered(segment, node, choice->layout, dense(0, dtype, node.type.shape).dims);
  if (is_apart || !joins_in_tiles(segment, group, id, choice)) {
    if (node.kind == Node::Kind::joined) {
      const Strided whole =
          dense(segment.emitter().hbm(dtype, node.type.shape), dtype, node.type.shape);
      store_parts(segment, id, whole);
      return whole;
    }
    for (const NodeId joined : group.joins()) segment.placed(joined);
    return compute_as_chosen(segment, id);
  }
  if (has_product_apart(segment, group)) return compute_as_chosen(segment, id);
  if (group.has_product()) {
    Sink sink(segment, dtype, node.type.shape, product_layout(segment, group), false);
    const Product product = product_as_computed(segment, group.product()).product;
    if (!is_divided(segment, group.product()) && !product.layout.is_in_hbm)
      sink.keep_on_chip(node.value, bands_of(product, segment.emitter().core()));
    compute_product(segment, group, sink);
    return sink.place();
  }
  if (!choice) {
    const Strided place =
        dense(segment.emitter().hbm(dtype, node.type.shape), dtype, node.type.shape);
    if (node.type.elements() == 0 || compute_flat(segment, group, std::span(&place, 1)) ||
        (reads_in_order(segment, group) &&
         compute_rows_together(segment, group, std::span(&place, 1))) ||
        compute_rows_in_pieces(segment, group, std::span(&place, 1)))
      return place;
    choice = cut_in_order(segment, place.dims);
    Sink sink(segment, place, choice->layout);
    sink.keep_on_chip(node.value);
    compute_in(segment, group, *std::move(choice), sink);
    return place;
  }
  Sink sink(segment, dtype, node.type.shape, choice->layout, true, node.value);
  if (has_short_rows(segment, group, *choice, sink) &&
      compute_rows_together(segment, group, std::span(&sink.place(), 1)))
    return sink.place();
  compute_in(segment, group, *std::move(choice), sink);
  return sink.place();
}

void compute_as_chosen(Segment& segment, NodeId id, const Strided& to) {
  Group group(segment, id, true);
  segment.emitter().at(segment.node(id).location);
  auto choice = layout_of(segment, group, to.shape());
  if (choice && is_scattered(segment, segment.node(id), choice->layout, to.dims))
    return store_parts(segment, id, to);
  if (!joins_in_tiles(segment, group, id, choice)) {
    if (segment.node(id).kind == Node::Kind::joined) return store_parts(segment, id, to);
    for (const NodeId joined : group.joins()) segment.placed(joined);
    return compute_as_chosen(segment, id, to);
  }
  if (has_product_apart(segment, group)) return compute_as_chosen(segment, id, to);
  if (group.has_product()) {
    Sink sink(segment, to, product_layout(segment, group));
    return compute_product(segment, group, sink);
  }
  if (choice) {
    Sink sink(segment, to, choice->layout);
    if (has_short_rows(segment, group, *choice, sink) &&
        compute_rows_together(segment, group, std::span(&to, 1)))
      return;
    return compute_in(segment, group, *std::move(choice), sink);
  }
  compute_unlaid(segment, group, to);
}

void compute_together_as_chosen(Segment& segment, std::span<const NodeId> roots) {
  Group group(segment, {roots.begin(), roots.end()});
  const std::vector<std::int64_t> shape = segment.node(roots[0]).type.shape;
  std::vector<isa::DType> dtypes;
  std::int64_t bytes = 0;
  for (const NodeId root : roots) {
    const graph::Type& type = segment.node(root).type;
    dtypes.push_back(*storage_of(type.element));
    bytes += type.elements() * numerics::size_in_bytes(dtypes.back());
  }
  segment.emitter().at(segment.node(roots[0]).location);
  const auto place_all = [&](std::span<const Strided> places) {
    for (std::size_t i = 0; i < roots.size(); ++i) segment.set_place(roots[i], places[i]);
  };
  std::optional<Choice> choice = layout_of(segment, group, shape);
  std::vector<Strided> places;
  if (!choice) {
    for (const isa::DType dtype : dtypes)
      places.push_back(dense(segment.emitter().hbm(dtype, shape), dtype, shape));
    if (compute_flat(segment, group, places) ||
        (reads_in_order(segment, group) && compute_rows_together(segment, group, places)) ||
        compute_rows_in_pieces(segment, group, places))
      return place_all(places);
    choice = cut_in_order(segment, places[0].dims);
  }
  const bool may_stay = segment.emitter().cores() < 2 || bytes < divided_bytes_min;
  std::vector<Sink> sinks;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const std::optional<graph::ValueId> value = segment.node(roots[i]).value;
    if (places.size() < roots.size()) {
      sinks.emplace_back(segment, dtypes[i], shape, choice->layout, may_stay, value);
    } else {
      sinks.emplace_back(segment, places[i], choice->layout);
      if (may_stay) sinks.back().keep_on_chip(value);
    }
  }
  places.clear();
  for (const Sink& sink : sinks) places.push_back(sink.place());
  compute_in(segment, group, *std::move(choice), sinks);
  place_all(places);
}

// The kind of region that computing them is.
std::string_view kind_of(Segment& segment, std::span<const NodeId> ids) {
  const Group group(segment, ids[0], true);
  if (ids.size() > 1 || !group.has_product()) return "elements";
  return segment.node(group.product()).product.is_plain() ? "product" : "";
}

template <typename F>
decltype(auto) in_best_way(Segment& segment, std::span<const NodeId> ids, const Strided* to,
                           F&& f) {
  const std::string_view kind = segment.emitter().scorer() == nullptr ? "" : kind_of(segment, ids);
  if (kind.empty()) return std::forward<F>(f)();
  return in_best_way(segment.emitter(), ways_of(segment, kind, ids, to), std::forward<F>(f));
}

}  // namespace

Strided compute(Segment& segment, NodeId id) {
  return in_best_way(segment, std::span(&id, 1), nullptr,
                     [&] { return compute_as_chosen(segment, id); });
}

void compute(Segment& segment, NodeId id, const Strided& to) {
  if (to.elements() == 0) return;
  in_best_way(segment, std::span(&id, 1), &to, [&] { compute_as_chosen(segment, id, to); });
}

void compute_together(Segment& segment, std::span<const NodeId> ids) {
  std::vector<NodeId> roots;
  for (const NodeId id : ids) {
    if (segment.node(id).kind == Node::Kind::elementwise && !segment.is_widened_view(id))
      roots.push_back(id);
  }
  if (roots.size() < 2) return;
  in_best_way(segment, roots, nullptr, [&] { compute_together_as_chosen(segment, roots); });
}

}  // namespace trainyard::compiler
