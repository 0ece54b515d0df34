#include "graph/partition/propagation.h"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <utility>

#include "graph/partition.h"

namespace trainyard::graph {

namespace {

constexpr int rounds_max = 16;  // each passes on what changed; few programs need three

}  // namespace

bool is_target(const Op& op, std::string_view target) {
  if (op.kind != OpKind::custom_call) return false;
  const Attribute* const name = op.find("call_target_name");
  const auto* const text = name == nullptr ? nullptr : std::get_if<std::string>(&name->value);
  return text != nullptr && *text == target;
}

Propagation::Propagation(const Function& function, const Facts& facts, const Given& given,
                         std::vector<std::optional<Sharding>> wanted)
    : function_(function),
      facts_(facts),
      wanted_(std::move(wanted)),
      lies_(function.types.size()),
      same_(function.types.size()) {
  std::iota(same_.begin(), same_.end(), ValueId{0});
  for (std::size_t v = 0; v < lies_.size(); ++v) {
    const std::size_t rank = function.types[v].shape.size();
    lies_[v] = {.dims = std::vector<Axes>(rank), .open = std::vector<bool>(rank, true)};
  }
  for (const auto& [value, sharding] : given) {
    const std::size_t rank = lies_[value].dims.size();
    lies_[value] = sharding;
    lies_[value].dims.resize(rank);
    lies_[value].open.resize(rank);
  }
  prepare(function.body);
  pass(function.body, Way::forward);
  for (int round = 0; round < rounds_max; ++round) {
    is_changed_ = false;
    pass(function.body, Way::backward);
    pass(function.body, Way::forward);
    if (!is_changed_) return;
  }
}

const Factors* Propagation::factors(const Op& op) const {
  const auto found = factors_.find(&op);
  return found == factors_.end() || !found->second ? nullptr : &*found->second;
}

void Propagation::prepare(const Region& region) {
  for (const Op& op : region.ops) {
    if (op.kind == OpKind::while_) {
      for (std::size_t i = 0; i < op.results.size(); ++i) {
        const ValueId carried = op.regions.at(1).arguments.at(i);
        same_[op.results[i]] = same_[op.regions.at(0).arguments.at(i)] = carried;
      }
      for (const Region& each : op.regions) prepare(each);
    } else if (op.kind != OpKind::return_ && op.kind != OpKind::custom_call) {
      factors_.emplace(&op, factors_of(op, facts_));
    }
  }
}

void Propagation::pass(const Region& region, Way way) {
  if (way == Way::forward) {
    for (const Op& op : region.ops) pass(op, way);
  } else {
    for (const Op& op : region.ops | std::views::reverse) pass(op, way);
  }
}

void Propagation::pass(const Op& op, Way way) {
  if (op.kind == OpKind::while_) return pass_loop(op, way);
  if (is_target(op, sharding_constraint)) {
    if (way == Way::forward) return extend(op.results.at(0), of(op.operands.at(0)));
    return extend(op.operands.at(0), of(op.results.at(0)));
  }
  if (op.kind == OpKind::optimization_barrier) {
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (way == Way::forward) extend(op.results[i], of(op.operands[i]));
      if (way == Way::backward) extend(op.operands[i], of(op.results[i]));
    }
  }
  if (op.kind == OpKind::return_ && way == Way::backward && &op == &function_.body.ops.back()) {
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (wanted_[i]) extend(op.operands[i], *wanted_[i]);
    }
  }
  if (const Factors* const all = factors(op)) pass_factors(op, *all, way);
}

// What goes in, what turns hand on and what comes out lie alike.
void Propagation::pass_loop(const Op& op, Way way) {
  const Region& body = op.regions.at(1);
  const std::vector<ValueId>& left = body.ops.back().operands;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    extend(body.arguments[i], of(op.operands[i]));
    if (way == Way::backward) extend(left[i], of(body.arguments[i]));
  }
  for (const Region& each : op.regions) pass(each, way);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    extend(body.arguments[i], of(left[i]));
    if (way == Way::backward) extend(op.operands[i], of(body.arguments[i]));
  }
}

void Propagation::pass_factors(const Op& op, const Factors& all, Way way) {
  std::vector<const Sharding*> operands, results;
  for (const ValueId value : op.operands) operands.push_back(&of(value));
  for (const ValueId value : op.results) results.push_back(&of(value));
  const Chosen chosen = choose(all, operands, results);
  if (chosen.mesh == nullptr) return;
  const auto& values = way == Way::forward ? op.results : op.operands;
  const auto& dims = way == Way::forward ? all.results : all.operands;
  for (std::size_t i = 0; i < values.size(); ++i) extend(values[i], chosen.sharding(all, dims[i]));
}

void Propagation::extend(ValueId value, const Sharding& by) {
  if (by.is_whole()) return;
  Sharding& lies = lies_[same_[value]];
  if (!lies.is_whole() && *lies.mesh != *by.mesh) return;
  for (std::size_t d = 0; d < lies.dims.size(); ++d) {
    const Axes& to = by.axes(d);
    if (!lies.open[d] || to.size() <= lies.dims[d].size() || !starts_with(to, lies.dims[d]))
      continue;
    const auto added = std::ranges::subrange(
        to.begin() + static_cast<std::ptrdiff_t>(lies.dims[d].size()), to.end());
    const bool is_free =
        std::ranges::none_of(added, [&](std::size_t axis) { return lies.uses(axis); });
    if (!is_free || function_.type(value).shape[d] % size_of(*by.mesh, to) != 0) continue;
    lies.mesh = by.mesh;
    lies.dims[d] = to;
    is_changed_ = true;
  }
}

}  // namespace trainyard::graph
