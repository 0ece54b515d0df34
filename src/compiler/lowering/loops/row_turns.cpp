#include "compiler/lowering/loops/row_turns.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compiler/lowering/loops/row_regions.h"
#include "compiler/lowering/tiles/literal.h"
#include "graph/builder.h"
#include "graph/reads.h"
#include "graph/values.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

const Type counter_type{.element = ElementType::s32};

// Writes a region as a loop.
class TurnWriter {
 public:
  TurnWriter(Function& function, std::vector<Op>& ops, const RowRegion& region)
      : function_(function), ops_(ops), region_(region) {
    for (const std::size_t i : region.members) {
      if (is_made_anew(ops[i])) continue;
      moved_.insert(i);
      made_.insert(ops[i].results.begin(), ops[i].results.end());
    }
  }

  void run(graph::LocationId location) {
    find_outputs();
    Op loop{.kind = OpKind::while_, .location = location};
    std::vector<Op> before, behind;
    graph::Builder write(function_, before, location);
    loop.operands.push_back(number(write, 0));
    for (const ValueId value : outputs_) loop.operands.push_back(write.number(type(value), 0));
    loop.regions.push_back(condition(location));
    loop.regions.push_back(body(location));
    loop.results.push_back(function_.add_value(counter_type));
    loop.results.insert(loop.results.end(), outputs_.begin(), outputs_.end());
    std::set<ValueId> late(made_);
    std::vector<Op> early;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (moved_.contains(i)) continue;
      std::set<ValueId> read;
      graph::add_read(ops_[i], read);
      const bool is_late =
          ops_[i].kind == OpKind::return_ ||
          std::ranges::any_of(read, [&](ValueId value) { return late.contains(value); });
      if (is_late) late.insert(ops_[i].results.begin(), ops_[i].results.end());
      (is_late ? behind : early).push_back(std::move(ops_[i]));
    }
    ops_ = std::move(early);
    std::ranges::move(before, std::back_inserter(ops_));
    ops_.push_back(std::move(loop));
    std::ranges::move(behind, std::back_inserter(ops_));
  }

 private:
  [[nodiscard]] const Type& type(ValueId value) const { return function_.type(value); }
  // Of nothing that lies along the rows: each turn makes its own, and who else reads it keeps it.
  [[nodiscard]] bool is_made_anew(const Op& op) const {
    return std::ranges::none_of(op.operands,
                                [&](ValueId value) { return region_.dims.contains(value); });
  }
  [[nodiscard]] Type part(ValueId value) const {
    Type type = this->type(value);
    if (const auto dim = region_.dims.find(value); dim != region_.dims.end())
      type.shape[dim->second] /= region_.turns;
    return type;
  }
  [[nodiscard]] Dims ways(ValueId value) const {
    Dims all(type(value).shape.size(), 1);
    if (const auto dim = region_.dims.find(value); dim != region_.dims.end())
      all[dim->second] = region_.turns;
    return all;
  }
  static ValueId number(graph::Builder& write, std::int64_t value) {
    return write.emit(OpKind::constant, {}, counter_type,
                      {{"value", {graph::filled(counter_type, static_cast<double>(value))}}});
  }

  void find_outputs() {
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      if (moved_.contains(i)) continue;
      std::set<ValueId> read;
      graph::add_read(ops_[i], read);
      for (const ValueId value : read) {
        if (made_.contains(value) && std::ranges::find(outputs_, value) == outputs_.end())
          outputs_.push_back(value);
      }
    }
  }

  // The number of the turn, then the outputs so far.
  [[nodiscard]] Region with_state() {
    Region region{.arguments = {function_.add_value(counter_type)}, .ops = {}};
    for (const ValueId value : outputs_) {
      Type each = type(value);
      region.arguments.push_back(function_.add_value(std::move(each)));
    }
    return region;
  }

  [[nodiscard]] Region condition(graph::LocationId location) {
    Region region = with_state();
    graph::Builder write(function_, region.ops, location);
    const ValueId goes_on = write.compared(region.arguments[0], "LT", number(write, region_.turns));
    region.ops.push_back({.kind = OpKind::return_, .operands = {goes_on}, .location = location});
    return region;
  }

  Region body(graph::LocationId location) {
    Region region = with_state();
    graph::Builder write(function_, region.ops, location);
    zero_ = number(write, 0);
    turn_ = region.arguments[0];
    for (const std::size_t i : region_.members) put_part(write, region.ops, ops_[i]);
    std::vector<ValueId> next{write.emit(OpKind::add, {turn_, number(write, 1)}, counter_type)};
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      std::vector<ValueId> operands{region.arguments[k + 1], parts_.at(outputs_[k])};
      std::ranges::copy(starts(write, outputs_[k]), std::back_inserter(operands));
      next.push_back(
          write.emit(OpKind::dynamic_update_slice, std::move(operands), type(outputs_[k])));
    }
    region.ops.push_back({.kind = OpKind::return_, .operands = next, .location = location});
    return region;
  }

  // Where the turn's rows begin, along that dimension of the value.
  ValueId start(graph::Builder& write, ValueId value) {
    const std::int64_t rows = part(value).shape[region_.dims.at(value)];
    const auto known = starts_.find(rows);
    if (known != starts_.end()) return known->second;
    const ValueId start = write.emit(OpKind::multiply, {turn_, number(write, rows)}, counter_type);
    return starts_[rows] = start;
  }
  std::vector<ValueId> starts(graph::Builder& write, ValueId value) {
    std::vector<ValueId> all(type(value).shape.size(), zero_);
    all[region_.dims.at(value)] = start(write, value);
    return all;
  }

  // The turn's part of what lies along the rows; anything else as it is.
  ValueId part_of(graph::Builder& write, ValueId value) {
    if (!region_.dims.contains(value)) return value;
    if (const auto known = parts_.find(value); known != parts_.end()) return known->second;
    std::vector<ValueId> operands{value};
    std::ranges::copy(starts(write, value), std::back_inserter(operands));
    Type type = part(value);
    const Dims sizes = type.shape;
    return parts_[value] = write.emit(OpKind::dynamic_slice, std::move(operands), std::move(type),
                                      {{"slice_sizes", {sizes}}});
  }

  void put_part(graph::Builder& write, std::vector<Op>& to, const Op& op) {
    Op mine = op;
    for (ValueId& value : mine.operands) value = part_of(write, value);
    const ValueId result = op.results[0];
    if (op.kind == OpKind::constant) {
      graph::to_part(mine, part(result));
    } else if (!op.operands.empty()) {
      graph::to_parts(mine, type(op.operands[0]).shape, ways(op.operands[0]), ways(result));
    }
    for (ValueId& value : mine.results) {
      const ValueId whole = value;
      value = parts_[whole] = function_.add_value(part(whole));
    }
    to.push_back(std::move(mine));
    const bool counts =
        op.kind == OpKind::iota &&
        op.integer("iota_dimension") == static_cast<std::int64_t>(region_.dims.at(result));
    if (counts) {
      const ValueId from = write.convert(start(write, result), type(result).element);
      const Type rows = part(result);
      parts_[result] =
          write.emit(OpKind::add, {parts_[result], write.spread(from, {}, rows.shape)}, rows);
    }
  }

  Function& function_;
  std::vector<Op>& ops_;
  const RowRegion& region_;
  std::set<std::size_t> moved_;  // members that stand in the loop alone
  std::set<ValueId> made_;       // their results
  std::vector<ValueId> outputs_;
  std::map<ValueId, ValueId> parts_;        // in the body
  std::map<std::int64_t, ValueId> starts_;  // by rows of a turn
  ValueId zero_ = 0, turn_ = 0;
};

void take_turns(Function& function, Region& region, const machine::Core& core,
                const TurnLimits& limits) {
  std::set<ValueId> tried;
  while (true) {
    const auto seed = std::ranges::find_if(region.ops, [&](const Op& op) {
      return instructions_of(op, function, core) > limits.instructions_max &&
             !tried.contains(op.results[0]);
    });
    if (seed == region.ops.end()) break;
    tried.insert(seed->results[0]);
    const RowRegions regions(function, region.ops, core, limits);
    const auto found = regions.around(static_cast<std::size_t>(seed - region.ops.begin()));
    if (found) TurnWriter(function, region.ops, *found).run(seed->location);
  }
  for (Op& op : region.ops) {
    for (Region& nested : op.regions) take_turns(function, nested, core, limits);
  }
}

}  // namespace

void take_turns(graph::Module& module, const machine::Core& core, const TurnLimits& limits) {
  for (Function& function : module.functions) {
    take_turns(function, function.body, core, limits);
    graph::drop_unread(function.body);
  }
}

}  // namespace trainyard::compiler
