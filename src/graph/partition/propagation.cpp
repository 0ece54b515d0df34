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
                         std::vector<std::optional<Sharding>> wanted,
                         std::set<std::string> of_weights)
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
  contest_ = {.of_weights = std::move(of_weights), .is_open = true};
  pass_until_nothing_changes();
  contest_.is_open = false;
  awaited_.clear();
  if (!contest_.names.empty()) pass_until_nothing_changes();
}

// What the author says decides first. Where nobody said, one of those that contest an axis gets it
// in a second round; until then, nothing behind that operation takes the axis otherwise.
void Propagation::pass_until_nothing_changes() {
  pass(function_.body, Way::forward);
  for (int round = 0; round < rounds_max; ++round) {
    is_changed_ = false;
    pass(function_.body, Way::backward);
    pass(function_.body, Way::forward);
    if (!is_changed_) return;
  }
}

Contest& Propagation::contest(const Op& op) {
  const auto bytes = [&](const std::vector<ValueId>& values) {
    std::vector<double> all;
    for (const ValueId value : values) {
      const Type& type = facts_.type(value);
      const bool counts = type.is_static() && !facts_.is_remade(value);
      all.push_back(counts ? static_cast<double>(type.bytes()) : 0.0);
    }
    return all;
  };
  contest_.stored.clear();
  for (const ValueId value : op.operands) contest_.stored.push_back(facts_.is_stored(value));
  contest_.operand_bytes = bytes(op.operands);
  contest_.result_bytes = bytes(op.results);
  return contest_;
}

std::set<std::string> Propagation::awaited(ValueId value) const {
  const auto found = awaited_.find(same_[value]);
  if (found == awaited_.end()) return {};
  std::set<std::string> names = found->second;
  const Sharding& lies = of(value);
  std::erase_if(names, [&](const std::string& name) {
    return lies.mesh != nullptr && std::ranges::any_of(lies.dims, [&](const Axes& axes) {
             return std::ranges::any_of(
                 axes, [&](std::size_t axis) { return lies.mesh->axes[axis].name == name; });
           });
  });
  return names;
}

void Propagation::await(ValueId value, const std::set<std::string>& names) {
  for (const std::string& name : names) is_changed_ |= awaited_[same_[value]].insert(name).second;
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
    if (way == Way::backward) return extend(op.operands.at(0), of(op.results.at(0)));
    await(op.results.at(0), awaited(op.operands.at(0)));
    return extend(op.results.at(0), of(op.operands.at(0)));
  }
  if (op.kind == OpKind::optimization_barrier) {
    for (std::size_t i = 0; i < op.operands.size(); ++i) {
      if (way == Way::forward) await(op.results[i], awaited(op.operands[i]));
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
    await(body.arguments[i], awaited(op.operands[i]));
    if (way == Way::backward) extend(left[i], of(body.arguments[i]));
  }
  for (const Region& each : op.regions) pass(each, way);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    extend(body.arguments[i], of(left[i]));
    await(body.arguments[i], awaited(left[i]));
    if (way == Way::backward) extend(op.operands[i], of(body.arguments[i]));
  }
}

namespace {

// Without the axes of those names and what would lie behind them.
Sharding without(Sharding sharding, const std::set<std::string>& names) {
  for (Axes& dim : sharding.dims) {
    const auto first = std::ranges::find_if(
        dim, [&](std::size_t axis) { return names.contains(sharding.mesh->axes[axis].name); });
    dim.erase(first, dim.end());
  }
  return sharding;
}

void add_names(const Sharding& sharding, std::set<std::string>& names) {
  for (const Axes& dim : sharding.dims) {
    for (const std::size_t axis : dim) names.insert(sharding.mesh->axes[axis].name);
  }
}

}  // namespace

void Propagation::pass_factors(const Op& op, const Factors& all, Way way) {
  std::vector<const Sharding*> operands, results;
  for (const ValueId value : op.operands) operands.push_back(&of(value));
  for (const ValueId value : op.results) results.push_back(&of(value));
  Contest& contest = this->contest(op);
  const std::set<std::string> before = std::exchange(contest.names, {});
  const Chosen chosen = choose(all, operands, results, contest);
  std::set<std::string> open = contest.is_open ? contest.names : std::set<std::string>();
  contest.names.insert(before.begin(), before.end());
  for (const ValueId value : op.operands) open.merge(awaited(value));
  if (way == Way::forward) {
    for (const ValueId value : op.results) await(value, open);
  } else {
    std::set<std::string> decided;
    for (const Sharding* each : results) add_names(*each, decided);
    std::erase_if(open, [&](const std::string& name) { return decided.contains(name); });
  }
  if (chosen.mesh == nullptr) return;
  const auto& values = way == Way::forward ? op.results : op.operands;
  const auto& dims = way == Way::forward ? all.results : all.operands;
  for (std::size_t i = 0; i < values.size(); ++i)
    extend(values[i], without(chosen.sharding(all, dims[i]), open));
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
