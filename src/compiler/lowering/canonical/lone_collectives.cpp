#include "compiler/lowering/canonical/lone_collectives.h"

#include <cstddef>

#include "graph/reads.h"
#include "graph/recompute.h"

namespace trainyard::compiler {

namespace {

using graph::Function;
using graph::Op;
using graph::OpKind;
using graph::Region;

bool are_lone(const Op& op) {
  if (op.kind == OpKind::collective_permute) {
    const auto pairs = op.integers("source_target_pairs");
    return pairs.size() == 2 && pairs[0] == pairs[1];
  }
  const graph::Attribute* const groups = op.find("replica_groups");
  const auto* const ranks =
      groups == nullptr ? nullptr : std::get_if<graph::Literal>(&groups->value);
  return ranks != nullptr && ranks->type.rank() == 2 && ranks->type.shape[1] == 1;
}

class LoneCollectives {
 public:
  explicit LoneCollectives(Function& function) : function_(function) {
    drop(function.body);
    graph::rename_operands(function.body, same_);
  }

 private:
  void drop(Region& region) {
    std::erase_if(region.ops, [&](Op& op) {
      for (Region& nested : op.regions) drop(nested);
      if (!graph::is(op.kind, graph::Trait::collective) || !gives_operands(op) || !are_lone(op))
        return false;
      for (std::size_t i = 0; i < op.results.size(); ++i) {
        const auto found = same_.find(op.operands[i]);
        same_[op.results[i]] = found == same_.end() ? op.operands[i] : found->second;
      }
      return true;
    });
  }
  [[nodiscard]] bool gives_operands(const Op& op) const {
    if (op.results.empty() || op.results.size() != op.operands.size()) return false;
    for (std::size_t i = 0; i < op.results.size(); ++i)
      if (function_.type(op.results[i]) != function_.type(op.operands[i])) return false;
    return true;
  }

  Function& function_;
  graph::Renamed same_;
};

}  // namespace

void pass_lone_ranks_on(graph::Module& module) {
  const auto is_collective = [](const Op& op) {
    return graph::is(op.kind, graph::Trait::collective);
  };
  for (Function& function : module.functions)
    if (graph::has_op(function.body, is_collective)) LoneCollectives{function};
}

}  // namespace trainyard::compiler
