// Operations that have several ways to be lowered, and regions whose values may lie in several,
// each of them as a program of its own.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "compiler/lowering/products/alone.h"
#include "compiler/lowering/tiles/elementwise.h"
#include "compiler/lowering/walk/lowerer.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

// What operations read of values that none of them makes.
std::vector<graph::ValueId> read_by(std::span<const graph::Op* const> ops) {
  std::set<graph::ValueId> made, read;
  for (const graph::Op* const op : ops) {
    for (const graph::ValueId value : values_read(*op))
      if (!made.contains(value)) read.insert(value);
    made.insert(op->results.begin(), op->results.end());
  }
  return {read.begin(), read.end()};
}

}  // namespace

// What an operand is in a program of the operation alone.
NodeId Lowerer::stand_in(graph::ValueId value, Lowerer& alone) {
  Segment& segment = alone.segment();
  const graph::Type& type = this->type(value);
  const Place& place = scope().place(value);
  const Node* const node = place.node ? &this->segment().node(*place.node) : nullptr;
  if (node != nullptr && node->kind == Node::Kind::view) {
    return segment.add_view(
        type, compiler::stand_in(node->view, segment.emitter(), isa::TensorRole::input));
  }
  if (place.number || (node != nullptr && node->kind == Node::Kind::number)) {
    const double number = place.number ? *place.number : node->number;
    return segment.add({.kind = Node::Kind::number, .type = type, .number = number});
  }
  const isa::DType dtype = *storage_of(type.element);
  return segment.add_view(
      type,
      dense(segment.emitter().hbm(dtype, type.shape, isa::TensorRole::input), dtype, type.shape));
}

AloneRegion Lowerer::alone(const LayoutRegion& region, const Variation& variation) {
  const std::vector<const graph::Op*>& ops = region.ops;
  const std::vector<graph::ValueId> read = read_by(ops);
  const graph::Module module = alone(ops, read, region.results);
  Lowerer lowerer(table_, module, core_, resident_percent_, segment().emitter().cores(), {},
                  nullptr, variation);
  const graph::Function& main = module.entry();
  Scope inner(main, main.body);
  lowerer.scopes_.push_back(&inner);
  for (const graph::ValueId value : read) inner.place(value).node = stand_in(value, lowerer);
  for (std::size_t i = 0; i < variation.layouts.size(); ++i) {
    const auto at = std::ranges::find(ops, region.products[i]) - ops.begin();
    lowerer.layouts_[&main.body.ops[static_cast<std::size_t>(at)]] = variation.layouts[i];
  }
  lowerer.lower_ops();
  for (const graph::ValueId value : region.results) {
    const std::optional<NodeId> node = inner.place(value).node;
    if (!node || !lowerer.segment_) return {};  // a routine of GpSimd has ended the program
    static_cast<void>(lowerer.exported(*node));
  }
  return alone_region(lowerer.segment().emitter());
}

std::string Lowerer::described(std::span<const graph::Op* const> ops) {
  std::string text = compiler::described(function(), ops);
  for (const graph::ValueId value : read_by(ops)) {
    const Place& place = scope().place(value);
    if (place.node && segment().node(*place.node).kind == Node::Kind::view)
      text += "; operand" + compiler::described(segment().node(*place.node).view);
  }
  return text +
         fmt::format("; {} cores; {} % of SBUF", segment().emitter().cores(), resident_percent_);
}

bool Lowerer::lower_in_best_way(const graph::Op& op) {
  const RegionKind kind = table_.kind_of(op);
  if (kind.of.empty() || scorer_ == nullptr) return table_.lower(*this, op);
  const LayoutRegion region{.ops = {&op}, .results = op.results};
  const Ways ways{.of = kind.of,
                  .region = described(region.ops),
                  .location = op.location,
                  .alone = [&](const Variation& variation) { return alone(region, variation); },
                  .weighs_apart = kind.weighs_apart};
  ChosenWay way = best_way(segment().emitter(), ways);
  segment().emitter().set_way_times(std::move(way.times));
  const Variation before = std::exchange(variation_, std::move(way.variation));
  segment().emitter().set_variation(variation_);
  const bool is_lowered = table_.lower(*this, op);
  variation_ = before;
  if (segment_) {  // perhaps another one: a routine of GpSimd ends a program
    segment_->emitter().set_variation(variation_);
    segment_->emitter().tell_later(op.location);
  }
  return is_lowered;
}

ValueLayout Lowerer::layout_of(const graph::Op& product) const {
  const auto found = layouts_.find(&product);
  return found == layouts_.end() ? ValueLayout{} : found->second;
}

void Lowerer::choose_layouts(const LayoutRegion& region) {
  const Ways ways{.of = "layout",
                  .region = described(region.ops),
                  .location = region.ops.back()->location,
                  .alone = [&](const Variation& variation) { return alone(region, variation); },
                  .layouts = region.products.size(),
                  .instructions_min = region.instructions_min};
  ChosenWay way = best_way(segment().emitter(), ways);
  for (std::size_t i = 0; i < way.variation.layouts.size(); ++i)
    layouts_[region.products[i]] = way.variation.layouts[i];
  if (way.times.empty()) return;
  std::vector<graph::LocationId> products;
  for (const graph::Op* const op : region.products) products.push_back(op->location);
  segment().emitter().tell_layouts(std::move(products), std::move(way.times));
}

}  // namespace trainyard::compiler
