#include "isa/semantics/accumulator.h"

#include <algorithm>
#include <limits>

#include "isa/core/accumulation.h"

namespace trainyard::isa::accumulator {

elementwise::Reduction start(ReduceCmd cmd, numerics::AluOp op, const Scalar& initial,
                             const Tile& data, Execution& execution) {
  const std::span<float> accumulators = lanes(execution.core.vector_accumulator, data);
  const auto fill = [&](float x) { std::fill(accumulators.begin(), accumulators.end(), x); };
  if (resets(cmd)) fill(numerics::reduction_identity(op));
  if (cmd == ReduceCmd::load_reduce) {
    for (std::size_t p = 0; p < accumulators.size(); ++p)
      accumulators[p] = value(initial, execution, static_cast<int>(p));
  }
  // NaN, so that a program that relies on them shows it.
  if (accumulated_by(cmd, HiddenState::vector_accumulator) == Accumulated::undefined)
    fill(std::numeric_limits<float>::quiet_NaN());
  return {reduces(cmd) ? op : numerics::AluOp::bypass, accumulators};
}

}  // namespace trainyard::isa::accumulator
