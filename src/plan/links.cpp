#include "plan/links.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/stable_sort.h"
#include "fabric/faults.h"

namespace trainyard::plan {

namespace {

using graph::OpKind;

std::int64_t chips_of(const machine::Machine& machine, int cores,
                      const std::vector<std::int64_t>& devices) {
  const std::int64_t each = machine.chip.cores / cores;
  return std::ranges::max(devices) / each + 1;
}

std::optional<fabric::CollectiveOp> operation_of(OpKind kind) {
  switch (kind) {
    case OpKind::all_gather: return fabric::CollectiveOp::all_gather;
    case OpKind::all_reduce: return fabric::CollectiveOp::all_reduce;
    case OpKind::all_to_all:
    case OpKind::custom_call: return fabric::CollectiveOp::all_to_all;
    case OpKind::collective_permute: return fabric::CollectiveOp::permute;
    case OpKind::reduce_scatter: return fabric::CollectiveOp::reduce_scatter;
    default: return std::nullopt;
  }
}

}  // namespace

Links::Links(const machine::Machine& machine, int cores, std::vector<std::int64_t> devices,
             std::span<const std::string> faults)
    : devices_(std::move(devices)),
      network_(machine::system_of(machine, chips_of(machine, cores, devices_)), cores),
      table_(network_) {
  for (const std::string& fault : faults) {
    fabric::Options one;
    fabric::add_fault(network_, fault, one);
    faults_.changes.insert(faults_.changes.end(), one.changes.begin(), one.changes.end());
    faults_.late.insert(faults_.late.end(), one.late.begin(), one.late.end());
    if (!fault.starts_with("rank:") || one.changes.empty()) continue;
    const fabric::Change& change = one.changes.front();
    slow_.push_back(
        {change.time, change.resource, change.capacity / network_.capacity(change.resource)});
  }
  base::stable_sort(faults_.changes, {}, &fabric::Change::time);
}

base::Ticks Links::begin() const {
  base::Ticks last{};
  for (const auto& [rank, time] : faults_.late) {
    if (std::ranges::find(devices_, rank) != devices_.end()) last = std::max(last, time);
  }
  return last;
}

double Links::slowest_at(base::Ticks time) const {
  std::map<std::uint32_t, double> shares;
  for (const Slow& each : slow_)
    if (each.time <= time) shares[each.engines] = each.share;
  double least = 1;
  for (const auto& [engines, share] : shares) least = std::min(least, share);
  return least;
}

std::map<std::size_t, std::vector<fabric::Group>> Links::groups_by_size(const Meet& meet) {
  std::map<std::size_t, std::vector<fabric::Group>> groups;
  for (const Partitions& each : meet.groups) {
    if (each.size() < 2) continue;
    fabric::Group group;
    for (const std::size_t partition : each)
      group.push_back(static_cast<std::int32_t>(devices_.at(partition)));
    groups[each.size()].push_back(std::move(group));
  }
  return groups;
}

fabric::Price Links::price(const Meet& meet, std::span<const fabric::Group> groups,
                           const fabric::Options& options) {
  const auto operation = operation_of(meet.op->kind);
  base::check(operation.has_value(), "every collective has a schedule");
  fabric::Price found = table_.price(*operation, static_cast<double>(meet.bytes), groups, options);
  if (!found.stuck.empty()) {
    constexpr std::size_t told = 3;
    found.stuck.resize(std::min(told, found.stuck.size()));
    throw base::Fault(
        base::FaultCategory::deadlock,
        {"fabric.stuck", "what a collective needs of the network is there",
         std::string(graph::name(meet.op->kind)), fmt::format("{}", fmt::join(found.stuck, "; ")),
         "let it be down later, or only slower (x0.1)"});
  }
  return found;
}

const Work& Links::work(const Meet& meet) {
  const auto [at, is_new] = known_.try_emplace(&meet);
  if (is_new) at->second = priced(meet);
  return at->second;
}

Work Links::work_at(const Meet& meet, base::Ticks begin) {
  const Work& healthy = work(meet);
  if (faults_.changes.empty() || begin + healthy.time < faults_.changes.front().time)
    return healthy;
  fabric::Options options{.changes = faults_.changes};
  for (fabric::Change& change : options.changes)
    change.time = std::max(base::Ticks{}, change.time - begin);
  if (begin < faults_.changes.back().time) return priced(meet, options);
  const auto [at, is_new] = known_after_.try_emplace(&meet);
  if (is_new) at->second = priced(meet, options);
  return at->second;
}

Work Links::priced(const Meet& meet, const fabric::Options& options) {
  Work work;
  std::map<std::uint32_t, double> busy;  // ticks at full rate
  for (const auto& [size, groups] : groups_by_size(meet)) {
    const fabric::Price found = price(meet, groups, options);
    work.time += found.time;
    work.joules += found.link_joules.value + found.memory_joules.value;
    for (const fabric::Saturated& load : found.loads)
      busy[resource(load.kind)] += load.share * static_cast<double>(found.time.value);
  }
  if (work.time.value == 0) return work;
  for (const auto& [number, ticks] : busy)
    work.demands.push_back({number, std::min(1.0, ticks / static_cast<double>(work.time.value))});
  return work;
}

Route Links::route(const Meet& meet) {
  const auto groups = groups_by_size(meet);
  if (groups.empty()) return {};
  const fabric::Price found = price(meet, groups.rbegin()->second, {});
  if (found.loads.empty()) return {found.algorithm};
  return {found.algorithm, found.loads[0].name, found.loads[0].share};
}

std::uint32_t Links::resource(const std::string& kind) {
  return resources_.try_emplace(kind, static_cast<std::uint32_t>(resources_.size())).first->second;
}

}  // namespace trainyard::plan
