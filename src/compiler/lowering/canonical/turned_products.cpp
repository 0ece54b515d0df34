#include "compiler/lowering/canonical/turned_products.h"
#include "graph/reads.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::ValueId;

// Of each value, what alone reads it.
using SoleReaders = std::map<ValueId, const Op*>;

SoleReaders readers_in(const Region& region) {
  SoleReaders all;
  for (const Op& op : region.ops) {
    for (const ValueId value : values_read(op)) {
      const auto [found, is_first] = all.try_emplace(value, &op);
      if (!is_first) found->second = nullptr;
    }
  }
  return all;
}

// Whether it exchanges the dimensions that a product's operands leave of themselves.
bool exchanges_operands(const Function& function, const Op& dot, const Op& transpose) {
  const auto left = static_cast<std::size_t>(function.type(dot.operands[0]).rank());
  const std::size_t batches = dot.integers("lhs_batching_dimensions").size();
  const std::size_t free = left - batches - dot.integers("lhs_contracting_dimensions").size();
  const auto order = transpose.integers("permutation");
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t behind = i - batches, others = order.size() - batches - free;
    const std::size_t from = i < batches ? i : behind < others ? i + free : i - others;
    if (order[i] != static_cast<std::int64_t>(from)) return false;
  }
  return true;
}

void exchange_operands(Op& dot) {
  constexpr std::array<std::array<std::string_view, 2>, 3> sides{{
      {"lhs_batching_dimensions", "rhs_batching_dimensions"},
      {"lhs_contracting_dimensions", "rhs_contracting_dimensions"},
      {"lhs_precision_type", "rhs_precision_type"},
  }};
  std::swap(dot.operands[0], dot.operands[1]);
  for (graph::NamedAttribute& each : dot.attributes) {
    for (const auto& [left, right] : sides) {
      if (each.name == left) {
        each.name = right;
      } else if (each.name == right) {
        each.name = left;
      }
    }
  }
  std::ranges::sort(dot.attributes, {}, &graph::NamedAttribute::name);
}

void turn_in(const Function& function, Region& region) {
  const SoleReaders readers = readers_in(region);
  std::set<ValueId> turned;
  for (Op& op : region.ops) {
    for (Region& nested : op.regions) turn_in(function, nested);
    if (op.kind != OpKind::dot_general || op.operands.size() != 2) continue;
    const auto found = readers.find(op.results[0]);
    const Op* const reader = found == readers.end() ? nullptr : found->second;
    if (reader == nullptr || reader->kind != OpKind::transpose ||
        !exchanges_operands(function, op, *reader))
      continue;
    exchange_operands(op);
    op.results = reader->results;
    turned.insert(op.results[0]);
  }
  std::erase_if(region.ops, [&](const Op& op) {
    return op.kind == OpKind::transpose && turned.contains(op.results[0]);
  });
}

}  // namespace

void turn_products(graph::Module& module) {
  for (Function& function : module.functions) turn_in(function, function.body);
}

}  // namespace trainyard::compiler
