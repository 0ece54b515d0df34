#include "isa/semantics/accumulator.h"

#include <algorithm>
#include <limits>

namespace trainyard::isa::accumulator {

elementwise::Reduction start(ReduceCmd cmd, numerics::AluOp op, const Scalar& initial,
                             const Tile& data, Execution& execution) {
  const std::span<float> accumulators = lanes(execution.core.vector_accumulator, data);
  const auto fill = [&](float x) { std::fill(accumulators.begin(), accumulators.end(), x); };
  switch (cmd) {
    case ReduceCmd::reset:
    case ReduceCmd::reset_reduce: fill(numerics::reduction_identity(op)); break;
    case ReduceCmd::load_reduce:
      for (std::size_t p = 0; p < accumulators.size(); ++p)
        accumulators[p] = value(initial, execution, static_cast<int>(p));
      break;
    case ReduceCmd::reduce: break;
    case ReduceCmd::idle: fill(std::numeric_limits<float>::quiet_NaN()); break;
  }
  const bool reduces = cmd != ReduceCmd::idle && cmd != ReduceCmd::reset;
  return {reduces ? op : numerics::AluOp::bypass, accumulators};
}

}  // namespace trainyard::isa::accumulator
