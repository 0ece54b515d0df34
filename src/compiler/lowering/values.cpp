#include "compiler/lowering/values.h"

#include <algorithm>
#include <set>

namespace trainyard::compiler {

namespace {

void add_captured(const graph::Region& region, std::set<graph::ValueId>& inside,
                  std::set<graph::ValueId>& captured) {
  inside.insert(region.arguments.begin(), region.arguments.end());
  for (const graph::Op& op : region.ops) {
    for (const graph::ValueId value : op.operands) {
      if (!inside.contains(value)) captured.insert(value);
    }
    for (const graph::Region& nested : op.regions) add_captured(nested, inside, captured);
    inside.insert(op.results.begin(), op.results.end());
  }
}

// Whether the result is the operand's elements where they lie, under another name.
bool is_view(graph::OpKind kind) {
  return graph::is(kind, graph::Trait::arrange) || kind == graph::OpKind::optimization_barrier;
}

}  // namespace

std::vector<graph::ValueId> values_captured(const graph::Op& op) {
  std::set<graph::ValueId> inside, captured;
  for (const graph::Region& region : op.regions) add_captured(region, inside, captured);
  return {captured.begin(), captured.end()};
}

std::vector<graph::ValueId> values_read(const graph::Op& op) {
  const std::vector<graph::ValueId> captured = values_captured(op);
  std::set<graph::ValueId> all(captured.begin(), captured.end());
  all.insert(op.operands.begin(), op.operands.end());
  return {all.begin(), all.end()};
}

Scope::Scope(const graph::Function& function, const graph::Region& region)
    : function_(&function), region_(&region) {
  for (const graph::Op& op : region.ops) {
    for (const graph::ValueId value : values_read(op)) ++readers_[value];
  }
  for (std::int64_t at = std::ssize(region.ops); at-- > 0;) {
    const graph::Op& op = region.ops[static_cast<std::size_t>(at)];
    std::vector<std::int64_t> places{at};
    if (is_view(op.kind)) places = read_at_[op.results.front()];
    for (const graph::ValueId value : values_read(op)) {
      std::vector<std::int64_t>& all = read_at_[value];
      all.insert(all.end(), places.begin(), places.end());
    }
  }
  for (auto& [value, places] : read_at_) std::ranges::sort(places);
}

std::optional<std::int64_t> Scope::next_read(graph::ValueId value) const {
  const auto found = read_at_.find(value);
  if (found == read_at_.end()) return std::nullopt;
  const auto next = std::ranges::lower_bound(found->second, at_);
  return next == found->second.end() ? std::nullopt : std::optional(*next - at_);
}

int Scope::readers_left(graph::ValueId value) const {
  const auto found = readers_.find(value);
  return found == readers_.end() ? 0 : found->second;
}

int Scope::readers_behind(graph::ValueId value, const graph::Op& op) const {
  const std::vector<graph::ValueId> read = values_read(op);
  return readers_left(value) - (std::ranges::find(read, value) == read.end() ? 0 : 1);
}

void Scope::passed(const graph::Op& op) {
  for (const graph::ValueId value : values_read(op)) --readers_[value];
  ++at_;
}

}  // namespace trainyard::compiler
