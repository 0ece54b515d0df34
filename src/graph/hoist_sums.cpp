#include "graph/hoist_sums.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "graph/reads.h"
#include "graph/values.h"

namespace trainyard::graph {

namespace {

using Readers = std::map<ValueId, std::vector<const Op*>>;  // of a region, its return among them

// A value that inner regions read is read by who knows what: by the operation that has them, twice.
Readers readers_of(const Region& region) {
  Readers readers;
  for (const Op& op : region.ops) {
    for (const ValueId value : op.operands) readers[value].push_back(&op);
    for (const ValueId value : values_captured(op))
      readers[value].insert(readers[value].end(), 2, &op);
  }
  return readers;
}

bool adds(const Op& op) {
  return op.regions.size() == 1 && op.regions[0].ops.size() == 2 &&
         op.regions[0].ops[0].kind == OpKind::add;
}
bool is_sum_of_devices(const Op& op) {
  return op.kind == OpKind::all_reduce && op.operands.size() == 1 && adds(op);
}

// Also those that operations of the region make, not of inner ones.
std::set<ValueId> zeros_in(const Region& region, std::set<ValueId> zeros) {
  for (const Op& op : region.ops) {
    const bool is_constant = op.kind == OpKind::constant && is_all_zero(op.literal("value"));
    const bool is_moved = is(op.kind, Trait::arrange) && zeros.contains(op.operands[0]);
    if (is_constant || is_moved) zeros.insert(op.results[0]);
  }
  return zeros;
}

class Loop {
 public:
  Loop(Function& function, Op& loop, const std::set<ValueId>& zeros)
      : function_(function),
        loop_(loop),
        body_(loop.regions.at(1)),
        zeros_(zeros_in(body_, zeros)),
        readers_(readers_of(body_)),
        readers_of_condition_(readers_of(loop.regions.at(0))) {}

  // The sums that are now to be taken behind the loop, which it no longer takes.
  std::vector<Op> hoist() {
    std::map<std::size_t, Op> sums;  // by what turns hand on
    std::map<ValueId, ValueId> summands;
    for (const Op& op : body_.ops) {
      if (!is_sum_of_devices(op)) continue;
      const std::optional<std::size_t> kept = kept_in(op.results[0]);
      if (!kept || !sums.try_emplace(*kept, op).second) continue;
      summands[op.results[0]] = op.operands[0];
    }
    if (sums.empty()) return {};
    std::erase_if(body_.ops, [&](const Op& op) {
      return is_sum_of_devices(op) && summands.contains(op.results[0]);
    });
    for (Op& op : body_.ops) {
      for (ValueId& value : op.operands)
        if (const auto found = summands.find(value); found != summands.end()) value = found->second;
    }
    std::vector<Op> behind;
    for (auto& [kept, sum] : sums) {
      const ValueId part = function_.add_value(function_.type(loop_.results[kept]));
      sum.operands = {part};
      sum.results = {std::exchange(loop_.results[kept], part)};
      behind.push_back(std::move(sum));
    }
    return behind;
  }

 private:
  // What turns hand on that has the value in it, which nobody else reads.
  [[nodiscard]] std::optional<std::size_t> kept_in(ValueId value) const {
    for (;;) {
      const Op* const reader = only_reader(value);
      if (reader == nullptr || reader->results.size() != 1) return std::nullopt;
      if (!passes_sums(*reader, value)) return put_away(*reader, value);
      value = reader->results[0];
    }
  }

  // Whether of a sum it gives the sum of what it gives of the summands.
  [[nodiscard]] bool passes_sums(const Op& op, ValueId value) const {
    if (op.kind == OpKind::reduce && op.operands.size() == 2 && adds(op))
      return op.operands[0] == value && zeros_.contains(op.operands[1]);
    return is(op.kind, Trait::arrange) || op.kind == OpKind::convert;
  }

  [[nodiscard]] std::optional<std::size_t> put_away(const Op& op, ValueId value) const {
    std::optional<ValueId> into;
    if (op.kind == OpKind::dynamic_update_slice && op.operands[1] == value) into = op.operands[0];
    if (op.kind == OpKind::add) into = op.operands[0] == value ? op.operands[1] : op.operands[0];
    if (!into || *into == value || only_reader(*into) != &op) return std::nullopt;
    const auto argument = std::ranges::find(body_.arguments, *into);
    if (argument == body_.arguments.end()) return std::nullopt;
    const auto kept = static_cast<std::size_t>(argument - body_.arguments.begin());
    const std::vector<ValueId>& handed_on = body_.ops.back().operands;
    const ValueId result = op.results[0];
    const ValueId of_condition = loop_.regions.at(0).arguments.at(kept);
    if (handed_on.at(kept) != result || std::ranges::count(handed_on, result) != 1 ||
        only_reader(result) != &body_.ops.back() || readers_of_condition_.contains(of_condition) ||
        !zeros_.contains(loop_.operands.at(kept)))
      return std::nullopt;
    return kept;
  }

  [[nodiscard]] const Op* only_reader(ValueId value) const {
    const auto found = readers_.find(value);
    return found == readers_.end() || found->second.size() != 1 ? nullptr : found->second.front();
  }

  Function& function_;
  Op& loop_;
  Region& body_;
  const std::set<ValueId> zeros_;
  Readers readers_, readers_of_condition_;
};

void hoist_in(Function& function, Region& region, const std::set<ValueId>& around) {
  const std::set<ValueId> zeros = zeros_in(region, around);
  std::vector<Op> ops;
  for (Op& op : region.ops) {
    std::vector<Op> behind;
    if (op.kind == OpKind::while_) {
      hoist_in(function, op.regions.at(1), zeros);
      behind = Loop(function, op, zeros).hoist();
    }
    ops.push_back(std::move(op));
    std::ranges::move(behind, std::back_inserter(ops));
  }
  region.ops = std::move(ops);
}

}  // namespace

void hoist_sums(Function& function) { hoist_in(function, function.body, {}); }

}  // namespace trainyard::graph
