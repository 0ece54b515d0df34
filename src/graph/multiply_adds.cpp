#include "graph/multiply_adds.h"

#include <algorithm>

#include "graph/loop_turns.h"

namespace trainyard::graph {

namespace {

class MultiplyAdds {
 public:
  MultiplyAdds(const Module& module, const Function& function)
      : module_(module), function_(function) {}

  [[nodiscard]] double of(const Region& region) const {
    double all = 0;
    for (const Op& op : region.ops) all += of(op, region);
    return all;
  }

 private:
  [[nodiscard]] double of(const Op& op, const Region& around) const {
    switch (op.kind) {
      case OpKind::dot_general:
      case OpKind::convolution: return of_product(op);
      case OpKind::while_:
        return static_cast<double>(counted_turns(op, around).value_or(1)) * of(op.regions.at(1));
      case OpKind::case_:
      case OpKind::if_: {
        double most = 0;
        for (const Region& side : op.regions) most = std::max(most, of(side));
        return most;
      }
      case OpKind::call: {
        const Function* const callee = module_.find(op.symbol("callee"));
        return callee == nullptr ? 0 : MultiplyAdds(module_, *callee).of(callee->body);
      }
      default: return 0;
    }
  }

  [[nodiscard]] double of_product(const Op& op) const {
    const bool is_narrow = std::ranges::all_of(op.operands, [&](ValueId value) {
      return size_in_bytes(function_.type(value).element) == 1;
    });
    return multiply_adds(function_, op) * (is_narrow ? 0.25 : 1);
  }

  const Module& module_;
  const Function& function_;
};

}  // namespace

// Each element of the result is a sum of as many products.
double multiply_adds(const Function& function, const Op& op) {
  if (op.kind != OpKind::dot_general && op.kind != OpKind::convolution) return 0;
  const Type& lhs = function.type(op.operands.at(0));
  const Type& rhs = function.type(op.operands.at(1));
  const Type& result = function.type(op.results.at(0));
  if (!lhs.is_static() || !rhs.is_static() || !result.is_static()) return 0;
  double summands = 1;
  if (op.kind == OpKind::dot_general) {
    for (const std::int64_t dim : op.integers("lhs_contracting_dimensions"))
      summands *= static_cast<double>(lhs.shape.at(static_cast<std::size_t>(dim)));
  } else {
    const auto features = static_cast<std::size_t>(op.integer("kernel_output_feature_dimension"));
    summands = static_cast<double>(rhs.elements()) /
               static_cast<double>(std::max<std::int64_t>(1, rhs.shape.at(features)));
  }
  return static_cast<double>(result.elements()) * summands;
}

double multiply_adds(const Module& module) {
  return MultiplyAdds(module, module.entry()).of(module.entry().body);
}

}  // namespace trainyard::graph
