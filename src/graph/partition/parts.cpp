// Operations on parts of their operands: the attributes that say sizes.
#include <algorithm>
#include <string_view>
#include <utility>

#include "graph/partition/factors.h"

namespace trainyard::graph {

namespace {

using Dims = std::vector<std::int64_t>;

void set(Op& op, std::string_view name, decltype(Attribute::value) value) {
  std::ranges::find(op.attributes, name, &NamedAttribute::name)->value.value = std::move(value);
}

// What is left in a part of sizes that are whole dimensions.
Dims part_sizes(std::span<const std::int64_t> sizes, const Dims& shape, const Dims& ways) {
  Dims parts(sizes.begin(), sizes.end());
  for (std::size_t d = 0; d < parts.size(); ++d) {
    if (parts[d] == shape[d]) parts[d] /= ways[d];
  }
  return parts;
}

}  // namespace

void to_parts(Op& op, const Dims& operand, const Dims& operand_ways, const Dims& result_ways) {
  switch (op.kind) {
    case OpKind::slice:
      set(op, "limit_indices", part_sizes(op.integers("limit_indices"), operand, result_ways));
      return;
    case OpKind::dynamic_slice:
    case OpKind::gather:
      set(op, "slice_sizes", part_sizes(op.integers("slice_sizes"), operand, operand_ways));
      return;
    case OpKind::convolution: {
      const auto out = static_cast<std::size_t>(op.integer("output_feature_dimension"));
      const std::int64_t groups = op.integer("feature_group_count");
      if (groups > 1) set(op, "feature_group_count", groups / result_ways[out]);
      return;
    }
    case OpKind::composite:  // of whole values
      std::erase_if(op.attributes,
                    [](const NamedAttribute& each) { return each.name == "decomposition"; });
      return;
    default: return;
  }
}

void to_part(Op& constant, Type type) {
  Literal all = constant.literal("value");
  all.type = std::move(type);
  set(constant, "value", std::move(all));
}

}  // namespace trainyard::graph
