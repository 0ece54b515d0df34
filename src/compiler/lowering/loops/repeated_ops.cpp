#include "compiler/lowering/loops/repeated_ops.h"

#include <algorithm>

#include "base/hash.h"
#include "graph/op_hash.h"
#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::ValueId;

// Longer lists are not searched: the time grows with their square.
constexpr std::size_t ops_max = 8192;

// Equal for operations that may be copies of each other.
std::uint64_t copy_hash(const graph::Function& function, const Op& op) {
  std::uint64_t hash = graph::hash_of_types(function, op);
  for (const Region& region : op.regions) hash = base::hash_combine(hash, region.ops.size());
  return hash;
}

// A region that reads nothing of outside, under other names.
bool same_region(const Region& a, const Region& b) {
  if (a.arguments.size() != b.arguments.size() || a.ops.size() != b.ops.size()) return false;
  std::map<ValueId, ValueId> names;
  for (std::size_t i = 0; i < a.arguments.size(); ++i) names[a.arguments[i]] = b.arguments[i];
  for (std::size_t i = 0; i < a.ops.size(); ++i) {
    const Op &x = a.ops[i], &y = b.ops[i];
    if (x.kind != y.kind || x.attributes != y.attributes || !x.regions.empty() ||
        !y.regions.empty() || x.operands.size() != y.operands.size() ||
        x.results.size() != y.results.size())
      return false;
    for (std::size_t k = 0; k < x.operands.size(); ++k) {
      const auto found = names.find(x.operands[k]);
      if (found == names.end() || found->second != y.operands[k]) return false;
    }
    for (std::size_t k = 0; k < x.results.size(); ++k) names[x.results[k]] = y.results[k];
  }
  return true;
}

bool same_but_place(const Op& a, const Op& b) {
  if (a.kind != OpKind::slice) return a.attributes == b.attributes;
  return std::ranges::equal(a.integers("strides"), b.integers("strides"));
}

}  // namespace

std::vector<Repeated> repeated_ops(const graph::Function& function, const Region& region) {
  std::vector<Repeated> all;
  if (region.ops.size() < 3 || region.ops.size() > ops_max) return all;
  std::vector<std::uint64_t> hashes;
  for (const Op& op : region.ops) hashes.push_back(copy_hash(function, op));
  const std::size_t end = hashes.size() - 1;  // behind it is the return
  for (std::size_t period = 1; 2 * period <= end; ++period) {
    std::size_t begin = 0;
    for (std::size_t i = 0; i + period <= end; ++i) {
      if (i + period < end && hashes[i] == hashes[i + period]) continue;
      // A longer stretch than its copies may begin at any of its first operations.
      const std::size_t length = i + period - begin, count = length / period;
      for (std::size_t late = 0; count >= 2 && late <= length - count * period; ++late)
        all.push_back({begin + late, period, count});
      begin = i + 1;
    }
  }
  return all;
}

Copies::Copies(const Region& region, Repeated which) : region_(region), which_(which) {
  for (std::size_t copy = 0; copy < which.count; ++copy) {
    for (std::size_t i = 0; i < which.period; ++i) {
      const std::vector<ValueId>& results = op(copy, i).results;
      for (std::size_t k = 0; k < results.size(); ++k) places_[results[k]] = {copy, i, k};
    }
  }
}

bool Copies::is_alike(std::size_t index) const {
  const Op& first = op(0, index);
  if (graph::is(first.kind, graph::Trait::control) || graph::is(first.kind, graph::Trait::host) ||
      graph::is(first.kind, graph::Trait::collective) || first.kind == OpKind::custom_call ||
      first.kind == OpKind::call || !graph::values_captured(first).empty())
    return false;
  for (std::size_t copy = 1; copy < which_.count; ++copy) {
    const Op& other = op(copy, index);
    if (other.kind != first.kind || !same_but_place(first, other) ||
        !std::ranges::equal(first.regions, other.regions, same_region))
      return false;
  }
  for (std::size_t k = 0; k < first.operands.size(); ++k)
    if (!source_of(index, k)) return false;
  return true;
}

bool Copies::are_alike() const {
  for (std::size_t i = 0; i < which_.period; ++i)
    if (!is_alike(i)) return false;
  return true;
}

std::optional<Copies::Source> Copies::source_of(std::span<const ValueId> values) const {
  const auto first = places_.find(values[0]);
  if (first == places_.end() &&
      std::ranges::all_of(values, [&](ValueId value) { return value == values[0]; }))
    return Source{.kind = Source::Kind::fixed, .first = values[0]};
  const auto second = places_.find(values[1]);
  if (second == places_.end()) return std::nullopt;
  const auto& [at, op, result] = second->second;
  const bool is_own = at == 1;
  if (at > 1 || (is_own != (first != places_.end()))) return std::nullopt;
  for (std::size_t copy = is_own ? 0 : 1; copy < values.size(); ++copy) {
    const auto found = places_.find(values[copy]);
    if (found == places_.end() || found->second.copy != copy - (is_own ? 0 : 1) ||
        found->second.op != op || found->second.result != result)
      return std::nullopt;
  }
  return Source{.kind = is_own ? Source::Kind::own : Source::Kind::last,
                .op = op,
                .result = result,
                .first = values[0]};
}

std::optional<Copies::Source> Copies::source_of(std::size_t index, std::size_t operand) const {
  std::vector<ValueId> values;
  for (std::size_t copy = 0; copy < which_.count; ++copy) {
    const Op& each = op(copy, index);
    if (operand >= each.operands.size()) return std::nullopt;
    values.push_back(each.operands[operand]);
  }
  return source_of(values);
}

}  // namespace trainyard::compiler
