#include "compiler/lowering/walk/scope.h"

#include <algorithm>

#include "graph/reads.h"

namespace trainyard::compiler {

namespace {

// Whether the result is the operand's elements where they lie, under another name.
bool is_view(graph::OpKind kind) {
  return graph::is(kind, graph::Trait::arrange) || kind == graph::OpKind::optimization_barrier;
}

}  // namespace

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
  const std::set<graph::ValueId> read = values_read(op);
  return readers_left(value) - (std::ranges::find(read, value) == read.end() ? 0 : 1);
}

void Scope::passed(const graph::Op& op) {
  for (const graph::ValueId value : values_read(op)) --readers_[value];
  ++at_;
}

}  // namespace trainyard::compiler
