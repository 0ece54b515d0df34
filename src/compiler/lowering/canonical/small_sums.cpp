#include "compiler/lowering/canonical/small_sums.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lowering/canonical/value_bounds.h"
#include "graph/builder.h"
#include "graph/folds.h"

namespace trainyard::compiler {

namespace {

using graph::ElementType;
using graph::Op;
using graph::OpKind;
using graph::Region;
using graph::Type;
using graph::ValueId;

constexpr double whole_numbers = 0x1p24;  // that float32 holds, and those below

class SmallSums {
 public:
  explicit SmallSums(graph::Function& function) : function_(function), bounds_(function) {}

  void run(Region& region) {
    find(region);
    write(region);
  }

 private:
  // Those that are rewritten, while all operations stand where they are known by.
  void find(const Region& region) {
    for (const Op& op : region.ops) {
      for (const Region& nested : op.regions) find(nested);
      if (is_small(op)) small_.push_back(op.results[0]);
    }
  }

  [[nodiscard]] bool is_small(const Op& op) {
    if (op.kind != OpKind::reduce && op.kind != OpKind::reduce_window) return false;
    if (op.results.size() != 1 || op.operands.size() != 2) return false;
    const Type& type = function_.type(op.operands[0]);
    const bool is_word = type.element == ElementType::s32 || type.element == ElementType::u32;
    if (!is_word || !type.is_static() || !function_.type(op.results[0]).is_static()) return false;
    const auto kinds = graph::simple_folds(op.regions[0]);
    if (!kinds || kinds->front() != OpKind::add) return false;
    const double each = bounds_.of(op.operands[0]).magnitude();
    const double first = bounds_.of(op.operands[1]).magnitude();
    const double count = folded_elements(function_, op);
    // Each padded element of a window adds the first value again.
    return each * count + first * (count + 1) <= whole_numbers;
  }

  void write(Region& region) {
    std::vector<Op> ops;
    std::swap(ops, region.ops);
    for (Op& op : ops) {
      for (Region& nested : op.regions) write(nested);
      const bool is_chosen =
          op.results.size() == 1 && std::ranges::find(small_, op.results[0]) != small_.end();
      if (!is_chosen) {
        region.ops.push_back(std::move(op));
        continue;
      }
      graph::Builder write(function_, region.ops, op.location);
      const Type one{.element = ElementType::f32, .shape = {}};
      const Bounds first = bounds_.of(op.operands[1]);
      op.operands[0] = write.convert(op.operands[0], ElementType::f32);
      op.operands[1] = first.low == first.high ? write.number(one, first.low)
                                               : write.convert(op.operands[1], ElementType::f32);
      const ValueId whole = std::exchange(
          op.results[0], function_.add_value({.element = ElementType::f32,
                                              .shape = function_.type(op.results[0]).shape}));
      const ValueId left = function_.add_value(one), right = function_.add_value(one),
                    sum = function_.add_value(one);
      op.regions = {Region{{left, right},
                           {{.kind = OpKind::add, .operands = {left, right}, .results = {sum}},
                            {.kind = OpKind::return_, .operands = {sum}}}}};
      const ValueId real = op.results[0];
      const graph::LocationId location = op.location;
      region.ops.push_back(std::move(op));
      region.ops.push_back(
          {.kind = OpKind::convert, .operands = {real}, .results = {whole}, .location = location});
    }
  }

  graph::Function& function_;
  ValueBounds bounds_;
  std::vector<ValueId> small_;
};

}  // namespace

void sum_small_integers(graph::Module& module) {
  for (graph::Function& function : module.functions) SmallSums(function).run(function.body);
}

}  // namespace trainyard::compiler
