#include "compiler/lowering/canonical/reshaped_repeats.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "graph/builder.h"
#include "graph/replace_each.h"
#include "graph/reshape_groups.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::ValueId;
using Dims = std::vector<std::int64_t>;

class ReshapedRepeats {
 public:
  explicit ReshapedRepeats(Function& function) : function_(function) {
    graph::replace_each(function.body, [&](const Op& op, std::vector<Op>& ops) {
      if (op.kind == OpKind::broadcast_in_dim) spreads_[op.results[0]] = op;
      return op.kind == OpKind::reshape && repeat_behind(op, ops);
    });
  }

 private:
  [[nodiscard]] const Dims& shape(ValueId value) const { return function_.type(value).shape; }

  // What the source is reshaped to, and which dimensions of the result these are.
  struct Spread {
    Dims sizes, places;
  };
  [[nodiscard]] std::optional<Spread> spread_of(const Op& spread, const Dims& to) const {
    const Dims &source = shape(spread.operands[0]), &from = shape(spread.results[0]);
    const auto places = spread.integers("broadcast_dimensions");
    if (!std::ranges::is_sorted(places)) return std::nullopt;
    std::vector<bool> is_kept(from.size(), false);
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto place = static_cast<std::size_t>(places[i]);
      is_kept[place] = source[i] == from[place];
    }
    Spread found;
    for (const graph::ReshapeGroup& group : graph::reshape_groups(from, to)) {
      bool keeps = false, repeats = false;
      for (std::size_t dim = group.from_first; dim < group.from_last; ++dim)
        if (from[dim] != 1) (is_kept[dim] ? keeps : repeats) = true;
      if (keeps && repeats) return std::nullopt;
      for (std::size_t dim = group.to_first; keeps && dim < group.to_last; ++dim) {
        found.sizes.push_back(to[dim]);
        found.places.push_back(static_cast<std::int64_t>(dim));
      }
    }
    return found;
  }

  bool repeat_behind(const Op& op, std::vector<Op>& ops) {
    const auto found = spreads_.find(op.operands[0]);
    if (found == spreads_.end() || !function_.type(op.results[0]).is_static()) return false;
    const Dims to = shape(op.results[0]);
    auto made = spread_of(found->second, to);
    // Numbers are known as they are, and so is what repeats nothing.
    const bool repeats = function_.type(op.results[0]).elements() !=
                         function_.type(found->second.operands[0]).elements();
    if (!made || made->sizes.empty() || !repeats) return false;
    graph::Builder write(function_, ops, op.location);
    ValueId source = found->second.operands[0];
    if (shape(source) != made->sizes) source = write.reshape(source, std::move(made->sizes));
    static_cast<void>(write.spread(source, std::move(made->places), to));
    ops.back().results = op.results;
    spreads_[op.results[0]] = ops.back();
    return true;
  }

  Function& function_;
  std::map<ValueId, Op> spreads_;
};

}  // namespace

void reshape_before_repeats(graph::Module& module) {
  for (Function& function : module.functions) ReshapedRepeats{function};
}

}  // namespace trainyard::compiler
