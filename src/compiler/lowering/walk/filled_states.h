// States of loops that turns fill part by part, as stacked results of a scan: what such a state
// begins as is never read, and need not be written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "compiler/lowering/emit/counted.h"
#include "graph/module.h"

namespace trainyard::compiler {

// Whether every element of that state is written by one of the turns, and none is read before the
// loop ends. `counts`: of each state that is counted, its numbers; `outside`: of values that the
// body reads.
[[nodiscard]] bool is_filled(const graph::Op& loop, const graph::Function& function,
                             std::size_t state, const std::vector<std::optional<Counted>>& counts,
                             const std::function<std::optional<Counted>(graph::ValueId)>& outside);

}  // namespace trainyard::compiler
