#include <algorithm>

#include "base/units.h"
#include "compiler/lowering/attention/attention.h"
#include "compiler/lowering/attention/attention_bands.h"
#include "compiler/lowering/attention/attention_few.h"
#include "compiler/lowering/tiles/elementwise.h"

namespace trainyard::compiler {

namespace {

constexpr std::int64_t behind_max = 3;  // bands from the scores to the result
// Of SBUF, what bands may take: the rest is for values that stay on chip.
constexpr std::int64_t bands_percent = 75;

std::int64_t size_of(graph::ElementType type) { return numerics::size_in_bytes(*storage_of(type)); }

}  // namespace

std::int64_t bands_behind(const AttentionShape& shape, std::int64_t operand_bytes,
                          std::int64_t value_bytes, const machine::Core& core) {
  const std::int64_t of_keys =
      operand_bytes + base::ceil_div(shape.columns * value_bytes, std::int64_t{core.array.rows});
  const std::int64_t bands = base::ceil_div(shape.queries, std::int64_t{core.array.rows});
  const std::int64_t room = core.sbuf.usable().value * bands_percent / 100 / shape.keys;
  for (std::int64_t behind = behind_max; behind > 0; --behind) {
    const std::int64_t of_limits = shape.limit == AttentionShape::Limit::none ? 0 : 3 * 4;
    const std::int64_t of_bands = 2 * 4 + of_limits + (2 + behind) * size_of(shape.weights);
    const std::int64_t batches = std::min(shape.batches(), 1 + base::ceil_div(behind + 1, bands));
    if (of_bands + batches * of_keys <= room) return behind;
  }
  return 0;
}

bool attention_fits(const AttentionShape& shape, graph::ElementType operands,
                    graph::ElementType values, const machine::Core& core) {
  if (are_few(shape)) return few_queries_fit(shape, operands, values, core);
  const bool is_whole = shape.depth > 1 && shape.depth <= core.array.rows &&
                        shape.columns <= core.psum.bank_size.value / 4;
  return is_whole && size_of(operands) > 1 && size_of(shape.weights) > 1 &&
         bands_behind(shape, size_of(operands), size_of(values), core) > 0;
}

}  // namespace trainyard::compiler
